package policy

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// Lines of a workflow: in a block, in a flow, and below a key.
var (
	writeLine   = lazyregexp.New(`^\s*['"]?([a-z-]+)['"]?\s*:\s*['"]?write(-all)?['"]?\s*(#.*)?$`)
	writeFlow   = lazyregexp.New(`permissions\s*:.*\bwrite(-all)?\b|(?:^|:\s*)(?:[!&]\S*\s+)*['"]?write(-all)?['"]?\s*(?:$|[,}#])`)
	inheritLine = lazyregexp.New(`\bsecrets['"]?\s*:\s*(?:[!&]\S*\s+)*['"]?inherit\b|^:?\s*(?:[!&]\S*\s+)*['"]?inherit['"]?\s*(?:$|[,}#])`)
	topLine     = lazyregexp.New(`^['"]?permissions['"]?\s*:`) // restricts all jobs
)

// scanWorkflow judges a workflow by its lines, and rather reports too much; ok is false if there
// are none to read.
func scanWorkflow(change patch.Change, f *patch.File) (gains []gain, ok bool) {
	head, isWhole := sideLines(change, f, debate.Right)
	base, added := []patch.Line(nil), head
	known := make(map[string]bool) // moved lines
	switch {
	case f.Unparsed != "", f.Kind == patch.Binary:
		return nil, false
	case wasWorkflow(f):
		base, _ = sideLines(change, f, debate.Left)
		added = nil
		for _, l := range changed(f) {
			if l.Op == '+' {
				added = append(added, l)
			} else {
				known[strings.TrimSpace(l.Text)] = true
			}
		}
		gains = lifted(f)
	case f.OldPath != "" && !isWhole: // its unchanged lines become a workflow only now
		return nil, false
	}
	for _, l := range added {
		text := strings.TrimSpace(l.Text)
		if known[text] || strings.HasPrefix(text, "#") {
			continue
		}
		for _, what := range gainsOf(text) {
			gains = append(gains, gain{what, l.New})
		}
	}
	return append(gains, secretsOf(head).beyond(secretsOf(base))...), true
}

// sideLines returns the lines of one side of a file: all, or only those in the change if the file
// is missing.
func sideLines(change patch.Change, f *patch.File, side debate.Side) (lines []patch.Line, isWhole bool) {
	name, other := f.NewPath, byte('-')
	if side == debate.Left {
		name, other = f.OldPath, '+'
	}
	content, isWhole := change.Blob(name, side)
	if isWhole && !f.Decoded { // else the change shows all of it, as text
		for i, text := range strings.Split(string(content), "\n") {
			lines = append(lines, patch.Line{New: i + 1, Text: text})
		}
		return lines, true
	}
	return lists.Keep(slices.Collect(f.Lines()), func(l patch.Line) bool { return l.Op != other }), false
}

// secretsOf returns the secrets that lines use, in expressions of one line or of many.
func secretsOf(lines []patch.Line) grants {
	var text strings.Builder
	for _, l := range lines {
		text.WriteString(l.Text + "\n")
	}
	all := text.String()
	found := make(grants)
	at, from := 0, 0 // the line of a byte of the text
	for _, e := range expression().FindAllStringIndex(all, -1) {
		at, from = at+strings.Count(all[from:e[0]], "\n"), e[0]
		for _, s := range secretsIn(all[e[0]:e[1]]) {
			found.use(s, lines[at].New)
		}
	}
	return found
}

// lifted returns the gain of a workflow that loses its restriction of all jobs.
func lifted(f *patch.File) []gain {
	lost, line := 0, 0
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			switch {
			case l.Op == ' ', !topLine().MatchString(l.Text):
			case l.Op == '+':
				lost--
			default:
				lost, line = lost+1, max(1, h.NewStart)
			}
		}
	}
	if lost <= 0 {
		return nil
	}
	return []gain{{grantName(defaultToken), line}}
}

// gainsOf returns the gains from an added line, without named secrets.
func gainsOf(text string) []string {
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
	return what
}
