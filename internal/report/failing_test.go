package report_test

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/html"
	"github.com/prdebate/debate/internal/report/sarif"
	"github.com/prdebate/debate/internal/report/terminal"
	"github.com/prdebate/debate/internal/testkit/debatetest"
)

// Every format reports every debate, whichever kind of call fails in it.
func TestReportsOfFailingCalls(t *testing.T) {
	t.Parallel()
	characters := debatetest.Characters()
	kinds := map[debate.CallKind]int{}
	unscored := 0
	for seed := range uint64(60) {
		for _, kind := range []debate.CallKind{"", debate.CallOpen, debate.CallChallenge, debate.CallRespond, debate.CallRebut, debate.CallScore, debate.CallArbiter} {
			w := debatetest.Table(1 + int(seed%3))
			cast := make(map[string]debatetest.Party)
			for i, p := range w.Parties {
				speaks := characters[(int(seed)+7*i)%len(characters)].Party(seed)
				cast[p.ID] = failing(kind, kinds, speaks)
			}
			s, _, err := debatetest.Play(w, cast, debatetest.Forward)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range s.Agenda.Decisions {
				if d.Rubric != nil && len(d.Rubric.Combined) == 0 {
					unscored++
				}
			}
			reported(t, report.FromState(s))
		}
	}
	if unscored == 0 || kinds[debate.CallScore] == 0 {
		t.Errorf("%d decisions without a sheet that counts, failed calls %v", unscored, kinds)
	}
}

// failing fails every call of a kind and counts them.
func failing(kind debate.CallKind, count map[debate.CallKind]int, party debatetest.Party) debatetest.Party {
	return func(s debate.State, ask debate.Ask) debate.Replied {
		if ask.Kind == kind {
			count[kind]++
			return debatetest.Fail(debate.CallError)
		}
		return party(s, ask)
	}
}

// reported renders an envelope in every format.
func reported(t *testing.T, e report.Envelope) {
	t.Helper()
	page, err := html.Render(e)
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(page)), "</html>") {
		t.Fatalf("html: %d bytes, %v", len(page), err)
	}
	if _, err := report.JSON(e); err != nil {
		t.Fatalf("json: %v", err)
	}
	if _, err := sarif.Render(e, sampleRules, "1.2.3"); err != nil {
		t.Fatalf("sarif: %v", err)
	}
	if len(report.Markdown(e)) == 0 || len(terminal.Text(e, terminal.Options{Width: 80})) == 0 {
		t.Fatal("an empty report")
	}
}
