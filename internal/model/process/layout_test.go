package process

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/model"
)

// TestLayOut: files lie below repo, can be read and not written, and nothing lies anywhere
// else, whatever they are called. They go with the room.
func TestLayOut(t *testing.T) {
	t.Parallel()
	room, err := NewRoom()
	if err != nil {
		t.Fatal(err)
	}
	defer room.Close()
	err = LayOut(room.Work, []model.File{
		{Path: "a/b.go", Text: "package b\n"}, {Path: "c.go", Text: ""}, {Path: "../out.go", Text: "out"}, {Path: "/abs.go", Text: "out"},
		{Path: "a/b.go", Text: "twice"}, {Path: "c.go/d.go", Text: "below a file"}, {Path: "a", Text: "a directory"},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	top := filepath.Dir(room.Work)
	err = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		info, failed := d.Info()
		if failed == nil && (!info.Mode().IsRegular() || info.Mode().Perm() != 0o400) {
			t.Errorf("%s: %v", path, info.Mode())
		}
		name, outside := filepath.Rel(room.Work, path)
		got[filepath.ToSlash(name)] = string(text)
		return errors.Join(err, outside)
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"repo/a/b.go": "package b\n", "repo/c.go": ""}, got); diff != "" {
		t.Error(diff)
	}
	room.Close()
	if _, err := os.Stat(top); !os.IsNotExist(err) {
		t.Errorf("the room is still there: %v", err)
	}
	empty := t.TempDir()
	if err := LayOut(empty, nil); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(empty); err != nil || len(left) > 0 {
		t.Errorf("of nothing: %v, %v", left, err)
	}
}
