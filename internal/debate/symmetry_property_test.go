package debate

import (
	"fmt"
	"slices"
	"testing"
)

// TestSymmetryProperty: one script of attack and defence, played about a
// claim of the primary and about a claim of a challenger, gives the challenge the
// same statuses and the claim the same bucket: who raised a claim is no evidence
// (R153).
func TestSymmetryProperty(t *testing.T) {
	t.Parallel()
	for seed := *walkFrom; seed < *walkFrom+*walks; seed++ {
		d := diceOf(seed, "symmetry")
		script := duel{
			kind: pick(d, ClassSkeptical, ClassReject), proof: d.chance(50),
			owner:    []string{pick(d, "silent", "defend", "defend", "concede", "give up"), pick(d, "silent", "defend", "concede")},
			attacker: []string{pick(d, "accept", "maintain"), pick(d, "accept", "maintain")},
		}
		own, theirs := script.play("claude", "gpt"), script.play("gpt", "claude")
		if !slices.Equal(own, theirs) {
			t.Fatalf("seed %d: %+v: a claim of the primary goes %v, one of a challenger %v", seed, script, own, theirs)
		}
	}
}

// duel is a script: how one claim is attacked, how its owner answers each time,
// and what the attacker makes of it.
type duel struct {
	kind            Class
	proof           bool // the attack cites what is there
	owner, attacker []string
}

// play plays a duel and lists the statuses of the challenge, each once in a row,
// and the bucket of the claim.
func (x duel) play(owner, attacker string) []string {
	w := calmWorld(0)
	w.first, w.split.Target, w.head, w.hits, w.triggers, w.runs, w.skip, w.pace = received(), TargetCode, "h1", nil, nil, nil, "", 1000
	w.first.Mode = Minimal
	w.parties = []Party{
		{ID: "claude", Role: Primary, Family: "anthropic", Status: PartyOK}, {ID: "gpt", Role: Challenger, Family: "openai", Status: PartyOK},
	}
	w.split.Chunks = w.split.Chunks[:1]
	there := []Ref{{Citation: Citation{Path: "a.go", Side: Right, StartLine: 3, EndLine: 3, Quote: "some quoted line"}, Found: Found{OK: true, Changed: true, InHunk: true}}}
	answers, judgments, last := 0, 0, 0 // last: number of the event that ends the script
	w.edit = func(a Ask, r *Replied) {
		reply := Reply{Summary: "s", Recommendation: Revise, Disposition: Revise, Verdict: VerdictAgree, Checked: []Check{{Scenario: "tried it"}}}
		*r = Replied{Ask: a.ID, Status: CallOK, Reply: &reply}
		raises := owner == "claude" && a.Kind == CallOpen || owner == "gpt" && a.Kind == CallChallenge
		if raises {
			reply.Claims = []NewClaim{{Segment: "S1", Kind: Empirical, Severity: P2, Category: Correctness, Title: "wrong lock", Refs: there}}
		}
		s := w.now
		if a.Party == attacker && len(s.Book.Challenges) == 0 && len(s.Book.Claims) > 0 && a.Kind != CallOpen {
			ev := Evaluating{Claim: "F1", Class: x.kind, Flaw: "it is not so"}
			if x.proof {
				ev.Refs = there
			}
			reply.Evaluations = []Evaluating{ev}
			return
		}
		if len(s.Book.Challenges) == 0 {
			return
		}
		k := s.Book.Challenges[0]
		switch {
		case a.Party == owner && (k.Status == Open || k.Status == Dropped) && answers < len(x.owner):
			x.answer(&reply, x.owner[answers])
			answers, last = answers+1, s.N+1
		case a.Party == attacker && k.Status == Defended && judgments < len(x.attacker):
			x.judge(&reply, a.Kind == CallRespond, x.attacker[judgments])
			judgments, last = judgments+1, s.N+1
		}
	}
	p := w.play()
	var seen []string
	for _, s := range p.states {
		if len(s.Book.Challenges) == 0 || s.N > last {
			continue
		}
		if status := string(s.Book.Challenges[0].Status); len(seen) == 0 || seen[len(seen)-1] != status {
			seen = append(seen, status)
		}
	}
	c := p.end().Book.Claims[0]
	return append(seen, fmt.Sprintf("%s %s", c.Bucket, c.Reason))
}

func (x duel) answer(r *Reply, how string) {
	a := Answer{Challenge: "K1", Move: Rebuff, Text: "line 3 says so"}
	switch how {
	case "silent":
		return
	case "concede":
		a.Move, a.Text = Accept, "you are right"
	case "give up":
		a.Move, a.Text = Accept, ""
	}
	r.Answers = []Answer{a}
}

// judge says what an attacker makes of a defence: a challenger by answering its
// own challenge, the primary by weighing the claim again (R153).
func (x duel) judge(r *Reply, primary bool, how string) {
	switch {
	case primary && how == "accept":
		r.Evaluations = []Evaluating{{Claim: "F1", Class: ClassAgree, Flaw: "the line says so"}}
	case primary:
		r.Evaluations = []Evaluating{{Claim: "F1", Class: x.kind, Flaw: "still not"}}
	case how == "accept":
		r.Answers = []Answer{{Challenge: "K1", Move: Accept, Text: "the line says so"}}
	default:
		r.Answers = []Answer{{Challenge: "K1", Move: Maintain, Text: "still not"}}
	}
}
