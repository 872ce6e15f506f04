package ghtest

import (
	"bytes"
	"cmp"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// File is a file of a commit.
type File struct {
	Mode    string // "" is 100644; 100755, 120000 (a link, Content its target), 160000 (a submodule, Content its commit)
	Content string
}

// objects are commits, trees and files by their git names. Forks share them.
type objects struct {
	commits map[string]*commit
	blobs   map[string][]byte
	trees   map[string][]entry
}

type commit struct {
	sha, tree string
	files     map[string]File
	parents   []string
	message   string
	author    *user
	made      maker
	at        time.Time
}

// maker is who made a commit where that was said: the authors, the first one before the
// co-authors, and the committer.
type maker struct {
	authors   []*user
	committer *user
}

// entry is a line of a tree.
type entry struct {
	name, mode, sha string
}

// kinds are what git calls an entry that is no file, by its mode.
var kinds = map[string]string{"40000": "tree", "160000": "commit"}

// kind is what git calls the entry.
func (e entry) kind() string { return cmp.Or(kinds[e.mode], "blob") }

// add stores a commit with its files, and gives it its names.
func (o *objects) add(c *commit) {
	c.tree = o.writeTree(c.files, "")
	var text bytes.Buffer
	fmt.Fprintf(&text, "tree %s\n", c.tree)
	for _, p := range c.parents {
		fmt.Fprintf(&text, "parent %s\n", p)
	}
	who := fmt.Sprintf("%s <%s@example.com> %d +0000", c.author.login, c.author.login, c.at.Unix())
	fmt.Fprintf(&text, "author %s\ncommitter %s\n\n%s\n", who, who, c.message)
	c.sha = hash("commit", text.Bytes())
	o.commits[c.sha] = c
}

// writeTree stores the files below a folder and returns the tree's name.
func (o *objects) writeTree(files map[string]File, folder string) string {
	var entries []entry
	below := map[string]bool{}
	for name, file := range files {
		rest, ok := strings.CutPrefix(name, folder)
		if !ok {
			continue
		}
		if first, _, deep := strings.Cut(rest, "/"); deep {
			below[first] = true
			continue
		}
		e := entry{name: rest, mode: cmp.Or(file.Mode, "100644"), sha: file.Content}
		if e.mode != "160000" {
			e.sha = o.writeBlob([]byte(file.Content))
		}
		entries = append(entries, e)
	}
	for name := range below {
		entries = append(entries, entry{name: name, mode: "40000", sha: o.writeTree(files, folder+name+"/")})
	}
	// git sorts a folder as if its name ended in a slash
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.sortName(), b.sortName()) })
	var text bytes.Buffer
	for _, e := range entries {
		sha, _ := hex.DecodeString(e.sha)
		fmt.Fprintf(&text, "%s %s\x00%s", e.mode, e.name, sha)
	}
	sha := hash("tree", text.Bytes())
	o.trees[sha] = entries
	return sha
}

func (e entry) sortName() string {
	if e.mode == "40000" {
		return e.name + "/"
	}
	return e.name
}

func (o *objects) writeBlob(content []byte) string {
	sha := hash("blob", content)
	o.blobs[sha] = content
	return sha
}

// hash is the name that git gives an object.
func hash(kind string, content []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "%s %d\x00", kind, len(content))
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}

// lookup finds the entry at a path; "" is the tree itself.
func (o *objects) lookup(tree, path string) (entry, bool) {
	e := entry{mode: "40000", sha: tree}
	for path != "" {
		var name string
		name, path, _ = strings.Cut(path, "/")
		if e.kind() != "tree" {
			return entry{}, false
		}
		i := slices.IndexFunc(o.trees[e.sha], func(e entry) bool { return e.name == name })
		if i < 0 {
			return entry{}, false
		}
		e = o.trees[e.sha][i]
	}
	return e, true
}

// walk visits the entries below a path, and those of their folders if it goes deep.
func (o *objects) walk(tree, below string, deep bool, visit func(path string, e entry)) {
	for _, e := range o.trees[tree] {
		visit(below+e.name, e)
		if deep && e.kind() == "tree" {
			o.walk(e.sha, below+e.name+"/", deep, visit)
		}
	}
}

// ancestors are a commit and all that it builds on, nearest first; none of one that is not
// there.
func (o *objects) ancestors(sha string) []string {
	seen := map[string]bool{sha: true}
	list := []string{sha}
	for i := 0; i < len(list); i++ {
		c := o.commits[list[i]]
		if c == nil {
			continue
		}
		for _, p := range c.parents {
			if !seen[p] {
				seen[p] = true
				list = append(list, p)
			}
		}
	}
	return slices.DeleteFunc(list, func(sha string) bool { return o.commits[sha] == nil })
}

// mergeBase is the nearest commit that both build on, "" if there is none.
func (o *objects) mergeBase(a, b string) string {
	of := map[string]bool{}
	for _, sha := range o.ancestors(a) {
		of[sha] = true
	}
	var best *commit
	for _, sha := range o.ancestors(b) {
		if of[sha] && (best == nil || slices.Contains(o.ancestors(sha), best.sha)) {
			best = o.commits[sha]
		}
	}
	if best == nil {
		return ""
	}
	return best.sha
}

// between are the commits of head that base does not have, oldest first.
func (o *objects) between(base, head string) []*commit {
	old := map[string]bool{}
	for _, sha := range o.ancestors(base) {
		old[sha] = true
	}
	var list []*commit
	for _, sha := range o.ancestors(head) {
		if !old[sha] {
			list = append(list, o.commits[sha])
		}
	}
	slices.Reverse(list)
	return list
}
