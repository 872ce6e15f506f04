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
		if p.when {
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
	case t.ask.Kind == debate.CallRespond && k != nil && t.s.Asks(t.ask.Party, *k):
		return "dispute_defender"
	case t.ask.Kind == debate.CallRespond && k != nil:
		return "dispute_other"
	case opens && t.asks():
		return "question_open"
	case opens:
		return "open"
	case t.is(debate.CallRespond, debate.CallRebut):
		return "exchange"
	}
	return strings.ToLower(string(t.ask.Kind))
}

// part is an addition to the text of a request, and whether this call has it.
type part struct {
	text string
	when bool
}

// parts returns all additions in their order.
func (t turner) parts() []part {
	asks, mayLook := t.asks(), t.s.MayLook(t.ask) > 0
	ofChange, subject := !asks, "change"
	if asks {
		subject = "question"
	}
	opens, challenges := t.is(debate.CallOpen, debate.CallLocal), t.is(debate.CallChallenge)
	disputed := inDispute(t.s) != nil // a dispute has texts of its own
	exchanges := t.is(debate.CallRespond, debate.CallRebut) && !disputed
	raises, alone := opens || challenges, t.is(debate.CallOpen)

	talk := t.s.Talk
	talk.Exchange = t.ask.N // the round of this call
	mayRaise := talk.Phase() == debate.Constructive
	stresses := !slices.Contains([]debate.Mode{debate.Minimal, debate.Quick}, t.s.Received.Mode) // R172
	hasProposal := ofChange && slices.ContainsFunc(t.s.Split.Segments, func(seg debate.Segment) bool { return seg.Kind == debate.ProposalSegment })
	claims := claimsFor(t.s, t.ask)
	ofOthers := func(c debate.Claim) bool { return c.Owner != t.ask.Party }
	reconciles := func(k debate.Challenge) bool { // its own words
		return k.Kind == debate.Reconciling && t.s.Asks(t.ask.Party, k)
	}
	toDefend := func(k debate.Challenge) bool {
		return k.Kind != debate.Reconciling && t.s.Asks(t.ask.Party, k)
	}
	toJudge := func(k debate.Challenge) bool { return k.Attacker == t.ask.Party && k.AwaitsJudgement() }
	isNew := func(c debate.Claim) bool { // a severe claim that this party has not weighed
		return ofOthers(c) && c.Owner != debate.EngineParty && c.Severity.AtLeast(debate.P2) && !slices.ContainsFunc(c.Evaluations, t.isOwn)
	}
	isAccepted := func(f debate.Carried) bool { return t.s.Received.Previous.AcceptedBy(f) != "" }
	// The id of a judge with a stance is its stance.
	hasStance := slices.Contains([]debate.Stance{debate.StanceRisk, debate.StanceValue, debate.StanceEffort}, debate.Stance(t.ask.Party))
	return []part{
		{"local", t.is(debate.CallLocal)},
		{"review", opens && ofChange},
		{"review_again", challenges && ofChange},
		{"stress", challenges && stresses},
		{"evaluate", challenges && slices.ContainsFunc(claims, ofOthers)},
		{"options", challenges && t.chooses()},
		{"defend", exchanges && slices.ContainsFunc(t.s.Book.Challenges, toDefend)},
		{"judge", exchanges && slices.ContainsFunc(t.s.Book.Challenges, toJudge)},
		{"weigh", exchanges && slices.ContainsFunc(claims, isNew)},
		{"answers", exchanges},
		{"position", exchanges && t.isPrimary()},
		{"option", exchanges && !t.isPrimary()},
		{"reconcile", exchanges && slices.ContainsFunc(t.s.Book.Challenges, reconciles)},
		{"question", asks},
		{"stance_" + t.ask.Party, t.is(debate.CallJudge1, debate.CallJudge2) && hasStance},
		{"lens_" + t.lens(), alone && ofChange},
		{"openings", challenges && t.s.OpenedBlind()},
		{"new_position", challenges && t.s.OpenedBlind() && t.isPrimary()},
		{"skeptic", raises && lists.Find(t.s.Table.Parties, t.isAsked).Persona == "skeptic"},
		{"chunk", raises && t.ask.Chunk != ""},
		{"proposal", raises && hasProposal},
		{"proposal_" + t.lens(), alone && hasProposal},
		{"overview", opens && ofChange && t.isPrimary() && t.s.SendsAll()},
		{"known", opens && len(claims) > 0},
		{"choice", (raises || exchanges) && asks && t.chooses()},
		{"carried", raises && len(t.findings()) > 0},
		{"accepted", raises && slices.ContainsFunc(t.findings(), isAccepted)},
		{"repair", (challenges || exchanges) && slices.ContainsFunc(claims, t.mayRepair)},
		{"uncovered", t.is(debate.CallRespond) && !disputed && mayRaise}, // then REBUT weighs it
		{"closed", exchanges && !mayRaise},
		{"last", exchanges && t.ask.Last},
		{"look", mayLook},
		{"look_" + subject, mayLook},
		{"test", t.s.MayTest(t.ask) > 0},
		{"format", t.ask.Format != ""},
	}
}

// asks reports whether the debate is about a question instead of a change.
func (t turner) asks() bool { return t.s.Received.Inquiry != nil }

func (t turner) isPrimary() bool { return t.ask.Party == t.s.Table.Primary }

func (t turner) isOwn(e debate.Evaluation) bool { return e.Party == t.ask.Party }

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
