package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/store"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// desk is where somebody reviews pull requests of the fake GitHub from a terminal: a
// repository with a remote, and the settings of the user.
type desk struct {
	*hosted
	dir string
	env map[string]string
}

// desk is that of ada, who may write.
func (h *hosted) desk() *desk {
	h.t.Helper()
	d := &desk{hosted: h, dir: filepath.Join(h.dir, "work")}
	home := filepath.Join(h.dir, "home")
	settings := filepath.Join(home, ".config", "debate", "config.yml")
	if err := os.MkdirAll(filepath.Dir(settings), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(settings, []byte("version: 1\n"+h.inputs["operator-config"]), 0o600); err != nil {
		h.t.Fatal(err)
	}
	d.env = map[string]string{
		"HOME": home, "PATH": os.Getenv("PATH"), "GITHUB_TOKEN": h.server.PersonToken("ada"), "GH_HOST": strings.TrimPrefix(h.server.URL, "http://"),
	}
	d.git("init", "-q", "-b", "main", d.dir)
	d.git("-C", d.dir, "remote", "add", "origin", h.server.URL+"/acme/app.git")
	return d
}

func (d *desk) git(args ...string) {
	d.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Env = surroundings(d.t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		d.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// review runs debate review there, and returns what it says on both outputs.
func (d *desk) review(args ...string) (code int, out, said string) {
	d.t.Helper()
	return d.main(append([]string{"review"}, args...)...)
}

// main runs debate there.
func (d *desk) main(args ...string) (code int, out, said string) {
	d.t.Helper()
	var stdout, stderr bytes.Buffer
	env := inProcess(d.dir, d.env, &stdout, &stderr)
	env.Now = d.server.Now
	env.Wait = func(ctx context.Context, pause time.Duration) error {
		d.server.Advance(pause)
		return context.Cause(ctx)
	}
	d.server.Forget()
	code = cli.Main(args, env)
	return code, stdout.String(), stderr.String()
}

// TestReviewPull: a pull request is reviewed by its number or its address, whoever opened
// it, and nothing is written on it.
func TestReviewPull(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.open("olive", map[string]string{"ratio.go": divides})
	d := h.desk()
	for _, asked := range []string{"1", "#1", h.server.URL + "/acme/app/pull/1", h.server.URL + "/acme/app/pull/1/files#diff-1"} {
		code, out, said := d.review("--pr", asked)
		if code != 0 || len(h.server.Writes()) > 0 {
			t.Fatalf("%s: exit code %d, wrote %v\n%s%s", asked, code, h.server.Writes(), out, said)
		}
		wantText(t, asked, out, "changes needed — 1 finding confirmed")
		wantText(t, asked, out, "P2  ratio.go:4  F1  The divisor can be zero")
		wantText(t, asked, said, "acme/app#1 by olive at ")
	}
	for _, r := range h.server.Requests() {
		if strings.Contains(r.Body, "mutation") {
			t.Errorf("a mutation is sent: %s", r.Body)
		}
	}

	// From somewhere else, in every format, and with a record where it is wanted.
	elsewhere := d.dir
	d.dir = t.TempDir()
	record := filepath.Join(d.dir, "record.jsonl")
	for _, format := range []string{"text", "json", "markdown", "html", "sarif"} {
		code, out, said := d.main("-C", elsewhere, "review", "--pr", "1", "--format", format, "--record", record+format, "--fail-on", "P2")
		if code != 1 {
			t.Errorf("%s: exit code %d, want 1\n%s", format, code, said)
		}
		wantText(t, format, out, "The divisor can be zero")
		if rec, err := store.Read(record + format); err != nil || len(rec.Entries) == 0 {
			t.Errorf("%s: the record: %v", format, err)
		}
	}
	d.dir = elsewhere
	h.open("ada", map[string]string{"ratio.go": divides})
	code, _, said := d.review("--pr", "2", "--resume", record+"json")
	want(t, "going on with another pull request", code, 2)
	wantText(t, "going on", said, "the record is not that of acme/app#2")
}

// TestReviewPullSettings: the settings are those of the base side, and a pull request that
// is merged does not bring its own either.
func TestReviewPullSettings(t *testing.T) {
	t.Parallel()
	h := host(t)
	const file = ".github/debate.yml"
	h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{file: "version: 1\nfail_on: P2\n"}))
	p := h.open("ada", map[string]string{"ratio.go": divides, file: "version: 1\nfail_on: none\npaths: {ignore: ['**']}\n"})
	d := h.desk()
	for _, when := range []string{"open", "merged"} {
		code, out, said := d.review("--pr", "1")
		want(t, when+": exit code", code, 1)
		wantText(t, when, out, "The divisor can be zero")
		wantText(t, when, out, "new settings in this change count once they are merged")
		if when == "merged" {
			wantText(t, when, out, "the pull request is merged")
		}
		if t.Failed() {
			t.Fatalf("%s\n%s", out, said)
		}
		p.Merge("mona")
	}

	// Whoever opens a pull request chooses its base: the default branch's severity holds.
	h.repo.SetBranch("lenient", h.repo.Change(p.Head(), map[string]string{"ratio.go": base, file: "version: 1\n"}))
	h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{file: "version: 1\nfail_on: P2\n"}))
	h.repo.SetBranch("again", h.repo.Change(h.repo.Branch("lenient"), map[string]string{"ratio.go": divides}))
	h.repo.OpenPull("olive", ghtest.NewPull{Title: "Again", Head: "again", Base: "lenient"})
	code, out, _ := d.review("--pr", "2")
	want(t, "into a lenient branch", code, 1)
	wantText(t, "into a lenient branch", out, "The divisor can be zero")

	// So do the known findings that it accepts, and no others.
	line := strings.TrimSpace(strings.Split(divides, "\n")[3])
	accepts := "version: 1\nknown:\n  - {snippet: '" + line + "', reason: x, by: olive, until: 2099-01-01}\n"
	h.repo.SetBranch("lenient", h.repo.Change(h.repo.Branch("lenient"), map[string]string{file: accepts}))
	code, out, _ = d.review("--pr", "2")
	want(t, "into a branch that accepts it", code, 1)
	wantText(t, "into a branch that accepts it", out, "The divisor can be zero")
	h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), map[string]string{file: accepts}))
	_, out, _ = d.review("--pr", "2")
	wantText(t, "where both accept it", out, "Known (1)")
}

// TestReviewPullAllTheSame: what keeps the action from a pull request does not keep
// somebody from it who asks.
func TestReviewPullAllTheSame(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, text string
		prepare    func(p *ghtest.Pull)
	}{
		"closed":             {"ratio.go", divides, func(p *ghtest.Pull) { p.Close("ada", "") }},
		"draft":              {"ratio.go", divides, func(p *ghtest.Pull) { p.SetDraft(true) }},
		"no-debate":          {"ratio.go", divides, func(p *ghtest.Pull) { p.AddLabel("ada", "no-debate") }},
		"paused":             {"ratio.go", divides, func(p *ghtest.Pull) { p.Comment("ada", "/debate pause") }},
		"documentation only": {"README.md", "Read this.\n", func(*ghtest.Pull) {}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			c.prepare(h.open("ada", map[string]string{c.file: c.text}))
			code, out, said := h.desk().review("--pr", "1")
			if code != 0 || !strings.Contains(out, "The divisor can be zero") {
				t.Errorf("exit code %d\n%s%s", code, out, said)
			}
			if closed := strings.Contains(out, "the pull request is closed"); closed != (name == "closed") {
				t.Errorf("it says that it is closed: %v\n%s", closed, out)
			}
		})
	}
}

// TestReviewPullRefuses: what cannot be read is said with what to do about it, and no
// server gets a token that is not its own.
func TestReviewPullRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env    map[string]string
		origin string // "-" for none
		args   []string
		code   int
		said   string
	}{
		"no token":         {map[string]string{"GITHUB_TOKEN": ""}, "", []string{"--pr", "1"}, 2, "set GITHUB_TOKEN, or log in with gh auth login"},
		"refused token":    {map[string]string{"GITHUB_TOKEN": "ghp_revoked"}, "", []string{"--pr", "1"}, 4, "does not let the token of GITHUB_TOKEN read acme/app#1: Bad credentials"},
		"other token":      {map[string]string{"GITHUB_TOKEN": "", "GH_TOKEN": "ghp_revoked"}, "", []string{"--pr", "1"}, 4, "the token of GH_TOKEN"},
		"not there":        {nil, "", []string{"--pr", "7"}, 2, "there is no pull request acme/app#7 on 127.0.0.1"},
		"no number":        {nil, "", []string{"--pr", "one"}, 2, "write its number or its address"},
		"no remote":        {nil, "-", []string{"--pr", "1"}, 2, "no remote origin here names the repository"},
		"a path":           {nil, "/srv/git/app.git", []string{"--pr", "1"}, 2, "the remote origin (/srv/git/app.git) is no repository of GitHub"},
		"another server":   {map[string]string{"GH_HOST": ""}, "", []string{"--pr", "1"}, 2, "gh auth login --hostname 127.0.0.1"},
		"its own text":     {nil, "", []string{"--pr", "1", "--body", "-"}, 2, "leave out --body"},
		"two scopes":       {nil, "", []string{"--pr", "1", "--uncommitted"}, 2, "can't be used together"},
		"a range and a PR": {nil, "", []string{"main..HEAD", "--pr", "1"}, 2, "both say what to review"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := host(t)
			h.open("ada", map[string]string{"ratio.go": divides})
			d := h.desk()
			for name, value := range c.env {
				d.env[name] = value
			}
			switch c.origin {
			case "":
			case "-":
				d.git("-C", d.dir, "remote", "remove", "origin")
			default:
				d.git("-C", d.dir, "remote", "set-url", "origin", c.origin)
			}
			code, out, said := d.review(c.args...)
			want(t, "exit code", code, c.code)
			wantText(t, "standard error", said, c.said)
			if c.code == 2 && c.args[1] != "7" && len(h.server.Requests()) > 0 {
				t.Errorf("GitHub is asked: %v", h.server.Requests())
			}
			if strings.Contains(out+said, d.env["GITHUB_TOKEN"]) && d.env["GITHUB_TOKEN"] != "" {
				t.Errorf("the token is shown:\n%s%s", out, said)
			}
		})
	}
}

// TestReviewPullInAJob: where there is no remote, the job says which repository it is.
func TestReviewPullInAJob(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.open("ada", map[string]string{"ratio.go": divides})
	d := h.desk()
	d.git("-C", d.dir, "remote", "remove", "origin")
	d.env["GH_HOST"] = ""
	d.env["GITHUB_REPOSITORY"], d.env["GITHUB_SERVER_URL"], d.env["GITHUB_API_URL"], d.env["GITHUB_GRAPHQL_URL"] = "acme/app", "https://git.corp.example", h.server.URL, h.server.GraphQLURL
	code, out, said := d.review("--pr", "1")
	if code != 0 || !strings.Contains(out, "The divisor can be zero") {
		t.Errorf("exit code %d\n%s%s", code, out, said)
	}
}

// TestReviewPullPost: the result is posted once, as a review that comments, in the name of
// whoever posts it, and the action goes its way as if it were not there.
func TestReviewPullPost(t *testing.T) {
	t.Parallel()
	h := host(t)
	p := h.open("olive", map[string]string{"ratio.go": divides})
	d := h.desk()
	code, out, said := d.review("--pr", "1", "--post")
	if writes := h.server.Writes(); code != 0 || len(writes) != 1 || len(p.Reviews()) != 1 {
		t.Fatalf("exit code %d, wrote %v\n%s%s", code, writes, out, said)
	}
	r := p.Reviews()[0]
	want(t, "who posts it", r.Author(), "ada")
	want(t, "what it is", r.State(), "COMMENTED")
	for _, text := range []string{
		"<!-- debate:posted v1 ", "Posted by ada from the command line. It is no check and blocks nothing.\n\n> ### debate: changes needed\n",
		"The divisor can be zero", "/blob/" + p.Head() + "/ratio.go#L4",
	} {
		wantText(t, "review", r.Body(), text)
	}
	wantText(t, "standard error", said, fmt.Sprintf("posted as ada: %s/acme/app/pull/1#pullrequestreview-%d", h.server.URL, r.ID))
	if n := len(p.Inline()) + len(p.Comments()) + len(h.repo.CheckRuns(p.Head())) + len(h.repo.Statuses(p.Head())) + len(h.repo.Issues()); n > 0 {
		t.Errorf("%d other things stand there", n)
	}

	_, _, said = d.review("--pr", "1", "--post")
	want(t, "writes of the second time", len(h.server.Writes()), 0)
	wantText(t, "the second time", said, fmt.Sprintf("#pullrequestreview-%d", r.ID))

	before := r.Body()
	h.inputs["operator-config"] = parties(t, "agree", "agree")
	h.heard(p.Issue, "mona", "/debate run")
	want(t, "the review after a run of the action", r.Body(), before)
	want(t, "the check", h.check(p.Head()), "neutral")
	want(t, "reviews", len(p.Reviews()), 2)
	if len(ours(p.Comments())) == 0 {
		t.Error("the action has no summary")
	}
}

// TestReviewPullPostsNothing where there is nothing to post, or no right to.
func TestReviewPullPostsNothing(t *testing.T) {
	t.Parallel()
	h := host(t)
	h.open("ada", map[string]string{"ratio.go": divides})
	d := h.desk()
	code, _, said := d.review("--post", "--uncommitted")
	want(t, "without a pull request", code, 2)
	wantText(t, "without a pull request", said, "name it with --pr")

	d.env["GITHUB_TOKEN"] = h.server.AppToken("ada", 7, map[string]string{"contents": "read", "pull_requests": "read", "checks": "read", "metadata": "read"})
	code, out, said := d.review("--pr", "1", "--post")
	want(t, "without the right", code, 4)
	wantText(t, "without the right", out, "The divisor can be zero")
	wantText(t, "without the right", said, "does not let the token of GITHUB_TOKEN post a review on acme/app#1")

	d.env["HOME"] = t.TempDir() // without models
	code, _, said = d.review("--pr", "1", "--post")
	want(t, "without models", code, 0)
	wantText(t, "without models", said, "nothing is posted: no model reviewed the change")
	want(t, "writes without models", len(h.server.Writes()), 0)
}
