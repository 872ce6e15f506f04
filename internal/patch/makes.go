package patch

import (
	"bytes"
	"slices"
)

// Makes reports whether the hunks of a file turn one text into another, so that they have every
// changed line.
func (f *File) Makes(before, after []byte) bool {
	rest := slices.Collect(bytes.Lines(before))
	var made bytes.Buffer
	made.Grow(len(after))
	at := 1 // the number of the first line of rest
	for _, h := range f.Hunks {
		start := firstLine(h.OldStart, h.OldLines)
		kept := start - at
		if kept < 0 || kept > len(rest) {
			return false
		}
		made.Write(bytes.Join(rest[:kept], nil))
		rest, at = rest[kept:], start
		for i := range h.Lines {
			l := &h.Lines[i]
			text := []byte(l.Text)
			if !l.NoEOL {
				text = append(text, '\n')
			}
			if l.Op != '+' {
				if len(rest) == 0 || !bytes.Equal(rest[0], text) {
					return false
				}
				rest = rest[1:]
				at++
			}
			if l.Op != '-' {
				made.Write(text)
			}
		}
	}
	made.Write(bytes.Join(rest, nil))
	return bytes.Equal(made.Bytes(), after)
}
