package gh

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// mostApart limits the files that are read one by one when a side is written to disk,
// because the archive lacks or alters them.
const mostApart = 64

// Each calls take for the wanted regular files and links of a side, with their modes
// and contents. It downloads the archive itself, in addition to the requests of looks,
// since their archive keeps only the beginnings of files that are not text.
func (t *Tree) Each(ctx context.Context, side debate.Side, wanted func(path string) bool, take func(path string, mode uint32, content []byte) error) error {
	s := t.sides[side]
	switch {
	case t.reader == nil:
		return errors.New("the commit cannot be read here")
	case !s.whole:
		return fmt.Errorf("GitHub does not list all files of %.12s", s.commit)
	case s.size() > maxUnpacked:
		return fmt.Errorf("the files of %.12s have %d MiB, at most %d are read", s.commit, s.size()>>20, maxUnpacked>>20)
	}
	left := make(map[string]treeEntry)
	for path, e := range s.entries {
		if kind := e.mode & typeOfMode; wanted(path) && (kind == regularMode&typeOfMode || kind == symlinkMode) {
			left[path] = e
		}
	}
	files := func(packed io.Reader) error {
		z, err := gzip.NewReader(packed)
		if err != nil {
			return err
		}
		return eachFile(io.LimitReader(z, 2*maxUnpacked), func(path string, content []byte) error {
			e, is := left[path]
			if !is || !isBlob(e.oid, content) {
				return nil
			}
			delete(left, path)
			return take(path, e.mode, content)
		})
	}
	if err := t.reader.sender.archive(ctx, s.commit, files); err != nil {
		return err
	}
	if len(left) > mostApart {
		return fmt.Errorf("the archive of %.12s lacks %d files of it", s.commit, len(left))
	}
	for _, path := range slices.Sorted(maps.Keys(left)) {
		content, err := t.reader.rawBlob(ctx, left[path].oid, maxUnpacked)
		if err != nil {
			return err
		}
		if err := take(path, left[path].mode, content); err != nil {
			return err
		}
	}
	return nil
}

// eachFile calls take for the files of an archive, and for its links with their targets.
func eachFile(plain io.Reader, take func(path string, content []byte) error) error {
	files := tar.NewReader(plain)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		_, path, _ := strings.Cut(header.Name, "/") // all is below one directory
		content := []byte(header.Linkname)
		switch header.Typeflag {
		case tar.TypeReg:
			if content, err = io.ReadAll(files); err != nil {
				return err
			}
		case tar.TypeSymlink:
		default:
			continue
		}
		if err := take(path, content); err != nil {
			return err
		}
	}
}
