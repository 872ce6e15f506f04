package gh

import (
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

var (
	tipSHA, mergeSHA, headSHA = strings.Repeat("1", 40), strings.Repeat("2", 40), strings.Repeat("3", 40)
)

// hub answers what a snapshot asks, each answer as a test wants it.
type hub struct {
	files     []map[string]any  // of the comparison and of the pull request
	diff      string            // "" for 406
	tree      []map[string]any  // of the merge base and of the head
	truncated bool              // the tree is
	blobs     map[string]string // by "SHA:path"
	binary    map[string]any    // isBinary where it is not false
	short     map[string]bool   // GraphQL cuts the text
	raw       map[string]string // by id, where it is not the blob
	changed   int               // files that the pull request says it changes, 0 for those of the list
	heads     []string          // of the pull request, one for each look
	most      int               // objects of one query, 0 for any
	queries   int
}

func (h *hub) changes() int {
	if h.changed > 0 {
		return h.changed
	}
	return len(h.files)
}

func gitID(content string) string {
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(content), content))
	return hex.EncodeToString(sum[:])
}

func (h *hub) ServeHTTP(t testing.TB) func(w http.ResponseWriter, r *http.Request, body string) {
	return func(w http.ResponseWriter, r *http.Request, body string) {
		path := strings.TrimPrefix(r.URL.Path, "/repos/octo/demo/")
		switch {
		case strings.HasPrefix(path, "compare/") && strings.Contains(r.Header.Get("Accept"), "diff"):
			if h.diff == "" {
				give(w, 406, `{"message":"Sorry, the diff exceeded the maximum number of lines (20000)","errors":[{"code":"too_large"}]}`)
				return
			}
			give(w, 200, h.diff)
		case strings.HasPrefix(path, "compare/"):
			give(w, 200, map[string]any{"merge_base_commit": map[string]any{"sha": mergeSHA}, "files": h.files[:min(len(h.files), comparedFiles)]})
		case path == "pulls/7":
			head := headSHA
			if len(h.heads) > 0 {
				head, h.heads = h.heads[0], h.heads[1:]
			}
			give(w, 200, map[string]any{"head": map[string]any{"sha": head}, "changed_files": h.changes()})
		case path == "pulls/7/files":
			var page int
			_, _ = fmt.Sscan(r.URL.Query().Get("page"), &page)
			page = max(page, 1)
			if page*perPage < len(h.files) {
				w.Header().Set("Link", fmt.Sprintf(`<http://%s/repos/octo/demo/pulls/7/files?per_page=100&page=%d>; rel="next", <x>; rel="last"`, r.Host, page+1))
			}
			give(w, 200, h.files[(page-1)*perPage:min(page*perPage, len(h.files))])
		case strings.HasPrefix(path, "git/trees/"):
			listed := h.tree
			if h.truncated {
				listed = slices.DeleteFunc(slices.Clone(h.tree), func(e map[string]any) bool { return strings.HasPrefix(fmt.Sprint(e["path"]), "db/") })
			}
			give(w, 200, map[string]any{"tree": listed, "truncated": h.truncated})
		case strings.HasPrefix(path, "git/blobs/"):
			id := strings.TrimPrefix(path, "git/blobs/")
			if text, ok := h.raw[id]; ok {
				give(w, 200, text)
				return
			}
			for _, text := range h.blobs {
				if gitID(text) == id {
					give(w, 200, text)
					return
				}
			}
			give(w, 404, `{}`)
		case r.URL.Path == "/graphql":
			h.queries++
			h.graphQL(t, w, body)
		default:
			t.Errorf("unexpected request: %s %s", r.Method, r.URL)
		}
	}
}

func (h *hub) graphQL(t testing.TB, w http.ResponseWriter, body string) {
	var asked struct {
		Query     string
		Variables map[string]any
	}
	if err := json.Unmarshal([]byte(body), &asked); err != nil {
		t.Error(err)
	}
	blob := func(at string) any {
		text, ok := h.blobs[at]
		if !ok {
			return nil
		}
		one := map[string]any{"__typename": "Blob", "oid": gitID(text), "byteSize": len(text), "isBinary": false, "isTruncated": h.short[at], "text": text}
		if binary, ok := h.binary[at]; ok {
			one["isBinary"], one["text"] = binary, nil
		}
		if h.short[at] {
			one["text"] = text[:len(text)/2]
		}
		return one
	}
	file := func(commit, path any) any {
		at := fmt.Sprint(commit, ":", path)
		b, ok := blob(at).(map[string]any)
		if !ok {
			return nil
		}
		return map[string]any{"mode": h.mode(path), "oid": b["oid"], "object": b}
	}
	commits, files := map[string]map[string]any{}, 0
	for name, path := range asked.Variables {
		var c, f int
		if n, _ := fmt.Sscanf(name, "e%d_%d", &c, &f); n == 2 {
			at := fmt.Sprint("c", c)
			if commits[at] == nil {
				commits[at] = map[string]any{}
			}
			commits[at][fmt.Sprint("f", f)] = file(asked.Variables[at], path)
			files++
		}
	}
	if h.most > 0 && files > h.most {
		give(w, 502, `{}`)
		return
	}
	give(w, 200, map[string]any{"data": map[string]any{"repository": commits}})
}

// mode is the one that the tree has.
func (h *hub) mode(path any) uint32 {
	for _, e := range h.tree {
		if e["path"] == path {
			mode, _ := strconv.ParseUint(fmt.Sprint(e["mode"]), 8, 32)
			return uint32(mode)
		}
	}
	return 0o100644
}

func (h *hub) snapshot(t testing.TB) (*Snapshot, *script, error) {
	t.Helper()
	script, c := newScript(t, h.ServeHTTP(t))
	s, err := c.Reader.Snapshot(t.Context(), tipSHA, headSHA, 7)
	return s, script, err
}

// oneFile is a change of one line in a.go.
func oneFile() *hub {
	return &hub{
		files: []map[string]any{{"filename": "a.go", "status": "modified", "additions": 1, "deletions": 1, "sha": gitID("one\n2\n"), "patch": "@@ -1,2 +1,2 @@\n one\n-two\n+2"}},
		diff:  "diff --git a/a.go b/a.go\nindex 814f4a4..1d6ba3a 100644\n--- a/a.go\n+++ b/a.go\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
		tree:  []map[string]any{{"path": "a.go", "mode": "100644", "sha": gitID("one\ntwo\n"), "size": 8}, {"path": "kept", "mode": "100644", "sha": gitID("kept\n"), "size": 5}},
		blobs: map[string]string{mergeSHA + ":a.go": "one\ntwo\n", headSHA + ":a.go": "one\n2\n", mergeSHA + ":kept": "kept\n"},
	}
}

const hiddenText = "GitHub shows no lines of it, though it is text"

// TestDistrust: what two answers disagree on costs the file its lines, and is said.
func TestDistrust(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(h *hub)
		want   string // in Unparsed; "" for none
	}{
		"all is well":           {func(h *hub) {}, ""},
		"other lines":           {func(h *hub) { h.blobs[headSHA+":a.go"] = "one\n3\n" }, "not those of the file"},
		"other lines at base":   {func(h *hub) { h.blobs[mergeSHA+":a.go"] = "one\nelse\n" }, "not those of the file"},
		"a shorter file":        {func(h *hub) { h.blobs[headSHA+":a.go"] = "one\n" }, "not those of the file"},
		"no newline at the end": {func(h *hub) { h.blobs[headSHA+":a.go"] = "one\n2" }, "not those of the file"},
		"other counts":          {func(h *hub) { h.files[0]["additions"] = 7 }, "count its lines differently"},
		"not in the list":       {func(h *hub) { h.files = nil }, "git does not list it"},
		"not in the difference": {func(h *hub) { h.diff = "\n"; delete(h.files[0], "patch") }, "not in the diff"},
		"attributes hide it":    {func(h *hub) { h.hide() }, ""}, // its content has the lines
		"hidden, nobody knows":  {func(h *hub) { h.hide(); h.binary = map[string]any{headSHA + ":a.go": nil} }, ""},
		"hidden and long":       {func(h *hub) { h.hide(); h.blobs[headSHA+":a.go"] = strings.Repeat("one\n", 200_000) }, hiddenText},
		"hidden by the list": {func(h *hub) {
			h.diff = ""
			delete(h.files[0], "patch")
			h.files[0]["additions"], h.files[0]["deletions"] = 0, 0
		}, ""},
		"no part for it":         {func(h *hub) { h.diff = ""; delete(h.files[0], "patch") }, "count its lines differently"},
		"an escape":              {func(h *hub) { h.rename("../../x") }, "leaves the repository"},
		"listed twice":           {func(h *hub) { h.files = append(h.files, h.files[0]) }, "more than once"},
		"file by file":           {func(h *hub) { h.diff = "" }, ""},
		"its part is cut":        {func(h *hub) { h.files[0]["patch"] = "@@ -1,2 +1,2 @@\n one\n-two" }, ""},
		"its part is another":    {func(h *hub) { h.files[0]["patch"] = "@@ -1,2 +1,2 @@\n one\n-two\n+3" }, ""},
		"file by file, replaced": {func(h *hub) { h.diff = ""; h.files[0]["patch"] = "@@ -1,2 +1,2 @@\n one\n-two\n+\ufffd" }, "not those of the file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := oneFile()
			test.change(h)
			s, _, err := h.snapshot(t)
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Change.Set.Files) != 1 {
				t.Fatalf("got %d files", len(s.Change.Set.Files))
			}
			f := s.Change.Set.Files[0]
			if test.want == "" && (f.Unparsed != "" || len(f.Hunks) != 1 || f.OldMode != 0o100644 || f.Kind != patch.Text) {
				t.Errorf("got %+v", f)
			}
			if test.want != "" && (!strings.Contains(f.Unparsed, test.want) || f.Hunks != nil) {
				t.Errorf("got %q with %d hunks, want %q", f.Unparsed, len(f.Hunks), test.want)
			}
		})
	}
}

// A list that has fewer files than the pull request changes is not believed: the whole
// text is read, and where there is none, what is missing counts as not read.
func TestListWithoutAFile(t *testing.T) {
	t.Parallel()
	const other = "diff --git a/b.go b/b.go\nnew file mode 100644\n--- /dev/null\n+++ b/b.go\n@@ -0,0 +1 @@\n+two\n"
	for name, test := range map[string]struct {
		change func(h *hub)
		path   string
		want   string // in Unparsed
	}{
		"in the text":      {func(h *hub) { h.diff += other }, "b.go", "git does not list it"},
		"there is no text": {func(h *hub) { h.diff = "" }, "(1 more files)", "GitHub lists only 1 of 2 files"},
		"asked in parts":   {func(h *hub) { h.diff += other; h.most = 1 }, "b.go", "git does not list it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := oneFile()
			h.changed = 2
			test.change(h)
			s, _, err := h.snapshot(t)
			if err != nil {
				t.Fatal(err)
			}
			files := s.Change.Set.Files
			if last := files[len(files)-1]; len(files) != 2 || last.Path() != test.path || !strings.Contains(last.Unparsed, test.want) {
				t.Errorf("got %d files, the last is %+v", len(files), last)
			}
		})
	}
}

// hide lets the difference call the file binary.
func (h *hub) hide() {
	h.diff = "diff --git a/a.go b/a.go\nindex 814f4a4..1d6ba3a 100644\nBinary files a/a.go and b/a.go differ\n"
	h.files[0]["additions"], h.files[0]["deletions"] = 0, 0
}

func (h *hub) rename(name string) {
	h.diff = strings.ReplaceAll(h.diff, "a.go", name)
	h.files[0]["filename"] = name
}

func TestBinaryFile(t *testing.T) {
	t.Parallel()
	h := oneFile()
	h.hide()
	h.binary = map[string]any{headSHA + ":a.go": true, mergeSHA + ":a.go": true}
	s, _, err := h.snapshot(t)
	if err != nil {
		t.Fatal(err)
	}
	if f := s.Change.Set.Files[0]; f.Kind != patch.Text || !f.Decoded || f.Unparsed != "" { // its bytes are text
		t.Errorf("got %+v", f)
	}
}

// TestRenames: a file that moved keeps the mode that only the tree tells.
func TestRenames(t *testing.T) {
	t.Parallel()
	for _, byFile := range []bool{false, true} {
		h := oneFile()
		h.files = []map[string]any{{"filename": "b c.go", "previous_filename": "a.go", "status": "renamed", "additions": 0, "deletions": 0, "sha": gitID("one\ntwo\n")}}
		h.diff = "diff --git a/a.go b/b c.go\nsimilarity index 100%\nrename from a.go\nrename to b c.go\n"
		if byFile {
			h.diff = ""
		}
		h.tree[0]["mode"] = "100755"
		h.tree = append(h.tree, map[string]any{"path": "b c.go", "mode": "100755", "sha": gitID("one\ntwo\n"), "size": 8})
		h.blobs[headSHA+":b c.go"] = "one\ntwo\n"
		s, _, err := h.snapshot(t)
		if err != nil {
			t.Fatal(err)
		}
		want := &patch.File{OldPath: "a.go", NewPath: "b c.go", OldMode: 0o100755, NewMode: 0o100755, Status: patch.Renamed, Kind: patch.Text}
		if diff := cmp.Diff([]*patch.File{want}, s.Change.Set.Files); diff != "" {
			t.Error(diff)
		}
	}
}

// TestRawBlobs: what GraphQL cuts is read by its id, and is what the id names.
func TestRawBlobs(t *testing.T) {
	t.Parallel()
	h := oneFile()
	h.short = map[string]bool{headSHA + ":a.go": true}
	s, _, err := h.snapshot(t)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := s.Change.Blob("a.go", debate.Right); !ok || string(got) != "one\n2\n" {
		t.Errorf("got %q, %t", got, ok)
	}
	h.raw = map[string]string{gitID("one\n2\n"): "something else"}
	var down *UnavailableError
	if _, _, err := h.snapshot(t); !errors.As(err, &down) {
		t.Errorf("another content: got %v", err)
	}
}

// TestCutTree: what GitHub leaves out of the tree is asked for.
func TestCutTree(t *testing.T) {
	t.Parallel()
	h := oneFile()
	db := []map[string]any{{"path": "db", "mode": "040000", "sha": headSHA}, {"path": "db/1.sql", "mode": "100644", "sha": gitID("1"), "size": 1}}
	h.truncated, h.tree = true, append(h.tree[:1], db...)
	h.blobs[mergeSHA+":db/1.sql"] = "1"
	s, script, err := h.snapshot(t)
	if err != nil {
		t.Fatal(err)
	}
	before := script.count()
	for range 2 {
		if !s.Change.BaseHas("kept") || s.Change.BaseHas("../kept") || !s.Change.BaseHas("a.go") {
			t.Error("the base has what it has not, or the other way round")
		}
		if got, ok := s.Change.Blob("kept", debate.Left); !ok || string(got) != "kept\n" {
			t.Errorf("got %q, %t", got, ok)
		}
	}
	if s.Change.BaseHas("missing") || s.Err() != nil {
		t.Errorf("got %v", s.Err())
	}
	if names, all := s.Change.BaseNames("db"); all || len(names) > 0 {
		t.Errorf("db has %v, all %t", names, all)
	}
	s.Change.Together([]string{"db/1.sql"})
	if got, ok := s.Change.Blob("db/1.sql", debate.Left); !ok || string(got) != "1" || s.Change.BaseHas("db/2.sql") {
		t.Errorf("got %q, %t", got, ok)
	}
	if n := script.count() - before; n > 6 {
		t.Errorf("%d requests", n)
	}
	again := passedOn(t, s)
	if got, ok := again.Change.Blob("kept", debate.Left); !ok || string(got) != "kept\n" || again.Change.BaseHas("missing") || again.Err() != nil {
		t.Errorf("got %q, %t, %v", got, ok, again.Err())
	}
	script.Close()
	if s.Change.BaseHas("else/other"); s.Err() == nil {
		t.Error("nobody says that GitHub could not be asked")
	}
}

// TestTooManyFiles: files that GitHub does not list are a file that nobody read.
func TestTooManyFiles(t *testing.T) {
	t.Parallel()
	h := oneFile()
	for i := range 3_050 {
		h.files = append(h.files, map[string]any{"filename": fmt.Sprintf("f%d", i), "status": "added", "additions": 0, "deletions": 0, "sha": gitID("")})
	}
	h.changed = 3_412
	s, _, err := h.snapshot(t)
	if err != nil {
		t.Fatal(err)
	}
	files := s.Change.Set.Files
	if last := files[len(files)-1]; len(files) != 3_001 || last.Unparsed == "" || last.Path() != "(412 more files)" {
		t.Errorf("got %d files, the last is %+v", len(files), last)
	}
	h.heads = []string{headSHA, tipSHA}
	if _, _, err := h.snapshot(t); err == nil || !strings.Contains(err.Error(), "the head is "+tipSHA[:12]+" by now") {
		t.Errorf("the head moved: got %v", err)
	}
}

func TestNamelessFiles(t *testing.T) {
	t.Parallel()
	for _, file := range []map[string]any{nil, {"filename": "", "status": "modified"}, {"filename": "b", "status": "renamed"}} {
		h := oneFile()
		h.files = []map[string]any{file}
		var down *UnavailableError
		if _, _, err := h.snapshot(t); !errors.As(err, &down) {
			t.Errorf("%v: got %v", file, err)
		}
	}
}

// TestNames: a name that git quotes is the same name when it is read.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a", "a b", `a"b`, `a\b`, "grün", "a\tb", "a\nb", "\x7f"} {
		h := oneFile()
		h.diff = ""
		h.rename(name)
		h.diff = ""
		h.tree[0]["path"] = name
		h.blobs = map[string]string{mergeSHA + ":" + name: "one\ntwo\n", headSHA + ":" + name: "one\n2\n"}
		s, _, err := h.snapshot(t)
		if err != nil {
			t.Fatal(err)
		}
		if f := s.Change.Set.Files[0]; len(s.Change.Set.Files) != 1 || f.NewPath != name || f.Unparsed != "" || len(f.Hunks) != 1 {
			t.Errorf("%q: got %+v", name, f)
		}
	}
}

// passedOn is a snapshot as another process reads it.
func passedOn(t *testing.T, s *Snapshot) *Snapshot {
	t.Helper()
	data, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	other, err := DecodeSnapshot(data)
	if err != nil {
		t.Fatal(err)
	}
	return other
}
