package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/patch"
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

// probeLimit is the maximum number of large files to probe.
const probeLimit = 64

// tooLargeForText is the reason for a large text file without lines.
const tooLargeForText = "it is larger than 16 MiB"

// notFound is the reason for a listed file that cannot be read. Only a forged tree has
// one, with a slash in a name or with one name twice.
const notFound = "its name does not lead to it"

// findLargeText finds the files that git calls binary only because they are larger than
// bigFile. They are unread text, not binary files: a change must not hide code by its
// size.
func (t *builder) findLargeText(ctx context.Context, at sides, set *patch.Set) error {
	var files []*patch.File // one for each id
	var ids []string
	for _, f := range set.Files {
		found, err := t.binaries(at, f)
		if err != nil {
			return err
		}
		for _, id := range found {
			files, ids = append(files, f), append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	sizes, err := t.shadow.sizes(ctx, ids)
	if err != nil {
		return err
	}
	probes := 0
	for i, f := range files {
		if sizes[i] <= bigFile || f.Unparsed != "" {
			continue
		}
		isBinary := false
		if probes++; probes <= probeLimit {
			if isBinary, err = t.isBinary(ids[i]); err != nil {
				return err
			}
		}
		if !isBinary {
			f.Unparsed = tooLargeForText
		}
	}
	return nil
}

// binaries returns the ids of the sides of a file that git calls binary.
func (t *builder) binaries(at sides, f *patch.File) (ids []string, err error) {
	if f.Kind != patch.Binary || f.Unparsed != "" {
		return nil, nil
	}
	for _, side := range []struct{ tree, path string }{{at.baseTree, f.OldPath}, {at.headTree, f.NewPath}} {
		if side.path == "" {
			continue
		}
		entry, err := t.objects.lookup(side.tree, side.path)
		if errors.Is(err, fs.ErrNotExist) {
			f.Unparsed = notFound
			return ids, nil
		}
		if err != nil {
			return nil, t.objects.missingError("", err)
		}
		ids = append(ids, entry.id)
	}
	return ids, nil
}

// isBinary looks for a NUL at the place where git does.
func (t *builder) isBinary(id string) (bool, error) {
	head, err := t.objects.read(id, "blob", binaryProbe)
	if err != nil && !errors.Is(err, errTooLarge) {
		return false, t.objects.missingError(id, err)
	}
	return bytes.IndexByte(head, 0) >= 0, nil
}

// sizes returns the size in bytes of each object, -1 for a missing one.
func (s *shadow) sizes(ctx context.Context, ids []string) ([]int64, error) {
	list := strings.Join(ids, "\n") + "\n"
	out, err := s.run(ctx, strings.NewReader(list), listingLimit, "cat-file", "--batch-check=%(objectsize)")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(out.stdout), "\n"), "\n")
	if len(lines) != len(ids) {
		return nil, fmt.Errorf("git cat-file: %d answers to %d questions", len(lines), len(ids))
	}
	sizes := make([]int64, len(ids))
	for i, line := range lines {
		if sizes[i], err = strconv.ParseInt(line, 10, 64); err != nil {
			sizes[i] = -1
		}
	}
	return sizes, nil
}
