package gitrepo

import (
	"bytes"
	"fmt"

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
		return nil, &LimitError{What: "snippet", Limit: bigFile, Unit: "bytes", Do: "pass a part of it"}
	}
	text, listing := addedFile(snippetPath, content)
	change := patch.Alone(patch.Parse(text, listing))
	change.Blob = func(path string, side debate.Side) ([]byte, bool) {
		if path != snippetPath || side != debate.Right || len(content) > blobLimit {
			return nil, false
		}
		return content, true
	}
	return &Snapshot{Scope: "snippet", Hash: hash(string(Snippet), nil, text), Change: change}, nil
}

// FromPatch makes a snapshot of the text of a diff. It needs no repository, and
// knows no files: Blob is never ok. More than 128 MiB are a LimitError.
func FromPatch(text []byte) (*Snapshot, error) {
	if len(text) > diffLimit {
		return nil, &LimitError{What: "patch", Limit: diffLimit, Unit: "bytes", Do: "split it"}
	}
	text = patch.Plain(text)
	change := patch.Alone(patch.Parse(text, nil))
	change.Set.Unfold(change.Blob, policy.TakesEffect)
	return &Snapshot{
		Scope:  "snippet",
		Notes:  []string{"a patch from outside the repository: whole files and the base are not known"},
		Hash:   hash(string(Patch), nil, text),
		Change: change,
	}, nil
}

// addedFile writes git's diff of a new file.
func addedFile(path string, content []byte) ([]byte, []patch.Entry) {
	entry := patch.Entry{NewPath: path, NewMode: modeRegular | 0o644, Status: patch.Added}
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
