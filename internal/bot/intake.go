package bot

import (
	"errors"
	"io"
	"sync/atomic"
)

// maxHeld bounds the memory for all deliveries being read, in bytes: anyone can send one,
// and its signature is checked only at its end. GitHub's own have some kilobytes.
const maxHeld = 64 << 20

// errFull ends a body if there is no room for it.
var errFull = errors.New("too much is being delivered at once")

// intake counts the bytes of the bodies in memory.
type intake struct{ held atomic.Int64 }

// body counts a body while it is read; the hook subtracts it at the end.
type body struct {
	from  io.Reader
	in    *intake
	bytes int64
}

// Read reads on, unless there is no room for more.
func (b *body) Read(into []byte) (int, error) {
	n, err := b.from.Read(into)
	b.bytes += int64(n)
	if b.in.held.Add(int64(n)) > maxHeld {
		return n, errFull
	}
	return n, err
}
