package prompt

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// The bounds of the lists and texts of a turn. It shows one opening for each party and
// chunk; all openings share openingsBytes, a few pages, equally.
const (
	mostOpenings   = 40
	openingsBytes  = 60_000
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

// turn is the debate as one call needs it, without the other members.
type turn struct {
	Envelope   envelope    `json:"input_envelope"`
	Request    string      `json:"request"`
	Answer     string      `json:"answer,omitempty"` // to a question
	Openings   []opening   `json:"openings,omitempty"`
	Position   *position   `json:"position,omitempty"`
	Claims     []claim     `json:"claims,omitempty"`
	Challenges []challenge `json:"challenges,omitempty"`
	Ledger     []entry     `json:"ledger,omitempty"`
	Decisions  []decision  `json:"decisions,omitempty"`
	Sides      []side      `json:"sides,omitempty"` // once all is decided
	Panel      *panel      `json:"panel,omitempty"`
	Carried    []finding   `json:"carried,omitempty"`
	Notice     []string    `json:"notice,omitempty"`
}

// envelope is one base for a round, with the differences between its calls (R049).
type envelope struct {
	SessionID     string `json:"session_id"`
	Round         int    `json:"round"`
	Target        string `json:"target"`
	Scope         string `json:"scope"`
	ArtifactFile  string `json:"artifact_file"`
	BudgetMinutes int    `json:"budget_minutes"`
	Call          string `json:"call"`
	Party         string `json:"party"`
	PacketHash    string `json:"packet_hash"`
	RemainingS    int64  `json:"remaining_s"` // by the clock of the debate or of a dispute; it stops during an interruption
}

type position struct {
	Version     int      `json:"version"`
	Disposition string   `json:"disposition"`
	Summary     string   `json:"summary,omitempty"`
	Weaknesses  []string `json:"weaknesses"`
	Assumptions []string `json:"assumptions"`
}

// turn chooses the content of a call. It is the one place that keeps the parties apart
// (A09). OPEN shows the findings of built-in rules and nothing of a party. CHALLENGE shows
// no reasons of the position and no defenses, unless all parties opened alone. JUDGE, SCORE
// and ARBITER show no names, JUDGE1 and SCORE also no vote and no sheet. SUM_UP comes after
// all decisions, and shows the final options of each party with their reasons.
func (t turner) turn() turn {
	out := turn{Request: t.request()}
	switch t.ask.Kind {
	case debate.CallOpen, debate.CallLocal:
		out.Claims, out.Ledger, out.Carried = t.claims(), t.ledger(), t.carried()
		if t.s.Received.Inquiry != nil { // its choices are part of the question
			out.Decisions = t.decisions()
		}
	case debate.CallChallenge:
		out.Position, out.Claims, out.Ledger = t.position(), t.claims(), t.ledger()
		if t.s.Received.Inquiry != nil || t.chooses() { // the verdict answers D0
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
		out.Claims, out.Challenges = t.claims(), t.challenges()
	case debate.CallJudge1, debate.CallJudge2:
		out.Claims, out.Ledger, out.Decisions, out.Panel = t.claims(), t.ledger(), t.decisions(), t.panel()
	case debate.CallScore:
		out.Claims, out.Ledger, out.Decisions = t.claims(), t.ledger(), t.decisions()
	}
	if t.ask.Format != "" {
		out.Notice = []string{"the reply cannot be read: " + t.say(t.ask.Format, shortText)}
	}
	if t.s.Received.Inquiry != nil && !t.is(debate.CallOpen, debate.CallLocal) { // the answer without its author (M01)
		out.Answer = t.say(t.s.Talk.Position().Summary, longText)
	}
	out.Envelope = t.envelope()
	return out
}

// chooses reports whether the party is asked for a choice other than D0.
func (t turner) chooses() bool {
	return slices.ContainsFunc(t.decisions(), func(d decision) bool { return d.ID != "D0" })
}

func (t turner) is(kinds ...debate.CallKind) bool { return slices.Contains(kinds, t.ask.Kind) }

// confidential reports whether a call must show no names of parties.
func (t turner) confidential() bool {
	return t.is(debate.CallJudge1, debate.CallJudge2, debate.CallScore, debate.CallArbiter)
}

func (t turner) envelope() envelope {
	s := t.s
	scope, target := cmp.Or(s.Snapshot.Scope, s.Received.Scope), cmp.Or(s.Split.Target, s.Received.Target)
	return envelope{
		SessionID: t.name(s.Received.SessionID), Round: max(t.ask.N, 1), Target: string(target), Scope: t.name(scope),
		ArtifactFile: "artifact.md", Call: string(t.ask.Kind), Party: t.name(t.ask.Party), PacketHash: "sha256:" + s.Snapshot.Hash,
		BudgetMinutes: cmp.Or(max(0, s.Received.Settings.BudgetMinutes), 20), RemainingS: int64(s.Remaining()), // R054
	}
}

// opening is the first answer of a party, before it read the others.
type opening struct {
	Party       string   `json:"party"`
	IsYou       bool     `json:"is_you"`
	Chunk       string   `json:"chunk,omitempty"`
	Disposition string   `json:"disposition"`
	Summary     string   `json:"summary,omitempty"`
	Reasoning   []string `json:"reasoning,omitempty"`
	Weaknesses  []string `json:"weaknesses,omitempty"`
	Assumptions []string `json:"assumptions,omitempty"`
}

// openings returns the openings of all parties after blind openings, else none.
func (t turner) openings() []opening {
	if !t.s.OpenedBlind() {
		return nil
	}
	all := among(t, t.s.Talk.Openings, func(o debate.Opened) string { return o.Party + " " + o.Chunk })
	all = all[:min(len(all), mostOpenings)]
	var shown []opening
	for _, o := range all {
		left := openingsBytes / len(all)
		within := func(list []string) []string {
			var said []string
			for _, text := range list {
				if left -= min(len(text), shortText); left < 0 {
					break
				}
				said = append(said, t.say(text, shortText))
			}
			return said
		}
		x := opening{Party: t.name(o.Party), IsYou: o.Party == t.ask.Party, Chunk: t.name(o.Chunk), Disposition: string(o.Disposition)}
		x.Summary = t.say(o.Summary, min(left, longText))
		left -= len(x.Summary)
		x.Reasoning, x.Weaknesses, x.Assumptions = within(o.Reasoning), within(o.Weaknesses), within(o.Assumptions)
		shown = append(shown, x)
	}
	return shown
}

// position returns the position of the primary, before RESPOND without its reasons.
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
	if !t.is(debate.CallChallenge) { // parties disclose their reasons only after it
		shown.Summary = t.say(p.Summary, longText)
	}
	return shown
}

// entry is a line of the provenance ledger.
type entry struct {
	ID     string `json:"id"`
	Tag    string `json:"tag"`
	Source string `json:"source"`
	Text   string `json:"text"`
}

// ledger shows the active entries. An exchange shows all of them. Other calls show no entry
// of a party, and an opening none from the debate. The text of the pull request is in the
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

// mostRecent bounds the ledger. It drops the oldest entries, but none of a person with
// authority if others are left.
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

// finding is a finding of an earlier head.
type finding struct {
	ID        string `json:"id"`
	Severity  string `json:"severity"`
	Title     string `json:"title"`
	Path      string `json:"path,omitempty"`
	StartLine int    `json:"start_line,omitempty"`
	Quote     string `json:"quote,omitempty"` // the lines there now

	Body    string   `json:"body,omitempty"`
	Was     string   `json:"was,omitempty"`     // its cited lines, if other lines are there now
	Changed []string `json:"changed,omitempty"` // changed parts of its file since then

	AcceptedBy string `json:"accepted_by,omitempty"` // the person with the decision to merge with it
}

// findings returns the findings of earlier heads to be judged again (S11). The result of a
// dispute is final (A26).
func (t turner) findings() []debate.Carried {
	open := lists.Keep(t.s.Received.Previous.Findings, func(f debate.Carried) bool { return !f.Final })
	return open[:min(len(open), mostCarried)]
}

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
