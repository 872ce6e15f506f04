package debate

import (
	"testing"
)

// TestShortBudgetSettlesNothing: where the calls do not suffice for what is due, a
// retry or the cold reader, the debate is over before everybody has
// spoken and settles nothing. One call more and it is settled (R157).
func TestShortBudgetSettlesNothing(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		calls int // that suffice
		due   string
		say   func(x scene)
	}{
		"a retry": {5, "CHALLENGE/1/gpt/format", func(x scene) {
			x.script["CHALLENGE/1/gpt"] = Replied{Ask: "CHALLENGE/1/gpt", Status: CallMalformed, Detail: "not JSON"}
			x.say("CHALLENGE/1/gpt/format", agreeing())
		}},
		"the cold reader": {4, "ARBITER/1/arbiter", func(x scene) {
			x.first.Orders = []Order{{Kind: OrderArbiter, Reason: "to be sure", By: Actor{Login: "bob", Permission: WriteAccess}}}
			x.say("CHALLENGE/1/gpt", agreeing())
			x.say("ARBITER/1/arbiter", Reply{})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, short := range []bool{false, true} {
				x := newScene("gpt", "gemini")
				x.parties = append(x.parties, Party{ID: ArbiterParty, Role: Arbiter, Family: "meta", Status: PartyOK})
				x.first.Settings.MaxCalls = tt.calls
				if short {
					x.first.Settings.MaxCalls--
				}
				x.say("OPEN/0/claude", proposing())
				x.say("CHALLENGE/1/gemini", agreeing())
				tt.say(x)
				p := x.run(t)
				s := p.end()
				if p.asked(tt.due) == short {
					t.Fatalf("short %v, and %s was asked: %v", short, tt.due, !short)
				}
				if short {
					unsettled(t, s)
				}
				if short && s.Ending.Confidence != Low {
					t.Errorf("confidence %s", s.Ending.Confidence)
				}
				if s.Agenda.Decisions[0].Settled == short || (s.Ending.Outcome == Consensus) == short {
					t.Errorf("short %v: settled %v, outcome %s, exit %s (%s)", short, s.Agenda.Decisions[0].Settled, s.Ending.Outcome, s.Talk.Exit, s.Talk.ExitWhy)
				}
			}
		})
	}
}

// TestASettledCriticalDecisionIsNotScored: what all agree on waits for a person with what was
// said, and no call is spent on sheets for it.
func TestASettledCriticalDecisionIsNotScored(t *testing.T) {
	t.Parallel()
	x := waiting()
	p := x.run(t)
	s := p.end()
	if d := s.Agenda.Decisions[0]; p.asked("SCORE/1/claude") || d.Rubric != nil || d.Outcome != AwaitingHuman || s.Ending.Confidence != High {
		t.Errorf("sheets %v, the decision is %s, confidence %s", d.Rubric, d.Outcome, s.Ending.Confidence)
	}
}

// TestShortTimeStillAsks: every budget of time that the settings allow, and every time that
// a call of a party may take, leaves room for a debate. One that is longer than the whole
// run would keep its party from being asked at all.
func TestShortTimeStillAsks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ minutes, timeout, open, respond int }{
		{0, 0, 300, 120}, {240, 1800, 1800, 1800}, {20, 900, 900, 900}, // as the settings say
		{20, 1800, 570, 570}, {10, 0, 270, 120}, {5, 0, 120, 120}, {5, 30, 30, 30}, {20, 60, 60, 60}, {3, 120, 120, 120}, {3, 140, 67, 67}, {3, 0, 67, 67}, {1, 0, 22, 22},
	} {
		x := newScene("gpt")
		x.first.Settings.BudgetMinutes = tt.minutes
		for i := range x.parties {
			x.parties[i].TimeoutS = tt.timeout
		}
		x.say("OPEN/0/claude", proposing())
		x.say("CHALLENGE/1/gpt", agreeing())
		p := x.run(t)
		s := p.end()
		if !p.asked("OPEN/0/claude") || !p.asked("CHALLENGE/1/gpt") {
			t.Errorf("%d minutes, %d s for a call: %s because %s", tt.minutes, tt.timeout, s.Ending.Outcome, s.Ending.OutcomeReason.Code)
		}
		open, respond := s.Timeout(Ask{Kind: CallOpen, Party: "claude"}), s.Timeout(Ask{Kind: CallRespond, Party: "claude"})
		if open != tt.open || respond != tt.respond {
			t.Errorf("%d minutes, %d s for a call: %d s to open and %d s to respond, want %d and %d", tt.minutes, tt.timeout, open, respond, tt.open, tt.respond)
		}
	}
}
