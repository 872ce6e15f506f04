package prompt

import (
	"cmp"
	"slices"
	"strconv"

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
	YourClass  string     `json:"your_class,omitempty"` // the party's last evaluation, to compare with (R154)
	Reminder   bool       `json:"reminder,omitempty"`   // the party is asked for the second and last time to weigh it
	Bucket     string     `json:"bucket,omitempty"`     // after the debate
	Evidence   []evidence `json:"evidence"`
	Suggestion string     `json:"suggestion,omitempty"`
	Limit      string     `json:"limit,omitempty"` // the part of an objection that its owner accepts
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
	Why        string `json:"why,omitempty"`   // of the own claim: the fault of the citation
	There      string `json:"there,omitempty"` // of the own claim: the lines at the cited place
	Test       *test  `json:"test,omitempty"`
	Around     string `json:"around,omitempty"` // lines of a look, in no packet
}

// claimsFor lists the claims of a call. During the debate they are the open claims, of one
// chunk if the call has one, and after them the findings of the embedded critic, which can
// be challenged too. After the debate they are the claims in a bucket. In a dispute it
// is the disputed claim (A26).
func claimsFor(s debate.State, ask debate.Ask) []debate.Claim {
	if k := inDispute(s); k != nil {
		return lists.Keep(s.Book.Claims, func(c debate.Claim) bool { return c.ID == k.Claim })
	}
	in := func(c debate.Claim) bool {
		ended, ofCritic := c.Bucket != "", c.Owner == debate.EngineParty
		switch ask.Kind {
		case debate.CallOpen, debate.CallLocal:
			return ofCritic // known already
		case debate.CallChallenge, debate.CallRespond, debate.CallRebut:
			return !ended || ofCritic
		case debate.CallArbiter, debate.CallSumUp:
			return ended
		}
		return c.Bucket != debate.Dismissed // judges and scores
	}
	elsewhere := make(map[string]bool) // segments of other chunks
	for _, x := range s.Split.Chunks {
		for _, id := range x.Segments {
			elsewhere[id] = ask.Chunk != "" && x.ID != ask.Chunk
		}
	}
	linked := lists.Find(s.Agenda.Decisions, func(d debate.Decision) bool { return d.ID == ask.Decision }).Claims // none: all
	shown := lists.Keep(s.Book.Claims, func(c debate.Claim) bool {
		return c.SameAs == "" && !c.NotDebated && !c.Extra && in(c) && !elsewhere[c.Segment] && (len(linked) == 0 || slices.Contains(linked, c.ID))
	})
	ofCritic := func(c debate.Claim) bool { return c.Bucket != "" && c.Owner == debate.EngineParty }
	ofParties := func(c debate.Claim) bool { return !ofCritic(c) }
	shown = slices.Concat(lists.Keep(shown, ofParties), lists.Keep(shown, ofCritic))
	return shown[:min(len(shown), mostClaims)]
}

// inDispute returns the challenge of the current dispute, raised by a person, or nil.
func inDispute(s debate.State) *debate.Challenge {
	if s.Stage != debate.StageDispute {
		return nil
	}
	return lists.Pointer(s.Book.Challenges, func(k *debate.Challenge) bool { return k.ID == s.InDispute })
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
		if t.confidential() || t.ask.Kind == debate.CallSumUp {
			k.Bucket = string(c.Bucket)
		}
		if !t.confidential() { // what concerns the asked party
			k.OwnerIsYou = c.Owner == t.ask.Party
			for i := range k.Evidence {
				if t.mayRepair(c) {
					k.Evidence[i].Why, k.Evidence[i].There = t.say(c.Evidence[i].Why, shortText), t.say(c.Evidence[i].There, longText)
				}
			}
			for _, e := range c.Evaluations {
				if e.Party == t.ask.Party {
					k.YourClass = string(e.Class)
				}
			}
			k.Reminder = c.Passed == 1 && t.isPrimary() && t.is(debate.CallRespond, debate.CallRebut) && k.YourClass == "" && !k.OwnerIsYou
		}
		thread := c.Thread
		if t.is(debate.CallJudge1, debate.CallJudge2, debate.CallScore) { // a call without challenges gets their threads, too
			thread = t.s.Book.Thread(c.ID)
		}
		k.Suggestion, k.Limit, k.Thread = t.say(c.Suggestion, shortText), t.words(c.Limit, shortText), t.thread(thread, "")
		shown = append(shown, k)
	}
	return shown
}

// mayRepair reports whether a claim of the asked party has no good citation: the party gets
// the faults and the lines there once (M03b).
func (t turner) mayRepair(c debate.Claim) bool {
	return c.Owner == t.ask.Party && c.Misquoted()
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

// reachAround is the number of lines of a look shown before and after a cited line.
const reachAround = 10

// around returns the lines of a look near a citation outside the packet, so that other
// parties can weigh and cite them too.
func (t turner) around(e debate.Evidence) string {
	if !e.CitationOK || e.InHunk {
		return ""
	}
	for _, l := range t.s.Asking.Looks {
		for _, seen := range l.Seen {
			for _, run := range seen.Runs {
				last := run.First + len(run.Lines) - 1
				if seen.Side != e.Cite.Side || run.Path != e.Cite.Path || e.Cite.StartLine < run.First || last < e.Cite.EndLine {
					continue
				}
				text := ""
				for n := max(run.First, e.Cite.StartLine-reachAround); n <= min(last, e.Cite.EndLine+reachAround); n++ {
					text += strconv.Itoa(n) + " " + run.Lines[n-run.First] + "\n"
				}
				return t.say(text, longText)
			}
		}
	}
	return ""
}

type challenge struct {
	ID            string     `json:"id"`
	Claim         string     `json:"claim"`
	Kind          string     `json:"kind"`
	Objection     string     `json:"objection"`
	DefenderIsYou bool       `json:"defender_is_you"`
	Reminder      bool       `json:"reminder"`
	RoundsOpen    int        `json:"rounds_open"`
	Defence       string     `json:"defence,omitempty"` // if no thread has it
	Clarify       bool       `json:"clarify,omitempty"` // the claim has to be clarified (R141)
	Evidence      []evidence `json:"evidence,omitempty"`
	DefendedBy    []evidence `json:"defence_evidence,omitempty"`
	UpgradeIf     string     `json:"upgrade_if,omitempty"` // the attacker's condition to change its mind
	Thread        []spoken   `json:"thread,omitempty"`
}

func (t turner) challenges() []challenge {
	var shown []challenge
	for _, k := range challengesFor(t.s, t.ask) {
		defends := slices.Contains(t.s.Defenders(k), t.ask.Party)
		result := comesTo[k.Means]
		if k.Choice != "" {
			result = "it chooses " + t.name(k.Choice) + " for " + t.name(k.Decision)
		}
		objection := result + k.Objection
		if result != "" && k.Objection != "" { // the party reads the result first
			objection = result + ": " + k.Objection
		}
		upgradeIf := ""
		about := lists.Find(t.s.Book.Claims, func(c debate.Claim) bool { return c.ID == k.Claim })
		for _, e := range about.Evaluations {
			if e.Party == k.Attacker {
				upgradeIf = cmp.Or(e.UpgradeIf, upgradeIf)
			}
		}
		c := challenge{
			ID: k.ID, Claim: k.Claim, Kind: string(k.Kind), Objection: t.say(objection, longText),
			DefenderIsYou: !t.confidential() && defends,
			Reminder:      defends && k.Status == debate.Dropped, RoundsOpen: k.RoundsOpen, Clarify: k.Clarify,
			Evidence: t.evidence(k.Evidence), UpgradeIf: t.words(upgradeIf, shortText), Thread: t.thread(k.Thread, k.Objection),
		}
		if len(k.Thread) == 0 { // a memory forgets threads
			c.Defence, c.DefendedBy = t.say(k.Defence, longText), t.evidence(k.DefenceBy)
		}
		shown = append(shown, c)
	}
	return shown
}

// comesTo has the words for the result of an objection to the position.
var comesTo = map[debate.Means]string{
	debate.Disagreement: "it disagrees", debate.StrongObjection: "it objects strongly",
	debate.WantsKeep: "it recommends keep", debate.WantsRevise: "it recommends revise", debate.WantsReject: "it recommends reject",
}

// challengesFor lists the challenges of a call: the live ones with the party as attacker or
// defender. ARBITER and SUM_UP show all of them, and a dispute shows only its own.
func challengesFor(s debate.State, ask debate.Ask) []debate.Challenge {
	disputed := inDispute(s)
	shown := lists.Keep(s.Book.Challenges, func(k debate.Challenge) bool {
		switch {
		case ask.Kind == debate.CallArbiter, ask.Kind == debate.CallSumUp:
			return true
		case disputed != nil:
			return k.ID == disputed.ID
		}
		return k.Live() && (k.Attacker == ask.Party || slices.Contains(s.Defenders(k), ask.Party))
	})
	return shown[:min(len(shown), mostChallenges)]
}
