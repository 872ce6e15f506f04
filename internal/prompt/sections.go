package prompt

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// headings are the names of headings, with the members that they mean.
var headings = map[string]string{
	"summary": "summary", "missing": "missing", "evidence": "evidence",
	"recommendation": "recommendation", "recommended decision": "recommendation", "decision": "recommendation", "disposition": "recommendation",
	"position": "recommendation", "overall": "recommendation", "overall assessment": "recommendation", "assessment": "recommendation", "conclusion": "recommendation", "recommended action": "recommendation",
	"final option": "final_option",
	"verdict":      "verdict", "confidence": "confidence", "reasoning": "reasoning",
	"findings": "claims", "claims": "claims", "issues": "claims", "problems": "claims", "defects": "claims", "bugs": "claims", "concerns": "claims",
	"new claims": "claims", "new findings": "claims", "evaluations": "claims", "answers": "claims",
}

// saysWord reports whether the answer of a section is one word.
func saysWord(name string) bool {
	return slices.Contains([]string{"recommendation", "verdict", "confidence", "final_option"}, name)
}

// notFindings is the name of a section about what is good, or what was read.
const notFindings = "-"

// sectionOf reads the heading of a section, such as "## P1", "**Summary:** text", "Must fix:".
// Marked says that the line is a heading or in bold.
func sectionOf(line string, marked bool) (s section, rest string, ok bool) {
	bare := strings.TrimFunc(line, func(r rune) bool { return strings.ContainsRune(" \t*_", r) || isSymbol(r) })
	words := bare
	if i := strings.IndexAny(bare, ":*"); i >= 0 {
		words, rest = bare[:i], strings.TrimLeft(bare[i:], ":*_ \t")
	}
	words = strings.ToLower(strings.Trim(words, " \t_"))
	if !marked && len(bare) == len(words) {
		return section{}, "", false
	}
	name, list := headings[words], wordsIn(words)
	if n := len(list); name == "" && 1 < n && n < 4 && slices.Contains([]string{"verdict", "recommendation", "decision", "disposition"}, list[n-1]) {
		name = headings[list[n-1]] // "Final verdict"
	}
	switch {
	case name != "":
		if decorates(rest) && !saysWord(name) {
			rest = ""
		}
		return section{name: name}, rest, true
	case rest != "" && !decorates(rest) && !saysNothing(rest):
		return section{}, "", false
	case describes(list):
		return section{level: headingLevel(list)}, "", true
	case slices.ContainsFunc(list, func(word string) bool { return slices.Contains(praise, word) }) && !hasLevel(line):
		return section{name: notFindings}, "", true
	}
	return section{}, "", false
}

// praise are words of headings over lines that are no findings.
var praise = []string{"good", "strengths", "positive", "positives", "praise", "well", "walkthrough", "overview", "scope", "checked", "verified", "tested", "background", "context"}

// levelHeadings are words of headings over findings of one level, in the order in which they
// count: "non-blocking" is not "blocking".
var levelHeadings = []struct {
	level debate.Severity
	words []string
}{
	{debate.P3, []string{"non", "nonblocking", "not", "optional", "nit", "nits", "nitpick", "nitpicks", "nice", "could", "consider", "suggestion", "suggestions", "style", "informational", "info", "minor", "low", "trivial", "p3"}},
	{debate.P1, []string{"must", "blocking", "blocker", "blockers", "critical", "high", "required", "p0", "p1"}},
	{debate.P2, []string{"should", "warning", "warnings", "important", "major", "medium", "moderate", "p2"}},
}

// headingLevel is the level of the findings under a heading, "" if it names none.
func headingLevel(list []string) debate.Severity {
	for _, h := range levelHeadings {
		if slices.ContainsFunc(list, func(word string) bool { return slices.Contains(h.words, word) }) {
			return h.level
		}
	}
	return ""
}

// describes reports whether the words of a heading only say that findings follow, and of which
// level. "Finding 1" and "Issue" are one finding.
func describes(list []string) bool {
	other := func(word string) bool {
		return !slices.Contains(decorations, word) && headingLevel([]string{word}) == ""
	}
	one := len(list) == 1 && labels[list[0]] != ""
	return len(list) > 0 && !one && !slices.ContainsFunc(list, other)
}

func wordsIn(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.In(r, unicode.Letter, unicode.Digit) })
}

// startsFinding reports whether a line that is no heading and no entry of a list begins a
// finding.
func startsFinding(line string) bool {
	return hasLevel(line) || boldLine().MatchString(line) || numbered().MatchString(line) || leadingID().MatchString(strings.TrimLeft(line, "*_`[( "))
}

// startsWithPlace reports whether a line begins with a place, such as "cart.go:12: it leaks".
func startsWithPlace(line string) bool {
	places := placesIn(line)
	return len(places) > 0 && strings.Trim(line[:places[0].start], "`*_[( ") == ""
}

// hasLevel reports whether a line begins with a level, perhaps after its place.
func hasLevel(line string) bool {
	_, _, ok := levelOf(line)
	if !ok && startsWithPlace(line) {
		t := tags{rest: line}
		for t.cut() {
		}
		ok = t.level != ""
	}
	return ok
}

// isPath reports whether a heading or an entry is only the name of a file.
func isPath(line string) bool {
	first, rest, _ := strings.Cut(strings.Trim(line, "*_`: "), " ")
	return pathForm().MatchString(first) && rest == ""
}

var pathForm = lazyregexp.New(`^[^\s:]*\pL[^\s:]*(?:/[^\s:]+|\.\w{1,12})$|^[A-Z]\w*file$`)

// isDecision reports whether the value of a field is the recommendation of a whole reply.
func isDecision(value string) bool {
	return meant(wordOf(value), debate.Keep, debate.Revise, debate.Reject, debate.Continue) != ""
}

// levelOf reads a finding with its level before it, in any section: "[P1] text",
// "P1 - text", "- P1 cart.go:8 text".
func levelOf(line string) (name, rest string, ok bool) {
	line = strings.TrimLeftFunc(entryOf(line), isSymbol)
	inner := strings.TrimLeft(line, "*_[(`| ")
	if said := conventional().FindStringSubmatch(inner); said != nil { // "issue (blocking): text"
		level := headingLevel(wordsIn(said[1]))
		return strings.ToLower(string(level)), said[2], level != ""
	}
	level := levelForm().FindStringSubmatch(inner)
	if level == nil {
		tag := levelTag().FindStringSubmatch(inner)
		if tag == nil || inner == line && !(strings.HasPrefix(tag[2], ":") && len(placesIn(tag[2])) > 0) {
			return "", "", false
		}
		return strings.ToLower(string(levelWords[strings.ToLower(tag[1])])), afterTag(tag[2]), true
	}
	name, after := strings.ToLower(level[1]), level[2]
	rest = afterTag(after)
	separated := strings.Trim(after[:len(after)-len(rest)], " ") != ""
	named := len(rest) < len(after) && len(placesIn(rest)) > 0
	return name, rest, separated || named
}

// isSymbol reports whether a character is a sign such as a red circle.
func isSymbol(r rune) bool { return r > unicode.MaxASCII && !unicode.IsLetter(r) }

// conventional is a Conventional Comment: a label, the words that say how much it weighs, and text.
var conventional = lazyregexp.New(`(?is)^(?:issue|suggestion|nitpick|todo|question|thought|chore|note|typo|polish)[*_]* ?\(([^()\n]+)\)[*_]*:[*_]*\s*(.+)`)

// levelTag is a word for a level in brackets or in bold, with text after it.
var levelTag = lazyregexp.New(`(?is)^(critical|blocker|blocking|high|major|medium|moderate|minor|low|nit|nitpick|trivial)([\])*_|:].+)`)

// levelForm is a level with text after it.
var levelForm = lazyregexp.New(`(?s)^([Pp][0123])(.+)`)

// decorates reports whether the words of a heading only describe its section.
func decorates(words string) bool {
	list := strings.FieldsFunc(strings.ToLower(words), func(r rune) bool { return !strings.ContainsRune(small, r) })
	return !slices.ContainsFunc(list, func(word string) bool { return !slices.Contains(decorations, word) })
}

var decorations = append([]string{
	"p", "must", "should", "could", "fix", "fixed", "be", "optional", "nit", "nits", "high", "medium", "low", "breaks", "something", "nice", "have",
	"consider", "required", "before", "merge", "merging", "list",
}, fillers...)

// wordOf is the answer at the start of a line: one of our words, or all words before a sign.
// "Approve with changes" is no approval.
func wordOf(line string) string {
	line = strings.TrimLeftFunc(line, func(r rune) bool { return strings.ContainsRune("*_`\"' ", r) || isSymbol(r) })
	first, _, _ := strings.Cut(line, " ")
	ours := []string{"keep", "revise", "reject", "continue", "agree", "partial", "disagree", "high", "med", "low"}
	if slices.Contains(ours, bareWord(first)) {
		return bareWord(first)
	}
	if i := strings.IndexFunc(line, func(r rune) bool { return strings.ContainsRune(".,:;*`\"'(\n", r) || isSymbol(r) }); i >= 0 {
		line = line[:i]
	}
	return strings.TrimSpace(line)
}

// leadingWord is the answer at the start of a line, and the words after it.
func leadingWord(line string) (word, rest string) {
	line = strings.TrimLeft(line, "*_`\"' ")
	word = wordOf(line)
	return word, afterTag(line[min(len(word), len(line)):])
}

// inOneText are possible members for a whole reply in one text. The only member of a reply
// is one, too.
var inOneText = []string{"summary", "review", "report", "findings", "analysis", "text", "content", "response"}

// unfold reads the Markdown of a reply in one text, also if the reply has a verdict of its
// own. A member of the reply wins over a section.
func unfold(members map[string]json.RawMessage) (found []debate.NewClaim, err error) {
	if slices.ContainsFunc([]string{"p0", "p1", "p2", "p3", "claims", "new_claims", "uncovered"}, func(name string) bool { return members[name] != nil }) {
		return nil, nil
	}
	for _, name := range sorted(members) {
		text := ""
		if slices.Contains(inOneText, name) || len(members) == 1 {
			_ = json.Unmarshal(members[name], &text) // only a text has sections
		}
		doc, err := readMarkdown(text)
		if err != nil {
			return nil, err
		}
		found = append(found, doc.claims...)
		for section, raw := range doc.members {
			if members[section] == nil {
				members[section] = raw
			}
		}
	}
	return found, nil
}
