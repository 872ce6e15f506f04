// Package text cuts and flattens texts of other people and models.
package text

import (
	"strings"
	"unicode"
)

const maxMessage = 300 // bytes

// Clip cuts a text at a number of bytes, between two characters, and marks the cut.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	cut := most
	for cut > 0 && text[cut]&0xC0 == 0x80 {
		cut--
	}
	return text[:cut] + "…"
}

// OneLine is a text without line breaks and repeated white space.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Message is a text from outside as a part of a message: one short line without control
// characters.
func Message(text string) string {
	printable := func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}
	return Clip(OneLine(strings.Map(printable, strings.ToValidUTF8(text, "?"))), maxMessage)
}
