// Package check has the parts that all kinds of the critic's rules share: the changed file as a
// rule reads it, and the findings that a rule reports. It knows no rule of any kind.
package check

import (
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

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
	Rules  func() []Rule
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
