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
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// jobsWithTests runs the jobs of the workflow that tests what models propose: collect,
// models, tests, weigh, publish. Each has a machine of its own, with the artifacts that it
// downloads. Results are changed on the way, if meddle says so.
type jobsWithTests struct {
	*hosted
	kind     string
	event    []byte
	settings string // of the operator
	machines int
}

// job runs one stage with artifacts of other jobs, and returns where it left its own.
func (j *jobsWithTests) job(stage action.Stage, token string, more map[string]string, artifacts ...string) (o ran, artifact string) {
	j.t.Helper()
	j.machines++
	bundle := filepath.Join(j.dir, fmt.Sprintf("machine%d", j.machines))
	for _, from := range artifacts {
		if from == "" {
			continue
		}
		if err := os.CopyFS(filepath.Join(bundle, filepath.Base(from)), os.DirFS(from)); err != nil {
			j.t.Fatal(err)
		}
	}
	writer, inputs := j.token, j.inputs
	defer func() { j.token, j.inputs = writer, inputs }()
	j.token, j.inputs = token, map[string]string{"stage": string(stage), "bundle": bundle, "operator-config": j.settings}
	maps.Copy(j.inputs, more)
	o = j.run(j.kind, j.event)
	return o, filepath.Join(bundle, string(stage))
}

func next(o ran, stage action.Stage) bool {
	return strings.Contains(o.outputs, "\n"+string(stage)+"\n")
}

const byWorkflow = proven + " (run by the workflow)"

// Five jobs prove a finding: the one without secrets runs the test that the models asked
// for, and the debate goes on with how it ended. Of what that job hands over nothing counts
// but known words about tests that were asked for.
func TestJobsProve(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	for name, c := range map[string]struct {
		operator string
		fork     bool
		results  func(t *testing.T, ref string) string // in the place of the right ones
		lost     bool                                  // the tests fail as a job
		want     string
		unproven bool
	}{
		"proven":       {operator: "execution: {pulls: true}\n", want: byWorkflow},
		"fork":         {operator: "execution: {pulls: true}\n", fork: true, want: notForks, unproven: true},
		"fork allowed": {operator: "execution: {pulls: true, forks: true}\n", fork: true, want: byWorkflow},
		"not allowed":  {operator: "", want: notAllowed, unproven: true},
		"lost":         {operator: "execution: {pulls: true}\n", lost: true, unproven: true},
		"another test": {operator: "execution: {pulls: true}\n", unproven: true, results: func(_ *testing.T, _ string) string {
			return `{"tests": [{"ref": "test:0123456789ab", "outcomes": ["fails", "fails", "passes"]}]}`
		}},
		"told twice": {operator: "execution: {pulls: true}\n", unproven: true, results: func(_ *testing.T, ref string) string {
			one := `{"ref": "` + ref + `", "outcomes": ["fails", "fails", "passes"]}`
			return `{"tests": [` + one + `,` + one + `]}`
		}},
		"another word": {operator: "execution: {pulls: true}\n", unproven: true, results: func(_ *testing.T, ref string) string {
			return `{"tests": [{"ref": "` + ref + `", "outcomes": ["fails", "fails", "![passes](http://evil.example)"]}]}`
		}},
		"no results": {operator: "execution: {pulls: true}\n", unproven: true, results: func(*testing.T, string) string { return "<html>" }},
		"too long": {operator: "execution: {pulls: true}\n", unproven: true, results: func(_ *testing.T, ref string) string {
			return `{"tests": [{"ref": "` + ref + `", "outcomes": ["fails", "fails", "passes"]}]}` + strings.Repeat(" ", 100_000)
		}},
		"more than outcomes": {operator: "execution: {pulls: true}\n", want: byWorkflow, results: func(_ *testing.T, ref string) string {
			return `{"tests": [{"ref": "` + ref + `", "outcomes": ["fails", "fails", "passes"], "output": "canary-3141", "command": ["canary-3141"]}], "canary-3141": true}`
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			key := map[string]string{"state-key": h.inputs["state-key"]}
			h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), summing(testsOfBase)))
			var p *ghtest.Pull
			if c.fork {
				p = fromFork(h.repo, losesOne())
				h.repo.SetPermission("olive", ghtest.Write) // no stranger, or a maintainer would have to start it
			} else {
				p = h.open("ada", losesOne())
			}
			j := &jobsWithTests{hosted: h, kind: "pull_request_target", settings: c.operator + provers(t, h.dir)}
			j.event = h.repo.Event(j.kind, "opened", ghtest.Happening{Pull: p})
			reads := h.server.JobToken(map[string]string{"contents": "read", "pull-requests": "read", "issues": "read", "checks": "read"})

			_, collected := j.job(action.Collect, reads, nil)
			models, debated := j.job(action.Debate, "", nil, collected)
			models.good(t)
			waits := next(models, action.Test)
			if asked := c.want != notForks && c.want != notAllowed; waits != asked {
				t.Fatalf("the debate waits for tests: %t\n%s", waits, models.log)
			}
			results := ""
			if waits {
				early, _ := j.job(action.Publish, h.token, key, debated)
				if early.code == 0 || !strings.Contains(early.log, "waits for its tests") || len(ours(p.Comments())) > 0 && strings.Contains(strings.Join(summaries(p), ""), "The first item") {
					t.Errorf("a debate that waits is published: code %d\n%s", early.code, early.log)
				}
				tests, ended := j.job(action.Test, h.server.JobToken(nil), nil, collected, debated)
				tests.good(t)
				if results = ended; tests.writes > 0 || !next(tests, action.Debate) {
					t.Errorf("%d writes\n%s", tests.writes, tests.log)
				}
				b, err := action.ReadBundle(filepath.Dir(results), action.Test, "acme/app")
				if err != nil {
					t.Fatal(err)
				}
				var said struct{ Tests []struct{ Ref string } }
				if err := json.Unmarshal(b.Results, &said); err != nil || len(said.Tests) != 1 {
					t.Fatalf("%v: %s\n%s", err, b.Results, tests.log)
				}
				if c.results != nil {
					b.Results = []byte(c.results(t, said.Tests[0].Ref))
					if err := action.WriteBundle(filepath.Dir(results), b); err != nil {
						t.Fatal(err)
					}
				}
				if c.lost {
					results = ""
				}
				var weigh ran
				weigh, debated = j.job(action.Debate, "", nil, collected, debated, results)
				weigh.good(t)
				if len(weigh.requests) > 0 || !next(weigh, action.Publish) {
					t.Errorf("%d requests\n%s", len(weigh.requests), weigh.log)
				}
			}
			publish, _ := j.job(action.Publish, h.token, key, debated, results)
			publish.good(t)
			text := strings.Join(summaries(p), "\n")
			for _, one := range p.Inline() {
				text += "\n" + one.Body()
			}
			wantText(t, "the comments", text, "The first item is not counted")
			wantText(t, "the comments", text, c.want)
			if strings.Contains(text, "Proven") == c.unproven || strings.Contains(text, "canary-3141") || strings.Contains(text, "evil.example") {
				t.Errorf("the comments:\n%s", text)
			}
			if got := strings.Contains(text, "self.assertEqual(total([1, 2]), 3)"); got == c.unproven {
				t.Errorf("the test is shown: %t", got)
			}
			runs := h.repo.CheckRuns(p.Head())
			if len(runs) != 1 || runs[0].Conclusion != "action_required" || len(h.repo.Issues()) != 1 {
				t.Errorf("the check is %+v, %d issues", runs, len(h.repo.Issues()))
			}
			if t.Failed() {
				t.Log(text, "\n", publish.log)
			}
		})
	}
}

// A publisher does not believe results that a record tells of and that it does not have.
func TestJobsForgeResults(t *testing.T) {
	t.Parallel()
	needsSandbox(t)
	h := host(t)
	h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), summing(testsOfBase)))
	p := h.open("ada", losesOne())
	j := &jobsWithTests{hosted: h, kind: "pull_request_target", settings: "execution: {pulls: true}\n" + provers(t, h.dir)}
	j.event = h.repo.Event(j.kind, "opened", ghtest.Happening{Pull: p})
	_, collected := j.job(action.Collect, h.token, nil)
	_, debated := j.job(action.Debate, "", nil, collected)
	_, results := j.job(action.Test, h.server.JobToken(nil), nil, collected, debated)
	_, debated = j.job(action.Debate, "", nil, collected, debated, results)
	o, _ := j.job(action.Publish, h.token, map[string]string{"state-key": h.inputs["state-key"]}, debated)
	if o.code == 0 || len(p.Inline()) > 0 {
		t.Errorf("exit code %d, %d comments\n%s", o.code, len(p.Inline()), o.log)
	}
	wantText(t, "log", o.log, "cannot be trusted")
}
