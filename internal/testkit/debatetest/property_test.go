package debatetest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/testkit/long"
)

// TestAnybody seats whoever there is and asks of every debate what must hold of
// all of them.
func TestAnybody(t *testing.T) {
	t.Parallel()
	long.Check(t, func(t *rapid.T) {
		w := Table(rapid.IntRange(1, 4).Draw(t, "challengers"))
		w.Received.Mode = rapid.SampledFrom([]debate.Mode{debate.Standard, debate.Standard, debate.Minimal, debate.Quick}).Draw(t, "mode")
		w.Received.Settings = debate.Settings{
			MaxRounds: rapid.IntRange(0, 7).Draw(t, "rounds"), MaxCalls: rapid.SampledFrom([]int{0, 12, 25, 80}).Draw(t, "calls"),
			Opening: rapid.SampledFrom([]debate.Opening{debate.OpenPosition, debate.OpenParallel}).Draw(t, "opening"),
		}
		w.ChunkBytes = rapid.SampledFrom([]int{0, 0, 0, 500}).Draw(t, "chunk")
		if class := rapid.SampledFrom([]debate.TriggerClass{"", debate.ClassPath, debate.ClassContent}).Draw(t, "trigger"); class != "" {
			w.Triggers = []debate.Trigger{trigger(class)}
		}
		cast := make(map[string]Party)
		characters := Characters()
		for _, p := range w.Parties {
			c := characters[rapid.IntRange(0, len(characters)-1).Draw(t, p.ID)]
			t.Logf("%s is %s", p.ID, c.Name)
			cast[p.ID] = c.Party(rapid.Uint64().Draw(t, "seed of "+p.ID))
		}
		if rapid.Bool().Draw(t, "a question") {
			cast["claude"] = Asking(Wanting(cast["claude"], "D1", "one"))
		}
		s, log, err := Play(w, cast, Forward)
		if err != nil {
			t.Fatal(err) // it ends, and no reply is refused
		}
		t.Cleanup(func() {
			if t.Failed() {
				t.Log(Transcript(log))
			}
		})
		shuffled, _ := playedAs(t, w, cast, Order(rapid.Uint64Min(2).Draw(t, "order")))
		if diff := cmp.Diff(timeless(s), timeless(shuffled)); diff != "" {
			t.Fatalf("P30:\n%s", diff)
		}
		bounds(t, w, s)
		findings(t, s)
		verdict(t, s)
		steps(t, log)
	})
}

// bounds checks that a debate ends within its budgets.
func bounds(t *rapid.T, w World, s debate.State) {
	rounds, calls := w.Received.Settings.MaxRounds, w.Received.Settings.MaxCalls
	if rounds == 0 {
		rounds = 5
	}
	if calls == 0 {
		calls = 60
	}
	if s.Talk.Exchange > 8 || s.Talk.Confrontations > min(rounds+2, 7) || w.Received.Mode == debate.Quick && (s.Talk.Exchange > 2 || s.Talk.Confrontations > 1) {
		t.Errorf("P01: n=%d, %d confrontations of %d", s.Talk.Exchange, s.Talk.Confrontations, rounds)
	}
	if len(s.Asking.Calls) > calls {
		t.Errorf("P40: %d calls of %d", len(s.Asking.Calls), calls)
	}
}

// findings checks that each claim has a bucket, and that only what is verified is agreed.
func findings(t *rapid.T, s debate.State) {
	for _, c := range s.Book.Claims {
		if (c.Bucket == "") != (c.SameAs != "") {
			t.Errorf("P04: %s is in bucket %q and the same as %q", c.ID, c.Bucket, c.SameAs)
		}
		if c.Bucket == debate.Agreed && c.Kind == debate.Empirical && !c.Verified() {
			t.Errorf("P06: %s is agreed and not verified", c.ID)
		}
		if c.Bucket == debate.Agreed && c.Severity == debate.P1 && !cites(c.Evidence) {
			t.Errorf("P07: %s is an agreed P1 without evidence", c.ID)
		}
		if c.Bucket == debate.Agreed && c.Kind == debate.Empirical && !isTrue(c) && !slices.Contains(c.ConfirmedBy, debate.EngineParty) && len(c.ConfirmedBy) == 0 {
			t.Errorf("P05: %s is agreed and nobody confirms it", c.ID)
		}
		if c.Late && c.Bucket == debate.Agreed && !c.Verified() {
			t.Errorf("P23: %s came late and is agreed", c.ID)
		}
	}
}

// verdict checks who decides, how sure the outcome is, and the versions of the position.
func verdict(t *rapid.T, s debate.State) {
	for _, d := range s.Agenda.Decisions {
		if d.Critical != (len(d.Triggers) > 0) || d.Critical && (d.Outcome == debate.Settled || d.Outcome == debate.Adopted) {
			t.Errorf("P10: %s with %d triggers is %s", d.ID, len(d.Triggers), d.Outcome)
		}
	}
	lost, valid := false, 0
	for _, p := range s.Table.Parties {
		lost = lost || p.Debates() && p.Status != debate.PartyOK
	}
	for _, c := range s.Asking.Calls {
		if c.Kind == debate.CallChallenge && c.Status == debate.CallOK {
			valid++
		}
	}
	if s.Ending.Confidence == debate.High && (s.Ending.Outcome != debate.Consensus || lost) {
		t.Errorf("P25: confidence is HIGH, the outcome %s, a party lost: %v", s.Ending.Outcome, lost)
	}
	if conclusion := s.Conclusion().Check; valid == 0 && (s.Ending.Outcome != debate.DegradedLocal || conclusion == debate.Success) {
		t.Errorf("P28: nobody challenged, and it ends as %s, %s", s.Ending.Outcome, conclusion)
	}
	for i, p := range s.Talk.Positions {
		if p.Version != i+1 {
			t.Errorf("P36: version %d is the %d. one", p.Version, i+1)
		}
	}
}

// steps checks what must hold between any two events.
func steps(t *rapid.T, log []debate.Entry) {
	var before debate.State
	for _, e := range log {
		s, err := debate.Apply(before, e)
		if err != nil {
			t.Fatalf("P29: %v", err)
		}
		if len(s.Book.Ledger) < len(before.Book.Ledger) || !slices.Equal(s.Book.Ledger[:len(before.Book.Ledger)], before.Book.Ledger) {
			t.Fatalf("P08: event %d rewrites the ledger", e.N)
		}
		for _, k := range before.Book.Challenges {
			after := s.Book.Challenges[slices.IndexFunc(s.Book.Challenges, func(x debate.Challenge) bool { return x.ID == k.ID })]
			if !k.Live() && after.Live() || k.Reminded && !after.Reminded || k.Escalated && !after.Escalated {
				t.Fatalf("P20: event %d takes %s from %s to %s", e.N, k.ID, k.Status, after.Status)
			}
		}
		for _, d := range s.Agenda.Decisions {
			differs := func(o debate.PartyOption) bool { return o.Option != d.FinalOptions[0].Option }
			isLost := func(c debate.Call) bool { return c.Status == debate.CallMalformed }
			// It is unknown what all hold if one was not heard, or if the primary left its own position.
			isKnown := s.Talk.Exit != debate.ExitBudget && !slices.ContainsFunc(s.Asking.Calls, isLost) &&
				len(d.FinalOptions) > 0 && d.FinalOptions[0].Option == string(s.Talk.Position().Disposition)
			if d.ID == "D0" && isKnown && d.Rubric != nil && len(d.FinalOptions) == len(s.Table.Seats) && !slices.ContainsFunc(d.FinalOptions, differs) {
				t.Fatalf("P41: event %d asks for scores, and all hold %s", e.N, d.FinalOptions[0].Option)
			}
		}
		for _, tr := range before.Agenda.Triggers {
			if !slices.ContainsFunc(s.Agenda.Triggers, func(x debate.Trigger) bool { return x.ID == tr.ID && x.Waived == tr.Waived }) {
				t.Fatalf("P11: event %d removes trigger %s", e.N, tr.ID)
			}
		}
		order := []debate.Phase{debate.Constructive, debate.Development, debate.Crystallization}
		if slices.Index(order, s.Talk.Phase()) < slices.Index(order, before.Talk.Phase()) && before.Talk.Exchange > 0 && !(s.Talk.Extended && !before.Talk.Extended) {
			t.Fatalf("P03: event %d goes back from %s to %s", e.N, before.Talk.Phase(), s.Talk.Phase())
		}
		before = s
	}
}
