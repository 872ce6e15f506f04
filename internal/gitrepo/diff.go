package gitrepo

import (
	"bytes"
	"context"
	"errors"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// diffLimit is the maximum size in bytes of a diff.
const diffLimit = 128 << 20

// diffArgs ask for three views of one difference at once. The shadow has no setting or
// attribute to change them; the options make sure.
var diffArgs = []string{"diff-tree", "-r", "-z", "--raw", "--numstat", "--patch", "--full-index",
	"--find-renames", "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative", "--unified=3",
	"--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", "--ignore-submodules=none", "--end-of-options"}

// diff is git's answer: the list of names and modes, the list of counts, and the text.
type diff struct{ raw, numstat, text []byte }

// diff compares two trees.
func (s *shadow) diff(ctx context.Context, base, head string) (diff, error) {
	out, err := s.run(ctx, nil, diffLimit, append(diffArgs[:len(diffArgs):len(diffArgs)], base, head)...)
	var tooLarge *LimitError
	if errors.As(err, &tooLarge) {
		return diff{}, &LimitError{What: "difference", Limit: diffLimit, Unit: "bytes", Do: "review a smaller range, or one commit at a time"}
	}
	if err != nil {
		return diff{}, err
	}
	return splitDiff(out.stdout)
}

// splitDiff cuts the output of diffArgs: entries that begin with a colon, counts,
// an empty field, text.
func splitDiff(out []byte) (diff, error) {
	rest, ok := out, true
	for bytes.HasPrefix(rest, []byte(":")) {
		fields := 2 // the header and a name
		if header, _, _ := bytes.Cut(rest, nul); twoNames().Match(header) {
			fields++
		}
		rest, ok = skip(rest, fields)
	}
	counts := rest
	for len(rest) > 0 && rest[0] != 0 {
		fields := 1
		if counted, _, _ := bytes.Cut(rest, nul); noName().Match(counted) {
			fields += 2
		}
		rest, ok = skip(rest, fields)
	}
	if !ok {
		return diff{}, errors.New("git diff-tree: the output ends too early")
	}
	return diff{raw: out[:len(out)-len(counts)], numstat: counts[:len(counts)-len(rest)], text: bytes.TrimPrefix(rest, nul)}, nil
}

var (
	nul      = []byte{0}
	twoNames = lazyregexp.New(` [RC][^ ]*$`)        // a status
	noName   = lazyregexp.New(`^[^\t]*\t[^\t]*\t$`) // "ADDED\tDELETED\t" of a rename, followed by its names
)

// skip skips NUL-terminated fields. If there are too few, nothing is left.
func skip(b []byte, fields int) (rest []byte, ok bool) {
	for range fields {
		if _, b, ok = bytes.Cut(b, nul); !ok {
			return nil, false
		}
	}
	return b, true
}
