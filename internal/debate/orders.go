package debate

import (
	"cmp"
	"slices"
	"strconv"
)

// AtLeast reports whether a level of access is another one or more. One that nobody
// knows is none.
func (p Permission) AtLeast(least Permission) bool { return p.rank() >= least.rank() }

func (p Permission) rank() int {
	return slices.Index([]Permission{ReadAccess, TriageAccess, WriteAccess, MaintainRole, AdminRole}, p)
}

// authority says why an account may not speak with authority here, or "" (A13,
// S09): people with enough access only, and the author only where the settings
// or the ownership of the repository allow it.
func (m *reducer) authority(a Actor, least Permission) string {
	author := a.Author && !m.state.Received.Settings.AuthorMayDecide && !a.OwnsRepo
	switch {
	case a.Bot:
		return a.Login + " is a bot"
	case !a.Permission.AtLeast(least):
		return a.Login + " has " + orNone(a.Permission) + " access, and " + string(least) + " is needed"
	case author:
		return a.Login + " is the author of the change"
	}
	return ""
}

func orNone(p Permission) string {
	if p == NoPermission {
		return "no"
	}
	return string(p)
}

// obey takes the orders of people that are in force. One that its giver may not
// give is kept in the ledger as what somebody says.
func (m *reducer) obey() {
	s := m.state
	for _, o := range s.Received.Orders {
		least := WriteAccess
		if o.Kind == OrderWaive {
			least = MaintainRole
		}
		text := string(o.Kind) + " " + o.Target + ": " + o.Reason
		if why := m.authority(o.By, least); why != "" {
			m.clerk().ledger(TagUnverified, o.By.Login, text+" ("+why+")", o.Target, "")
			continue
		}
		m.clerk().ledger(TagUser, o.By.Login, text, o.Target, "")
		m.happened(Fact{Kind: Ordered, Who: o.By.Login, About: o.Target, Code: string(o.Kind), Text: o.Reason})
		if o.Kind == OrderWaive {
			m.waive(o)
		}
	}
}

// waive notes on the triggers of policy that a person waives them (A12).
func (m *reducer) waive(o Order) {
	for i := range m.state.Agenda.Triggers {
		if t := &m.state.Agenda.Triggers[i]; string(t.ID) == o.Target {
			t.Waived = o.By.Login + ": " + clip(o.Reason, 300)
		}
	}
}

// order returns the first order of a kind with authority that satisfies a test,
// or nil.
func (m *reducer) order(kind OrderKind, is func(Order) bool) *Order {
	for i, o := range m.state.Received.Orders {
		if o.Kind == kind && is(o) && m.authority(o.By, WriteAccess) == "" {
			return &m.state.Received.Orders[i]
		}
	}
	return nil
}

// orderedAway says by whom a claim was dismissed for good, or "". On a new head the
// text of a dismissed finding stands for it, as long as nothing worse is said of
// that text; on the same head only its name does (S11).
func (m *reducer) orderedAway(c *Claim) Why {
	sameHead := m.state.Received.Recall != nil
	gone := c.Bucket == Dismissed && c.Reason == ReasonHuman
	if sameHead && gone {
		return c.Why // it was, whatever became of the order
	}
	o := m.order(OrderDismiss, func(o Order) bool {
		worse := o.AtMost != "" && c.Severity.rank() < o.AtMost.rank()
		byText := o.Target == Key(*c) && !worse && !sameHead
		byName := o.Target == c.Carried || m.knownAs(c, o.Target) // C ids are of one run (S11)
		return o.Target != "" && (byText || byName)
	})
	if o == nil {
		return Why{}
	}
	return because(WhyDismissedBy, o.By.Login).saying(clip(o.Reason, 450))
}

// consented reports whether a person consents to a claim that asks another
// question (X19, R167).
func (m *reducer) consented(c *Claim) bool {
	return m.order(OrderReframe, func(o Order) bool {
		named := o.Target == c.Carried || o.Target == c.Title
		return named && o.Target != ""
	}) != nil
}

// carry makes claims of the open findings of earlier heads whose text still
// stands in the change (S11). The others are gone.
func (m *reducer) carry() {
	s := m.state
	for _, f := range s.Received.Previous.Findings {
		state := CarriedState{Carried: f, Class: Fixed}
		if f.Present {
			c := m.carried(f)
			s.Book.Claims = append(s.Book.Claims, c)
			state.Class, state.Claim = Stands, c.ID
		}
		s.Carried = append(s.Carried, state)
		m.happened(Fact{Kind: FindingCarried, Who: EngineParty, About: f.ID, Other: state.Claim, Code: string(state.Class)})
	}
}

// carried is the claim that carries on a finding of an earlier head.
func (m *reducer) carried(f Carried) Claim {
	s := m.state
	s.Book.Evidences++
	owner := cmp.Or(f.Owner, EngineParty)
	return Claim{
		ID: "C" + strconv.Itoa(len(s.Book.Claims)+1), Owner: owner, Kind: Empirical, Asserted: f.Severity, Severity: f.Severity,
		Category: f.Category, Title: clip(f.Title, 300), Body: clip(f.Body, maxText), Segment: segmentOf(s.Split.Segments, f.Cite),
		Evidence: []Evidence{{
			ID: "E" + strconv.Itoa(s.Book.Evidences), Type: Textual, By: EngineParty, Cite: f.Cite,
			CitationOK: true, Changed: true, InHunk: true, Commentable: true, Verified: true,
		}},
		EvidenceType: Textual, Carried: f.ID, Final: f.Final, ReportedBy: []string{owner}, ConfirmedBy: []string{},
	}
}

// carrying takes a party's answers about the findings of earlier heads.
func (m *reducer) carrying(party string, list []Carrying) {
	for _, a := range list {
		if a.Class == "" {
			continue
		}
		for i := range m.state.Carried {
			if f := &m.state.Carried[i]; f.ID == a.ID {
				f.answered(party, a)
				m.happened(Fact{Kind: FindingCarried, Who: party, About: f.ID, Other: f.Claim, Code: string(a.Class)})
			}
		}
	}
}

// answered notes what a party says became of a carried finding. One answer from
// each chunk is kept (S13).
func (f *CarriedState) answered(party string, a Carrying) {
	answer := party + ": " + string(a.Class)
	if a.Class == Fixed && !anyFound(a.Refs) {
		answer += " (without evidence)"
	}
	if !slices.Contains(f.Answers, answer) {
		f.Answers = append(f.Answers, answer)
	}
}

// fixedBy reports whether a party shows that a carried finding is fixed, and never
// says that it stands.
func (f *CarriedState) fixedBy(party string) bool {
	return slices.Contains(f.Answers, party+": "+string(Fixed)) && !slices.Contains(f.Answers, party+": "+string(Stands))
}

// fixed says why a carried finding is gone, or "": a party says so with lines
// that are there and none contradicts, and the head is not the one that the
// finding was made on: running again never rolls dice (S11).
func (m *reducer) fixed(c *Claim) Why {
	s := m.state
	if s.Received.Previous.Head == s.Snapshot.HeadSHA || s.Ending.Outcome == DegradedLocal {
		return Why{}
	}
	for i := range s.Carried {
		f := &s.Carried[i]
		if live := s.Book.survivor(f.Claim); live == nil || live.ID != c.ID || f.Final {
			continue
		}
		by, stands := m.shownFixed(f)
		if stands {
			return Why{}
		}
		if by != "" {
			f.Class = Fixed
			return because(WhyFixedBy, by)
		}
	}
	return Why{}
}

// shownFixed is the first party that shows a carried finding fixed, and whether it
// stands for another one. Unanswered means that it stands, though its party be
// lost since.
func (m *reducer) shownFixed(f *CarriedState) (by string, stands bool) {
	for _, p := range m.state.Table.Seats {
		fixed := f.fixedBy(p.Party)
		if fixed {
			by = cmp.Or(by, p.Party)
		}
		if !fixed && (p.Active() || m.state.spoke(p.Party)) {
			return "", true
		}
	}
	return by, false
}

// spoke reports whether a party replied in the debate, lost since or not.
func (s *State) spoke(party string) bool {
	for _, c := range s.Asking.Calls {
		if c.Party == party && c.Status == CallOK && c.Kind.debates() {
			return true
		}
	}
	return false
}
