package gh_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/gh/ghtest"
	"github.com/prdebate/debate/internal/patch"
)

// world is a GitHub with one pull request.
type world struct {
	*ghtest.Server
	repo *ghtest.Repo
	pull *ghtest.Pull
	c    *gh.Client

	base, head string
}

var all = map[string]string{"contents": "write", "pull-requests": "write", "issues": "write", "checks": "write", "statuses": "write"}

func newWorld(t *testing.T, base, head map[string]ghtest.File) *world {
	t.Helper()
	w := &world{Server: ghtest.New(t)}
	w.repo = w.Repo("acme/widgets")
	w.repo.SetPermission("mona", ghtest.Write)
	w.repo.SetPermission("max", ghtest.Maintain)
	w.base = w.repo.CommitFiles(nil, base)
	w.repo.SetBranch("main", w.base)
	w.head = w.repo.CommitFiles([]string{w.base}, head)
	w.repo.SetBranch("work", w.head)
	w.pull = w.repo.OpenPull("mona", ghtest.NewPull{Title: "Change it", Body: "because", Head: "work", Labels: []string{"bug"}})
	w.c = w.client(t, w.JobToken(all))
	w.Forget()
	return w
}

func (w *world) client(t *testing.T, token string) *gh.Client {
	t.Helper()
	var mu sync.Mutex
	now := w.Now()
	c, err := gh.New(gh.Options{
		BaseURL: w.URL, GraphQLURL: w.GraphQLURL, Token: token, Owner: "acme", Repo: "widgets",
		Now: func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			return now
		},
		Wait: func(ctx context.Context, d time.Duration) error {
			mu.Lock()
			defer mu.Unlock()
			now = now.Add(d)
			return context.Cause(ctx)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func text(s string) ghtest.File { return ghtest.File{Content: s} }

func small(t *testing.T) *world {
	return newWorld(t,
		map[string]ghtest.File{"a.go": text("one\ntwo\nthree\n"), ".github/debate.yml": text("version: 1\n")},
		map[string]ghtest.File{"a.go": text("one\n2\nthree\n"), ".github/debate.yml": text("version: 1\n")})
}

// operations are the requests up to now.
func (w *world) operations() []string {
	var names []string
	for _, r := range w.Requests() {
		names = append(names, r.Operation)
	}
	return names
}

func TestPull(t *testing.T) {
	t.Parallel()
	w := small(t)
	own, err := w.c.CreateComment(t.Context(), w.pull.Number, "ours", "m")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.c.React(t.Context(), own.ID, false, gh.Eyes); err != nil {
		t.Fatal(err)
	}
	said := w.pull.Comment("max", "/debate run")
	said.Edit("mona", "/debate stop")
	w.pull.Comment("github-actions", "a person of that name")
	w.pull.Review("max", "CHANGES_REQUESTED", "no", ghtest.InlineComment{Path: "a.go", Line: 2, Body: "why?"})
	w.Forget()

	p, err := w.c.Pull(t.Context(), w.pull.Number)
	if err != nil {
		t.Fatal(err)
	}
	if got := w.operations(); len(got) != 1 {
		t.Errorf("%d requests: %v", len(got), got)
	}
	if p.State != gh.Open || p.Title != "Change it" || p.Body != "because" || p.Author != (gh.Account{Login: "mona"}) || p.BaseSHA != w.base ||
		p.HeadSHA != w.head || p.BaseRef != "main" || p.Fork || p.Draft || !slices.Equal(p.Labels, []string{"bug"}) || p.Siblings != nil || p.Truncated != nil {
		t.Errorf("got %+v", p)
	}
	if r := p.Repository; r.ID != w.repo.ID || r.Owner != "acme" || r.Name != "widgets" || r.DefaultBranch != "main" || r.OwnerIsUser || r.Private {
		t.Errorf("got %+v", r)
	}
	if len(p.Comments) != 3 {
		t.Fatalf("comments: %+v", p.Comments)
	}
	bot := gh.Account{Login: "github-actions[bot]", Bot: true}
	if c := p.Comments[0]; c.ID != own.ID || !c.Mine || c.Author != bot || c.Body != "ours" || !c.Eyes || c.ThumbsUp || c.Edited {
		t.Errorf("ours: %+v", c)
	}
	if c := p.Comments[1]; c.Mine || c.Body != "/debate stop" || !c.Edited || c.EditedBy.Login != "mona" || c.Author.Login != "max" || c.Eyes {
		t.Errorf("edited: %+v", c)
	}
	if c := p.Comments[2]; c.Mine || c.Author != (gh.Account{Login: "github-actions"}) {
		t.Errorf("a namesake: %+v", c)
	}
	if len(p.Reviews) != 1 || p.Reviews[0].State != gh.ChangesRequested || p.Reviews[0].HeadSHA != w.head || p.Reviews[0].Author.Login != "max" {
		t.Errorf("reviews: %+v", p.Reviews)
	}
	if len(p.Threads) != 1 || p.Threads[0].Path != "a.go" || p.Threads[0].Line != 2 || p.Threads[0].StartLine != 0 || p.Threads[0].Side != debate.Right ||
		len(p.Threads[0].Comments) != 1 || p.Threads[0].Comments[0].Body != "why?" {
		t.Errorf("threads: %+v", p.Threads)
	}

	w.Forget()
	files, err := w.c.Files(t.Context(), w.base, []string{".github/debate.yml"})
	if err != nil || string(files[".github/debate.yml"]) != "version: 1\n" || len(w.Requests()) != 0 {
		t.Errorf("got %q, %v after %d requests", files, err, len(w.Requests()))
	}
	g, err := w.c.Glance(t.Context(), w.pull.Number)
	if err != nil || g.HeadSHA != w.head || g.State != gh.Open || g.BaseRef != "main" {
		t.Errorf("got %+v, %v", g, err)
	}
	if diff := cmp.Diff(p.Comments, g.Comments); diff != "" {
		t.Errorf("the glance shows other comments: %s", diff)
	}
	if _, err := w.c.Pull(t.Context(), 99); !errors.As(err, new(*gh.NotFoundError)) {
		t.Errorf("got %v", err)
	}
}

// TestSiblings: another open pull request with the same head (T46).
func TestSiblings(t *testing.T) {
	t.Parallel()
	w := small(t)
	w.repo.SetBranch("release", w.base)
	other := w.repo.OpenPull("mona", ghtest.NewPull{Title: "again", Head: "work", Base: "release"})
	g, err := w.c.Glance(t.Context(), w.pull.Number)
	if err != nil || !slices.Equal(g.Siblings, []int{other.Number}) {
		t.Errorf("got %v, %v", g.Siblings, err)
	}
}

// TestEnds: who ended a pull request.
func TestEnds(t *testing.T) {
	t.Parallel()
	w := small(t)
	w.pull.Close("mona", "")
	p, err := w.c.Pull(t.Context(), w.pull.Number)
	if err != nil || p.State != gh.Closed || p.EndedBy.Login != "mona" {
		t.Errorf("got %s by %v, %v", p.State, p.EndedBy, err)
	}
	w = small(t)
	w.pull.Merge("max")
	p, err = w.c.Pull(t.Context(), w.pull.Number)
	if err != nil || p.State != gh.Merged || p.EndedBy.Login != "max" {
		t.Errorf("got %s by %v, %v", p.State, p.EndedBy, err)
	}
}

// TestLongConversation: what stands on page seven is found (R20).
func TestLongConversation(t *testing.T) {
	t.Parallel()
	w := small(t)
	for i := range 650 {
		w.pull.Comment("mona", fmt.Sprint("comment ", i))
	}
	w.Forget()
	p, err := w.c.Pull(t.Context(), w.pull.Number)
	if err != nil || len(p.Comments) != 650 || p.Comments[649].Body != "comment 649" || p.Truncated != nil {
		t.Errorf("got %d comments, %v", len(p.Comments), err)
	}
	if n := len(w.Requests()); n != 7 {
		t.Errorf("%d requests, want 7", n)
	}
	for _, test := range []struct {
		more, want int
		truncated  []string
	}{{449, 1099, []string{}}, {2, 1100, []string{"comments"}}} {
		for i := range test.more {
			w.pull.Comment("mona", fmt.Sprint("more ", i))
		}
		p, err = w.c.Pull(t.Context(), w.pull.Number)
		last := fmt.Sprint("more ", test.more-1)
		if err != nil || len(p.Comments) != test.want || !slices.Equal(p.Truncated, test.truncated) || p.Comments[test.want-1].Body != last {
			t.Errorf("got %d comments, %v, %v", len(p.Comments), p.Truncated, err)
		}
	}
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	w := small(t)
	w.repo.SetPermission("tria", ghtest.Triage)
	w.repo.SetPermission("boss", ghtest.Admin)
	w.repo.SetPrivate(true)
	for login, want := range map[string]debate.Permission{
		"mona": debate.WriteAccess, "max": debate.MaintainRole, "tria": debate.TriageAccess, "boss": debate.AdminRole, "nobody": debate.NoPermission,
	} {
		for range 2 {
			got, bot, err := w.c.Permission(t.Context(), login)
			if err != nil || got != want || bot {
				t.Errorf("%s: got %q, %t, %v; want %q", login, got, bot, err, want)
			}
		}
	}
	if n := len(w.Requests()); n != 5 {
		t.Errorf("%d requests for 5 accounts", n)
	}
	if _, bot, err := w.c.Permission(t.Context(), "github-actions[bot]"); err != nil || !bot {
		t.Errorf("a bot: %t, %v", bot, err)
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]ghtest.File{
		"a": text("a\r\n"), "empty": text(""), "dir/b": text("b"), "link": {Mode: "120000", Content: "a"}, "bin": text("a\x00\xff"),
		"latin": text("gr\xfc\xdfe\n"), "large": text(strings.Repeat("x", 70_000)),
	}, map[string]ghtest.File{"a": text("b")})
	ask := []string{"a", "a", "empty", "dir/b", "dir", "link", "bin", "latin", "large", "missing", "../a", ""}
	for range 2 {
		got, err := w.c.Files(t.Context(), w.base, ask)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][]byte{"a": []byte("a\r\n"), "empty": {}, "dir/b": []byte("b"), "dir": nil, "link": nil, "bin": []byte("a\x00\xff"),
			"latin": []byte("gr\xfc\xdfe\n"), "large": nil, "missing": nil, "../a": nil, "": nil}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	if n := len(w.Requests()); n != 3 {
		t.Errorf("%d requests: %v", n, w.operations())
	}
	if got, err := w.c.File(t.Context(), w.head, "a"); err != nil || string(got) != "b" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestSnapshot(t *testing.T) {
	t.Parallel()
	lines := func(n int) string { return strings.Repeat("line\n", n) }
	base := map[string]ghtest.File{
		"kept.go": text("kept\n"), "mod.go": text("one\ntwo\nthree\n"), "gone.go": text("gone\n"), "dir/deep/x": text("x\n"),
		"link": {Mode: "120000", Content: "mod.go"}, "pic.png": text("\x89PNG\x00\x01"), "run.sh": text("echo\n"), "sub": {Mode: "160000", Content: strings.Repeat("1", 40)},
	}
	head := map[string]ghtest.File{
		"kept.go": text("kept\n"), "mod.go": text("one\n2\nthree"), "new.go": text(lines(3)), "dir/deep/x": text("x\n"), "empty": text(""),
		"link": {Mode: "120000", Content: "new.go"}, "pic.png": text("\x89PNG\x00\x02"), "run.sh": {Mode: "100755", Content: "echo\n"},
		"sub": {Mode: "160000", Content: strings.Repeat("2", 40)}, "größe \"x\".txt": text("hi\n"), "latin.txt": text("gr\xfc\xdfe\n"),
	}
	w := newWorld(t, base, head)
	// The base goes on: what is compared is the merge base.
	tip := w.repo.Change(w.base, map[string]string{"mod.go": "else\n"})
	w.repo.SetBranch("main", tip)
	s, err := w.c.Snapshot(t.Context(), tip, w.head, w.pull.Number)
	if err != nil {
		t.Fatal(err)
	}
	if s.BaseSHA != w.base || s.PolicySHA != tip || s.HeadSHA != w.head || s.Scope != "range:"+w.base+".."+w.head || s.Notes != nil {
		t.Errorf("got %+v", s)
	}
	if n := len(w.Requests()); n > 6 {
		t.Errorf("%d requests: %v", n, w.operations())
	}
	kinds := map[string]string{}
	for _, f := range s.Change.Set.Files {
		kinds[f.Path()] = fmt.Sprintf("%s %s +%d-%d %s", f.Status, f.Kind, f.Additions, f.Deletions, f.Unparsed)
	}
	want := map[string]string{
		"mod.go": "modified text +2-2 ", "gone.go": "deleted text +0-1 ", "new.go": "added text +3-0 ", "empty": "added text +0-0 ",
		"link": "modified symlink +1-1 ", "pic.png": "modified binary +0-0 ", "run.sh": "modified text +0-0 ", "sub": "modified submodule +1-1 ",
		"größe \"x\".txt": "added text +1-0 ", "latin.txt": "added text +1-0 ",
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Error(diff)
	}
	same := func(s *gh.Snapshot) {
		t.Helper()
		for _, test := range []struct {
			path string
			side debate.Side
			want string
			ok   bool
		}{
			{"mod.go", debate.Left, "one\ntwo\nthree\n", true}, {"mod.go", debate.Right, "one\n2\nthree", true},
			{"gone.go", debate.Left, "gone\n", true}, {"gone.go", debate.Right, "", false}, {"new.go", debate.Left, "", false},
			{"empty", debate.Right, "", true}, {"link", debate.Right, "", false}, {"latin.txt", debate.Right, "gr\xfc\xdfe\n", true},
			{"missing", debate.Left, "", false}, {"sub", debate.Left, "", false}, {"dir/deep", debate.Left, "", false},
			{"kept.go", debate.Left, "kept\n", true}, {"../x", debate.Left, "", false},
		} {
			got, ok := s.Change.Blob(test.path, test.side)
			if string(got) != test.want || ok != test.ok {
				t.Errorf("%s %s: got %q, %t", test.side, test.path, got, ok)
			}
		}
		for path, want := range map[string]bool{"dir": true, "dir/deep": true, "mod.go": true, "new.go": false, "": false, "dir/": false} {
			if s.Change.BaseHas(path) != want {
				t.Errorf("BaseHas(%q) is not %t", path, want)
			}
		}
		if err := s.Err(); err != nil {
			t.Error(err)
		}
	}
	same(s)
	data, err := s.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := gh.DecodeSnapshot(data)
	if err != nil {
		t.Fatal(err)
	}
	same(again)
	if again.Hash != s.Hash || again.Scope != s.Scope || again.PolicySHA != s.PolicySHA {
		t.Errorf("got %+v", again)
	}
	if diff := cmp.Diff(s.Change.Set, again.Change.Set); diff != "" {
		t.Error(diff)
	}
	if _, ok := again.Change.Blob("dir/deep/x", debate.Left); ok || again.Err() == nil {
		t.Error("what was never read is there, or nobody says that it is not")
	}
	if twice, err := again.Encode(); err != nil || !bytes.Equal(twice, data) {
		t.Errorf("it is written otherwise: %v", err)
	}
	fresh, err := w.c.Snapshot(t.Context(), tip, w.head, w.pull.Number)
	if err != nil || fresh.Hash != s.Hash {
		t.Errorf("the hash is another one: %v", err)
	}
}

// TestManyFiles: GitHub lists more than 300 files only for the pull request, and
// no more than 3,000 (T55).
func TestManyFiles(t *testing.T) {
	t.Parallel()
	base, head := map[string]ghtest.File{"link": {Mode: "120000", Content: "a"}}, map[string]ghtest.File{"link": {Mode: "120000", Content: "b"}}
	for i := range 420 {
		name := fmt.Sprintf("d%d/ä %03d.txt", i%7, i)
		if i%3 != 0 {
			base[name] = text("one\ntwo\n")
		}
		if i%3 != 1 {
			head[name] = text(fmt.Sprintf("one\n%d", i))
		}
	}
	base["pic"], head["pic"] = text("\x00\x01"), text("\x00\x02")
	head["run"], head["empty"], head["alink"] = ghtest.File{Mode: "100755", Content: "x\n"}, text(""), ghtest.File{Mode: "120000", Content: "run"}
	w := newWorld(t, base, head)
	s, err := w.c.Snapshot(t.Context(), w.base, w.head, w.pull.Number)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(s.Change.Set.Files); got != 425 || len(s.Notes) != 1 {
		t.Errorf("got %d files, notes %q", got, s.Notes)
	}
	for _, f := range s.Change.Set.Files {
		want := patch.Text
		switch f.Path() {
		case "link", "alink":
			want = patch.Symlink
		case "pic":
			want = patch.Binary
		}
		if f.Unparsed != "" || f.Kind != want || f.Kind == patch.Text && f.Path() != "empty" && len(f.Hunks) != 1 {
			t.Errorf("%s: %+v", f.Path(), f)
		}
	}
	if _, err := w.c.Snapshot(t.Context(), w.base, w.base, w.pull.Number); err != nil {
		t.Errorf("an empty change: %v", err)
	}
	w.pull.Push(w.repo.Change(w.head, map[string]string{"x": "y"}))
	if _, err := w.c.Snapshot(t.Context(), w.base, w.head, w.pull.Number); !errors.As(err, new(*gh.MovedError)) {
		t.Errorf("got %v, want that the head moved", err)
	}
}

// TestLongDiff: a difference that GitHub does not show whole is read file by file
// at the fixed commits.
func TestLongDiff(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]ghtest.File{"a": text("a\n")}, map[string]ghtest.File{
		"a": text("b\n"), "long": text(strings.Repeat("x\n", 21_000)), "huge": text(strings.Repeat("some line\n", 20_000)),
	})
	s, err := w.c.Snapshot(t.Context(), w.base, w.head, w.pull.Number)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range s.Change.Set.Files {
		switch {
		case f.Path() == "huge" && (f.Unparsed == "" || f.Hunks != nil):
			t.Errorf("a file that GitHub does not show passes for read")
		case f.Path() != "huge" && (f.Unparsed != "" || len(f.Hunks) != 1):
			t.Errorf("%s: %q", f.Path(), f.Unparsed)
		}
	}
}

func TestChecks(t *testing.T) {
	t.Parallel()
	w := small(t)
	w.repo.AddCheckRun(ghtest.CheckRun{HeadSHA: w.head, Name: "lint", Conclusion: "success"})
	if runs, err := w.c.FailedRuns(t.Context(), w.head, "debate"); err != nil || runs != nil || len(w.Requests()) != 1 {
		t.Errorf("got %v, %v after %d requests", runs, err, len(w.Requests()))
	}
	red := w.repo.AddCheckRun(ghtest.CheckRun{HeadSHA: w.head, Name: "test", Conclusion: "failure", Title: "1 failed", App: 99, Annotations: []ghtest.Annotation{
		{Path: "a.go", StartLine: 2, EndLine: 2, Level: "failure", Message: "expected 1"}, {Path: "a.go", StartLine: 1, EndLine: 1, Level: "notice", Message: "fyi"},
	}})
	for _, name := range []string{"debate", "debate-review"} {
		w.repo.AddCheckRun(ghtest.CheckRun{HeadSHA: w.head, Name: name, Conclusion: "failure"})
	}
	w.repo.AddCheckRun(ghtest.CheckRun{HeadSHA: w.head, Name: "running", Status: "in_progress"})
	runs, err := w.c.FailedRuns(t.Context(), w.head, "debate")
	if err != nil || len(runs) != 2 {
		t.Fatalf("got %+v, %v", runs, err)
	}
	if r := runs[0]; r.Ref != fmt.Sprintf("check:%d", red.ID) || r.Name != "test" || !r.Failed || r.Text != "1 failed" || len(r.Hash) != 64 {
		t.Errorf("got %+v", r)
	}
	if r := runs[1]; r.Path != "a.go" || r.StartLine != 2 || r.Text != "expected 1" || r.Changed || r.Hash == runs[0].Hash {
		t.Errorf("got %+v", r)
	}
	id, err := w.c.CreateCheck(t.Context(), gh.Check{Name: "mine", HeadSHA: w.head, ExternalID: "7", Title: "t", Summary: "s"})
	if err != nil {
		t.Fatal(err)
	}
	find := func(id int64) gh.CheckRun {
		t.Helper()
		runs, err := w.c.CheckRuns(t.Context(), w.head)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(runs, func(r gh.CheckRun) bool { return r.ID == id })
		if i < 0 {
			t.Fatalf("no run %d in %+v", id, runs)
		}
		return runs[i]
	}
	if diff := cmp.Diff(gh.CheckRun{ID: id, Name: "mine", Title: "t", Summary: "s", ExternalID: "7", Mine: true}, find(id)); diff != "" {
		t.Error(diff)
	}
	if err := w.c.UpdateCheck(t.Context(), id, gh.Check{Name: "mine", HeadSHA: w.head, ExternalID: "7", Conclusion: debate.ActionRequired, Title: "t2", Summary: "s2"}); err != nil {
		t.Fatal(err)
	}
	if got := find(id); !got.Done || got.Conclusion != "action_required" || got.Title != "t2" {
		t.Errorf("got %+v", got)
	}
	if find(red.ID).Mine {
		t.Error("another app's run passes for ours")
	}
}

func TestIssues(t *testing.T) {
	t.Parallel()
	w := small(t)
	if err := w.c.EnsureLabel(t.Context(), "awaiting_human", "ff0000", "a person decides"); err != nil {
		t.Fatal(err)
	}
	ours, err := w.c.CreateIssue(t.Context(), gh.NewIssue{Title: "Decide", Body: "please m", Labels: []string{"awaiting_human"}, Marker: "m"})
	if err != nil || !ours.Mine || !ours.Open || !slices.Equal(ours.Labels, []string{"awaiting_human"}) {
		t.Fatalf("got %+v, %v", ours, err)
	}
	w.repo.OpenIssue("mona", "other", "m", "awaiting_human")
	on := w.repo.Issue(ours.Number)
	on.Comment("max", "/debate decide D1 keep")
	on.Close("max", "not_planned")
	on.Reopen("mona")
	on.Close("mona", "duplicate")
	w.Forget()
	found, err := w.c.Issues(t.Context(), "awaiting_human", time.Time{})
	if err != nil || len(found) != 2 || found[1].Mine || len(w.Requests()) != 1 {
		t.Fatalf("got %+v, %v", found, err)
	}
	one, err := w.c.Issue(t.Context(), ours.Number)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(found[0], one); diff != "" {
		t.Error(diff)
	}
	if !one.Mine || one.Open || one.Author.Login != "github-actions[bot]" || len(one.Comments) != 1 || len(one.Events) != 3 {
		t.Fatalf("got %+v", one)
	}
	if e := one.Events[0]; e.Kind != gh.IssueClosed || e.By.Login != "max" || e.Reason != gh.NotPlanned || e.ByCode {
		t.Errorf("got %+v", e)
	}
	if e := one.Events[1]; e.Kind != gh.IssueReopened || e.By.Login != "mona" || e.Reason != "" {
		t.Errorf("got %+v", e)
	}
	if e := one.Events[2]; e.Reason != gh.Duplicate {
		t.Errorf("got %+v", e)
	}
	open, body := true, "else m"
	if err := w.c.EditIssue(t.Context(), ours.Number, gh.IssueChange{Open: &open, Body: &body, Labels: []string{"bug"}}); err != nil {
		t.Fatal(err)
	}
	one, err = w.c.Issue(t.Context(), ours.Number)
	if err != nil || !one.Open || one.Body != body || !slices.Equal(one.Labels, []string{"bug"}) {
		t.Errorf("got %+v, %v", one, err)
	}
	on.CloseByCommit("mona", w.head)
	one, err = w.c.Issue(t.Context(), ours.Number)
	if err != nil || !one.Events[len(one.Events)-1].ByCode {
		t.Errorf("got %+v, %v", one.Events, err)
	}
	if err := errors.Join(w.c.AddLabels(t.Context(), ours.Number, "awaiting_human"), w.c.RemoveLabel(t.Context(), ours.Number, "bug"),
		w.c.RemoveLabel(t.Context(), ours.Number, "bug"), w.c.EnsureLabel(t.Context(), "awaiting_human", "ff0000", "")); err != nil {
		t.Error(err)
	}
	if found, err = w.c.Issues(t.Context(), "awaiting_human", w.Now().Add(time.Hour)); err != nil || found != nil {
		t.Errorf("got %+v, %v", found, err)
	}
	w.repo.DisableIssues()
	if _, err := w.c.CreateIssue(t.Context(), gh.NewIssue{Title: "Decide", Body: "m2", Marker: "m2"}); !errors.As(err, new(*gh.PermissionError)) {
		t.Errorf("got %v", err)
	}
}

func TestReviews(t *testing.T) {
	t.Parallel()
	w := small(t)
	n := w.pull.Number
	id, err := w.c.PostReview(t.Context(), n, gh.NewReview{HeadSHA: w.head, Body: "m", Marker: "m", Comments: []gh.NewInline{
		{Path: "a.go", Side: debate.Right, Line: 2, Body: "f1"}, {Path: "a.go", Side: debate.Left, Line: 2, Body: "f2"},
		{Path: "a.go", Side: debate.Right, StartLine: 1, Line: 3, Body: "f3"},
	}})
	if err != nil || id == 0 {
		t.Fatal(id, err)
	}
	p, err := w.c.Pull(t.Context(), n)
	if err != nil || len(p.Threads) != 3 || len(p.Reviews) != 1 || p.Reviews[0].ID != id || !p.Reviews[0].Mine || p.Reviews[0].State != gh.Commented {
		t.Fatalf("got %+v, %v", p, err)
	}
	if p.Threads[1].Side != debate.Left || p.Threads[2].StartLine != 1 || p.Threads[2].Line != 3 {
		t.Errorf("got %+v", p.Threads)
	}
	first := p.Threads[0].Comments[0]
	if err := errors.Join(w.c.EditReviewComment(t.Context(), first.ID, "f1 is gone"), w.c.Reply(t.Context(), n, first.ID, "because r", "r"),
		w.c.React(t.Context(), first.ID, true, gh.Confused), w.c.ResolveThread(t.Context(), p.Threads[0].ID)); err != nil {
		t.Fatal(err)
	}
	p, err = w.c.Pull(t.Context(), n)
	if err != nil || !p.Threads[0].Resolved || len(p.Threads[0].Comments) != 2 || p.Threads[0].Comments[0].Body != "f1 is gone" || !p.Threads[0].Comments[0].Confused {
		t.Errorf("got %+v, %v", p.Threads, err)
	}
	_, err = w.c.PostReview(t.Context(), n, gh.NewReview{HeadSHA: w.head, Body: "x", Comments: []gh.NewInline{{Path: "a.go", Line: 99, Body: "f"}}})
	if !errors.As(err, new(*gh.RefusedError)) {
		t.Errorf("got %v", err)
	}
	if err := w.c.EditComment(t.Context(), 424242, "x"); !errors.As(err, new(*gh.NotFoundError)) {
		t.Errorf("got %v", err)
	}
	if err := w.c.SetStatus(t.Context(), gh.Status{HeadSHA: w.head, Context: "debate", State: gh.StatusPending, Description: "d"}); err != nil || len(w.repo.Statuses(w.head)) != 1 {
		t.Error(err)
	}
}

// TestLostAnswers: 40 comments under every fault, each there once (R03).
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]ghtest.Fault{
		"lost": ghtest.Lost(), "truncated": ghtest.Truncated(), "done, 502": ghtest.DoneBut(502), "500": ghtest.Answer(500),
		"reset": ghtest.Reset(), "too quick": ghtest.TooQuick(), "secondary": ghtest.Secondary(403, 30), "stale": {Cut: true, Done: true, Stale: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := small(t)
			for i := range 5 {
				w.FaultOn("POST /repos/acme/widgets/issues/", 1, fault)
				marker := fmt.Sprintf("<!-- %d -->", i)
				if _, err := w.c.CreateComment(t.Context(), w.pull.Number, "hello "+marker, marker); err != nil {
					t.Fatal(err)
				}
			}
			if n := len(w.pull.Comments()); n != 5 {
				t.Errorf("%d comments, want 5", n)
			}
		})
	}
}

// TestReadOnly: the token of a fork's job reads, and is told that it may not write.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	w := small(t)
	c := w.client(t, w.ForkToken())
	if _, err := c.Pull(t.Context(), w.pull.Number); err != nil {
		t.Error(err)
	}
	if _, err := c.Snapshot(t.Context(), w.base, w.head, w.pull.Number); err != nil {
		t.Error(err)
	}
	_, err1 := c.CreateComment(t.Context(), w.pull.Number, "x", "x")
	_, err2 := c.CreateIssue(t.Context(), gh.NewIssue{Title: "x", Body: "x", Marker: "x"})
	_, err3 := c.CreateCheck(t.Context(), gh.Check{Name: "debate", HeadSHA: w.head})
	_, err4 := c.PostReview(t.Context(), w.pull.Number, gh.NewReview{HeadSHA: w.head, Body: "x", Marker: "x"})
	for i, err := range []error{err1, err2, err3, err4, c.SetStatus(t.Context(), gh.Status{HeadSHA: w.head, Context: "debate", State: gh.StatusError})} {
		if !errors.As(err, new(*gh.PermissionError)) {
			t.Errorf("write %d: got %v", i+1, err)
		}
	}
}

func TestListsOfPulls(t *testing.T) {
	t.Parallel()
	w := small(t)
	w.repo.SetBranch("other", w.repo.Change(w.base, map[string]string{"o": "o\n"}))
	other := w.repo.OpenPull("max", ghtest.NewPull{Title: "other", Head: "other"})
	got, err := w.c.OpenPulls(t.Context())
	if err != nil || !slices.Equal(got, []int{other.Number, w.pull.Number}) {
		t.Errorf("got %v, %v", got, err)
	}
	base, _ := w.pull.Enqueue()
	_, head := other.Enqueue()
	members, err := w.c.QueueMembers(t.Context(), "refs/heads/main", base, head)
	want := []gh.Member{{Number: w.pull.Number, HeadSHA: w.head}, {Number: other.Number, HeadSHA: w.repo.Branch("other")}}
	if diff := cmp.Diff(want, members); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, err := w.c.QueueMembers(t.Context(), "main", w.base, w.head); !errors.As(err, new(*gh.NotFoundError)) {
		t.Errorf("got %v", err)
	}
}

// TestRename: a repository that has another name by now is still found.
func TestRename(t *testing.T) {
	t.Parallel()
	w := small(t)
	w.repo.Rename("gadgets")
	if _, err := w.c.Pull(t.Context(), w.pull.Number); err != nil {
		t.Error(err)
	}
	if _, err := w.c.CreateComment(t.Context(), w.pull.Number, "x", "x"); err != nil {
		t.Error(err)
	}
	if _, err := w.c.Snapshot(t.Context(), w.base, w.head, w.pull.Number); err != nil {
		t.Error(err)
	}
}
