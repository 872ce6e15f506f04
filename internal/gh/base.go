package gh

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/debate"
)

// blobsAtOnce limits the files of one query.
const blobsAtOnce = 100

// entryFields are of an entry of a tree with its blob.
const entryFields = `{ mode oid object ` + blobFields + ` }`

// wireSide is a file at one side of a change.
type wireSide struct {
	wireFile
	OID string
}

// object returns the blob of an entry of any mode, else nil.
func (w *wireSide) object() *wireBlob {
	if w == nil || w.Object.Typename != "Blob" {
		return nil
	}
	return &w.Object
}

// blob returns the blob of a regular file, else nil.
func (w *wireSide) blob() *wireBlob {
	if w == nil {
		return nil
	}
	return w.wireFile.blob()
}

// entries reads files at the two sides of a change, nil for a missing file. It leaves
// out paths that a query cannot name. For a pull request (0: none) it also returns the
// number of changed files.
func (r *Reader) entries(ctx context.Context, what, base, head string, sides []sidePath, number int) (found map[sidePath]*wireSide, changed int, err error) {
	named := make([]sidePath, 0, len(sides))
	for _, at := range sides {
		if plainPath(at.path) && utf8.ValidString(at.path) {
			named = append(named, at)
		}
	}
	found = make(map[sidePath]*wireSide, len(named))
	var read func(part []sidePath) error
	read = func(part []sidePath) error {
		document, v := entriesQuery(base, head, part, number)
		v["owner"], v["name"] = r.sender.options.Owner, r.sender.options.Repo
		var data struct {
			Repository struct {
				Base, Head map[string]*wireSide
				Pull       *struct{ ChangedFiles int }
			}
		}
		err := r.sender.query(ctx, what, document, v, &data)
		if errors.As(err, new(*UnavailableError)) && len(part) > 1 { // it may be too much at once
			half := len(part) / 2
			if err := read(part[:half]); err != nil {
				return err
			}
			return read(part[half:])
		}
		if err != nil {
			return err
		}
		if data.Repository.Pull != nil {
			changed = data.Repository.Pull.ChangedFiles
		}
		for i, at := range part {
			commit := data.Repository.Head
			if at.side == debate.Left {
				commit = data.Repository.Base
			}
			found[at] = commit[fmt.Sprintf("b%d", i)]
		}
		return nil
	}
	for part := range slices.Chunk(named, blobsAtOnce) {
		if err := read(part); err != nil {
			return nil, 0, err
		}
	}
	return found, changed, nil
}

// entriesQuery asks for entries of the two commits. Each path is a variable $e0, $e1 and
// so on, and each answer is named b0, b1 and so on.
func entriesQuery(base, head string, sides []sidePath, number int) (document string, v variables) {
	v = variables{}
	var declared, left, right, within strings.Builder
	for i, at := range sides {
		to := &right
		if at.side == debate.Left {
			to = &left
		}
		v[fmt.Sprintf("e%d", i)] = at.path
		fmt.Fprintf(&declared, ", $e%d: String!", i)
		fmt.Fprintf(to, "    b%d: file(path: $e%d) %s\n", i, i, entryFields)
	}
	add := func(name, commit string, fields *strings.Builder) {
		if fields.Len() == 0 {
			return
		}
		v[name] = commit
		fmt.Fprintf(&declared, ", $%s: String!", name)
		fmt.Fprintf(&within, "  %s: object(expression: $%s) { ... on Commit {\n%s  } }\n", name, name, fields)
	}
	add("base", base, &left)
	add("head", head, &right)
	if number > 0 {
		v["number"] = number
		declared.WriteString(", $number: Int!")
		within.WriteString("  pull: pullRequest(number: $number) { changedFiles }\n")
	}
	return fmt.Sprintf("query Blobs($owner: String!, $name: String!%s) {\n  repository(owner: $owner, name: $name) {\n%s  }\n}", &declared, &within), v
}

// treeEntry is a file, a directory, a link or a submodule of a commit.
type treeEntry struct {
	mode uint32
	oid  string
	size int
}

// tree reads the entries of a commit or a folder by path, and those in its folders if
// recursive. Whole is false if GitHub cut the list.
func (r *Reader) tree(ctx context.Context, what, sha string, recursive bool) (entries map[string]treeEntry, whole bool, err error) {
	tree, err := send(ctx, r.sender, request{what: what}, func(ctx context.Context, api api) (*github.Tree, *github.Response, error) {
		return api.Git.GetTree(ctx, api.owner, api.name, sha, recursive)
	})
	if err != nil {
		return nil, false, err
	}
	entries = make(map[string]treeEntry, len(tree.Entries))
	for _, e := range tree.Entries {
		mode, err := strconv.ParseUint(e.GetMode(), 8, 32)
		if err != nil || e.GetPath() == "" {
			return nil, false, &UnavailableError{What: what, Err: fmt.Errorf("the tree of %.12s cannot be read", sha)}
		}
		entries[e.GetPath()] = treeEntry{mode: uint32(mode), oid: e.GetSHA(), size: e.GetSize()}
	}
	return entries, !tree.GetTruncated(), nil
}

// names returns the entries of the merge base by path. The first call reads them.
func (s *Snapshot) names() (map[string]treeEntry, error) {
	if s.listed || s.reader == nil {
		return s.base, nil
	}
	s.listed = true
	var err error
	s.base, s.whole, err = s.reader.tree(s.ctx, fmt.Sprintf("list %.12s", s.BaseSHA), s.BaseSHA, true)
	if err != nil {
		s.note(err)
		s.whole = true // ask for nothing else
	}
	return s.base, err
}

// entry returns the entry at a path of the merge base. Sure is false if GitHub cut the
// list and the path may exist all the same.
func (s *Snapshot) entry(name string) (e treeEntry, there, sure bool) {
	if !plainPath(name) {
		return treeEntry{}, false, true
	}
	if in, known := s.folders[path.Dir(name)]; known {
		e, there = in[path.Base(name)]
		return e, there, true
	}
	names, _ := s.names() // Err has the error
	e, there = names[name]
	return e, there, there || s.whole
}

// baseHas is patch.Change.BaseHas.
func (s *Snapshot) baseHas(path string) bool {
	_, there, sure := s.entry(path)
	return there || s.findUnlisted(path, sure).oid != ""
}

// baseNames returns the sorted names of one kind of entries directly in a folder of the
// merge base. All is false if some may be missing.
func (s *Snapshot) baseNames(dir string, mode uint32) (names []string, all bool) {
	in, all := s.folder(dir)
	for name, entry := range in {
		if entry.mode&typeOfMode == mode {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, all
}

// folder returns the entries directly in a folder of the merge base by name. If GitHub
// cut the list of all entries, it asks for this folder.
func (s *Snapshot) folder(dir string) (in map[string]treeEntry, all bool) {
	if in, known := s.folders[dir]; known {
		return in, true
	}
	names, _ := s.names() // Err has the error
	if s.whole || s.reader == nil {
		in = make(map[string]treeEntry)
		for name, e := range names {
			if path.Dir(name) == dir {
				in[path.Base(name)] = e
			}
		}
		return in, s.whole && s.failure == nil
	}
	oid := s.BaseSHA
	if dir != "." {
		if oid = names[dir].oid; oid == "" {
			oid = s.findUnlisted(dir, !plainPath(dir)).oid
		}
	}
	if oid == "" { // there is no such folder
		return nil, s.failure == nil
	}
	in, all, err := s.reader.tree(s.ctx, fmt.Sprintf("list %s at %.12s", oneLine(dir), s.BaseSHA), oid, false)
	if err != nil && !errors.As(err, new(*NotFoundError)) {
		s.note(err)
		return nil, false
	}
	if all {
		s.folders[dir] = in
	}
	return in, all
}

// maxTogether limits the bytes of the files outside the change that together reads.
const maxTogether = 8 << 20

// together is patch.Change.Together: it reads files of the merge base, a hundred in one
// request. Blob reads the files that GitHub did not give whole.
func (s *Snapshot) together(paths []string) {
	if s.reader == nil {
		return
	}
	var wanted []string
	size := 0
	for _, path := range paths {
		entry, _, _ := s.entry(path)
		_, kept := s.kept[sidePath{debate.Left, path}]
		size += entry.size
		if !kept && whyHidden(entry) == "" && size <= maxTogether && len(wanted) < maxLazy-s.lazy {
			wanted = append(wanted, path)
		}
	}
	n, _ := s.readAtBase(wanted) // Blob reads the others, and notes its error
	s.lazy += n
}
