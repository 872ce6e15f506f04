package debate

import (
	"slices"
	"strings"
	"testing"
)

// textOnly is evidence of a text that stands at some lines, or does not.
func textOnly(line int, quote string, there bool) Evidence {
	return Evidence{CitationOK: there, Type: Textual, Cite: Citation{Path: "a.go", Side: Right, StartLine: line, EndLine: line, Quote: quote}}
}

// ofRun is evidence of a failed check run.
func ofRun(ref string, at Citation) Evidence {
	return Evidence{CitationOK: true, Type: Execution, RunRef: ref, Cite: at}
}

// TestRaise: what becomes of a claim as it is raised (R062, R135).
func TestRaise(t *testing.T) {
	t.Parallel()
	notThere := []Ref{{Citation: Citation{Path: "b.go", Side: Right, StartLine: 3, EndLine: 3, Quote: "never written"}}}
	in := func(segment string, refs []Ref) NewClaim {
		return NewClaim{Segment: segment, Severity: P2, Category: Security, Kind: Empirical, Refs: refs}
	}
	for name, row := range map[string]struct {
		claim NewClaim
		want  string // segment, asserted severity, category
	}{
		"it names a part":                           {in("S1", nil), "S1 P2 security"},
		"its lines stand in another part":           {in("S2", citing(3)), "S1 P2 security"},
		"its lines stand in no part":                {in("S1", citing(50)), "S1 P2 security"},
		"its part is unknown":                       {in("S9", citing(3)), "S1 P2 security"},
		"its part is unknown, its lines not there":  {in("S9", notThere), "S2 P2 security"},
		"its lines are not there, and it names one": {in("S1", notThere), "S1 P2 security"},
		"it cites a removed line and names no part": {in("", []Ref{{Citation: Citation{Path: "a.go", Side: Left, StartLine: 42, EndLine: 42, Quote: "gone"}, Found: Found{OK: true, Changed: true, InHunk: true}}}), "S1 P2 security"},
		"it names no severity":                      {NewClaim{Segment: "S1", Category: Security}, "S1 P3 security"},
		"its severity is unknown":                   {NewClaim{Segment: "S1", Severity: "P0", Category: Security}, "S1 P3 security"},
		"it names no category":                      {NewClaim{Segment: "S1", Severity: P1}, "S1 P1 correctness, or any"},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties()
			s.Split = inTwoChunks()
			s.Split.Segments[0].BaseStart, s.Split.Segments[0].BaseEnd = 40, 45
			(&reducer{State: &s, step: &Step{}}).raise("gpt", 1, row.claim)
			c := s.Book.Claims[0]
			got := c.Segment + " " + string(c.Asserted) + " " + string(c.Category)
			if c.AnyCategory {
				got += ", or any"
			}
			if got != row.want {
				t.Errorf("it is %q, want %q", got, row.want)
			}
		})
	}
}

// TestProposalReviewIsKept: what a party says of a proposal as a whole is kept, and that
// it says nothing is not.
func TestProposalReviewIsKept(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		says *ProposalReview
		want int
	}{
		"it says something": {&ProposalReview{Tradeoffs: "none named"}, 1},
		"it says nothing":   {&ProposalReview{}, 0},
		"it leaves it out":  {nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties()
			(&reducer{State: &s, step: &Step{}}).claims("gpt", 1, ofGPT(Reply{ProposalReview: row.says})[0])
			if got := len(s.Agenda.Reviews); got != row.want {
				t.Errorf("%d are kept, want %d", got, row.want)
			}
		})
	}
}

// TestBookIsFull: a book takes no more than 2,000 claims, so that no reply can make it
// grow without end.
func TestBookIsFull(t *testing.T) {
	t.Parallel()
	s := threeParties(make([]Claim, 1999)...)
	(&reducer{State: &s, step: &Step{}}).claims("gpt", 1, ofGPT(Reply{Claims: []NewClaim{defect(P2, "one", 3), defect(P2, "two", 5)}})[0])
	if got := s.Book.Claims[1999:]; len(got) != 1 || got[0].Title != "one" {
		t.Errorf("it took %d more", len(got))
	}
}

// TestCitedOnce: the same lines are cited once, and what does not hold is left out
// where something else holds.
func TestCitedOnce(t *testing.T) {
	t.Parallel()
	at := Citation{Path: "a.go", Side: Right, StartLine: 3, EndLine: 3, Quote: "x"}
	bare := func(line int) Evidence {
		e := textOnly(line, "the line", true)
		e.Bare = true
		return e
	}
	gone := func(e Evidence) Evidence { e.CitationOK = false; return e }
	for name, row := range map[string]struct {
		list []Evidence
		want []int // the places in the list of those that stay
	}{
		"two places":                               {[]Evidence{textOnly(3, "x", true), textOnly(4, "y", true)}, []int{0, 1}},
		"the same twice":                           {[]Evidence{textOnly(3, "x", true), textOnly(3, "x", true)}, []int{0}},
		"two quotes of the same lines":             {[]Evidence{textOnly(3, "x", true), textOnly(3, "y", true)}, []int{0, 1}},
		"what does not hold, alone":                {[]Evidence{textOnly(3, "x", false)}, []int{0}},
		"what does not hold, twice":                {[]Evidence{textOnly(3, "x", false), textOnly(3, "x", false)}, []int{0}},
		"what does not hold beside what does":      {[]Evidence{textOnly(3, "y", false), textOnly(3, "x", true)}, []int{1}},
		"what does not hold elsewhere":             {[]Evidence{textOnly(4, "y", false), textOnly(3, "x", true)}, []int{0, 1}},
		"the same, and first it did not hold":      {[]Evidence{textOnly(3, "x", false), textOnly(3, "x", true)}, []int{1}},
		"a place that is quoted, named after":      {[]Evidence{textOnly(3, "x", true), bare(3)}, []int{0}},
		"a place that is quoted, named before":     {[]Evidence{bare(3), textOnly(3, "x", true)}, []int{0, 1}},
		"a place beside one that is quoted":        {[]Evidence{textOnly(3, "x", true), bare(4)}, []int{0, 1}},
		"two runs that failed in the same place":   {[]Evidence{ofRun("check:1", at), ofRun("check:2", at)}, []int{0, 1}},
		"the same run twice":                       {[]Evidence{ofRun("check:1", at), ofRun("check:1", at)}, []int{0}},
		"a run that is not there, and one nowhere": {[]Evidence{ofRun("check:1", Citation{Side: Right}), gone(ofRun("check:9", Citation{Side: Right}))}, []int{0, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range row.list {
				row.list[i].ID = string(rune('0' + i))
			}
			var got []int
			for _, e := range oncePerPlace(row.list) {
				got = append(got, int(e.ID[0]-'0'))
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("%v stay, want %v", got, row.want)
			}
		})
	}
}

// TestKindOf: a claim passes the gate of what it is, and not of what its owner calls it
// (R145, R135).
func TestKindOf(t *testing.T) {
	t.Parallel()
	split := inTwoChunks()
	split.Segments[1].Kind = ProposalSegment
	for name, row := range map[string]struct {
		asserted ClaimKind
		claim    Claim
		want     ClaimKind
	}{
		"a fact":                             {Empirical, Claim{Asserted: P2, Category: Design}, Empirical},
		"a judgement":                        {Value, Claim{Asserted: P2, Category: Design}, Value},
		"a judgement that is called a P1":    {Value, Claim{Asserted: P1, Category: Design}, Empirical},
		"a judgement about security":         {Value, Claim{Asserted: P2, Category: Security}, Empirical},
		"a proposal about code":              {Proposal, Claim{Segment: "S1"}, Empirical},
		"a proposal about a proposal":        {Proposal, Claim{Segment: "S2"}, Proposal},
		"a proposal about the whole change":  {Proposal, Claim{}, Proposal},
		"a proposal about a part of nowhere": {Proposal, Claim{Segment: "S9"}, Proposal},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (&State{Split: split}).kindOf(row.asserted, row.claim); got != row.want {
				t.Errorf("it is %s, want %s", got, row.want)
			}
		})
	}
}

// TestEvidenceOfARun: only a run that failed is evidence, and a party that names lines of
// its own keeps them (R147).
func TestEvidenceOfARun(t *testing.T) {
	t.Parallel()
	checks := Checks{Runs: []Run{
		{Ref: "check:1", Failed: true, Path: "a.go", StartLine: 7, EndLine: 7, Text: "want 1", Hash: "h"},
		{Ref: "check:2", Path: "a.go", StartLine: 7, EndLine: 7, Hash: "h"},
	}}
	for name, row := range map[string]struct {
		run  string
		at   Citation
		want bool
		line int
	}{
		"it failed":                        {"check:1", Citation{}, true, 7},
		"it failed, and lines are named":   {"check:1", Citation{Path: "a.go", Side: Right, StartLine: 9, EndLine: 9}, true, 9},
		"it succeeded":                     {"check:2", Citation{}, false, 0},
		"nobody knows it":                  {"check:9", Citation{}, false, 0},
		"nobody knows it, lines are named": {"check:9", Citation{Path: "a.go", Side: Right, StartLine: 9, EndLine: 9}, false, 9},
	} {
		t.Run(name, func(t *testing.T) {
			e := Evidence{Type: BareClaim, RunRef: row.run, Cite: row.at}
			checks.execution(&e)
			if e.CitationOK != row.want || (e.Type == Execution) != row.want || e.Cite.StartLine != row.line {
				t.Errorf("it is %+v", e)
			}
		})
	}
}

// TestStrengthen: what follows from the evidence of a claim (R147, A06).
func TestStrengthen(t *testing.T) {
	t.Parallel()
	lines, gone := []Evidence{textOnly(3, "x", true)}, []Evidence{textOnly(3, "x", false)}
	run := append([]Evidence{ofRun("check:1", Citation{Path: "a.go"})}, lines...)
	for name, row := range map[string]struct {
		claim Claim
		typ   EvidenceType
		held  Severity
	}{
		"a P1 with lines":          {Claim{Kind: Empirical, Asserted: P1, Evidence: lines}, Textual, P1},
		"a P1 with a failed run":   {Claim{Kind: Empirical, Asserted: P1, Evidence: run}, Execution, P1},
		"a P1 without lines":       {Claim{Kind: Empirical, Asserted: P1}, BareClaim, P2},
		"a P1 whose lines are not": {Claim{Kind: Empirical, Asserted: P1, Evidence: gone}, BareClaim, P2},
		"a P2 without lines":       {Claim{Kind: Empirical, Asserted: P2}, BareClaim, P2},
		"a P3 without lines":       {Claim{Kind: Empirical, Asserted: P3}, BareClaim, P3},
		"a judgement":              {Claim{Kind: Value, Asserted: P2, Evidence: lines}, NotNeeded, P2},
	} {
		t.Run(name, func(t *testing.T) {
			c := row.claim
			(&Book{}).strengthen(&c)
			if c.EvidenceType != row.typ || c.Severity != row.held {
				t.Errorf("it is %s, held at %s; want %s, %s", c.EvidenceType, c.Severity, row.typ, row.held)
			}
		})
	}
}

// TestStated: what an owner lowered in words alone counts once another party cites lines
// in support; what it amended counts as it is (M03, A06).
func TestStated(t *testing.T) {
	t.Parallel()
	says := func(party string, class Class, lines bool) []Evaluation {
		e := Evaluation{Party: party, Class: class, Qualified: lines}
		if class == ClassAgree {
			e.View = Supports
		}
		return []Evaluation{e}
	}
	for name, row := range map[string]struct {
		softer, amended Severity
		said            []Evaluation
		want            Severity
	}{
		"it stands by it":                    {"", "", nil, P1},
		"it amended it":                      {"", P2, nil, P2},
		"lowered in words":                   {P3, "", nil, P1},
		"lowered, and nobody cites lines":    {P3, "", says("gpt", ClassAgree, false), P1},
		"lowered, and another cites lines":   {P3, "", says("gpt", ClassAgree, true), P3},
		"lowered, and another one objects":   {P3, "", says("gpt", ClassReject, true), P1},
		"lowered, and the owner cites lines": {P3, "", says("claude", ClassAgree, true), P1},
		"lines for what was not lowered":     {"", P2, says("gpt", ClassAgree, true), P2},
	} {
		t.Run(name, func(t *testing.T) {
			c := Claim{Owner: "claude", Asserted: P1, AmendedTo: row.amended, Softer: row.softer, Evaluations: row.said}
			if got := c.stated(); got != row.want {
				t.Errorf("it is %s, want %s", got, row.want)
			}
		})
	}
}

// TestOutOfScope: a claim is out of scope if it cites something, nothing of it is about
// the change, and it names no changed file (R132).
func TestOutOfScope(t *testing.T) {
	t.Parallel()
	split := SplitDone{
		Segments: []Segment{{ID: "S1", Path: "pkg/a.go"}, {ID: "S2", Path: BodyPath}, {ID: "S3", Path: "vendor/v.go"}},
		Coverage: []Coverage{{Path: "pkg/a.go"}, {Path: "vendor/v.go", Excluded: Vendored}, {Path: "half.go", Excluded: Generated}, {Path: "half.go"}},
	}
	cites := func(path string, inHunk bool) []Evidence {
		return []Evidence{{CitationOK: true, InHunk: inHunk, Cite: Citation{Path: path}}}
	}
	far := cites("pkg/b.go", false)
	for name, row := range map[string]struct {
		evidence []Evidence
		title    string
		inquiry  *Inquiry
		want     bool
	}{
		"it cites nothing":                             {nil, "it leaks", nil, false},
		"its lines are not there":                      {[]Evidence{{Cite: Citation{Path: "pkg/b.go"}}}, "it leaks", nil, false},
		"lines of the change":                          {cites("pkg/a.go", true), "it leaks", nil, false},
		"lines that did not change":                    {far, "it leaks", nil, true},
		"lines that did not change, and some that did": {append(cites("pkg/a.go", true), far...), "it leaks", nil, false},
		"the text of the pull request":                 {cites(BodyPath, false), "it leaks", nil, false},
		"a check that failed":                          {[]Evidence{ofRun("check:1", Citation{Path: "pkg/b.go"})}, "it leaks", nil, false},
		"lines of a path that policy leaves out":       {cites("vendor/v.go", true), "it leaks", nil, true},
		"a path of which one part is left out":         {cites("half.go", true), "it leaks", nil, false},
		"a path that the ledger does not list":         {cites("new.go", true), "it leaks", nil, false},
		"a question shows all":                         {far, "it leaks", &Inquiry{}, false},
		"it names a changed file":                      {far, "pkg/a.go calls it", nil, false},
		"it names a changed file without directory":    {far, "a.go calls it", nil, false},
		"it names a file that policy leaves out":       {far, "vendor/v.go calls it", nil, true},
		"it names the text of the pull request":        {far, BodyPath + " says so", nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := State{Received: Received{Inquiry: row.inquiry}, Split: split}
			if got := s.outOfScope(Claim{Title: row.title, Evidence: row.evidence}); got != row.want {
				t.Errorf("it is out of scope: %v, want %v", got, row.want)
			}
		})
	}
}

// TestMentions: a text names a file where the name is no part of a longer one.
func TestMentions(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]bool{
		"a.go":                       true,
		"see a.go for it":            true,
		"it is in a.go.":             true,
		"it is in a.go. Then it":     true,
		"(a.go)":                     true,
		"pkg/a.go":                   true,
		"the other file":             false,
		"":                           false,
		"data.go":                    false,
		"1a.go":                      false,
		"_a.go":                      false,
		"-a.go":                      false,
		".a.go":                      false,
		"a.gob":                      false,
		"a.go2":                      false,
		"a.go_old":                   false,
		"a.go-old":                   false,
		"a.go.tmpl":                  false,
		"äa.go":                      false,
		"data.go, and a.go":          true,
		"a.go.tmpl makes data.go":    false,
		"a.go.tmpl is made of a.go.": true,
	} {
		if got := mentions(words, "a.go"); got != want {
			t.Errorf("%q names it: %v, want %v", words, got, want)
		}
	}
	if mentions(strings.Repeat("x", 9), "") {
		t.Error("no name is named")
	}
}
