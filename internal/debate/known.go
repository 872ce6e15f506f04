package debate

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// Known is a finding accepted by the maintainers: one entry of the settings of the base
// branch. It names a built-in rule, or the cited lines.
type Known struct {
	Rule    string `json:"rule,omitempty"`
	Snippet string `json:"snippet,omitempty"` // lines, with runs of white space as one blank
	Below   string `json:"below,omitempty"`   // a directory or a file; "": everywhere
	Reason  string `json:"reason"`
	By      string `json:"by"`
	Until   string `json:"until"`             // the last day on which it counts, as 2027-01-31
	Expired bool   `json:"expired,omitempty"` // it ended before the review began
}

// MinSnippet is the least number of characters, without white space, in a snippet. Shorter
// lines, such as a brace, are everywhere.
const MinSnippet = 8

// Hideable reports whether settings may hide a finding of a built-in rule: no P1, no secret
// and nothing in a workflow.
func Hideable(rule string, severity Severity) bool {
	return severity != P1 && !strings.HasPrefix(rule, "secrets/") && !strings.HasPrefix(rule, "workflow/")
}

// Covers reports whether an entry is about a file.
func (k Known) Covers(path string) bool {
	return k.Below == "" || strings.HasPrefix(path+"/", k.Below+"/")
}

// About reports whether an entry covers all of a claim: every found citation of the claim and
// of the claims merged into it. The maintainers did not accept the same problem elsewhere.
func (k Known) About(b *Book, c *Claim) bool {
	at := c.place()
	if at.Path == "" || !k.Covers(at.Path) {
		return false
	}
	one := b.told(c)
	cited := places(one)
	elsewhere := func(at Citation) bool { return !k.Covers(at.Path) || !k.has(at.Quote) }
	switch {
	case len(cited) == 0, anyWider(one):
		return false
	case k.Rule != "":
		return k.Rule == c.Rule && k.isRule(c, one)
	}
	return !slices.ContainsFunc(cited, elsewhere)
}

// has reports whether cited lines are all among those of an entry, so an entry never hides its
// neighbors.
func (k Known) has(quote string) bool {
	cited := text.OneLine(quote)
	long := len([]rune(strings.ReplaceAll(cited, " ", ""))) >= MinSnippet
	return long && strings.Contains(" "+text.OneLine(k.Snippet)+" ", " "+cited+" ")
}

// isRule reports whether a claim, with all claims merged into it, says no more than the
// entry's rule saw: no citation is outside the rule's lines, and no other owner calls it more
// severe.
func (k Known) isRule(c *Claim, one []Claim) bool {
	var lines []Citation // of the rule; a merge never puts a citation first
	for _, o := range one {
		switch {
		case o.Rule == k.Rule && qualified(lists.First(o.Evidence, 1)):
			lines = append(lines, o.Evidence[0].Cite)
		case o.Rule != "", o.strictest().rank() < c.Asserted.rank():
			return false
		}
	}
	outside := func(at Citation) bool {
		return !slices.ContainsFunc(lines, func(l Citation) bool { return l.encloses(at) })
	}
	return !slices.ContainsFunc(places(one), outside)
}

// strictest is the highest severity given by the owner of a claim or by a merge.
func (c Claim) strictest() Severity {
	return slices.MinFunc([]Severity{c.Severity, c.Asserted, c.AmendedTo}, Severity.compare)
}

// told returns a claim and the claims merged into it.
func (b *Book) told(c *Claim) []Claim {
	one := []Claim{*c}
	for _, o := range b.Claims {
		if o.ID != c.ID && b.is(o.ID, c) {
			one = append(one, o)
		}
	}
	return one
}

// places returns the found citations of some claims. A failed check cites the place of the
// failure, not of the claim, so it does not count.
func places(list []Claim) []Citation {
	var all []Citation
	for _, c := range list {
		quoted := lists.Keep(okOnly(c.Evidence), func(e Evidence) bool { return e.Type != Execution })
		all = append(all, lists.Map(quoted, func(e Evidence) Citation { return e.Cite })...)
	}
	return all
}

func anyWider(list []Claim) bool {
	return slices.ContainsFunc(list, func(c Claim) bool { return c.Wider })
}

// beyond reports whether a claim covers more than its first place, the only one carried to the
// next head.
func (b *Book) beyond(c *Claim) bool {
	at, one := c.Cite(), b.told(c)
	outside := func(p Citation) bool { return !at.encloses(p) }
	return anyWider(one) || slices.ContainsFunc(places(one), outside)
}

// accepted returns the unexpired entry of the settings that hides a claim, as a reason. A claim hidden on the same head
// earlier stays hidden unless it must be visible by now.
func (s *State) accepted(c *Claim) Why {
	if s.Received.Recall != nil && c.Reason == ReasonKnown && !s.Book.mustBeSeen(c) {
		return c.Why
	}
	for _, k := range s.Known {
		if !k.Expired && k.hides(&s.Book, c) {
			return because(WhyKnown, k.By, k.Until).saying(k.Reason)
		}
	}
	return Why{}
}

// mustBeSeen reports whether a claim is a P1, a secret or a workflow finding. The strictest
// word counts, here or on an earlier head, of anyone who raised or weighed it or raised another
// claim on the same lines.
func (b *Book) mustBeSeen(c *Claim) bool {
	at := c.place()
	inWorkflow := func(e Evidence) bool { return strings.HasPrefix(e.Cite.Path, ".github/workflows/") }
	calls := func(e Evaluation) bool { return e.Severity == P1 }
	return slices.ContainsFunc(b.Claims, func(o Claim) bool {
		grave := o.Grave || o.strictest() == P1 || !Hideable(o.Rule, o.Severity) ||
			slices.ContainsFunc(o.Evidence, inWorkflow) || slices.ContainsFunc(o.Evaluations, calls)
		return grave && (b.is(o.ID, c) || o.place().overlaps(at))
	})
}

// hides reports whether an entry covers a claim and settings may hide it.
func (k Known) hides(b *Book, c *Claim) bool { return k.About(b, c) && !b.mustBeSeen(c) }

// Overdue returns the expired entries that would hide a live finding.
func (s State) Overdue() []Known {
	stands := lists.Keep(s.Book.live(), func(c *Claim) bool { return c.found() })
	return lists.Keep(s.Known, func(k Known) bool {
		return k.Expired && slices.ContainsFunc(stands, func(c *Claim) bool { return k.hides(&s.Book, c) })
	})
}
