package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// witness is what happened to one pull request, as somebody tells it who knows the
// files, hears what the models are sent and what they say, and listens to people. It
// knows nothing of the program under test.
type witness struct {
	gated      bool                         // the default branch demands the gate
	base, head map[string]string            // files
	mode       map[string]string            // of the head's files that are no ordinary ones
	models     []string                     // that the settings ask for
	tip        string                       // the commit of the head
	answered   map[string]map[string][]turn // by model and line, with its sign: the calls in which it was shown it, and gave an answer about it
	reviewed   map[turn]bool                // heads and terms that some model gave an answer about
	quoted     map[string]bool              // added lines that a model quoted against the change
	accepted   map[string]bool              // lines that a person with write access, not the author, accepted by name
	decisions  []decision                   // to merge a head as it is, by such persons, and not revoked
}

// decision is what was there when a person decided.
type decision struct {
	head   map[string]string
	quoted map[string]bool // lines that models had quoted against the change by then
	waives bool            // it is a waiver, which an issue opened again does not take back
}

// turn is about a head, on terms: the base and the settings.
type turn struct{ head, terms string }

// wrong says what is wrong with a conclusion of the check, or "".
func (s *witness) wrong(conclusion string) string {
	neutral := conclusion == "neutral" // lets a merge through, too
	switch {
	case conclusion == "success", neutral && s.gated:
		return s.unearned()
	case neutral:
		return s.undecided()
	}
	return ""
}

// unearned says why no merge should be let through now, or "".
func (s *witness) unearned() string {
	for _, path := range s.changed() {
		if unreadable := opaque(s.base[path]) || opaque(s.head[path]); unreadable && s.base[path] != s.head[path] {
			return path + " is changed, and nobody can read it"
		}
		for _, line := range s.lines(path) {
			added, ok := strings.CutPrefix(line, "+")
			known := func(d decision) bool {
				stood := d.head[path] == s.head[path] || strings.Contains(d.head[path], added) // a file of wide characters has it encoded
				return maps.Equal(d.head, s.head) || d.quoted[added] && stood
			}
			if ok && s.quoted[added] && !s.accepted[added] && !slices.ContainsFunc(s.decisions, known) {
				return fmt.Sprintf("%s: a model quoted %q against the change, and nobody accepted it", path, added)
			}
			for _, model := range s.models {
				if !s.shown(model, path, line) {
					return fmt.Sprintf("%s: %q was never shown to %s", path, line, model)
				}
			}
		}
	}
	return s.undecided()
}

// undecided says which destructive line no person accepted, or "". A database reads
// migrations alone.
func (s *witness) undecided() string {
	for _, path := range s.changed() {
		for _, line := range s.lines(path) {
			added, ok := strings.CutPrefix(line, "+")
			saw := func(d decision) bool { return strings.Contains(d.head[path], added) }
			migrates := strings.HasPrefix(path, "db/migrations/") && strings.Contains(added, "DROP TABLE")
			if ok && migrates && !s.accepted[added] && !slices.ContainsFunc(s.decisions, saw) {
				return fmt.Sprintf("%s: %q destroys data, and no person decided about it", path, added)
			}
		}
	}
	return ""
}

// changed are the files that the head has otherwise than the base.
func (s *witness) changed() []string {
	all := maps.Clone(s.base)
	maps.Copy(all, s.head)
	maps.DeleteFunc(all, func(path, _ string) bool { return s.head[path] == s.base[path] && s.mode[path] == "" })
	return slices.Sorted(maps.Keys(all))
}

// lines are what has to be read of a file: what one side alone has, with the sign of that side, and that it can
// be executed now. Of a file that was only moved its new place is read, unless nothing runs or obeys it there.
func (s *witness) lines(path string) []string {
	here, gone := slices.Collect(maps.Keys(s.head)), slices.Collect(maps.Keys(s.base))
	moved := slices.ContainsFunc(here, func(to string) bool { return s.base[to] == "" && s.head[to] == s.base[path] })
	same := slices.ContainsFunc(gone, func(from string) bool { return s.head[from] == "" && s.base[from] == s.head[path] })
	idle := same && s.base[path] == "" && s.mode[path] == "" && !strings.HasPrefix(path, "db/migrations/") && !strings.HasSuffix(path, ".sh")
	if s.head[path] == "" && moved || idle {
		return nil
	}
	before, after := strings.Split(plain(s.base[path]), "\n"), strings.Split(plain(s.head[path]), "\n")
	lines := append(alone("-", before, after), alone("+", after, before)...)
	if s.mode[path] == "100755" {
		lines = append(lines, "+"+s.mode[path])
	}
	return lines
}

// alone are the lines of a side, with its sign, that the other one has not.
func alone(sign string, side, other []string) (lines []string) {
	for _, line := range side {
		if strings.TrimSpace(line) != "" && !slices.Contains(other, line) {
			lines = append(lines, sign+line)
		}
	}
	return lines
}

// shown reports whether a model was shown a line, or another one that names it and its file:
// about this head, or about an earlier one on terms on which this one was reviewed, too.
func (s *witness) shown(model, path, line string) bool {
	counts := func(t turn) bool { return t.head == s.tip || s.reviewed[turn{s.tip, t.terms}] }
	for seen, turns := range s.answered[model] {
		named := strings.Contains(seen, path) && strings.Contains(seen, line[1:])
		if (seen == line || named) && slices.ContainsFunc(turns, counts) {
			return true
		}
	}
	return false
}

// plain is a text without the bytes between which an author may hide it.
func plain(text string) string { return strings.NewReplacer("\x00", "", "\xff\xfe", "").Replace(text) }

// opaque reports whether a file is none that anybody can read.
func opaque(text string) bool {
	return strings.HasPrefix(text, "\x7fELF") || strings.HasPrefix(text, "PK\x03\x04")
}
