package debate

import (
	"slices"
	"strings"

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

// minKnown is how many characters that are no white space the lines of a finding need
// to be recognised by; a brace stands everywhere.
const minKnown = 8

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
	return k.Below == "" || path == k.Below || strings.HasPrefix(path, k.Below+"/")
}

// About reports whether an entry is about what a claim is: its rule, or the lines
// where it stands. All lines that the claim cites there must be among those of the
// entry, so that an entry never hides what else stands around them.
func (k Known) About(c *Claim) bool {
	at := c.stands()
	switch {
	case at.Path == "", !k.Covers(at.Path):
		return false
	case k.Rule != "":
		return k.Rule == c.Rule
	}
	cited := text.OneLine(at.Quote)
	long := len([]rune(strings.ReplaceAll(cited, " ", ""))) >= minKnown
	return long && strings.Contains(" "+text.OneLine(k.Snippet)+" ", " "+cited+" ")
}

// known says which entry hides a claim and why, or nothing: one that has not expired,
// and the claim is nothing that must be seen.
func (b *Book) known(list []Known, c *Claim) Why {
	for _, k := range list {
		if !k.Expired && k.About(c) && !b.mustBeSeen(c) {
			return because(WhyKnown, k.By, k.Until).saying(k.Reason)
		}
	}
	return Why{}
}

// accepted says which entry of the settings hides a claim, or hid it when the same head
// was reviewed, as long as nobody says since that it must be seen.
func (t *settling) accepted(c *Claim) Why {
	hidden := c.Bucket == Dismissed && c.Reason == ReasonKnown
	if t.people.Recall != nil && hidden && !t.book.mustBeSeen(c) {
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
		live := b.survivor(o.ID)
		same := live != nil && live.ID == c.ID
		return o.grave() && (same || o.stands().overlaps(at))
	})
}

// grave reports whether anybody calls a claim a P1, or it is never hidden for what it is
// about.
func (c Claim) grave() bool {
	if c.Severity == P1 || c.Asserted == P1 || c.AmendedTo == P1 || !Hideable(c.Rule, c.Severity) {
		return true
	}
	inWorkflow := func(e Evidence) bool { return strings.HasPrefix(e.Cite.Path, ".github/workflows/") }
	return slices.ContainsFunc(c.Evidence, inWorkflow) || slices.ContainsFunc(c.Evaluations, func(e Evaluation) bool { return e.Severity == P1 })
}

// Covered is how many findings an entry would hide, whether or not it has expired.
func (b *Book) Covered(k Known) int {
	return len(kept(b.Claims, func(c Claim) bool { return c.SameAs == "" && k.About(&c) && !b.mustBeSeen(&c) }))
}

// Overdue are the entries that have expired and would hide a finding that stands.
func (s State) Overdue() []Known {
	stands := kept(s.Book.Claims, func(c Claim) bool { return c.SameAs == "" && (c.Bucket == Agreed || c.Bucket == Unresolved) })
	return kept(s.Known, func(k Known) bool {
		return k.Expired && slices.ContainsFunc(stands, func(c Claim) bool { return k.About(&c) && !s.Book.mustBeSeen(&c) })
	})
}

// redacted is what stands where a secret stood.
const redacted = "[redacted]"

// Accepting is the entry that would hide a claim from now on, without who accepts it, why
// and until when: by its rule in its file, or by the lines that it cites. ok is false
// where none may or can.
func (b *Book) Accepting(c *Claim) (k Known, ok bool) {
	at := c.stands()
	if at.Path == "" || at.Path == BodyPath || b.mustBeSeen(c) || strings.ContainsAny(at.Path, "*?[{\n\r") {
		return Known{}, false
	}
	k.Below = at.Path
	if c.ofCritic() && c.Rule != "" {
		k.Rule = c.Rule
	} else {
		k.Snippet = text.OneLine(at.Quote)
	}
	fits := len([]rune(k.Snippet)) <= maxKnown && !strings.Contains(k.Snippet, redacted)
	return k, fits && k.About(c)
}

// maxKnown is how many characters a snippet of the settings may have.
const maxKnown = 1000
