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
		left, ok := h.make(&made, rest)
		if !ok {
			return false
		}
		at += len(rest) - len(left)
		rest = left
	}
	made.Write(bytes.Join(rest, nil))
	return bytes.Equal(made.Bytes(), after)
}

// make applies a hunk to the lines at its place and returns the lines after it. ok is false if the
// lines differ from the hunk's.
func (h *Hunk) make(to *bytes.Buffer, from [][]byte) (left [][]byte, ok bool) {
	for i := range h.Lines {
		l := &h.Lines[i]
		text := append([]byte(l.Text), '\n')
		if l.NoEOL {
			text = text[:len(text)-1]
		}
		if l.Op != '+' {
			if len(from) == 0 || !bytes.Equal(from[0], text) {
				return nil, false
			}
			from = from[1:]
		}
		if l.Op != '-' {
			to.Write(text)
		}
	}
	return from, true
}
