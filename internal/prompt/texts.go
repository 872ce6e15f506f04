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

// request joins the text for the kind of call with the additions for this debate and this
// party. It holds no text from the debate.
func (t turner) request() string {
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
	).Replace(b.String()) + t.framing()
	if tag := t.name(t.s.Received.Language); tag != "" { // the settings allow only letters, digits and hyphens in it
		request += text("language") + tag + "\n"
	}
	return request
}

// main returns the name of the text for the kind of call.
func (t turner) main() string {
	k := inDispute(t.s)
	opens := slices.Contains([]debate.CallKind{debate.CallOpen, debate.CallLocal}, t.ask.Kind)
	switch {
	case t.ask.Kind == debate.CallRespond && k != nil && k.Defender == t.ask.Party:
		return "dispute_defender"
	case t.ask.Kind == debate.CallRespond && k != nil:
		return "dispute_other"
	case opens && t.asks():
		return "question_open"
	case opens:
		return "open"
	}
	return strings.ToLower(string(t.ask.Kind))
}

// part is a possible text of a request: in these calls, under this condition.
type part struct {
	text  string
	calls []debate.CallKind
	when  func() bool
}

// parts returns all of them in their order.
func (t turner) parts() []part {
	every := []debate.CallKind{t.ask.Kind}
	opens, challenges := []debate.CallKind{debate.CallOpen, debate.CallLocal}, []debate.CallKind{debate.CallChallenge}
	opening, raises := []debate.CallKind{debate.CallOpen}, slices.Concat(opens, challenges)
	rebuts, judges := []debate.CallKind{debate.CallRebut}, []debate.CallKind{debate.CallJudge1, debate.CallJudge2}
	responds, exchanges := []debate.CallKind{debate.CallRespond}, []debate.CallKind{debate.CallRespond, debate.CallRebut}
	if inDispute(t.s) != nil { // a dispute has texts of its own
		responds, exchanges = nil, nil
	}
	subject := "change"
	if t.asks() {
		subject = "question"
	}
	always := func() bool { return true }
	ofChange := func() bool { return !t.asks() }
	mayLook := func() bool { return t.s.MayLook(t.ask) > 0 }
	talk := t.s.Talk
	talk.Exchange = t.ask.N // the round of this call
	mayRaise := func() bool { return talk.Phase() == debate.Constructive }
	stresses := func() bool { return !slices.Contains([]debate.Mode{debate.Minimal, debate.Quick}, t.s.Received.Mode) } // R172
	hasProposal := func() bool {
		isProposal := func(seg debate.Segment) bool { return seg.Kind == debate.ProposalSegment }
		return ofChange() && slices.ContainsFunc(t.s.Split.Segments, isProposal)
	}
	weighs := func() bool { // claims of others
		return slices.ContainsFunc(claimsFor(t.s, t.ask), func(c debate.Claim) bool { return c.Owner != t.ask.Party })
	}
	hasChallenge := func(is func(k debate.Challenge) bool) func() bool {
		return func() bool { return slices.ContainsFunc(t.s.Book.Challenges, is) }
	}
	reconciles := hasChallenge(func(k debate.Challenge) bool { // its own words
		return k.Kind == debate.Reconciling && k.Defender == t.ask.Party && k.Live()
	})
	isAnswered := hasChallenge(func(k debate.Challenge) bool { // a challenge of this party
		return k.Attacker == t.ask.Party && k.AwaitsWord() && k.Status == debate.Defended
	})
	hasStance := func() bool { // the id of a judge with a stance is its stance
		return slices.Contains([]debate.Stance{debate.StanceRisk, debate.StanceValue, debate.StanceEffort}, debate.Stance(t.ask.Party))
	}
	isAccepted := func(f debate.Carried) bool { return t.s.Received.Previous.AcceptedBy(f) != "" }
	isSkeptic := func() bool { return lists.Find(t.s.Table.Parties, t.isAsked).Persona == "skeptic" }
	return []part{
		{"local", []debate.CallKind{debate.CallLocal}, always},
		{"review", opens, ofChange},
		{"review_again", challenges, ofChange},
		{"stress", challenges, stresses},
		{"evaluate", challenges, weighs},
		{"options", challenges, t.chooses},
		{"exchange", exchanges, always},
		{"reconcile", exchanges, reconciles},
		{"question", every, t.asks},
		{"stance_" + t.ask.Party, judges, hasStance},
		{"lens_" + t.lens(), opening, ofChange},
		{"openings", challenges, t.s.OpenedBlind},
		{"new_position", challenges, func() bool { return t.s.OpenedBlind() && t.isPrimary() }},
		{"answered", responds, isAnswered},
		{"weigh", rebuts, func() bool { return t.s.OwesWord(t.ask.Party) }},
		{"skeptic", raises, isSkeptic},
		{"chunk", raises, func() bool { return t.ask.Chunk != "" }},
		{"proposal", raises, hasProposal},
		{"proposal_" + t.lens(), opening, hasProposal},
		{"overview", opens, func() bool { return ofChange() && t.isPrimary() && t.s.SendsAll() }},
		{"known", opens, func() bool { return len(claimsFor(t.s, t.ask)) > 0 }},
		{"choice", slices.Concat(raises, exchanges), func() bool { return t.asks() && t.chooses() }},
		{"carried", raises, func() bool { return len(t.findings()) > 0 }},
		{"accepted", raises, func() bool { return slices.ContainsFunc(t.findings(), isAccepted) }},
		{"repair", slices.Concat(challenges, exchanges), func() bool { return slices.ContainsFunc(claimsFor(t.s, t.ask), t.mayRepair) }},
		{"uncovered", rebuts, mayRaise},
		{"closed", rebuts, func() bool { return !mayRaise() }},
		{"last", exchanges, func() bool { return t.ask.Last }},
		{"look", every, mayLook},
		{"look_" + subject, every, mayLook},
		{"test", every, func() bool { return t.s.MayTest(t.ask) > 0 }},
		{"format", every, func() bool { return t.ask.Format != "" }},
	}
}

// asks reports whether the debate is about a question instead of a change.
func (t turner) asks() bool { return t.s.Received.Inquiry != nil }

func (t turner) isPrimary() bool { return t.ask.Party == t.s.Table.Primary }

func (t turner) isAsked(p debate.Party) bool { return p.ID == t.ask.Party }

// lens returns the first topic of a party. Each debater has its own, by its seat, so that
// blind reviews differ.
func (t turner) lens() string {
	lenses := []string{"correctness", "security", "contracts"}
	before := t.s.Table.Parties
	if at := slices.IndexFunc(before, t.isAsked); at >= 0 {
		before = before[:at]
	}
	return lenses[len(lists.Keep(before, debate.Party.Debates))%len(lenses)]
}

// framing returns the stance of this party, the same in each of its calls: the first half
// of the framing's text for the primary, the second for the others. After blind openings
// all have the one stance of the text. A call to judge, score or sum up takes no side
// (R174).
func (t turner) framing() string {
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
