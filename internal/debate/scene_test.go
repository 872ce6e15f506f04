package debate

import "testing"

// scene is a world in which every word is written down: an ask that nobody
// scripted times out.
type scene struct{ *world }

// newScene seats claude, who proposes, and challengers of other families before
// the change of every world, read whole in one piece. Its gate is as strict as
// gates get.
func newScene(challengers ...string) scene {
	families := map[string]string{"gpt": "openai", "gemini": "google"}
	w := &world{dice: &dice{}, first: received(), split: splitDone(), head: "h1", styles: map[string]style{}, pace: 1, titles: 1, calm: true, script: map[string]Replied{}}
	w.change()
	w.split.Target = TargetCode
	w.split.Chunks = []Chunk{{ID: "X1", Segments: []string{"S1", "S2"}}}
	w.split.Coverage[1].Excluded = ""
	w.first.Settings.Gate, w.first.Settings.FailOn = Required, FailP2
	w.parties = []Party{{ID: "claude", Role: Primary, Family: "anthropic", Status: PartyOK}}
	for _, id := range challengers {
		w.parties = append(w.parties, Party{ID: id, Role: Challenger, Family: families[id], Status: PartyOK})
	}
	w.edit = func(ask Ask, r *Replied) {
		if _, known := w.script[ask.ID]; !known {
			*r = Replied{Ask: ask.ID, Status: CallTimeout}
		}
	}
	return scene{w}
}

// say scripts what is replied to an ask.
func (x scene) say(ask string, r Reply) {
	x.script[ask] = Replied{Ask: ask, Status: CallOK, Reading: ReadJSON, Reply: &r}
}

// lose scripts that the key of a party is refused.
func (x scene) lose(ask string) { x.script[ask] = Replied{Ask: ask, Status: CallAuth} }

// run plays the scene until there is nothing to do.
func (x scene) run(t *testing.T) *played {
	t.Helper()
	p := &played{world: x.world, states: []State{{}}}
	p.take(x.first)
	p.goOn(t)
	return p
}

// until plays the scene until a party is asked something.
func (x scene) until(t *testing.T, ask string) *played {
	t.Helper()
	p := &played{world: x.world, states: []State{{}}}
	p.take(x.first)
	for !p.asked(ask) {
		work := Outstanding(p.end())
		if len(work) == 0 {
			t.Fatalf("%s was never asked", ask)
		}
		p.take(p.event(p.end(), work[0]))
	}
	return p
}

// goOn does what is outstanding, in order.
func (p *played) goOn(t *testing.T) {
	t.Helper()
	for len(p.log) < maxEvents {
		work := Outstanding(p.end())
		if len(work) == 0 {
			return
		}
		p.take(p.event(p.end(), work[0]))
	}
	t.Fatal("no end")
}

// asked reports whether a party was asked something.
func (p *played) asked(ask string) bool {
	for _, s := range p.states {
		for _, work := range Outstanding(s) {
			if work.Ask != nil && work.Ask.ID == ask {
				return true
			}
		}
	}
	return false
}

// citing cites a changed line of a.go.
func citing(line int) []Ref {
	return []Ref{{
		Citation: Citation{Path: "a.go", Side: Right, StartLine: line, EndLine: line, Quote: "some quoted line here"},
		Found:    Found{OK: true, Changed: true, InHunk: true, Code: 1},
	}}
}

// citingAuthor cites the description that the author of the change wrote.
func citingAuthor() []Ref {
	return []Ref{{Citation: Citation{Path: BodyPath, Side: Right, StartLine: 1, EndLine: 1, Quote: "table t is unused, trust me"}, Found: Found{OK: true}}}
}

func defect(severity Severity, title string, line int) NewClaim {
	return NewClaim{Segment: "S1", Kind: Empirical, Severity: severity, Category: Correctness, Title: title, Body: title, Refs: citing(line)}
}

// proposing opens with keep.
func proposing(claims ...NewClaim) Reply {
	return Reply{Summary: "fine", Disposition: Keep, Confidence: DeclaredHigh, Claims: claims}
}

// agreeing agrees and shows what was looked at.
func agreeing(evaluations ...Evaluating) Reply {
	return Reply{
		Summary: "fine", Verdict: VerdictAgree, Recommendation: Keep,
		Checked: []Check{{Scenario: "tried nil", Refs: citing(2)}}, Evaluations: evaluations,
	}
}

// dissenting wants a revision.
func dissenting(evaluations ...Evaluating) Reply {
	return Reply{Summary: "data is lost", Verdict: VerdictDisagree, Strength: StrengthStrong, Recommendation: Revise, Evaluations: evaluations}
}

func answering(answers ...Answer) Reply { return Reply{Answers: answers} }

// supporting agrees with a claim and with its evidence.
func supporting(claim string) Evaluating {
	return Evaluating{Claim: claim, Class: ClassAgree, View: Supports, Refs: citing(3)}
}

// doubting cites nothing.
func doubting(claim string) Evaluating {
	return Evaluating{Claim: claim, Class: ClassSkeptical, Flaw: "not sure"}
}

func rejecting(claim string, refs ...Ref) Evaluating {
	return Evaluating{Claim: claim, Class: ClassReject, Flaw: "it is not so", Refs: refs}
}

// seen is a place that the policy names.
func seen(class TriggerClass, line int) Trigger {
	return Trigger{ID: TriggerSecurity, Source: FromPolicy, Class: class, Path: "a.go", Side: Right, Line: line}
}
