package debate

import "testing"

// TestLinkedHash: a decision is bound to the text that it is about, and to no other: what
// its triggers name and its claims cite, or the whole change (S08).
func TestLinkedHash(t *testing.T) {
	t.Parallel()
	split := inTwoChunks()
	split.Segments = append(split.Segments, Segment{ID: "S3", Path: "a.go", Side: Right, StartLine: 20, EndLine: 29, TextHash: "c"})
	split.Segments[0].TextHash, split.Segments[1].TextHash = "a", "b"
	book := Book{Claims: []Claim{
		{ID: "C1", Evidence: shownAt("a.go", 3)}, {ID: "C2", SameAs: "C1", Evidence: shownAt("b.go", 3)}, {ID: "C3"}, {ID: "C4", Evidence: shownAt("no.go", 3)},
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
		"a line in no part of it":                  {at("D0", Trigger{Source: FromPolicy, Path: "a.go", Side: Right, Line: 15}), "S1 S3"},
		"a policy about the whole":                 {at("D0", Trigger{Source: FromPolicy}), "S1 S2 S3 *"},
		"how the debate about it went":             {at("D0", Trigger{Source: FromProcedure}), "S1 S2 S3 *"},
		"how the debate went, of another decision": {Decision{ID: "D1", Triggers: []Trigger{{Source: FromProcedure}}, Claims: []string{"C1"}}, "S1"},
		"a party about no file, and a claim":       {Decision{ID: "D0", Triggers: []Trigger{{Source: FromParty}}, Claims: []string{"C1"}}, "S1"},
		"a claim":                                  {of("C1"), "S1"},
		"a claim that is part of another one":      {of("C2"), "S1"},
		"a claim that cites nothing":               {of("C3"), "S1 S2 S3 *"},
		"a claim that is not there":                {of("C9"), "S1 S2 S3 *"},
		"a claim about no part":                    {of("C4"), "S1 S2 S3 *"},
		"a claim, with another question":           {grouped(of("C1"), "which queue?"), "S1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hash := func(segment, change string) string {
				s := split
				s.Segments = changed(s.Segments, func(x *Segment) {
					if x.ID == segment {
						x.TextHash += " changed"
					}
				})
				return s.linkedHash(row.d, &book, change)
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
	if split.linkedHash(of("C1"), &book, "") == split.linkedHash(grouped(of("C1"), "which queue?"), &book, "") {
		t.Error("another question is asked, and it is the same")
	}
}

// TestIdentity: our own questions are found again however they are put, and a question of a
// party however it is spaced.
func TestIdentity(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		DispositionQuestion:           mergeIdentity,
		addressQuestion + "It  leaks": addressIdentity + "it leaks",
		"Which   Queue?":              "which queue?",
		"Why: " + DispositionQuestion: "why: may this change be merged as proposed?",
	} {
		if got := identity(question); got != want {
			t.Errorf("%q is %q, want %q", question, got, want)
		}
	}
}
