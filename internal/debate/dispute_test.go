package debate

import (
	"slices"
	"strings"
	"testing"
)

// TestMayBeDisputed: who may dispute which finding, with what words and how often (A26).
func TestMayBeDisputed(t *testing.T) {
	t.Parallel()
	author := Actor{Login: "ann", Author: true}
	is := func(change func(*Claim)) func(*State) { return func(s *State) { change(&s.Book.Claims[0]) } }
	for name, row := range map[string]struct {
		change func(*State)
		ev     Disputed
		why    string // it is refused, "" if it is not
	}{
		"the author":                 {nil, Disputed{Claim: "F1", Text: "no", By: author}, ""},
		"somebody who may write":     {nil, Disputed{Claim: "F1", Text: "no", By: Actor{Login: "bob", Permission: WriteAccess}}, ""},
		"somebody who may read":      {nil, Disputed{Claim: "F1", Text: "no", By: Actor{Login: "bob", Permission: ReadAccess}}, "may not dispute"},
		"a bot of the author":        {nil, Disputed{Claim: "F1", Text: "no", By: Actor{Login: "bot", Author: true, Bot: true}}, "may not dispute"},
		"without a word":             {nil, Disputed{Claim: "F1", By: author}, "says why"},
		"what is not there":          {nil, Disputed{Claim: "F9", Text: "no", By: author}, "no open finding"},
		"what was merged into it":    {func(s *State) { s.Book.Claims = append(s.Book.Claims, Claim{ID: "F2", SameAs: "F1"}) }, Disputed{Claim: "F2", Text: "no", By: author}, ""},
		"a disputed one":             {is(func(c *Claim) { c.Bucket = Unresolved }), Disputed{Claim: "F1", Text: "no", By: author}, ""},
		"a dismissed one":            {is(func(c *Claim) { c.Bucket = Dismissed }), Disputed{Claim: "F1", Text: "no", By: author}, "no open finding"},
		"one that a dispute settled": {is(func(c *Claim) { c.Final = true }), Disputed{Claim: "F1", Text: "no", By: author}, "is settled"},
		"the third dispute":          {func(s *State) { s.Disputes = 2 }, Disputed{Claim: "F1", Text: "no", By: author}, ""},
		"the fourth dispute":         {func(s *State) { s.Disputes = 3 }, Disputed{Claim: "F1", Text: "no", By: author}, "three disputes"},
	} {
		t.Run(name, func(t *testing.T) {
			s := fitToMerge()
			s.Stage = StagePublish
			s.Book.Claims = []Claim{{ID: "F1", Owner: "claude", Kind: Empirical, Severity: P2, Bucket: Agreed, Evidence: shownAt("a.go", 3), Evaluations: []Evaluation{agrees("gpt")}}}
			if row.change != nil {
				row.change(&s)
			}
			got := (&reducer{State: &s, step: &Step{}}).disputed(row.ev)
			if (got == "") != (row.why == "") || !strings.Contains(got, row.why) {
				t.Errorf("%q, want %q", got, row.why)
			}
			if got == "" && s.InDispute != "K1" {
				t.Errorf("in dispute: %q", s.InDispute)
			}
		})
	}
}

// TestDisputants: a dispute is put to who defends the claim and to one other party, first
// to one that attacked it (A26).
func TestDisputants(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		owner    string
		attacked []string
		lost     string
		want     []string
	}{
		"nobody attacked it":               {"claude", nil, "", []string{"claude", "gpt"}},
		"the last one attacked it":         {"claude", []string{"gemini"}, "", []string{"claude", "gemini"}},
		"both others did":                  {"claude", []string{"gemini", "gpt"}, "", []string{"claude", "gpt"}},
		"who attacked it is gone":          {"claude", []string{"gemini"}, "gemini", []string{"claude", "gpt"}},
		"a challenger raised it":           {"gemini", nil, "", []string{"gemini", "claude"}},
		"nobody is left to defend it":      {EngineParty, []string{"gpt"}, "", []string{"gpt", "claude"}},
		"who defends it attacked it first": {"claude", []string{"claude"}, "", []string{"claude", "gpt"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(Claim{ID: "F1", Owner: row.owner})
			for _, party := range row.attacked {
				s.Book.Challenges = append(s.Book.Challenges, Challenge{Claim: "F1", Attacker: party, Status: Resolved, Kind: Skeptical})
			}
			if row.lost != "" {
				s.Table.seat(row.lost).Lost = true
			}
			var got []string
			for _, ask := range s.disputants(&Challenge{Claim: "F1", Attacker: AuthorParty}) {
				got = append(got, ask.Party)
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("it is put to %v, want %v", got, row.want)
			}
		})
	}
}

// TestDisputeAnswered: what the parties say of a disputed claim decides; where who defends
// it says nothing, nothing is settled.
func TestDisputeAnswered(t *testing.T) {
	t.Parallel()
	by := func(party string, r Reply) said { return said{Party: party, Status: CallOK, Reply: &r} }
	answers := func(a Answer) said { a.Challenge = "K1"; return by("claude", Reply{Answers: []Answer{a}}) }
	weighs := func(claim string, class Class, refs ...Ref) said {
		return by("gemini", Reply{Evaluations: []Evaluating{{Claim: claim, Class: class, Flaw: "it ends", View: Supports, Refs: refs}}})
	}
	rebuffs := answers(Answer{Move: Rebuff, Text: "it does not"})
	engine := func(s *State) {
		c := &s.Book.Claims[0]
		c.Owner, c.Rule, c.Evidence[0].Verified = EngineParty, "sql/drop-table", true
		s.Book.Challenges[0].Defender = EngineParty
	}
	gone := func(s *State) { s.Table.Seats[0].Lost = true }
	gives := by("gpt", Reply{Answers: []Answer{{Challenge: "K1", Move: Accept, Text: "so it does"}}})
	for name, row := range map[string]struct {
		change func(*State)
		all    []said
		bucket Bucket
		status ChallengeStatus
		final  bool
		doubts int // challenges of parties that are left open
	}{
		"nobody answers": {nil, nil, Agreed, Resolved, false, 0},
		"the reply of who defends cannot be used": {nil, []said{{Party: "claude", Status: CallTimeout}}, Agreed, Resolved, false, 0},
		"who defends says nothing of it":          {nil, []said{by("claude", Reply{})}, Agreed, Resolved, false, 0},
		"who defends rebuffs it":                  {nil, []said{rebuffs}, Agreed, Resolved, true, 0},
		"who defends gives it up":                 {nil, []said{answers(Answer{Move: Accept, Text: "so it does"})}, Unresolved, Conceded, true, 0},
		"the other one alone speaks":              {nil, []said{weighs("F1", ClassAgree, citing(3)...)}, Agreed, Resolved, false, 0},
		"the other one doubts it in words":        {nil, []said{rebuffs, weighs("F1", ClassSkeptical)}, Agreed, Resolved, true, 0},
		"the other one doubts something else":     {nil, []said{rebuffs, weighs("F2", ClassSkeptical)}, Agreed, Resolved, true, 0},
		"the other one rejects it with lines":     {nil, []said{rebuffs, weighs("F1", ClassReject, citing(5)...)}, Unresolved, Resolved, true, 1},
		"a rule found it, and nobody answers":     {engine, nil, Agreed, Resolved, true, 0},
		"it is defended for who is gone":          {gone, []said{gives}, Unresolved, Resolved, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := fitToMerge()
			s.Stage, s.InDispute = StageDispute, "K1"
			s.Book.Claims = []Claim{
				{ID: "F1", Owner: "claude", Kind: Empirical, Asserted: P2, Severity: P2, Bucket: Agreed, Final: true, ReportedBy: []string{"claude"}, Evidence: shownAt("a.go", 3), Evaluations: []Evaluation{agrees("gpt")}},
				{ID: "F2", Owner: "claude", Kind: Empirical, Asserted: P2, Severity: P2, Bucket: Unresolved, Evidence: shownAt("a.go", 8)},
			}
			s.Book.Challenges = []Challenge{{ID: "K1", Claim: "F1", Attacker: AuthorParty, Defender: "claude", Kind: Skeptical, Status: Open, Strength: StrengthModerate, Objection: "it ends"}}
			if row.change != nil {
				row.change(&s)
			}
			(&reducer{State: &s, step: &Step{}}).disputeAnswered(row.all)
			c, k := s.Book.Claims[0], s.Book.Challenges[0]
			doubts := len(s.Book.attacksThat(func(x *Challenge) bool { return x.ID != "K1" && x.Live() }))
			if c.Bucket != row.bucket || k.Status != row.status || c.Final != row.final || doubts != row.doubts {
				t.Errorf("it is %s (%s), final %v, the dispute %s, %d doubts are open", c.Bucket, c.Why, c.Final, k.Status, doubts)
			}
		})
	}
}

// TestRebucketed: a dispute moved a claim if it is in another bucket, for another reason, or
// weighs something else.
func TestRebucketed(t *testing.T) {
	t.Parallel()
	was := Claim{ID: "F1", Bucket: Unresolved, Reason: ReasonOpen, Severity: P2}
	for name, row := range map[string]struct {
		change func(*Claim)
		want   bool
	}{
		"nothing":          {func(*Claim) {}, false},
		"other words":      {func(c *Claim) { c.Title = "x" }, false},
		"another bucket":   {func(c *Claim) { c.Bucket = Agreed }, true},
		"another reason":   {func(c *Claim) { c.Reason = ReasonUnexplained }, true},
		"another severity": {func(c *Claim) { c.Severity = P3 }, true},
	} {
		t.Run(name, func(t *testing.T) {
			now := was
			if row.change(&now); rebucketed([]Claim{now}, []Claim{was}) != row.want {
				t.Errorf("it moved: %v, want %v", !row.want, row.want)
			}
		})
	}
}
