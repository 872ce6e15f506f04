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
		Stage: action.Collect, Repository: "acme/shop", Number: 2, HeadSHA: headSHA, Session: "debate-20260102-030405-1-1",
		Files: map[string][]byte{action.RecordFile: []byte(`{}`), action.SnapshotFile: []byte("snapshot"), action.FactsFile: {}},
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
	manifest := func(t *testing.T, dir string, change func(m map[string]any)) {
		t.Helper()
		path := filepath.Join(dir, "bundle.json")
		var m map[string]any
		if err := json.Unmarshal([]byte(read(t, path)), &m); err != nil {
			t.Fatal(err)
		}
		change(m)
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		write(t, path, string(data))
	}
	set := func(key string, value any) func(*testing.T, string) {
		return func(t *testing.T, dir string) { manifest(t, dir, func(m map[string]any) { m[key] = value }) }
	}
	files := func(entries ...any) func(*testing.T, string) { return set("files", entries) }
	link := func(name, target string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(target, path); err != nil {
				t.Fatal(err)
			}
		}
	}
	cases := []struct {
		name   string
		change func(t *testing.T, dir string)
		want   string
	}{
		{"no manifest", func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "bundle.json")); err != nil {
				t.Fatal(err)
			}
		}, "no such file"},
		{"no JSON", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "bundle.json"), "{") }, "unexpected end"},
		{"a huge manifest", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "bundle.json"), strings.Repeat(" ", 1<<17))
		}, "more than"},
		{"another stage", set("stage", "publish"), "stage"},
		{"another version", set("schema_version", 2), "version"},
		{"another repository", set("repository", "evil/shop"), "repository"},
		{"no pull request", set("pull_request", -1), "pull request"},
		{"no commit", set("head", "main"), "commit"},
		{"a session of two lines", set("session", "a\nb"), "session"},
		{"a path out of it", files(map[string]any{"name": "../secret", "size": 1}), `lists a file "../secret"`},
		{"an absolute path", files(map[string]any{"name": "/etc/passwd", "size": 1}), "lists a file"},
		{"the manifest itself", files(map[string]any{"name": "bundle.json", "size": 1}), "lists a file"},
		{"one file twice", files(map[string]any{"name": "facts.json"}, map[string]any{"name": "facts.json"}), "lists a file"},
		{"a file too large", files(map[string]any{"name": "facts.json", "size": 10 << 30}), "bytes"},
		{"too large together", files(map[string]any{"name": "facts.json", "size": 60 << 20}, map[string]any{"name": "snapshot.json", "size": 60 << 20}, map[string]any{"name": "record.jsonl", "size": 60 << 20}), "bytes"},
		{"negative size", files(map[string]any{"name": "facts.json", "size": -1}), "bytes"},
		{"a thousand files", func(t *testing.T, dir string) {
			files(make([]any, 1000)...)(t, dir)
		}, "too many"},
		{"a file that is gone", func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, action.SnapshotFile)); err != nil {
				t.Fatal(err)
			}
		}, "no such file"},
		{"another file", func(t *testing.T, dir string) { write(t, filepath.Join(dir, action.SnapshotFile), "snapshoT") }, "not the file"},
		{"a longer file", func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, action.SnapshotFile), "snapshot and more")
		}, "more than"},
		{"a shorter file", func(t *testing.T, dir string) { write(t, filepath.Join(dir, action.SnapshotFile), "snap") }, "not the file"},
		{"a link out", link(action.SnapshotFile, "/etc/passwd"), "no regular file"},
		{"a link to the manifest", link("bundle.json", action.FactsFile), "no regular file"},
		{"a directory", func(t *testing.T, dir string) {
			path := filepath.Join(dir, action.SnapshotFile)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(path, 0o700); err != nil {
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
	b.Files["../x"] = nil
	dir := t.TempDir()
	if err := action.WriteBundle(dir, b); err == nil || !strings.Contains(err.Error(), "no stage reads") {
		t.Errorf("a file of no stage: %v", err)
	}
	b = bundle()
	b.Files[action.SnapshotFile] = make([]byte, 64<<20+1)
	if err := action.WriteBundle(dir, b); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("a file too large: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "collect", "bundle.json")); err == nil {
		t.Error("a bundle that was not written has a manifest")
	}
}
