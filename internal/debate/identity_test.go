package debate

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/lists"
)

// TestLinkedHash: a decision is bound to the text that it is about, and to no other: what
// its triggers name and its claims cite, or the whole change.
func TestLinkedHash(t *testing.T) {
	t.Parallel()
	split := inTwoChunks()
	split.Segments = append(split.Segments, Segment{ID: "S3", Path: "a.go", Side: Right, StartLine: 20, EndLine: 29, TextHash: "c"})
	split.Segments[0].BaseStart, split.Segments[0].BaseEnd = 40, 45
	split.Segments[0].TextHash, split.Segments[1].TextHash = "a", "b"
	book := Book{Claims: []Claim{
		{ID: "F1", Evidence: shownAt("a.go", 3)}, {ID: "F2", SameAs: "F1", Evidence: shownAt("b.go", 3)}, {ID: "F3"}, {ID: "F4", Evidence: shownAt("no.go", 3)},
	}}
	at := func(id string, trigger Trigger) Decision { return Decision{ID: id, Triggers: []Trigger{trigger}} }
	of := func(claims ...string) Decision { return Decision{ID: "D1", Claims: claims} }
	grouped := func(d Decision, question string) Decision { d.Grouped = []string{question}; return d }
	for name, row := range map[string]struct {
		d     Decision
		bound string // the segments whose text it is bound to; with "*" also to the change as a whole
	}{
		"a line of a file":                         {at("D0", Trigger{Source: FromPolicy, Path: "a.go", Side: Right, Line: 3}), "S1"},
		"another line of it":                       {at("D0", Trigger{Source: FromPolicy, Path: "a.go", Side: Right, Line: 25}), "S3"},
		"a file":                                   {at("D0", Trigger{Source: FromPolicy, Path: "a.go"}), "S1 S3"},
		"a removed line":                           {at("D0", Trigger{Source: FromPolicy, Path: "a.go", Side: Left, Line: 3}), "S1 S3"},
		"a removed line beside an added one":       {at("D0", Trigger{Source: FromPolicy, Path: "a.go", Side: Left, Line: 42}), "S1"},
		"a line in no part of it":                  {at("D0", Trigger{Source: FromPolicy, Path: "a.go", Side: Right, Line: 15}), "S1 S3"},
		"a policy about the whole":                 {at("D0", Trigger{Source: FromPolicy}), "S1 S2 S3 *"},
		"how the debate about it went":             {at("D0", Trigger{Source: FromProcedure}), "S1 S2 S3 *"},
		"how the debate went, of another decision": {Decision{ID: "D1", Triggers: []Trigger{{Source: FromProcedure}}, Claims: []string{"F1"}}, "S1"},
		"a party about no file, and a claim":       {Decision{ID: "D0", Triggers: []Trigger{{Source: FromParty}}, Claims: []string{"F1"}}, "S1"},
		"a claim":                                  {of("F1"), "S1"},
		"a claim that is part of another one":      {of("F2"), "S1"},
		"a claim that cites nothing":               {of("F3"), "S1 S2 S3 *"},
		"a claim that is not there":                {of("F9"), "S1 S2 S3 *"},
		"a claim about no part":                    {of("F4"), "S1 S2 S3 *"},
		"a claim, with another question":           {grouped(of("F1"), "which queue?"), "S1"},
	} {
		t.Run(name, func(t *testing.T) {
			hash := func(segment, change string) string {
				s := split
				s.Segments = lists.Changed(s.Segments, func(x *Segment) {
					if x.ID == segment {
						x.TextHash += " changed"
					}
				})
				return (&State{Split: s, Book: book, Snapshot: Snapshotted{Hash: change}}).linkedHash(row.d)
			}
			was, bound := hash("", "h1"), ""
			for _, id := range []string{"S1", "S2", "S3"} {
				if hash(id, "h1") != was {
					bound += id + " "
				}
			}
			if hash("", "h2") != was {
				bound += "* "
			}
			if bound != row.bound+" " {
				t.Errorf("it is bound to %q, want %q", bound, row.bound)
			}
		})
	}
	s := &State{Split: split, Book: book}
	if s.linkedHash(of("F1")) == s.linkedHash(grouped(of("F1"), "which queue?")) {
		t.Error("another question is asked, and it is the same")
	}
}

// TestIDs: a finding has one id in every session about a pull request. A new one has the next
// number, the one that its text had before, or the one of the finding that it carries on.
func TestIDs(t *testing.T) {
	t.Parallel()
	leak, loop, typo := defect(P2, "it leaks", 3), defect(P2, "it never ends", 5), defect(P3, "typo", 7)
	for i, c := range []*NewClaim{&leak, &loop, &typo} {
		c.Refs[0].Quote = []string{"one", "two", "three"}[i]
	}
	at := func(c NewClaim) Citation { return c.Refs[0].Citation }
	text := func(c NewClaim) string { return Key(Claim{Evidence: []Evidence{{Cite: at(c)}}}) }
	for name, row := range map[string]struct {
		before Previous
		want   string // of the three, in the order of raising
	}{
		"a first review":                  {Previous{}, "F1 F2 F3"},
		"after others":                    {Previous{Heads: 1, NextF: 7}, "F7 F8 F9"},
		"one that was there before":       {Previous{Heads: 1, NextF: 7, Names: []Named{{F: "F4", Text: text(loop)}}}, "F7 F4 F8"},
		"several on one text":             {Previous{Heads: 1, NextF: 7, Names: []Named{{F: "F4", Text: text(loop)}, {F: "F5", Text: text(loop)}}}, "F7 F4 F8"},
		"one is carried, and raised anew": {Previous{Heads: 1, NextF: 7, Findings: []Carried{{ID: "F2", Title: "old", Present: true, Cite: at(typo)}}}, "F2 F7 F8 F9"},
		"the number was not counted":      {Previous{Heads: 1, Findings: []Carried{{ID: "F9", Title: "old", Cite: Citation{Path: "c.go"}}}}, "F10 F11 F12"},
	} {
		t.Run(name, func(t *testing.T) {
			x := waiting()
			x.first.Previous = row.before
			x.say("OPEN/0/claude", proposing(leak, loop, typo))
			s := x.run(t).end()
			if got := strings.Join(lists.Map(s.Book.Claims, func(c Claim) string { return c.ID }), " "); got != row.want {
				t.Errorf("%s, want %s", got, row.want)
			}
		})
	}
}

// TestIDOfAnEngineFinding: what the critic finds again is the finding that a dispute settled.
func TestIDOfAnEngineFinding(t *testing.T) {
	t.Parallel()
	hit := CheckedHit{Hit: Hit{Rule: "test/hit", Severity: P2, Title: "a key", Cite: Citation{Path: "a.go", Side: Right, StartLine: 3, EndLine: 3, Quote: "key"}}, CitationOK: true}
	text := Key(Claim{Evidence: []Evidence{{Cite: hit.Cite}}})
	s := State{Received: Received{Previous: Previous{NextF: 6, Names: []Named{{F: "F4", Text: text}}, Findings: []Carried{{ID: "F4", Owner: EngineParty, Present: true, Final: true, Cite: hit.Cite}}}}}
	b := (&reducer{State: &s, step: &Step{}})
	b.critiqued(Critiqued{Hits: []CheckedHit{hit}})
	s.Carried = b.carry()
	if c := s.Book.Claims; len(c) != 1 || c[0].ID != "F4" || c[0].Carried != "F4" || !c[0].Final || s.Carried[0].Claim != "F4" {
		t.Errorf("%+v, carried %+v", c, s.Carried)
	}
}

// TestIdentity: our own questions are found again however they are put, and a question of a
// party however it is spaced.
func TestIdentity(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		DispositionQuestion:           mergeIdentity,
		addressQuestion + "It  leaks": "shall the change address this before it is merged: it leaks",
		"Which   Queue?":              "which queue?",
		"Why: " + DispositionQuestion: "why: may this change be merged as proposed?",
	} {
		if got := identity(question); got != want {
			t.Errorf("%q is %q, want %q", question, got, want)
		}
	}
}
