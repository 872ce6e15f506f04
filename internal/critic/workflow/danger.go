package workflow

import (
	"sort"
	"strings"

	"github.com/rhysd/actionlint"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/critic/shell"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// privileged are the events under which a workflow has secrets and a token that
// may write, although a stranger can cause them.
var privileged = map[string]bool{"pull_request_target": true, "workflow_run": true, "issue_comment": true}

var (
	// foreignRef is an expression that names the code of the pull request.
	foreignRef = lazyregexp.New(`github\.event\.pull_request\.head\.|github\.head_ref|github\.event\.workflow_run\.head_(?:sha|branch|commit|repository)|github\.event\.workflow_run\.pull_requests|refs/pull/`)
	// foreignFetch is a command that checks the pull request out.
	foreignFetch = lazyregexp.New(`\bgh\s+pr\s+checkout\b|\bgit\s+(?:checkout|switch|reset|merge|pull|fetch)\b[^\n]*(?:github\.event\.pull_request\.head\.|github\.head_ref|github\.event\.workflow_run\.head_|refs/pull/|\bpull/)`)
	// sameRepository is a condition that shuts forks out.
	sameRepository = lazyregexp.New(`head\.repo\.(?:full_name|fork|id)|head_repository\.(?:full_name|id|fork)|workflow_run\.event\s*==\s*'(?:push|schedule|release|workflow_dispatch)'|author_association`)
	pinned         = lazyregexp.New(`^[0-9a-f]{40}(?:[0-9a-f]{24})?$`)
)

// maxUnpinned bounds the findings about unpinned actions of one file.
const maxUnpinned = 10

// dangerousWorkflow runs our own checks, and the shell rules on run steps.
func dangerousWorkflow(f *check.File, w *actionlint.Workflow, src string, out *check.Findings) {
	event, eventLine := privilegedEvent(w)
	broadPermissions(f, w.Permissions, out)
	lines := strings.Split(src, "\n")
	unpinned := 0
	for _, job := range sortedJobs(w) {
		broadPermissions(f, job.Permissions, out)
		if job.WorkflowCall != nil {
			unpinned += unpinnedAction(f, job.WorkflowCall.Uses, unpinned, out)
		}
		guarded := job.If != nil && sameRepository().MatchString(job.If.Value)
		for _, step := range job.Steps {
			fenced := guarded || step.If != nil && sameRepository().MatchString(step.If.Value)
			switch exec := step.Exec.(type) {
			case *actionlint.ExecAction:
				unpinned += unpinnedAction(f, exec.Uses, unpinned, out)
				if event != "" && !fenced {
					foreignCheckout(f, exec, event, eventLine, out)
				}
			case *actionlint.ExecRun:
				if exec.Run == nil {
					continue
				}
				if event != "" && !fenced {
					foreignCommand(f, exec.Run, lines, event, eventLine, out)
				}
				if bourne(w, job, exec) {
					judgeStep(f, w, job, step, exec.Run, lines, out)
				}
			}
		}
	}
}

func sortedJobs(w *actionlint.Workflow) []*actionlint.Job {
	var jobs []*actionlint.Job
	for _, j := range w.Jobs {
		if j != nil && j.Pos != nil {
			jobs = append(jobs, j)
		}
	}
	sort.Slice(jobs, func(i, k int) bool {
		a, b := jobs[i].Pos, jobs[k].Pos
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Col < b.Col
	})
	return jobs
}

func privilegedEvent(w *actionlint.Workflow) (name string, line int) {
	for _, e := range w.On {
		if hook, ok := e.(*actionlint.WebhookEvent); ok && hook.Hook != nil && privileged[hook.Hook.Value] {
			return hook.Hook.Value, hook.Hook.Pos.Line
		}
	}
	return "", 0
}

const checkoutBody = "Under this event the job has the repository's secrets and a token that may write, and whatever it builds, tests or installs from the pull request can take them. Use pull_request, or read the files without running anything of them."

// foreignCheckout reports a checkout of the pull request's code, at its ref or,
// when only the event is new, at the event.
func foreignCheckout(f *check.File, exec *actionlint.ExecAction, event string, eventLine int, out *check.Findings) {
	if exec.Uses == nil || !strings.HasPrefix(exec.Uses.Value, "actions/checkout@") {
		return
	}
	for _, name := range []string{"ref", "repository"} {
		in := exec.Inputs[name]
		if in == nil || in.Value == nil || !foreignRef().MatchString(in.Value.Value) {
			continue
		}
		reportCheckout(f, in.Value.Pos.Line, event, eventLine, out)
		return
	}
}

func foreignCommand(f *check.File, run *actionlint.String, lines []string, event string, eventLine int, out *check.Findings) {
	if m := foreignFetch().FindStringIndex(run.Value); m != nil {
		reportCheckout(f, shell.LineAt(scalarPlaces(run, lines), m[0]), event, eventLine, out)
	}
}

func reportCheckout(f *check.File, line int, event string, eventLine int, out *check.Findings) {
	if !f.Touched(line) {
		line = eventLine
	}
	out.Hit(f, "workflow/pr-target-checkout", line, line, debate.Hit{Title: "Workflow on " + event + " checks out code of a pull request", Body: checkoutBody})
}

func broadPermissions(f *check.File, p *actionlint.Permissions, out *check.Findings) {
	if p == nil || p.All == nil || p.All.Value != "write-all" {
		return
	}
	out.Hit(f, "workflow/broad-permissions", p.All.Pos.Line, p.All.Pos.Line, debate.Hit{Body: "Any step, and any action that it uses, can push code, publish packages and approve pull requests. List the scopes that the job needs."})
}

// unpinnedAction reports an action of somebody else that is named by a tag or
// branch, and returns how many it reported.
func unpinnedAction(f *check.File, uses *actionlint.String, reported int, out *check.Findings) int {
	if uses == nil || !f.Touched(uses.Pos.Line) {
		return 0
	}
	name, ref, ok := strings.Cut(uses.Value, "@")
	owner, _, isRepository := strings.Cut(name, "/")
	if !ok || !isRepository || owner == "actions" || owner == "github" || owner == "." || owner == ".." ||
		strings.Contains(uses.Value, "${{") || strings.HasPrefix(name, "docker:") || pinned().MatchString(ref) {
		return 0
	}
	if reported >= maxUnpinned {
		out.Omitted++
		return 0
	}
	out.Hit(f, "workflow/unpinned-action", uses.Pos.Line, uses.Pos.Line, debate.Hit{Title: "Action " + check.Shown(name) + " is not pinned to a commit",
		Body: "Its owner, or whoever takes over the account, can change what " + check.Shown(ref) + " means and run code with this job's token. Name the full commit SHA, with the tag in a comment."})
	return 1
}

// bourne reports whether a run step is run by sh or bash, as far as the
// workflow says.
func bourne(w *actionlint.Workflow, job *actionlint.Job, exec *actionlint.ExecRun) bool {
	shell := exec.Shell
	for _, d := range []*actionlint.Defaults{job.Defaults, w.Defaults} {
		if shell == nil && d != nil && d.Run != nil {
			shell = d.Run.Shell
		}
	}
	if shell != nil {
		name, _, _ := strings.Cut(shell.Value, " ")
		return name == "bash" || name == "sh"
	}
	if job.RunsOn != nil {
		for _, l := range job.RunsOn.Labels {
			if strings.Contains(strings.ToLower(l.Value), "windows") {
				return false
			}
		}
	}
	return true
}

// judgeStep judges the script of a run step.
func judgeStep(f *check.File, w *actionlint.Workflow, job *actionlint.Job, step *actionlint.Step, run *actionlint.String, lines []string, out *check.Findings) {
	places := scalarPlaces(run, lines)
	if !f.TouchedAny(places[0].Line, places[len(places)-1].Line) {
		return
	}
	set := make(map[string]bool)
	for _, env := range []*actionlint.Env{w.Env, job.Env, step.Env} {
		if env == nil {
			continue
		}
		for _, v := range env.Vars {
			if v.Name != nil {
				set[v.Name.Value] = true
			}
		}
	}
	shell.ReviewScript(f, shell.Script{Text: maskExpressions(run.Value), Places: places, Set: set}, out)
}

// maskExpressions replaces every ${{ }} by a word of its length: a value that
// the script does not see before GitHub has filled it in.
func maskExpressions(s string) string {
	var b strings.Builder
	for {
		start := strings.Index(s, "${{")
		if start < 0 {
			break
		}
		size := strings.Index(s[start:], "}}")
		if size < 0 {
			break
		}
		b.WriteString(s[:start])
		for _, c := range []byte(s[start : start+size+2]) {
			if c != '\n' {
				c = 'x'
			}
			b.WriteByte(c)
		}
		s = s[start+size+2:]
	}
	b.WriteString(s)
	return b.String()
}

// scalarPlaces maps the text of a YAML scalar to the lines that it was written
// on. A literal block has one line for each; in other styles lines were folded,
// and each is found by its text. There is always one place.
func scalarPlaces(s *actionlint.String, lines []string) []shell.Place {
	at := s.Pos.Line
	places := []shell.Place{{Offset: 0, Line: at}}
	if at < 1 || at > len(lines) {
		return places
	}
	header := lines[at-1]
	if col := s.Pos.Col - 1; col >= 0 && col < len(header) && header[col] == '|' {
		places = places[:0]
		offset := 0
		for line := range strings.SplitSeq(s.Value, "\n") {
			if at++; at > len(lines) {
				break
			}
			places = append(places, shell.Place{Offset: offset, Line: at})
			offset += len(line) + 1
		}
		if len(places) == 0 {
			places = append(places, shell.Place{Offset: 0, Line: s.Pos.Line})
		}
		return places
	}
	offset := 0
	for n := at + 1; n <= len(lines) && offset < len(s.Value); n++ {
		text := strings.TrimSpace(lines[n-1])
		if text == "" {
			continue
		}
		i := strings.Index(s.Value[offset:min(len(s.Value), offset+len(text)+maxFold)], text)
		if i < 0 {
			if n == at+1 {
				// The text may begin on the header's own line.
				if j := strings.Index(s.Value, text); j >= 0 {
					places = append(places, shell.Place{Offset: j, Line: n})
					offset = j + len(text)
					continue
				}
			}
			break
		}
		places = append(places, shell.Place{Offset: offset + i, Line: n})
		offset += i + len(text)
	}
	return places
}

// maxFold is how far apart two folded lines can be in the text.
const maxFold = 64
