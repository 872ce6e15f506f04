package prompt

import (
	"embed"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
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

// request puts together what is asked: one text for the kind of call, and what
// this debate and this party add to it.
func (t turner) request() string {
	kind := t.ask.Kind
	asks := t.s.Received.Inquiry != nil
	opens := kind == debate.CallOpen || kind == debate.CallLocal
	names := []string{t.main()}
	challenges := kind == debate.CallChallenge
	add := func(when bool, name string) {
		if when {
			names = append(names, name)
		}
	}
	raises := opens || challenges
	rebuts := kind == debate.CallRebut
	exchanges := (rebuts || kind == debate.CallRespond) && inDispute(t.s) == nil
	judges := kind == debate.CallJudge1 || kind == debate.CallJudge2
	mayRaise := rebuts && t.phase() == debate.Constructive
	add(opens && !asks, "review")
	add((challenges || kind == debate.CallPress) && !asks, "review_again")
	add(challenges && t.evaluates(), "evaluate")
	add(challenges && t.chooses(), "options")
	add(exchanges, "exchange")
	add(exchanges && t.reconciles(), "reconcile")
	add(asks, "question")
	for _, stance := range []debate.Stance{debate.StanceRisk, debate.StanceValue, debate.StanceEffort} {
		add(judges && t.ask.Party == string(stance), "stance_"+string(stance))
	}
	add(kind == debate.CallOpen && !asks, "lens_"+t.lens())
	weighs := challenges && t.s.OpenedBlind()
	add(weighs, "openings")
	add(weighs && t.ask.Party == t.s.Table.Primary, "new_position")
	add(rebuts && t.s.OwesWord(t.ask.Party), "weigh")
	add(raises && t.persona() == "skeptic", "skeptic")
	add(raises && t.ask.Chunk != "", "chunk")
	add(raises && !asks && t.hasProposal(), "proposal")
	add(kind == debate.CallOpen && !asks && t.hasProposal(), "proposal_"+t.lens())
	add(opens && !asks && t.describes(), "overview")
	add(opens && len(claimsFor(t.s, t.ask)) > 0, "known")
	add(asks && (raises || exchanges) && t.chooses(), "choice")
	add(raises && len(t.findings()) > 0, "carried")
	add(t.repairs(), "repair")
	add(mayRaise, "uncovered")
	add(rebuts && !mayRaise, "closed")
	add(exchanges && t.ask.Last, "last")
	mayLook := t.s.MayLook(t.ask) > 0
	add(mayLook, "look")
	add(mayLook && !asks, "look_change")
	add(mayLook && asks, "look_question")
	add(t.ask.Format != "", "format")
	var b strings.Builder
	for _, name := range names {
		b.WriteString(text(name))
	}
	request := strings.ReplaceAll(b.String(), "{looks}", strconv.Itoa(t.s.MayLook(t.ask)))
	return request + t.framing() + t.language()
}

// evaluates reports whether the party is shown claims that are not its own.
func (t turner) evaluates() bool {
	return slices.ContainsFunc(claimsFor(t.s, t.ask), func(c debate.Claim) bool { return c.Owner != t.ask.Party })
}

// chooses reports whether the party is asked for a choice beside whether the change, or
// the answer, stands.
func (t turner) chooses() bool {
	return slices.ContainsFunc(t.decisions(), func(d decision) bool { return d.ID != "D0" })
}

// describes reports whether the party is asked what the change does: the primary, where it
// sees the whole of it.
func (t turner) describes() bool { return t.ask.Party == t.s.Table.Primary && t.s.SendsAll() }

// main is the name of the text that says what the call is for.
func (t turner) main() string {
	kind := t.ask.Kind
	switch k := inDispute(t.s); {
	case k != nil && kind == debate.CallRespond && k.Defender == t.ask.Party:
		return "dispute_defender"
	case k != nil && kind == debate.CallRespond:
		return "dispute_other"
	case t.s.Received.Inquiry != nil && (kind == debate.CallOpen || kind == debate.CallLocal):
		return "question_" + strings.ToLower(string(kind))
	}
	return strings.ToLower(string(kind))
}

// reconciles reports whether the party is asked to reconcile what it said.
func (t turner) reconciles() bool {
	for _, k := range t.s.Book.Challenges {
		if k.Kind == debate.Reconciling && k.Defender == t.ask.Party && k.Live() {
			return true
		}
	}
	return false
}

// lens is what a party covers first: each debater has its own, by its seat, so
// that reviews that nobody has seen differ.
func (t turner) lens() string {
	lenses := []string{"correctness", "security", "contracts"}
	seat := 0
	for _, p := range t.s.Table.Parties {
		if p.ID == t.ask.Party {
			break
		}
		if p.Role == debate.Primary || p.Role == debate.Challenger {
			seat++
		}
	}
	return lenses[seat%len(lenses)]
}

// language asks for another language than English. The settings allow nothing
// but letters, digits and hyphens in its tag.
func (t turner) language() string {
	if t.s.Received.Language == "" {
		return ""
	}
	return text("language") + t.name(t.s.Received.Language) + "\n"
}

// framing is what the framing of a question asks of this party: the first half of
// its text is for whoever answers, the second for whoever challenges the answer.
// Who weighs and scores hears nothing of it (R174).
func (t turner) framing() string {
	q := t.s.Received.Inquiry
	if q == nil {
		return ""
	}
	answers, challenges, _ := strings.Cut(text("framing_"+string(q.Framing)), "\n\n")
	switch t.ask.Kind {
	case debate.CallOpen, debate.CallLocal, debate.CallRespond:
		return answers + "\n"
	case debate.CallChallenge, debate.CallPress, debate.CallRebut:
		return challenges
	}
	return ""
}

func (t turner) persona() string {
	for _, p := range t.s.Table.Parties {
		if p.ID == t.ask.Party {
			return p.Persona
		}
	}
	return ""
}

func (t turner) hasProposal() bool {
	for _, seg := range t.s.Split.Segments {
		if seg.Kind == debate.ProposalSegment {
			return true
		}
	}
	return false
}
