package report

import (
	"slices"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// What is missing is said where it is missing, and nothing else.
func TestMissingParties(t *testing.T) {
	t.Parallel()
	primary, challenger := Party{ID: "a", Role: string(debate.Primary)}, Party{ID: "b", Role: string(debate.Challenger)}
	primary.Status, challenger.Status = string(debate.PartyOK), string(debate.PartyOK)
	gone := Party{ID: "b", Role: string(debate.Challenger), Status: "no key"}
	late := Party{ID: "c", Role: string(debate.Challenger), Status: "auth", Detail: "401", Lost: true}
	refused := func(id, key string) Party {
		return Party{ID: id, Key: key, Role: string(debate.Challenger), Status: string(debate.PartyAuth), Detail: "401 of " + id, Calls: 1, Failed: 1}
	}
	needs := "Run debate doctor --online to see what is missing."
	for name, c := range map[string]struct {
		e    Envelope
		want string
	}{
		"a debate":      {Envelope{Outcome: debate.Consensus, Parties: []Party{primary, challenger}}, ""},
		"nobody":        {Envelope{Outcome: debate.DegradedLocal}, "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY to ask models. " + needs},
		"a question":    {Envelope{Outcome: debate.DegradedLocal, Inquiry: &Inquiry{}}, "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY to ask models. " + needs},
		"nobody may":    {Envelope{Outcome: debate.DegradedLocal, Forbidden: debate.ForMoney}, ""},
		"one":           {Envelope{Outcome: debate.DegradedLocal, Parties: []Party{primary}}, needs},
		"nobody asked":  {Envelope{Outcome: debate.DegradedLocal, Parties: []Party{primary, challenger}}, ""},
		"one gone":      {Envelope{Outcome: debate.DegradedLocal, Parties: []Party{primary, gone}}, needs}, // the verdict says who
		"two gone":      {Envelope{Outcome: debate.DegradedLocal, Parties: []Party{gone, late}}, "c failed (401). Run debate doctor --online to see what is missing."},
		"keys refused":  {Envelope{Outcome: debate.DegradedLocal, Parties: []Party{refused("a", "A_KEY"), refused("b", "B_KEY"), refused("c", "A_KEY")}}, "Check A_KEY and B_KEY. " + needs},
		"keys missing":  {Envelope{Outcome: debate.DegradedLocal, Parties: []Party{{ID: "a", Key: "A_KEY", Role: string(debate.Primary), Status: string(debate.PartyNotFound)}, refused("b", "B_KEY")}}, "b failed (401 of b). Check B_KEY. Set A_KEY. " + needs},
		"heard alone":   {Envelope{Outcome: debate.DegradedLocal, Alone: true, Parties: []Party{primary, gone}}, "b failed (no key). " + needs},
		"contradicted":  {Envelope{Outcome: debate.DegradedLocal, Parties: []Party{primary, {ID: "b", Role: string(debate.Challenger), Status: string(debate.PartyQuality), Lost: true}}}, ""}, // the verdict says it, and no advice helps
		"one not there": {Envelope{Outcome: debate.Consensus, Parties: []Party{primary, gone}}, "b failed (no key)."},
		"one lost late": {Envelope{Outcome: debate.Consensus, Parties: []Party{primary, late}}, needs}, // the lead says who
		"same maker":    {Envelope{Outcome: debate.Consensus, Parties: []Party{primary, {ID: "b", Role: string(debate.Challenger), Status: string(debate.PartySameFamily), Detail: "same maker", Lost: true}}}, "b took no part (same maker)."},
	} {
		if got := MissingParties(c.e, false); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Models that failed for one cause are named together, and the cause is told once.
func TestOneCause(t *testing.T) {
	t.Parallel()
	lost := func(id string, role debate.Role) Party {
		return Party{ID: id, Role: string(role), Status: "error", Detail: "no network", Lost: true}
	}
	e := Envelope{
		Outcome: debate.DegradedLocal, Head: debate.HeadUnread, Parties: []Party{lost("claude", debate.Primary), lost("claude-2", debate.Challenger)},
	}
	e = ready(e)
	if got := Headline(e); got != "not reviewed by a model: claude and claude-2 failed (no network)" {
		t.Errorf("the verdict: %q", got)
	}
	if got := MissingParties(e, false); got != "Run debate doctor --online to see what is missing." {
		t.Errorf("below it: %q", got)
	}
}

// TestSpans: what is between two fences, or between two backticks of a line, is code.
func TestSpans(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]Span{
		"call `sweep` first":         {{"call ", false}, {"sweep", true}, {" first", false}},
		"`a`\n`b` and ` alone":       {{"a", true}, {"\n", false}, {"`b` and ` alone", false}},
		"a\n```go\nx := `y`\n```\nb": {{"a", false}, {"\n", false}, {"x := `y`", true}, {"\n", false}, {"b", false}},
		"no code":                    {{"no code", false}},
		"":                           nil,
	} {
		if got := Spans(text); !slices.Equal(got, want) {
			t.Errorf("%q is %v, not %v", text, got, want)
		}
	}
}
