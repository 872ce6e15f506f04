package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// upTo are at most so many entries of a list, and how many more there are.
func upTo(most int, list []string) []string {
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

// once is a list without repetitions: several chunks of a change often draw the same words from a
// party.
func once(list []string) []string {
	seen := make(map[string]bool, len(list))
	var out []string
	for _, text := range list {
		if !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

// Capped joins at most maxListed entries, each on one line.
func Capped(entries []string, separator string) string {
	return strings.Join(lists.Map(upTo(MaxListed, entries), OneLine), separator)
}

// inWords joins the members of a list in a sentence, and counts those after the third one.
func inWords(entries []string, separator string) string {
	return strings.Join(lists.Map(upTo(maxInWords, entries), OneLine), separator)
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
