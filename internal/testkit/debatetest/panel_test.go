package debatetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/debate/jury"
	"github.com/prdebate/debate/internal/prompt"
)

func TestB22SheetGamer(t *testing.T) {
	t.Parallel()
	for _, missing := range []bool{true, false} {
		w, cast := seated(2, map[string]Party{"claude": Stubborn(), "gpt": SheetBreaker(EternalDissenter(), missing)})
		s := played(t, w, cast)
		if n := callsOf(s, "gpt", debate.CallScore); n != 2 {
			t.Errorf("a sheet that cannot be counted is asked for %d times", n)
		}
		for _, sheet := range d0(s).Rubric.Sheets {
			if sheet.Valid == (sheet.Party == "gpt") {
				t.Errorf("the sheet of %s: valid %v, %s", sheet.Party, sheet.Valid, sheet.Flaw)
			}
		}
	}
	w, cast := seated(1, map[string]Party{"claude": SheetGamer(Stubborn(), "keep"), "gpt": SheetGamer(EternalDissenter(), "reject")})
	s := played(t, w, cast)
	if d := d0(s); d.Outcome != debate.AwaitingHuman || len(d.Rubric.Tied) == 0 {
		t.Errorf("two extremes make %s, %v are tied", d.Outcome, d.Rubric.Tied)
	}
}

// TestB23Peeker looks for words of one party's sheet or vote in every prompt
// that another party gets in the same wave.
func TestB23Peeker(t *testing.T) {
	t.Parallel()
	const canary = "xyzzy-canary-4711"
	asked := 0
	watch := func(party Party) Party {
		return func(s debate.State, ask debate.Ask) debate.Replied {
			if ask.Kind == debate.CallScore || ask.Kind == debate.CallJudge1 {
				asked++
				p := prompt.NewPacket(s, Cart().set, prompt.PacketOptions{}).Render(s, ask)
				if strings.Contains(p.System+p.Packet+p.Turn, canary) {
					t.Errorf("the prompt of %s shows what another party wrote", ask.ID)
				}
			}
			return party(s, ask)
		}
	}
	w := Table(2)
	cast := Cast(w, watch(Peeker(Honest(), canary)))
	cast["claude"] = watch(Peeker(Asking(Wanting(Stubborn(), "D1", "one")), canary))
	cast["gpt"] = watch(Peeker(Wanting(EternalDissenter(), "D1", "three"), canary))
	played(t, w, cast)
	if asked < 12 { // three judges and three sheets, in two orders
		t.Errorf("only %d prompts were looked at", asked)
	}
}

func TestB24StanceBreaker(t *testing.T) {
	t.Parallel()
	w, cast := seated(1, map[string]Party{
		"claude": Asking(Wanting(Stubborn(), "D1", "one")), "gpt": Wanting(EternalDissenter(), "D1", "three"),
		"risk": Voting("three", "three", nil), "value": Voting("two", "three", nil), "effort": Voting("one", "one", nil),
	})
	s := played(t, w, cast)
	d := s.Agenda.Decisions[1]
	if d.Panel == nil || len(d.Panel.Rounds) != 2 {
		t.Fatalf("there was no second round: %+v", d.Panel)
	}
	v := d.Panel.Rounds[1].Votes[1]
	if v.Option != "two" || v.Note.Code == "" || d.Panel.Consensus || d.Outcome != debate.AwaitingHuman {
		t.Errorf("a silent change counts: it votes %s (%s), consensus %v, %s", v.Option, v.Note.Code, d.Panel.Consensus, d.Outcome)
	}
}

func TestB25Judges(t *testing.T) {
	t.Parallel()
	three := map[string]Party{
		"claude": Asking(Wanting(Stubborn(), "D1", "one")), "gpt": Wanting(EternalDissenter(), "D1", "three"),
		"risk": Voting("three", "three", nil), "value": Voting("two", "two", nil), "effort": Voting("one", "one", nil),
	}
	w, cast := seated(1, three)
	s := played(t, w, cast)
	for i, o := range s.Agenda.Decisions[1].Options {
		if got := s.Agenda.Decisions[1].Panel.Distribution; got[i].Option != o.ID {
			t.Errorf("a person cannot choose %s: %v", o.Label, got)
		}
	}
	if d := s.Agenda.Decisions[1]; d.Panel.Outcome != jury.Contested || d.Outcome != debate.AwaitingHuman || s.Ending.Confidence != debate.RequiresInput {
		t.Errorf("three judges, three options: %s, %s, %s", d.Panel.Outcome, d.Outcome, s.Ending.Confidence)
	}

	cast["effort"] = Failing(debate.CallTimeout)
	cast["value"] = Voting("three", "three", nil)
	s = played(t, w, cast)
	if p := s.Agenda.Decisions[1].Panel; !p.Consensus || debate.PanelConfidence(*p) != debate.Medium || !slices.Contains(p.Missing, debate.StanceEffort) {
		t.Errorf("two judges that agree: consensus %v, %s, missing %v", p.Consensus, debate.PanelConfidence(*p), p.Missing)
	}

	cast["value"] = Failing(debate.CallAuth)
	s = played(t, w, cast)
	if d := s.Agenda.Decisions[1]; d.Panel.Type != jury.Insufficient || d.Outcome != debate.AwaitingHuman {
		t.Errorf("one judge: %s, %s", d.Panel.Type, d.Outcome)
	}
}
