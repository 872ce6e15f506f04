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
	if change.Blob != nil && f.OldPath != "" {
		if base, ok := change.Blob(f.OldPath, debate.Left); ok {
			for _, s := range secretsIn(string(base)) {
				before[s] = true
			}
		}
	}
	var added []patch.Line
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			switch l.Op {
			case '-':
				known[strings.TrimSpace(l.Text)] = true
				for _, s := range secretsIn(l.Text) {
					before[s] = true
				}
			case '+':
				added = append(added, l)
			}
		}
	}
	var gains []gain
	for _, l := range added {
		text := strings.TrimSpace(l.Text)
		if known[text] || strings.HasPrefix(text, "#") {
			continue
		}
		if strings.Contains(text, "pull_request_target") {
			gains = append(gains, gain{"pull_request_target", l.New})
		}
		if m := writeLine().FindStringSubmatch(text); m != nil && m[2] == "" {
			gains = append(gains, gain{grantName(m[1]), l.New})
		} else if m != nil {
			gains = append(gains, gain{grantName(allScopes), l.New})
		} else if writeFlow().MatchString(text) {
			gains = append(gains, gain{"write permissions", l.New})
		}
		if inheritLine().MatchString(text) {
			gains = append(gains, gain{grantName(inheritSecret), l.New})
		}
		for _, s := range secretsIn(text) {
			if !before[s] {
				gains = append(gains, gain{secretName(s), l.New})
			}
		}
	}
	return gains
}
