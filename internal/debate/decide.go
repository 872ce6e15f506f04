package debate

// decide takes the decisions from the debate to the gate: a panel where values
// differ, then a rubric, then the gate (X10).
func (m *mover) decide() {
	s := m.state
	var asks []Ask
	if s.Received.Mode != Quick && m.scorable() {
		for _, d := range s.Decisions {
			if !d.ScopeCritical || d.Settled {
				continue
			}
			for _, p := range s.Parties {
				if p.Role == Judge && p.Status == PartyOK {
					asks = append(asks, Ask{Party: p.ID, Decision: d.ID})
				}
			}
		}
	}
	if len(asks) == 0 {
		m.noPanel("no judge can be reached")
		m.score()
		return
	}
	if why := m.wave(CallJudge1, max(s.Exchange, 1), asks); !why.IsZero() {
		m.noPanel(english(why))
		m.score()
		return
	}
	m.enter(StagePanel1)
}

// noPanel notes on the decisions that should have had a panel why they had none;
// they count as contested (X10, X16).
func (m *mover) noPanel(why string) {
	s := m.state
	for i := range s.Decisions {
		d := &s.Decisions[i]
		if d.ScopeCritical && !d.Settled && !s.Stopped && s.Received.Mode != Quick && m.scorable() {
			panel := panelResult(nil, d.Options)
			d.Panel, d.Why = &panel, "no panel: "+why
		}
	}
}

// scorable reports whether there is a debate that can be scored: it has both
// sides.
func (m *mover) scorable() bool {
	s := m.state
	return !s.PrimaryLost && s.Outcome != Unchallenged && len(m.speaking()) > 0
}

// judged takes the votes of one round of the panel (R180-R186, X15, X16).
func (m *mover) voted(kind CallKind, all []said) {
	s := m.state
	var again []Ask
	for i := range s.Decisions {
		d := &s.Decisions[i]
		var replies []judged
		for _, x := range all {
			if x.Decision != d.ID {
				continue
			}
			j := judged{Judge: Stance(x.Party), Reply: x.Reply}
			if x.Status != CallOK {
				m.judgeMissing(x)
			}
			replies = append(replies, j)
		}
		if len(replies) == 0 {
			continue
		}
		var rounds []PanelRound
		var before *PanelRound
		if d.Panel != nil {
			rounds = append(rounds, d.Panel.Rounds...)
			before = &rounds[len(rounds)-1]
		}
		rounds = append(rounds, judgeVotes(kind, replies, d.Options, before))
		panel := panelResult(rounds, d.Options)
		d.Panel = &panel
		if kind == CallJudge1 && needsSecondRound(panel) {
			for _, x := range all {
				if x.Decision == d.ID {
					again = append(again, Ask{Party: x.Party, Decision: d.ID})
				}
			}
		}
	}
	if len(again) > 0 && m.wave(CallJudge2, max(s.Exchange, 1), again).IsZero() {
		m.enter(StagePanel2)
		return
	}
	m.score()
}

// judgeMissing notes a judge that did not vote; the panel goes on without it
// (R193, R194).
func (m *mover) judgeMissing(x said) {
	p := m.state.party(x.Party)
	switch {
	case p == nil:
	case x.Status == CallTimeout:
		p.Status, p.Detail = PartyTimeout, "it did not vote in time"
	case x.Status == CallMalformed:
		p.Status, p.Detail = PartyParse, "its vote could not be read"
	default:
		p.Status, p.Detail = PartyError, clip(joined(string(x.Status), x.Detail), 500)
	}
}
