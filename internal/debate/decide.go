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
	if why := m.wave(CallJudge1, max(s.Exchange, 1), asks); why != "" {
		m.noPanel(why)
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
	if len(again) > 0 && m.wave(CallJudge2, max(s.Exchange, 1), again) == "" {
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

// score freezes a rubric for each decision that is unsettled or critical and
// asks every debater for its sheets, in one call each (R015-R022, X22, X32).
func (m *mover) score() {
	s := m.state
	if !m.scorable() {
		m.unscored("there are no two sides that could score it")
		m.gate()
		return
	}
	pending := false
	for i := range s.Decisions {
		d := &s.Decisions[i]
		if d.Settled && !d.Critical {
			continue
		}
		pending = true
		var wishes []proposed
		for _, w := range s.Wishes {
			if w.Decision != d.ID && !(w.Decision == "" && d.ID == "D0") {
				continue
			}
			if d.ID == "D0" { // its options are fixed (X08)
				w.Option = ""
			}
			wishes = append(wishes, w)
		}
		r := Rubric{}
		base := s.Received.Settings.Criteria
		if !usable(base) {
			base = defaultCriteria()
		}
		r.Criteria, d.Options, r.Hash = freezeRubric(base, d.Options, wishes)
		d.Rubric = &r
	}
	if !pending {
		m.gate()
		return
	}
	asks := []Ask{{Party: s.Primary}}
	for _, seat := range s.challengers() {
		// An abstention is no second side, and neither is who never said a word (X05).
		if mute := m.abstains(seat.Party) || seat.Engagement == "" && seat.SpokeAt == 0; !mute {
			asks = append(asks, Ask{Party: seat.Party})
		}
	}
	m.enter(StageScore)
	if why := m.wave(CallScore, max(s.Exchange, 1), asks); why != "" {
		m.unscored(why)
		m.gate()
	}
}

// unscored says on every critical or unsettled decision why it has no sheets
// (X17).
func (m *mover) unscored(why string) {
	for i := range m.state.Decisions {
		d := &m.state.Decisions[i]
		if !d.Settled || d.Critical {
			d.Why = joined(d.Why, why)
			if d.Rubric != nil {
				d.Rubric.Why = why
			}
		}
	}
}

// badSheets says why the sheets of a reply cannot be counted, or "" (B22).
func (m *mover) badSheets(r Reply) string {
	for _, d := range m.state.Decisions {
		if d.Rubric == nil {
			continue
		}
		sheet, ok := sheetFor(r, d.ID)
		if !ok {
			return "there is no sheet for " + d.ID
		}
		if why := d.Rubric.validate(sheet, d.Options); why != "" {
			return d.ID + ": " + why
		}
	}
	return ""
}

func sheetFor(r Reply, decision string) (Sheet, bool) {
	for _, s := range r.Sheets {
		if s.Decision == decision {
			return s, true
		}
	}
	return Sheet{}, false
}

// scored combines the valid sheets of each decision (R023, R024, X07).
func (m *mover) scored(all []said) {
	s := m.state
	for i := range s.Decisions {
		d := &s.Decisions[i]
		if d.Rubric == nil {
			continue
		}
		r := *d.Rubric
		r.Sheets = nil
		for _, x := range all {
			sheet := Scoresheet{Party: x.Party, Why: string(x.Status)}
			sheet.Raw = x.Raw
			if x.Status == CallOK {
				own, ok := sheetFor(*x.Reply, d.ID)
				sheet.Scores, sheet.Rationale = own.Scores, clip(own.Rationale, 4000)
				sheet.Why = "there is no sheet for " + d.ID
				if ok {
					sheet.Why = r.validate(own, d.Options)
				}
				sheet.Valid = sheet.Why == ""
			}
			r.Sheets = append(r.Sheets, sheet)
		}
		r.combine(d.Options, s.Received.Settings.tieMarginBP(), s.Primary)
		d.Rubric = &r
	}
	for _, x := range all {
		heard := 0
		if x.Status == CallOK {
			heard = 1
		}
		m.attendance(x.Party, []said{x}, heard)
	}
	m.gate()
}
