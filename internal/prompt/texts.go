package prompt

import (
	"embed"
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
	names := []string{strings.ToLower(string(kind))}
	if asks && opens {
		names[0] = "question_" + names[0]
	}
	if k := inDispute(t.s); k != nil && kind == debate.CallRespond {
		names[0] = "dispute_other"
		if k.Defender == t.ask.Party {
			names[0] = "dispute_defender"
		}
	}
	add := func(when bool, name string) {
		if when {
			names = append(names, name)
		}
	}
	add(asks, "question")
	raises := opens || kind == debate.CallChallenge
	rebuts := kind == debate.CallRebut
	judges := kind == debate.CallJudge1 || kind == debate.CallJudge2
	for _, stance := range []debate.Stance{debate.StanceRisk, debate.StanceValue, debate.StanceEffort} {
		add(judges && t.ask.Party == string(stance), "stance_"+string(stance))
	}
	add(raises && t.persona() == "skeptic", "skeptic")
	add(raises && t.ask.Chunk != "", "chunk")
	add(raises && !asks && t.hasProposal(), "proposal")
	add(raises && len(t.findings()) > 0, "carried")
	add(rebuts && t.phase() == debate.Constructive, "uncovered")
	add(rebuts && t.phase() != debate.Constructive, "closed")
	add(raises || rebuts && t.phase() == debate.Constructive, "claim")
	add((rebuts || kind == debate.CallRespond) && t.ask.Last, "last")
	names = append(names, "common")
	add(t.ask.Format != "", "format")
	var b strings.Builder
	for _, name := range names {
		b.WriteString(text(name))
	}
	return b.String() + t.framing() + t.language()
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
