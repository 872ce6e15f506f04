package policy

import (
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/patch"
)

var (
	writeLine   = lazyregexp.New(`^\s*['"]?([a-z-]+)['"]?\s*:\s*['"]?write(-all)?['"]?\s*(#.*)?$`)
	writeFlow   = lazyregexp.New(`permissions\s*:.*\bwrite(-all)?\b`)
	inheritLine = lazyregexp.New(`\bsecrets\s*:\s*['"]?inherit\b`)
)

// scanWorkflow judges a workflow by its added lines, and rather sees too much.
func scanWorkflow(change patch.Change, f *patch.File) []gain {
	known := make(map[string]bool) // lines that were only moved
	before := make(map[string]bool)
	remember := func(text string) {
		for _, s := range secretsIn(text) {
			before[s] = true
		}
	}
	remember(baseText(change, f))
	var added []patch.Line
	for _, l := range changed(f) {
		if l.Op == '+' {
			added = append(added, l)
			continue
		}
		known[strings.TrimSpace(l.Text)] = true
		remember(l.Text)
	}
	var gains []gain
	for _, l := range added {
		text := strings.TrimSpace(l.Text)
		if known[text] || strings.HasPrefix(text, "#") {
			continue
		}
		for _, what := range gainsOf(text, before) {
			gains = append(gains, gain{what, l.New})
		}
	}
	return gains
}

// baseText is a file at the base, "" where it is not at hand.
func baseText(change patch.Change, f *patch.File) string {
	if f.OldPath == "" {
		return ""
	}
	text, _ := change.Blob(f.OldPath, debate.Left)
	return string(text)
}

// gainsOf says what an added line gives a workflow, beside the secrets that it
// had before.
func gainsOf(text string, before map[string]bool) []string {
	var what []string
	if strings.Contains(text, "pull_request_target") {
		what = append(what, "pull_request_target")
	}
	switch m := writeLine().FindStringSubmatch(text); {
	case m != nil && m[2] == "":
		what = append(what, grantName(m[1]))
	case m != nil:
		what = append(what, grantName(allScopes))
	case writeFlow().MatchString(text):
		what = append(what, "write permissions")
	}
	if inheritLine().MatchString(text) {
		what = append(what, grantName(inheritSecret))
	}
	for _, s := range secretsIn(text) {
		if !before[s] {
			what = append(what, secretName(s))
		}
	}
	return what
}
