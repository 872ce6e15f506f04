package policy

import (
	"fmt"
	"regexp"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// Critical is one entry of the configuration's list of critical changes. With
// paths alone every changed file that matches is critical, with patterns alone
// every changed line that matches, with both a changed line of a matching file.
type Critical struct {
	Trigger  debate.TriggerID
	Paths    []string // doublestar globs, matched with the names at base and at head
	Patterns []string // RE2, matched with each added or removed line
}

// The limits of a configuration. The patterns run over every changed line, so
// their number and size are bounded (T57).
const (
	maxCritical      = 100
	maxPatterns      = 200 // in all entries together
	maxPatternLength = 1000
	maxGlobs         = 500 // in all entries together
)

// Rules are compiled rules of the base side. The zero value has none of the
// configuration's and all of the built-in ones.
type Rules struct {
	critical []compiled
}

type compiled struct {
	trigger  debate.TriggerID
	paths    []string
	patterns []*regexp.Regexp
}

// RuleError says which entry of the critical list cannot be used, and why.
type RuleError struct {
	Index int    // of the entry, from 0
	Value string // the trigger, glob or pattern; "" where the whole entry is wrong
	Why   string
}

func (e *RuleError) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("critical[%d]: %s", e.Index, e.Why)
	}
	return fmt.Sprintf("critical[%d]: %.100q: %s", e.Index, e.Value, e.Why)
}

// Compile checks and compiles the critical list of a configuration. An error is
// a *RuleError.
func Compile(critical []Critical) (*Rules, error) {
	rules := &Rules{}
	globs, patterns := 0, 0
	for i, c := range critical {
		globs += len(c.Paths)
		patterns += len(c.Patterns)
		switch {
		case i == maxCritical:
			return nil, &RuleError{i, "", fmt.Sprintf("more than %d entries", maxCritical)}
		case globs > maxGlobs:
			return nil, &RuleError{i, "", fmt.Sprintf("more than %d paths in all", maxGlobs)}
		case patterns > maxPatterns:
			return nil, &RuleError{i, "", fmt.Sprintf("more than %d patterns in all", maxPatterns)}
		case !knownTriggers[c.Trigger]:
			return nil, &RuleError{i, string(c.Trigger), "not a trigger that a configuration can set"}
		case len(c.Paths) == 0 && len(c.Patterns) == 0:
			return nil, &RuleError{i, "", "needs paths, patterns or both"}
		}
		rule := compiled{trigger: c.Trigger}
		for _, glob := range c.Paths {
			if len(glob) > maxPatternLength {
				return nil, &RuleError{i, glob, fmt.Sprintf("longer than %d bytes", maxPatternLength)}
			}
			if glob == "" || !doublestar.ValidatePattern(glob) {
				return nil, &RuleError{i, glob, "not a valid glob"}
			}
			rule.paths = append(rule.paths, glob)
		}
		for _, pattern := range c.Patterns {
			if len(pattern) > maxPatternLength {
				return nil, &RuleError{i, pattern, fmt.Sprintf("longer than %d bytes", maxPatternLength)}
			}
			re, err := regexp.Compile(pattern)
			if err != nil {
				return nil, &RuleError{i, pattern, err.Error()}
			}
			rule.patterns = append(rule.patterns, re)
		}
		rules.critical = append(rules.critical, rule)
	}
	return rules, nil
}

var knownTriggers = map[debate.TriggerID]bool{
	debate.TriggerArchitecture:      true,
	debate.TriggerDeploy:            true,
	debate.TriggerSecurity:          true,
	debate.TriggerDestructiveSchema: true,
	debate.TriggerMoney:             true,
	debate.TriggerGovernance:        true,
	debate.TriggerIrreversible:      true,
}

// match returns the trigger that a configured rule sees in a file.
func (c *compiled) match(f *patch.File) (debate.Trigger, bool) {
	t := debate.Trigger{ID: c.trigger, Class: debate.ClassConfigured, Path: f.Path()}
	if len(c.paths) > 0 && !c.matchesPath(f) {
		return t, false
	}
	if len(c.patterns) == 0 {
		t.Detail = "matches a critical path of the configuration"
		return t, true
	}
	if len(c.paths) > 0 && f.Unparsed != "" {
		t.Detail = "matches a critical path of the configuration, and its lines cannot be read"
		return t, true
	}
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			if l.Op != ' ' && c.matchesLine(l.Text) {
				t.Side, t.Line = position(l)
				t.Detail = "matches a critical pattern of the configuration"
				return t, true
			}
		}
	}
	return t, false
}

// matchesPath matches either name of a file: moving it away is a change too.
func (c *compiled) matchesPath(f *patch.File) bool {
	for _, name := range names(f) {
		for _, glob := range c.paths {
			if doublestar.MatchUnvalidated(glob, name) {
				return true
			}
		}
	}
	return false
}

func (c *compiled) matchesLine(text string) bool {
	for _, re := range c.patterns {
		if re.MatchString(text) {
			return true
		}
	}
	return false
}

// names lists the names of a file, the head's first.
func names(f *patch.File) []string {
	switch {
	case f.NewPath == "":
		return []string{f.OldPath}
	case f.OldPath == "" || f.OldPath == f.NewPath:
		return []string{f.NewPath}
	}
	return []string{f.NewPath, f.OldPath}
}

// position is where a changed line stands.
func position(l patch.Line) (debate.Side, int) {
	if l.Op == '-' {
		return debate.Left, l.Old
	}
	return debate.Right, l.New
}
