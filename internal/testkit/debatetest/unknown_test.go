package debatetest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/prompt"
	"github.com/prdebate/debate/internal/testkit/long"
)

// TestIDsThatNeverWere lets one party answer, besides what it is asked, what does
// not exist: nothing moves, and the debate ends in as many calls.
func TestIDsThatNeverWere(t *testing.T) {
	t.Parallel()
	long.Check(t, func(t *rapid.T) {
		w := Table(rapid.IntRange(1, 3).Draw(t, "challengers"))
		w.Received.Settings.Opening = rapid.SampledFrom([]debate.Opening{debate.OpenPosition, debate.OpenParallel}).Draw(t, "opening")
		cast := Cast(w, Honest())
		for _, id := range []string{"claude", "gpt"} {
			cast[id] = rapid.SampledFrom([]Party{Honest(foundBy(t, id)...), EternalDissenter(), Stubborn(), Colluder()}).Draw(t, id)
		}
		before := end(t, w, cast)
		who := rapid.SampledFrom([]string{"claude", "gpt"}).Draw(t, "who")
		cast[who] = Twist(cast[who], strange)
		after := end(t, w, cast)
		if diff := cmp.Diff(places(before), places(after)); diff != "" {
			t.Errorf("findings move:\n%s", diff)
		}
		if End(before) != End(after) || len(before.Asking.Calls) != len(after.Asking.Calls) {
			t.Errorf("%d calls, %s\nbecame %d calls, %s", len(before.Asking.Calls), End(before), len(after.Asking.Calls), End(after))
		}
	})
}

// strange adds to a reply what is about nothing that there is.
func strange(_ debate.State, ask debate.Ask, r *debate.Reply) {
	line := []debate.Ref{Cart().Cite("cart.go", 13, 13)}
	for _, id := range []string{"K999", "F999", "K0", "K-1", "k1", ""} {
		r.Answers = append(r.Answers[:len(r.Answers):len(r.Answers)], debate.Answer{Challenge: id, Move: debate.Accept, Text: "conceded", Refs: line})
	}
	for _, id := range []string{"F999", "C0", "K1", "D0"} {
		r.Evaluations = append(r.Evaluations[:len(r.Evaluations):len(r.Evaluations)], debate.Evaluating{Claim: id, Class: debate.ClassReject, View: debate.Contradicts, Flaw: "it is not there", Refs: line})
		r.Repairs = append(r.Repairs, debate.Repair{Claim: id, Refs: line})
	}
	r.Carried = append(r.Carried, debate.Carrying{ID: "F999", Class: debate.Fixed, Refs: line})
	r.FinalOptions = append(r.FinalOptions[:len(r.FinalOptions):len(r.FinalOptions)], debate.FinalOption{Decision: "D999", Option: "reject"})
	if ask.Kind == debate.CallScore {
		r.Sheets = append(r.Sheets[:len(r.Sheets):len(r.Sheets)], debate.Sheet{Decision: "D999", Rationale: "as argued"})
	}
}

// TestLongRepliesMakeShortTurns: whoever fills every text with as much as a reply
// may hold, the turns of all others stay small enough to be sent.
func TestLongRepliesMakeShortTurns(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 60<<10/5)
	longest := 0
	measured := func(party Party) Party {
		return func(s debate.State, ask debate.Ask) debate.Replied {
			longest = max(longest, len(prompt.NewPacket(s, Cart().set, prompt.PacketOptions{}).Render(s, ask).Turn))
			return party(s, ask)
		}
	}
	wordy := Twist(EternalDissenter(), func(_ debate.State, _ debate.Ask, r *debate.Reply) {
		r.Summary, r.Alternative, r.WhyDisagree, r.RightIf = long, long, long, long
		r.Reasoning, r.Missing, r.AssumptionsChallenged = []string{long, long}, []string{long}, []string{long}
		for i := range r.Claims {
			r.Claims[i].Body = long
		}
		for i := range r.Answers {
			r.Answers[i].Text = long
		}
		for i := range r.Evaluations {
			r.Evaluations[i].Flaw = long
		}
	})
	w, cast := seated(2, map[string]Party{"claude": measured(Stubborn()), "gpt": wordy, "gemini": measured(Honest(Planted()[1]))})
	s, _ := playedAs(t, w, cast, Forward)
	if longest < 4<<10 || longest > 64<<10 || len(s.Asking.Calls) < 4 {
		t.Errorf("the longest of %d turns has %d bytes", len(s.Asking.Calls), longest)
	}
}
