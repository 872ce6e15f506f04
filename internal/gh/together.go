package gh

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/debate"
)

// maxTogether bounds the files outside the change that one query reads, in bytes.
const maxTogether = 2 << 20

// together is patch.Change.Together.
func (s *Snapshot) together(paths []string) { s.awaited = slices.Clone(paths) }

// readTogether reads a file that is asked for with those that were announced with it and
// come next. What that does not give is read on its own.
func (s *Snapshot) readTogether(path string) {
	at := slices.Index(s.awaited, path)
	if at < 0 || s.gather == nil {
		return
	}
	wanted := s.nextAwaited(at)
	if len(wanted) < 2 {
		return
	}
	found, err := s.gather(wanted)
	for path, c := range found {
		if entry, _, _ := s.entry(path); entry.oid == c.oid {
			s.kept[sidePath{debate.Left, path}] = c
			s.lazy++
		}
	}
	if err != nil || len(found) == 0 {
		s.lazy++ // for nothing
		s.awaited = nil
	}
}

// nextAwaited takes the next awaited files that one query can read.
func (s *Snapshot) nextAwaited(at int) []string {
	var wanted []string
	size := 0
	for ; at < len(s.awaited) && len(wanted) < min(blobsAtOnce, maxLazy-s.lazy); at++ {
		path := s.awaited[at]
		_, kept := s.kept[sidePath{debate.Left, path}]
		entry, _, _ := s.entry(path)
		isRegular := entry.mode&typeOfMode == regularMode
		if kept || !isRegular || !utf8.ValidString(path) {
			continue
		}
		if size += entry.size; size > maxTogether {
			break
		}
		wanted = append(wanted, path)
	}
	s.awaited = s.awaited[at:]
	return wanted
}

// besides reads files that a change does not touch, in one query: those of which the
// answer holds all.
func (r *Reader) besides(ctx context.Context, commit string, paths []string) (map[string]content, error) {
	what := fmt.Sprintf("read %d files at %.12s", len(paths), commit)
	v := variables{"commit": commit}
	document := batch("Together", "$commit: String!, ", "object(expression: $commit) { ... on Commit {", paths, v, func(i int) string {
		return fmt.Sprintf("file(path: $e%d) %s", i, fileFields)
	})
	read, err := queryOne[map[string]*wireFile](ctx, r.sender, what, document, v)
	if err != nil {
		return nil, err
	}
	found := make(map[string]content, len(paths))
	for i, path := range paths {
		file := (*read)[fmt.Sprintf("b%d", i)]
		if data, exact := file.content(blobLimit); exact && data != nil {
			found[path] = content{oid: file.Object.OID, data: data}
		}
	}
	return found, nil
}
