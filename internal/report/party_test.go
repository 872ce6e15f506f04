package report

import (
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestWhyAProviderIsSilent: where a provider said nothing, what became of the last call of its
// party says why it is gone.
func TestWhyAProviderIsSilent(t *testing.T) {
	t.Parallel()
	for status, want := range map[debate.CallStatus]string{debate.CallTimeout: "no reply in time", debate.CallAuth: "the API key or its account was refused", debate.CallOK: ""} {
		e := FromState(debate.State{
			Table: debate.Table{
				Parties: []debate.Party{{ID: "gpt", Role: debate.Challenger, Status: debate.PartyError}},
				Seats:   []debate.Seat{{Party: "gpt", Lost: true}},
			},
			Asking: debate.Asking{Calls: []debate.Call{{Party: "gpt", Status: debate.CallOK}, {Party: "gpt", Status: status}}},
		})
		if got := e.Parties[0].Detail; got != want {
			t.Errorf("%s: %q, want %q", status, got, want)
		}
	}
}

// TestLongFailureIsWhole: the first line shows a long error of a provider with its advice.
func TestLongFailureIsWhole(t *testing.T) {
	t.Parallel()
	const why = "the provider cannot be reached: no connection to the proxy some.long.name.of.a.proxy.in.the.network.of.a.large.company.example.com: no such host; look at the proxy, and at its address in HTTPS_PROXY"
	e := FromState(debate.State{
		Ending: debate.Ending{Outcome: debate.DegradedLocal},
		Table:  debate.Table{Parties: []debate.Party{{ID: "gpt", Role: debate.Primary, Status: debate.PartyError, Detail: why}}},
	})
	if got, want := Headline(e), "not reviewed by a model: gpt failed ("+why+")"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestWhoIsNotReadIsNamed: a party whose answers nobody could read is told like one that
// gave none, and one that was dropped for what it said is not.
func TestWhoIsNotReadIsNamed(t *testing.T) {
	t.Parallel()
	good, bad := debate.Call{Party: "gpt", Status: debate.CallOK}, debate.Call{Party: "gpt", Status: debate.CallMalformed}
	for _, c := range []struct {
		name  string
		calls []debate.Call
		says  string
	}{
		{"never read", []debate.Call{bad, bad}, "changes needed; gpt failed"},
		{"read once", []debate.Call{good, bad, bad}, "changes needed; gpt failed"},
		{"contradicted itself", []debate.Call{bad, good, good}, "changes needed"},
	} {
		e := FromState(debate.State{
			Ending: debate.Ending{Outcome: debate.Consensus, Disposition: debate.Revise},
			Table: debate.Table{
				Parties: []debate.Party{
					{ID: "claude", Role: debate.Primary, Status: debate.PartyOK},
					{ID: "gpt", Role: debate.Challenger, Status: debate.PartyQuality, Detail: "it is empty"},
				},
				Seats: []debate.Seat{{Party: "claude"}, {Party: "gpt", Lost: true}},
			},
			Asking: debate.Asking{Calls: append([]debate.Call{{Party: "claude", Status: debate.CallOK}}, c.calls...)},
		})
		if got := Headline(e); got != c.says {
			t.Errorf("%s: %q, want %q", c.name, got, c.says)
		}
	}
}
