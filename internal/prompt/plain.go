package prompt

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/debate/likeness"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// The title of a plain finding with more than maxTitle bytes is its first sentence, unless that is
// shorter than minTitle.
const (
	maxTitle = 160
	minTitle = 20
)

// plainLists reads p1, p2 and p3 (M11). Every entry is a finding, as a line or as an object.
// The reply keeps the lines.
func plainLists(o object, reply *debate.Reply) []debate.NewClaim {
	var found []debate.NewClaim
	for _, list := range []struct {
		name  string
		level debate.Severity
		lines *[]string
	}{
		{"p0", debate.P1, &reply.P1}, // some models write a P0 too
		{"p1", debate.P1, &reply.P1}, {"p2", debate.P2, &reply.P2}, {"p3", debate.P3, &reply.P3},
	} {
		claims, lines := claimsIn(o, list.name, list.level)
		found, *list.lines = append(found, claims...), append(*list.lines, lines...)
	}
	return found
}

// claimsIn reads a list of claims of a level, as objects or plain lines (M11), and returns the
// lines too. A text instead of the list is a list of its lines.
func claimsIn(o object, name string, level debate.Severity) (list []debate.NewClaim, lines []string) {
	say := func(line string) {
		lines = append(lines, line)
		if c, ok := plainClaim(level, line); ok {
			list = append(list, c)
		}
	}
	if text, inWords := wordsIn(o.raw(name)); inWords {
		o.take(name)
		for line := range strings.SplitSeq(text, "\n") {
			if line = entryOf(line); line != "" {
				say(line)
			}
		}
		return list, lines
	}
	entries(o, name, func(raw json.RawMessage, path string) (none struct{}, ok bool) {
		var line string
		if json.Unmarshal(raw, &line) == nil {
			if string(raw) != "null" {
				say(line)
			}
			return none, string(raw) != "null"
		}
		c, ok := entryIn(o.r, path, raw, newClaim)
		if ok {
			c.Severity = cmp.Or(c.Severity, level)
			list = append(list, c)
		}
		return none, ok
	})
	return list, lines
}

// plainClaim makes a claim of a finding in plain words, such as "cart.go:12 the loop runs
// one past the end". A level, a number, a category and a place before or after the words
// become members of the claim. It returns false for words such as "no findings".
func plainClaim(severity debate.Severity, text string) (c debate.NewClaim, ok bool) {
	text = strings.TrimSpace(text)
	if saysNothing(text) {
		return c, false
	}
	c.Refs = refsAt(text)
	title, _, _ := strings.Cut(text, "\n")
	tagged := tagsOf(entryOf(title))
	c.Severity, c.Category = cmp.Or(severity, tagged.level, saidLevel(text)), tagged.category
	c.Title = tagged.rest
	if end := strings.Index(c.Title, ". "); len(c.Title) > maxTitle && end >= minTitle {
		c.Title = c.Title[:end]
	}
	if c.Title != tagged.rest || strings.Contains(text, "\n") {
		c.Body = text
	}
	return c, true
}

// saidLevel is the level in "severity: high", "a high severity bug" or "this is a P1", "" if a text names none.
func saidLevel(text string) debate.Severity {
	for _, said := range severitySaid().FindAllStringSubmatch(text, -1) {
		if level := levelWords[strings.ToLower(said[1]+said[2]+said[3])]; level != "" {
			return level
		}
	}
	return ""
}

var severitySaid = lazyregexp.New(`(?i)(?:severity|priority)\W{1,6}([a-z0-9]+)|\b([a-z]+)[ -](?:severity|priority)\b|\b(?:is an? |\()(p[0-3])\b`)

// tags are the level and the category before the words of a finding, in any order.
type tags struct {
	rest     string
	level    debate.Severity
	category debate.Category
	placed   bool // a place was before the words
}

func tagsOf(line string) tags {
	t := tags{rest: line}
	for t.cut() {
	}
	return t
}

// cut takes one tag off the words and reports whether there was one.
func (t *tags) cut() bool {
	if rest := withoutPlace(t.rest); rest != t.rest {
		t.placed = t.placed || startsWithPlace(t.rest)
		t.rest = rest
		return true
	}
	if at := levelAtEnd().FindStringSubmatchIndex(t.rest); at != nil && at[0] > 0 {
		t.level = cmp.Or(t.level, levelWords[strings.ToLower(t.rest[at[2]:at[3]])])
		t.rest = strings.TrimRight(t.rest[:at[0]], " –—-")
		return true
	}
	tag := leadingTag().FindStringSubmatch(t.rest)
	if tag == nil {
		return false
	}
	word, after := strings.ToLower(tag[1]), t.rest[len(tag[0]):]
	rest := afterTag(after)
	level, category := levelWords[word], debate.Category(word)
	isSign, isNumber := strings.Contains(levelSigns, word), label().MatchString(word)
	closed := strings.Trim(after[:len(after)-len(rest)], " ") != ""
	switch {
	case rest == "":
		return false
	case closed, isSign:
	case isNumber && strings.ContainsAny(rest[:1], "(["):
	case level != "" && startsWithPlace(rest): // "P1 cart.go:8 text"
	default:
		return false
	}
	if t.placed && level == "" { // "a.go:3: warning: it leaks", as programs write it
		level = meant(word, severities...)
	}
	switch {
	case level != "":
		t.level = level
	case slices.Contains(debate.Categories(), category):
		t.category = category
	case !isNumber:
		return false
	}
	t.rest = rest
	return true
}

// levelSigns are signs for a severity before a finding.
const levelSigns = "🔴🚨🛑🟠🟡🟢🔵⚪"

// leadingTag is "[word]", "(word)", "**word**", "word:", "word - " or a sign, up to the end of the word.
var leadingTag = lazyregexp.New("^[*_\\[(` ]*([\\pL\\pN-]+|[" + levelSigns + "])\\x{fe0f}?")

// levelWords are words for a severity before a finding, without other common meanings.
var levelWords = map[string]debate.Severity{
	"p0": debate.P1, "p1": debate.P1, "critical": debate.P1, "blocker": debate.P1, "blocking": debate.P1, "high": debate.P1,
	"p2": debate.P2, "major": debate.P2, "medium": debate.P2, "moderate": debate.P2,
	"p3": debate.P3, "minor": debate.P3, "low": debate.P3, "nit": debate.P3, "nitpick": debate.P3, "trivial": debate.P3, "non-blocking": debate.P3, "nonblocking": debate.P3,
	"🔴": debate.P1, "🚨": debate.P1, "🛑": debate.P1, "🟠": debate.P2, "🟡": debate.P2, "🟢": debate.P3, "🔵": debate.P3, "⚪": debate.P3,
}

// levelAtEnd is a level behind the words of a finding, such as "(high severity)".
var levelAtEnd = lazyregexp.New(`(?i)\s*(?:[-–—|]\s*[\[(*_\x60]*|[\[(*_\x60]+(?:[^\x00-\x7f\pL]+\s*)?|[.,;]?\s*\(?severity:\s*[*_]*|[\[(*_\x60]+severity:?\s*)(P[0-3]|critical|blocker|blocking|high|major|medium|moderate|minor|low|nit|trivial)(?: severity| priority| risk)?[\])*_\x60]*\.?$`)

// label is a model's own number of its finding. It may differ from all sent ids.
var label = lazyregexp.New(`(?i)^F[0-9]{1,9}$`)

// afterTag is the rest of a line after a tag or a place, without the closing signs.
func afterTag(line string) string {
	const closers, separators = "*_])`|", ":.,–—-"
	line = strings.TrimLeft(strings.TrimLeft(line, closers), separators)
	return strings.TrimLeft(strings.TrimLeft(line, closers), " "+separators)
}

// saysNothing reports whether a line means "nothing", such as "None.", "N/A", "no findings"
// and "-".
func saysNothing(line string) bool {
	if len(placesIn(line)) > 0 {
		return false
	}
	clause := strings.Replace(strings.ToLower(line), "not applicable", "none", 1)
	if i := strings.IndexAny(clause, ".;:,(–—\n"); i > 0 {
		clause = clause[:i]
	}
	clause, _, _ = strings.Cut(clause, " - ")
	words := strings.FieldsFunc(clause, func(r rune) bool { return !unicode.In(r, unicode.Letter, unicode.Digit) && r != '/' })
	if len(words) == 0 {
		return !strings.ContainsFunc(line, unicode.IsLetter)
	}
	negates := func(word string) bool { return slices.Contains(negations, word) }
	means := func(word string) bool { return !slices.Contains(empty, word) }
	return slices.ContainsFunc(words, negates) && !slices.ContainsFunc(words, means)
}

var (
	negations = []string{"none", "no", "nothing", "nil", "null", "n/a", "na"}
	fillers   = []string{
		"p0", "p1", "p2", "p3", "finding", "findings", "claim", "claims", "issue", "issues", "problem", "problems", "defect", "defects", "bug", "bugs", "concern", "concerns",
		"remark", "remarks", "comment", "comments", "blocker", "blockers", "item", "items", "blocking", "critical", "major", "minor", "serious",
		"other", "further", "new", "additional", "more", "found", "identified", "noted", "reported", "seen", "known", "to", "report", "add",
		"at", "of", "this", "that", "level", "severity", "priority", "time", "there", "were", "was", "are", "is", "here", "i",
	}
	empty = slices.Concat(negations, fillers)
)

// added returns the structured claims of a reply and the new ones among the plain claims. A
// structured claim without a place gets the place of the plain claim that repeats it.
func added(structured, plain []debate.NewClaim) []debate.NewClaim {
	known := len(structured)
	for _, p := range plain {
		i := slices.IndexFunc(structured[:known], func(c debate.NewClaim) bool { return repeats(p, c) })
		switch {
		case i < 0:
			structured = append(structured, p)
		case len(structured[i].Refs) == 0:
			structured[i].Refs = p.Refs
		}
	}
	return structured
}

// repeats reports whether a plain finding means the same as a structured one.
func repeats(plain, claim debate.NewClaim) bool {
	said, title := likeness.Title(plain.Title+" "+plain.Body), likeness.Title(claim.Title)
	same := title != "" && strings.Contains(" "+said+" ", " "+title+" ")
	like := likeness.Of(plain.Title+"\n"+plain.Body, claim.Title+"\n"+claim.Body)
	if len(plain.Refs) == 0 || len(claim.Refs) == 0 {
		return same || like >= likeness.LikelyHere
	}
	return shareLines(plain.Refs, claim.Refs) && (same || like >= likeness.Likely)
}

func shareLines(a, b []debate.Ref) bool {
	return slices.ContainsFunc(a, func(x debate.Ref) bool {
		return slices.ContainsFunc(b, func(y debate.Ref) bool {
			return x.Path == y.Path && x.StartLine <= y.EndLine && y.StartLine <= x.EndLine
		})
	})
}

// placed gives the places of the list of evidence to the plain findings without a place: all
// to the only one, or one to each, in order. If the numbers differ, it gives none.
func placed(plain []debate.NewClaim, evidence []string) {
	var bare []*debate.NewClaim
	for i := range plain {
		if len(plain[i].Refs) == 0 {
			bare = append(bare, &plain[i])
		}
	}
	var found [][]debate.Ref
	for _, line := range evidence {
		refs := refsAt(line)
		taken := slices.ContainsFunc(plain, func(c debate.NewClaim) bool { return shareLines(c.Refs, refs) })
		if len(refs) > 0 && !taken {
			found = append(found, refs)
		}
	}
	switch len(bare) {
	case 1:
		bare[0].Refs = slices.Concat(found...)
	case len(found):
		for i, c := range bare {
			c.Refs = found[i]
		}
	}
}
