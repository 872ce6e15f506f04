package secrets

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// Find lists everything in a change that any rule detects, each once: what must not
// be seen, whether or not it is reported. A key in a test, a value that reads like a
// placeholder and a match that is no finding are in it. Both sides of a file are
// searched whole, because lines that do not change say what changed ones are; of a
// patch alone, its hunks. There is no bound: files that are not searchable are never
// shown, and left out here.
func Find(change patch.Change, skip func(path string) bool) []string {
	found := make(parts)
	for _, f := range change.Set.Files {
		if f.Unparsed != "" || skip(f.Path()) || !f.Searchable() {
			continue
		}
		for _, h := range f.Hunks {
			found.searchHunk(f.Path(), h)
		}
		found.searchSide(change, f.OldPath, debate.Left)
		found.searchSide(change, f.NewPath, debate.Right)
	}
	return found.list()
}

// In lists what any rule detects in the lines of a text about a file.
func In(path, text string) []string {
	found := make(parts)
	found.searchText(path, text)
	return found.list()
}

// parts are the pieces of secrets that were found, each within one line.
type parts map[string]bool

func (p parts) list() []string {
	list := slices.AppendSeq([]string{}, maps.Keys(p))
	slices.Sort(list)
	return list
}

func (p parts) add(secret string) {
	for _, part := range check.Redactions(secret) {
		p[part] = true
	}
}

func (p parts) searchHunk(path string, h *patch.Hunk) {
	spans := p.searchLines(path, lists.Map(h.Lines, textOf))
	for _, side := range []string{sideOf(h, '-'), sideOf(h, '+')} {
		p.searchKeys(side)
		if spans {
			p.searchSpans(side)
		}
	}
}

// searchSide searches a file of a change at one side, if it can be read there.
func (p parts) searchSide(change patch.Change, path string, side debate.Side) {
	if path == "" {
		return
	}
	if content, ok := change.Blob(path, side); ok && bytes.IndexByte(content, 0) < 0 {
		p.searchText(path, string(content))
	}
}

func (p parts) searchText(path, text string) {
	if p.searchLines(path, strings.Split(text, "\n")) {
		p.searchSpans(text)
	}
	p.searchKeys(text)
}

func (p parts) searchKeys(text string) {
	for _, line := range keyLines(strings.Split(text, "\n")) {
		p[line] = true
	}
}

func textOf(l patch.Line) string { return l.Text }

// sideOf is the text of a hunk without the lines that only the other side has.
func sideOf(h *patch.Hunk, other byte) string {
	lines := lists.Keep(h.Lines, func(l patch.Line) bool { return l.Op != other })
	return strings.Join(lists.Map(lines, textOf), "\n")
}

// searchLines finds the secrets that begin in each line and end in it or in one
// of the next. It reports whether one of many lines may begin in one of them.
func (p parts) searchLines(path string, lines []string) (spans bool) {
	for i, line := range lines {
		for _, piece := range pieces(line, searchedPiece, searchedOverlap) {
			for _, r := range known().candidates(piece) {
				if r.spans {
					spans = true
					continue
				}
				text := piece
				if n := min(i+r.reach(line), len(lines)); n > i+1 {
					text = strings.Join(lines[i:n], "\n")
				}
				if couldMatch(r.id, text) {
					p.search(r, path, text)
				}
			}
		}
	}
	return spans
}

// search adds what a rule sees in a text. Of a rule without a format the
// exceptions count; under some names of files nearly all is excused, and under no
// name the rules of some names are silent.
func (p parts) search(r rule, path, text string) {
	found := r.matches(text)
	if guessing[r.id] { // which is slow
		found = append(known().counting(r, path, text, found), known().counting(r, "", text, found)...)
	}
	for _, m := range found {
		p.add(m.secret)
	}
}

// guessing are the rules that know no format of an issuer. Their exceptions tell
// names and variables from secrets; those of the others only excuse secrets.
var guessing = map[string]bool{
	genericRule: true, urlPasswordRule: true, passwordRule: true, "curl-auth-user": true, "curl-auth-header": true, "hashicorp-tf-password": true, "nuget-config-password": true,
}

// searchSpans finds the secrets that fill many lines.
func (p parts) searchSpans(text string) {
	for _, r := range lists.Keep(known().rules, func(r rule) bool { return r.spans }) {
		p.search(r, "", text)
	}
}

// Long lines are searched in pieces that overlap by more than the longest tokens.
const (
	searchedPiece   = 64 << 10
	searchedOverlap = 16 << 10
)

// reach is how many lines the expression of a rule may match that begins on a
// line: those of curl allow for a command that is written on several, all others
// for a value below its name.
func (r rule) reach(line string) int {
	line = strings.TrimRight(line, " \t\r")
	switch {
	case strings.HasPrefix(r.id, "curl-"):
		return 6
	case strings.ContainsAny(line[max(len(line)-1, 0):], "=:>,|\"'`"):
		return 3
	}
	return 1
}

// couldMatch tells by looking, for the two rules whose keywords are everywhere,
// whether their slow expressions could match at all.
func couldMatch(rule, text string) bool {
	switch rule {
	case genericRule:
		return mayBeGeneric(text)
	case "jwt":
		return strings.Contains(text, ".ey")
	}
	return true
}

// mayBeGeneric tells by looking whether the generic rule could detect anything: a
// value follows what assigns it, with quotes and blanks at most between, and one
// of letters alone is a name to the rule.
func mayBeGeneric(text string) bool {
	return slices.ContainsFunc(assigned().FindAllStringSubmatch(text, -1), func(m []string) bool { return strings.ContainsAny(m[1], "0123456789+/=") })
}

// assigned is a value of the generic rule after what assigns it. An equals sign may be a
// part of the value, too.
var assigned = lazyregexp.New("[=>:|,][\\s\\v\"'`]*([\\w.+/-][\\w.+/=-]{9,})")
