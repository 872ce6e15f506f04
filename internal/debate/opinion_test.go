package debate

import (
	"fmt"
	"slices"
)

// opinion is what a party holds of a finding of another one, from the beginning to
// the end.
type opinion string

const (
	confirms opinion = "confirms" // with lines
	argues   opinion = "argues"   // for it, without lines
	says     opinion = "says"     // nothing of it
	doubts   opinion = "doubts"   // it, without lines
	refutes  opinion = "refutes"  // it, with other lines of its declaration
)

// council is a debate of parties that hold opinions. Each finding stands in a
// declaration of its own, 20 lines long; what a party quotes for or against one it
// quotes of these. Nobody gives in.
type council struct {
	*world
	findings []finding
	silent   bool // whoever holds a finding answers no objection to it
	joins    *joining
}

// finding is what one party opens with, and what the others hold of it.
type finding struct {
	owner    string
	severity Severity
	place    int // number of its declaration
	opinions map[string]opinion
}

// joining is a party that comes to a council to change what it comes to.
type joining struct {
	id      string
	conduct conduct
}

// conduct is what a party that joins does about every finding.
type conduct string

const (
	saysNo       conduct = "says no, and cites nothing"
	saysYes      conduct = "says yes, and cites nothing"
	quotesNear   conduct = "quotes other lines of the declaration"
	quotesOwn    conduct = "quotes the line of the finding itself"
	quotesRemark conduct = "quotes comments of the change"
	decoys       conduct = "raises nonsense on its line, and concedes it"
)

func conducts() []conduct {
	return []conduct{saysNo, saysYes, quotesNear, quotesOwn, quotesRemark, decoys}
}

const (
	declarationLines = 20
	findingAt        = 4 // line of a finding within its declaration
	remarkAt         = 19
)

// convene makes the council of a seed: two to four parties of as many families, one
// to three findings.
func convene(seed int) *council {
	d := diceOf(seed, "council")
	first := received()
	first.Settings.Opening = pick(d, OpenParallel, OpenParallel, OpenPosition)
	first.Settings.FailOn, first.Settings.Gate = FailP1, Advisory
	first.Mode = pick(d, Standard, Standard, Minimal)
	w := &world{dice: &dice{x: uint64(seed)}, seed: seed, first: first, split: splitDone(), head: "h1", styles: map[string]style{}, pace: 1000, titles: 1, calm: true}
	x := &council{world: w}
	x.ground()
	families := []string{"anthropic", "openai", "google", "meta"}
	for i, id := range []string{"claude", "gpt", "gemini", "llama"}[:2+d.n(3)] {
		role := Challenger
		if i == 0 {
			role = Primary
		}
		w.parties = append(w.parties, Party{ID: id, Role: role, Family: families[i], Status: PartyOK})
	}
	for i := range 1 + d.n(3) {
		f := finding{owner: w.parties[d.n(len(w.parties))].ID, severity: pick(d, P1, P1, P2, P3), place: i, opinions: make(map[string]opinion)}
		for _, p := range w.parties {
			f.opinions[p.ID] = pick(d, confirms, confirms, confirms, argues, says, doubts, refutes)
		}
		x.findings = append(x.findings, f)
	}
	w.edit = func(ask Ask, r *Replied) {
		reply := x.speak(ask)
		*r = Replied{Ask: ask.ID, Status: CallOK, Reading: ReadJSON, Reply: &reply}
	}
	return x
}

// ground is the change of a council: one file, read in one piece.
func (x *council) ground() {
	w := x.world
	lines := 5 * declarationLines
	w.split.Target = TargetCode
	w.split.Segments = []Segment{{ID: "S1", Kind: CodeSegment, Path: "a.go", Side: Right, StartLine: 1, EndLine: lines, TextHash: "t1"}}
	w.split.Coverage = []Coverage{{ID: "H1", Path: "a.go", Side: Right, StartLine: 1, EndLine: lines, Additions: lines, Segments: []string{"S1"}}}
	w.split.Totals = Totals{Files: 1, Additions: lines, Parts: 1}
	w.split.Chunks = []Chunk{{ID: "X1", Segments: []string{"S1"}}}
}

// with seats one more party.
func (x *council) with(id, family string, how conduct) *council {
	x.joins = &joining{id: id, conduct: how}
	x.parties = append(slices.Clone(x.parties), Party{ID: id, Role: Challenger, Family: family, Status: PartyOK})
	return x
}

// quotingAt quotes one line of a declaration, counted from its first.
func quotingAt(place, at int) []Ref {
	line := place*declarationLines + at
	found := Found{OK: true, Changed: true, InHunk: true, DeclStart: place*declarationLines + 1, DeclEnd: (place + 1) * declarationLines}
	if at != remarkAt {
		found.Code = Lines(0).With(0)
	}
	return []Ref{{Citation: Citation{Path: "a.go", Side: Right, StartLine: line, EndLine: line, Quote: fmt.Sprintf("line %03d of the text", line)}, Found: found}}
}

// of is the finding that a claim states, nil if it is somebody's nonsense.
func (x *council) of(c *Claim) *finding {
	for i := range x.findings {
		if f := &x.findings[i]; c != nil && c.Title == f.title() {
			return f
		}
	}
	return nil
}

func (f finding) title() string {
	return []string{"nil map is written", "total overflows its type", "lock outlives the request"}[f.place]
}

func (x *council) speak(ask Ask) Reply {
	r := Reply{Summary: "as before", Verdict: VerdictPartial, Strength: StrengthMinor, Checked: []Check{{Segment: "S1", Scenario: "an empty input"}}}
	r.Disposition = x.wants(ask.Party)
	r.Recommendation, r.Confidence = r.Disposition, DeclaredHigh
	if j := x.joins; j != nil && j.id == ask.Party {
		r.Checked = nil
	}
	raises := ask.Kind == CallOpen || ask.Kind == CallChallenge && !x.opened(ask.Party)
	if raises {
		r.Claims = x.raise(ask.Party)
	}
	if ask.Kind == CallChallenge || ask.Kind == CallRespond || ask.Kind == CallRebut {
		x.weigh(ask, &r)
		x.stand(ask, &r)
	}
	if ask.Kind == CallChallenge && x.now.Table.Primary == ask.Party {
		r.Position = &Restated{Disposition: r.Disposition, Summary: "as before"}
	}
	return r
}

// opened reports whether a party was asked to open.
func (x *council) opened(party string) bool {
	return slices.ContainsFunc(x.now.Asking.Calls, func(c Call) bool { return c.Party == party && c.Kind == CallOpen })
}

// wants is revise for whoever holds a finding that weighs, and keep for the rest.
func (x *council) wants(party string) Disposition {
	for _, f := range x.findings {
		if held := f.owner == party || f.opinions[party] == confirms || f.opinions[party] == argues; held && f.severity.AtLeast(P2) {
			return Revise
		}
	}
	return Keep
}

func (x *council) raise(party string) []NewClaim {
	var list []NewClaim
	for _, f := range x.findings {
		if f.owner == party {
			list = append(list, NewClaim{Segment: "S1", Kind: Empirical, Severity: f.severity, Category: Correctness, Title: f.title(), Body: "it fails", Refs: quotingAt(f.place, findingAt)})
		}
		if j := x.joins; j != nil && j.id == party && j.conduct == decoys {
			list = append(list, NewClaim{Segment: "S1", Kind: Empirical, Severity: P1, Category: Docs, Title: "odd word about the " + f.title(), Body: "a word is odd", Refs: quotingAt(f.place, findingAt)})
		}
	}
	return list
}

// weigh says once of every claim of others what the party holds of it.
func (x *council) weigh(ask Ask, r *Reply) {
	for _, c := range x.now.Book.Claims {
		if c.SameAs != "" || c.Owner == ask.Party || c.last(ask.Party) != nil {
			continue
		}
		if ev, speaks := x.evaluation(ask.Party, c); speaks {
			r.Evaluations = append(r.Evaluations, ev)
		}
	}
}

func (x *council) evaluation(party string, c Claim) (Evaluating, bool) {
	ev := Evaluating{Claim: c.ID, Class: ClassReject, View: Contradicts, Flaw: "nobody calls it so", Severity: c.Severity}
	f := x.of(&c)
	if f == nil { // nonsense: everybody doubts it
		ev.Class, ev.View = ClassSkeptical, ""
		return ev, true
	}
	if j := x.joins; j != nil && j.id == party {
		switch j.conduct {
		case saysYes:
			return Evaluating{Claim: c.ID, Class: ClassAgree, View: Supports, Severity: c.Severity}, true
		case quotesNear:
			ev.Refs = quotingAt(f.place, findingAt+3)
		case quotesOwn:
			ev.Refs = quotingAt(f.place, findingAt)
		case quotesRemark:
			ev.Refs = quotingAt(f.place, remarkAt)
		case decoys:
			return ev, false
		}
		return ev, true
	}
	switch f.opinions[party] {
	case confirms:
		return Evaluating{Claim: c.ID, Class: ClassAgree, View: Supports, Severity: f.severity, Refs: quotingAt(f.place, findingAt+1)}, true
	case argues:
		return Evaluating{Claim: c.ID, Class: ClassAgree, View: Supports, Severity: f.severity, Flaw: "the caller passes nil"}, true
	case doubts:
		return ev, true
	case refutes:
		ev.Refs = quotingAt(f.place, findingAt+2)
		return ev, true
	}
	return ev, false
}

// stand answers for what a party holds: a finding with a line not quoted before, an
// objection again and again. Nonsense is conceded.
func (x *council) stand(ask Ask, r *Reply) {
	for _, k := range x.now.Book.Challenges {
		c := x.now.Book.claim(k.Claim)
		f := x.of(c)
		switch {
		case k.Defender == ask.Party && c != nil && f == nil:
			r.Answers = append(r.Answers, Answer{Challenge: k.ID, Move: Accept, Text: "you are right"})
		case k.Defender == ask.Party && f != nil && x.silent:
		case k.Defender == ask.Party:
			a := Answer{Challenge: k.ID, Move: Rebuff, Text: "it is so"}
			if f != nil {
				a.Refs = quotingAt(f.place, findingAt+3+ask.N)
			}
			r.Answers = append(r.Answers, a)
		case k.Attacker == ask.Party && f != nil && x.now.Table.Primary == ask.Party && k.Status == Defended:
			r.Evaluations = append(r.Evaluations, Evaluating{Claim: k.Claim, Class: ClassSkeptical, View: Contradicts, Flaw: "it is not so"})
		case k.Attacker == ask.Party:
			r.Answers = append(r.Answers, Answer{Challenge: k.ID, Move: Maintain, Text: "it is not so"})
		}
	}
}
