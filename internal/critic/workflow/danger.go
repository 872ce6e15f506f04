package workflow

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rhysd/actionlint"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/critic/shell"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

// privileged matches the events that give a workflow secrets and a write token although strangers
// can trigger them.
var privileged = lazyregexp.New(`^(?:pull_request_target|workflow_run|issue_comment)$`)

var (
	// foreignRef matches an expression for the code of the pull request.
	foreignRef = lazyregexp.New(`github\.event\.pull_request\.head\.|github\.head_ref|github\.event\.workflow_run\.head_(?:sha|branch|commit|repository)|github\.event\.workflow_run\.pull_requests|refs/pull/`)
	// foreignFetch matches a command that checks the pull request out.
	foreignFetch = lazyregexp.New(`\bgh\s+pr\s+checkout\b|\bgit\s+(?:checkout|switch|reset|merge|pull|fetch)\b[^\n]*(?:github\.event\.pull_request\.head\.|github\.head_ref|github\.event\.workflow_run\.head_|refs/pull/|\bpull/)`)
	// sameRepository matches a condition that excludes forks.
	sameRepository = lazyregexp.New(`head\.repo\.(?:full_name|fork|id)|head_repository\.(?:full_name|id|fork)|workflow_run\.event\s*==\s*'(?:push|schedule|release|workflow_dispatch)'|author_association`)
	writeAll       = lazyregexp.New(`^write-all$`)
	checkout       = lazyregexp.New(`^actions/checkout@`)
	// foreignAction matches an action in a repository. knownAction matches those of a trusted
	// owner, with a commit, or with an expression for a name.
	foreignAction = lazyregexp.New(`(?s)^[^@/]*/[^@]*@`)
	knownAction   = lazyregexp.New(`^(?:actions|github|\.\.?)/|^docker:|^[^@]*@[0-9a-f]{40}(?:[0-9a-f]{24})?$|\$\{\{`)
)

// maxUnpinned bounds the findings about unpinned actions of one file.
const maxUnpinned = 10

// workflow is the workflow under review.
type workflow struct {
	*actionlint.Workflow
	f       *check.File
	lines   []string
	event   *actionlint.String // the privileged event, nil if it has none
	actions []*actionlint.String
	out     *check.Findings
}

// dangerousWorkflow runs our own checks, and the shell rules on run steps.
func dangerousWorkflow(f *check.File, parsed *actionlint.Workflow, src string, out *check.Findings) {
	w := &workflow{Workflow: parsed, f: f, lines: strings.Split(src, "\n"), out: out}
	for _, e := range parsed.On {
		if hook, ok := e.(*actionlint.WebhookEvent); ok && matches(hook.Hook, privileged) {
			w.event = hook.Hook
			break
		}
	}
	w.broadPermissions(w.Permissions)
	jobs := lists.Keep(slices.Collect(maps.Values(w.Jobs)), func(j *actionlint.Job) bool { return j != nil && j.Pos != nil })
	slices.SortFunc(jobs, func(a, b *actionlint.Job) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	for _, job := range jobs {
		w.broadPermissions(job.Permissions)
		if job.WorkflowCall != nil {
			w.actions = append(w.actions, job.WorkflowCall.Uses)
		}
		for _, step := range job.Steps {
			isFenced := matches(job.If, sameRepository) || matches(step.If, sameRepository)
			w.step(job, step, w.event != nil && !isFenced)
		}
	}
	out.Limited(maxUnpinned, w.unpinnedActions)
}

// step judges a step of a job, and its checkout if that is risky.
func (w *workflow) step(job *actionlint.Job, step *actionlint.Step, risky bool) {
	switch exec := step.Exec.(type) {
	case *actionlint.ExecAction:
		w.actions = append(w.actions, exec.Uses)
		if risky {
			w.foreignCheckout(exec)
		}
	case *actionlint.ExecRun:
		if exec.Run == nil {
			return
		}
		places := scalarPlaces(exec.Run, w.lines)
		if at := foreignFetch().FindStringIndex(exec.Run.Value); risky && at != nil {
			w.reportCheckout(shell.LineAt(places, at[0]))
		}
		if w.bourne(job, exec) && w.f.TouchedAny(places[0].Line, places[len(places)-1].Line) {
			script := shell.Script{Text: maskExpressions(exec.Run.Value), Places: places, Set: variables(w.Env, job.Env, step.Env)}
			shell.ReviewScript(w.f, script, w.out)
		}
	}
}

// matches reports whether a text, which may be nil, matches.
func matches(text *actionlint.String, pattern lazyregexp.Regexp) bool {
	return text != nil && pattern().MatchString(text.Value)
}

const checkoutBody = "Under this event the job has the repository's secrets and a token that may write, and code that it builds, tests or installs from the pull request can take them. Use pull_request, or read the files without running anything of them."

// foreignCheckout reports a checkout of the pull request's code, at its ref or, if only the event
// is new, at the event.
func (w *workflow) foreignCheckout(exec *actionlint.ExecAction) {
	if !matches(exec.Uses, checkout) {
		return
	}
	for _, name := range []string{"ref", "repository"} {
		if in := exec.Inputs[name]; in != nil && matches(in.Value, foreignRef) {
			w.reportCheckout(in.Value.Pos.Line)
			return
		}
	}
}

func (w *workflow) reportCheckout(line int) {
	if !w.f.Touched(line) {
		line = w.event.Pos.Line
	}
	w.out.Hit(w.f, "workflow/pr-target-checkout", line, line, debate.Hit{Title: "Workflow on " + w.event.Value + " checks out code of a pull request", Body: checkoutBody})
}

func (w *workflow) broadPermissions(p *actionlint.Permissions) {
	if p != nil && matches(p.All, writeAll) {
		w.out.Hit(w.f, "workflow/broad-permissions", p.All.Pos.Line, p.All.Pos.Line, debate.Hit{Body: "Each step and action of the job can push code, publish packages and approve pull requests. List only the needed scopes."})
	}
}

// unpinnedActions reports third-party actions named by a tag or branch.
func (w *workflow) unpinnedActions() {
	for _, uses := range w.actions {
		if !matches(uses, foreignAction) || matches(uses, knownAction) {
			continue
		}
		name, ref, _ := strings.Cut(uses.Value, "@")
		w.out.Hit(w.f, "workflow/unpinned-action", uses.Pos.Line, uses.Pos.Line, debate.Hit{Title: "Action " + check.Shown(name) + " is not pinned to a commit",
			Body: "Its owner, or a thief of the account, can change what " + check.Shown(ref) + " means and run code with this job's token. Name the full commit SHA, with the tag in a comment."})
	}
}

// bourne reports whether sh or bash runs a step, as far as the workflow tells.
func (w *workflow) bourne(job *actionlint.Job, exec *actionlint.ExecRun) bool {
	if said := cmp.Or(exec.Shell, defaultShell(job.Defaults), defaultShell(w.Defaults)); said != nil {
		return matches(said, bourneShell)
	}
	return job.RunsOn == nil || !slices.ContainsFunc(job.RunsOn.Labels, func(l *actionlint.String) bool {
		return strings.Contains(strings.ToLower(l.Value), "windows")
	})
}

func defaultShell(d *actionlint.Defaults) *actionlint.String {
	if d == nil || d.Run == nil {
		return nil
	}
	return d.Run.Shell
}

var bourneShell = lazyregexp.New(`^(?:ba)?sh(?: |$)`)

// variables returns the names that some environments set.
func variables(environments ...*actionlint.Env) map[string]bool {
	set := make(map[string]bool)
	for _, env := range environments {
		if env == nil {
			continue
		}
		for _, v := range env.Vars {
			if v.Name != nil {
				set[v.Name.Value] = true
			}
		}
	}
	return set
}

// maskExpressions replaces every ${{ }} with a word of its length, since GitHub fills it in before
// the script runs.
func maskExpressions(s string) string {
	return expression().ReplaceAllStringFunc(s, func(text string) string {
		masked := []byte(text)
		for i, c := range masked {
			if c != '\n' {
				masked[i] = 'x'
			}
		}
		return string(masked)
	})
}

var expression = lazyregexp.New(`(?s)\$\{\{.*?\}\}`)

// scalarPlaces maps the text of a YAML scalar to its lines in the file. A literal block has one
// line for each; other styles fold lines, and each is found by its text. There is always one place.
func scalarPlaces(s *actionlint.String, lines []string) []shell.Place {
	at := s.Pos.Line
	if at < 1 || at > len(lines) {
		return []shell.Place{{Line: at}}
	}
	header, below := lines[at-1], lines[at:]
	if isLiteral := strings.HasPrefix(header[min(s.Pos.Col-1, len(header)):], "|"); !isLiteral {
		return foldedPlaces(s.Value, at, below)
	}
	texts := strings.Split(s.Value, "\n")
	texts = texts[:min(len(texts), len(below))]
	if len(texts) == 0 {
		return []shell.Place{{Line: at}}
	}
	var places []shell.Place
	offset := 0
	for i, text := range texts {
		places = append(places, shell.Place{Offset: offset, Line: at + 1 + i})
		offset += len(text) + 1
	}
	return places
}

// foldedPlaces finds the lines of a text that begins on the header or on a line below it.
func foldedPlaces(value string, header int, below []string) []shell.Place {
	places := []shell.Place{{Line: header}}
	offset := 0
	for i, line := range below {
		text := strings.TrimSpace(line)
		within := value[offset:min(len(value), offset+len(text)+maxFold)]
		if i == 0 { // the text may begin on the header's own line
			within = value
		}
		at := strings.Index(within, text)
		switch {
		case offset == len(value), at < 0:
			return places
		case text == "":
			continue
		}
		places = append(places, shell.Place{Offset: offset + at, Line: header + 1 + i})
		offset += at + len(text)
	}
	return places
}

// maxFold is the largest gap between two folded lines in the text.
const maxFold = 64
