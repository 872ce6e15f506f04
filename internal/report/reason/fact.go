package reason

import (
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// Fact is one line about a fact as the record has it: kind, actor, subjects, code, words,
// citations and reason.
func Fact(f debate.Fact) string {
	text := strings.Join(strings.Fields(strings.Join([]string{string(f.Kind), f.Who, f.About, f.Other, f.Code}, " ")), " ")
	if f.Text != "" {
		text += ": " + strconv.Quote(clipped(f.Text, 120))
	}
	for _, e := range f.Cites {
		if at := e.Cite.String(); e.Cite.Path != "" {
			text += ", " + at
		}
	}
	if why := Sentence(f.Why); why != "" {
		text += "; " + clipped(why, 120)
	}
	return text
}

// clipped is one line of a text.
func clipped(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
