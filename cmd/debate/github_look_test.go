package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/testkit/exectest"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// cart is a repository in which a file takes the price of another for euros. Nothing of
// the change names it.
func cart() map[string]string {
	files := map[string]string{
		"shop/price.go": "package shop\n\n// Price of an item.\nfunc Price(item Item) int {\n\treturn item.Cents / 100\n}\n",
		"cart/total.go": "package cart\n\n// Euros is what a cart costs.\nfunc Euros(item shop.Item) int {\n\treturn shop.Price(item)\n}\n",
		".env":          "KEY=canary-env shop.Price(\n", "inner/plan.txt": "canary-private shop.Price(\n",
	}
	for i := range 110 { // more than are read beside a change
		files[fmt.Sprintf("shop/near%03d.go", i)] = "package shop\n"
	}
	return files
}

// cents changes what a price is.
var cents = map[string]string{"shop/price.go": "package shop\n\n// Price of an item.\nfunc Price(item Item) int {\n\treturn item.Cents // as the bank has it\n}\n"}

// inspectors are reviewers of which the first looks, with what it asks to see.
func (h *hosted) inspectors(settings, looks string) {
	h.t.Helper()
	plan := func(name string, plan exectest.Inspector) string {
		data, err := json.Marshal(plan)
		if err != nil {
			h.t.Fatal(err)
		}
		path := filepath.Join(h.dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			h.t.Fatal(err)
		}
		return path
	}
	proof := "return shop.Price(item)"
	finder := plan("finder.json", exectest.Inspector{
		Suspects: "as the bank has it", Looks: json.RawMessage(looks), Proof: proof, Severity: "P1", Category: "correctness",
		Title: "Euros returns cents", Body: "An item of 5 euros costs 500 in the cart.",
	})
	weigher := plan("weigher.json", exectest.Inspector{Proof: proof})
	h.inputs["operator-config"] = settings + "parties:\n  primary: {id: first, provider: exec, family: red, command: [" + partyProgram() + ", inspect, " + finder +
		"]}\n  challengers: [{id: second, provider: exec, family: blue, command: [" + partyProgram() + ", inspect, " + weigher + "]}]\n"
}

// A reviewer of a pull request looks further: what it finds in a file that the change does
// not touch is confirmed and posted at the changed line. Nothing of what is kept leaves.
// Where it may not look nothing is found, and nothing more is read.
func TestAPullRequestIsLookedAround(t *testing.T) {
	t.Parallel()
	grep := `[{"grep": {"pattern": "shop\\.Price\\(", "paths": ["**/*.go"]}}, {"grep": {"pattern": "canary"}}, {"read": {"path": ".env"}}, {"read": {"path": "inner/plan.txt"}}]`
	read := `[{"read": {"path": "cart/total.go"}}, {"list": {"path": "cart"}}]`
	for _, c := range []struct {
		name, settings, looks string
		refused               bool // there is no archive
		found                 bool
		asked                 string // of GitHub
	}{
		{"looks: 0", "limits: {looks: 0}\n", grep, false, false, ""},
		{"only what changed", "context: changed\n", grep, false, false, ""},
		{"a search", "", grep, false, true, "listing archive download"},
		{"a file", "", read, false, true, "listing"},
		{"no search", "", grep, true, false, "listing archive"},
		{"a file where nothing can be searched", "", read, true, true, "listing"},
	} {
		h := host(t)
		h.inspectors(c.settings, c.looks)
		h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), cart()))
		h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{".github/debate.yml": "version: 1\npaths: {private: [\"inner/**\"]}\n"}))
		p := h.open("ada", cents)
		if c.refused {
			h.server.FaultOn("/tarball/", 99, ghtest.Answer(403))
		}
		o := h.on(p, "opened").good(t)
		inline := ""
		for _, one := range p.Inline() {
			inline += one.Body()
		}
		if found := strings.Contains(inline, "Euros returns cents") && strings.Contains(inline, "confirmed by second"); found != c.found {
			t.Errorf("%s: found: %t\n%s\n%s", c.name, found, inline, o.log)
		}
		want(t, c.name+": asked of GitHub", lookedFor(o, p.Head()), c.asked)
		said := strings.Contains(o.summary, "wanted to search the repository, which was not possible here")
		want(t, c.name+": says that nothing was searched", said, c.asked == "listing archive")
		why := strings.Contains(o.log, "reviewers could not see all that they asked for: read the archive of "+p.Head()[:12]+": GitHub does not permit it")
		want(t, c.name+": says why in the log", why, c.asked == "listing archive")
	}
}

// lookedFor is what a run asked of GitHub because somebody looked, in order.
func lookedFor(o ran, head string) string {
	var asked []string
	for _, r := range o.requests {
		for part, name := range map[string]string{"/git/trees/" + head: "listing", "/tarball/" + head: "archive", "/codeload/": "download"} {
			if strings.Contains(r.Path, part) {
				asked = append(asked, name)
			}
		}
	}
	return strings.Join(asked, " ")
}

// In three jobs the one that asks models has no token: it looks at what the first handed
// on, and the last one reads on GitHub again what was shown.
func TestThreeJobsLookAround(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inspectors("", `[{"grep": {"pattern": "shop\\.Price\\(|canary"}}, {"list": {"path": "cart"}}, {"read": {"path": ".env"}}]`)
	h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), cart()))
	p := h.open("ada", cents)
	recorded := ""
	o := h.jobs("pull_request_target", h.repo.Event("pull_request_target", "opened", ghtest.Happening{Pull: p}), func(dir string) {
		b, err := action.ReadBundle(dir, action.Debate, "acme/app")
		if err != nil {
			t.Fatal(err)
		}
		recorded = string(b.Record)
	}, maps.Clone(h.inputs)).good(t)
	if len(p.Inline()) != 1 || !strings.Contains(p.Inline()[0].Body(), "Euros returns cents") {
		t.Errorf("%d inline comments\n%s", len(p.Inline()), o.log)
	}
	wantText(t, "record", recorded, `"kind":"grep"`)
	if strings.Contains(recorded, "canary-env") {
		t.Error("a file of secrets is in the record")
	}
	want(t, "asked of GitHub again", lookedFor(o, p.Head()), "listing")
}

// What the reviewers of a pull request looked at stands in its record, and nothing that is
// kept; it is replayed without GitHub. A directory for temporary files is as it was.
func TestARecordHoldsWhatWasLookedAt(t *testing.T) {
	h := host(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	h.inspectors("", `[{"grep": {"pattern": "shop\\.Price\\(|canary"}}, {"read": {"path": ".env"}}, {"read": {"path": "inner/plan.txt"}}, {"read": {"path": "../../etc/passwd"}}]`)
	h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), cart()))
	h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{".github/debate.yml": "version: 1\npaths: {private: [\"inner/**\"]}\n"}))
	p := h.open("ada", cents)
	o := h.on(p, "opened").good(t)
	values := valuesOf(t, o.outputs)
	path := values["record"]
	data := readFile(t, path)
	for _, part := range []string{`"kind":"grep"`, "cart/total.go", `"why":"secret"`, `"why":"private"`, `"why":"outside"`, p.Head()} {
		wantText(t, "record", string(data), part)
	}
	if strings.Contains(string(data), "canary-") {
		t.Error("what is kept is in the record")
	}
	if _, err := store.Read(path); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(temp)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// A question on a pull request is looked into as a review is, by the same reader and within
// the same requests: the answer rests on a line of a file that neither the question nor the
// change names. Where nobody may look it is not found, and nothing more is read.
func TestAQuestionOnAPullRequestIsLookedInto(t *testing.T) {
	t.Parallel()
	grep := `[{"grep": {"pattern": "shop\\.Price\\(", "paths": ["**/*.go"]}}, {"grep": {"pattern": "canary"}}, {"read": {"path": ".env"}}, {"read": {"path": "inner/plan.txt"}}, {"read": {"path": "../../etc/passwd"}}]`
	read := `[{"read": {"path": "cart/total.go"}}, {"list": {"path": "cart"}}]`
	for _, c := range []struct {
		name, settings, looks string
		refused               bool // there is no archive
		found                 bool
		asked                 string // of GitHub
	}{
		{"looks: 0", "limits: {looks: 0}\n", grep, false, false, ""},
		{"only what changed", "context: changed\n", grep, false, false, ""},
		{"a search", "", grep, false, true, "listing archive download"},
		{"a file", "", read, false, true, "listing"},
		{"no search", "", grep, true, false, "listing archive"},
	} {
		h := host(t)
		h.inspectors("limits: {looks: 0}\n", grep)
		h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), cart()))
		h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{".github/debate.yml": "version: 1\npaths: {private: [\"inner/**\"]}\n"}))
		p := h.open("ada", cents)
		h.on(p, "opened").good(t)
		h.inspectors(c.settings, c.looks)
		if c.refused {
			h.server.FaultOn("/tarball/", 99, ghtest.Answer(403))
		}
		o := h.heard(p.Issue, "mona", "/debate ask Does everybody know that a price is in cents?")
		answer := p.Comments()[len(p.Comments())-1].Body()
		wantText(t, c.name, answer, "Does everybody know that a price is in cents?")
		want(t, c.name+": found", strings.Contains(answer, "Euros returns cents"), c.found)
		want(t, c.name+": asked of GitHub", lookedFor(o, p.Head()), c.asked)
		want(t, c.name+": says that nothing was searched", strings.Contains(answer, "wanted to search the repository, which was not possible here"), c.refused)
		if strings.Contains(answer+o.log, "canary-") {
			t.Errorf("%s: what is kept left: %s\n%s", c.name, answer, o.log)
		}
	}
}

// A program that an operator lets read files of the head gets them on a pull request, too,
// by the archive that a search reads; in three jobs from what the first job hands on.
func TestAProgramReadsFilesOfAPullRequest(t *testing.T) {
	t.Parallel()
	for _, jobs := range []int{1, 3} {
		t.Run(fmt.Sprint(jobs), func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.inspectors("", "[]")
			h.inputs["operator-config"] = strings.Replace(h.inputs["operator-config"], "family: red,", "family: red, files: true,", 1)
			plan, err := json.Marshal(exectest.Inspector{
				Suspects: "as the bank has it", Browse: "return shop.Price(item)", Proof: "return shop.Price(item)", Severity: "P1", Category: "correctness",
				Title: "Euros returns cents", Body: "An item of 5 euros costs 500 in the cart.",
			})
			if err == nil {
				err = os.WriteFile(filepath.Join(h.dir, "finder.json"), plan, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), cart()))
			p := h.open("ada", cents)
			if jobs == 1 {
				o := h.on(p, "opened").good(t)
				want(t, "asked of GitHub", lookedFor(o, p.Head()), "listing archive download")
			} else {
				h.jobs("pull_request_target", h.repo.Event("pull_request_target", "opened", ghtest.Happening{Pull: p}), untouched, maps.Clone(h.inputs)).good(t)
			}
			if len(p.Inline()) != 1 || !strings.Contains(p.Inline()[0].Body(), "Euros returns cents") {
				t.Errorf("%d inline comments, %s", len(p.Inline()), summaries(p))
			}
		})
	}
}
