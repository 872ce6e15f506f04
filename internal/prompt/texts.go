package prompt

import (
	"cmp"
	"embed"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

//go:embed texts/*.txt
var texts embed.FS

// text returns one of the embedded texts. A test asks for all of them.
func text(name string) string {
	b, err := texts.ReadFile("texts/" + name + ".txt")
	if err != nil {
		panic("prompt: no text " + name)
	}
	return string(b)
}

// instructions are what a call asks for. They hold no text of anybody in the debate.
type instructions struct {
	s        debate.State
	ask      debate.Ask
	phase    debate.Phase
	chooses  func() bool // the party is asked for a choice beside whether the change stands
	repairs  bool        // it has a citation to mend
	carries  bool        // findings of earlier heads are judged again
	accepted bool        // a person decided to merge with some of them
	language string      // that it writes in, "" for English
}

// request is what a turn asks for.
func (t turner) request() string {
	return instructions{
		s: t.s, ask: t.ask, phase: t.phase(), chooses: t.chooses, repairs: t.repairs(), carries: len(t.findings()) > 0, accepted: slices.ContainsFunc(t.findings(), t.isAccepted), language: t.name(t.s.Received.Language),
	}.request()
}

// chooses reports whether the party is asked for a choice beside whether the change, or
// the answer, stands.
func (t turner) chooses() bool {
	return slices.ContainsFunc(t.decisions(), func(d decision) bool { return d.ID != "D0" })
}

// request puts together what is asked: one text for the kind of call, and what
// this debate and this party add to it.
func (t instructions) request() string {
	var b strings.Builder
	b.WriteString(text(t.main()))
	for _, p := range t.parts() {
		if slices.Contains(p.calls, t.ask.Kind) && p.when() {
			b.WriteString(text(p.text))
		}
	}
	tests := t.s.Received.Settings.Tests
	request := strings.NewReplacer(
		"{looks}", strconv.Itoa(t.s.MayLook(t.ask)), "{tests}", strconv.Itoa(t.s.MayTest(t.ask)),
		"{test_command}", clip(tests.Command, maxHeading), "{test_files}", clip(strings.Join(tests.Files, ", "), maxHeading),
	).Replace(b.String())
	return request + t.framing() + t.inLanguage()
}

// part is a text that a request may have: in which calls, and when.
type part struct {
	text  string
	calls []debate.CallKind
	when  func() bool
}

// parts are all of them, in their order.
func (t instructions) parts() []part {
	every := []debate.CallKind{t.ask.Kind}
	opens, challenges := []debate.CallKind{debate.CallOpen, debate.CallLocal}, []debate.CallKind{debate.CallChallenge}
	opening, raises := []debate.CallKind{debate.CallOpen}, slices.Concat(opens, challenges)
	rebuts, judges := []debate.CallKind{debate.CallRebut}, []debate.CallKind{debate.CallJudge1, debate.CallJudge2}
	responds, exchanges := []debate.CallKind{debate.CallRespond}, []debate.CallKind{debate.CallRespond, debate.CallRebut}
	if inDispute(t.s) != nil { // it has texts of its own
		responds, exchanges = nil, nil
	}
	subject := "change"
	if t.asks() {
		subject = "question"
	}
	always := func() bool { return true }
	ofChange := func() bool { return !t.asks() }
	mayLook := func() bool { return t.s.MayLook(t.ask) > 0 }
	mayRaise := func() bool { return t.phase == debate.Constructive }
	stresses := func() bool { return !slices.Contains([]debate.Mode{debate.Minimal, debate.Quick}, t.s.Received.Mode) } // R172
	hasProposal := func() bool { return ofChange() && t.hasProposal() }
	return []part{
		{"review", opens, ofChange},
		{"review_again", challenges, ofChange},
		{"stress", challenges, stresses},
		{"evaluate", challenges, t.evaluates},
		{"options", challenges, t.chooses},
		{"exchange", exchanges, always},
		{"reconcile", exchanges, t.reconciles},
		{"question", every, t.asks},
		{"stance_" + t.ask.Party, judges, t.hasStance},
		{"lens_" + t.lens(), opening, ofChange},
		{"openings", challenges, t.s.OpenedBlind},
		{"new_position", challenges, func() bool { return t.s.OpenedBlind() && t.isPrimary() }},
		{"answered", responds, t.judges},
		{"weigh", rebuts, func() bool { return t.s.Talk.OwesWord(&t.s.Book, t.s.Received.Mode, t.ask.Party) }},
		{"skeptic", raises, func() bool { return t.persona() == "skeptic" }},
		{"chunk", raises, func() bool { return t.ask.Chunk != "" }},
		{"proposal", raises, hasProposal},
		{"proposal_" + t.lens(), opening, hasProposal},
		{"overview", opens, func() bool { return ofChange() && t.describes() }},
		{"known", opens, func() bool { return len(claimsFor(t.s, t.ask)) > 0 }},
		{"choice", slices.Concat(raises, exchanges), func() bool { return t.asks() && t.chooses() }},
		{"carried", raises, func() bool { return t.carries }},
		{"accepted", raises, func() bool { return t.accepted }},
		{"repair", every, func() bool { return t.repairs }},
		{"uncovered", rebuts, mayRaise},
		{"closed", rebuts, func() bool { return !mayRaise() }},
		{"last", exchanges, func() bool { return t.ask.Last }},
		{"look", every, mayLook},
		{"look_" + subject, every, mayLook},
		{"test", every, func() bool { return t.s.MayTest(t.ask) > 0 }},
		{"format", every, func() bool { return t.ask.Format != "" }},
	}
}

// asks reports whether a question is debated in the place of a change.
func (t instructions) asks() bool { return t.s.Received.Inquiry != nil }

// hasStance reports whether a judge has a stance, which its name is.
func (t instructions) hasStance() bool {
	return slices.Contains([]debate.Stance{debate.StanceRisk, debate.StanceValue, debate.StanceEffort}, debate.Stance(t.ask.Party))
}

func (t instructions) isPrimary() bool { return t.ask.Party == t.s.Table.Primary }

// evaluates reports whether the party is shown claims that are not its own.
func (t instructions) evaluates() bool {
	return slices.ContainsFunc(claimsFor(t.s, t.ask), func(c debate.Claim) bool { return c.Owner != t.ask.Party })
}

// describes reports whether the party is asked what the change does: the primary, where it
// sees the whole of it.
func (t instructions) describes() bool { return t.isPrimary() && t.s.SendsAll() }

// main is the name of the text that says what the call is for.
func (t instructions) main() string {
	name := strings.ToLower(string(t.ask.Kind))
	switch t.ask.Kind {
	case debate.CallRespond:
		if k := inDispute(t.s); k != nil {
			return t.disputed(k)
		}
	case debate.CallOpen, debate.CallLocal:
		if t.asks() {
			return "question_" + name
		}
	}
	return name
}

// disputed is the name of the text for a party whose word in a dispute is asked.
func (t instructions) disputed(k *debate.Challenge) string {
	if k.Defender == t.ask.Party {
		return "dispute_defender"
	}
	return "dispute_other"
}

// reconciles reports whether the party is asked to reconcile what it said.
func (t instructions) reconciles() bool {
	return slices.ContainsFunc(t.s.Book.Challenges, func(k debate.Challenge) bool {
		return k.Kind == debate.Reconciling && k.Defender == t.ask.Party && k.Live()
	})
}

// judges reports whether somebody has answered a challenge of the party.
func (t instructions) judges() bool {
	return slices.ContainsFunc(t.s.Book.Challenges, func(k debate.Challenge) bool {
		return k.Attacker == t.ask.Party && k.Disputed() && k.Status == debate.Defended
	})
}

// lens is what a party covers first: each debater has its own, by its seat, so
// that reviews that nobody has seen differ.
func (t instructions) lens() string {
	lenses := []string{"correctness", "security", "contracts"}
	before := t.s.Table.Parties
	if at := slices.IndexFunc(before, t.isAsked); at >= 0 {
		before = before[:at]
	}
	return lenses[len(lists.Keep(before, debates))%len(lenses)]
}

// inLanguage asks for another language than English. The settings allow nothing
// but letters, digits and hyphens in its tag.
func (t instructions) inLanguage() string {
	if t.language == "" {
		return ""
	}
	return text("language") + t.language + "\n"
}

// framing is the stance of this party, the same in each of its calls: the first half
// of the text of the framing for the primary, the second for the others. After blind
// openings all have the one stance of the text. A call that judges, scores or sums up
// takes no side (R174).
func (t instructions) framing() string {
	q := t.s.Received.Inquiry
	calls := []debate.CallKind{debate.CallOpen, debate.CallLocal, debate.CallChallenge, debate.CallRespond, debate.CallRebut}
	if q == nil || !slices.Contains(calls, t.ask.Kind) {
		return ""
	}
	primary, others, apart := strings.Cut(text("framing_"+string(q.Framing)), "\n\n")
	if apart && (t.isPrimary() || t.ask.Kind == debate.CallLocal) {
		return primary + "\n"
	}
	return cmp.Or(others, primary)
}

func (t instructions) persona() string {
	return lists.Find(t.s.Table.Parties, t.isAsked).Persona
}

func (t instructions) isAsked(p debate.Party) bool { return p.ID == t.ask.Party }

// debates reports whether a party takes part in the debate itself.
func debates(p debate.Party) bool {
	return slices.Contains([]debate.Role{debate.Primary, debate.Challenger}, p.Role)
}

func (t instructions) hasProposal() bool {
	return slices.ContainsFunc(t.s.Split.Segments, func(seg debate.Segment) bool { return seg.Kind == debate.ProposalSegment })
}
