package prompt

import (
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// reachAround is how many lines on each side of a cited line are shown that somebody
// looked at.
const reachAround = 10

// around are the lines beside a citation that no packet shows: who weighs it sees what
// its party was shown there by a look, and may cite it too.
func (t turner) around(e debate.Evidence) string {
	if !e.CitationOK || e.InHunk {
		return ""
	}
	for _, l := range t.s.Asking.Looks {
		for _, seen := range l.Seen {
			holds := func(run debate.ShownRun) bool {
				return run.Path == e.Cite.Path && run.First <= e.Cite.StartLine && e.Cite.EndLine < run.First+len(run.Lines)
			}
			if at := slices.IndexFunc(seen.Runs, holds); at >= 0 && seen.Side == e.Cite.Side {
				return t.say(numbered(seen.Runs[at], e.Cite.StartLine-reachAround, e.Cite.EndLine+reachAround), longText)
			}
		}
	}
	return ""
}

// numbered are lines of a run with their numbers.
func numbered(run debate.ShownRun, first, last int) string {
	var b strings.Builder
	for i, line := range run.Lines {
		if n := run.First + i; first <= n && n <= last {
			b.WriteString(strconv.Itoa(n) + " " + line + "\n")
		}
	}
	return b.String()
}
