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

// Find lists every detection of any rule in a change once, reported or not: keys in tests,
// placeholders and matches that are no finding are included, since none of them may be shown. Both
// sides of a file are searched whole, because unchanged lines explain changed ones; if only a patch
// is known, its hunks. There is no bound. Files that are not searchable are left out, since they
// are never shown.
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

// In lists the detections of any rule in a text about a file.
func In(path, text string) []string {
	found := make(parts)
	found.searchText(path, text)
	return found.list()
}

// parts are pieces of secrets, each within one line.
type parts map[string]bool

func (p parts) list() []string {
	list := slices.AppendSeq([]string{}, maps.Keys(p))
	slices.Sort(list)
	return list
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

// searchSide searches one side of a file of a change if its content is text.
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

// searchKeys finds keys, and the values of manifests.
func (p parts) searchKeys(text string) {
	lines := strings.Split(text, "\n")
	for _, line := range slices.Concat(keyLines(lines), inManifest(lines), inPairs(lines)) {
		p[line] = true
	}
}

func textOf(l patch.Line) string { return l.Text }

// sideOf returns the text of a hunk without the lines of the other side.
func sideOf(h *patch.Hunk, other byte) string {
	lines := lists.Keep(h.Lines, func(l patch.Line) bool { return l.Op != other })
	return strings.Join(lists.Map(lines, textOf), "\n")
}

// searchLines finds the secrets that begin in each line and end in it or within the next few. It
// reports whether a secret over many lines may begin in one of them.
func (p parts) searchLines(path string, lines []string) (spans bool) {
	for i, line := range lines {
		for _, piece := range pieces(line, searchedPiece, searchedOverlap) {
			rules, near := known().candidates(piece)
			for _, value := range given(near, path, piece) {
				p[value] = true
			}
			for _, r := range rules {
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

// search adds the secrets that a rule finds in a text. For guessing rules the exceptions count. It
// checks them with and without the path: some names excuse nearly everything, and without a name
// rules for certain files are silent.
func (p parts) search(r rule, path, text string) {
	found := r.matches(text)
	if guessing[r.id] {
		found = append(known().filter(r, path, text, found), known().filter(r, "", text, found)...)
	}
	for _, m := range found {
		for _, part := range check.Redactions(m.secret) {
			p[part] = true
		}
	}
}

// guessing are the rules without an issuer's format. Their exceptions tell names and variables from
// secrets; the exceptions of other rules only excuse secrets.
var guessing = map[string]bool{
	genericRule: true, urlPasswordRule: true, passwordRule: true, "curl-auth-user": true, "curl-auth-header": true, "hashicorp-tf-password": true, "nuget-config-password": true,
}

// searchSpans finds the secrets over many lines.
func (p parts) searchSpans(text string) {
	for _, r := range lists.Keep(known().rules, func(r rule) bool { return r.spans }) {
		p.search(r, "", text)
	}
}

// Long lines are searched in pieces with an overlap longer than the longest tokens.
const (
	searchedPiece   = 64 << 10
	searchedOverlap = 16 << 10
)

// reach returns the number of lines that a match of the rule may cover from this line on: curl's
// rules allow for commands over several lines, all others for a value below its name.
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

// couldMatch is a quick test, for the two rules with keywords in most files, before their slow
// expressions run.
func couldMatch(rule, text string) bool {
	switch rule {
	case genericRule: // a value of letters alone is a name to the rule
		return slices.ContainsFunc(assigned().FindAllStringSubmatch(text, -1), func(m []string) bool { return strings.ContainsAny(m[1], "0123456789+/=") })
	case "jwt":
		return strings.Contains(text, ".ey")
	}
	return true
}

// assigned matches a value of the generic rule after its assignment, with at most quotes and blanks
// between. An equals sign may also be part of the value.
var assigned = lazyregexp.New("[=>:|,][\\s\\v\"'`]*([\\w.+/-][\\w.+/=-]{9,})")
