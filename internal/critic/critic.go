// Package critic is the embedded critic: deterministic checks over the changed
// lines of a change, made of well-kept libraries, with no network and no model.
// It parses changed bytes as data, loads no configuration from the change and
// starts no process.
//
// A check is a family in a file of its own. It reports hits, which cite the
// changed lines they are about and pass the same evidence gate as the claim of
// a model, or notices, which are facts and never findings.
package critic

import (
	"slices"
	"sort"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/segment"
)

// Rule documents one thing the critic looks for.
type Rule struct {
	ID       string // family/name, stable for ever
	Source   string // the library or the authority that the rule rests on
	Title    string // one line, as shown in the documentation
	Severity debate.Severity
	Category string
	Notice   bool // reports a notice, never a finding
}

// Result is what one review found, sorted.
type Result struct {
	Hits    []debate.Hit
	Notices []debate.Notice
	Missing []string // criteria of new proposals that have no text (S16)
	Omitted int      // hits beyond maxHits, least severe first
}

// maxHits bounds the findings of one review; a change with more of them needs
// no longer list.
const maxHits = 500

// file is one changed file as the checks see it.
type file struct {
	*patch.File
	change patch.Change // the whole change that the file is part of
	added  []patch.Line // the '+' lines, ascending
	// head and base return whole contents, nil where there is none or it is too
	// large. They are read at most once.
	head func() []byte
	base func() []byte
}

// touched reports whether head line n was added by the change.
func (f *file) touched(n int) bool {
	i := sort.Search(len(f.added), func(i int) bool { return f.added[i].New >= n })
	return i < len(f.added) && f.added[i].New == n
}

// line returns the added head line n.
func (f *file) line(n int) (string, bool) {
	i := sort.Search(len(f.added), func(i int) bool { return f.added[i].New >= n })
	if i < len(f.added) && f.added[i].New == n {
		return f.added[i].Text, true
	}
	return "", false
}

// cite cites the added lines first..last. Lines of the range that the change
// did not add are left out at both ends; ok is false if none remains.
func (f *file) cite(first, last int) (c debate.Citation, ok bool) {
	var quote []string
	for n := first; n <= last; n++ {
		text, touched := f.line(n)
		if !touched {
			if len(quote) > 0 {
				break
			}
			continue
		}
		if len(quote) == 0 {
			c.StartLine = n
		}
		c.EndLine = n
		quote = append(quote, text)
		if len(quote) == maxQuoteLines {
			break
		}
	}
	c.Path, c.Side, c.Quote = f.NewPath, debate.Right, strings.Join(quote, "\n")
	return c, len(quote) > 0
}

// touchedAny reports whether the change added any of the lines.
func (f *file) touchedAny(first, last int) bool {
	_, ok := f.cite(first, last)
	return ok
}

// maxQuoteLines bounds a quote: a citation proves a place, it does not copy it.
const maxQuoteLines = 12

// family is one kind of rule: what it looks for, and how it reads the changed
// files.
type family struct {
	rules  func() []Rule
	review func(files []*file, out *findings)
}

// each reads the files that match one by one.
func each(match func(f *file) bool, review func(f *file, out *findings)) func(files []*file, out *findings) {
	return func(files []*file, out *findings) {
		for _, f := range files {
			if match(f) {
				review(f, out)
			}
		}
	}
}

// families is the literal table of all checks, in the order of their files.
var families = []family{
	mergeFamily,
	secretsFamily,
	sqlFamily,
	workflowFamily,
	shellFamily,
	dockerFamily,
	infraFamily,
	manifestFamily,
	unicodeFamily,
}

// ruleNotRead says that a family could not look at a file that is its matter:
// what was not checked must not pass for clean.
const ruleNotRead = "critic/not-read"

// ownRules are those of no family.
var ownRules = []Rule{{ID: ruleNotRead, Source: "own", Title: "Some checks could not read the file", Notice: true}}

// findings collects what the checks report.
type findings struct {
	rules   map[string]Rule
	hits    []debate.Hit
	notices []debate.Notice
}

// hit reports a finding of a rule; severity, category and title come from the
// rule unless the hit sets its own. Lines that the change did not add are not
// reported.
func (o *findings) hit(f *file, rule string, first, last int, h debate.Hit) {
	cite, ok := f.cite(first, last)
	if !ok {
		return
	}
	r, known := o.rules[rule]
	if !known {
		panic("critic: undocumented rule " + rule)
	}
	h.Rule, h.Cite = rule, cite
	if h.Severity == "" {
		h.Severity = r.Severity
	}
	if h.Category == "" {
		h.Category = r.Category
	}
	if h.Title == "" {
		h.Title = r.Title
	}
	o.hits = append(o.hits, h)
}

// notice reports a fact about a file, at a head line or at 0 for all of it.
func (o *findings) notice(f *file, rule string, line int, text string) {
	if r, known := o.rules[rule]; !known || !r.Notice {
		panic("critic: undocumented notice " + rule)
	}
	o.notices = append(o.notices, debate.Notice{Rule: rule, Path: f.NewPath, Line: line, Text: text})
}

// notRead reports that the checks of a family could not read a file.
func (o *findings) notRead(f *file, family string) {
	why := "it is too large or nested too deeply"
	if f.head() == nil {
		why = "only a part of it is at hand"
	}
	text := "The " + family + " checks did not read this file: " + why + "."
	if n := len(o.notices); n > 0 && o.notices[n-1].Path == f.NewPath && o.notices[n-1].Text == text {
		return // said of another of its scripts
	}
	o.notice(f, ruleNotRead, 0, text)
}

// Rules lists every documented rule, sorted by id.
func Rules() []Rule {
	all := append([]Rule(nil), ownRules...)
	for _, fam := range families {
		all = append(all, fam.rules()...)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].ID < all[j].ID })
	return all
}

// Review runs every check over the files of the change that skip does not
// exclude, and looks for the review criteria in new proposals (S16).
func Review(change patch.Change, skip func(path string) bool, proposals []segment.Proposal) Result {
	files := readable(change, skip)
	out := newFindings(Rules())
	for _, fam := range families {
		fam.review(files, out)
	}
	redactNotices(out.notices, shareRedactions(out.hits))
	res := Result{Hits: dedupe(out.hits), Notices: out.notices, Missing: missingCriteria(proposals)}
	sort.SliceStable(res.Notices, func(i, j int) bool {
		a, b := res.Notices[i], res.Notices[j]
		if a.Path != b.Path {
			return a.Path < b.Path
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Rule < b.Rule
	})
	if len(res.Hits) > maxHits {
		res.Omitted = len(res.Hits) - maxHits
		res.Hits = res.Hits[:maxHits]
	}
	return res
}

// newFindings makes an empty collection that knows the rules.
func newFindings(rules []Rule) *findings {
	out := &findings{rules: make(map[string]Rule)}
	for _, r := range rules {
		out.rules[r.ID] = r
	}
	return out
}

// readable are the files of a change whose lines are known, without those that
// are skipped and those that are gone.
func readable(change patch.Change, skip func(path string) bool) []*file {
	var files []*file
	for _, pf := range change.Set.Files {
		if pf.Unparsed == "" && pf.NewPath != "" && !skip(pf.Path()) {
			files = append(files, newFile(pf, change))
		}
	}
	return files
}

func newFile(pf *patch.File, change patch.Change) *file {
	f := &file{File: pf, change: change}
	for _, h := range pf.Hunks {
		for _, l := range h.Lines {
			if l.Op == '+' {
				f.added = append(f.added, l)
			}
		}
	}
	f.head = once(change, pf.NewPath, debate.Right)
	f.base = once(change, pf.OldPath, debate.Left)
	return f
}

func once(change patch.Change, path string, side debate.Side) func() []byte {
	var content []byte
	read := false
	return func() []byte {
		if !read {
			read = true
			if path != "" && change.Blob != nil {
				if text, ok := change.Blob(path, side); ok {
					content = text
				}
			}
		}
		return content
	}
}

// shareRedactions gives every hit the secrets of the same file that its own text
// repeats: a line may hold a token and break a second rule. It returns the
// secrets by path.
func shareRedactions(hits []debate.Hit) map[string][]string {
	secrets := make(map[string][]string)
	for _, h := range hits {
		for _, s := range h.Redact {
			if !slices.Contains(secrets[h.Cite.Path], s) {
				secrets[h.Cite.Path] = append(secrets[h.Cite.Path], s)
			}
		}
	}
	for i := range hits {
		h := &hits[i]
		said := strings.Join([]string{h.Cite.Quote, h.Title, h.Body, h.Suggestion}, "\n")
		for _, s := range secrets[h.Cite.Path] {
			if strings.Contains(said, s) && !slices.Contains(h.Redact, s) {
				h.Redact = append(h.Redact, s)
			}
		}
	}
	return secrets
}

// redactNotices takes the secrets of a file out of what is said of it: the name
// of a dependency may be a URL with a token.
func redactNotices(notices []debate.Notice, secrets map[string][]string) {
	for i := range notices {
		for _, s := range secrets[notices[i].Path] {
			notices[i].Text = strings.ReplaceAll(notices[i].Text, s, "[redacted]")
		}
	}
}

// dedupe sorts hits by severity, place and rule, and drops repeats of one rule
// at one place.
func dedupe(hits []debate.Hit) []debate.Hit {
	sort.SliceStable(hits, func(i, j int) bool {
		a, b := hits[i], hits[j]
		if a.Severity != b.Severity {
			return a.Severity < b.Severity
		}
		if a.Cite.Path != b.Cite.Path {
			return a.Cite.Path < b.Cite.Path
		}
		if a.Cite.StartLine != b.Cite.StartLine {
			return a.Cite.StartLine < b.Cite.StartLine
		}
		if a.Rule != b.Rule {
			return a.Rule < b.Rule
		}
		return a.Title < b.Title
	})
	var kept []debate.Hit
	for _, h := range hits {
		if n := len(kept); n > 0 && kept[n-1].Rule == h.Rule && kept[n-1].Cite == h.Cite && kept[n-1].Title == h.Title {
			continue
		}
		kept = append(kept, h)
	}
	return kept
}
