package debate

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func nobody(a, b string) bool    { return false }
func everybody(a, b string) bool { return true }

// leak is a claim about one statement; edits make the claims of the tests of it.
func leak(id, owner string, edits ...func(*Claim)) Claim {
	c := Claim{
		ID: id, Owner: owner, Segment: "S1", Kind: Empirical, Asserted: P2, Severity: P2, Category: Reliability,
		Title: "The response body is never closed", Body: "Every retry leaks its connection until the pool is empty.",
		EvidenceType: Textual, ReportedBy: []string{owner}, ConfirmedBy: []string{},
		Evidence: []Evidence{{ID: "E" + id, Type: Textual, By: owner, CitationOK: true, Cite: Citation{
			Path: "fetch.go", Side: Right, StartLine: 10, EndLine: 12, Quote: "resp, err := client.Do(req)\nif err != nil {",
		}}},
	}
	for _, edit := range edits {
		edit(&c)
	}
	return c
}

func titled(title string) func(*Claim)       { return func(c *Claim) { c.Title = title } }
func saying(title, body string) func(*Claim) { return func(c *Claim) { c.Title, c.Body = title, body } }
func quoting(quote string) func(*Claim)      { return func(c *Claim) { c.Evidence[0].Cite.Quote = quote } }
func at(first, last int) func(*Claim) {
	return func(c *Claim) { c.Evidence[0].Cite.StartLine, c.Evidence[0].Cite.EndLine = first, last }
}
func rated(asserted, held Severity, ok bool) func(*Claim) {
	return func(c *Claim) {
		c.Asserted, c.Severity, c.Evidence[0].CitationOK = asserted, held, ok
	}
}

var (
	reworded  = saying("Connection leak on retry", "The response body is not closed: every retry leaks a connection of the pool.")
	unrelated = saying("URL built from raw input", "A name with a slash reaches another endpoint; escape it.")
	elsewhere = func(c *Claim) { c.Evidence[0].Cite.Quote = "return decode(resp.Body, &user)" }
)

func TestWhatIsOneClaim(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name      string
		second    func(*Claim)
		confirmed func(a, b string) bool
		want      bool
	}{
		{"same key", func(c *Claim) {
			unrelated(c)
			c.Title, c.Segment = "the response body -- is never *closed*", "S9"
			elsewhere(c)
			at(12, 40)(c)
		}, nobody, true},
		{"same key, other category", func(c *Claim) {
			unrelated(c)
			titled("The response body is never closed")(c)
			elsewhere(c)
			c.Category = Docs
		}, nobody, false},
		{"same key, lines apart", func(c *Claim) {
			unrelated(c)
			titled("The response body is never closed")(c)
			elsewhere(c)
			at(13, 13)(c)
		}, nobody, false},
		{"same key, other side", func(c *Claim) {
			unrelated(c)
			titled("The response body is never closed")(c)
			c.Evidence[0].Cite.Side = Left
		}, nobody, false},
		{"no title", func(c *Claim) { unrelated(c); titled("?!")(c); elsewhere(c) }, nobody, false},
		{"same key, no category named", func(c *Claim) {
			unrelated(c)
			titled("The response body is never closed")(c)
			elsewhere(c)
			c.Category, c.AnyCategory = Docs, true
		}, nobody, true},
		{"nothing cited", func(c *Claim) { c.Evidence = nil; c.Segment = "" }, nobody, false},

		{"alike, same snippet", reworded, nobody, true},
		{"alike, part of the snippet", func(c *Claim) { reworded(c); quoting("  resp, err :=   client.Do(req)")(c); at(10, 10)(c) }, nobody, true},
		{"alike, other snippet", func(c *Claim) { reworded(c); elsewhere(c) }, nobody, false},
		{"alike, other hunk", func(c *Claim) { reworded(c); c.Segment = "S2" }, nobody, false},
		{"alike, other file", func(c *Claim) { reworded(c); c.Evidence[0].Cite.Path = "other.go" }, nobody, false},
		{"alike, snippet that says nothing", func(c *Claim) { reworded(c); quoting("{")(c) }, nobody, false},
		{"alike, proposal", func(c *Claim) { reworded(c); c.Kind = Proposal }, everybody, false},
		{"other text, same snippet", unrelated, nobody, false},

		{"same_as", func(c *Claim) { unrelated(c); elsewhere(c); c.Proposed = "F1" }, nobody, false},
		{"same_as, confirmed", func(c *Claim) { unrelated(c); elsewhere(c); c.Proposed = "F1" }, everybody, true},
		{"same_as, own claim", func(c *Claim) { unrelated(c); elsewhere(c); c.Proposed, c.Owner = "F1", "gpt" }, everybody, false},
		{"alike, confirmed", func(c *Claim) { reworded(c); elsewhere(c) }, everybody, true},
		{"alike, confirmed, three lines between", func(c *Claim) { reworded(c); elsewhere(c); at(16, 16)(c) }, everybody, true},
		{"alike, confirmed, four lines between", func(c *Claim) { reworded(c); elsewhere(c); at(17, 17)(c) }, everybody, false},
		{"alike, confirmed, other category", func(c *Claim) { reworded(c); elsewhere(c); c.Category = Docs }, everybody, false},
		{"alike, confirmed, other file", func(c *Claim) { reworded(c); c.Evidence[0].Cite.Path = "other.go" }, everybody, false},
		{"alike, confirmed, nothing cited", func(c *Claim) { reworded(c); c.Evidence = nil }, everybody, false},
		{"confirmed, but nobody proposed it", func(c *Claim) { unrelated(c); elsewhere(c) }, everybody, false},
	} {
		claims := []Claim{leak("F1", "gpt"), leak("F2", "gemini", test.second)}
		got := mergeClaims(claims, test.confirmed)
		if (got[1].SameAs == "F1") != test.want || got[0].SameAs != "" {
			t.Errorf("%s: F2 is the same as %q, want a merge: %v", test.name, got[1].SameAs, test.want)
		}
		if diff := cmp.Diff(got[0].SameAs+got[1].SameAs != "", mergeClaims([]Claim{claims[1], claims[0]}, test.confirmed)[1].SameAs != ""); diff != "" {
			t.Errorf("%s: the order of arrival decides", test.name)
		}
	}
}

func TestShortSnippetNeedsItsLines(t *testing.T) {
	t.Parallel()
	brace := func(first int) Claim { return leak("F1", "gpt", quoting("}"), at(first, first)) }
	for first, want := range map[int]string{10: "F1", 20: ""} {
		second := brace(first)
		second.ID, second.Owner, second.Title = "F2", "gemini", "Never closed: the response body"
		if got := mergeClaims([]Claim{brace(10), second}, nobody)[1].SameAs; got != want {
			t.Errorf("line %d: same as %q, want %q", first, got, want)
		}
	}
}

// TestTwoDefectsOfOneLine: a party that lists two defects of one line has found two. Only its
// own words again are the same defect. Of two parties the same texts are one.
func TestTwoDefectsOfOneLine(t *testing.T) {
	t.Parallel()
	says := func(id, owner, title, body string) Claim {
		return leak(id, owner, func(c *Claim) { c.Title, c.Body = title, body })
	}
	panics := says("F1", "gpt", "Ratio panics when b is zero", "Ratio(1, 0) panics with a division by zero.")
	for owner, want := range map[string]string{"gpt": "", "gemini": "F1"} {
		drops := says("F2", owner, "Integer division drops the rest", "Ratio(1, 2) is 0.")
		again := says("F3", owner, "Ratio panics: division by zero", "Ratio(1, 0) panics when b is zero.")
		got := mergeClaims([]Claim{panics, drops, again}, nobody)
		if got[1].SameAs != want || got[2].SameAs != "F1" {
			t.Errorf("%s: same as %q and %q", owner, got[1].SameAs, got[2].SameAs)
		}
	}
}

// merged is the list of claims after the book merged what says the same.
func merged(claims ...Claim) []Claim {
	s := State{Book: Book{Claims: claims}}
	(&reducer{State: &s, step: &Step{}}).merge()
	return s.Book.Claims
}

// TestMergedSeverity checks R074 and A06: what a report without lines asserts counts once
// another report of the same brings them, and what such a report adds to a shown one does not.
func TestMergedSeverity(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name          string
		first, second func(*Claim)
		want          Severity
	}{
		{"highest, first", rated(P1, P1, true), rated(P3, P3, true), P1},
		{"highest, second", rated(P3, P3, true), rated(P1, P1, true), P1},
		{"inflated without evidence", rated(P2, P2, true), rated(P1, P2, false), P2},
		{"without lines, and lower with lines", rated(P1, P2, false), rated(P3, P3, true), P1},
		{"without evidence, later", rated(P3, P3, true), rated(P2, P2, false), P3},
		{"inflated, then shown", rated(P1, P2, false), rated(P1, P1, true), P1},
		{"no evidence at all", rated(P3, P3, false), rated(P1, P2, false), P2},
	} {
		claims := []Claim{leak("F1", "gpt", test.first), leak("F2", "gemini", test.second)}
		got := merged(claims...)
		if got[0].Severity != test.want {
			t.Errorf("%s: %s, want %s", test.name, got[0].Severity, test.want)
		}
		claims[1].SameAs = "F1"
		if diff := cmp.Diff(claims[1], got[1]); diff != "" || got[0].Asserted != claims[0].Asserted {
			t.Errorf("%s: the merged claim lost something:\n%s", test.name, diff)
		}
	}
}

// TestMergedJudgement: what a party reports of a judgement once more, as a worse one,
// counts, unless everybody who weighs it calls it P3 (R074, A06).
func TestMergedJudgement(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		weighs []Severity
		want   Severity
	}{
		{"nobody weighs it", nil, P1},
		{"one calls it milder", []Severity{P2}, P1},
		{"everybody else calls it P3", []Severity{P3, P3}, P3},
	} {
		claims := []Claim{leak("F1", "gpt", rated(P2, P2, false)), leak("F2", "gpt", rated(P1, P1, true))}
		for i := range claims {
			claims[i].Kind = Value
		}
		for i, s := range test.weighs {
			claims[0].Evaluations = append(claims[0].Evaluations, Evaluation{Party: []string{"kimi", "opus"}[i], Class: ClassAgree, Severity: s})
		}
		if got := merged(claims...)[0].Severity; got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestJudgementBecomesFact: a judgement that its owner calls P2 and who weighs it
// calls P3 is a P3; once it is one with a question of fact, what was asserted with lines that
// are there counts again (A06, R074).
func TestJudgementBecomesFact(t *testing.T) {
	t.Parallel()
	claim := func(id string, kind ClaimKind, says Severity) Claim {
		c := leak(id, "gpt")
		c.Kind, c.Asserted, c.Severity = kind, says, says
		c.Evidence[0].CitationOK = true
		return c
	}
	odd := claim("F1", Value, P2)
	odd.Evaluations = []Evaluation{{Party: "claude", Class: ClassAgree, Severity: P3}}
	s := State{Book: Book{Claims: []Claim{odd, claim("F2", Empirical, P3)}}}
	b := (&reducer{State: &s, step: &Step{}})
	b.Book.strengthen(&s.Book.Claims[0])
	if got := s.Book.Claims[0].Severity; got != P3 {
		t.Fatalf("the judgement is %s", got)
	}
	b.merge()
	if c := s.Book.Claims[0]; c.Kind != Empirical || c.Severity != P2 || s.Book.Claims[1].SameAs != "F1" {
		t.Errorf("it is %s, %s", c.Kind, c.Severity)
	}
}

// TestMergeTakesOver checks what the claim that stays has in the end.
func TestMergeTakesOver(t *testing.T) {
	t.Parallel()
	first := leak("F1", "gpt")
	first.Kind, first.EvidenceType, first.OutOfScope, first.NotDebated, first.Late = Value, NotNeeded, true, true, true
	first.Evaluations = []Evaluation{{Party: "kimi", N: 2, Class: ClassReject}}
	first.ConfirmedBy = []string{"kimi"}
	second := leak("F2", "gemini", at(11, 11))
	second.Late, second.Carried = true, "F3"
	second.Evidence[0].Type = Execution
	second.Evidence = append(second.Evidence, first.Evidence[0])
	second.Evidence[1].Verified = true
	second.Evaluations = []Evaluation{{Party: "kimi", N: 2, Class: ClassAgree}, {Party: "gpt", N: 1}, {Party: "kimi", N: 1, Class: ClassSkeptical}}
	second.ConfirmedBy = []string{"gpt", "opus"}

	want := first
	want.Kind, want.EvidenceType, want.OutOfScope, want.NotDebated, want.Carried = Empirical, Execution, false, false, "F3"
	want.Evidence = []Evidence{second.Evidence[1], second.Evidence[0]}
	want.Evaluations = []Evaluation{{Party: "kimi", N: 1, Class: ClassSkeptical}, {Party: "kimi", N: 2, Class: ClassReject}}
	want.ReportedBy, want.ConfirmedBy = []string{"gemini", "gpt"}, []string{"kimi", "opus"}
	same(t, want, merged(first, second)[0])
}

func TestEngineClaimStays(t *testing.T) {
	t.Parallel()
	claims := []Claim{leak("F1", "gpt"), leak("F2", EngineParty), leak("F3", EngineParty, reworded), leak("F4", "gemini"), leak("F5", EngineParty)}
	claims[1].ConfirmedBy = []string{EngineParty}
	got := mergeClaims(claims, everybody)
	var names []string
	for _, c := range got {
		names = append(names, c.SameAs)
	}
	same(t, []string{"F2", "", "", "F2", "F2"}, names)
	same(t, []string{EngineParty, "gemini", "gpt"}, got[1].ReportedBy)
	same(t, []string{EngineParty}, got[1].ConfirmedBy, "what the engine says itself is lost")
	same(t, claims[2], got[2], "the other claim of the engine changed")
}

// TestMergeUndoesNothing changes a claim after a merge, as an accepted challenge
// does, and amends its text.
func TestMergeUndoesNothing(t *testing.T) {
	t.Parallel()
	got := mergeClaims([]Claim{leak("F1", "gpt", rated(P1, P1, true)), leak("F2", "gemini", rated(P1, P1, true))}, nobody)
	got[0].Severity, got[0].Title, got[0].Body = P3, "Something else", "Nothing in common with what it was."
	got = mergeClaims(append(got, leak("F3", "kimi", rated(P3, P3, true))), nobody)
	if got[0].Severity != P3 || got[1].SameAs != "F1" || got[2].SameAs != "F1" {
		t.Errorf("severity %s, F2 is %q, F3 is %q", got[0].Severity, got[1].SameAs, got[2].SameAs)
	}
}

// TestParaphrasesCollapse is one defect in 200 wordings.
func TestParaphrasesCollapse(t *testing.T) {
	t.Parallel()
	subjects := []string{"The response body", "The body of the response", "resp.Body, the response body,", "The HTTP response body"}
	faults := []string{"is never closed", "is not closed", "stays open: nothing closes it,", "remains unclosed", "is left without being closed"}
	effects := []string{"every retry leaks a connection", "each retry leaks the connection", "retries leak connections", "on each retry a connection leaks", "a retry leaks its connection"}
	remedies := []string{"", "Close it with defer."}
	quotes := []string{"resp, err := client.Do(req)", "\tresp, err := client.Do(req)\n\tif err != nil {", "resp, err  := client.Do(req)"}
	var claims []Claim
	for i := range 200 {
		subject, fault := subjects[i%4], faults[i/4%5]
		claims = append(claims, leak("F"+strconv.Itoa(i+1), []string{"gpt", "gemini"}[i%2],
			saying(subject+" "+fault, "As "+strings.ToLower(subject)+" "+fault+", "+effects[i/20%5]+". "+remedies[i/100]), quoting(quotes[i%3])))
	}
	got := mergeClaims(claims, nobody)
	left := 0
	for _, c := range got {
		if c.SameAs == "" {
			left++
		}
	}
	if left != 1 {
		t.Errorf("%d claims are left of 200 wordings of one", left)
	}
	if n := len(got[0].Evidence); n != 3 {
		t.Errorf("%d citations of three different quotes", n)
	}
}

// TestMergeIsBounded joins many claims that all cite something else.
func TestMergeIsBounded(t *testing.T) {
	t.Parallel()
	var claims []Claim
	for i := range 2 * maxJoined {
		claims = append(claims, leak("F"+strconv.Itoa(i+1), "gpt", at(10, 10+i)))
	}
	if n := len(mergeClaims(claims, nobody)[0].Evidence); n != maxJoined {
		t.Errorf("%d items of evidence, the bound is %d", n, maxJoined)
	}
}

// claimsGen draws claims of a small world, so that many are one. Rule names a
// claim whatever its id is.
var claimsGen = rapid.Custom(func(t *rapid.T) []Claim {
	var claims []Claim
	for i := range rapid.IntRange(0, 12).Draw(t, "claims") {
		c := leak("F"+strconv.Itoa(i+1), rapid.SampledFrom([]string{"gpt", "gemini", "kimi"}).Draw(t, "owner"),
			rapid.SampledFrom([]func(*Claim){func(*Claim) {}, reworded, unrelated, titled("Other")}).Draw(t, "text"),
			rapid.SampledFrom([]func(*Claim){func(*Claim) {}, elsewhere, quoting("}"), quoting("client.Do(req)")}).Draw(t, "quote"),
			rapid.SampledFrom([]func(*Claim){at(10, 12), at(12, 20), at(21, 21)}).Draw(t, "lines"),
			rapid.SampledFrom([]func(*Claim){rated(P1, P1, true), rated(P1, P2, false), rated(P2, P2, false), rated(P2, P2, true), rated(P3, P3, true), rated(P3, P3, false)}).Draw(t, "severity"),
		)
		c.Rule = "r" + strconv.Itoa(i+1)
		c.Kind = rapid.SampledFrom([]ClaimKind{Empirical, Empirical, Value, Proposal}).Draw(t, "kind")
		c.Category = rapid.SampledFrom([]Category{Reliability, Docs}).Draw(t, "category")
		c.Segment = rapid.SampledFrom([]string{"S1", "S2"}).Draw(t, "segment")
		if i > 0 && rapid.IntRange(0, 3).Draw(t, "proposes") == 0 {
			c.Proposed = claims[rapid.IntRange(0, i-1).Draw(t, "proposed")].ID
		}
		claims = append(claims, c)
	}
	return claims
})

// agreement confirms the pairs whose names add up to an even number.
func agreement(claims []Claim) func(a, b string) bool {
	name := make(map[string]int)
	for _, c := range claims {
		name[c.ID], _ = strconv.Atoi(c.Rule[1:])
	}
	return func(a, b string) bool { return (name[a]+name[b])%2 == 0 }
}

// result says what a merge came to without saying any id.
func result(claims []Claim) []string {
	groups := make(map[string][]string)
	for _, c := range claims {
		stays := c.ID
		if c.SameAs != "" {
			stays = c.SameAs
		}
		groups[stays] = append(groups[stays], c.Rule)
	}
	var out []string
	for _, c := range claims {
		if members, ok := groups[c.ID]; ok {
			sort.Strings(members)
			var cites []string
			for _, e := range c.Evidence {
				cites = append(cites, fmt.Sprint(e.Cite.StartLine, e.Cite.Quote, e.CitationOK))
			}
			sort.Strings(cites)
			out = append(out, fmt.Sprint(members, c.ReportedBy, c.Kind, cites))
		}
	}
	sort.Strings(out)
	return out
}

func TestMergeProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		claims := claimsGen.Draw(t, "claims")
		confirmed := agreement(claims)
		copies := slices.Clone(claims)
		for i, c := range claims {
			copies[i].Evidence, copies[i].ReportedBy = slices.Clone(c.Evidence), slices.Clone(c.ReportedBy)
		}
		got := mergeClaims(claims, confirmed)
		if diff := cmp.Diff(copies, claims); diff != "" {
			t.Fatalf("the argument was changed:\n%s", diff)
		}
		if diff := cmp.Diff(got, mergeClaims(got, confirmed)); diff != "" {
			t.Fatalf("not idempotent:\n%s", diff)
		}
		checkMerge(t, claims, got)

		var grown []Claim
		for _, c := range claims {
			grown = mergeClaims(append(slices.Clone(grown), c), confirmed)
		}
		if diff := cmp.Diff(result(got), result(grown)); diff != "" {
			t.Fatalf("merged one by one it is something else:\n%s", diff)
		}

		other := slices.Clone(claims)
		id := make(map[string]string)
		for i, from := range rapid.Permutation(claims).Draw(t, "order") {
			other[i] = from
			other[i].ID = "F" + strconv.Itoa(i+1)
			id[from.ID] = other[i].ID
		}
		for i := range other {
			other[i].Proposed = id[other[i].Proposed]
		}
		if diff := cmp.Diff(result(got), result(mergeClaims(other, agreement(other)))); diff != "" {
			t.Fatalf("in another order it is something else:\n%s", diff)
		}
	})
}

// checkMerge checks a merge against what was merged.
func checkMerge(t *rapid.T, before, after []Claim) {
	for i, k := range after {
		if k.SameAs != "" {
			stays := slices.IndexFunc(after, func(c Claim) bool { return c.ID == k.SameAs })
			if stays < 0 || stays >= i || after[stays].SameAs != "" {
				t.Fatalf("%s is the same as %s, which does not stay", k.ID, k.SameAs)
			}
			continue
		}
		var reporters []string
		highest := before[i].Asserted
		for j, c := range after {
			if j != i && c.SameAs != k.ID {
				continue
			}
			report := before[j]
			reporters = append(reporters, report.ReportedBy...)
			counts := report.Evidence[0].CitationOK || !qualified(k.Evidence)
			if counts && report.Asserted.AtLeast(highest) {
				highest = report.Asserted
			}
		}
		if highest == P1 && !qualified(k.Evidence) {
			highest = P2
		}
		slices.Sort(reporters)
		if diff := cmp.Diff(slices.Compact(reporters), k.ReportedBy); diff != "" {
			t.Fatalf("%s is not reported by all (-want +got):\n%s", k.ID, diff)
		}
		book := Book{Claims: after}
		if book.strengthen(&k); k.Severity != highest {
			t.Fatalf("%s is %s, its reports make it %s", k.ID, k.Severity, highest)
		}
	}
}

// TestReconcileStaysItsOwn: a request to reconcile words about a claim stays with its party after
// the claim is merged into another party's (R156).
func TestReconcileStaysItsOwn(t *testing.T) {
	t.Parallel()
	s := threeParties(Claim{ID: "F1", Owner: "claude"}, Claim{ID: "F2", Owner: "gemini", SameAs: "F1"})
	s.Book.Challenges = []Challenge{
		{ID: "K1", Claim: "F2", Attacker: EngineParty, Defender: "gpt", Kind: Reconciling, Status: Open},
		{ID: "K2", Claim: "F2", Attacker: "gpt", Defender: "gemini", Kind: Skeptical, Status: Open},
	}
	m := &reducer{State: &s, step: &Step{}}
	for i := range s.Book.Challenges {
		m.redirect(&s.Book.Challenges[i])
	}
	if k := s.Book.Challenges[0]; k.Claim != "F1" || !s.Asks("gpt", k) {
		t.Errorf("%s is about %s, and asks %s", k.ID, k.Claim, s.Defenders(k))
	}
	if k := s.Book.Challenges[1]; k.Claim != "F1" || !s.Asks("claude", k) {
		t.Errorf("%s is about %s, and asks %s", k.ID, k.Claim, s.Defenders(k))
	}
}
