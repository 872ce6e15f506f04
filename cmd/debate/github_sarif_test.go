package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// results are what a job wrote for code scanning, as "F1 path level", and the
// outputs of the job.
func (o ran) results(t *testing.T) (found []string, outputs map[string]string) {
	t.Helper()
	outputs = valuesOf(t, o.outputs)
	data := readFile(t, outputs["sarif"])
	var log struct {
		Runs []struct {
			Results []struct {
				Level      string
				Properties struct{ ID string }
				Locations  []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(data, &log); err != nil || len(log.Runs) != 1 {
		t.Fatalf("%v in\n%s", err, data)
	}
	for _, r := range log.Runs[0].Results {
		found = append(found, r.Properties.ID+" "+r.Locations[0].PhysicalLocation.ArtifactLocation.URI+" "+r.Level)
	}
	slices.Sort(found)
	return found, outputs
}

// The findings that stand are written where sarif-output says, those about an
// earlier head among them; a run that reviews nothing writes none, since code
// scanning would take that for a change without a problem.
func TestTheFindingsForCodeScanning(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"] = parties(t, "bugs", "bugs")
	h.inputs["sarif-output"] = "out/debate.sarif"
	p := h.open("ada", map[string]string{"one.go": "package app\n\nvar one = 1 // BUG: first\n"})
	o := h.on(p, "opened").good(t)
	found, outputs := o.results(t)
	want(t, "results", strings.Join(found, "; "), "F1 one.go warning")
	want(t, "place of the file", strings.HasSuffix(outputs["sarif"], filepath.FromSlash("/runi/out/debate.sarif")), true)
	want(t, "head", outputs["head"], p.Head())

	values := valuesOf(t, h.on(p, "synchronize").good(t).outputs)
	want(t, "file of a run with nothing new", values["sarif"], "")

	found, outputs = h.push(p, map[string]string{"two.go": "package app\n\nvar two = 2 // BUG: second\n"}).good(t).results(t)
	want(t, "results after a push", strings.Join(found, "; "), "F1 one.go warning; F4 two.go warning")
	want(t, "head after a push", outputs["head"], p.Head())
}

// Without sarif-output no file is written, and the output is empty.
func TestNoFindingsForCodeScanningUnlessAsked(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", map[string]string{"ratio.go": divides})
	values := valuesOf(t, h.on(p, "opened").good(t).outputs)
	want(t, "file", values["sarif"], "")
	left, err := filepath.Glob(filepath.Join(h.dir, "*", "*.sarif"))
	if err != nil || len(left) > 0 {
		t.Errorf("%v is written: %v", left, err)
	}
}

// A link that a checkout left is not followed: the job fails and says why, once
// everything else is published.
func TestNoFindingsThroughALink(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["sarif-output"] = "debate.sarif"
	outside := filepath.Join(t.TempDir(), "kept")
	workspace := filepath.Join(h.dir, "runi")
	writeFile(t, outside, []byte("kept"), 0o600)
	makeDir(t, workspace, 0o755)
	if err := os.Symlink(outside, filepath.Join(workspace, "debate.sarif")); err != nil {
		t.Skipf("no link can be made here: %v", err)
	}
	p := h.open("ada", map[string]string{"ratio.go": divides})
	o := h.on(p, "opened")
	want(t, "exit code is good", o.code == 0, false)
	wantText(t, "log", o.log, "write the findings to debate.sarif (sarif-output): debate.sarif is there and no regular file")
	data, err := os.ReadFile(outside)
	if err != nil || string(data) != "kept" {
		t.Errorf("it holds %q: %v", data, err)
	}
	want(t, "summaries", len(summaries(p)), 1)
	want(t, "check", h.check(p.Head()), "neutral")
}

// Where the run is split over jobs, the one that publishes writes the findings.
func TestThePublisherWritesTheFindings(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", map[string]string{"ratio.go": divides})
	o := h.jobs("pull_request_target", h.repo.Event("pull_request_target", "opened", ghtest.Happening{Pull: p}), untouched, map[string]string{
		"operator-config": h.inputs["operator-config"], "state-key": h.inputs["state-key"], "sarif-output": "debate.sarif",
	}).good(t)
	found, _ := o.results(t)
	want(t, "results", strings.Join(found, "; "), "F1 ratio.go warning")
}

// A file of other tools that is not there, or is broken, is told by the input that names it.
func TestABrokenSARIFFileIsNamed(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("ada", map[string]string{"ratio.go": divides})
	file := filepath.Join(h.dir, "lint.sarif")
	h.inputs["sarif"] = file
	for _, c := range []struct{ content, says string }{
		{"", "read what other tools found: input \"sarif\": cannot read " + file + ": no such file or directory"},
		{"{\n", "read what other tools found: input \"sarif\": cannot use " + file + ": the file is no JSON: line 2: "},
	} {
		if c.content != "" {
			writeFile(t, file, []byte(c.content), 0o600)
		}
		o := h.on(p, "opened")
		want(t, "exit code", o.code, 2)
		wantText(t, "log", o.log, "::error title=debate::"+c.says)
	}
}
