package debate

import (
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// AtLeast reports whether a level of access is another one or more. An unknown one is none.
func (p Permission) AtLeast(least Permission) bool { return p.rank() >= least.rank() }

func (p Permission) rank() int {
	return slices.Index([]Permission{ReadAccess, TriageAccess, WriteAccess, MaintainRole, AdminRole}, p)
}

// Refusal is the reason why an account may not do something here, in a sentence without its
// subject, or "": only people with enough access may, and the author only if the settings or the
// ownership of the repository allow it. Permissions are those of the API of the platform, never of a
// name.
func Refusal(a Actor, least Permission, authorMay bool) string {
	switch {
	case a.Bot:
		return "is a bot"
	case !a.Permission.AtLeast(least):
		return "needs " + string(least) + " access"
	case a.Author && !authorMay && !a.OwnsRepo:
		return "is an author of the change"
	}
	return ""
}

// authority is why an account may not decide here, or "".
func (set *Settings) authority(a Actor, least Permission) string {
	if why := Refusal(a, least, set.AuthorMayDecide); why != "" {
		return a.Login + " " + why
	}
	return ""
}

// obey takes the valid orders of people. An order without authority goes into the ledger as a
// statement.
func (m *reducer) obey() {
	for _, o := range m.Received.Orders {
		least := WriteAccess
		if o.Kind == OrderWaive {
			least = MaintainRole
		}
		text := string(o.Kind) + " " + o.Target + ": " + o.Reason
		if why := m.Received.Settings.authority(o.By, least); why != "" {
			m.ledger(TagUnverified, o.By.Login, text+" ("+why+")", o.Target)
			continue
		}
		m.ledger(TagUser, o.By.Login, text, o.Target)
		m.happened(Fact{Kind: Ordered, Who: o.By.Login, About: o.Target, Code: string(o.Kind), Text: o.Reason})
		if o.Kind == OrderWaive {
			m.Agenda.waive(o)
		}
	}
}

// waive notes a person's waiver on the triggers of policy (A12).
func (a *Agenda) waive(o Order) {
	for i := range a.Triggers {
		if t := &a.Triggers[i]; string(t.ID) == o.Target {
			t.Waived = o.By.Login + ": " + clip(o.Reason, 300)
		}
	}
}

// order returns the first order of a kind with authority and a property, or nil.
func (r *Received) order(kind OrderKind, is func(Order) bool) *Order {
	return lists.Pointer(r.Orders, func(o *Order) bool {
		return o.Kind == kind && is(*o) && r.Settings.authority(o.By, WriteAccess) == ""
	})
}

// orderedAway names the person who dismissed a claim for good, or "". On a new head the text of
// a dismissed finding identifies it, on the same head only its name does (S11). A dismissal
// holds for nothing worse than the dismissed finding, and on a new head for no copy of its text
// that people could not see.
func (r *Received) orderedAway(c *Claim) Why {
	sameHead := r.Recall != nil
	if sameHead && c.Reason == ReasonHuman {
		return c.Why // even if the order is gone
	}
	o := r.order(OrderDismiss, func(o Order) bool {
		worse := o.AtMost != "" && c.Severity.rank() < o.AtMost.rank()
		switch {
		case o.Target == "", worse:
			return false
		case sameHead:
			return o.Target == c.ID || o.Target == c.Carried
		}
		return (o.Target == Key(*c) || o.Target == c.Carried) && c.Copies() <= o.Copies // without memory, F ids begin anew (S11)
	})
	if o == nil {
		return Why{}
	}
	return because(WhyDismissedBy, o.By.Login).saying(clip(o.Reason, 450))
}

// consented reports whether a person consents to a claim about another question (X19, R167).
func (r *Received) consented(c *Claim) bool {
	names := lists.Keep([]string{c.Carried, c.Title}, func(name string) bool { return name != "" })
	return r.order(OrderReframe, func(o Order) bool { return slices.Contains(names, o.Target) }) != nil
}
