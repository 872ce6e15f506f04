package debate

import (
	"slices"
	"testing"
)

// TestBeyondHead: what did not change since an earlier head admits only a P1, and from the
// third head on nothing; a P3 is not new then (A25).
func TestBeyondHead(t *testing.T) {
	t.Parallel()
	split := inTwoChunks()
	split.Segments[0].TextHash = "read"
	for name, row := range map[string]struct {
		heads    int
		segment  string
		severity Severity
		want     bool
	}{
		"the first head":                         {0, "S1", P3, false},
		"the second, a P2 on what it was":        {1, "S1", P2, true},
		"the second, a P1 on what it was":        {1, "S1", P1, false},
		"the second, a P3 on what changed":       {1, "S2", P3, false},
		"the second, a P2 on nothing":            {1, "", P2, true},
		"the second, a P2 on an unknown part":    {1, "S9", P2, false},
		"the third, a P1 on what it was":         {2, "S1", P1, true},
		"the third, a P2 on what changed":        {2, "S2", P2, false},
		"the third, a P3 on what changed":        {2, "S2", P3, true},
		"the third, a P1 on nothing in the text": {2, "", P1, true},
	} {
		t.Run(name, func(t *testing.T) {
			before := Previous{Heads: row.heads, Segments: []SegmentKey{{Path: "a.go", TextHash: "read"}}}
			if got := (&State{Received: Received{Previous: before}, Split: split}).beyondHead(Claim{Segment: row.segment, Severity: row.severity}); got != row.want {
				t.Errorf("it is beyond it: %v, want %v", got, row.want)
			}
		})
	}
}

// TestMergeInTheBook: a claim that fell takes no other one in, and who attacks a claim that
// becomes its own attacks nothing (R151, A06).
func TestMergeInTheBook(t *testing.T) {
	t.Parallel()
	attack := func(on, attacker string, status ChallengeStatus) Challenge {
		return Challenge{ID: "K1", Claim: on, Attacker: attacker, Defender: "gpt", Kind: Skeptical, Status: status}
	}
	for name, row := range map[string]struct {
		k      Challenge
		merged bool
		on     string
		status ChallengeStatus
	}{
		"it was conceded":                       {attack("F1", "kimi", Conceded), false, "F1", Conceded},
		"it was left undefended":                {attack("F1", "kimi", Undefended), false, "F1", Undefended},
		"an attack on it was given up":          {attack("F1", "kimi", Resolved), true, "F1", Resolved},
		"an attack on the other one":            {attack("F2", "kimi", Open), true, "F1", Open},
		"its owner attacks the other one":       {attack("F2", "gpt", Open), true, "F1", Resolved},
		"its owner attacked the other one once": {attack("F2", "gpt", Dissent), true, "F1", Dissent},
		"an attack on the position was granted": {attack(PositionSubject, "kimi", Conceded), true, PositionSubject, Conceded},
		"an attack on what is not there":        {attack("F9", "kimi", Open), true, "F9", Open},
	} {
		t.Run(name, func(t *testing.T) {
			s := State{Book: Book{Claims: []Claim{leak("F1", "gpt"), leak("F2", "gemini")}, Challenges: []Challenge{row.k}}}
			(&reducer{State: &s, step: &Step{}}).merge()
			k := s.Book.Challenges[0]
			if merged := s.Book.Claims[1].SameAs == "F1"; merged != row.merged || k.Claim != row.on || k.Status != row.status {
				t.Errorf("merged %v, the attack on %s is %s", merged, k.Claim, k.Status)
			}
		})
	}
}

// TestIndependentReports: what two parties raise is another voice for the claim that stays,
// unless it was merged before; of one family only if one had heard the other (M01).
func TestIndependentReports(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		first, second func(*Claim)
		family        string // of gpt
		said          []Evaluation
		want          []Evaluation // of the second one's owner
	}{
		"two families":                     {nil, nil, "openai", nil, []Evaluation{{Qualified: true, View: Supports}}},
		"one of them cites nothing there":  {nil, misquoted, "openai", nil, []Evaluation{{}}},
		"one family, unseen":               {nil, nil, "google", nil, nil},
		"one family, and one heard it":     {nil, func(c *Claim) { c.RaisedN = 1 }, "google", nil, []Evaluation{{Qualified: true, View: Supports}}},
		"one party":                        {func(c *Claim) { c.Owner = "gemini" }, nil, "openai", nil, nil},
		"a rule found it first":            {func(c *Claim) { c.Owner = EngineParty }, nil, "openai", nil, nil},
		"a party that is not at the table": {nil, func(c *Claim) { c.Owner = "kimi" }, "openai", nil, nil},
		"it was merged before":             {nil, sameAs("F1"), "openai", nil, nil},
		"it weighed the claim already":     {nil, nil, "openai", []Evaluation{{Party: "gemini", Class: ClassReject}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(leak("F1", "gpt"), leak("F2", "gemini"))
			for i, change := range []func(*Claim){row.first, row.second} {
				if change != nil {
					change(&s.Book.Claims[i])
				}
			}
			s.Table.Parties[1].Family, s.Book.Claims[0].Evaluations = row.family, row.said
			(&reducer{State: &s, step: &Step{}}).merge()
			var got []Evaluation
			for _, e := range s.Book.Claims[0].Evaluations[len(row.said):] {
				got = append(got, Evaluation{Qualified: e.Qualified, View: e.View})
			}
			if !slices.Equal(got, row.want) || s.Book.Claims[1].SameAs != "F1" {
				t.Errorf("it adds %+v, want %+v", got, row.want)
			}
		})
	}
}

// TestRation: beyond the most claims the least severe and latest are not debated; what is
// not debated anyway takes no room (A10).
func TestRation(t *testing.T) {
	t.Parallel()
	claim := func(severity Severity, change func(*Claim)) Claim {
		c := Claim{Owner: "gpt", Severity: severity}
		if change != nil {
			change(&c)
		}
		return c
	}
	for name, row := range map[string]struct {
		claims []Claim
		want   []bool // whether each is left out; there is room for one
	}{
		"the latest":                 {[]Claim{claim(P2, nil), claim(P2, nil)}, []bool{false, true}},
		"the least severe":           {[]Claim{claim(P3, nil), claim(P2, nil)}, []bool{true, false}},
		"a late one takes no room":   {[]Claim{claim(P1, func(c *Claim) { c.Late = true }), claim(P2, nil)}, []bool{false, false}},
		"nor one of a rule":          {[]Claim{claim(P1, func(c *Claim) { c.Owner = EngineParty }), claim(P2, nil)}, []bool{false, false}},
		"nor one of an earlier head": {[]Claim{claim(P1, func(c *Claim) { c.Carried = "F1" }), claim(P2, nil)}, []bool{false, false}},
		"nor one that was merged":    {[]Claim{claim(P1, func(c *Claim) { c.SameAs = "F9" }), claim(P2, nil)}, []bool{false, false}},
		"there is room again":        {[]Claim{claim(P2, func(c *Claim) { c.NotDebated = true })}, []bool{false}},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(row.claims...)
			s.Received.Settings.MaxClaims = 1
			(&reducer{State: &s, step: &Step{}}).ration()
			for i, want := range row.want {
				if got := s.Book.Claims[i].NotDebated; got != want {
					t.Errorf("claim %d is left out: %v, want %v", i, got, want)
				}
			}
		})
	}
}
