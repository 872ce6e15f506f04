package report

import (
	"regexp"
	"testing"
)

// named are the debates in which a debate can go wrong: what people read of each is to be
// true of who holds what now, and its first line to say the verdict.
var named = []string{
	"silent_drift", "drift_admitted", "polite", "polite_attacker", "forgotten_id", "contrarian_own_line", "own_line_of_two",
	"contrarian_words", "contrarian_lines", "contrarian_comment", "contrarian_unanswered", "plain_lines", "plain_markdown", "one_text",
	"strong_declared", "all_partial_minor", "circling", "tie", "three_way_ask", "primary_lost", "primary_lost_of_three", "keys_refused",
	"critical_late", "critical_late_path", "decoy", "blind_missed", "owner_lost", "fixed_by_one", "keep_over_p1", "unknown_ids", "primary_judges", "dropped",
}

// namedDebates adds what the check and the summary comment say of each, without what is folded.
func namedDebates(t *testing.T, summaries map[string][]byte) {
	t.Helper()
	folded := regexp.MustCompile(`(?s)\n?<details>.*?</details>\n?`)
	for _, name := range named {
		e := FromState(played(t, name))
		p := Pull{Number: 4, Author: "ada"}
		title, _, _ := CheckOutput(e, p, e.Conclusion, e.ConclusionWhy)
		page := Summary(e, p, e.Conclusion, e.ConclusionWhy)
		if e.Inquiry != nil {
			page = Answer(e, p)
		}
		summaries["pull named "+name] = []byte("check: " + string(e.Conclusion) + ", " + title + "\n\n" + folded.ReplaceAllString(string(page), ""))
	}
}
