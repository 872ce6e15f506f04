package policy

import (
	"regexp"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// Critical is one entry in the configuration's list of critical changes. With only paths, every
// matching changed file is critical; with only patterns, every matching changed line; with both, a
// matching line in a matching file.
type Critical struct {
	Trigger  debate.TriggerID
	Paths    []string // doublestar globs for the names at base and at head
	Patterns []string // RE2, for each added or removed line
}

// Rules are the compiled rules of the base side. The zero value has only the built-in rules.
type Rules struct {
	critical []compiled
	known    []debate.Known
	expected map[string][]string // texts of this program, by path of the file
}

type compiled struct {
	trigger  debate.TriggerID
	paths    []string
	patterns []*regexp.Regexp
}

// Compile compiles the critical list of a configuration. Package config has checked it.
func Compile(critical []Critical) (*Rules, error) {
	rules := &Rules{}
	for _, c := range critical {
		rule := compiled{trigger: c.Trigger, paths: c.Paths}
		for _, pattern := range c.Patterns {
			re, err := regexp.Compile(pattern)
			if err != nil {
				return nil, err
			}
			rule.patterns = append(rule.patterns, re)
		}
		rules.critical = append(rules.critical, rule)
	}
	return rules, nil
}

// configured returns the configuration's triggers for a file.
func (r *Rules) configured(change patch.Change, f *patch.File) []debate.Trigger {
	var list []debate.Trigger
	for _, c := range r.critical {
		if t, ok := c.match(change, f); ok {
			list = append(list, t)
		}
	}
	return list
}

// match returns the trigger of a configured rule for a file.
func (c *compiled) match(change patch.Change, f *patch.File) (debate.Trigger, bool) {
	t := debate.Trigger{ID: c.trigger, Class: debate.ClassConfigured, Path: f.Path()}
	if len(c.paths) > 0 && !slices.ContainsFunc(f.Names(), c.matchesPath) {
		return t, false
	}
	if len(c.patterns) == 0 {
		t.Detail = "matches a critical path of the configuration"
		return t, true
	}
	if arrives := f.OldPath != "" && f.NewPath != "" && c.matchesPath(f.NewPath) && !c.matchesPath(f.OldPath); arrives {
		f = f.Whole(change.Blob, '+') // all of it is new to these paths
	}
	if len(c.paths) > 0 && (f.Unparsed != "" || f.Kind == patch.Binary) {
		t.Detail = "matches a critical path of the configuration, and its lines cannot be read"
		return t, true
	}
	for _, l := range changed(f) {
		if slices.ContainsFunc(c.patterns, func(re *regexp.Regexp) bool { return re.MatchString(l.Text) }) {
			t.Side, t.Line = position(l)
			t.Detail = "matches a critical pattern of the configuration"
			return t, true
		}
	}
	return t, false
}

// matchesPath matches one name of a file. Either name counts: moving the file away is a change too.
func (c *compiled) matchesPath(name string) bool {
	return slices.ContainsFunc(c.paths, func(glob string) bool { return doublestar.MatchUnvalidated(glob, name) })
}

// changed lists the added and removed lines of a file.
func changed(f *patch.File) []patch.Line {
	return lists.Keep(slices.Collect(f.Lines()), func(l patch.Line) bool { return l.Op != ' ' })
}

// position returns the place of a changed line.
func position(l patch.Line) (debate.Side, int) {
	if l.Op == '-' {
		return debate.Left, l.Old
	}
	return debate.Right, l.New
}
