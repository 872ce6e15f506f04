package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/debate/rubric"
	"github.com/prdebate/debate/internal/lists"
)

// How the options of a decision are scored.
type (
	Option     = rubric.Option
	Criterion  = rubric.Criterion
	Rubric     = rubric.Rubric
	Scoresheet = rubric.Scoresheet
	Score      = rubric.Score
	Combined   = rubric.Combined
)

// needsSheets reports whether a decision gets a rubric: the debate left it open, no judges looked
// at it, and the parties do not all hold one option of it. A critical one that is settled waits
// for a person with what was said.
func (d *Decision) needsSheets() bool {
	judged := d.Panel != nil && d.NoPanel.IsZero()
	return !judged && !d.Settled && d.Common == ""
}

func (d *Decision) framed() bool { return d.Rubric != nil }

// score freezes a rubric for each open decision and asks every debater for
// its sheets, in one call each (R015-R022).
func (m *reducer) score() []Stage {
	agenda, table := &m.Agenda, &m.Table
	if !table.scorable(m.Ending.Outcome) {
		agenda.unscored(because(WhyNoSides))
		return []Stage{StageGate}
	}
	pending := lists.Pointers(agenda.Decisions, func(d *Decision) bool {
		_, follows := m.byChoice(d)
		return d.needsSheets() && !follows
	})
	if len(pending) == 0 {
		return []Stage{StageGate}
	}
	for _, d := range pending {
		frozen := rubric.Freeze(m.Received.Settings.Criteria, d.Options)
		d.Rubric = &frozen
		m.happened(Fact{Kind: CriteriaFrozen, Who: EngineParty, About: d.ID})
	}
	scorers := []string{table.Primary}
	for _, seat := range table.challengers() { // an abstention is no second side, nor is a party without any reply (R093)
		if seat.Engagement != Abstains && (seat.Engagement != "" || seat.SpokeAt > 0) {
			scorers = append(scorers, seat.Party)
		}
	}
	if why := m.ask(CallScore, m.exchange(), one(scorers)); !why.IsZero() {
		agenda.unscored(why)
		return []Stage{StageScore, StageGate}
	}
	return []Stage{StageScore}
}

// unscored says on every open decision why it has no sheets.
func (a *Agenda) unscored(why Why) {
	for _, d := range lists.Pointers(a.Decisions, (*Decision).needsSheets) {
		d.Unscored = why
	}
}

// badSheets says why the sheets of a reply cannot be counted, or "".
func (a *Agenda) badSheets(r Reply) string {
	for _, d := range lists.Pointers(a.Decisions, (*Decision).framed) {
		if sheet := d.sheet(r); !sheet.Valid {
			return d.ID + ": " + sheet.Flaw.String()
		}
	}
	return ""
}

// sheet is the part of a reply about a decision.
func (d *Decision) sheet(r Reply) Scoresheet {
	own := lists.Pointer(r.Sheets, func(own *Sheet) bool { return own.Decision == d.ID })
	if own == nil {
		return Scoresheet{Flaw: rubric.Flaw{Code: rubric.Missing, Refs: []string{d.ID}}}
	}
	flaw := d.Rubric.Check(own.Scores, d.Options)
	return Scoresheet{Scores: own.Scores, Rationale: clip(own.Rationale, 4000), Valid: flaw.Code == "", Flaw: flaw}
}

// scored weighs the valid sheets of each decision (R023, R024), and takes the assumptions
// of each side (R104, R105).
func (m *reducer) scored(all []said) []Stage {
	primary, usable := m.Table.Primary, valid(all)
	lead := slices.Concat(by(usable, primary), usable, []said{{Party: primary}})[0].Party // its sheet is the primary's, or the first one (M19)
	for _, d := range lists.Pointers(m.Agenda.Decisions, (*Decision).framed) {
		var sheets []Scoresheet
		for _, x := range all {
			sheet := Scoresheet{Flaw: rubric.Flaw{Code: rubric.Unanswered, Refs: []string{string(x.Status)}}}
			if x.Status == CallOK {
				sheet = d.sheet(*x.Reply)
			}
			code := "invalid"
			if sheet.Valid {
				code = "valid"
			}
			sheet.Party, sheet.Raw = x.Party, x.Raw
			sheets = append(sheets, sheet)
			m.happened(Fact{Kind: SheetScored, Who: x.Party, About: d.ID, Code: code, Text: sheet.Rationale, Why: told(sheet.Flaw.String())})
		}
		weighed := d.Rubric.Weigh(sheets, d.Options, m.Received.Settings.tieMarginBP(), lead)
		d.Rubric = &weighed
	}
	for _, x := range all {
		if m.attendance(x.Party, []said{x}, len(valid([]said{x}))); x.Status == CallOK {
			m.hear(x.Party, x.Reply) // the basis of its view
		}
	}
	return []Stage{StageGate}
}
