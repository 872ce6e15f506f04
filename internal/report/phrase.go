package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Bounds of texts for people; the record and the JSON have everything.
const (
	MaxSides      = 5    // sides of one question
	MaxListed     = 20   // entries of a list for completeness
	maxAnswers    = 8    // of a question; a debate has no more
	maxAnswerID   = 40   // characters of the id of an answer; a debate has no longer ones
	MaxEntry      = 1000 // characters of an entry made of several fields
	MaxTitle      = 300  // characters of a field on one line
	MaxBody       = 2000 // characters of a body
	MaxQuoteLines = 12
	MaxQuoteWidth = 200 // characters of one quoted line
)

// OneLine is a field from outside on one line, bounded.
func OneLine(s string) string { return ClipLine(s, MaxTitle) }

// ClipLine bounds a line twice: before it is sanitized, so a huge text costs nothing, and after,
// since invisible characters get longer.
func ClipLine(s string, most int) string {
	return comment.ClipWords(comment.Line(comment.Clip(s, 2*most)), most)
}

// Place is the place of a finding, as path:line (R057).
func Place(f Finding) string {
	path := f.Path
	switch {
	case path == "" && f.Asked:
		return "nothing cited"
	case path == "":
		return "the change"
	case path == debate.BodyPath && f.Asked:
		path = "question"
	case path == debate.BodyPath:
		path = "pull request text"
	}
	cite := debate.Citation{Path: OneLine(path), StartLine: f.Line, EndLine: f.EndLine}
	at := cite.String()
	if f.Line == 0 {
		at = cite.Path
	}
	if f.Side == debate.Left {
		at += " (base)"
	}
	return at
}

// Spot is the place of a notice or a trigger.
func Spot(path string, line int) string {
	if path == "" {
		return ""
	}
	return Place(Finding{Path: path, Line: line})
}

// Unfound replaces a quote that a model invented.
const Unfound = "The quoted lines are not there"

// Bounded is text as a quote shows it: a few lines, none of them long.
func Bounded(s string) string { return BoundedTo(s, MaxQuoteLines, MaxQuoteWidth) }

// BoundedTo is text of at most so many lines, each of at most so many characters, and below them how
// many more there are.
func BoundedTo(s string, most, width int) string {
	lines := strings.Split(strings.TrimRight(comment.Terminal(s), "\n"), "\n")
	shown := lists.Map(lists.First(lines, most), func(line string) string { return comment.Clip(line, width) })
	if left := len(lines) - len(shown); left > 0 {
		shown = append(shown, "… and "+Count(left, "more line"))
	}
	return strings.Join(shown, "\n")
}

// shortCommit is the beginning of a commit id, enough for people. The JSON has all of it.
func shortCommit(id string) string {
	if len(id) == 40 || len(id) == 64 {
		id = id[:7]
	}
	return OneLine(id)
}

// Scope is the first line: the scope and the mode of the review.
func Scope(e Envelope) string {
	about := Wrapped("target ", OneLine(string(e.Target)), "")
	if e.Inquiry != nil {
		about = "framing " + OneLine(string(e.Inquiry.Framing))
	}
	parts := Present(OneLine(cmp.Or(e.ScopeShort, e.Scope)), Wrapped("mode ", OneLine(string(e.Mode)), ""), about)
	return strings.Join(parts, ", ")
}

// Size is how much was changed, or shown with a question.
func Size(e Envelope) string {
	if e.Inquiry != nil {
		return Count(e.Stats.Files, "file") + " shown"
	}
	return fmt.Sprintf("%s, +%d -%d", Count(e.Stats.Files, "file"), e.Stats.Additions, e.Stats.Deletions)
}

// Figures are the size of the change, the scope of a run on the command line, and the cost.
func Figures(e Envelope) []Titled {
	files, scope, cost := "Changed", "", ""
	if e.Inquiry != nil {
		files = "Files"
	}
	if e.About.PullRequest == 0 {
		scope = Scope(e)
	}
	if e.Stats.Calls > 0 {
		cost = Spent(e) + ", " + Count(e.Stats.Calls, "call")
	}
	return Texts(files, Size(e), "Scope", scope, "Cost", cost)
}

// Severities explains the three severities.
const Severities = "P1 breaks something, P2 should be fixed, P3 is optional"

// inQuotes is the words of a speaker, in quotation marks; "" for none.
func inQuotes(text string) string {
	if text == "" {
		return ""
	}
	return "\"" + strings.TrimSuffix(OneLine(flowing(text)), ".") + "\""
}

// flowing is a text without its line breaks and the marks of its blocks of code.
func flowing(text string) string {
	parts := lists.Map(comment.Parts(text), func(p comment.Part) string { return p.Text })
	isBlank := func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) } // others are made visible
	return strings.Join(strings.FieldsFunc(strings.Join(parts, " "), isBlank), " ")
}

// Span is a part of a text, as code or as it is.
type Span struct {
	Text string
	Code bool
}

// Spans splits a text: a fenced block is code, and so is the text between two backticks of a line.
func Spans(text string) []Span {
	var all []Span
	for i, part := range comment.Parts(text) {
		if i > 0 {
			all = append(all, Span{"\n", false})
		}
		if part.Code {
			all = append(all, Span{part.Text, true})
			continue
		}
		for line := range strings.Lines(part.Text) {
			parts := strings.Split(line, "`")
			if len(parts)%2 == 0 { // one has no end
				parts = []string{line}
			}
			for i, part := range parts {
				if part != "" {
					all = append(all, Span{part, i%2 == 1})
				}
			}
		}
	}
	return all
}

// ended is the end mark missing at the end of a text.
func ended(text string) string {
	if text = strings.TrimSpace(text); strings.HasSuffix(text, "…") || text != "" && strings.Contains(".?!", text[len(text)-1:]) {
		return ""
	}
	return "."
}

// upperFirst is a sentence of ours with a capital letter. It must not begin with the name of a
// model: names keep their first letter.
func upperFirst(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// sentence is a text on one line with an end mark, "" for none.
func sentence(text string) string {
	text = ClipLine(text, maxSentence)
	return Wrapped("", text, ended(text))
}

// sentences joins the texts that are not empty, each with a full stop.
func sentences(list ...string) string {
	return strings.Join(lists.Map(Present(list...), func(s string) string { return s + "." }), " ")
}

// BoundedText is a text with line breaks, bounded before and after its invisible characters are
// made visible.
func BoundedText(s string, most int) string {
	return comment.Clip(comment.Terminal(comment.Clip(s, most)), most)
}

// UpTo are at most so many entries of a list, and how many more there are.
func UpTo(most int, list []string) []string {
	if more := len(list) - most; more > 0 {
		return append(slices.Clone(list[:most]), fmt.Sprintf("and %d more", more))
	}
	return list
}

// Present has the texts of a list that are not empty.
func Present(list ...string) []string {
	return lists.Keep(list, func(text string) bool { return text != "" })
}

// Wrapped is a text between two others, "" of none.
func Wrapped(before, text, after string) string {
	if text == "" {
		return ""
	}
	return before + text + after
}

// others are the members of some lists, in order, each once, without one of them.
func others(but string, lists ...[]string) []string {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool { return name == but })
}

// maxInWords bounds a list inside of a sentence.
const maxInWords = 3

// enumerated joins names as a sentence does: "claude, gemini and gpt". It counts those after the
// third one.
func enumerated(names []string) string {
	names = lists.Map(names, OneLine)
	last := min(len(names)-1, maxInWords)
	switch {
	case last < 1:
		return strings.Join(names, "")
	case len(names) > maxInWords:
		return strings.Join(names[:last], ", ") + fmt.Sprintf(" and %d more", len(names)-maxInWords)
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Capped joins at most maxListed entries, each on one line.
func Capped(entries []string, separator string) string {
	return strings.Join(lists.Map(UpTo(MaxListed, entries), OneLine), separator)
}

// Count is a number with its noun.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// clippedLines are as many lines as fit, and how many more there are.
func clippedLines(text string, room int) string {
	if len(text) <= room {
		return text
	}
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	var b strings.Builder
	for i, line := range lines {
		if b.Len()+len(line) > room {
			fmt.Fprintf(&b, "\nand %d more\n", len(lines)-i)
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// USD is an amount in millionths of a US dollar. In JSON it is a number of
// dollars with at most six decimals, written and read without rounding.
type USD int64

const dollar = 1_000_000

// Rounded is the amount for people, with its currency sign: in cents, rounded up, or in tenths of
// a cent if it is less than one.
func (u USD) Rounded() string {
	const cent, tenth = dollar / 100, dollar / 1000
	if 0 < u && u <= 9*tenth {
		return fmt.Sprintf("$0.%03d", (u+tenth-1)/tenth)
	}
	cents := (max(u, 0) + cent - 1) / cent
	return fmt.Sprintf("$%d.%02d", cents/100, cents%100)
}

// Cost is an amount for people; an unknown price is not nothing.
func Cost(amount USD, unknown bool) string {
	switch {
	case !unknown:
		return amount.Rounded()
	case amount == 0:
		return "cost unknown"
	}
	return "at least " + amount.Rounded()
}

// Spent is the cost and the time of a review.
func Spent(e Envelope) string {
	return Cost(e.Stats.CostUSD, e.Stats.CostUnknown) + ", " + Took(e.Stats.DurationMS)
}

// Took is a time for people.
func Took(ms int64) string {
	seconds := (ms + 500) / 1000
	if seconds >= 120 {
		return fmt.Sprintf("%d min", (seconds+30)/60)
	}
	return fmt.Sprintf("%d s", seconds)
}

// MarshalJSON writes the shortest exact number.
func (u USD) MarshalJSON() ([]byte, error) {
	sign, n := "", uint64(u)
	if u < 0 {
		sign, n = "-", -n
	}
	text := fmt.Sprintf("%s%d.%06d", sign, n/dollar, n%dollar)
	return []byte(strings.TrimSuffix(strings.TrimRight(text, "0"), ".")), nil
}

// UnmarshalJSON reads a number written by MarshalJSON.
func (u *USD) UnmarshalJSON(data []byte) error {
	whole, part, _ := strings.Cut(string(data), ".")
	if len(part) > 6 {
		return fmt.Errorf("amount %s has more than six decimals", data)
	}
	n, err := strconv.ParseInt(whole+part+strings.Repeat("0", 6-len(part)), 10, 64)
	if err != nil {
		return fmt.Errorf("amount %s: %w", data, err)
	}
	*u = USD(n)
	return nil
}
