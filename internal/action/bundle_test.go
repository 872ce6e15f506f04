package action_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/action"
)

func bundle() action.Bundle {
	return action.Bundle{
		Version: 3, Stage: action.Collect, Repository: "acme/shop", Number: 2, HeadSHA: headSHA,
		Facts: []byte(`{}`), Snapshot: []byte("snap\x00shot"),
	}
}

func written(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "new", "bundle")
	if err := action.WriteBundle(dir, bundle()); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "collect")
}

func TestBundle(t *testing.T) {
	t.Parallel()
	dir := written(t)
	write(t, filepath.Join(dir, "more.txt"), "nobody reads it")
	got, err := action.ReadBundle(filepath.Dir(dir), action.Collect, "acme/shop")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(bundle(), got); diff != "" {
		t.Errorf("bundle differs (-want +got):\n%s", diff)
	}
	if _, err := action.ReadBundle(filepath.Dir(dir), action.Debate, "acme/shop"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a bundle that no stage wrote: %v", err)
	}
}

// TestHostileBundle: an artifact that somebody made is refused, and no name in
// it leads anywhere.
func TestHostileBundle(t *testing.T) {
	t.Parallel()
	file := func(dir string) string { return filepath.Join(dir, "bundle.json") }
	set := func(key string, value any) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			var m map[string]any
			if err := json.Unmarshal([]byte(read(t, file(dir))), &m); err != nil {
				t.Fatal(err)
			}
			m[key] = value
			data, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			write(t, file(dir), string(data))
		}
	}
	remove := func(t *testing.T, dir string) {
		if err := os.Remove(file(dir)); err != nil {
			t.Fatal(err)
		}
	}
	cases := []struct {
		name   string
		change func(t *testing.T, dir string)
		want   string
	}{
		{"no file", remove, "no such file"},
		{"no JSON", func(t *testing.T, dir string) { write(t, file(dir), "{") }, "unexpected end"},
		{"a huge file", func(t *testing.T, dir string) {
			if err := os.Truncate(file(dir), 1<<30); err != nil {
				t.Fatal(err)
			}
		}, "more than"},
		{"another stage", set("stage", "publish"), "stage"},
		{"another version", set("schema_version", 1), "version"},
		{"another repository", set("repository", "evil/shop"), "repository"},
		{"no pull request", set("pull_request", -1), "pull request"},
		{"no commit", set("head", "main"), "commit"},
		{"facts that are no bytes", set("facts", "{}"), "illegal base64"},
		{"a link out", func(t *testing.T, dir string) {
			remove(t, dir)
			if err := os.Symlink("/etc/passwd", file(dir)); err != nil {
				t.Fatal(err)
			}
		}, "no regular file"},
		{"a directory", func(t *testing.T, dir string) {
			remove(t, dir)
			if err := os.Mkdir(file(dir), 0o700); err != nil {
				t.Fatal(err)
			}
		}, "no regular file"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := written(t)
			c.change(t, dir)
			_, err := action.ReadBundle(filepath.Dir(dir), action.Collect, "acme/shop")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("ReadBundle: %v; want %q", err, c.want)
			}
		})
	}
}

func TestWriteBundleRefuses(t *testing.T) {
	t.Parallel()
	b := bundle()
	b.Snapshot = make([]byte, 80<<20)
	dir := t.TempDir()
	if err := action.WriteBundle(dir, b); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("a bundle too large: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "collect", "bundle.json")); err == nil {
		t.Error("a bundle that was not written is there")
	}
}
