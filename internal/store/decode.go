package store

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Decode reads a whole log line by line and checks its chain. A log with a
// defect gives an error and an empty record: nothing of it is adopted.
func Decode(r io.Reader) (Record, error) {
	var rec Record
	in := bufio.NewReaderSize(r, 64<<10)
	var text []byte
	for n := 1; ; n++ {
		var err error
		text, err = readLine(in, text[:0], n)
		if errors.Is(err, io.EOF) {
			rec.Torn = len(text) > 0
			break
		}
		if err != nil {
			return Record{}, err
		}
		next := rec.end.behind(text)
		if next.size > MaxRecord || next.values > MaxValues {
			return Record{}, &CorruptError{Line: n, Why: fmt.Sprintf("the record is too large: at most %d bytes and %d values are read", MaxRecord, MaxValues)}
		}
		if n == 1 {
			err = decodeHeader(text)
		} else if entry, lineErr := decodeLine(text, n, rec.Last); lineErr == nil {
			rec.Entries = append(rec.Entries, entry)
		} else if isTorn(text, in) {
			rec.Torn = true
			break
		} else {
			err = lineErr
		}
		if err != nil {
			return Record{}, err
		}
		next.n = len(rec.Entries)
		rec.Last, rec.end = next.last, next
	}
	if rec.end.size == 0 {
		return Record{}, &CorruptError{Line: 1, Why: "this is no record of a debate"}
	}
	return rec, nil
}

// readLine appends the next line without its newline to text. An end of the file
// in front of the newline is io.EOF.
func readLine(in *bufio.Reader, text []byte, n int) ([]byte, error) {
	for {
		part, err := in.ReadSlice('\n')
		text = append(text, part...)
		if len(text) > MaxLine+1 {
			return nil, &CorruptError{Line: n, Why: fmt.Sprintf("the line is longer than %d bytes", MaxLine)}
		}
		if err == nil {
			return text[:len(text)-1], nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, err
		}
	}
}

// isTorn reports whether a power cut tore the last line: a block that never reached the
// disk reads as zeros, even if a later one did reach it. No valid line has a zero byte,
// because JSON escapes it. Zeros after a whole line do not belong to its append.
func isTorn(text []byte, in *bufio.Reader) bool {
	_, err := in.Peek(1)
	start, _, zeros := bytes.Cut(text, []byte{0})
	return zeros && errors.Is(err, io.EOF) && !hasChecksum(start)
}
