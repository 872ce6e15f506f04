package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestWhyPeopleAreAsked: why a person has to decide is said once, in words for people,
// and never that judges disagree whom nobody could reach.
func TestWhyPeopleAreAsked(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"tie":                   "whether this is merged: the models score \"merge it as it is\" and \"changes first\" the same.",
		"contrarian_unanswered": "whether this is merged: the models disagree.",
		"grouped":               "whether this is merged: the models left a question open: Drop the old API now or later?\n",
	} {
		e := FromState(played(t, name))
		if page := string(Summary(e, Pull{Number: 4}, e.Conclusion, e.ConclusionWhy)); !strings.Contains(page, want) {
			t.Errorf("%s: %q is not in\n%s", name, want, page)
		}
	}
	for name, want := range map[string]string{
		"tie":                 "because the models score \"merge it as it is\" and \"changes first\" the same\n",
		"three_way_ask":       "because no judges were asked: no judge can be reached\n",
		"question_three_ways": "because no judges were asked: no judge can be reached\n",
		"panel_lost":          "because no judge can be reached\n",
		"panel_contested":     "because the judges do not agree\n",
	} {
		text := string(Text(FromState(played(t, name)), TextOptions{Width: 140}))
		if !strings.Contains(text, want) {
			t.Errorf("%s: %q is not in\n%s", name, want, text)
		}
	}
}

// TestStandsInTheWay: a terminal says too what a decision to merge did not take away.
func TestStandsInTheWay(t *testing.T) {
	t.Parallel()
	for name, stands := range map[string]bool{"keep_over_p1": true, "human": false, "claim_addressed": false} {
		text := string(Text(FromState(played(t, name)), TextOptions{Width: 140}))
		if strings.Contains(text, "\nMerging also needs F1 fixed, or dismissed by someone with write access (comment `/debate dismiss F1 WHY`).\n") != stands {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// TestSaidOnce: a terminal shows what somebody says of a finding, and what a model would
// choose, once.
func TestSaidOnce(t *testing.T) {
	t.Parallel()
	for name, said := range map[string]string{
		"tie": "it is read later", "critical_late": "the method returns whole cents as its type says", "critic": "an int of 64 bits does not overflow here",
		"three_way_ask": "gpt chose B", "deadlock": "To settle it: measure time of Total",
	} {
		text := string(Text(FromState(played(t, name)), TextOptions{Width: 140}))
		if strings.Count(text, said) != 1 || strings.Contains(text, "would choose") {
			t.Errorf("%s does not say %q once:\n%s", name, said, text)
		}
	}
}

// TestASentenceListsThree: the first line names three reasons, and counts the others.
func TestASentenceListsThree(t *testing.T) {
	t.Parallel()
	d := Decision{ID: "D0", Question: debate.DispositionQuestion, Outcome: debate.AwaitingHuman}
	for _, table := range []string{"a", "b", "c", "d", "e"} {
		d.Triggers = append(d.Triggers, DecisionTrigger{ID: debate.TriggerDestructiveSchema, Source: "policy", Detail: "drops table " + table})
	}
	page := string(Summary(Envelope{Outcome: debate.Tradeoff, Decisions: []Decision{d}}, Pull{Number: 4}, debate.ActionRequired, ""))
	if want := "whether this is merged: drops table a, drops table b, drops table c and 2 more."; !strings.Contains(page, want) {
		t.Errorf("%q is not in\n%s", want, page)
	}
}

// TestNoPageContradictsItself: a question about an answer is no merge, one asked on a pull request
// is not answered by commands about its review, a model that answered did not fail, and no fact is
// said twice.
func TestNoPageContradictsItself(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ script, not, but string }{
		{"question_critical", "do not merge", "ada decided: no answer can be given"},
		{"three_way_ask", "`/debate decide A WHY`", NotRecorded},
		{"question_three_ways", "claude chooses a ring buffer", "claude chose A: a ring buffer"},
		{"all_partial_minor", "not checked by claude and gemini. It is open because", "Found by gpt; not checked by claude and gemini."},
		{"degraded_all_fail", "Found by claude. It is open because no other model", "No other model has checked the findings of claude."},
		{"grouped", "nothing is recommended", "the models would merge it as it is, your call"},
		{"grouped_later", "claude and gpt failed", "claude and gpt did not answer every call (no reply in time)."},
		{"grouped_later", "because card (cart.go:16)\n    because card", "because card (cart.go:16)\n"},
		{"amended", "do not divide gpt", "Its finder admits: only totals that do not divide. gpt objects"},
		{"known_recalled", "it was answered", `carol disputes it: "the counter is read by the shop"; claude answers`},
		{"question_unwritten", "timeout", "did not rewrite it for readers: no reply in time."},
		{"human", "Answered questions", "Answers that did not count (6)"},
	} {
		e := FromState(played(t, row.script))
		pages := string(Text(e, TextOptions{Width: 200})) + string(Summary(e, Pull{Number: 4}, e.Conclusion, e.ConclusionWhy))
		if strings.Contains(pages, row.not) || !strings.Contains(pages, row.but) {
			t.Errorf("%s: %q, and not %q, in\n%s", row.script, row.but, row.not, pages)
		}
	}
	// The answer can be recorded, and an answered question has one place.
	e := FromState(played(t, "three_way_ask"))
	e.About.PullRequest = 0
	if page := string(HTML(e)); !strings.Contains(page, "debate decide RECORD OPTION WHY") {
		t.Error(page)
	}
	if page := string(HTML(FromState(played(t, "question_choice")))); strings.Contains(page, "Which queue for the log? — the models answered") {
		t.Error(page)
	}
}

// TestOutvoted: what the judges chose is the first line and the headline of a question, and the
// objections that they followed are there without --verbose. The outvoted model writes no answer.
func TestOutvoted(t *testing.T) {
	t.Parallel()
	e := FromState(played(t, "question_outvoted"))
	got := Answered(e)
	if len(got) < 5 || got[1] != (Titled{"The judges chose", "B: a channel"}) || got[2].Name != "Answer, by gpt" {
		t.Fatalf("the answer: %v", got)
	}
	if want := "the models disagree; the judges chose B: a channel"; Headline(e) != want {
		t.Errorf("headline %q, want %q", Headline(e), want)
	}
	for _, want := range []Titled{
		{"Who disagrees", "claude chose A: a ring buffer."},
		{"Objections", `gpt objects: "The channel is less code."; claude answers gpt: "it never blocks its writer" — cites log.go:5 ✓ quote found; ` +
			`gpt insists: "with select it does not block either" — cites log.go:3 ✓ quote found; claude answers gpt: "select loses lines" — cites log.go:5 ✓ quote found` + "\n" +
			`gemini objects: "The channel is there already."; claude answers gemini: "it never blocks its writer"; gemini insists: "it is there already"`},
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	e.Inquiry.Written, e.Inquiry.AnsweredBy = false, "claude"
	if got := Answered(e); got[2].Name != "The judges did not choose this answer, by claude" {
		t.Errorf("an answer without a rewrite: %v", got[2])
	}
}
