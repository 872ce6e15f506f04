package debate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// Known is a finding that the maintainers know of and accept: one entry of the
// settings of the base side. It names a built-in rule or the lines that are cited.
type Known struct {
	Rule    string `json:"rule,omitempty"`
	Snippet string `json:"snippet,omitempty"` // lines, with runs of white space as one blank
	Below   string `json:"below,omitempty"`   // a directory or a file; "": everywhere
	Reason  string `json:"reason"`
	By      string `json:"by"`
	Until   string `json:"until"`             // the last day on which it counts, as 2027-01-31
	Expired bool   `json:"expired,omitempty"` // it ended before the review began
}

// MinSnippet is how many characters that are no white space tell lines from others; a
// brace stands everywhere.
const MinSnippet = 8

// neverKnown begin the ids of the built-in rules whose findings are never hidden,
// however severe they are.
func neverKnown() []string { return []string{"secrets/", "workflow/"} }

// Hideable reports whether settings may hide what a built-in rule of a severity finds.
func Hideable(rule string, severity Severity) bool {
	named := slices.ContainsFunc(neverKnown(), func(kind string) bool { return strings.HasPrefix(rule, kind) })
	return !named && severity != P1
}

// Covers reports whether an entry is about a file.
func (k Known) Covers(path string) bool {
	return k.Below == "" || strings.HasPrefix(path+"/", k.Below+"/")
}

// About reports whether an entry is about all that a claim is: every citation that the
// engine found, of it and of the claims of its book that were merged into it. What also
// stands elsewhere is not what the maintainers accepted.
func (k Known) About(b *Book, c *Claim) bool {
	at := c.stands()
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

// has reports whether cited lines are among those of an entry. All of them must be, so
// that an entry never hides what else stands around its lines.
func (k Known) has(quote string) bool {
	cited := text.OneLine(quote)
	long := len([]rune(strings.ReplaceAll(cited, " ", ""))) >= MinSnippet
	return long && strings.Contains(" "+text.OneLine(k.Snippet)+" ", " "+cited+" ")
}

// isRule reports whether a claim of the rule of an entry is, with all that was merged
// into it, no more than the rule saw: nobody cites lines outside of its own, and nobody
// who raised it too calls it more severe.
func (k Known) isRule(c *Claim, one []Claim) bool {
	var lines []Citation // those of the rule; what is merged into a claim never comes first
	for _, o := range one {
		switch {
		case o.Rule == k.Rule && qualified(keep(o.Evidence, 1)):
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

// strictest is the highest severity that the owner of a claim or a merge gave it.
func (c Claim) strictest() Severity {
	return slices.MinFunc([]Severity{c.Severity, c.Asserted, c.AmendedTo}, func(a, b Severity) int { return a.rank() - b.rank() })
}

// told are a claim and those that were merged into it.
func (b *Book) told(c *Claim) []Claim {
	one := []Claim{*c}
	for _, o := range b.Claims {
		if o.ID != c.ID && b.is(o.ID, c) {
			one = append(one, o)
		}
	}
	return one
}

// places are the citations of some claims that the engine found. A check that failed
// says where it failed, and not where the claim stands.
func places(list []Claim) []Citation {
	var all []Citation
	for _, c := range list {
		quoted := lists.Keep(okOnly(c.Evidence), func(e Evidence) bool { return e.Type != Execution })
		all = append(all, lists.Map(quoted, func(e Evidence) Citation { return e.Cite })...)
	}
	return all
}

// anyWider reports whether one of some claims cited other lines on an earlier head, too.
func anyWider(list []Claim) bool {
	return slices.ContainsFunc(list, func(c Claim) bool { return c.Wider })
}

// beyond reports whether a claim says more than its first place shows, which is all that
// the next head carries on of it.
func (b *Book) beyond(c *Claim) bool {
	at, one := c.Cite(), b.told(c)
	outside := func(p Citation) bool { return !at.encloses(p) }
	return anyWider(one) || slices.ContainsFunc(places(one), outside)
}

// known says which entry hides a claim and why, or nothing: one that has not expired,
// and the claim is nothing that must be seen.
func (b *Book) known(list []Known, c *Claim) Why {
	for _, k := range list {
		if !k.Expired && k.hides(b, c) {
			return because(WhyKnown, k.By, k.Until).saying(k.Reason)
		}
	}
	return Why{}
}

// accepted says which entry of the settings hides a claim, or hid it when the same head
// was reviewed, as long as nobody says since that it must be seen.
func (t *settling) accepted(c *Claim) Why {
	if t.people.Recall != nil && c.Reason == ReasonKnown && !t.book.mustBeSeen(c) {
		return c.Why
	}
	return t.book.known(t.known, c)
}

// mustBeSeen reports whether a claim is a P1, a secret or a finding in a workflow by
// the word of anybody who raised or weighed it, or by that of anybody who raised
// another claim on the same lines. The strictest word counts.
func (b *Book) mustBeSeen(c *Claim) bool {
	at := c.stands()
	return slices.ContainsFunc(b.Claims, func(o Claim) bool {
		return o.grave() && (b.is(o.ID, c) || o.stands().overlaps(at))
	})
}

// grave reports whether anybody calls a claim a P1, or did on an earlier head, or it is
// never hidden for what it is about.
func (c Claim) grave() bool {
	inWorkflow := func(e Evidence) bool { return strings.HasPrefix(e.Cite.Path, ".github/workflows/") }
	calls := func(e Evaluation) bool { return e.Severity == P1 }
	switch {
	case c.Grave, c.strictest() == P1, !Hideable(c.Rule, c.Severity), slices.ContainsFunc(c.Evidence, inWorkflow), slices.ContainsFunc(c.Evaluations, calls):
		return true
	}
	return false
}

// Covered is how many findings an entry would hide, whether or not it has expired.
func (b *Book) Covered(k Known) int {
	return len(lists.Keep(b.live(), func(c *Claim) bool { return k.hides(b, c) }))
}

// hides reports whether an entry is about a claim that settings may hide.
func (k Known) hides(b *Book, c *Claim) bool { return k.About(b, c) && !b.mustBeSeen(c) }

// Overdue are the entries that have expired and would hide a finding that stands.
func (s State) Overdue() []Known {
	stands := lists.Keep(s.Book.live(), func(c *Claim) bool { return c.found() })
	return lists.Keep(s.Known, func(k Known) bool {
		return k.Expired && slices.ContainsFunc(stands, func(c *Claim) bool { return k.hides(&s.Book, c) })
	})

}

// redacted is what stands where a secret stood.
const redacted = "[redacted]"

// Accepting is the entry that would hide a claim from now on, without who accepts it, why
// and until when: by its rule in its file, or by the lines that it cites. ok is false
// where none may or can, such as where it cites other lines too.
func (b *Book) Accepting(c *Claim) (k Known, ok bool) {
	c = cmp.Or(b.survivor(c.ID), c)
	at := c.stands()
	k = Known{Below: at.Path}
	if c.ofCritic() {
		k.Rule = c.Rule
	}
	if k.Rule == "" {
		k.Snippet = text.OneLine(at.Quote)
	}
	switch {
	case at.Path == "", at.Path == BodyPath, strings.ContainsAny(at.Path, "*?[{\n\r"), b.mustBeSeen(c):
		return Known{}, false
	case strings.Contains(k.Snippet, redacted), strings.HasSuffix(k.Snippet, "…"), len([]rune(k.Snippet)) > maxKnown: // a memory cuts long lines
		return k, false
	}
	return k, k.About(b, c)
}

// maxKnown is how many characters a snippet of the settings may have.
const maxKnown = 1000
