package debate

import (
	"strconv"
	"strings"
)

// speaker makes one reply of one party.
type speaker struct {
	*dice
	style
	world      *world
	state      State
	ask        Ask
	claims     []string
	challenges []string
	decisions  []string
}

// reply is what the party of an ask replies to it.
func (w *world) reply(s State, ask Ask) Replied {
	d := diceOf(w.seed, ask.ID)
	style, known := w.styles[ask.Party]
	if !known {
		style = styleNamed("plain")
	}
	usage := Usage{TokensIn: 100, TokensOut: 10, CostMicro: int64(d.n(200)), CostUnknown: d.chance(5)}
	switch {
	case d.chance(style.fails):
		return Replied{Ask: ask.ID, Status: pick(d, CallTimeout, CallTimeout, CallAuth, CallRate, CallNotFound, CallError), Usage: usage}
	case d.chance(style.malformed):
		return Replied{Ask: ask.ID, Status: CallMalformed, Detail: "not JSON", Usage: usage}
	}
	k := &speaker{dice: d, style: style, world: w, state: s, ask: ask, decisions: []string{"D0"}}
	for _, c := range s.Book.Claims {
		k.claims = append(k.claims, c.ID)
	}
	for _, c := range s.Book.Challenges {
		k.challenges = append(k.challenges, c.ID)
	}
	for _, x := range s.Agenda.Decisions {
		k.decisions = append(k.decisions, x.ID)
	}
	reply := k.talk()
	return Replied{Ask: ask.ID, Status: CallOK, Reading: ReadJSON, Reply: &reply, Raw: "{}", Usage: usage, Late: d.chance(1) && style.fails > 0}
}

// id draws one of the ids, and now and then one that is nobody's.
func (k *speaker) id(list []string, letter string) string {
	if len(list) == 0 || k.chance(5) {
		return letter + strconv.Itoa(k.n(30))
	}
	return list[k.n(len(list))]
}

func (k *speaker) refs() []Ref {
	var refs []Ref
	for range 1 + k.n(2) {
		if !k.chance(k.cites) {
			continue
		}
		r := Ref{Citation: Citation{
			Path: pick(k.dice, "a.go", "a.go", "b.go", BodyPath), Side: Right, StartLine: 1 + k.n(9), Quote: pick(k.dice, "some quoted line", "}", "another quoted line"),
		}}
		r.EndLine = r.StartLine + k.n(2)
		if k.chance(12) {
			r = Ref{RunRef: pick(k.dice, "check:1", "check:9")}
		} else if k.chance(k.found) {
			inside := k.chance(92)
			r.Found = Found{OK: true, Changed: inside && k.chance(80), InHunk: inside, Code: pick(k.dice, Lines(1), 1, 0)}
		}
		refs = append(refs, r)
	}
	return refs
}

func (k *speaker) text() string {
	if !k.chance(k.argues) {
		return ""
	}
	return pick(k.dice, "because of line 3", "the test shows it", strings.Repeat("ß", 9), "\x00 \"quoted\" @all </script>")
}

func (k *speaker) severity() Severity {
	if k.only != "" {
		return k.only
	}
	return pick(k.dice, P1, P2, P3, "")
}

func (k *speaker) claim() NewClaim {
	c := NewClaim{
		Segment: pick(k.dice, "S1", "S2", "S3", "", "S9"), Kind: pick(k.dice, Empirical, Empirical, Empirical, Value, Proposal, ""),
		Severity: k.severity(), Category: pick(k.dice, Correctness, Security, Docs, ""),
		Body: "it fails", Refs: k.refs(),
	}
	titles := []string{"nil pointer", "wrong lock", "slow loop", "name is odd"}
	c.Title = pick(k.dice, titles...)
	if n := k.n(k.world.titles); n >= len(titles) {
		c.Title = "defect number " + strconv.Itoa(n)
	}
	if k.chance(5) {
		c.SameAs = k.id(k.claims, "F")
	}
	return c
}

func (k *speaker) amend() *Amend {
	if !k.chance(15) {
		return nil
	}
	return &Amend{Title: pick(k.dice, "", "clearer title"), Severity: k.severity(), Refs: k.refs()}
}

func (k *speaker) disposition() Disposition {
	if at := k.state.Talk.Position().Disposition; k.follows && at != Continue {
		return at
	}
	return pick(k.dice, Keep, Keep, Revise, Reject, Continue)
}

func (k *speaker) talk() Reply {
	d := k.dice
	r := Reply{Summary: "s", Recommendation: k.disposition(), Missing: []string{"tests"}}
	if d.chance(k.asserts) {
		for range 1 + d.n(3) {
			r.Critical = append(r.Critical, Assertion{Trigger: pick(d, TriggerSecurity, TriggerMoney, ""), Refs: k.refs(), Reason: "money moves"})
		}
	}
	if d.chance(70) {
		gain := k.gain
		if gain < 0 {
			gain = pick(d, 0, 100, 499, 500, 9000)
		}
		r.Delta = &Rating{ValueBP: gain}
	}
	if d.chance(30) {
		r.WhyDisagree, r.RightIf, r.CoreAssumption = "why", "if", "core"
	}
	for range d.n(3) {
		r.FinalOptions = append(r.FinalOptions, FinalOption{Decision: k.id(k.decisions[1:], "D"), Option: pick(d, "a", "b", "address", "zzz")})
	}
	if !k.follows && d.chance(20) {
		r.FinalOptions = append(r.FinalOptions, FinalOption{Decision: "D0", Option: pick(d, "keep", "revise", "reject", "zzz")})
	}
	switch k.ask.Kind {
	case CallOpen, CallLocal:
		k.open(&r)
	case CallChallenge:
		k.challenge(&r)
	case CallRespond, CallRebut:
		k.confront(&r)
	case CallJudge1, CallJudge2:
		r.Option, r.Reason = pick(d, "a", "a", "b", "status_quo", "zzz"), k.text()
		r.Changed = d.chance(30)
		if d.chance(50) {
			r.ConvincedBy = &Convinced{Judge: pick(d, "risk", "value"), Argument: k.text()}
			r.Counters = []Counter{{To: "value", Text: k.text()}, {To: "risk", Text: "no"}, {To: "effort", Text: "no"}}
		}
	case CallScore:
		k.score(&r)
	case CallArbiter:
		bad := pick(d, 5, 30, 80)
		for _, c := range k.claims {
			f := Flagged{Claim: c, Flag: FlagOK, Note: k.text()}
			if d.chance(bad) {
				f.Flag = pick(d, FlagUnsupported, FlagUnjustified, FlagNotBlocked)
			}
			r.Flags = append(r.Flags, f)
		}
	}
	return r
}

func (k *speaker) open(r *Reply) {
	d := k.dice
	r.Disposition = pick(d, Keep, Keep, Revise, Reject)
	r.Confidence = pick(d, DeclaredHigh, DeclaredMed, DeclaredLow)
	for range d.n(k.style.claims + 1) {
		r.Claims = append(r.Claims, k.claim())
	}
	if d.chance(45) {
		q := Question{
			Question: "which queue", ScopeCritical: d.chance(60), Options: []Option{{ID: "a", Label: "A"}, {ID: "b", Label: "B", StatusQuo: d.chance(50)}},
		}
		if d.chance(k.asserts) {
			q.Critical = []Assertion{{Trigger: TriggerArchitecture, Refs: k.refs()}}
		}
		r.Questions = []Question{q}
	}
	if d.chance(k.speaks) {
		r.Carried = []Carrying{{ID: "F91", Class: pick(d, Stands, Fixed, Fixed), Refs: k.refs()}}
	}
}

func (k *speaker) challenge(r *Reply) {
	d := k.dice
	r.Verdict = pick(d, VerdictAgree, VerdictAgree, VerdictPartial, VerdictDisagree, "")
	r.Strength = pick(d, StrengthNone, StrengthMinor, StrengthStrong)
	if k.follows {
		r.Verdict, r.Strength = VerdictAgree, StrengthNone
	}
	k.evaluate(r)
	for range d.n(k.style.claims/2 + 1) {
		r.Claims = append(r.Claims, k.claim())
	}
	if d.chance(k.argues) {
		r.Checked = []Check{{Claim: k.id(k.claims, "F"), Scenario: k.text(), Refs: k.refs()}}
	} else if d.chance(k.argues) && d.chance(60) {
		r.Strongest = &Objection{Claim: k.id(k.claims, "F"), Segment: pick(d, "", "S1"), Text: k.text(), Refs: k.refs(), Fatal: pick(d, FatalYes, FatalNo, FatalMitigable)}
	}
	if d.chance(k.speaks) {
		r.Carried = []Carrying{{ID: "F91", Class: pick(d, Stands, Fixed, ""), Refs: k.refs()}}
	}
}

func (k *speaker) evaluate(r *Reply) {
	d := k.dice
	for _, c := range k.claims {
		if !d.chance(k.speaks) {
			continue
		}
		ev := Evaluating{Claim: c, Class: ClassAgree, Flaw: k.text(), Refs: k.refs(), View: pick(d, "", Supports), Severity: k.severity()}
		if !d.chance(k.agrees) {
			ev.Class, ev.View = pick(d, ClassSkeptical, ClassSkeptical, ClassReject, ClassReject, ClassIllFormed), pick(d, "", Contradicts, Irrelevant)
		}
		r.Evaluations = append(r.Evaluations, ev)
		if d.chance(k.argues / 8) {
			r.Changes = append(r.Changes, Change{Claim: c, Because: k.text()})
		}
	}
}

func (k *speaker) confront(r *Reply) {
	d := k.dice
	rebuts := k.ask.Kind == CallRebut
	for _, c := range k.state.Book.Challenges {
		own := c.Defender == k.ask.Party
		if !own && c.Attacker != k.ask.Party && !k.forges || !d.chance(k.speaks) {
			continue
		}
		a := Answer{Challenge: c.ID, Move: pick(d, Partial, Rebuff, Rebuff), Text: k.text(), Refs: k.refs(), Amend: k.amend()}
		if !own {
			a.Move, a.Amend = pick(d, Maintain, Maintain, Escalate), nil
		}
		if d.chance(k.yields) && !k.stands {
			a.Move = Accept
		}
		if own && rebuts && d.chance(60) && a.Move != Accept {
			a.Move = "" // as it came in a list of defences
		}
		r.Answers = append(r.Answers, a)
		if d.chance(30) || k.stands {
			v := DeadlockView{Challenge: c.ID, Class: pick(d, k.world.creed, k.world.creed, k.world.creed, k.world.creed, MissingData, Criteria)}
			if d.chance(k.argues) {
				v.Measurement, v.Threshold, v.Effect = "p99 under load", "200 ms", "it falls"
			}
			r.Deadlocks = append(r.Deadlocks, v)
		}
	}
	if !rebuts {
		k.evaluate(r)
		r.Position = &Restated{Disposition: pick(d, Keep, Revise, "", ""), Summary: k.text(), Confidence: pick(d, DeclaredHigh, DeclaredLow, "")}
	} else if d.chance(30) {
		for range d.n(k.style.claims + 1) {
			r.Claims = append(r.Claims, k.claim())
		}
	}
	if d.chance(30) {
		r.Changes = append(r.Changes, Change{Claim: k.id(k.claims, "F"), Because: k.text()})
	}
}

func (k *speaker) score(r *Reply) {
	d := k.dice
	favourite := d.n(11)
	for _, x := range k.state.Agenda.Decisions {
		if x.Rubric == nil {
			continue
		}
		sheet := Sheet{Decision: x.ID, Rationale: k.text()}
		for i, o := range x.Options {
			for _, c := range x.Rubric.Criteria {
				score := d.n(11)
				if favourite < len(x.Options) { // most parties know what they want
					score = 10 - 3*((i+len(x.Options)-favourite)%len(x.Options))
				}
				if d.chance(99) {
					sheet.Scores = append(sheet.Scores, Score{Option: o.ID, Criterion: c.ID, Score: max(score, pick(d, 0, 0, 0, -1))})
				}
			}
		}
		r.Sheets = append(r.Sheets, sheet)
	}
}
