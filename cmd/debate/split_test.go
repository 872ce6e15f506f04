package main

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/gh/ghtest"
)

// TestSplit holds one review in three jobs that share no rights: the first reads,
// the second has no token, the third no key of a model.
func TestSplit(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.repo.SetBranch("feature", h.repo.Change(h.repo.Branch("main"), map[string]string{"ratio.go": divides}))
	p := h.repo.OpenPull("ada", ghtest.NewPull{Title: "Divide", Body: "Ratio divides.", Head: "feature"})
	event := h.repo.Event("pull_request_target", "opened", ghtest.Happening{Pull: p})
	writer := h.token
	debaters, key := h.inputs["operator-config"], h.inputs["state-key"]
	bundle := filepath.Join(h.dir, "bundle")
	job := func(stage, token string, inputs map[string]string) ran {
		h.token, h.inputs = token, map[string]string{"stage": stage, "bundle": bundle}
		maps.Copy(h.inputs, inputs)
		return h.run("pull_request_target", event)
	}

	collect := job("collect", h.server.JobToken(map[string]string{"contents": "read", "pull-requests": "read", "issues": "read", "checks": "read"}), nil)
	if collect.code != 0 || collect.writes != 0 || !strings.Contains(collect.outputs, "next") || !strings.Contains(collect.outputs, "\ndebate\n") {
		t.Fatalf("collect: code %d, %d writes\n%s\n%s", collect.code, collect.writes, collect.outputs, collect.log)
	}
	models := job("debate", "", map[string]string{"operator-config": debaters})
	if models.code != 0 || len(models.requests) != 0 || !strings.Contains(models.log, "asking p1") {
		t.Fatalf("debate: code %d, %d requests\n%s", models.code, len(models.requests), models.log)
	}
	publish := job("publish", writer, map[string]string{"state-key": key, "operator-config": debaters})
	if publish.code != 0 || strings.Contains(publish.log, "asking") {
		t.Fatalf("publish: code %d\n%s", publish.code, publish.log)
	}
	if len(p.Comments()) != 1 || len(p.Inline()) != 1 || !strings.Contains(p.Inline()[0].Body(), "The divisor can be zero") {
		t.Errorf("%d comments, %d inline: %s", len(p.Comments()), len(p.Inline()), publish.log)
	}
	if runs := h.repo.CheckRuns(p.Head()); len(runs) != 1 || runs[0].Conclusion != "neutral" {
		t.Errorf("the check is %+v", runs)
	}

	again := job("collect", writer, nil)
	if again.code != 0 || !strings.Contains(again.outputs, "\npublish\n") {
		t.Errorf("a head that is reviewed is to be debated again: %s", again.outputs)
	}
}
