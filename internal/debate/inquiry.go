package debate

import (
	"cmp"
	"slices"
)

// Inquiry is a question instead of a change. Its text is the intent of the anchor, so nothing
// replaces it (R167); the shown parts of a repository are context segments. D0 asks whether
// the answer, the summary of the position, is right.
//
// Rules about changes do not apply to an inquiry: the critic, policy, merges. All shown
// lines are in scope, changed or not (R132).
type Inquiry struct {
	Framing Framing  `json:"framing"`
	Options []Option `json:"options,omitempty"` // the choice, if the person who asks limits it
}

// ScopeQuestion is the scope of an inquiry; R052 has the scopes of changes.
const ScopeQuestion = "question"

// ScopeSnippet is the scope of a patch or of a text on standard input.
const ScopeSnippet = "snippet"

// Framing says which parties take a position first, and the stance of each party. It never
// changes how an answer is evaluated (R174): it changes prompts, and only the blind openings
// of FramingParallel among the rules.
type Framing string

const (
	FramingPropose    Framing = "propose"
	FramingCritique   Framing = "critique"
	FramingDevil      Framing = "devils-advocate"
	FramingComplete   Framing = "complete"
	FramingCompare    Framing = "compare"
	FramingValidate   Framing = "validate"
	FramingArbitrate  Framing = "arbitrate"
	FramingSynthesize Framing = "synthesize"
	FramingRedTeam    Framing = "red-team"
	FramingParallel   Framing = "parallel"
)

// Framings lists all framings in the order of the documentation.
func Framings() []Framing {
	return []Framing{
		FramingPropose, FramingCritique, FramingDevil, FramingComplete, FramingCompare,
		FramingValidate, FramingArbitrate, FramingSynthesize, FramingRedTeam, FramingParallel,
	}
}

// MaxOptions bounds the options of one decision, without the status quo.
const MaxOptions = 8

// StatusQuoOption is the id of the option that the engine adds if no party names the status quo
// (R017).
const StatusQuoOption = "status_quo"

// Framed are the decisions before the first word: D0, and for a question with options D1, the
// choice between them. That choice is of the whole scope of the question, so a panel weighs it
// if the parties differ, under every framing (R174, R177).
func (r Received) Framed() []Decision {
	if r.Inquiry == nil {
		return []Decision{{ID: "D0", Question: DispositionQuestion, Options: dispositionOptions()}}
	}
	framed := []Decision{{ID: "D0", Question: "Does the answer stand: " + clip(r.Anchor.Title, 400), Options: answerOptions()}}
	if len(r.Inquiry.Options) == 0 {
		return framed
	}
	d := newDecision(1, Question{Question: r.Anchor.Title, Options: r.Inquiry.Options, ScopeCritical: true})
	return append(framed, d)
}

// answerOptions are the options of D0 in an inquiry. Without an answer everything stays as it
// is.
func answerOptions() []Option {
	return []Option{
		{ID: string(Keep), Label: "keep", Description: "the answer stands as it is"},
		{ID: string(Revise), Label: "revise", Description: "the answer stands with named changes or reservations"},
		{ID: string(Reject), Label: "reject", Description: "no answer can be given; everything stays as it is", StatusQuo: true},
	}
}

// soft reports whether a claim of a category may be a value judgment (R135). In a question
// without files, only a danger can be looked up.
func (s *State) soft(c Category) bool {
	switch c {
	case Maintainability, Design, Docs:
		return true
	case Performance, Compatibility:
		return s.Received.Inquiry != nil && !slices.ContainsFunc(s.Split.Segments, func(seg Segment) bool { return seg.Source == FromDiff })
	}
	return false
}

// chooses opens a challenge to the answer for a party with another choice than the primary, so
// that they argue about it: the choice belongs to the answer, so its live objection to the answer
// is about the choice too. One challenge for each choice is enough.
func (m *reducer) chooses(seat *Seat, at Position, framed []Decision, words string) {
	primary := m.Table.fares(at.By)
	for i := range framed {
		d := &framed[i]
		own, other := seat.chosen(d), primary.chosen(d)
		said := func(k Challenge) bool { return k.Attacker == seat.Party && k.Decision == d.ID }
		switch {
		case d.disposes(), own == "", other == "", own == other, slices.ContainsFunc(m.Book.Challenges, said):
			continue
		}
		k := m.Book.against(PositionSubject, seat.Party)
		if k == nil || k.Decision != "" {
			k = m.newChallenge(PositionSubject, seat.Party, at.By, Skeptical, words)
			k.Option = at.Disposition
		}
		k.weighs()
		k.Decision, k.Choice = d.ID, own
	}
}

// choice is the decision between the options of a question, nil without options.
func (s *State) choice() *Decision {
	if q := s.Received.Inquiry; q == nil || len(q.Options) == 0 {
		return nil
	}
	return s.Agenda.decision("D1")
}

// byChoice is the end of D0 in a question with options, if it follows from the choice between
// them: an answer for another option has to change, and if the parties leave the answer open, its
// own option confirms it. "" waits for the choice.
func (s *State) byChoice(d *Decision) (option Disposition, follows bool) {
	c := s.choice()
	if c == nil || !d.disposes() || !s.Table.twoSided(s.Ending.Outcome) {
		return "", false
	}
	primary := s.Table.fares(s.Table.Primary)
	held, chosen, own := cmp.Or(d.settled(), d.Common), c.choice(), primary.chosen(c)
	switch {
	case worse(Disposition(held), Keep):
		return "", false
	case chosen == "", held == string(Keep) && own == "":
		return "", held == ""
	case chosen != own:
		return Revise, true
	}
	return Keep, held == ""
}
