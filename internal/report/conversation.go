package report

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Line is one statement about a finding: speaker, act, words and citations. The lines of a
// finding in their order are its conversation.
type Line struct {
	Who     string  `json:"who"`
	Act     Act     `json:"act"`
	Words   string  `json:"words"` // as they were said
	Cites   []Cited `json:"cites"`
	LeftOut int     `json:"left_out"` // how many lines before this one are left out

	To     string        `json:"to,omitempty"`     // the other side of an objection, if several parties object
	Option string        `json:"option,omitempty"` // of a line about a decision: the option of the speaker
	Judge  debate.Stance `json:"judge,omitempty"`  // the speaker votes as this judge

	Objection string `json:"-"` // the challenge of the line, "" for none
}

// Discussion is the conversation about a decision: the recommendation, the answer to a question, or a
// choice.
type Discussion struct {
	Decision string `json:"decision"`     // its id
	Lines    []Line `json:"conversation"` // in order
}

// Act is the kind of a statement about a finding.
type Act string

// The acts of a conversation.
const (
	DidRaise    Act = "raised"
	DidRepeat   Act = "raised_too"
	DidAgree    Act = "agreed"
	DidConfirm  Act = "confirmed" // it agreed, and its word counts
	DidDoubt    Act = "doubted"   // without an objection that needs an answer
	DidReject   Act = "rejected"  // likewise
	DidTry      Act = "tried"     // a case
	DidObject   Act = "objected"
	DidAnswer   Act = "answered"
	DidGrant    Act = "granted" // a part of the objection
	DidConcede  Act = "conceded"
	DidInsist   Act = "insisted"
	DidAccept   Act = "accepted" // the answer to its objection
	DidIgnore   Act = "ignored"  // the objection to its finding, or the answer to its own objection
	DidReword   Act = "reworded"
	DidCite     Act = "cited_anew"   // since its first citation did not show it
	DidTurn     Act = "turned"       // it changed its mind, and says why
	DidDrift    Act = "contradicted" // itself, without saying so
	DidDispute  Act = "disputed"     // a person
	DidFlag     Act = "flagged"      // by the last reader of the result
	DidFindHere Act = "still_there"  // on a later head
	DidFindGone Act = "gone"         // on a later head
	DidPropose  Act = "proposed"     // a recommendation, or the answer to a question
	DidMove     Act = "moved"        // to another recommendation or answer
	DidChoose   Act = "chose"        // an option
	DidVote     Act = "voted"        // for an option, as a judge
	DidSumUp    Act = "summed_up"    // it wrote the answer that people read
)

// Cited is a citation and the result of its check.
type Cited struct {
	Path    string      `json:"path"` // of the file or the test, or the name of a failed check
	Line    int         `json:"line"`
	EndLine int         `json:"end_line"`
	Side    debate.Side `json:"side"`
	Quote   string      `json:"quote"`
	Check   QuoteCheck  `json:"check"`
}

// QuoteCheck is the result of checking the place of a citation.
type QuoteCheck string

// The results of a check.
const (
	QuoteFound  QuoteCheck = "found"   // the quote is there, word for word
	QuoteNamed  QuoteCheck = "named"   // the lines are there, and nothing was quoted
	QuoteAbsent QuoteCheck = "missing" // the quote is not there
	QuoteOfRun  QuoteCheck = "run"     // it is a failed check
	QuoteOfTest QuoteCheck = "test"    // it is a test, and how it ended shows this
	QuoteNoTest QuoteCheck = "no_test" // it is a test, and how it ended does not show this
)

// The bounds of a conversation.
const (
	maxConversation = 40 // lines: the first one and the latest
	maxCites        = 8  // citations of one line
)

// talk collects the conversations of a debate from its history.
type talk struct {
	state    *debate.State
	into     map[string]string // the surviving claim by each claim; the decision by the position and by each decision
	lines    map[string][]Line // by the surviving claim or the decision
	disputed map[string]bool   // claims disputed by a person
	told     map[string]bool   // ids of the claims, challenges and positions in the history, and "claim party" for each evaluation, choice and vote in it
}

// recommendation is the id of the decision about the position of the debate.
const recommendation = "D0"

// newTalk makes an empty collection.
func newTalk(s *debate.State, into map[string]string) *talk {
	into = maps.Clone(into)
	into[debate.PositionSubject] = recommendation
	for _, d := range s.Agenda.Decisions {
		into[d.ID] = d.ID
	}
	return &talk{state: s, into: into, lines: make(map[string][]Line), disputed: make(map[string]bool), told: make(map[string]bool)}
}

// conversations has the lines about each surviving claim and each decision, by its id. It leaves
// out a line without anything new, and joins new citations of one speaker in one line.
func conversations(s *debate.State, into map[string]string, n names) map[string][]Line {
	t := newTalk(s, into)
	for _, step := range history(s) {
		for _, f := range step.Facts {
			switch f.Kind {
			case debate.ClaimRaised, debate.ChallengeOpened, debate.PositionTaken:
				t.told[f.About] = true
			case debate.ClaimWeighed, debate.StanceTaken, debate.VoteCast:
				t.told[t.claimOf(f)+" "+f.Who] = true
			}
		}
	}
	for _, o := range s.Talk.Openings {
		if o.Disposition == "" && o.Summary == "" {
			continue
		}
		t.lines[recommendation] = append(t.lines[recommendation], Line{Who: o.Party, Act: DidPropose, Words: o.Summary, Option: string(o.Disposition)})
	}
	for _, d := range s.Agenda.Decisions {
		t.lines[d.ID] = append(t.lines[d.ID], t.rememberedAbout(d)...)
	}
	for _, step := range history(s) {
		for i, f := range step.Facts {
			claim, line, of := t.entry(step, i)
			if f.Kind == debate.DisputeOpened {
				t.disputed[claim] = true
			}
			same := []Act{line.Act}
			if line.Act == DidAgree { // reporting a finding is agreeing, too
				same = append(same, DidRaise, DidRepeat)
			}
			lines := t.lines[claim]
			last := len(lines) - 1
			said := slices.ContainsFunc(lines, func(before Line) bool { return before.Who == line.Who && slices.Contains(same, before.Act) })
			if line.Act == DidTry && last >= 0 && lines[last].Who == line.Who { // an agreement cites the lines of its cases
				line.Cites = lists.Keep(line.Cites, func(c Cited) bool { return !slices.Contains(lines[last].Cites, c) })
			}
			again := slices.ContainsFunc(lines, func(before Line) bool {
				return before.Who == line.Who && before.To == line.To && before.Act == line.Act && before.Words == line.Words && slices.Equal(before.Cites, line.Cites)
			})
			switch {
			case !of:
			case line.Option != "" && !line.moves(lines):
			case line.Option == "" && (again || (said || line.Act == DidTry) && line.Words == "" && len(line.Cites) == 0):
			case line.Act == DidPropose && said:
				line.Act = DidMove
				t.lines[claim] = append(lines, line)
			case last >= 0 && line.Act == DidCite && lines[last].Who == line.Who && lines[last].Act == DidCite:
				lines[last].Cites = append(lines[last].Cites, line.Cites...)
			default:
				t.lines[claim] = append(lines, line)
			}
		}
	}
	for _, c := range s.Book.Claims {
		lines := t.lines[c.ID]
		if into[c.ID] == c.ID && !t.told[c.ID] {
			lines = append(t.remembered(c), lines...)
		}
		for i, l := range lines {
			if l.Act == DidAgree && slices.Contains(c.ConfirmedBy, l.Who) {
				lines[i].Act = DidConfirm
			}
		}
		t.lines[c.ID] = lines
	}
	for subject, lines := range t.lines {
		var objectors []string
		for _, l := range lines {
			if l.Act == DidObject {
				objectors = append(objectors, l.Who)
			}
		}
		several := len(lists.Once(objectors)) > 1
		for i, l := range lines {
			lines[i].Who, lines[i].To = n.of(l.Who), ""
			if several && l.To != "" {
				lines[i].To = n.of(l.To)
			}
		}
		if more := len(lines) - maxConversation; more > 0 {
			lines = append(lines[:1:1], lines[1+more:]...)
			lines[1].LeftOut = more
		}
		t.lines[subject] = lines
	}
	return t.lines
}

// moves reports whether a line about a decision has another option or other words than the last one
// of its speaker.
func (l Line) moves(lines []Line) bool {
	for _, before := range slices.Backward(lines) {
		if before.Who == l.Who && before.Judge == l.Judge && before.Option != "" {
			return before.Option != l.Option || l.Words != "" && l.Words != before.Words
		}
	}
	return true
}

// history is that of a session, after the remembered disputes before it.
func history(s *debate.State) []debate.Step {
	if s.Received.Recall == nil {
		return s.Steps
	}
	return slices.Concat(s.Received.Recall.Said, s.Steps)
}

// entry is a fact of a step as a line about a claim or a decision. It reports whether the fact is a
// line; claim is "" for a fact about neither.
func (t *talk) entry(step debate.Step, i int) (claim string, l Line, of bool) {
	f := step.Facts[i]
	claim = t.claimOf(f)
	words := f.Text
	title := lists.Find(t.state.Book.Claims, func(c debate.Claim) bool { return c.ID == claim }).Title
	switch {
	case f.Kind == debate.ClaimRaised && (f.About == claim || words == title): // else another title of a merged claim
		words = ""
	case f.Kind == debate.ChallengeAccepted:
		words = f.Why.Words
	case f.Kind == debate.Drifted: // it names classes
		words = ""
	}
	act := t.act(f, step.Facts[:i], step.Facts[i+1:])
	id := f.About
	if f.Kind == debate.DisputeOpened { // a later fact of its step opens its challenge
		id = lists.Find(step.Facts[i:], func(g debate.Fact) bool { return g.Kind == debate.ChallengeOpened && t.claimOf(g) == claim }).About
	}
	k := lists.Find(t.state.Book.Challenges, func(k debate.Challenge) bool { return k.ID == id })
	l = Line{Who: t.speaker(f.Who), Act: act, Words: words, Cites: citesOf(f.Cites), Objection: k.ID}
	switch act {
	case DidObject, DidAnswer, DidGrant, DidConcede, DidIgnore:
		if isChoice(k) {
			return claim, l, false
		}
		if act != DidObject {
			l.To = k.Attacker
		}
		if f.Who == k.Attacker || k.Attacker == debate.AuthorParty {
			l.To = ""
		}
	case DidVote:
		l.Option, l.Judge = f.Code, debate.Stance(f.Who)
	case DidPropose, DidChoose:
		l.Option = f.Code
	}
	return claim, l, claim != "" && act != ""
}

// isChoice reports whether a challenge is only another recommendation, which the thread has.
func isChoice(k debate.Challenge) bool {
	return k.Claim == debate.PositionSubject && k.Objection == "" && len(k.Evidence) == 0
}

// speaker is the party behind a speaker: a judge or an arbiter goes by the name of its model.
func (t *talk) speaker(id string) string {
	served := lists.Find(t.state.Table.Parties, func(p debate.Party) bool { return p.ID == id && !isDebater(p.Role) })
	return cmp.Or(served.Debater, id)
}

// claimOf is the claim or the decision of a fact, "" if it is about neither.
func (t *talk) claimOf(f debate.Fact) string {
	switch f.Kind {
	case debate.FindingCarried:
		return t.into[f.Other]
	case debate.PositionTaken, debate.AnswerWritten:
		return recommendation
	}
	k := lists.Find(t.state.Book.Challenges, func(k debate.Challenge) bool { return k.ID == f.About })
	return t.into[cmp.Or(k.Decision, k.Claim, f.About)]
}

// act is the act of a speaker in a fact, "" if the fact is no part of the conversation. Before
// and after are the other facts of its step.
func (t *talk) act(f debate.Fact, before, after []debate.Fact) Act {
	// The next facts tell an evaluation: its party opens or keeps up an objection, or accepts an answer.
	leads := slices.ContainsFunc(after, func(g debate.Fact) bool {
		following := []debate.FactKind{debate.ChallengeOpened, debate.ChallengeKept, debate.ChallengeAccepted}
		return slices.Contains(following, g.Kind) && g.Who == f.Who && t.claimOf(g) == t.claimOf(f)
	})
	switch f.Kind {
	case debate.ClaimRaised:
		if f.About != t.into[f.About] {
			return DidRepeat
		}
		return DidRaise
	case debate.CitationChecked: // the line of a finding or of an objection has its citations already
		said := slices.ContainsFunc(before, func(g debate.Fact) bool {
			return g.Who == f.Who && g.About == f.About && g.Kind != debate.CitationChecked
		})
		return unless(said || f.Who == debate.EngineParty, DidCite)
	case debate.ClaimWeighed:
		return unless(leads, weighing[debate.Class(f.Code)])
	case debate.Acknowledged: // in a dispute a model may change its answer
		return unless(t.disputed[t.claimOf(f)], DidTurn)
	case debate.ChallengeOpened:
		// DisputeOpened tells the objection of a person, and Drifted that of a contradiction.
		return unless(f.Code == string(debate.Reconciling) || f.Who == debate.AuthorParty, DidObject)
	case debate.ChallengeDefended:
		if move := debate.Move(f.Code); move == debate.Partial || move == debate.Accept {
			return DidGrant
		}
		return DidAnswer
	case debate.ChallengeKept:
		if f.Text == "" && len(f.Cites) == 0 {
			return DidIgnore
		}
		return DidInsist
	case debate.AnswerWritten:
		return unless(f.Text == "", DidSumUp)
	case debate.ClaimFlagged:
		return unless(f.Code == string(debate.FlagOK) || leads, DidFlag)
	case debate.FindingCarried:
		if f.Code == string(debate.Fixed) {
			return unless(f.Who == debate.EngineParty, DidFindGone)
		}
		return unless(f.Who == debate.EngineParty, DidFindHere)
	}
	return plainActs[f.Kind]
}

// unless returns the act, or "" if another line says the same.
func unless(said bool, act Act) Act {
	if said {
		return ""
	}
	return act
}

// plainActs has the kinds of facts that are always the same act.
var plainActs = map[debate.FactKind]Act{
	debate.ClaimAmended:      DidReword,
	debate.CaseTried:         DidTry,
	debate.ChallengeConceded: DidConcede,
	debate.ChallengeAccepted: DidAccept,
	debate.ChallengeIgnored:  DidIgnore,
	debate.Drifted:           DidDrift,
	debate.DisputeOpened:     DidDispute,
	debate.PositionTaken:     DidPropose,
	debate.StanceTaken:       DidChoose,
	debate.VoteCast:          DidVote,
}

// weighing has the acts of evaluations outside an objection.
var weighing = map[debate.Class]Act{
	debate.ClassAgree: DidAgree, debate.ClassSkeptical: DidDoubt, debate.ClassIllFormed: DidDoubt, debate.ClassReject: DidReject,
}

// citesOf has citations with the results of their checks, each once.
func citesOf(list []debate.Evidence) []Cited {
	var cites []Cited
	for _, e := range lists.First(list, maxCites) {
		c := Cited{
			Path: cmp.Or(e.Cite.Path, e.RunRef), Line: e.Cite.StartLine, EndLine: e.Cite.EndLine, Side: e.Cite.Side, Quote: e.Cite.Quote, Check: checkOf(e),
		}
		if e.Test != nil {
			c = Cited{Path: e.Test.Path, Check: checkOf(e)}
		}
		if !slices.Contains(cites, c) {
			cites = append(cites, c)
		}
	}
	return cites
}

// checkOf is the result of checking a citation. Lines named without a quote count as found.
func checkOf(e debate.Evidence) QuoteCheck {
	switch {
	case e.Test != nil && e.CitationOK:
		return QuoteOfTest
	case e.Test != nil:
		return QuoteNoTest
	case e.Bare:
		return QuoteNamed
	case !e.CitationOK:
		return QuoteAbsent
	case e.RunRef != "":
		return QuoteOfRun
	}
	return QuoteFound
}

// remembered is the conversation about a claim as a later session knows it: the finding, the last
// word of each party, and every objection with its last answer and its end. It leaves out what the
// history of this session tells.
func (t *talk) remembered(c debate.Claim) []Line {
	by := func(who string) []Cited {
		return citesOf(lists.Keep(c.Evidence, func(e debate.Evidence) bool { return e.By == who }))
	}
	lines := []Line{{Who: c.Owner, Act: DidRaise, Cites: by(c.Owner)}}
	for _, who := range c.ReportedBy {
		if who != c.Owner {
			lines = append(lines, Line{Who: who, Act: DidRepeat, Cites: by(who)})
		}
	}
	objections := t.objections(c.ID)
	lines = append(lines, objections...)
	for i, e := range c.Evaluations {
		act := weighing[e.Class]
		isOld := slices.ContainsFunc(c.Evaluations[i+1:], func(later debate.Evaluation) bool { return later.Party == e.Party })
		objected := slices.ContainsFunc(objections, func(l Line) bool { return l.Who == e.Party && l.Act == DidObject })
		if !isOld && !t.told[c.ID+" "+e.Party] && (act == DidAgree || !objected) {
			lines = append(lines, Line{Who: e.Party, Act: act, Words: e.Flaw, Cites: by(e.Party)})
		}
	}
	for _, who := range c.ConfirmedBy {
		spoke := slices.ContainsFunc(lines, func(l Line) bool { return l.Who == who })
		if !spoke && !t.told[c.ID+" "+who] {
			lines = append(lines, Line{Who: who, Act: DidConfirm, Cites: by(who)})
		}
	}
	for _, look := range t.state.Talk.Arbitrations {
		for _, f := range look.Items {
			if t.into[f.Claim] == c.ID && f.Flag != debate.FlagOK {
				lines = append(lines, Line{Who: t.speaker(look.Arbiter), Act: DidFlag, Words: f.Note})
			}
		}
	}
	return lines
}

// rememberedAbout is the conversation about a decision likewise: the recommendations, the objections
// to them, the choice of each party, and the last vote of each judge.
func (t *talk) rememberedAbout(d debate.Decision) []Line {
	var lines []Line
	for _, p := range t.state.Talk.Positions {
		line := Line{Who: p.By, Act: DidPropose, Words: p.Summary, Option: string(p.Disposition)}
		if len(lines) > 0 {
			line.Act = DidMove
		}
		if d.ID == recommendation && !t.told["v"+strconv.Itoa(p.Version)] && line.moves(lines) {
			lines = append(lines, line)
		}
	}
	lines = append(lines, t.objections(d.ID)...)
	for _, o := range d.FinalOptions {
		line := Line{Who: o.Party, Act: DidChoose, Option: o.Option}
		if t.state.Received.Recall != nil && !t.told[d.ID+" "+o.Party] && !IsNone(o.Option) && line.moves(lines) {
			lines = append(lines, line)
		}
	}
	if d.Panel == nil {
		return lines
	}
	for _, v := range d.Panel.Perspectives {
		if judge := string(v.Judge); !t.told[d.ID+" "+judge] {
			lines = append(lines, Line{Who: t.speaker(judge), Act: DidVote, Words: v.Reason, Option: v.Option, Judge: v.Judge})
		}
	}
	return lines
}

// objections has every objection to a claim or a decision with its last answer and its end, except for
// those in the history.
func (t *talk) objections(subject string) (lines []Line) {
	for _, k := range t.state.Book.Challenges {
		if t.into[cmp.Or(k.Decision, k.Claim)] != subject || k.Kind == debate.Reconciling || t.told[k.ID] || isChoice(k) {
			continue
		}
		act := DidObject
		if k.Attacker == debate.AuthorParty {
			act = DidDispute
		}
		lines = append(lines, Line{Who: k.Attacker, Act: act, Words: k.Objection, Cites: citesOf(k.Evidence), Objection: k.ID})
		if k.Defence != "" {
			lines = append(lines, Line{Who: cmp.Or(k.Spoke, k.Defender), Act: DidAnswer, Words: k.Defence, Cites: citesOf(k.DefenceBy), Objection: k.ID})
		}
		switch {
		case k.Status == debate.Conceded:
			lines = append(lines, Line{Who: k.Defender, Act: DidConcede, Words: k.ResolvedWith.Words, Objection: k.ID})
		case k.Status == debate.Undefended:
			lines = append(lines, Line{Who: k.Defender, Act: DidIgnore, Objection: k.ID})
		case k.Status == debate.Resolved && k.ResolvedWith.Code == debate.WhyTold:
			lines = append(lines, Line{Who: k.Attacker, Act: DidAccept, Words: k.ResolvedWith.Words, Objection: k.ID})
		}
	}
	return lines
}
