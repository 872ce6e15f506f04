package debate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate/likeness"
	"github.com/prdebate/debate/internal/lists"
)

// merge joins claims about the same defect (R073, A07, A06), and redirects everything said about
// a merged claim.
func (m *reducer) merge() {
	for _, k := range m.Book.Challenges {
		fell := slices.Contains([]ChallengeStatus{Conceded, Undefended}, k.Status)
		if c := m.Book.claim(k.Claim); fell && c != nil {
			c.Fallen = true
		}
	}
	was, live := m.Book.Claims, len(m.Book.live())
	m.Book.Claims = mergeClaims(m.Book.Claims, m.Book.confirmedSame)
	for i, c := range m.Book.Claims {
		if c.SameAs != was[i].SameAs {
			m.Book.strengthen(m.Book.survivor(c.ID)) // more assertions and citations count now
			m.happened(Fact{Kind: ClaimMerged, Who: c.Owner, About: c.ID, Other: c.SameAs})
		}
	}
	if len(m.Book.live()) < live {
		m.independent()
	}
	for i := range m.Book.Challenges {
		m.redirect(&m.Book.Challenges[i])
	}
}

// redirect points a challenge at the claim that its own was merged into. A party does not
// attack its own claim.
func (m *reducer) redirect(k *Challenge) {
	live := m.Book.survivor(k.Claim)
	if live == nil || live.ID == k.Claim {
		return
	}
	k.Claim = live.ID
	if k.Kind != Reconciling {
		k.Defender = live.Owner
	}
	if k.Attacker == live.Owner && k.Live() {
		m.close(k, Resolved, because(WhySameReport))
	}
}

// independent counts a claim that parties of two families raised as evaluated AGREE by each
// (M01).
func (m *reducer) independent() {
	for _, merged := range m.Book.Claims {
		live := m.Book.survivor(merged.ID)
		if !m.Table.twoVoices(live, &merged) {
			continue
		}
		e := Evaluation{Party: merged.Owner, N: m.Talk.Exchange, Class: ClassAgree, Severity: merged.Severity, Qualified: qualified(merged.Evidence), Reasoned: true}
		if e.Qualified { // a party without a valid citation supports nothing
			e.View = Supports
		}
		live.Evaluations = append(live.Evaluations, e)
		m.verify(live)
	}
}

// twoVoices reports whether a merged claim adds a voice to the remaining one: it is of another
// party that has not weighed it, and of another family if neither had heard the other.
func (t *Table) twoVoices(live, merged *Claim) bool {
	one, other := t.party(live.Owner), t.party(merged.Owner)
	switch {
	case one == other, one == nil, other == nil, live.last(merged.Owner) != nil:
		return false
	}
	blind := live.RaisedN+merged.RaisedN == 0
	return !blind || one.Family != other.Family
}

const (
	// maxJoined bounds the evidence of a claim after merges.
	maxJoined = 100
	// nearBy is the most lines between two citations of one defect.
	nearBy = 3
	// minSnippet is the least length, in bytes, of a snippet with one place. A shorter one, such
	// as a brace, occurs often.
	minSnippet = 8
)

// mergeClaims joins claims about the same defect (R073, A07) and returns a new list. The first
// claim of a group stays and takes over everything that was said about the others, which name
// it in SameAs and are otherwise unchanged. A claim of the engine never merges into a party's
// claim. Earlier merges hold.
//
// Two claims are one if they have the same key; if their texts are alike and both cite the same
// snippet of one hunk; or if confirmed accepts the pair. The pair is proposed by the owner of one
// claim, or by like texts of one category about neighboring lines. Elsewhere like texts propose
// nothing: a defect in two functions has two like descriptions, and agreement with both does not
// say that they are one. Two claims of one party are one only if it repeats its words, and two of
// the engine need the same key.
func mergeClaims(claims []Claim, confirmed func(a, b string) bool) []Claim {
	out := append([]Claim(nil), claims...)
	stays := survivors(claims, confirmed)
	for i, k := range stays {
		if k == i {
			continue
		}
		// An earlier merge has taken everything over, and later changes to it stay. Only a claim
		// that moves to another claim of the engine brings its parts once more.
		switch before := claims[i].SameAs; {
		case before == "", before != out[k].ID && out[k].Owner == EngineParty:
			out[k] = join(out[k], claims[i])
		}
		out[i].SameAs = out[k].ID
	}
	return out
}

// survivors returns for each claim the index of the claim that replaces it.
func survivors(claims []Claim, confirmed func(a, b string) bool) []int {
	at := make(map[string]int, len(claims))
	faces := make([]face, len(claims))
	groups := newGroups(len(claims))
	for i, c := range claims {
		at[c.ID], faces[i] = i, faceOf(c)
	}
	for i, c := range claims {
		if j, merged := at[c.SameAs]; merged {
			groups.link(faces, i, j)
		}
	}
	for i := range claims {
		for j := range i {
			switch {
			case claims[i].Fallen, claims[j].Fallen: // a claim after its fall is another claim (R151)
			case groups.first[i] != groups.first[j] && faces[i].same(&faces[j], confirmed):
				groups.link(faces, i, j)
			}
		}
	}
	return groups.stays()
}

// groups are the claims that are one. The claims of the engine stay apart from the parties'
// claims: if both say the same, the engine's replaces all.
type groups struct {
	first  []int // of each claim, the first one of its group
	engine []int // of each claim, the first claim of the engine about the same; their number for none
}

func newGroups(size int) groups {
	g := groups{first: make([]int, size), engine: make([]int, size)}
	for i := range g.first {
		g.first[i], g.engine[i] = i, size
	}
	return g
}

func (g groups) link(faces []face, i, j int) {
	switch {
	case faces[i].ofEngine() == faces[j].ofEngine():
		one, other := min(g.first[i], g.first[j]), max(g.first[i], g.first[j])
		for k, first := range g.first {
			if first == other {
				g.first[k] = one
			}
		}
	case faces[i].ofEngine():
		g.engine[j] = min(g.engine[j], i)
	default:
		g.engine[i] = min(g.engine[i], j)
	}
}

// stays returns for each claim the claim that replaces it: one for a whole group.
func (g groups) stays() []int {
	for i, first := range g.first {
		g.engine[first] = min(g.engine[first], g.engine[i])
	}
	stays := make([]int, len(g.first))
	for i, first := range g.first {
		stays[i] = first
		if e := g.engine[first]; e < len(g.first) {
			stays[i] = g.first[e]
		}
	}
	return stays
}

// face has the features of a claim for a comparison.
type face struct {
	claim   Claim
	cite    Citation
	title   string
	snippet string
	terms   likeness.Terms // of title and body, computed on demand
	read    bool
}

func faceOf(c Claim) face {
	cite := Citation{}
	if len(c.Evidence) > 0 { // not its place: evidence that is merged into a claim must not move it
		cite = c.Evidence[0].Cite
	}
	return face{claim: c, cite: cite, title: likeness.Title(c.Title), snippet: strings.Join(strings.Fields(cite.Quote), " ")}
}

func (a *face) ofEngine() bool { return a.claim.Owner == EngineParty }

// same reports whether two claims are one. A proposal has another gate than code and never
// joins it.
func (a *face) same(b *face, confirmed func(a, b string) bool) bool {
	one := a.claim.Owner == b.claim.Owner
	switch {
	case (a.claim.Kind == Proposal) != (b.claim.Kind == Proposal):
		return false
	case a.sameKey(b):
		return true
	case one: // a party that lists two defects says that they are two, unless it repeats its words
		return !a.ofEngine() && a.sameSnippet(b) && a.like(b) >= likeness.LikelyOwn
	case a.ofEngine(), b.ofEngine():
		return a.seenByEngine(b)
	case a.sameSnippet(b) && a.like(b) >= likeness.LikelyHere:
		return true
	}
	return a.maybe(b) && confirmed(a.claim.ID, b.claim.ID)
}

// proposed reports whether the owner of one of two claims says that they are the same.
func (a *face) proposed(b *face) bool {
	return a.claim.proposes(&b.claim) || b.claim.proposes(&a.claim)
}

// seenByEngine reports whether two claims say the same about the same lines, and one of them is
// the engine's: its kind of defect there, or the one that the owner of the other names.
func (a *face) seenByEngine(b *face) bool {
	if a.proposed(b) {
		return true
	}
	switch named := !a.claim.AnyCategory && !b.claim.AnyCategory; {
	case !a.cite.overlaps(b.cite):
		return false
	case named && a.claim.Category == b.claim.Category:
		return true
	}
	return a.like(b) >= likeness.Likely
}

// sameCategory reports whether two claims have one category, as far as their owners name one.
func (c Claim) sameCategory(d Claim) bool {
	return c.AnyCategory || d.AnyCategory || c.Category == d.Category
}

// maybe reports whether two claims are one if their owners say so: one owner proposes it, or
// their texts are alike and about neighboring lines.
func (a *face) maybe(b *face) bool {
	if a.proposed(b) {
		return true
	}
	near := a.claim.sameCategory(b.claim) && a.cite.near(b.cite)
	return near && a.like(b) >= likeness.Likely
}

// sameKey compares path, overlapping lines, category and normalized title (A07). Claims
// without a place have only their titles (A07).
func (a *face) sameKey(b *face) bool {
	switch {
	case a.title == "", a.title != b.title:
		return false
	case a.cite.Path+b.cite.Path == "":
		return true
	}
	return a.claim.sameCategory(b.claim) && a.cite.overlaps(b.cite)
}

// sameSnippet reports whether two claims cite the same code in one hunk. One may cite more
// than the other.
func (a *face) sameSnippet(b *face) bool {
	switch {
	case a.claim.Segment == "", a.claim.Segment != b.claim.Segment, !a.cite.sameFile(b.cite):
		return false
	}
	if min(len(a.snippet), len(b.snippet)) >= minSnippet {
		return strings.Contains(a.snippet, b.snippet) || strings.Contains(b.snippet, a.snippet)
	}
	return a.snippet != "" && a.snippet == b.snippet && a.cite.overlaps(b.cite)
}

// like is the similarity of the texts of two claims, in per mille.
func (a *face) like(b *face) int { return a.text().Like(b.text()) }

func (a *face) text() likeness.Terms {
	if !a.read {
		a.terms, a.read = likeness.TermsOf(a.claim.Title+"\n"+a.claim.Body), true
	}
	return a.terms
}

// join returns k after c is merged into it, with all evaluations, evidence and reports of c.
// strengthen sets everything that follows from both, such as the severity.
func join(k, c Claim) Claim {
	if k.Owner == EngineParty && len(c.Body) > len(k.Body) {
		k.Body = c.Body // the fullest explanation
	}
	if k.Kind == Value && c.Kind == Empirical {
		k.Kind = Empirical // the stricter gate
	}
	k.Evidence = joinEvidence(k.Evidence, c.Evidence)
	k.Evaluations = joinEvaluations(k, c.Evaluations)
	k.ReportedBy = union(k.ReportedBy, c.ReportedBy, "")
	k.ConfirmedBy = union(k.ConfirmedBy, c.ConfirmedBy, k.Owner)
	// A claim stays out of the debate only for a reason that holds for every report.
	k.Late, k.OutOfScope, k.Reframe = k.Late && c.Late, k.OutOfScope && c.OutOfScope, k.Reframe && c.Reframe
	k.NotDebated, k.Extra = k.NotDebated && c.NotDebated, k.Extra && c.Extra
	k.Carried = cmp.Or(k.Carried, c.Carried)
	return k
}

// joinEvidence returns both lists, each citation once, with the findings of all its copies.
func joinEvidence(have, more []Evidence) []Evidence {
	out := slices.Clone(have)
	for _, e := range more {
		o := lists.Pointer(out, func(o *Evidence) bool { return o.Cite == e.Cite && o.RunRef == e.RunRef })
		if o == nil {
			out = append(out, e)
			continue
		}
		verified := o.Verified || e.Verified
		if !o.CitationOK && e.CitationOK {
			e.ID, e.By = o.ID, o.By
			*o = e
		}
		o.Verified = verified
	}
	return lists.First(out, max(len(have), maxJoined))
}

// joinEvaluations returns the parties' views of both claims, the latest last, without the
// view of the owner of k.
func joinEvaluations(k Claim, more []Evaluation) []Evaluation {
	out := slices.Clone(k.Evaluations)
	for _, e := range more {
		known := slices.ContainsFunc(out, func(o Evaluation) bool { return o.Party == e.Party && o.N == e.N })
		if !known && e.Party != k.Owner {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b Evaluation) int { return a.N - b.N })
	return out
}

// union returns the sorted members of two lists, each once. The member but counts only in the
// first list.
func union(a, b []string, but string) []string {
	all := slices.Concat(a, lists.Keep(b, func(s string) bool { return s != but }))
	slices.Sort(all)
	return append([]string{}, slices.Compact(all)...)
}

// confirmedSame reports whether both owners call two claims the same (A07): each by same_as, or
// by agreeing to the other's claim.
func (b *Book) confirmedSame(one, other string) bool {
	x, y := b.claim(one), b.claim(other)
	return x.sameAs(y) && y.sameAs(x)
}

// sameAs reports whether the owner of a claim says that another claim is the same, or agrees
// with it and does not deny having reported it (A07).
func (c *Claim) sameAs(other *Claim) bool {
	return c.proposes(other) || other.agreedBy(c.Owner) && other.word(c.Owner).SameAs != NoClaim
}

// proposes reports whether the owner of a claim says that another claim is the same: in its own
// claim, or when it agrees with the other one, about neighboring lines.
func (c *Claim) proposes(other *Claim) bool {
	said := other.agreedBy(c.Owner) && other.word(c.Owner).SameAs == c.ID
	return c.Proposed == other.ID || said && c.place().near(other.place())
}
