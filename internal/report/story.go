package report

import (
	"cmp"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Told is one sentence of the story of a debate, and its event.
type Told struct {
	Event int
	Text  string
}

// Story tells a debate from its beginning to its end, one sentence for each statement or result.
// Findings have their names for people.
func Story(s debate.State) []Told {
	e := FromState(s)
	t := teller{state: &s, e: e, names: namesOf(&s), talk: newTalk(&s, survivors(s.Book.Claims))}
	t.talk.into[debate.PositionSubject] = debate.PositionSubject
	for _, k := range s.Book.Challenges {
		t.names.objections[k.ID] = "the objection of " + t.who(k.Attacker) + " to " + t.subject(k.Claim)
	}
	var out []Told
	for _, step := range s.Steps {
		for i, f := range step.Facts {
			text := ""
			if claim, line, of := t.talk.entry(step, i); of {
				if f.Kind == debate.ClaimRaised {
					claim, line.Words = claim+" ("+OneLine(f.Code)+")", f.Text
				}
				line.Who = t.who(f.Who)
				text = upperFirst(t.subject(claim)) + ": " + strings.TrimSpace(line.Who+" "+spoken(line))
			} else {
				text = t.sentence(f)
			}
			if text != "" {
				out = append(out, Told{step.N, text})
			}
		}
	}
	return out
}

// teller makes sentences of facts.
type teller struct {
	state *debate.State
	e     Envelope
	names names // an objection is called by its subject, too
	talk  *talk
}

// tales has the sentences of the facts outside of conversations. {who} is the actor, {about} and
// {other} are the subjects; they begin a sentence in capitals. {code} is an enumerated value in
// words.
var tales = map[debate.FactKind]string{
	debate.ClaimMerged:      "{Who} found the same as {other}",
	debate.ClaimDropped:     "{About} is not debated",
	debate.ChallengeClosed:  "{About} is closed",
	debate.ClaimSettled:     "{About} is {code}",
	debate.PositionTaken:    "{Who} {code}",
	debate.StanceTaken:      "{Who} {code}",
	debate.Drifted:          "{Who} contradicts itself",
	debate.Acknowledged:     "{Who} changes its mind about {about}",
	debate.TalkEnded:        "The debate ends",
	debate.CallFailed:       "A call to {who} fails ({code})",
	debate.PartyLost:        "{Who} takes no further part",
	debate.PartySeated:      "{Who} begins, without the words of {other} so far",
	debate.PartyServed:      "{Other} judges in the place of {who}",
	debate.PrimaryReplaced:  "{Who} goes on in the place of {other}",
	debate.DefenderReplaced: "{Who} answers in the place of {other}",
	debate.TriggerAsserted:  "{Who} says this is about {about}",
	debate.SheetScored:      "{Who} scores the options on {about}",
	debate.VoteCast:         "{Who} votes for {code}",
	debate.DecisionReached:  "{About}: {other} is recommended",
	debate.HumanAsked:       "Someone has to decide {about}",
	debate.HumanReminded:    "People are reminded to decide {about}",
	debate.HumanAnswered:    "{Who} decides {about}: {code}",
	debate.HumanRefused:     "The answer of {who} does not count",
	debate.Ordered:          "{Who} orders: {code} {about}",
	debate.AnswerWritten:    "{Who} writes the answer",
	debate.ReviewEnded:      "The review ends",
}

// sentence tells one fact, "" if another fact or the scores tell it.
func (t *teller) sentence(f debate.Fact) string {
	ofAnswer := f.About == "D0" && t.e.Inquiry != nil // its merge is no question
	_, asked := decisionOf(t.e, f.About)
	switch {
	case f.Kind == debate.StanceTaken && (ofAnswer || f.About != "D0" && !asked): // a party may choose an option for an unknown question
		return ""
	case f.Kind == debate.DecisionReached && (ofAnswer || f.Other == ""):
		return ""
	}
	other := t.subject(f.Other)
	switch f.Kind {
	case debate.DecisionReached:
		other = t.label(f.About, f.Other)
	case debate.PartySeated, debate.PartyServed, debate.PrimaryReplaced, debate.DefenderReplaced:
		other = t.who(f.Other)
	}
	about := t.subject(f.About)
	text := filledIn(tales[f.Kind], "{Who}", t.whoFirst(f.Who), "{who}", t.who(f.Who), "{About}", upperFirst(about), "{about}", about,
		"{Other}", t.whoFirst(f.Other), "{other}", other, "{code}", t.code(f))
	if text == "" {
		return ""
	}
	if f.Kind != debate.Drifted && f.Kind != debate.GainRated {
		text += Wrapped(": \"", ClipLine(flowing(f.Text), MaxTitle), "\"")
	}
	for i, c := range citesOf(f.Cites) {
		text += []string{", citing ", "; "}[min(i, 1)] + c.Checked()
	}
	if f.Kind != debate.ReviewEnded {
		text += Wrapped(": ", t.names.sentence(f.Why), "")
	}
	return text
}

// who is the name of a speaker for people. A judge is named by its point of view.
func (t *teller) who(id string) string {
	if partyOf(*t.state, id).Role == debate.Judge {
		return "the judge for " + OneLine(id)
	}
	return speaker(t.names.of(id))
}

// whoFirst is a speaker at the beginning of a sentence.
func (t *teller) whoFirst(id string) string {
	if who := t.who(id); partyOf(*t.state, id).Role == debate.Judge {
		return upperFirst(who)
	}
	return speakerFirst(t.names.of(id))
}

// subject is the name of the object of a fact.
func (t *teller) subject(id string) string {
	asked := lists.Find(t.state.Agenda.Decisions, func(d debate.Decision) bool { return d.ID == id })
	return cmp.Or(subjects[id], t.names.objections[id], Wrapped("\"", OneLine(asked.Question), "\""), OneLine(id))
}

// subjects has the common objects of facts.
var subjects = map[string]string{debate.PositionSubject: "the recommendation", "D0": "whether to merge"}

// label is an option of a decision in words.
func (t *teller) label(decision, option string) string {
	d, _ := decisionOf(t.e, decision)
	return Label(d, option)
}

// code is the enumerated value of a fact in words.
func (t *teller) code(f debate.Fact) string {
	switch {
	case f.Kind == debate.PositionTaken && t.e.Inquiry != nil:
		return "has an answer"
	case f.Kind == debate.PositionTaken, f.Kind == debate.StanceTaken && f.About == "D0":
		return toMerge(t.e).would(f.Code)
	case f.Kind == debate.StanceTaken:
		return "chooses " + t.label(f.About, f.Code) + " for " + t.subject(f.About)
	case f.Kind == debate.ClaimSettled:
		for found := range t.e.Findings() {
			if found.ID == f.About {
				return Standing(*found)
			}
		}
		return "part of another finding"
	case f.Kind == debate.HumanAnswered, f.Kind == debate.VoteCast:
		return t.label(f.About, f.Code)
	case f.Kind == debate.CallFailed:
		return failureOf(f.Code)
	}
	return strings.ToLower(strings.ReplaceAll(OneLine(f.Code), "_", " "))
}

// sayings has the verb of each act. Words follow a colon.
var sayings = map[Act]string{
	DidRaise:    "raised it",
	DidRepeat:   "raised it too",
	DidAgree:    "agrees",
	DidConfirm:  "confirms",
	DidDoubt:    "doubts it",
	DidReject:   "says that it is wrong",
	DidObject:   "objects",
	DidAnswer:   "answers",
	DidGrant:    "accepts a part of it",
	DidConcede:  "accepts the objection",
	DidInsist:   "insists",
	DidAccept:   "accepts the answer",
	DidIgnore:   "does not answer",
	DidReword:   "rewords it",
	DidCite:     "corrects its citation",
	DidTurn:     "changed its mind",
	DidDrift:    "contradicts itself without a reason",
	DidDispute:  "disputes it",
	DidFlag:     "doubts the result",
	DidFindHere: "finds it still there",
	DidFindGone: "finds it fixed",
}

// speaker is the name of a speaker for people.
func speaker(id string) string { return cmp.Or(unnamedSpeakers[id], OneLine(id)) }

// speakerFirst is speaker at the beginning of a sentence. A name keeps its first letter.
func speakerFirst(id string) string { return cmp.Or(upperFirst(unnamedSpeakers[id]), OneLine(id)) }

// unnamedSpeakers has words for the speakers without a name for people.
var unnamedSpeakers = map[string]string{
	debate.EngineParty:  "the built-in rules",
	debate.AuthorParty:  "a person",
	debate.ArbiterParty: "the second look",
	"":                  "someone",
}

// At is the place of a citation.
func (c Cited) At() string {
	return Place(Finding{Path: c.Path, Line: c.Line, EndLine: c.EndLine, Side: c.Side})
}

// checks has the words for the results of a check.
var checks = map[QuoteCheck]string{
	QuoteFound:  "✓ quote found",
	QuoteNamed:  "✓ lines named, not quoted",
	QuoteAbsent: "✗ quote not found there",
	QuoteOfRun:  "✓ a check that failed",
	QuoteOfTest: "✓ the test shows it",
	QuoteNoTest: "✗ the test does not show it",
}

// Checked is a citation with a mark and the result of its check.
func (c Cited) Checked() string { return c.At() + " " + cmp.Or(checks[c.Check], checks[QuoteAbsent]) }

// spoken is a line without its speaker: verb, words, and citations with their checks.
func spoken(l Line) string {
	text, cites := sayings[l.Act], ", citing "
	if l.Words != "" {
		text += ": \"" + ClipLine(flowing(l.Words), MaxEntry) + "\""
		cites = " — cites "
	}
	return text + Wrapped(cites, strings.Join(lists.Map(l.Cites, Cited.Checked), "; "), "")
}

// Thread has the statements about a finding in order: each speaker, and the act with its words. A row
// without a speaker counts the statements left out.
func Thread(f Finding) []Side {
	var out []Side
	for _, l := range f.Conversation {
		if l.LeftOut > 0 {
			out = append(out, Side{"", "… " + Count(l.LeftOut, "line") + " left out …"})
		}
		out = append(out, Side{speaker(l.Who), spoken(l)})
	}
	return out
}

// line is a row of a thread on one line.
func (s Side) line() string { return strings.TrimSpace(s.Who + " " + s.Says) }
