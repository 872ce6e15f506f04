package gh_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/testkit/ghtest"
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
		HTTP: &http.Client{Transport: &http.Transport{}}, // no connection is shared with other tests
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
	own, err := w.c.Writer.CreateComment(t.Context(), w.pull.Number, "ours", "m")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.c.Writer.React(t.Context(), own.ID, false, "eyes"); err != nil {
		t.Fatal(err)
	}
	said := w.pull.Comment("max", "/debate run")
	said.Edit("mona", "/debate stop")
	w.pull.Comment("github-actions", "a person of that name")
	w.pull.Review("max", "CHANGES_REQUESTED", "no", ghtest.InlineComment{Path: "a.go", Line: 2, Body: "why?"})
	w.Forget()

	p, err := w.c.Reader.Pull(t.Context(), w.pull.Number)
	if err != nil {
		t.Fatal(err)
	}
	if got := w.operations(); len(got) != 1 {
		t.Errorf("%d requests: %v", len(got), got)
	}
	if p.State != gh.Open || p.Title != "Change it" || p.Body != "because" || p.Author != (gh.Account{Login: "mona"}) || p.BaseSHA != w.base ||
		p.HeadSHA != w.head || p.BaseRef != "main" || p.Draft || !slices.Equal(p.Labels, []string{"bug"}) || p.Siblings != nil || p.Truncated != nil {
		t.Errorf("got %+v", p)
	}
	if r := p.Repository; r.ID != w.repo.ID || r.Owner != "acme" || r.Name != "widgets" || r.OwnerIsUser {
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
	if len(p.Threads) != 1 || p.Threads[0].Path != "a.go" ||
		len(p.Threads[0].Comments) != 1 || p.Threads[0].Comments[0].Body != "why?" {
		t.Errorf("threads: %+v", p.Threads)
	}

	w.Forget()
	files, err := w.c.Reader.Files(t.Context(), w.base, []string{".github/debate.yml"})
	if err != nil || string(files[".github/debate.yml"]) != "version: 1\n" || len(w.Requests()) != 0 {
		t.Errorf("got %q, %v after %d requests", files, err, len(w.Requests()))
	}
	g, err := w.c.Reader.Glance(t.Context(), w.pull.Number, "", 0)
	if err != nil || g.HeadSHA != w.head || g.State != gh.Open || g.BaseRef != "main" || g.BaseSHA != p.BaseSHA {
		t.Errorf("got %+v, %v", g, err)
	}
	if diff := cmp.Diff(p.Comments, g.Comments); diff != "" {
		t.Errorf("the glance shows other comments: %s", diff)
	}
	if _, err := w.c.Reader.Pull(t.Context(), 99); !errors.As(err, new(*gh.NotFoundError)) {
		t.Errorf("got %v", err)
	}
}

// TestReviewers: who was asked to review, people and bots.
func TestReviewers(t *testing.T) {
	t.Parallel()
	w := small(t)
	if got, err := w.c.Reader.Reviewers(t.Context(), w.pull.Number); err != nil || len(got) != 0 {
		t.Errorf("nobody was asked: got %v, %v", got, err)
	}
	w.pull.RequestReview("max", "dependabot[bot]")
	got, err := w.c.Reader.Reviewers(t.Context(), w.pull.Number)
	if want := []gh.Account{{Login: "max"}, {Login: "dependabot[bot]", Bot: true}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if _, err := w.c.Reader.Reviewers(t.Context(), 99); !errors.As(err, new(*gh.NotFoundError)) {
		t.Errorf("got %v", err)
	}
}

// TestMergeBase: a base that goes on by itself leaves where a head left it; one that takes
// a part of the head does not.
func TestMergeBase(t *testing.T) {
	t.Parallel()
	w := small(t)
	further := w.repo.Change(w.base, map[string]string{"other.go": "package other\n"})
	next := w.repo.Change(w.head, map[string]string{"next.go": "package next\n"})
	for name, test := range map[string]struct{ tip, head, want string }{
		"the base stayed":   {w.base, w.head, w.base},
		"it went on":        {further, w.head, w.base},
		"it took one half":  {w.head, next, w.head},
		"it took the whole": {next, next, next},
	} {
		if got, err := w.c.Reader.MergeBase(t.Context(), test.tip, test.head); err != nil || got != test.want {
			t.Errorf("%s: got %.7s, %v, want %.7s", name, got, err, test.want)
		}
	}
	for name, tip := range map[string]string{"no commit": "main", "unknown": strings.Repeat("a", 40)} {
		if got, err := w.c.Reader.MergeBase(t.Context(), tip, w.head); err == nil {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

// TestSiblings: another open pull request with the same head.
func TestSiblings(t *testing.T) {
	t.Parallel()
	w := small(t)
	w.repo.SetBranch("release", w.base)
	other := w.repo.OpenPull("mona", ghtest.NewPull{Title: "again", Head: "work", Base: "release"})
	g, err := w.c.Reader.Glance(t.Context(), w.pull.Number, "", 0)
	if err != nil || !slices.Equal(g.Siblings, []int{other.Number}) {
		t.Errorf("got %v, %v", g.Siblings, err)
	}
}

// TestLinked: the issues that a pull request is to close come with it, those of its own
// repository, with who had a hand in them last.
func TestLinked(t *testing.T) {
	t.Parallel()
	w := small(t)
	issue := w.repo.OpenIssue("olive", "It breaks", "Often.")
	named := w.repo.OpenIssue("olive", "It is slow", "Always.")
	w.pull.Link(w.Repo("acme/other").OpenIssue("olive", "Elsewhere", "No."))
	w.pull.Link(issue)
	w.pull.Edit("mona", fmt.Sprintf("Fixes #%d, not #%d", named.Number, w.pull.Number))
	issue.Edit("max", "Often!")
	issue.SetTitle("olive", "It breaks often")
	w.Forget()
	p, err := w.c.Reader.Pull(t.Context(), w.pull.Number)
	if err != nil || len(w.Requests()) != 1 {
		t.Fatalf("got %v after %v", err, w.operations())
	}
	for i := range p.Linked {
		for j := range p.Linked[i].Edits {
			at := &p.Linked[i].Edits[j].At
			if !at.After(p.HeadDate) || p.HeadDate.IsZero() {
				t.Errorf("#%d was edited at %v, the head is of %v", p.Linked[i].Number, *at, p.HeadDate)
			}
			*at = time.Time{}
		}
	}
	want := []gh.Linked{
		{Number: issue.Number, Title: "It breaks often", Body: "Often!", Edits: []gh.Edit{{By: gh.Account{Login: "max"}}, {By: gh.Account{Login: "olive"}}}},
		{Number: named.Number, Title: "It is slow", Body: "Always."},
	}
	if diff := cmp.Diff(want, p.Linked); diff != "" {
		t.Error(diff)
	}
}

// TestLinkedIsDenied: a token that may not read issues reads the rest.
func TestLinkedIsDenied(t *testing.T) {
	t.Parallel()
	w := small(t)
	w.repo.SetPrivate(true)
	w.pull.Link(w.repo.OpenIssue("olive", "It breaks", "Often."))
	c := w.client(t, w.JobToken(map[string]string{"contents": "read", "pull-requests": "write"}))
	w.Forget()
	p, err := c.Reader.Pull(t.Context(), w.pull.Number)
	if err != nil || p.Linked != nil || p.Title != "Change it" || p.HeadDate.IsZero() || len(w.Requests()) != 1 {
		t.Errorf("got %+v, %v after %v", p, err, w.operations())
	}
}

// TestEnds: who ended a pull request.
func TestEnds(t *testing.T) {
	t.Parallel()
	w := small(t)
	w.pull.Close("mona", "")
	p, err := w.c.Reader.Pull(t.Context(), w.pull.Number)
	if err != nil || p.State != gh.Closed || p.EndedBy.Login != "mona" {
		t.Errorf("got %s by %v, %v", p.State, p.EndedBy, err)
	}
	w = small(t)
	w.pull.Merge("max")
	p, err = w.c.Reader.Pull(t.Context(), w.pull.Number)
	if err != nil || p.State != gh.Merged || p.EndedBy.Login != "max" {
		t.Errorf("got %s by %v, %v", p.State, p.EndedBy, err)
	}
}

// TestLongConversation: what stands on page seven is found.
func TestLongConversation(t *testing.T) {
	t.Parallel()
	w := small(t)
	for i := range 650 {
		w.pull.Comment("mona", fmt.Sprint("comment ", i))
	}
	w.Forget()
	p, err := w.c.Reader.Pull(t.Context(), w.pull.Number)
	if err != nil || len(p.Comments) != 650 || p.Comments[649].Body != "comment 649" || p.Truncated != nil {
		t.Errorf("got %d comments, %v", len(p.Comments), err)
	}
	if n := len(w.Requests()); n != 7 {
		t.Errorf("%d requests, want 7", n)
	}
	for _, test := range []struct {
		more, want int
		truncated  []string
	}{{449, 1099, nil}, {1401, 2500, nil}, {2, 2500, []string{"comments"}}} { // GitHub takes no more than 2,500
		for i := range test.more {
			w.pull.Comment("mona", fmt.Sprint("more ", i))
		}
		p, err = w.c.Reader.Pull(t.Context(), w.pull.Number)
		if err != nil || len(p.Comments) != test.want || !slices.Equal(p.Truncated, test.truncated) {
			t.Errorf("got %d comments, %v, %v", len(p.Comments), p.Truncated, err)
		}
		if last := fmt.Sprint("more ", test.more-1); test.truncated == nil && p.Comments[test.want-1].Body != last {
			t.Errorf("the last of %d comments is %q, want %q", test.want, p.Comments[test.want-1].Body, last)
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
		got, bot, err := w.c.Reader.Permission(t.Context(), login)
		if err != nil || got != want || bot {
			t.Errorf("%s: got %q, %t, %v; want %q", login, got, bot, err, want)
		}
	}
	if _, bot, err := w.c.Reader.Permission(t.Context(), "github-actions[bot]"); err != nil || !bot {
		t.Errorf("a bot: %t, %v", bot, err)
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]ghtest.File{
		"a": text("a\r\n"), "empty": text(""), "dir/b": text("b"), "link": {Mode: "120000", Content: "a"}, "bin": text("a\x00\xff"),
		"latin": text("gr\xfc\xdfe\n"), "large": text(strings.Repeat("x", 70_000)), "huge": text(strings.Repeat("x", 4<<20+1)),
	}, map[string]ghtest.File{"a": text("b")})
	ask := []string{"a", "a", "empty", "dir/b", "dir", "link", "bin", "latin", "large", "missing", "../a", ""}
	for range 2 {
		got, err := w.c.Reader.Files(t.Context(), w.base, ask)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][]byte{"a": []byte("a\r\n"), "empty": {}, "dir/b": []byte("b"), "dir": nil, "link": nil, "bin": []byte("a\x00\xff"),
			"latin": []byte("gr\xfc\xdfe\n"), "large": []byte(strings.Repeat("x", 70_000)), "missing": nil, "../a": nil, "": nil}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	if n := len(w.Requests()); n != 3 {
		t.Errorf("%d requests: %v", n, w.operations())
	}
	if _, err := w.c.Reader.Files(t.Context(), w.base, []string{"a", "huge"}); err == nil || !strings.Contains(err.Error(), "huge has more than 4194304 bytes") {
		t.Errorf("a file that is too large passes for missing: %v", err)
	}
	if got, err := w.c.Reader.Files(t.Context(), w.head, []string{"a"}); err != nil || string(got["a"]) != "b" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestListsOfPulls(t *testing.T) {
	t.Parallel()
	w := small(t)
	w.repo.SetBranch("other", w.repo.Change(w.base, map[string]string{"o": "o\n"}))
	other := w.repo.OpenPull("max", ghtest.NewPull{Title: "other", Head: "other"})
	got, err := w.c.Reader.ChangedPulls(t.Context(), time.Time{})
	if err != nil || !slices.Equal(got, []int{other.Number, w.pull.Number}) {
		t.Errorf("got %v, %v", got, err)
	}
	base, _ := w.pull.Enqueue()
	_, head := other.Enqueue()
	members, err := w.c.Reader.QueueMembers(t.Context(), "refs/heads/main", base, head)
	want := []gh.Member{{Number: w.pull.Number, HeadSHA: w.head}, {Number: other.Number, HeadSHA: w.repo.Branch("other")}}
	if diff := cmp.Diff(want, members); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, err := w.c.Reader.QueueMembers(t.Context(), "main", w.base, w.head); !errors.As(err, new(*gh.NotFoundError)) {
		t.Errorf("got %v", err)
	}
}

// TestRename: a repository that has another name by now is still found.
func TestRename(t *testing.T) {
	t.Parallel()
	w := small(t)
	w.repo.Rename("gadgets")
	if _, err := w.c.Reader.Pull(t.Context(), w.pull.Number); err != nil {
		t.Error(err)
	}
	if _, err := w.c.Writer.CreateComment(t.Context(), w.pull.Number, "x", "x"); err != nil {
		t.Error(err)
	}
	if _, err := w.c.Reader.Snapshot(t.Context(), w.base, w.head, w.pull.Number); err != nil {
		t.Error(err)
	}
}
