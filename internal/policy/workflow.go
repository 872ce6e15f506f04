package policy

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// workflowPath matches a file that GitHub runs as a workflow.
var workflowPath = lazyregexp.New(`^\.github/workflows/[^/]*\.ya?ml$`)

// maxWorkflows bounds the parsed workflows of one change. The others count as unreadable.
const maxWorkflows = 100

// gain is one new power of a workflow.
type gain struct {
	what string
	line int // at head
}

// workflowGains compares a workflow with its base version: it reports the event
// pull_request_target, write permissions and secrets if they are new (S03). Other changes to it are
// not policy's business. GitHub does not run a workflow that is no YAML, so one at the base had no
// powers. If the head cannot be read, a person looks at any change of a line that may be about
// powers.
func workflowGains(change patch.Change, f *patch.File, parse bool) []debate.Trigger {
	hit := debate.Trigger{ID: debate.TriggerSecurity, Class: debate.ClassContent, Path: f.NewPath}
	wasWorkflow := workflowPath().MatchString(f.OldPath) && f.Status != patch.Copied
	head, ok := readPowers(change, f, debate.Right)
	switch {
	case ok && parse:
	case wasWorkflow && f.Unparsed == "" && f.Kind == patch.Text && !slices.ContainsFunc(changed(f), func(l patch.Line) bool { return ofPowers().MatchString(l.Text) }):
		return nil
	default:
		hit.Detail = "the workflow is changed, and not all of it can be read"
		return []debate.Trigger{hit}
	}
	base := newPowers()
	if wasWorkflow {
		if powers, ok := readPowers(change, f, debate.Left); ok {
			base = powers
		}
	}
	gains := head.beyond(base)
	if len(gains) == 0 {
		return nil
	}
	slices.SortStableFunc(gains, func(a, b gain) int { return a.line - b.line })
	var what []string
	for _, g := range gains {
		if !slices.Contains(what, g.what) {
			what = append(what, g.what)
		}
	}
	const shown = 3
	if n := len(what) - shown; n > 0 {
		what = append(what[:shown:shown], "and "+strconv.Itoa(n)+" more")
	}
	hit.Side, hit.Line = debate.Right, gains[0].line
	hit.Detail = "the workflow gains " + strings.Join(what, ", ")
	return []debate.Trigger{hit}
}

// ofPowers matches a line that may be about powers, also by an alias or with escaped letters.
var ofPowers = lazyregexp.New(`(?i)pull_request|permission|write|secret|inherit|\\|<<|[&*]\w`)

// readPowers reads the powers of a workflow on one side. All of a new file is in the change.
func readPowers(change patch.Change, f *patch.File, side debate.Side) (powers, bool) {
	name := f.NewPath
	if side == debate.Left {
		name = f.OldPath
	}
	content, ok := change.Blob(name, side)
	if !ok && side == debate.Right && f.Status == patch.Added && f.Unparsed == "" {
		for l := range f.Lines() {
			content = append(append(content, l.Text...), '\n')
		}
	}
	root, ok := parseYAML(content)
	if !ok {
		return powers{}, false
	}
	return powersOf(root), true
}

// powers is all that a workflow may do.
type powers struct {
	target  int // line of pull_request_target, 0 without it
	top     grants
	jobs    map[string]grants // in effect: those of the top if a job has none
	secrets grants
}

// grants are named powers with their lines.
type grants map[string]int

// Grants other than scopes of the token.
const (
	allScopes     = "write-all"
	defaultToken  = "default token" // unrestricted, so it may write if the repository's settings allow it
	inheritSecret = "secrets: inherit"
	everySecret   = "*"
)

// newPowers returns the powers of a workflow that does not exist: a new workflow without
// permissions gains none.
func newPowers() powers {
	return powers{top: grants{defaultToken: 0}, jobs: map[string]grants{}}
}

func powersOf(root *yaml.Node) powers {
	p := newPowers()
	p.target = targetLine(root)
	permissions, restricted := get(root, "permissions")
	p.top = writes(permissions)
	jobs, _ := get(root, "jobs")
	if !restricted {
		p.top[defaultToken] = jobs.line
	}
	for _, job := range keysOf(jobs.value) {
		p.jobs[job.name] = jobGrants(job.value, p.top)
	}
	p.secrets = make(grants)
	visit(root, func(n *yaml.Node) {
		for _, s := range secretsIn(n.Value) {
			if p.secrets[s] == 0 { // the first use
				p.secrets[s] = n.Line
			}
		}
	})
	return p
}

// targetLine finds pull_request_target in any spelling of "on".
func targetLine(root *yaml.Node) int {
	on, _ := get(root, "on")
	events := append(keysOf(on.value), yamlKey{name: on.value.Value, line: on.line})
	for _, item := range itemsOf(on.value) {
		events = append(events, yamlKey{name: item.Value, line: item.Line})
	}
	return lists.Find(events, func(e yamlKey) bool { return e.name == "pull_request_target" }).line
}

// writes returns the write permissions of a permissions block.
func writes(permissions yamlKey) grants {
	g := make(grants)
	if permissions.value.Value == allScopes {
		g[allScopes] = permissions.line
	}
	for _, k := range keysOf(permissions.value) {
		if k.value.Value == "write" {
			g[k.name] = k.line
		}
	}
	return g
}

func jobGrants(job *yaml.Node, top grants) grants {
	permissions, restricted := get(job, "permissions")
	g := writes(permissions)
	if !restricted {
		g = maps.Clone(top)
	}
	if secrets, _ := get(job, "secrets"); secrets.value.Value == "inherit" {
		g[inheritSecret] = secrets.line
	}
	return g
}

// covers reports whether a grant is included, by itself or in write-all.
func (g grants) covers(name string) bool {
	if _, ok := g[name]; ok {
		return true
	}
	_, all := g[allScopes]
	return all && name != inheritSecret
}

// beyond lists what p may do and base may not. A job gains nothing if it is renamed, or if the top
// had its permissions before.
func (p powers) beyond(base powers) []gain {
	var gains []gain
	if p.target > 0 && base.target == 0 {
		gains = append(gains, gain{"pull_request_target", p.target})
	}
	for _, scope := range sortedNames(p.top) {
		if scope != defaultToken && !base.top.covers(scope) { // the jobs show its effect
			gains = append(gains, gain{grantName(scope), p.top[scope]})
		}
	}
	gains = append(gains, p.beyondJobs(base)...)
	return append(gains, p.secrets.beyond(base.secrets)...)
}

// beyond lists the secrets missing from base.
func (g grants) beyond(base grants) []gain {
	var gains []gain
	for _, s := range sortedNames(g) {
		if _, ok := base[s]; ok {
			continue
		}
		name := "secret " + s
		if s == everySecret {
			name = "all secrets"
		}
		gains = append(gains, gain{name, g[s]})
	}
	return gains
}

// beyondJobs lists what the jobs may do and those of the base may not.
func (p powers) beyondJobs(base powers) []gain {
	gone := make(map[string]int) // grants of removed jobs
	for name, g := range base.jobs {
		if _, ok := p.jobs[name]; !ok {
			for scope := range g {
				gone[scope]++
			}
		}
	}
	var gains []gain
	for _, name := range sortedNames(p.jobs) {
		before, existed := base.jobs[name]
		if !existed {
			before = base.top
		}
		for _, scope := range sortedNames(p.jobs[name]) {
			switch {
			case before.covers(scope):
			case !existed && gone[scope] > 0:
				gone[scope]--
			default:
				gains = append(gains, gain{grantName(scope), p.jobs[name][scope]})
			}
		}
	}
	return gains
}

func sortedNames[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

// scopeName matches a possible scope of the token.
var scopeName = lazyregexp.New(`^[a-z][a-z-]{0,39}$`)

// grantNames are the names of grants other than scopes.
var grantNames = map[string]string{
	allScopes:     "write permission for everything",
	defaultToken:  "the default permissions of the token, which can be to write everything",
	inheritSecret: "all secrets for a called workflow",
}

func grantName(scope string) string {
	if name, known := grantNames[scope]; known {
		return name
	}
	if !scopeName().MatchString(scope) {
		scope = "an unknown scope"
	}
	return "write permission for " + scope
}

var (
	expression = lazyregexp.New(`\$\{\{(?:'[^']*'|[^'])*?\}\}`) // braces in a quoted text do not end it
	secretRef  = lazyregexp.New(`(?i)(?:^|[^.\w-])secrets\s*(?:\.\s*([a-z_][\w-]{0,99}|\*)|\[\s*'([\w-]{1,100})'\s*\]|([\[),|&=!<>]|\}\}))`)
)

// secretsIn names the secrets in the expressions of a text. The job's own token is none. An
// expression with the whole context, or with a computed name, uses all.
func secretsIn(text string) []string {
	var names []string
	for _, e := range expression().FindAllString(text, -1) {
		for _, m := range secretRef().FindAllStringSubmatch(e, -1) {
			switch name := strings.ToUpper(m[1] + m[2]); name {
			case "GITHUB_TOKEN":
			case "", "*":
				names = append(names, everySecret)
			default:
				names = append(names, name)
			}
		}
	}
	return names
}
