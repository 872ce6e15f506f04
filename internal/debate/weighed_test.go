package debate

import "testing"

// TestWeighed: the severity of a judgement is its owner's, and P3 if everybody else says P3
// last (A06).
func TestWeighed(t *testing.T) {
	t.Parallel()
	said := func(party string, severity Severity) Evaluation {
		return Evaluation{Party: party, Class: ClassAgree, Severity: severity}
	}
	for name, row := range map[string]struct {
		said []Evaluation
		want Severity
	}{
		"nobody weighs it":                {nil, P1},
		"one calls it milder":             {[]Evaluation{said("gpt", P2)}, P1},
		"one calls it P3":                 {[]Evaluation{said("gpt", P3)}, P3},
		"one agrees, one calls it P3":     {[]Evaluation{said("gpt", P1), said("gemini", P3)}, P1},
		"two call it P3":                  {[]Evaluation{said("gpt", P3), said("gemini", P3)}, P3},
		"one names no severity":           {[]Evaluation{said("gpt", "")}, P1},
		"its owner weighs it":             {[]Evaluation{said("claude", P3)}, P1},
		"one comes back to what it was":   {[]Evaluation{said("gpt", P3), said("gpt", P1)}, P1},
		"one weighs it and drops to a P3": {[]Evaluation{said("gpt", P1), said("gpt", P3)}, P3},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (&Book{}).severity(Claim{Owner: "claude", Kind: Value, Asserted: P1, Evaluations: row.said}); got != row.want {
				t.Errorf("it is %s, want %s", got, row.want)
			}
		})
	}
}
