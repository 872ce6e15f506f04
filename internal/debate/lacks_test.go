package debate

import (
	"strings"
	"testing"
)

// fitToMerge is a state whose check succeeds.
func fitToMerge() State {
	s := threeParties()
	s.Ending = Ending{Outcome: Consensus, Disposition: Keep}
	s.Agenda.Decisions = []Decision{{ID: "D0", Options: dispositionOptions(), Recommendation: string(Keep), Outcome: Settled, Held: string(Keep), Settled: true}}
	s.Split.Coverage = []Coverage{{ID: "H1", By: []string{"claude", "gpt", "gemini"}}}
	s.Snapshot.HeadSHA = "h1"
	return s
}

// decidedBy lets bob decide about the merge on this head.
func decidedBy(option Disposition) func(*State) {
	return func(s *State) {
		d := s.Agenda.d0()
		d.Outcome, d.Human = HumanDecided, &Human{Status: ItemDecided, PersonAnswer: PersonAnswer{By: "bob", Option: string(option), Head: "h1"}}
		s.Ending.Disposition = option
	}
}

// TestLacks: what a change lacks to be merged as it is: with an advisory gate that is
// neutral, with a required one it fails.
func TestLacks(t *testing.T) {
	t.Parallel()
	finding := func(severity Severity, bucket Bucket) func(*State) {
		return func(s *State) {
			s.Book.Claims = []Claim{{ID: "F1", Owner: "gpt", Kind: Empirical, Severity: severity, Bucket: bucket, Reason: ReasonOpen, Evidence: shownAt("a.go", 3)}}
		}
	}
	all := func(list ...func(*State)) func(*State) {
		return func(s *State) {
			for _, change := range list {
				change(s)
			}
		}
	}
	failOn := func(f FailOn) func(*State) { return func(s *State) { s.Received.Settings.FailOn = f } }
	for name, row := range map[string]struct {
		change   func(*State)
		advisory Conclusion
		required Conclusion
		why      string // a part of the reason with an advisory gate
	}{
		"nothing":                         {func(*State) {}, Success, Success, "reviewed_whole"},
		"the parties hold something else": {func(s *State) { s.Ending.Disposition = Revise }, Neutral, Failure, "no_keep"},
		"nobody decided":                  {func(s *State) { s.Agenda.d0().Outcome = Undecided }, Neutral, Failure, "no_keep"},
		"a person waits for nothing":      {decidedBy(Keep), Success, Success, ""},
		"the models disagree": {func(s *State) {
			s.Agenda.d0().Outcome, s.Agenda.d0().Human = AwaitingHuman, &Human{Sink: SinkSummary}
		}, Neutral, Failure, "divided"},
		"a decision waits in an issue": {func(s *State) {
			s.Agenda.d0().Outcome, s.Agenda.d0().Human = AwaitingHuman, &Human{Sink: SinkIssue}
		}, ActionRequired, ActionRequired, "awaits_person"},
		"nothing was checked":                  {func(s *State) { s.Agenda.d0().Outcome, s.Agenda.d0().Why = Adopted, because(WhyBare) }, Neutral, Failure, "no_proof"},
		"it was adopted for a reason":          {func(s *State) { s.Agenda.d0().Outcome = Adopted }, Success, Success, ""},
		"no debate took place":                 {func(s *State) { s.Ending.Outcome = Unchallenged }, Neutral, Failure, "undebated"},
		"a trade-off was debated":              {func(s *State) { s.Ending.Outcome = Tradeoff }, Success, Success, ""},
		"no debate, and a person decided":      {all(decidedBy(Keep), func(s *State) { s.Ending.Outcome = DegradedLocal }), Success, Success, ""},
		"a part was not read":                  {func(s *State) { s.Split.Coverage = append(s.Split.Coverage, Coverage{ID: "H2"}) }, Neutral, Failure, "parts_unread"},
		"a model never answered":               {func(s *State) { s.Table.Seats[2].Lost = true }, Neutral, Failure, "silent_model"},
		"the settings are broken":              {func(s *State) { s.Received.Settings.ConfigDefective = true }, Failure, Failure, "config_broken"},
		"a question":                           {all(decidedBy(Revise), func(s *State) { s.Received.Inquiry = &Inquiry{} }), Neutral, Neutral, "an_answer"},
		"a confirmed P1":                       {finding(P1, Agreed), Neutral, Failure, "p1_is_open"},
		"a confirmed P2":                       {finding(P2, Agreed), Success, Success, ""},
		"a confirmed P2 that fails":            {all(finding(P2, Agreed), failOn(FailP2)), Failure, Failure, "fails F1 P2"},
		"a disputed P2":                        {all(finding(P2, Unresolved), failOn(FailP2)), Success, Success, ""},
		"a person chose to revise":             {decidedBy(Revise), Failure, Failure, "chose bob revise"},
		"a person chose to reject":             {decidedBy(Reject), Failure, Failure, "chose bob reject"},
		"a person keeps, and a P1 is there":    {all(finding(P1, Agreed), decidedBy(Keep)), Neutral, Failure, "must_end F1"},
		"a person keeps, and a P1 is disputed": {all(finding(P1, Unresolved), decidedBy(Keep)), Neutral, Failure, "must_end F1"},
		"a person keeps, and a P2 fails":       {all(finding(P2, Agreed), failOn(FailP2), decidedBy(Keep)), Failure, Failure, "must_end F1"},
		"a person accepted the P2, and a P1 is there": {all(finding(P2, Agreed), failOn(FailP2), decidedBy(Keep), func(s *State) {
			s.Agenda.d0().Human.Accepted = []Acceptance{{Key: Key(s.Book.Claims[0]), AtMost: P2}}
			s.Book.Claims = append(s.Book.Claims, Claim{ID: "F2", Owner: "gpt", Severity: P1, Bucket: Agreed, Evidence: shownAt("b.go", 3)})
		}), Failure, Failure, "must_end F2"},
		"a person accepted the P2": {all(finding(P2, Agreed), failOn(FailP2), decidedBy(Keep), func(s *State) {
			s.Agenda.d0().Human.Accepted = []Acceptance{{Key: Key(s.Book.Claims[0]), AtMost: P2}}
		}), Success, Success, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := fitToMerge()
			row.change(&s)
			got, why := checkOf(s)
			if got != row.advisory || !strings.Contains(why.String(), row.why) {
				t.Errorf("advisory: %s, %s; want %s", got, why, row.advisory)
			}
			s.Received.Settings.Gate = Required
			if got, why := checkOf(s); got != row.required {
				t.Errorf("required: %s, %s; want %s", got, why, row.required)
			}
		})
	}
}

// TestCounts: which findings may fail a run (M02).
func TestCounts(t *testing.T) {
	t.Parallel()
	model := func(change func(*Claim)) Claim {
		c := Claim{ID: "F1", Owner: "gpt", Severity: P1, Bucket: Unresolved, Reason: ReasonOpen, Joint: true, Evidence: shownAt("a.go", 3)}
		change(&c)
		return c
	}
	rule := func(change func(*Claim)) Claim {
		return model(func(c *Claim) {
			c.Owner, c.Rule, c.Severity, c.Joint, c.Evidence[0].Verified = EngineParty, "sql/drop-table", P2, false, true
			change(c)
		})
	}
	for name, row := range map[string]struct {
		claim Claim
		want  bool
	}{
		"it is confirmed":                   {model(func(c *Claim) { c.Bucket, c.Severity = Agreed, P3 }), true},
		"it is part of another one":         {model(func(c *Claim) { c.Bucket, c.SameAs = Agreed, "F2" }), false},
		"a disputed P1 that two hold":       {model(func(*Claim) {}), true},
		"a disputed P1 that one holds":      {model(func(c *Claim) { c.Joint = false }), false},
		"a disputed P1 without lines":       {model(misquoted), false},
		"a disputed P2 that two hold":       {model(func(c *Claim) { c.Severity = P2 }), false},
		"a P1 that nobody weighed":          {model(func(c *Claim) { c.Reason = ReasonUnreviewed }), false},
		"a dismissed P1":                    {model(func(c *Claim) { c.Bucket = Dismissed }), false},
		"a rule found it, and parties not":  {rule(func(*Claim) {}), true},
		"a rule found it, no line is there": {rule(func(c *Claim) { c.Evidence[0].Verified = false }), false},
		"a rule found it, it is dismissed":  {rule(func(c *Claim) { c.Bucket = Dismissed }), false},
		"a rule found it on another head":   {rule(func(c *Claim) { c.Rule, c.Carried = "", "F1" }), false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (&Settings{FailOn: FailP3}).failedBy(&row.claim); got != row.want {
				t.Errorf("it fails: %v, want %v", got, row.want)
			}
		})
	}
}

// TestHeldBackAsksForTheChange: only an option that was decided, of another decision than
// D0, where the merge itself was decided, holds a change back.
func TestHeldBackAsksForTheChange(t *testing.T) {
	t.Parallel()
	half := []Option{{ID: "accept"}, {ID: "address", Label: "address"}}
	d1 := func(options []Option, outcome DecisionOutcome, option string) Decision {
		return Decision{ID: "D1", Question: "q", Options: options, Outcome: outcome, Recommendation: option}
	}
	for name, row := range map[string]struct {
		change func(*State)
		d1     Decision
		want   bool
	}{
		"it is to be addressed":                  {nil, d1(claimOptions(), Adopted, "address"), true},
		"it is accepted":                         {nil, d1(claimOptions(), Adopted, "accept"), false},
		"an option that nobody offers":           {nil, d1(claimOptions(), Adopted, "wait"), false},
		"a question of a party with such a name": {nil, d1(half, Adopted, "address"), false},
		"the merge was not decided":              {func(s *State) { s.Agenda.d0().Outcome = Undecided }, d1(claimOptions(), Adopted, "address"), false},
		"a question in place of a change":        {func(s *State) { s.Received.Inquiry = &Inquiry{} }, d1(claimOptions(), Adopted, "address"), false},
		"a person decided to merge on this head": {decidedBy(Keep), d1(claimOptions(), Adopted, "address"), false},
		"a person decided so on an earlier head": {func(s *State) { decidedBy(Keep)(s); s.Agenda.d0().Human.Head = "h0" }, d1(claimOptions(), Adopted, "address"), true},
	} {
		t.Run(name, func(t *testing.T) {
			s := fitToMerge()
			if row.change != nil {
				row.change(&s)
			}
			s.Agenda.Decisions = append(s.Agenda.Decisions, row.d1)
			if got := s.heldBack(); got.IsZero() == row.want {
				t.Errorf("it is held back: %s, want %v", got, row.want)
			}
		})
	}
}
