package prompt

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

type claim struct {
	ID         string     `json:"id"`
	Segment    string     `json:"segment"`
	Kind       string     `json:"kind"`
	Severity   string     `json:"severity"`
	Category   string     `json:"category"`
	Title      string     `json:"title"`
	Body       string     `json:"body"`
	OwnerIsYou bool       `json:"owner_is_you"`
	YourClass  string     `json:"your_class,omitempty"` // what the party said of it last, to compare with (R154)
	Reminder   bool       `json:"reminder,omitempty"`   // it was asked to weigh it before, and is for the last time
	Bucket     string     `json:"bucket,omitempty"`     // where it ended, once the debate is over
	Evidence   []evidence `json:"evidence"`
	Suggestion string     `json:"suggestion,omitempty"`
	Limit      string     `json:"limit,omitempty"` // what its owner granted of an objection
	Thread     []spoken   `json:"thread,omitempty"`
}

type evidence struct {
	Path       string `json:"path,omitempty"`
	Side       string `json:"side,omitempty"`
	StartLine  int    `json:"start_line,omitempty"`
	EndLine    int    `json:"end_line,omitempty"`
	Quote      string `json:"quote,omitempty"`
	RunRef     string `json:"run_ref,omitempty"`
	CitationOK bool   `json:"citation_ok"`
	Why        string `json:"why,omitempty"`   // of the own claim: what is wrong with the citation
	There      string `json:"there,omitempty"` // and the lines that stand where it points
	Test       *test  `json:"test,omitempty"`
	Around     string `json:"around,omitempty"` // lines that somebody looked at, and that no packet shows
}

// claimsFor lists the claims that a call is about: in a debate those that are
// still debated, of one chunk where the call has one, and after them what the
// embedded critic found, which may be challenged too (S01); afterwards those that
// ended in a bucket; in a dispute the one that is disputed (A26).
func claimsFor(s debate.State, ask debate.Ask) []debate.Claim {
	if k := inDispute(s); k != nil {
		return lists.Keep(s.Book.Claims, func(c debate.Claim) bool { return c.ID == k.Claim })
	}
	in := topics()[ask.Kind]
	near, linked := nearTo(s.Split.Chunks, ask.Chunk), linkedTo(s.Agenda.Decisions, ask.Decision)
	shown := lists.Keep(s.Book.Claims, func(c debate.Claim) bool {
		return c.SameAs == "" && !c.NotDebated && !c.Extra && in(c) && near(c) && linked(c)
	})

	ofCritic := func(c debate.Claim) bool { return c.Bucket != "" && c.Owner == debate.EngineParty }
	ofParties := func(c debate.Claim) bool { return !ofCritic(c) }
	shown = slices.Concat(lists.Keep(shown, ofParties), lists.Keep(shown, ofCritic))
	return shown[:min(len(shown), mostClaims)]
}

// topics says of each kind of call which claims it is about, of those near its chunk and
// linked to its decision.
func topics() map[debate.CallKind]func(debate.Claim) bool {
	ofCritic := func(c debate.Claim) bool { return c.Owner == debate.EngineParty }
	debated := func(c debate.Claim) bool { return c.Bucket == "" || ofCritic(c) }
	ended := func(c debate.Claim) bool { return c.Bucket != "" }
	holds := func(c debate.Claim) bool { return c.Bucket != debate.Dismissed }
	return map[debate.CallKind]func(debate.Claim) bool{
		debate.CallOpen:      ofCritic, // known already (M05)
		debate.CallLocal:     ofCritic,
		debate.CallChallenge: debated,
		debate.CallRespond:   debated,
		debate.CallRebut:     debated,
		debate.CallArbiter:   ended,
		debate.CallJudge1:    holds,
		debate.CallJudge2:    holds,
		debate.CallSumUp:     ended,
		debate.CallScore:     holds,
	}
}

// nearTo tells the claims of a chunk, and those of none. Where a call has no chunk, all
// are near.
func nearTo(chunks []debate.Chunk, chunk string) func(debate.Claim) bool {
	elsewhere := make(map[string]bool) // by segment
	for _, x := range chunks {
		for _, id := range x.Segments {
			elsewhere[id] = chunk != "" && x.ID != chunk
		}
	}
	return func(c debate.Claim) bool { return !elsewhere[c.Segment] }
}

// linkedTo tells the claims that a decision is about. One that names none is about all,
// and so is a call that has no decision.
func linkedTo(decisions []debate.Decision, id string) func(debate.Claim) bool {
	linked := lists.Find(decisions, func(d debate.Decision) bool { return d.ID == id }).Claims
	return func(c debate.Claim) bool { return len(linked) == 0 || slices.Contains(linked, c.ID) }
}

// inDispute is the challenge of the person whose dispute is being answered, or nil.
func inDispute(s debate.State) *debate.Challenge {
	at := slices.IndexFunc(s.Book.Challenges, func(k debate.Challenge) bool { return k.ID == s.InDispute })
	if s.Stage != debate.StageDispute || at < 0 {
		return nil
	}
	return &s.Book.Challenges[at]
}

func (t turner) claims() []claim {
	var shown []claim
	for _, c := range among(t, claimsFor(t.s, t.ask), func(c debate.Claim) string { return c.ID }) {
		k := claim{
			ID: c.ID, Segment: c.Segment, Kind: string(c.Kind), Severity: string(c.Severity), Category: string(c.Category),
			Title: t.say(c.Title, shortText), Body: t.say(c.Body, longText), Evidence: t.evidence(c.Evidence),
		}
		for i := range k.Evidence {
			k.Evidence[i].Around = t.around(c.Evidence[i])
		}
		if t.confidential() {
			k.Bucket = string(c.Bucket)
		} else {
			t.toParty(&k, c)
		}
		k.Suggestion, k.Limit, k.Thread = t.say(c.Suggestion, shortText), t.words(c.Limit, shortText), t.threadOf(c)
		shown = append(shown, k)
	}
	return shown
}

// toParty adds to a claim what concerns the party that is asked, and where it ended to who
// sums up.
func (t turner) toParty(k *claim, c debate.Claim) {
	if t.ask.Kind == debate.CallSumUp {
		k.Bucket = string(c.Bucket)
	}
	k.OwnerIsYou = c.Owner == t.ask.Party
	if t.mayRepair(c) { // it is told why its citations do not hold, and what stands there
		for i := range k.Evidence {
			k.Evidence[i].Why, k.Evidence[i].There = t.say(c.Evidence[i].Why, shortText), t.say(c.Evidence[i].There, longText)
		}
	}
	k.YourClass = t.classOf(c)
	k.Reminder = c.Passed == 1 && t.ask.Kind == debate.CallRespond && k.YourClass == "" && !k.OwnerIsYou
}

// mayRepair reports whether a party is told what is wrong with the citations of a
// claim of its own: where none of them holds, and once (M03b).
func (t turner) mayRepair(c debate.Claim) bool {
	return c.Owner == t.ask.Party && c.Misquoted()
}

// repairs reports whether the party has a citation to mend in this call.
func (t turner) repairs() bool {
	return t.is(debate.CallChallenge, debate.CallRespond, debate.CallRebut) && slices.ContainsFunc(claimsFor(t.s, t.ask), t.mayRepair)
}

// threadOf is what was said of a claim. Who sees no challenges hears all of it.
func (t turner) threadOf(c debate.Claim) []spoken {
	switch t.ask.Kind {
	case debate.CallJudge1, debate.CallJudge2, debate.CallScore:
		return t.thread(t.s.Book.Thread(c.ID), "")
	}
	return t.thread(c.Thread, "")
}

// classOf is what the asked party said of a claim last.
func (t turner) classOf(c debate.Claim) string {
	class := ""
	for _, e := range c.Evaluations {
		if e.Party == t.ask.Party {
			class = string(e.Class)
		}
	}
	return class
}

func (t turner) evidence(list []debate.Evidence) []evidence {
	shown := []evidence{}
	for _, e := range list[:min(len(list), mostEvidence)] {
		shown = append(shown, evidence{
			Path: t.name(e.Cite.Path), Side: string(e.Cite.Side), StartLine: e.Cite.StartLine, EndLine: e.Cite.EndLine,
			Quote: t.say(e.Cite.Quote, longText), RunRef: t.name(e.RunRef), CitationOK: e.CitationOK, Test: t.test(e),
		})
	}
	return shown
}

type challenge struct {
	ID            string     `json:"id"`
	Claim         string     `json:"claim"`
	Kind          string     `json:"kind"`
	Objection     string     `json:"objection"`
	DefenderIsYou bool       `json:"defender_is_you"`
	Reminder      bool       `json:"reminder"`
	RoundsOpen    int        `json:"rounds_open"`
	Defence       string     `json:"defence,omitempty"` // where no thread holds it
	Clarify       bool       `json:"clarify,omitempty"` // the claim is asked to say what it means (X06)
	Evidence      []evidence `json:"evidence,omitempty"`
	DefendedBy    []evidence `json:"defence_evidence,omitempty"`
	UpgradeIf     string     `json:"upgrade_if,omitempty"` // what would change the attacker's mind
	Thread        []spoken   `json:"thread,omitempty"`

	open bool
}

func (t turner) challenges() []challenge {
	var shown []challenge
	for _, k := range challengesFor(t.s, t.ask) {
		defends, attacks := k.Defender == t.ask.Party, k.Attacker == t.ask.Party
		c := challenge{
			ID: k.ID, Claim: k.Claim, Kind: string(k.Kind), Objection: t.say(objectionOf(k), longText),
			DefenderIsYou: !t.confidential() && defends,
			Reminder:      defends && k.Status == debate.Dropped || attacks && k.Unjudged, RoundsOpen: k.RoundsOpen, Clarify: k.Clarify,
			Evidence: t.evidence(k.Evidence), UpgradeIf: t.words(t.upgradeIf(k), shortText), Thread: t.thread(k.Thread, k.Objection),
			open: k.Disputed(),
		}
		if len(k.Thread) == 0 { // a memory forgets threads
			c.Defence, c.DefendedBy = t.say(k.Defence, longText), t.evidence(k.DefenceBy)
		}
		shown = append(shown, c)
	}
	return shown
}

// comesTo is what objections to the position come to, in words.
var comesTo = map[debate.Means]string{
	debate.Disagreement: "it disagrees", debate.StrongObjection: "it objects strongly",
	debate.WantsKeep: "it recommends keep", debate.WantsRevise: "it recommends revise", debate.WantsReject: "it recommends reject",
}

// objectionOf is an objection after its result, so that the party that answers reads that
// first.
func objectionOf(k debate.Challenge) string {
	switch means := comesTo[k.Means]; {
	case means == "" || k.Objection == "":
		return means + k.Objection
	default:
		return means + ": " + k.Objection
	}
}

// challengesFor lists the challenges that a call shows: those that a party defends
// against or raised and that are not settled; the arbiter and who sums up see all of them,
// and in a dispute both parties see the one that it is about.
func challengesFor(s debate.State, ask debate.Ask) []debate.Challenge {
	disputed := inDispute(s)
	shown := lists.Keep(s.Book.Challenges, func(k debate.Challenge) bool {
		switch {
		case ask.Kind == debate.CallArbiter, ask.Kind == debate.CallSumUp:
			return true
		case disputed != nil:
			return k.ID == disputed.ID
		}
		return k.Live() && slices.Contains([]string{k.Defender, k.Attacker}, ask.Party)
	})

	return shown[:min(len(shown), mostChallenges)]
}

// upgradeIf is what the attacker said would change its mind about the claim.
func (t turner) upgradeIf(k debate.Challenge) string {
	said := ""
	about := lists.Find(t.s.Book.Claims, func(c debate.Claim) bool { return c.ID == k.Claim })
	for _, e := range about.Evaluations {
		if e.Party == k.Attacker {
			said = cmp.Or(e.UpgradeIf, said)
		}
	}
	return said
}

type arbitration struct {
	Items []item `json:"items"`
}

type item struct {
	Claim  string `json:"claim"`
	Bucket string `json:"bucket"`
	Text   string `json:"text"`
}

func (t turner) arbitration() *arbitration {
	a := &arbitration{Items: []item{}}
	for _, c := range among(t, claimsFor(t.s, t.ask), func(c debate.Claim) string { return c.ID }) {
		text := t.say(c.Title, shortText)
		if c.Reason != "" {
			text += " (" + strings.ReplaceAll(string(c.Reason), "_", " ") + ")"
		}
		a.Items = append(a.Items, item{Claim: c.ID, Bucket: string(c.Bucket), Text: text})
	}
	return a
}
