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

// items is a list in Markdown.
func items(entries []string) string {
	var b strings.Builder
	for _, entry := range entries {
		b.WriteString("- " + entry + "\n")
	}
	return b.String()
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
