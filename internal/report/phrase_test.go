package report

import (
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// What is missing is said where it is missing, and nothing else.
func TestMissingParties(t *testing.T) {
	t.Parallel()
	primary, challenger := Party{ID: "a", Role: string(debate.Primary)}, Party{ID: "b", Role: string(debate.Challenger)}
	needs := "debate doctor says what is missing."
	for name, c := range map[string]struct {
		e    Envelope
		want string
	}{
		"a debate":      {Envelope{Outcome: debate.Consensus, Parties: []Party{primary, challenger}}, ""},
		"nobody":        {Envelope{Outcome: debate.DegradedLocal}, "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY to have models review it. " + needs},
		"one":           {Envelope{Outcome: debate.DegradedLocal, Parties: []Party{primary}}, needs},
		"nobody asked":  {Envelope{Outcome: debate.DegradedLocal, Parties: []Party{primary, challenger}}, ""},
		"one gone":      {Envelope{Outcome: debate.DegradedLocal, Parties: []Party{primary, challenger}, BackendUnavailable: []string{"b: no key"}}, "Unavailable: b: no key. " + needs},
		"one lost late": {Envelope{Outcome: debate.Consensus, Parties: []Party{primary, challenger}, BackendUnavailable: []string{"b: no key"}}, "Unavailable: b: no key."},
	} {
		if got := MissingParties(c.e); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
