package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/policy"
)

// snippetPath is the name of a snippet in its change.
const snippetPath = "snippet"

// binaryProbe is the number of bytes in which git looks for a NUL to recognize a binary
// file.
const binaryProbe = 8000

// FromSnippet makes a snapshot of some bytes as one new file named "snippet". It
// needs no repository. More than 16 MiB are a LimitError.
func FromSnippet(content []byte) (*Snapshot, error) {
	if len(content) > bigFile {
		return nil, limitError("more than %d MiB of snippet: pass a part of it", bigFile>>20)
	}
	text, listing := addedFile(snippetPath, content)
	change := patch.Alone(patch.Parse(text, listing))
	change.Blob = func(path string, side debate.Side) ([]byte, bool) {
		if path != snippetPath || side != debate.Right || len(content) > blobLimit {
			return nil, false
		}
		return content, true
	}
	return &Snapshot{Scope: debate.ScopeSnippet, Hash: hash(string(Snippet), nil, text), Change: change}, nil
}

// FromPatch makes a snapshot of the text of a diff. It needs no repository, and
// knows no files: Blob is never ok. More than 128 MiB are a LimitError.
func FromPatch(text []byte) (*Snapshot, error) {
	if len(text) > diffLimit {
		return nil, limitError("more than %d MiB of patch: split it", diffLimit>>20)
	}
	text = patch.Plain(text)
	change := patch.Alone(patch.Parse(text, nil))
	change.Set.Unfold(change.Blob, policy.TakesEffect)
	return &Snapshot{
		Scope:  debate.ScopeSnippet,
		Notes:  []string{"a patch from outside the repository: whole files and the base are not known"},
		Hash:   hash(string(Patch), nil, text),
		Change: change,
	}, nil
}

// addedFile writes git's diff of a new file.
func addedFile(path string, content []byte) ([]byte, []patch.Entry) {
	entry := patch.Entry{NewPath: path, NewMode: patch.TypeRegular | 0o644, Status: patch.Added}
	var b bytes.Buffer
	fmt.Fprintf(&b, "diff --git a/%s b/%s\nnew file mode %o\n", path, path, entry.NewMode)
	switch {
	case len(content) == 0:
	case bytes.IndexByte(content[:min(len(content), binaryProbe)], 0) >= 0:
		entry.BinaryByGit = true
		fmt.Fprintf(&b, "Binary files /dev/null and b/%s differ\n", path)
	default:
		for range bytes.Lines(content) {
			entry.Additions++
		}
		count := fmt.Sprintf("1,%d", entry.Additions)
		if entry.Additions == 1 {
			count = "1"
		}
		fmt.Fprintf(&b, "--- /dev/null\n+++ b/%s\n@@ -0,0 +%s @@\n", path, count)
		for line := range bytes.Lines(content) {
			b.WriteByte('+')
			b.Write(line)
		}
		if !bytes.HasSuffix(content, []byte("\n")) {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
	return b.Bytes(), []patch.Entry{entry}
}

// FromFiles makes a snapshot of a patch applied to some files, as if they were the
// whole repository at the base. Paths are relative to its top, with slashes. It reads
// and writes no repository. The context must live as long as the snapshot is read.
//
// A FileError reports a path that no repository can hold.
func FromFiles(ctx context.Context, files map[string][]byte, patch []byte) (*Snapshot, error) {
	if len(patch) > diffLimit {
		return nil, limitError("more than %d MiB of patch: split it", diffLimit>>20)
	}
	stream, err := importOf(files)
	if err != nil {
		return nil, err
	}
	git, err := findGit(ctx)
	if err != nil {
		return nil, err
	}
	repo := &Repo{git: git, format: objectFormats["sha1"]}
	shadow, err := repo.newShadow()
	if err != nil {
		return nil, err
	}
	t := &builder{repo: repo, shadow: shadow, objects: shadow.objects(ctx)}
	at, err := t.patchedSides(ctx, stream, patch)
	if err != nil {
		shadow.remove()
		return nil, err
	}
	snapshot, err := t.snapshotOf(ctx, Patch, at)
	if err != nil {
		_ = t.objects.close()
		shadow.remove()
	}
	return snapshot, err
}

// importOf is a commit of some files as git fast-import reads it.
func importOf(files map[string][]byte) ([]byte, error) {
	var b bytes.Buffer
	total := 0
	b.WriteString("commit refs/heads/frozen\ncommitter - <> 0 +0000\ndata 0\n")
	for _, path := range slices.Sorted(maps.Keys(files)) {
		isGits := func(part string) bool { return strings.EqualFold(part, ".git") }
		if !fs.ValidPath(path) || path == "." || slices.ContainsFunc(strings.Split(path, "/"), isGits) {
			return nil, &FileError{Path: path, Reason: "is no path of a repository"}
		}
		if total += len(files[path]); total > frozenLimit {
			return nil, limitError("more than %d MiB of files: leave out large ones", frozenLimit>>20)
		}
		fmt.Fprintf(&b, "M 100644 inline %s\ndata %d\n", patch.Quote(path), len(files[path]))
		b.Write(files[path])
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

// patchedSides writes the files of a stream as the base, and the patched files as the
// head.
func (t *builder) patchedSides(ctx context.Context, stream, patch []byte) (sides, error) {
	const branch = "refs/heads/frozen"
	if _, err := t.shadow.run(ctx, bytes.NewReader(stream), listingLimit, "fast-import", "--quiet"); err != nil {
		return sides{}, err
	}
	base, err := t.shadow.run(ctx, nil, listingLimit, "rev-parse", "--verify", branch+"^{tree}")
	if err != nil {
		return sides{}, err
	}
	at := sides{scope: debate.ScopeSnippet, baseTree: strings.TrimSpace(string(base.stdout))}
	if _, err := t.shadow.run(ctx, nil, listingLimit, "read-tree", at.baseTree); err != nil {
		return sides{}, err
	}
	_, err = t.shadow.run(ctx, bytes.NewReader(patch), listingLimit, "apply", "--cached", "--whitespace=nowarn", "-")
	var failed *CommandError
	if errors.As(err, &failed) {
		return sides{}, errors.New("the patch does not fit the files: " + failed.Message)
	}
	if err != nil {
		return sides{}, err
	}
	at.headTree, err = t.shadow.writeTree(ctx)
	return at, err
}
