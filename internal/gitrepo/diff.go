package gitrepo

import (
	"bytes"
	"context"
	"errors"
)

// diffLimit is the size in bytes of a whole diff that is read.
const diffLimit = 128 << 20

// diffArgs ask for the three views of one difference at once. The shadow has no
// setting or attribute that could change them; the options say so once more.
var diffArgs = []string{"diff-tree", "-r", "-z", "--raw", "--numstat", "--patch", "--full-index",
	"--find-renames", "--no-color", "--no-ext-diff", "--no-textconv", "--no-relative", "--unified=3",
	"--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", "--ignore-submodules=none", "--end-of-options"}

// diff is git's answer: the listing of names and modes, that of the counts, and
// the text.
type diff struct{ raw, numstat, text []byte }

// diff compares two trees.
func (s *shadow) diff(ctx context.Context, base, head string) (diff, error) {
	out, err := s.run(ctx, nil, diffLimit, append(diffArgs[:len(diffArgs):len(diffArgs)], base, head)...)
	var tooLarge *LimitError
	if errors.As(err, &tooLarge) {
		return diff{}, &LimitError{What: "difference", Limit: diffLimit, Unit: "bytes", Do: "review a smaller range, or one commit at a time"}
	}
	if err != nil {
		return diff{}, s.failed(err, out.stderr)
	}
	return splitDiff(out.stdout)
}

// splitDiff cuts the output of diffArgs: entries that begin with a colon, counts,
// an empty field, text.
func splitDiff(out []byte) (diff, error) {
	rest := out
	for len(rest) > 0 && rest[0] == ':' {
		header, after, ok := cutField(rest)
		if !ok {
			return diff{}, errDiffOutput
		}
		names := 1
		if status := header[bytes.LastIndexByte(header, ' ')+1:]; len(status) > 0 && (status[0] == 'R' || status[0] == 'C') {
			names = 2
		}
		for range names {
			if _, after, ok = cutField(after); !ok {
				return diff{}, errDiffOutput
			}
		}
		rest = after
	}
	d := diff{raw: out[:len(out)-len(rest)]}
	counts := rest
	for len(rest) > 0 && rest[0] != 0 {
		field, after, ok := cutField(rest)
		if !ok {
			return diff{}, errDiffOutput
		}
		// "ADDED\tDELETED\tPATH", or no path and two fields for a rename.
		if bytes.Count(field, []byte{'\t'}) == 2 && field[len(field)-1] == '\t' {
			for range 2 {
				if _, after, ok = cutField(after); !ok {
					return diff{}, errDiffOutput
				}
			}
		}
		rest = after
	}
	d.numstat = counts[:len(counts)-len(rest)]
	d.text = bytes.TrimPrefix(rest, []byte{0})
	return d, nil
}

var errDiffOutput = errors.New("git diff-tree: the output ends too early")

func cutField(b []byte) (field, rest []byte, ok bool) { return bytes.Cut(b, []byte{0}) }
