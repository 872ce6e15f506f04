package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// witness is what happened to one pull request, as somebody tells it who knows the
// files, hears what is sent to the models and listens to people. It knows nothing of
// the program under test.
type witness struct {
	author    string
	gated     bool                       // the default branch demands the gate
	base      map[string]string          // files of the base branch
	head      map[string]string          // files of the head
	mode      map[string]string          // of the head's files that are no ordinary ones
	sent      map[string]map[string]bool // by model: the lines that it was shown and answered about
	models    []string
	rights    map[string]int    // of people: 0 none, 1 read, 2 write, 3 maintain
	accepted  map[string]string // lines that a person accepted: line -> who
	decisions []map[string]bool // of people who decided keep, unrevoked: the destructive lines that they saw
}

// added are the lines of a file of the head that the base does not have.
func (s *witness) added(path string) (lines []string) {
	before := strings.Split(plain(s.base[path]), "\n")
	for _, line := range strings.Split(plain(s.head[path]), "\n") {
		if strings.TrimSpace(line) != "" && !slices.Contains(before, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// named is the line that tells of a change of a file's mode alone, nothing without one.
func (s *witness) named(path string) []string {
	if s.mode[path] == "" || s.head[path] != s.base[path] {
		return nil
	}
	return []string{path + ": no changed lines, mode 100644 to " + s.mode[path]}
}

// plain is a text without the bytes between which an author may hide it.
func plain(text string) string { return strings.NewReplacer("\x00", "", "\xff\xfe", "").Replace(text) }

// opaque reports whether a file is none that anybody can read.
func opaque(text string) bool {
	return strings.HasPrefix(text, "\x7fELF") || strings.HasPrefix(text, "PK\x03\x04")
}

// unearned says why no merge should be let through now, or "".
func (s *witness) unearned() string {
	if why := s.undecided(); why != "" {
		return why
	}
	for _, path := range slices.Sorted(maps.Keys(s.head)) {
		if s.head[path] == s.base[path] && s.mode[path] == "" {
			continue
		}
		if opaque(s.head[path]) && s.head[path] != s.base[path] {
			return path + " is changed, and nobody can read it"
		}
		for _, line := range append(s.added(path), s.named(path)...) {
			if strings.Contains(line, "BUG") && s.accepted[line] == "" {
				return fmt.Sprintf("%s: %q is a bug that every model reports and nobody accepted", path, line)
			}
			for _, model := range s.models {
				if !s.sent[model][line] {
					return fmt.Sprintf("%s: %q was never shown to %s", path, line, model)
				}
			}
		}
	}
	return ""
}

// undecided says which destructive line no person accepted, or "".
func (s *witness) undecided() string {
	for _, path := range slices.Sorted(maps.Keys(s.head)) {
		for _, line := range s.added(path) {
			saw := func(seen map[string]bool) bool { return seen[line] }
			if strings.Contains(line, "DROP TABLE") && s.accepted[line] == "" && !slices.ContainsFunc(s.decisions, saw) {
				return fmt.Sprintf("%s: %q destroys data, and no person decided about it", path, line)
			}
		}
	}
	return ""
}

// wrong says what is wrong with a conclusion of the check, or "".
func (s *witness) wrong(conclusion string) string {
	switch conclusion {
	case "success":
		return s.unearned()
	case "neutral": // lets a merge through, too
		if s.gated {
			return s.unearned()
		}
		return s.undecided()
	}
	return ""
}

// may reports whether a person's word counts: not the author's, and only with access.
func (s *witness) may(who string, least int) bool { return who != s.author && s.rights[who] >= least }
