package prompt

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// The bounds of the lists and texts of a turn.
const (
	mostClaims     = 60
	mostChallenges = 60
	mostLedger     = 60
	mostDecisions  = 20
	mostOptions    = 20
	mostCarried    = 50
	mostEvidence   = 6
	mostPoints     = 20
	longText       = 4000 // bytes
	shortText      = 1000
)

// turn is what one call needs of the debate. Members that it does not need are
// left out.
type turn struct {
	Envelope    envelope     `json:"input_envelope"`
	Request     string       `json:"request"`
	Answer      string       `json:"answer,omitempty"` // of a question
	Openings    []opening    `json:"openings,omitempty"`
	Position    *position    `json:"position,omitempty"`
	Claims      []claim      `json:"claims,omitempty"`
	Challenges  []challenge  `json:"challenges,omitempty"`
	Ledger      []entry      `json:"ledger,omitempty"`
	Decisions   []decision   `json:"decisions,omitempty"`
	Sides       []side       `json:"sides,omitempty"` // once all is decided
	Panel       *panel       `json:"panel,omitempty"`
	Carried     []finding    `json:"carried,omitempty"`
	Arbitration *arbitration `json:"arbitration,omitempty"`
	Notice      []string     `json:"notice,omitempty"`
}

// envelope is one base for a round with what differs from call to call (R049,
// S21).
type envelope struct {
	SessionID      string   `json:"session_id"`
	Round          int      `json:"round"`
	Target         string   `json:"target"`
	Scope          string   `json:"scope"`
	ArtifactFile   string   `json:"artifact_file"`
	BudgetMinutes  int      `json:"budget_minutes"`
	Call           string   `json:"call"`
	Party          string   `json:"party"`
	N              int      `json:"n"`
	Phase          string   `json:"phase"`
	PacketHash     string   `json:"packet_hash"`
	OpenChallenges []string `json:"open_challenges"`
	RemainingS     int64    `json:"remaining_s"`
}

type position struct {
	Version     int      `json:"version"`
	Disposition string   `json:"disposition"`
	Summary     string   `json:"summary,omitempty"`
	Weaknesses  []string `json:"weaknesses"`
	Assumptions []string `json:"assumptions"`
}

// turn chooses what a call may see. It is the one place where the parties are
// kept apart (A09): OPEN sees what fixed rules found, and no material of a party; CHALLENGE no
// reasons of the position and no defences, unless everybody has opened on its own, JUDGE, SCORE and ARBITER no names, JUDGE1 and SCORE
// nobody's vote or sheet. Who sums up once all is decided sees who holds what in the end, and why.
func (t turner) turn() turn {
	kind := t.ask.Kind
	out := turn{Request: t.request()}
	switch kind {
	case debate.CallOpen, debate.CallLocal:
		out.Claims, out.Ledger, out.Carried = t.claims(), t.ledger(), t.carried()
		if t.s.Received.Inquiry != nil { // its choices are part of the question
			out.Decisions = t.decisions()
		}
	case debate.CallChallenge:
		out.Position, out.Claims, out.Ledger = t.position(), t.claims(), t.ledger()
		if t.s.Received.Inquiry != nil || t.chooses() { // what else to think of a change, the verdict says
			out.Decisions = t.decisions()
		}
		out.Carried, out.Openings = t.carried(), t.openings()
	case debate.CallRespond, debate.CallRebut:
		out.Position, out.Claims, out.Challenges = t.position(), t.claims(), t.challenges()
		out.Ledger, out.Decisions = t.ledger(), t.decisions()
	case debate.CallSumUp:
		out.Position, out.Claims, out.Challenges = t.position(), t.claims(), t.challenges()
		out.Decisions, out.Sides = t.decisions(), t.sides()
	case debate.CallArbiter:
		out.Claims, out.Challenges, out.Arbitration = t.claims(), t.challenges(), t.arbitration()
	case debate.CallJudge1, debate.CallJudge2:
		out.Claims, out.Ledger, out.Decisions, out.Panel = t.claims(), t.ledger(), t.decisions(), t.panel()
	case debate.CallScore:
		out.Claims, out.Ledger, out.Decisions = t.claims(), t.ledger(), t.decisions()
	}
	if t.ask.Format != "" {
		out.Notice = []string{"the reply cannot be read: " + t.say(t.ask.Format, shortText)}
	}
	out.Answer = t.answer()
	out.Envelope = t.envelope(out.Challenges)
	return out
}

// answer is the answer to the question under debate, without who gave it. An
// opening sees none (A23).
func (t turner) answer() string {
	if t.s.Received.Inquiry == nil || t.is(debate.CallOpen, debate.CallLocal) {
		return ""
	}
	return t.say(t.s.Talk.Position().Summary, longText)
}

// is reports whether a call is of one of some kinds.
func (t turner) is(kinds ...debate.CallKind) bool { return slices.Contains(kinds, t.ask.Kind) }

// confidential reports whether a call must not see who said what.
func (t turner) confidential() bool {
	return t.is(debate.CallJudge1, debate.CallJudge2, debate.CallScore, debate.CallArbiter)
}

// early reports whether a call comes before the reasons of the others are
// disclosed.
func (t turner) early() bool {
	return t.is(debate.CallChallenge)
}

func (t turner) envelope(shown []challenge) envelope {
	s := t.s
	scope, target := cmp.Or(s.Snapshot.Scope, s.Received.Scope), cmp.Or(s.Split.Target, s.Received.Target)
	open := []string{}
	for _, k := range shown {
		if k.open && !t.confidential() {
			open = append(open, k.ID)
		}
	}
	return envelope{
		SessionID: t.name(s.Received.SessionID), Round: max(t.ask.N, 1), Target: string(target), Scope: t.name(scope),
		ArtifactFile: "artifact.md", BudgetMinutes: t.minutes(), Call: string(t.ask.Kind), Party: t.name(t.ask.Party),
		N: t.ask.N, Phase: string(t.phase()), PacketHash: "sha256:" + s.Snapshot.Hash, OpenChallenges: open, RemainingS: t.remaining(),
	}
}

// position is what the primary holds, before RESPOND without its reasons.
func (t turner) position() *position {
	if len(t.s.Talk.Positions) == 0 {
		return nil
	}
	p := t.s.Talk.Positions[len(t.s.Talk.Positions)-1]
	shown := &position{
		Version: p.Version, Disposition: string(p.Disposition),
		Weaknesses:  t.sayAll(p.Weaknesses, mostPoints, shortText),
		Assumptions: t.sayAll(p.Assumptions, mostPoints, shortText),
	}
	if !t.early() {
		shown.Summary = t.say(p.Summary, longText)
	}
	return shown
}

// entry of the provenance ledger.
type entry struct {
	ID     string `json:"id"`
	Tag    string `json:"tag"`
	Source string `json:"source"`
	Text   string `json:"text"`
}

// ledger shows the active entries. An exchange sees all of them; nobody sees
// another party's before, or after it; an opening sees none that came from the
// debate. What the author says in the text of the pull request stands in the
// packet.
func (t turner) ledger() []entry {
	superseded := make(map[string]bool)
	for _, e := range t.s.Book.Ledger {
		superseded[e.Supersedes] = true
	}
	exchange, opening := t.is(debate.CallRespond, debate.CallRebut), t.is(debate.CallOpen, debate.CallLocal)
	chosen := lists.Keep(t.s.Book.Ledger, func(e debate.LedgerEntry) bool {
		switch {
		case superseded[e.ID], e.Source == debate.AuthorParty && e.Ref == debate.BodyPath:
			return false
		case exchange, e.Tag == debate.TagUser, e.Source == debate.AuthorParty:
			return true
		}
		return e.Source == debate.EngineParty && !opening
	})

	return lists.Map(mostRecent(chosen), func(e debate.LedgerEntry) entry {
		text := e.Text
		if e.Alternative {
			text = "alternative: " + text
		}
		return entry{ID: e.ID, Tag: string(e.Tag), Source: t.name(e.Source), Text: t.say(text, shortText)}
	})

}

// mostRecent bounds the ledger: what people with authority said goes first, the
// rest by age.
func mostRecent(entries []debate.LedgerEntry) []debate.LedgerEntry {
	drop := len(entries) - mostLedger
	var kept []debate.LedgerEntry
	for _, e := range entries {
		if drop > 0 && e.Tag != debate.TagUser {
			drop--
			continue
		}
		kept = append(kept, e)
	}
	return kept[:min(len(kept), mostLedger)]
}

// finding of an earlier head.
type finding struct {
	ID        string `json:"id"`
	Severity  string `json:"severity"`
	Title     string `json:"title"`
	Path      string `json:"path,omitempty"`
	StartLine int    `json:"start_line,omitempty"`
	Quote     string `json:"quote,omitempty"` // what stands there now

	Body    string   `json:"body,omitempty"`
	Was     string   `json:"was,omitempty"`     // the lines that it cited, if others stand there now
	Changed []string `json:"changed,omitempty"` // parts of its file that changed since

	AcceptedBy string `json:"accepted_by,omitempty"` // who decided to merge with it
}

// findings are those of earlier heads that are judged again (S11). What a
// dispute settled is final (A26).
func (t turner) findings() []debate.Carried {
	open := lists.Keep(t.s.Received.Previous.Findings, func(f debate.Carried) bool { return !f.Final })
	return open[:min(len(open), mostCarried)]
}

func (t turner) isAccepted(f debate.Carried) bool { return t.s.Received.Previous.AcceptedBy(f) != "" }

func (t turner) carried() []finding {
	var shown []finding
	for _, f := range t.findings() {
		c := finding{ID: f.ID, Severity: string(f.Severity), Title: t.say(f.Title, shortText), Body: t.say(f.Body, longText), Path: t.name(f.Cite.Path)}
		if f.Present || f.Was.Path != "" {
			c.AcceptedBy = t.say(t.s.Received.Previous.AcceptedBy(f), shortText)
			c.StartLine, c.Quote, c.Was = f.Cite.StartLine, t.say(f.Cite.Quote, longText), t.say(f.Was.Quote, longText)
		}
		changed := t.s.ChangedSince(f.Cite.Path)
		c.Changed = lists.Map(changed[:min(len(changed), mostEvidence)], func(seg debate.Segment) string {
			return t.name(seg.Path) + ":" + strconv.Itoa(seg.StartLine) + "-" + strconv.Itoa(seg.EndLine)
		})

		shown = append(shown, c)
	}
	return shown
}
