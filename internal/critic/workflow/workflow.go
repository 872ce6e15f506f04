// Package workflow checks GitHub workflows: it runs actionlint and looks for ways to give a
// stranger the rights of the repository.
package workflow

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rhysd/actionlint"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/critic/shell"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

const (
	lintSource     = "rhysd/actionlint"
	workflowSource = "GitHub: secure use of Actions; OpenSSF Scorecard: dangerous workflow, token permissions, pinned dependencies"
)

// Kind checks GitHub workflows with actionlint as a library. Its rules run one by one, not through
// its Linter: the Linter looks for a project and its configuration on disk, and its shellcheck and
// pyflakes rules start processes (with the known deadlock of actionlint 1.7.12, #651). Runner
// labels are not checked.
var Kind = check.Kind{
	Rules: []check.Rule{
		{ID: "workflow/syntax", Source: lintSource, Title: "Workflow is not valid", Severity: debate.P2, Category: "correctness"},
		{ID: "workflow/expression", Source: lintSource, Title: "Expression of a workflow is wrong", Severity: debate.P2, Category: "correctness"},
		{ID: "workflow/script-injection", Source: lintSource, Title: "Untrusted text becomes part of a script", Severity: debate.P1, Category: "security"},
		{ID: "workflow/hardcoded-password", Source: lintSource, Title: "Password of a container is written in the workflow", Severity: debate.P2, Category: "security"},
		{ID: "workflow/pr-target-checkout", Source: workflowSource, Title: "Privileged workflow checks out code of a pull request", Severity: debate.P1, Category: "security"},
		{ID: "workflow/broad-permissions", Source: workflowSource, Title: "Workflow token may write everything", Severity: debate.P2, Category: "security"},
		{ID: "workflow/unpinned-action", Source: workflowSource, Title: "Third-party action is not pinned to a commit", Severity: debate.P3, Category: "security"},
		{ID: "workflow/not-analysed", Source: lintSource, Title: "Workflow could not be analysed", Notice: true},
	},
	Review: check.Each(func(f *check.File) bool { return len(f.Added) > 0 && check.IsWorkflow(f.NewPath) }, review),
}

// Bounds of a workflow to analyze.
const (
	maxWorkflow     = 512 << 10 // bytes
	maxExpansion    = 16 << 20  // bytes after the expansion of aliases
	maxLintFindings = 20        // actionlint findings of one file, the severe ones first
)

// review recovers from a panic of the YAML or workflow parser on unexpected input, so that the
// review goes on.
func review(f *check.File, out *check.Findings) {
	src, ok := f.WholeSource()
	if !ok || len(src) > maxWorkflow || shell.TooDeep(src) || expands(src) {
		out.Notice(f, "workflow/not-analysed", 0, "This workflow is too large or too deeply nested to be analysed.")
		return
	}
	defer func() {
		if recover() != nil {
			out.Notice(f, "workflow/not-analysed", 0, "The workflow parser failed on this file; it was not analysed.")
		}
	}()
	w, errs := actionlint.Parse([]byte(src))
	if w != nil {
		errs = append(errs, lint(f.NewPath, w)...)
	}
	out.Limited(maxLintFindings, func() { reportLint(f, strings.Split(src, "\n"), errs, out) })
	if w != nil {
		dangerousWorkflow(f, w, src, out)
	}
}

// expands reports whether the aliases of a document may expand it beyond maxExpansion: with L
// anchors and A aliases, the worst nesting repeats a part (A/L)^L times.
func expands(src string) bool {
	anchors, aliases := len(anchor().FindAllStringIndex(src, -1)), len(alias().FindAllStringIndex(src, -1))
	worst := 1
	for levels := 1; levels <= min(anchors, aliases, 32); levels++ {
		size := 1
		for range levels {
			size *= (aliases + levels - 1) / levels
			if size > maxExpansion {
				return true
			}
		}
		worst = max(worst, size)
	}
	return worst > 1 && worst*len(src) > maxExpansion
}

var (
	anchor = lazyregexp.New(`[ \t\n\[,:{-]&[\w[:^ascii:]]`)
	alias  = lazyregexp.New(`[ \t\n\[,:{-]\*[\w[:^ascii:]]`)
)

// lint runs the rules of actionlint that need only the workflow.
func lint(p string, w *actionlint.Workflow) []*actionlint.Error {
	actions := actionlint.NewLocalActionsCache(nil, nil)
	workflows := actionlint.NewLocalReusableWorkflowCache(nil, "", nil)
	rules := []actionlint.Rule{
		actionlint.NewRuleMatrix(), actionlint.NewRuleCredentials(), actionlint.NewRuleShellName(), actionlint.NewRuleEvents(),
		actionlint.NewRuleJobNeeds(), actionlint.NewRuleAction(actions), actionlint.NewRuleEnvVar(), actionlint.NewRuleID(),
		actionlint.NewRuleGlob(), actionlint.NewRulePermissions(), actionlint.NewRuleWorkflowCall(p, workflows),
		actionlint.NewRuleExpression(actions, workflows), actionlint.NewRuleIfCond(),
	}
	v := actionlint.NewVisitor()
	for _, r := range rules {
		v.AddPass(r)
	}
	if v.Visit(w) != nil {
		return nil
	}
	var errs []*actionlint.Error
	for _, r := range rules {
		errs = append(errs, r.Errs()...)
	}
	return errs
}

// reportLint reports actionlint's findings on added lines.
func reportLint(f *check.File, lines []string, errs []*actionlint.Error, out *check.Findings) {
	slices.SortStableFunc(errs, func(a, b *actionlint.Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
	for _, e := range errs {
		said, rule := e.Kind+": "+e.Message, lintRules[e.Kind]
		switch {
		case injected().MatchString(said):
			rule = injection
		case leftOut().MatchString(said), e.Kind == "action" && !brokenAction().MatchString(said):
			continue // about style, or by a list that GitHub extends
		}
		title, _, _ := strings.Cut(e.Message, ". ")
		message := check.Bounded(strings.Join(strings.Fields(e.Message), " "), 300)
		hit := debate.Hit{Title: "Workflow: " + check.Bounded(title, 100), Body: strings.ReplaceAll(rule.body, "MESSAGE", message)}
		line := e.Line
		switch rule.id {
		case "workflow/script-injection":
			hit.Title = ""
			line = expressionLine(f, lines, e)
		case "workflow/expression":
			line = expressionLine(f, lines, e)
		case "workflow/hardcoded-password":
			text, _ := f.Line(line)
			_, password, _ := strings.Cut(text, ":")
			hit.Title, hit.Redact = "", check.Redactions(strings.Trim(strings.TrimSpace(password), `"'`))
		}
		if rule.id != "" && f.Touched(line) {
			out.Hit(f, rule.id, line, line, hit)
		}
	}
}

// blockHeader matches a line with its value on the lines below.
var blockHeader = lazyregexp.New(`:\s*[|>][-+0-9]*\s*(?:#.*)?$`)

// expressionLine returns the line of an expression in an actionlint message. In a block, actionlint
// names only the header; then it searches the block for the quoted text, added lines first.
func expressionLine(f *check.File, lines []string, e *actionlint.Error) int {
	if e.Line < 1 || e.Line > len(lines) || !blockHeader().MatchString(lines[e.Line-1]) {
		return e.Line
	}
	_, quoted, _ := strings.Cut(e.Message, `"`)
	quoted, _, _ = strings.Cut(quoted, `"`)
	if quoted == "" {
		return e.Line
	}
	// commits[0].message is quoted as commits.*.message.
	last := quoted[strings.LastIndexByte(quoted, '.')+1:]
	return cmp.Or(lineInBlock(f, lines, e.Line, quoted), lineInBlock(f, lines, e.Line, last), e.Line)
}

// lineInBlock returns the first added line, or else the first line, of the block under a header
// with the text in an expression, or 0.
func lineInBlock(f *check.File, lines []string, header int, text string) int {
	key := len(lines[header-1]) - len(strings.TrimLeft(lines[header-1], " -"))
	first := 0
	for n := header + 1; n <= len(lines); n++ {
		line := lines[n-1]
		if strings.TrimSpace(line) != "" && check.Indent(line) <= key {
			break
		}
		if !strings.Contains(line, "${{") || !strings.Contains(strings.ToLower(line), text) {
			continue
		}
		if f.Touched(n) {
			return n
		}
		first = cmp.Or(first, n)
	}
	return first
}

// lintRules maps the kinds of actionlint findings to our rules, with the body of a hit. MESSAGE in
// it is replaced with actionlint's message.
var lintRules = map[string]lintRule{
	"expression":    {"workflow/expression", "GitHub evaluates this to an error or to nothing. actionlint says: MESSAGE"},
	"if-cond":       {"workflow/expression", "The condition does not decide anything. actionlint says: MESSAGE"},
	"credentials":   {"workflow/hardcoded-password", "Everybody who can read the repository knows the password. Take it from secrets."},
	"action":        invalid,
	"permissions":   invalid,
	"syntax-check":  invalid,
	"job-needs":     invalid,
	"matrix":        invalid,
	"events":        invalid,
	"id":            invalid,
	"glob":          invalid,
	"workflow-call": invalid,
	"env-var":       invalid,
	"shell-name":    invalid,
}

type lintRule struct{ id, body string }

var (
	invalid   = lintRule{"workflow/syntax", "GitHub refuses the workflow or leaves out a part of it. actionlint says: MESSAGE"}
	injection = lintRule{"workflow/script-injection", "The author of the issue or pull request writes this text, and the shell runs it. Pass it through env: and quote the variable."}
)

// injected matches a message about text from strangers.
var injected = lazyregexp.New(`(?s)^expression: .*is potentially untrusted`)

// leftOut matches messages about style, such as an unused anchor, or about features newer than this
// actionlint, by their kind.
var leftOut = lazyregexp.New(`(?s)^(?:permissions: .*unknown permission scope|syntax-check: .*(?:is defined but not used|unexpected key "queue" for "concurrency" section))`)

// brokenAction matches messages about any action; the others check the inputs of popular actions
// against a list that ages.
var brokenAction = lazyregexp.New(`invalid format|must not be empty`)
