package html

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// head is the subject of the page and the result.
type head struct {
	About    []string // repository, pull request, commit, date, version
	Title    string   // of the pull request
	Headline string
	Outcome  string
	Change   list // the overview, folded
	Caveats  []fact
}

// fact is a text with a fixed name.
type fact struct{ Name, Text string }

// present has the facts with a text.
func present(all ...fact) []fact {
	return lists.Keep(all, func(f fact) bool { return f.Text != "" })
}

func headOf(e report.Envelope) head {
	check, question, number, started := "", "", "", ""
	if e.Conclusion != "" && e.Inquiry == nil {
		check = report.CheckSays(e, e.Conclusion, e.ConclusionWhy)
	}
	if e.Question != nil {
		question = *e.Question
	}
	if e.About.PullRequest > 0 {
		number = fmt.Sprintf("pull request #%d", e.About.PullRequest)
	}
	if e.About.StartedAt > 0 {
		started = time.UnixMilli(e.About.StartedAt).UTC().Format("2 January 2006, 15:04 UTC")
	}
	commit := []rune(line(e.About.Head))
	h := head{
		About: report.Present(line(e.About.Repository), number, report.Wrapped("commit ", string(commit[:min(len(commit), 7)]), ""), started, line(e.Version)),
		Title: line(e.About.Title), Headline: line(report.Headline(e)), Outcome: said(e.Summary), Change: listOf(report.OverviewTitle, report.OverviewLines(e)),
		Caveats: present(fact{"Question", line(question)}, fact{"Models", line(report.MissingParties(e))}, fact{"Check", line(check)}),
	}
	notes := listOf("", e.Notes)
	if notes.More > 0 {
		notes.Items = append(notes.Items, fmt.Sprintf("and %d more", notes.More))
	}
	for _, note := range notes.Items {
		h.Caveats = append(h.Caveats, fact{"Note", note})
	}
	return h
}

// figures are the size of the change, the parts read, and the cost.
func figures(e report.Envelope) []fact {
	var changed, read, scope, cost string
	if e.Inquiry == nil && e.Stats.Files > 0 {
		changed = report.Size(e)
	}
	if report.Reviewed(e) {
		read = report.Coverage(e)
	}
	if e.About.PullRequest == 0 {
		scope = report.Scope(e)
	}
	if e.Stats.Calls > 0 {
		cost = report.Spent(e) + ", " + report.Count(e.Stats.Calls, "call")
	}
	return present(fact{"Changed", changed}, fact{"Read", read}, fact{"Scope", scope}, fact{"Cost", cost})
}

// decision is a decision with everything for a reader who did not follow the debate (R028).
type decision struct {
	Anchor     string
	Waits      bool
	Question   string
	Status     string // of a closed one
	Recommends string // the option, and its supporters
	Why        string
	Linked     string // ids of its findings
	Lists      []list
	Answer     string // how to answer an open one
}

// decisionOf is the i-th open or closed decision.
func decisionOf(e report.Envelope, d report.Decision, i int, open bool) decision {
	h := decision{Anchor: "closed-" + strconv.Itoa(i+1), Waits: open, Question: line(report.Question(d)), Recommends: line(report.Recommends(d)), Linked: line(report.Capped(d.Claims, ", "))}
	which := report.NamedIn(e, d)
	if open {
		h.Anchor = "decision-" + strconv.Itoa(i+1)
	}
	switch {
	case !open && d.Person().By != "":
		h.Status = line(report.AnswerTo(e, d))
	case !open:
	case e.Inquiry != nil:
		h.Answer = "This question was asked on the command line, so no answer is recorded: choose, and act on it."
	case e.About.PullRequest == 0:
		h.Answer = "To record your decision: debate decide RECORD " + which + "OPTION WHY"
	default:
		h.Answer = "Write /debate decide " + which + "OPTION WHY on the pull request. " + report.Clicks(d) + report.WhoAnswers
	}
	if d.Why != "" && !report.RestsOnWhy(d) {
		h.Why = "Why: " + line(d.Why)
	}
	add := func(title string, entries []string) { h.Lists = append(h.Lists, listOf(title, entries)) }
	add("Why a person decides", lists.Map(d.Triggers, func(t report.DecisionTrigger) string {
		return report.WhyAsked(d, t) + report.Wrapped(", waived by ", t.Waived, "")
	}))
	ofMerge := d.ID == "D0" && e.Inquiry == nil
	if ofMerge && report.Recommended(d) == "revise" {
		add("Asked for before it is merged", lists.Map(slices.Concat(e.P1, e.P2), report.Named))
	}
	add("Other answers", report.Dissent(e, d))
	if ofMerge {
		add("Alternatives", lists.Map(e.Alternatives, func(a report.Alternative) string { return a.Party + ": " + a.Text }))
	} else {
		add("Options", lists.Map(d.Options, func(o debate.Option) string {
			if o.Label == o.ID {
				return report.OptionLine(o)
			}
			return o.ID + ": " + report.OptionLine(o)
		}))
	}
	add("It also asks", d.Grouped)
	add("Answers of people", report.HumanLines(e, d))
	return h
}

// codeLine is a line of code.
type codeLine struct {
	Number string
	Mark   string // + or -, "" if the line did not change
	Text   string
	Class  string
}

// linesOf has the lines of the change around a finding, those of the finding marked, or else its
// quote. A quote that was not found is no code.
func linesOf(f report.Finding) []codeLine {
	var out []codeLine
	for _, l := range f.Around[:min(len(f.Around), maxListed)] {
		shown := codeLine{Number: strconv.Itoa(l.Number), Mark: line(l.Mark), Text: code(l.Text), Class: map[string]string{"+": "plus", "-": "minus"}[l.Mark]}
		if l.Hit {
			shown.Class += " hit"
		}
		out = append(out, shown)
	}
	if len(out) > 0 || f.Misquoted || f.Quote == "" {
		return out
	}
	for i, quoted := range strings.Split(code(f.Quote), "\n") {
		out = append(out, codeLine{Text: quoted})
		if f.Line > 0 {
			out[i].Number = strconv.Itoa(f.Line + i)
		}
	}
	return out
}

// talk is the conversation about a finding, bounded.
func talk(f report.Finding) []report.Line {
	return f.Conversation[:min(len(f.Conversation), maxListed)]
}

// facts has the remaining details of a finding.
func facts(f report.Finding) string {
	also := report.Capped(lists.Map(f.Also(), report.Cited.At), ", ")
	out := []string{f.Category, report.Wrapped("rule ", f.Rule, ""), report.Wrapped("also at ", also, "")}
	if f.Carried != "" {
		out = append(out, "known since an earlier commit")
	}
	if raised := cmp.Or(f.Asserted, f.Severity); raised != f.Severity {
		out = append(out, "raised as "+string(raised))
	}
	return strings.Join(report.Present(out...), "; ")
}

// look has the classes of a finding: its severity and its state.
func look(f report.Finding) string {
	class := cmp.Or(map[debate.Severity]string{debate.P1: "p1", debate.P2: "p2"}[f.Severity], "p3")
	switch {
	case f.Bucket == debate.Agreed:
		return class + " is-confirmed"
	case f.Bucket == debate.Dismissed, f.BucketReason == string(debate.ReasonKnown):
		return class + " is-gone"
	case report.NotEvaluated(f), f.Bucket == "":
		return class + " is-open"
	}
	return class + " is-disputed"
}
