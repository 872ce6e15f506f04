package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// partly is a debate that ended in keep, of whose five files two and a part of a
// third were beyond the budget, and one is binary.
func partly() debate.State {
	s := agreeing()
	s.Table.SameFamily = false
	s.Ending.Disposition = debate.Keep
	both := []string{"gpt", "gemini"}
	s.Split.Totals.Files = 5
	s.Split.Coverage = []debate.Coverage{
		{ID: "H1", Path: "a.go", By: both}, {ID: "H2", Path: "b.go", By: both},
		{ID: "H3", Path: "b.go", Excluded: debate.OutOfBudget, Detail: "more than 14 parts"},
		{ID: "H4", Path: "c.go", Excluded: debate.OutOfBudget, Detail: "more than 14 parts"},
		{ID: "H5", Path: "d.go", By: []string{debate.EngineParty}},
		{ID: "H6", Path: "logo.png", Excluded: debate.Media},
		{ID: "H7", Path: debate.BodyPath, Excluded: debate.TooLarge},
	}
	return s
}

// TestPartialCoverage checks that nothing that no model reviewed is called fit to
// merge, and that the embedded critic is not said to have missed what it
// read.
func TestPartialCoverage(t *testing.T) {
	for d, verdict := range map[debate.Disposition]string{debate.Keep: "only 2 of 5 files were reviewed in full", debate.Revise: "changes needed"} {
		unread := map[debate.Disposition]string{debate.Keep: "The rest: ", debate.Revise: "Only 2 of 5 files were reviewed in full: "}[d]
		s := partly()
		s.Ending.Disposition = d
		e := FromState(s)
		if Headline(e) != verdict {
			t.Errorf("%s: the verdict is %q", d, Headline(e))
		}
		if says := unread + "out of budget (more than 14 parts); not reviewed by two models."; !strings.HasPrefix(e.Summary, says) {
			t.Errorf("%s: it goes on with %q", d, e.Summary)
		}
		for _, part := range []string{"b.go: out of budget (more than 14 parts)", "d.go: not reviewed by two models"} {
			if strings.Count(string(Text(e, TextOptions{Width: 200, Verbose: true})), part) != 1 || strings.Count(string(Markdown(e)), part) != 1 {
				t.Errorf("%s: %q does not stand there once", d, part)
			}
		}
	}
	s := partly()
	s.Ending.Disposition, s.Split.Coverage = debate.Keep, s.Split.Coverage[:2]
	if e := FromState(s); Headline(e) != "ready to merge, 1 remark" || strings.Contains(e.Summary, "nly ") {
		t.Errorf("of a change that was reviewed whole: %q, %q", Headline(e), e.Summary)
	}
	excused := s
	excused.Split.Coverage = append(slices.Clone(s.Split.Coverage), debate.Coverage{ID: "H3", Path: "logo.png", Excluded: debate.Media},
		debate.Coverage{ID: "H4", Path: "run.sh", Excluded: debate.NoContent, Detail: "mode 100644 to 100755", By: s.Split.Coverage[0].By})
	e := FromState(excused)
	if got := e.Summary; !strings.HasPrefix(got, "Not read: logo.png (not shown to models).") || !strings.Contains(got, " read the rest") || len(e.Stats.NotReviewed) != 1 {
		t.Errorf("beside a picture: %s %v", got, e.Stats.NotReviewed)
	}
	s.Split.Coverage = append(s.Split.Coverage, debate.Coverage{ID: "H7", Path: debate.BodyPath, Excluded: debate.TooLarge})
	if e := FromState(s); Headline(e) != "only a part of the change was reviewed" {
		t.Errorf("where the text alone was not read: %q", Headline(e))
	}
}

// TestExcusedFiles: no surface says that all was read if a file was excused. Each names it
// with its changed lines.
func TestExcusedFiles(t *testing.T) {
	t.Parallel()
	s := partly()
	s.Split.Totals.Files, s.Split.Coverage = 9, s.Split.Coverage[:2]
	for i, name := range []string{"c.pb.go", "c.pb.go", "go.sum", "d.js", "e.js", "f.js", "g.js", "h.js"} {
		why := debate.Generated
		if i == 3 {
			why = debate.OnlyRenamed
		}
		s.Split.Coverage = append(s.Split.Coverage, debate.Coverage{Path: name, Excluded: why, Detail: "x", Additions: i, Deletions: 1})
	}
	e := FromState(s)
	const files = "Not read: c.pb.go (generated, 3 lines), go.sum (generated, 3 lines), d.js (only renamed, 4 lines) and 4 more"
	if got, want := e.Summary, files+". 1 finding confirmed. gpt and gpt's second run read the rest and would merge it as it is."; got != want {
		t.Errorf("it says %q, not %q", got, want)
	}
	data, err := JSON(e)
	if err != nil {
		t.Fatal(err)
	}
	for name, shown := range map[string]string{"text": string(Text(e, TextOptions{Width: 1000})), "comment": string(Markdown(e)), "JSON": string(data)} {
		if !strings.Contains(shown, "c.pb.go") || !strings.Contains(shown, "3 lines") || strings.Contains(shown, "all read") || strings.Contains(shown, "the whole change") {
			t.Errorf("%s:\n%s", name, shown)
		}
	}
}

// TestNothingWasRead: of a change of which nobody could read a line, nobody is said to have
// found nothing in it, or to have read a part.
func TestNothingWasRead(t *testing.T) {
	t.Parallel()
	unreadable := []debate.Coverage{{ID: "H1", Path: "x.py", Excluded: debate.Unreadable}, {ID: "H2", Path: "b.bin", Excluded: debate.Binary}, {ID: "H3", Path: "c.md", Excluded: debate.NoContent, By: []string{"gpt", "gemini"}}}
	s := partly()
	s.Book.Claims, s.Split.Coverage, s.Split.Totals.Files = nil, unreadable, 3
	e := FromState(s)
	if got, want := Headline(e), "no line of the change was read"; got != want {
		t.Errorf("the verdict is %q, not %q", got, want)
	}
	if got, want := e.Summary, "gpt and gpt's second run answered and would merge it as it is."; got != want {
		t.Errorf("it goes on with %q, not %q", got, want)
	}
	s.Ending.Outcome, s.Asking.Calls = debate.DegradedLocal, nil
	if got, want := FromState(s).Summary, "The built-in rules, which need no model, could read nothing of it."; got != want {
		t.Errorf("without a model: %q, not %q", got, want)
	}
	for _, read := range []debate.Coverage{{ID: "H4", Path: "a.go"}, {ID: "H4", Path: "a.go", Excluded: debate.OutOfBudget}, {ID: "H4", Path: "a.go", Excluded: debate.TooLarge}} {
		s.Split.Coverage = append(slices.Clone(unreadable), read)
		if got, want := FromState(s).Summary, "The built-in rules, which need no model, found nothing."; got != want {
			t.Errorf("beside what is %q: %q, not %q", read.Excluded, got, want)
		}
	}
}

// TestNotAnsweredByAll: what one of those who take part did not answer about is named,
// with who that was, and the change is not reviewed in full (M24).
func TestNotAnsweredByAll(t *testing.T) {
	s := partly()
	s.Ending.Disposition, s.Split.Coverage = debate.Keep, s.Split.Coverage[:2]
	s.Split.Coverage[1].Owed = []string{"claude"}
	e := FromState(s)
	if e.Coverage != string(debate.CoveragePartial) || e.Stats.Missed != 1 || Headline(e) != "only 4 of 5 files were reviewed in full" {
		t.Errorf("%s: %s", e.Coverage, Headline(e))
	}
	for _, shown := range []string{string(Text(e, TextOptions{Width: 200, Verbose: true})), string(Markdown(e)), strings.Join(e.Stats.Parts, "\n")} {
		if !strings.Contains(shown, "b.go: claude did not answer about it") {
			t.Errorf("it is not said who did not answer:\n%s", shown)
		}
	}
}

// TestSaidNothing checks that a model whose every call failed is not quoted.
func TestSaidNothing(t *testing.T) {
	s := debate.State{Ending: debate.Ending{Outcome: debate.DegradedLocal, OutcomeReason: debate.Why{Code: debate.WhyTold, Words: "the primary was lost"}}, Table: debate.Table{Parties: []debate.Party{{ID: "gpt", Role: debate.Primary, Status: debate.PartyAuth}}}}
	for _, status := range []debate.CallStatus{debate.CallAuth, debate.CallOK} {
		s.Asking.Calls = []debate.Call{{Ask: "OPEN/0/gpt", Kind: debate.CallOpen, Party: "gpt", Status: status}}
		e := FromState(s)
		shown := string(Text(e, TextOptions{}))
		if strings.Contains(shown, "No other model has checked the findings of gpt") != (status == debate.CallOK) {
			t.Errorf("a call that is %s:\n%s", status, shown)
		}
	}
}

// TestNoQuoteIsNoQuoteThatIsMissing: the text of a finding without a quote does not say that its quote was
// looked for.
func TestNoQuoteIsNoQuoteThatIsMissing(t *testing.T) {
	t.Parallel()
	s := agreeing()
	s.Book.Claims = []debate.Claim{{
		ID: "F1", Owner: "gpt", Severity: debate.P2, Title: "a", Body: "b", ReportedBy: []string{"gpt"}, Bucket: debate.Unresolved,
		Reason: debate.ReasonUnproved, Why: debate.Why{Code: debate.WhyNoQuote},
	}}
	const want = "no quoted line of it was found, and no other model supports it"
	if got := all(FromState(s))[0].Why; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestEachFailureIsNamed checks that the terminal and the pull request name every failed model, not
// only those in the verdict.
func TestEachFailureIsNamed(t *testing.T) {
	t.Parallel()
	failed := func(id, detail string) Party {
		return Party{ID: id, Role: string(debate.Challenger), Status: string(debate.PartyError), Detail: detail, Calls: 1, Failed: 1, Lost: true}
	}
	e := Envelope{Outcome: debate.DegradedLocal, Head: debate.HeadUnread, Parties: []Party{failed("claude", "429 of claude"), failed("gpt", "500 of gpt"), failed("gemini", "no reply in 2m")}}
	for name, shown := range map[string]string{"terminal": string(Text(e, TextOptions{Width: 200})), "pull request": string(Markdown(e))} {
		for _, want := range []string{"claude failed (429 of claude)", "gpt failed (500 of gpt)", "gemini failed (no reply in 2m)"} {
			if strings.Count(shown, want) != 1 {
				t.Errorf("%s: %q is not there once:\n%s", name, want, shown)
			}
		}
	}
}

// TestLostParty checks that the report says how to find out why a party that was
// there is gone, and says nothing of the kind of one that never was.
func TestLostParty(t *testing.T) {
	const ask = "Run debate doctor --online to see what is missing."
	if got := MissingParties(FromState(contested()), false); got != ask {
		t.Errorf("it says %q", got)
	}
	s := contested()
	s.Table.Seats = s.Table.Seats[:2]
	if got := MissingParties(FromState(s), false); strings.Contains(got, ask) {
		t.Errorf("of a party that never was there it says %q", got)
	}
}

// TestWording checks that nothing is said twice, and no bracket is empty.
func TestWording(t *testing.T) {
	s := contested()
	s.Talk.Exit, s.Talk.ExitWhy = debate.ExitConverged, debate.Why{Code: debate.WhyConverged}
	at := &s.Talk.Positions[1]
	at.Weaknesses, at.Assumptions = []string{"no test", "no test", "slow"}, []string{"one writer", "one writer"}
	s.Book.Challenges[2].Status = debate.Upheld
	s.Talk.Rounds[0].Timeouts = []string{"local", "local", "local"}
	s.Asking.Calls[1].Ignored, s.Asking.Calls[1].Dropped = 1, []string{"claims[0].severity"}
	e := FromState(s)
	text, markdown := string(Text(e, TextOptions{Width: 1000, Verbose: true})), string(Markdown(e))
	for _, shown := range []string{text, markdown} {
		for _, not := range []string{"()", "upheld", "(no objection is open", "local, local"} {
			if strings.Contains(shown, not) {
				t.Errorf("%q stands in\n%s", not, shown)
			}
		}
	}
	for _, want := range []string{
		"The end of the debate\n  no objection is open, and nothing new came up\n", "gemini  objects: \"is it reached?\"",
		"gpt sees this weakness: slow", "; 2 parts of its replies could not be read",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not stand in\n%s", want, text)
		}
	}
	if n := strings.Count(text, "gpt sees this weakness: no test"); n != 1 {
		t.Errorf("a weakness of two chunks stands there %d times", n)
	}
}
