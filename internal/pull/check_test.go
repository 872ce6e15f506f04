package pull

import (
	"fmt"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// TestNamed has a row for each name of a check.
func TestNamed(t *testing.T) {
	t.Parallel()
	p := gh.Pull{Number: 7, BaseRef: "main", HeadSHA: head1}
	id := checkID(p, "one")
	for _, row := range []struct {
		name  string
		check gh.Check
		want  string
	}{
		{"ended", gh.Check{Conclusion: debate.Success}, id},
		{"in progress", gh.Check{}, fmt.Sprintf("%s@%d", id, noon.Unix())},
		{"as another run called it", gh.Check{ExternalID: "pr-7/x"}, "pr-7/x"},
	} {
		c := &posts{pull: p, session: "one", runner: &Runner{DetailsURL: "https://ci", Now: func() time.Time { return noon }}}
		got := c.named(row.check)
		if got.ExternalID != row.want || got.Name != CheckName || got.HeadSHA != head1 || got.DetailsURL != "https://ci" {
			t.Errorf("%s: %+v, want %q", row.name, got, row.want)
		}
	}
}

// TestSaysAlready has a row for each check that is written again, or is not.
func TestSaysAlready(t *testing.T) {
	t.Parallel()
	says := gh.Check{Conclusion: debate.Success, Title: "no problems found", Summary: "summary", ExternalID: "pr-7/one"}
	as := func(change func(*gh.Check)) gh.Check {
		check := says
		change(&check)
		return check
	}
	another := as(func(c *gh.Check) { c.ExternalID = "pr-7/two" })
	rows := []struct {
		name    string
		check   gh.Check
		skipped bool
		want    bool
	}{
		{"the same", says, false, true},
		{"another title", as(func(c *gh.Check) { c.Title = "changes needed" }), false, false},
		{"another summary", as(func(c *gh.Check) { c.Summary = "text" }), false, false},
		{"another conclusion", as(func(c *gh.Check) { c.Conclusion = debate.Failure }), false, false},
		{"in progress", as(func(c *gh.Check) { c.Conclusion = "" }), false, false},
		{"of another session", another, false, false},
		{"of another session, skipped", another, true, true},
		{"another title, skipped", as(func(c *gh.Check) { c.Title = "changes needed" }), true, false},
	}
	for _, row := range rows {
		c := &posts{own: saying(gh.CheckRun{ID: 3, Name: CheckName, Mine: true}, says)}
		if got := c.saysAlready(row.check, row.skipped); got != row.want {
			t.Errorf("%s: %t", row.name, got)
		}
	}
	unended := saying(gh.CheckRun{ID: 3, Conclusion: "success", Done: true}, gh.Check{Title: "begun"})
	if unended != (gh.CheckRun{ID: 3, Title: "begun"}) {
		t.Errorf("in progress again: %+v", unended)
	}
}

// TestMute has a row for each reason not to show progress.
func TestMute(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name                  string
		unshown, denied, mute bool
	}{
		{"it may", false, false, false}, {"the last write was refused", true, false, true}, {"the token may not", false, true, true},
	} {
		c := &posts{unshown: row.unshown, denied: map[string]bool{checks: row.denied}}
		if c.mute() != row.mute {
			t.Errorf("%s: mute %t", row.name, c.mute())
		}
	}
}

// TestReach: what could not be done is said once, and first what the token may not write.
func TestReach(t *testing.T) {
	t.Parallel()
	r := &posts{denied: make(map[string]bool)}
	r.note("it is too long")
	r.note("it is too long")
	r.note("")
	if got := r.failings(); len(got) != 1 || got[0] != "it is too long" || r.unheard(Trigger{Cause: Swept}) {
		t.Errorf("%q", got)
	}
	for _, what := range []string{reactions, issues, reactions} {
		r.refused(what)
	}
	got := r.failings()
	if len(got) != 2 || got[0] != "The token of this run may not write reactions, issues (issues: write)." || got[1] != "it is too long" || !r.denied[issues] {
		t.Errorf("%q, %v", got, r.denied)
	}
	if !r.unheard(Trigger{Cause: Swept}) || r.unheard(Trigger{Cause: Said}) {
		t.Error("only a sweep that may not react is unheard")
	}
}
