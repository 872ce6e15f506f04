package report

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
)

// maxDecisions bounds, in bytes, what a report shows of the decisions that wait
// for a human. They are shortened before they are left out.
const maxDecisions = 40_000

// decisionsMarkdown is what a human has to decide.
func decisionsMarkdown(open []Decision) string { return fitted(open, maxDecisions, decisionMarkdown) }

// fitted renders decisions with ever shorter lists until they fit into so many
// bytes. If even the shortest do not, it says how many more there are.
func fitted(open []Decision, most int, render func(d Decision, listed int) string) string {
	var text string
	for _, listed := range []int{MaxListed, MaxSides, 2} {
		var blocks []string
		for _, d := range open {
			blocks = append(blocks, render(d, listed))
		}
		text = strings.Join(blocks, "\n")
		if len(text) <= most {
			return text
		}
		text = ""
		for i, block := range blocks {
			if len(text)+len(block) > most {
				text += fmt.Sprintf("\n**%s for a human too.**\n", Count(len(blocks)-i, "more decision")+" waiting")
				break
			}
			text += block + "\n"
		}
	}
	return text
}

// decisionMarkdown is one decision with at most so many entries in each list.
func decisionMarkdown(d Decision, listed int) string {
	var b strings.Builder
	b.WriteString("#### A human has to decide\n\n")
	b.WriteString("**" + inline(d.ID) + "** " + inline(d.Question) + "\n\n")
	entries := func(n int, entry func(i int) string) {
		for i := range n {
			if i == listed {
				fmt.Fprintf(&b, "- and %d more\n", n-listed)
				break
			}
			b.WriteString("- " + entry(i) + "\n")
		}
	}
	entries(len(d.Triggers), func(i int) string {
		return "because " + comment.Code(OneLine(string(d.Triggers[i].ID))) + " " + comment.Code(OneLine(d.Triggers[i].Detail))
	})
	b.WriteString("\nOptions:\n\n")
	entries(len(d.Options), func(i int) string { return inline(OptionLine(d.Options[i])) })
	if d.Recommendation != "" {
		b.WriteString("\nRecommended: " + inline(Disposition(d.Recommendation)) + "\n")
	}
	for _, part := range []struct {
		title string
		lines []string
	}{{"", Verdict(d)}, {"Agreed on:\n\n", d.Agreements}, {"Disputed:\n\n", d.Disagreements}} {
		if len(part.lines) > 0 {
			b.WriteString("\n" + part.title)
			entries(len(part.lines), func(i int) string { return inline(part.lines[i]) })
		}
	}
	return b.String()
}

// closedMarkdown is a decision that waits for nobody.
func closedMarkdown(d Decision) string {
	text := "**" + inline(d.ID) + "** " + inline(d.Question) + "\n\n- " + inline(HowItEnded(d)) + "\n"
	return text + strings.TrimSuffix(bullets(Verdict(d)), "\n")
}
