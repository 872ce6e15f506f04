package store

import "github.com/prdebate/debate/internal/debate"

// Chain is the end of a record, for its next line. Begin makes the chain of a new record,
// Record.End that of a read one. Every backend stores the lines of a chain, so a record has
// the same bytes everywhere.
type Chain struct {
	n      int    // events
	last   string // digest of the last line
	size   int64  // bytes of all lines with their newlines
	values int    // JSON values of all lines
}

// Begin returns the first line of a new record, without its newline, and the chain
// behind it.
func Begin() (header []byte, c Chain, err error) {
	header, err = encodeHeader()
	return header, Chain{}.behind(header), err
}

// Next returns the line of an entry, without its newline, and the chain behind it. It
// returns a *ConflictError for a wrong number.
func (c Chain) Next(e debate.Entry) (line []byte, next Chain, err error) {
	if e.N != c.n+1 {
		return nil, c, &ConflictError{Expected: e.N - 1, Actual: c.n}
	}
	if line, err = encodeLine(e, c.last); err != nil {
		return nil, c, err
	}
	next = c.behind(line)
	next.n = e.N
	if next.size > MaxRecord || next.values > MaxValues {
		return nil, c, tooLarge(e, "all events together have at most %d bytes and %d values", MaxRecord, MaxValues)
	}
	return line, next, nil
}

// Len is the number of events.
func (c Chain) Len() int { return c.n }

// Last is the digest of the last line.
func (c Chain) Last() string { return c.last }

// behind returns the chain after one more line, an event or the header.
func (c Chain) behind(line []byte) Chain {
	return Chain{n: c.n, last: digest(line), size: c.size + int64(len(line)) + 1, values: c.values + values(line)}
}
