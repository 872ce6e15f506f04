package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// A review that GitHub refuses as a whole because of some of its comments loses no
// finding: what no line carries stands in the summary (R18).
func TestFindingsThatNoLineTakesStandInTheSummary(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"] = parties(t, "bugs", "bugs") + "limits: {max_claims: 50}\npublish: {max_inline: 60}\n"
	change := map[string]string{}
	for i := range 6 {
		var text strings.Builder
		fmt.Fprintf(&text, "package app\n")
		for n := range 8 {
			fmt.Fprintf(&text, "\nvar v%d%d = %d // BUG: number %d%d is wrong\n", i, n, n, i, n)
		}
		change[fmt.Sprintf("part%d.go", i)] = text.String()
	}
	p := h.open("ada", change)
	h.server.Fault(func(_ int, r *http.Request) ghtest.Fault {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/reviews") {
			body, _ := io.ReadAll(r.Body)
			if bytes.Contains(body, []byte("number 33 is wrong")) {
				return ghtest.Fault{Status: http.StatusUnprocessableEntity, Message: "Unprocessable Entity"}
			}
		}
		return ghtest.Fault{}
	})
	o := h.on(p, "opened").good(t)
	if o.writes > 14 {
		t.Errorf("%d writes:\n%s", o.writes, requests(o.changes))
	}
	var all strings.Builder
	for _, c := range p.Inline() {
		all.WriteString(c.Body())
	}
	if len(p.Inline()) < 40 {
		t.Errorf("only %d inline comments", len(p.Inline()))
	}
	all.WriteString(summaries(p)[0])
	wantText(t, "summary", summaries(p)[0], "The cited line owns to a bug: number 33 is wrong.") // in full
	for i := range 6 {
		for n := range 8 {
			if !strings.Contains(all.String(), fmt.Sprintf("number %d%d is wrong", i, n)) {
				t.Errorf("finding %d%d is nowhere to be seen", i, n)
			}
		}
	}
	h.server.Fault(nil)
	if again := h.on(p, "synchronize").good(t); again.writes > 0 {
		t.Errorf("again: %s", requests(again.changes))
	}
}

// What two runs at the same time posted twice, the next run heals (R22).
func TestDuplicatesAreHealedByTheNextRun(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": divides})
	twin := p.Comment(ghtest.ActionsBot, summaries(p)[0])
	h.push(p, map[string]string{"more.go": "package app\n"}).good(t)
	wantText(t, "the second summary", twin.Body(), "posted twice by mistake")
	h.idle(h.on(p, "synchronize"), "writes after that")
}

// What a finding suggests can be taken over with one click where it stands for the
// cited lines, but not in a file that policy names: there it is text.
func TestASuggestionIsOfferedWhereItMayBe(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.inputs["operator-config"] = parties(t, "bugs", "bugs")
	p := h.open("ada", map[string]string{
		"ratio.go":                    "package app\n\nvar a = 1 // BUG: one is wrong -> var a = 2\n\nvar b = 1 // BUG: so is this -> @acme/owners ```\n",
		"db/migrations/0002_b.up.sql": "DROP TABLE a; -- BUG: it is lost -> ALTER TABLE a RENAME TO b;\n",
	})
	h.on(p, "opened").good(t)
	const offer, text = "Suggested change (not tested):\n\n```suggestion\n", "<summary>Suggested change (not tested)<"
	seen := 0
	for _, c := range p.Inline() {
		body := c.Body()
		switch {
		case strings.Contains(body, "one is wrong"):
			wantText(t, "a suggestion", body, offer+"var a = 2\n```\n")
			want(t, "a suggestion also stands as text", strings.Contains(body, text), false)
		case strings.Contains(body, "so is this"), strings.Contains(body, "it is lost"):
			want(t, "a suggestion is offered", strings.Contains(body, "```suggestion"), false)
			wantText(t, "a suggestion that is only text", body, text)
		default:
			continue
		}
		seen++
	}
	want(t, "findings with a suggestion", seen, 3)
	if again := h.on(p, "synchronize").good(t); again.writes > 0 {
		t.Errorf("again: %s", requests(again.changes))
	}
}

// A thread that a person answered or resolved is left alone, whatever becomes of
// its finding.
func TestAThreadThatAPersonAnsweredIsLeftAlone(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": "package app\n\nvar a = 1 // BUG: one is wrong\n\nvar b = 2 // BUG: two is off\n\nvar c = 3 // BUG: three is much\n"}, "operator-config", parties(t, "bugs", "bugs"))
	all := p.Inline()
	all[0].Reply("olive", "I see.")
	all[1].Resolve("ada")
	before := []string{all[0].Body(), all[1].Body()}
	h.push(p, map[string]string{"ratio.go": "package app\n\nvar all = 6\n"}).good(t)
	want(t, "the thread with an answer", all[0].Body(), before[0])
	want(t, "the resolved thread", all[1].Body(), before[1])
	wantText(t, "the other thread", all[2].Body(), "No longer there")
	want(t, "check", h.check(p.Head()), "success")
}

// What the critic found stands once on the next head, under the name that it had,
// wherever its line is by then.
func TestTheCriticsFindingStandsOnceOnTheNextHead(t *testing.T) {
	t.Parallel()
	for _, models := range []bool{true, false} {
		h := host(t)
		if !models {
			delete(h.inputs, "operator-config")
		}
		p := h.open("ada", map[string]string{"db/migrations/0002_b.up.sql": "DROP TABLE a;\n"})
		h.on(p, "opened").good(t)
		about := func() (n int) {
			for _, c := range p.Inline() {
				n += strings.Count(c.Body(), " · Migration drops table a") // its title, not the prompt in its fold
			}
			return n
		}
		want(t, "comments about it", about(), 1)
		h.push(p, map[string]string{"db/migrations/0002_b.up.sql": "-- no longer used\n\nDROP TABLE a;\n"}).good(t)
		want(t, "comments about it after the push", about(), 1)
		summary := unhidden(summaries(p)[0])
		want(t, "findings in the summary", strings.Count(summary, "| **P1** F1 |"), 1)
		want(t, "P1 findings in the summary", strings.Count(summary, "| **P1** "), 1)
	}
}

// Two threads never carry one F id, whatever became of the run that gave it (S11).
func TestAnFIDKeepsItsMeaning(t *testing.T) {
	t.Parallel()
	const two = "package app\n\nvar a = 1 // BUG: alpha is wrong\n\nvar z = 1\n\nvar b = 2 // BUG: beta is wrong\n"
	const later = "package app\n\nvar z = 1\n\nvar b = 2 // BUG: beta is wrong\n\nvar c = 3 // BUG: gamma is wrong\n"
	for name, lose := range map[string]func(h *hosted, p *ghtest.Pull){
		"the head moved while it was published": func(h *hosted, p *ghtest.Pull) {
			h.between(func(_ int, r *http.Request) {
				if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/reviews") {
					p.Push(h.repo.Change(p.Head(), map[string]string{"ratio.go": later}))
					h.server.Advance(10 * time.Second)
				}
			})
			h.on(p, "opened").good(t)
			h.env = map[string]string{}
			h.on(p, "synchronize").good(t)
		},
		"somebody edited the summary": func(h *hosted, p *ghtest.Pull) {
			h.on(p, "opened").good(t)
			c := p.Comments()[0]
			c.Edit("ada", c.Body()+"\nIndeed.")
			h.push(p, map[string]string{"ratio.go": later}).good(t)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.inputs["operator-config"] = parties(t, "bugs", "bugs")
			p := h.open("ada", map[string]string{"ratio.go": two})
			lose(h, p)
			all := p.Inline()
			if len(all) != 3 {
				t.Fatalf("%d inline comments", len(all))
			}
			wantText(t, "alpha", all[0].Body(), "No longer there")
			for i, f := range []string{"F2", "F3"} {
				wantText(t, f, all[i+1].Body(), "** · "+f+"\n")
			}
			h.say(p.Issue, "mona", "/debate dismiss F2 Beta is fine.")
			h.on(p, "synchronize").good(t)
			wantText(t, "the thread of what was dismissed", all[1].Body(), "No longer there")
			wantText(t, "the other thread", all[2].Body(), "** · F3\n")
		})
	}
}
