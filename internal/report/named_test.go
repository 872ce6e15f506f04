package report

import (
	"regexp"
	"strings"
	"testing"
)

// namedDebates are those in which a debate can go wrong: what people read of each is to be
// true of who holds what now, and its first line to say the verdict.
var namedDebates = []string{
	"silent_drift", "drift_admitted", "polite", "polite_attacker", "forgotten_id", "contrarian_own_line", "own_line_of_two",
	"contrarian_words", "contrarian_lines", "contrarian_comment", "contrarian_unanswered", "plain_lines", "plain_markdown", "one_text",
	"strong_declared", "all_partial_minor", "circling", "tie", "three_way_ask", "primary_lost", "primary_lost_of_three", "keys_refused",
	"critical_late", "critical_late_path", "decoy", "blind_missed", "owner_lost", "fixed_by_one", "keep_over_p1", "unknown_ids", "primary_judges", "dropped",
}

// TestNamedDebates shows what the check and the summary comment say of each, without what
// is folded.
func TestNamedDebates(t *testing.T) {
	t.Parallel()
	folded := regexp.MustCompile(`(?s)\n?<details>.*?</details>\n?`)
	var b strings.Builder
	for _, name := range namedDebates {
		e := FromState(played(t, name))
		p := Pull{Number: 4, Author: "ada"}
		title, _, _ := CheckOutput(e, p, e.Conclusion, e.ConclusionWhy)
		page := Summary(e, p, e.Conclusion, e.ConclusionWhy)
		if e.Inquiry != nil {
			page = Answer(e, p)
		}
		b.WriteString("== " + name + "\ncheck: " + string(e.Conclusion) + ", " + title + "\n\n")
		b.WriteString(strings.TrimSpace(folded.ReplaceAllString(string(page), "")) + "\n\n")
	}
	golden(t, "pull/named.md", []byte(b.String()))
}
