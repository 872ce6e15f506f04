// Package check has the parts that all kinds of the critic's rules share: the changed file as a
// rule reads it, and the findings that a rule reports. It knows no rule of any kind.
package check

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// ruleNotRead reports a file that its checks could not read: a file without checks must not pass
// for clean.
const ruleNotRead = "critic/not-read"

// OwnRules are the rules of no family.
var OwnRules = []Rule{{ID: ruleNotRead, Source: "own", Title: "Some checks could not read the file", Notice: true}}

// Findings collects what the checks report.
type Findings struct {
	Rules   map[string]Rule
	Hits    []debate.Hit
	Notices []debate.Notice
	Omitted int // hits beyond a file's bound, counted but not reported

	most int // of each severity, 0 for no bound, see Limited
	by   map[debate.Severity]int
}

// Hit reports a finding of a rule. Severity, category and title come from the rule unless the hit
// sets its own. Only added lines are reported.
func (o *Findings) Hit(f *File, rule string, first, last int, h debate.Hit) {
	cite, ok := f.cite(first, last)
	if !ok {
		return
	}
	r, known := o.Rules[rule]
	if !known {
		panic("critic: undocumented rule " + rule)
	}
	h.Rule, h.Cite = rule, cite
	h.Severity, h.Category, h.Title = cmp.Or(h.Severity, r.Severity), cmp.Or(h.Category, r.Category), cmp.Or(h.Title, r.Title)
	if o.most > 0 && o.by[h.Severity] == o.most {
		o.Omitted++
		return
	}
	o.by[h.Severity]++
	o.Hits = append(o.Hits, h)
}

// Limited keeps at most so many hits of a check, the most severe ones, and counts the others. A
// flood of harmless hits cannot hide a severe one.
func (o *Findings) Limited(most int, check func()) {
	from := len(o.Hits)
	o.most, o.by = most, make(map[debate.Severity]int)
	check()
	o.most = 0
	found := o.Hits[from:]
	slices.SortStableFunc(found, func(a, b debate.Hit) int { return cmp.Compare(a.Severity, b.Severity) })
	o.Hits = o.Hits[:from+min(most, len(found))]
	o.Omitted += max(len(found)-most, 0)
}

// Notice reports a fact about a file, at a head line or at 0 for the whole file.
func (o *Findings) Notice(f *File, rule string, line int, text string) {
	if !o.Rules[rule].Notice {
		panic("critic: undocumented notice " + rule)
	}
	o.Notices = append(o.Notices, debate.Notice{Rule: rule, Path: f.NewPath, Line: line, Text: text})
}

// NotRead reports a file as unread by the checks of a family.
func (o *Findings) NotRead(f *File, family string) {
	why := "it is too large or nested too deeply"
	if f.Head() == nil {
		why = "only a part of it is at hand"
	}
	notice := debate.Notice{Rule: ruleNotRead, Path: f.NewPath, Text: "The " + family + " checks did not read this file: " + why + "."}
	if last := o.Notices[max(len(o.Notices)-1, 0):]; slices.Contains(last, notice) {
		return // already reported for another script of the file
	}
	o.Notice(f, ruleNotRead, 0, notice.Text)
}

// NewFindings returns an empty collection for these rules.
func NewFindings(rules []Rule) *Findings {
	out := &Findings{Rules: make(map[string]Rule), by: make(map[debate.Severity]int)}
	for _, r := range rules {
		out.Rules[r.ID] = r
	}
	return out
}

// Rule documents one thing the critic looks for.
type Rule struct {
	ID       string // family/name, never changes
	Source   string // the library or the authority behind the rule
	Title    string // one line, as shown in the documentation
	Severity debate.Severity
	Category string
	Notice   bool // reports a notice, never a finding
}

// Kind is one kind of rule: its rules, and how it reads the changed files.
type Kind struct {
	Rules  []Rule
	Review func(files []*File, out *Findings)
}

// Each reviews the matching files one by one.
func Each(match func(f *File) bool, review func(f *File, out *Findings)) func(files []*File, out *Findings) {
	return func(files []*File, out *Findings) {
		for _, f := range lists.Keep(files, match) {
			review(f, out)
		}
	}
}
