package debate

import (
	"github.com/prdebate/debate/internal/debate/jury"
	"github.com/prdebate/debate/internal/lists"
	"slices"
)

// The votes of the judges about a decision.
type (
	Stance     = jury.Stance
	Panel      = jury.Panel
	Vote       = jury.Vote
	Assessment = jury.Assessment
	Convinced  = jury.Convinced
	Counter    = jury.Counter
)

// The stances of the judges (R178).
const (
	StanceRisk   = jury.Risk
	StanceValue  = jury.Value
	StanceEffort = jury.Effort
)

// exchange is the number of the calls to judges and for scores.
func (m *reducer) exchange() int { return max(m.Talk.Exchange, 1) }

// decide asks the judges, or goes on to the scores without them.
func (m *reducer) decide() []Stage {
	var asks []Ask
	judges := lists.Keep(m.Table.Parties, func(p Party) bool { return p.Role == Judge && p.Status == PartyOK })
	for _, d := range m.toJudge() {
		asks = append(asks, lists.Map(judges, func(p Party) Ask { return Ask{Party: p.ID, Decision: d.ID} })...)
	}
	why := because(WhyNoJudge)
	if len(asks) > 0 {
		why = m.ask(CallJudge1, m.exchange(), asks)
	}
	if why.IsZero() {
		return []Stage{StagePanel1}
	}
	m.noPanel(why)
	return m.score()
}

// toJudge are the decisions for judges: they are about the whole scope, and the parties differ
// (R177). There are none in a mode without a panel, or if there is no debate to score.
func (m *reducer) toJudge() []*Decision {
	if m.Received.Mode == Quick || !m.Table.scorable(m.Ending.Outcome) {
		return nil
	}
	return lists.Pointers(m.Agenda.Decisions, func(d *Decision) bool { return d.ScopeCritical && !d.Settled })
}

// noPanel notes the reason on the decisions that should have had a panel; they count as
// contested (R182), and are scored.
func (m *reducer) noPanel(why Why) {
	if m.Asking.Stopped {
		return
	}
	for _, d := range m.toJudge() {
		panel := jury.Count(nil, d.optionIDs())
		d.Panel, d.NoPanel = &panel, because(WhyNoPanel).because(why)
		m.panelEnded(d)
	}
}

// scorable reports whether there is a debate to score: with words of both sides.
func (t *Table) scorable(as Outcome) bool { return t.twoSided(as) && len(t.speaking()) > 0 }

// voted takes the votes of one round of the panel (R180-R186).
func (m *reducer) voted(all []said) []Stage {
	var again []Ask
	for i := range m.Agenda.Decisions {
		d := &m.Agenda.Decisions[i]
		ballots, asked := m.Table.ballots(d, all)
		if len(asked) == 0 {
			continue
		}
		panel := d.vote(ballots)
		d.Panel = &panel
		if len(ballots) == 0 {
			d.NoPanel = because(WhyNoJudge)
		}
		m.cast(d)
		if panel.NeedsSecondRound() {
			again = append(again, asked...)
		}
	}
	if m.ask(CallJudge2, m.exchange(), again).IsZero() {
		return []Stage{StagePanel2}
	}
	return m.score()
}

// ballots are the replies of the judges to a decision, and the calls to ask them again. A lost
// judge has no ballot.
func (t *Table) ballots(d *Decision, all []said) (ballots []jury.Vote, asked []Ask) {
	for _, x := range lists.Keep(all, func(x said) bool { return x.Decision == d.ID }) {
		asked = append(asked, Ask{Party: x.Party, Decision: d.ID})
		if x.Status != CallOK {
			t.judgeMissing(x)
			continue
		}
		r := x.Reply
		ballots = append(ballots, jury.Vote{
			Judge: Stance(x.Party), Option: r.Option, Confidence: string(r.Confidence), Reason: r.Reason, PerOption: r.PerOption,
			Hidden: r.HiddenPoints, ConvincedBy: r.ConvincedBy, Counters: r.Counters,
		})
	}
	return ballots, asked
}

// vote adds a round of votes to those of a decision.
func (d *Decision) vote(ballots []jury.Vote) Panel {
	options := d.optionIDs()
	if d.Panel == nil {
		return jury.Count([]jury.Round{jury.First(ballots, options)}, options)
	}
	rounds := slices.Clone(d.Panel.Rounds)
	return jury.Count(append(rounds, jury.Second(ballots, options, rounds[0])), options)
}

// cast records the votes of the last round of a decision, with the result.
func (m *reducer) cast(d *Decision) {
	last := d.Panel.Rounds[len(d.Panel.Rounds)-1]
	for _, v := range last.Votes {
		m.happened(Fact{Kind: VoteCast, Who: string(v.Judge), About: d.ID, Code: v.Option, Other: v.ChangedFrom, Text: v.Reason})
	}
	m.panelEnded(d)
}

func (m *reducer) panelEnded(d *Decision) {
	m.happened(Fact{Kind: PanelEnded, Who: EngineParty, About: d.ID, Code: string(d.Panel.Outcome), Other: d.Panel.Option, Why: d.NoPanel})
}

// PanelConfidence is the confidence of a panel: a contested one needs a person, and two judges
// alone are less sure than three (R182).
func PanelConfidence(p Panel) Confidence {
	switch {
	case !p.Consensus:
		return RequiresInput
	case p.Whole():
		return High
	}
	return Medium
}

// judgeMissing notes a judge without a vote; the panel goes on (R193, R194).
func (t *Table) judgeMissing(x said) {
	p := t.party(x.Party)
	said := map[CallStatus]string{CallTimeout: "it did not vote in time", CallMalformed: "its vote could not be read"}[x.Status]
	if said == "" {
		p.Status, p.Detail = PartyError, clip(joined(string(x.Status), x.Detail), 500)
		return
	}
	p.Status, p.Detail = x.Status.ofParty(), said
}
