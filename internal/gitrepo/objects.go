package gitrepo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/child"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/text"
)

const (
	blobLimit     = 4 << 20  // bytes of a file from Blob
	policyLimit   = 1 << 20  // bytes of a file from PolicyFiles
	treeLimit     = 64 << 20 // bytes of one directory listing
	cachedEntries = 1 << 20  // directory entries kept
)

// errTooLarge and errNoObject are answers of the object store.
var (
	errTooLarge = errors.New("over the size limit")
	errNoObject = errors.New("no such object")
)

// objects reads objects by id through one `git cat-file --batch`, started at the first
// use. It walks trees to find paths and never hands a name to git, so no name can
// confuse the protocol. It is not safe for concurrent use.
type objects struct {
	ctx    context.Context
	shadow *shadow
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	broken error // the process failed; it is not started again
	trees  map[string]map[string]treeEntry
	cached int
}

type treeEntry struct {
	mode uint32
	id   string
}

func (s *shadow) objects(ctx context.Context) *objects {
	return &objects{ctx: ctx, shadow: s, trees: map[string]map[string]treeEntry{}}
}

func (o *objects) start() error {
	if o.broken != nil || o.cmd != nil {
		return o.broken
	}
	c := o.shadow.command(nil, 0, "cat-file", "--batch")
	cmd := o.shadow.repo.git.command(o.ctx, c)
	child.Group(cmd)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start git cat-file: %w", err)
	}
	o.cmd, o.in, o.out = cmd, in, bufio.NewReaderSize(out, 64<<10)
	return nil
}

// close ends the process.
func (o *objects) close() error {
	if o.broken == nil {
		o.broken = fs.ErrClosed
	}
	if o.cmd == nil {
		return nil
	}
	o.in.Close()
	err := o.cmd.Wait()
	o.cmd = nil
	if context.Cause(o.ctx) != nil {
		return nil // the process was killed, as it should be
	}
	return err
}

// read returns the content of an object of the wanted type. With errTooLarge comes
// as much of it as the limit allows.
func (o *objects) read(id, kind string, limit int64) ([]byte, error) {
	if !o.shadow.repo.format.isID(id) {
		return nil, fmt.Errorf("read %q: not an object id", id)
	}
	// The process may still answer in the moment between the end and its death.
	if cause := context.Cause(o.ctx); cause != nil {
		return nil, fmt.Errorf("git cat-file: %w", cause)
	}
	if err := o.start(); err != nil {
		return nil, err
	}
	content, err := o.ask(id, kind, limit)
	if err != nil && !errors.Is(err, errTooLarge) && !errors.Is(err, errNoObject) {
		o.broken = fmt.Errorf("git cat-file: %w", err)
		if cause := context.Cause(o.ctx); cause != nil {
			o.broken = fmt.Errorf("git cat-file: %w", cause)
		}
		return nil, o.broken
	}
	return content, err
}

// ask speaks the protocol: the id on a line; "ID TYPE SIZE", the content and a
// newline, or "ID missing" come back.
func (o *objects) ask(id, kind string, limit int64) ([]byte, error) {
	if _, err := io.WriteString(o.in, id+"\n"); err != nil {
		return nil, err
	}
	header, err := o.out.ReadString('\n')
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(header)
	if strings.TrimSpace(header) == id+" missing" {
		return nil, errNoObject
	}
	if len(fields) != 3 || fields[0] != id {
		return nil, fmt.Errorf("unexpected answer %q", text.Message(header))
	}
	length, err := strconv.ParseUint(fields[2], 10, 63)
	if err != nil {
		return nil, fmt.Errorf("unexpected answer %q", text.Message(header))
	}
	size := int64(length)
	content := make([]byte, min(size, limit))
	if _, err := io.ReadFull(o.out, content); err != nil {
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, o.out, size-int64(len(content))+1); err != nil {
		return nil, err
	}
	switch {
	case fields[1] != kind:
		return nil, errNoObject
	case size > limit:
		return content, errTooLarge
	}
	return content, nil
}

// lookup finds the entry at a slash-separated path below a tree. It returns
// fs.ErrNotExist if there is none.
func (o *objects) lookup(tree, path string) (treeEntry, error) {
	at := treeEntry{mode: patch.TypeDirectory, id: tree}
	for name := range strings.SplitSeq(path, "/") {
		if at.mode != patch.TypeDirectory {
			return treeEntry{}, fs.ErrNotExist
		}
		entries, err := o.tree(at.id)
		if err != nil {
			return treeEntry{}, err
		}
		next, ok := entries[name]
		if !ok {
			return treeEntry{}, fs.ErrNotExist
		}
		at = next
	}
	return at, nil
}

// tree reads one directory.
func (o *objects) tree(id string) (map[string]treeEntry, error) {
	if entries, ok := o.trees[id]; ok {
		return entries, nil
	}
	raw, err := o.read(id, "tree", treeLimit)
	if err != nil {
		return nil, fmt.Errorf("tree %s: %w", id, err)
	}
	entries, err := parseTree(raw, o.shadow.repo.format.rawBytes)
	if err != nil {
		return nil, fmt.Errorf("tree %s: %w", id, err)
	}
	if o.cached += len(entries); o.cached > cachedEntries {
		clear(o.trees)
		o.cached = len(entries)
	}
	o.trees[id] = entries
	return entries, nil
}

// parseTree reads the content of a tree object: "MODE NAME\0" and the id in
// binary, over and over.
func parseTree(raw []byte, idBytes int) (map[string]treeEntry, error) {
	entries := map[string]treeEntry{}
	for len(raw) > 0 {
		digits, rest, _ := bytes.Cut(raw, []byte(" "))
		name, rest, _ := bytes.Cut(rest, nul)
		mode, err := strconv.ParseUint(string(digits), 8, 32)
		if err != nil || len(rest) < idBytes {
			return nil, errors.New("damaged directory listing")
		}
		entries[string(name)] = treeEntry{mode: uint32(mode), id: hex.EncodeToString(rest[:idBytes])}
		raw = rest[idBytes:]
	}
	return entries, nil
}

// commit is a commit's place in the history.
type commit struct {
	tree    string
	parents []string
}

// commit reads a commit from its own bytes, so a shallow boundary does not pass for a
// root.
func (o *objects) commit(id string) (commit, error) {
	raw, err := o.read(id, "commit", policyLimit)
	if err != nil {
		return commit{}, o.missingError(id, err)
	}
	var c commit
	for line := range strings.Lines(string(raw)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "tree":
			c.tree = value
		case "parent":
			c.parents = append(c.parents, value)
		default: // other headers and the message are ignored
			return c, nil
		}
	}
	return c, nil
}

// missingError explains a missing object.
func (o *objects) missingError(id string, err error) error {
	if !errors.Is(err, errNoObject) {
		return err
	}
	return o.shadow.repo.missingObjectError(id)
}
