package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"io/fs"

	"github.com/prdebate/debate/internal/patch"
)

// diffLimit is the maximum size in bytes of a diff.
const diffLimit = 128 << 20

// diffArgs ask for one view of a difference. The shadow has no setting or attribute to change
// it; the options make sure.
var diffArgs = []string{"diff-tree", "-r", "-z", "--full-index", "--find-renames", "--no-color", "--no-ext-diff",
	"--no-textconv", "--no-relative", "--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", "--ignore-submodules=none"}

// diff is git's answer: the list of names and modes, the list of counts, and the text.
type diff struct{ raw, numstat, text []byte }

// diff compares two trees.
func (s *shadow) diff(ctx context.Context, base, head string) (d diff, err error) {
	for _, view := range []struct {
		option string
		out    *[]byte
	}{{"--raw", &d.raw}, {"--numstat", &d.numstat}, {"--unified=3", &d.text}} {
		out, err := s.run(ctx, nil, diffLimit, append(diffArgs[:len(diffArgs):len(diffArgs)], view.option, "--end-of-options", base, head)...)
		if errors.As(err, new(*LimitError)) {
			return diff{}, limitError("more than %d MiB of difference: review a smaller range, or one commit at a time", diffLimit>>20)
		}
		if err != nil {
			return diff{}, err
		}
		*view.out = out.stdout
	}
	return d, nil
}

var nul = []byte{0}

// tooLargeForText is the reason for a large text file without lines.
const tooLargeForText = "it is larger than 16 MiB"

// notFound is the reason for a listed file that cannot be read. Only a forged tree has
// one, with a slash in a name or with one name twice.
const notFound = "its name does not lead to it"

// findLargeText finds the files that git calls binary only because they are larger than
// bigFile. They are unread text, not binary files: a change must not hide code by its
// size.
func (t *builder) findLargeText(at sides, set *patch.Set) error {
	for _, f := range set.Files {
		if f.Kind != patch.Binary || f.Unparsed != "" {
			continue
		}
		for _, side := range []struct{ tree, path string }{{at.baseTree, f.OldPath}, {at.headTree, f.NewPath}} {
			if side.path == "" {
				continue
			}
			entry, err := t.objects.lookup(side.tree, side.path)
			if errors.Is(err, fs.ErrNotExist) {
				f.Unparsed = notFound
				break
			}
			if err != nil {
				return t.objects.missingError("", err)
			}
			content, err := t.objects.read(entry.id, "blob", bigFile)
			switch {
			case errors.Is(err, errTooLarge):
				if bytes.IndexByte(content[:binaryProbe], 0) < 0 {
					f.Unparsed = tooLargeForText
				}
			case err != nil:
				return t.objects.missingError(entry.id, err)
			}
		}
	}
	return nil
}
