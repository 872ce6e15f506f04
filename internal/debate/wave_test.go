package debate

import "testing"

// TestMoneyBeforeTheCall: a wave does not start if calls as dear as the dearest so
// far would spend more than there is.
func TestMoneyBeforeTheCall(t *testing.T) {
	t.Parallel()
	s := State{Asking: Asking{Calls: []Call{{Usage: Usage{CostMicro: 40}}, {Usage: Usage{CostMicro: 100}}}}}
	for _, tt := range []struct {
		most  int64
		asks  int
		broke bool
	}{{0, 9, false}, {341, 2, false}, {340, 2, false}, {339, 2, true}, {339, 1, false}, {140, 0, true}} {
		s.Received.Settings.MaxCostMicro = tt.most
		m := (&reducer{State: &s, step: &Step{}})
		if why := m.broke(make([]Ask, tt.asks)); why.IsZero() == tt.broke {
			t.Errorf("%d calls with %d millionths in all: %s", tt.asks, tt.most, why)
		}
	}
}

// TestRetryAsksAllBudgets: what could not be read is asked for once more only if
// the calls, the money and the time suffice, whoever replied first.
func TestRetryAsksAllBudgets(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		calls int
		money int64
		after int64 // seconds from the start to the reply
		dear  bool
	}{
		"all suffice":                {calls: 5, money: 500, after: 840},
		"no limit of money":          {calls: 5, after: 840},
		"one call short":             {calls: 4, money: 500, after: 840, dear: true},
		"as dear as this one":        {calls: 5, money: 499, after: 840, dear: true},
		"a second later than it may": {calls: 5, money: 500, after: 841, dear: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := State{Clock: Clock{StartedAt: 5000}, Asking: Asking{Calls: []Call{{Usage: Usage{CostMicro: 100}}}}}
			s.Received.Settings.MaxCalls, s.Received.Settings.MaxCostMicro = tt.calls, tt.money
			m := (&reducer{State: &s, step: &Step{}})
			reply := Replied{Ended: 5000 + 1000*tt.after, Usage: Usage{CostMicro: 90}}
			if got := m.dear(2, Ask{Kind: CallChallenge, Party: "gpt"}, reply); got != tt.dear {
				t.Errorf("too dear: %v", got)
			}
		})
	}
}
