package bot

import (
	"errors"
	"io"
	"sync/atomic"
)

// maxHeld bounds what all deliveries that are being read hold in memory, in bytes: anybody
// can send one, and it is known to be none of GitHub's only when it has come whole. GitHub's
// own are some kilobytes each.
const maxHeld = 64 << 20

// errFull is the end of a body that there is no room for.
var errFull = errors.New("too much is being delivered at once")

// intake is the bodies that are in memory.
type intake struct{ held atomic.Int64 }

// body counts a body while it is read, and until it is released.
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

func (b *body) release() { b.in.held.Add(-b.bytes) }
