// Package text cuts and flattens texts of other people and models.
package text

import "strings"

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
