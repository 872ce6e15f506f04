package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/patch"
)

// The bounds of a search.
const (
	searchTimeout = 30 * time.Second
	searchLimit   = 4 << 20 // bytes of all results together
	oneNameLimit  = 1 << 20 // bytes of one name's results, if all together exceed their limit
	maxUses       = 20_000
)

// search finds the lines below a tree with one of some names as a word. It reports a
// partial search; the review does not depend on it.
func (s *Snapshot) search(ctx context.Context, tree string, names []string) ([]patch.Use, patch.Reach) {
	ctx, cancel := context.WithTimeout(ctx, searchTimeout)
	defer cancel()
	found, err := s.grep(ctx, tree, searchLimit, names)
	var tooMuch *LimitError
	switch {
	case err == nil:
		return found, patch.Everywhere
	case !errors.As(err, &tooMuch):
		return found, patch.NotSearched
	}
	found = nil
	for _, name := range names { // a name found everywhere tells nothing
		some, err := s.grep(ctx, tree, oneNameLimit, []string{name})
		if errors.As(err, &tooMuch) {
			continue
		}
		if err != nil {
			return nil, patch.NotSearched
		}
		found = append(found, some...)
	}
	return found, patch.Everywhere
}

// grep runs git grep over a tree, read from the objects.
func (s *Snapshot) grep(ctx context.Context, tree string, limit int64, names []string) ([]patch.Use, error) {
	out, err := s.shadow.run(ctx, nil, limit, "grep", "-I", "-n", "-z", "-w", "-E", "--no-color", "--no-textconv", "--full-name", "-e", anyOf(names), tree, "--")
	if words := lastWords(out.stderr); err == nil && words != "" { // git goes on after unreadable files
		err = errors.New("git grep: " + words)
	}
	if isNothingFound(out, err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseGrep(out.stdout, tree), nil
}

// anyOf returns one expression for some names. Git takes minutes for several
// expressions instead of seconds for one.
func anyOf(names []string) string {
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteByte('|')
		}
		for _, c := range []byte(name) {
			switch {
			case strings.IndexByte(".[{}()*+?|$", c) >= 0:
				b.WriteString("[" + string(rune(c)) + "]")
			case strings.IndexByte(`]^\`, c) >= 0:
				b.WriteString(`\` + string(rune(c)))
			default:
				b.WriteByte(c)
			}
		}
	}
	return b.String()
}

// parseGrep reads lines of TREE:PATH, a NUL, the number, a NUL and the text.
func parseGrep(out []byte, tree string) []patch.Use {
	var found []patch.Use
	for line := range bytes.Lines(out) {
		name, rest, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), nul)
		number, text, ok := bytes.Cut(rest, nul)
		path, is := bytes.CutPrefix(name, []byte(tree+":"))
		n, err := strconv.Atoi(string(number))
		if !ok || !is || err != nil || len(found) == maxUses {
			continue
		}
		found = append(found, patch.Use{Path: string(path), Line: n, Text: string(text)})
	}
	return found
}
