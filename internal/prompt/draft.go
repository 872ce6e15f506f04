package prompt

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// draft is a possible finding: a heading, a bold line, an entry of a list, a row of a table or
// a paragraph, and the lines that belong to it.
type draft struct {
	rank    int
	section section
	file    file
	title   string            // "" if it has only fields
	fields  map[string]string // such as "severity" for a line "**Severity:** high"
	body    []string
	code    []string // blocks of code
	placed  bool     // it names lines
}

func (d *draft) set(label, value string) {
	name := cmp.Or(labels[label], "class") // of an id: "Verdict: agree"
	if d.fields[name] != "" {
		value = d.fields[name] + "\n" + value
	}
	d.fields[name] = value
	d.placed = d.placed || slices.Contains([]string{"path", "line", "ref"}, name)
}

// id returns the id of the debate at the start of a draft, "" if there is none.
func (d *draft) id() string { return leadingID().FindString(strings.TrimLeft(d.title, "*_`[( ")) }

// entry reads the words of a draft about an id: an evaluation, a carried finding or an answer.
func (d *draft) entry() (name string, entry map[string]any) {
	id := d.id()
	if id == "" {
		return "", nil
	}
	said := tags{rest: afterTag(strings.TrimLeft(d.title, "*_`[( ")[len(id):])}
	for said.cut() {
	}
	word := d.fields["class"]
	if word == "" {
		word, said.rest = leadingWord(said.rest)
	}
	text := joinLines(append([]string{said.rest, d.fields["body"], d.fields["ref"]}, d.body...)...)
	entry = map[string]any{"id": id}
	if cites := joinLines(d.title, text); len(placesIn(cites)) > 0 {
		entry["ref"] = cites
	}
	isAnswer := strings.ContainsAny(id[:1], "kK")
	switch {
	case isAnswer && meant(word, moves...) != "":
		entry["move"], entry["text"] = word, text
		return "answers", entry
	case !isAnswer && meant(word, classes...) != "":
		entry["class"], entry["flaw"] = word, text
		return "evaluations", entry
	case !isAnswer && meant(word, debate.Stands, debate.Fixed) != "":
		entry["class"] = word
		return "carried", entry
	}
	return "", nil
}

var (
	moves   = []debate.Move{debate.Accept, debate.Partial, debate.Rebuff, debate.Maintain, debate.Escalate}
	classes = []debate.Class{debate.ClassAgree, debate.ClassSkeptical, debate.ClassReject, debate.ClassIllFormed}
)

// contains reports whether a draft with others below it is only their heading.
func (d *draft) contains() bool {
	return !d.placed && len(d.fields) == 0 && !hasLevel(d.title) && d.id() == ""
}

// finding makes a claim of a draft. Outside of the sections for findings of one level, it has
// a level or a place; a paragraph outside of all sections has both.
func (d *draft) finding() (debate.NewClaim, bool) {
	heads, body := []string{d.title, d.fields["title"]}, slices.Concat([]string{d.fields["body"]}, d.body)
	if decorates(d.title) && joinLines(append(body, heads[1])...) != "" { // "Finding 1"
		heads = heads[1:]
	}
	text := joinLines(slices.Concat(heads, body)...)
	title, rest, _ := strings.Cut(text, "\n")
	title = numbered().ReplaceAllString(inBold().ReplaceAllString(title, "$1"), "")
	if at := lineForm().FindStringIndex(title); d.file.path != "" && at != nil && at[0] == 0 {
		title = afterTag(title[at[1]:])
	}
	c, says := plainClaim("", title)
	if c.Body != "" {
		rest = text // its title is a part of its line
	}
	members := map[string]json.RawMessage{}
	for name, value := range d.fields {
		members[name], _ = json.Marshal(strings.Trim(value, "*_` ")) // a string always marshals
	}
	fields, _ := newClaim((&reader{}).opened("", members))
	first, _, _ := strings.Cut(rest, "\n")
	below, _ := plainClaim("", first)
	c.Severity = cmp.Or(fields.Severity, c.Severity, saidLevel(rest), below.Severity, d.section.level)
	c.Category, c.Suggestion, c.Body = cmp.Or(c.Category, fields.Category), fields.Suggestion, clip(rest, maxString)
	c.Refs = d.refs(text)
	prose := d.rank == paragraphRank && (d.section.name == "" || strings.HasSuffix(text, ":"))
	switch isPlaced := len(c.Refs) > 0; {
	case text == "" && c.Severity == "": // a table of files
		return c, false
	case d.section.level != "" && !prose:
		return c, says || isPlaced
	case d.section.level == "" && prose:
		return c, isPlaced && c.Severity != ""
	case d.section.isText():
		return c, isPlaced && c.Severity != ""
	default:
		return c, isPlaced || says && c.Severity != ""
	}
}

// refs are the places of a draft, the one in its fields first, with its quote and its code.
func (d *draft) refs(text string) []debate.Ref {
	path := strings.Trim(cmp.Or(d.fields["path"], d.file.path), "*_` ")
	if path == "" && isPath(d.fields["ref"]) {
		path = strings.Trim(d.fields["ref"], "*_` ")
	}
	lines := numbersForm().FindString(strings.ReplaceAll(d.fields["line"], "\n", "-")) // the first and the last
	if said := lineForm().FindStringSubmatch(d.title); lines == "" && said != nil {
		lines = said[1]
	}
	if len(placesIn(path)) == 0 && path != "" && lines != "" {
		path += ":" + strings.ReplaceAll(lines, " ", "")
	}
	all := refsAt(joinLines(path, d.fields["ref"], text), placesIn(joinLines(path, d.fields["ref"], text)))
	if len(all) == 0 && isPath(path) {
		all = []debate.Ref{{Citation: debate.Citation{Path: path, Side: debate.Right}}}
	}
	var quoted []debate.Ref
	for _, quote := range append([]string{strings.Trim(d.fields["quote"], "*_`\" ")}, d.code...) {
		if quote != "" && len(quote) <= maxString && len(all) > 0 && len(quoted) < maxQuotes {
			cite := all[0].Citation
			cite.Quote = quote
			quoted = append(quoted, debate.Ref{Citation: cite})
		}
	}
	return append(quoted, all...)
}

// joinLines joins the lines that are not blank.
func joinLines(lines ...string) string {
	return strings.Join(lists.Keep(lines, func(line string) bool { return strings.TrimSpace(line) != "" }), "\n")
}

// isClaimLabel reports whether a label begins a finding: a whole reply has no such field.
func isClaimLabel(label string) bool {
	return headings[label] == "" && slices.Contains([]string{"title", "severity", "path", "line", "ref", "quote", "segment"}, labels[label])
}

// labels are the labels of fields, with the members that they mean. Those that are headings
// too belong to a finding only inside of one.
var labels = func() map[string]string {
	all := make(map[string]string)
	for name, known := range map[string][]string{
		"severity":   {"severity", "priority", "level", "risk", "risk level", "severity level"},
		"path":       {"path", "file", "filename", "file name", "file path", "affected file"},
		"line":       {"line", "lines", "line number", "line numbers", "affected lines", "start line", "end line"},
		"ref":        {"ref", "location", "locations", "where", "place", "reference", "references", "citation", "evidence"},
		"quote":      {"quote", "quoted code", "quoted line", "code", "code snippet", "snippet", "problematic code", "current code", "relevant code", "affected code", "cited code"},
		"title":      {"title", "issue", "problem", "finding", "bug", "defect", "concern", "claim", "headline", "what"},
		"body":       {"body", "description", "detail", "details", "explanation", "message", "comment", "impact", "why", "why it matters", "consequence", "rationale", "root cause", "scenario", "failure scenario", "effect", "reason", "flaw", "reasoning", "summary"},
		"suggestion": {"suggestion", "fix", "suggested fix", "proposed fix", "recommended fix", "suggested change", "remedy", "remediation", "solution", "recommendation"},
		"category":   {"category", "type"},
		"segment":    {"segment"},
		"kind":       {"kind"},
		"confidence": {"confidence"},
		"class":      {"class", "evaluation", "classification", "stance", "status", "move", "response", "answer"},
	} {
		for _, label := range known {
			all[label] = name
		}
	}
	return all
}()
