package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// examples are the pull requests of docs/examples.
var examples = []example{
	{file: "readme-typo"},
	{file: "feature-with-a-bug"},
	{file: "feature-from-a-fork", of: "feature-with-a-bug", stranger: "sam"},
	{file: "dropped-column"},
	{file: "design-document"},
	{file: "dependency-bump"},
}

// example is a pull request, and what the models say of it.
type example struct {
	file     string
	of       string // the change is that of another example
	stranger string // opens it from a fork
	written  struct{ Title, Body, Author string }
	change   map[string]string
	again    map[string]string // what a second push changes
	opinions map[string]opinion
	then     *opinion // of everybody, after the second push
}

// situation is what the repository has to ask models with.
type situation struct {
	title   string
	parties string
	keys    int
}

const (
	oneModel = `parties:
  primary: {id: claude, provider: anthropic}
  challengers: [{id: claude-2, provider: anthropic}]
allow_same_family: true
`
	threeModels = `parties:
  primary: {id: claude, provider: anthropic}
  challengers:
    - {id: gpt, provider: openai}
    - {id: gemini, provider: gemini}
`
)

var situations = []situation{
	{"Without a key", "", 0},
	{"With one model", oneModel, 1},
	{"With three models", threeModels, 3},
}

// TestExamples writes docs/examples: all that is posted on a few ordinary pull requests.
// go test ./cmd/debate -run TestExamples -record writes it anew.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, x := range examples {
		t.Run(x.file, func(t *testing.T) {
			t.Parallel()
			x.read(t)
			var b strings.Builder
			fmt.Fprintf(&b, "# %s\n\n%s opens the pull request \"%s\"", heading(x.file), x.author(), x.written.Title)
			if x.stranger != "" {
				b.WriteString(" from a fork, without the right to write to the repository")
			}
			fmt.Fprintf(&b, ":\n\n%s\n\nIt changes %s.\n", quote(x.written.Body), strings.Join(names(x.change), ", "))
			before := map[string]string{}
			for _, s := range situations {
				for _, part := range x.play(t, s) {
					if same := before[part.text]; same != "" {
						part.text = "\nThe same as \"" + same + "\".\n"
					} else {
						before[part.text] = part.title
					}
					b.WriteString("\n## " + part.title + "\n" + part.text)
				}
			}
			same(t, filepath.Join("..", "..", "docs", "examples", x.file+".md"), b.String())
		})
	}
}

func heading(file string) string {
	words := strings.ReplaceAll(file, "-", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// names are the files of a change.
func names(change map[string]string) (list []string) {
	for name := range change {
		list = append(list, "`"+name+"`")
	}
	slices.Sort(list)
	return list
}

func (x *example) author() string {
	if x.stranger != "" {
		return x.stranger
	}
	return x.written.Author
}

// read reads the change and the opinions.
func (x *example) read(t *testing.T) {
	t.Helper()
	name := x.file
	if x.of != "" {
		name = x.of
	}
	archive := archived(t, name)
	decode(t, archive.Comment, &x.written)
	x.change, x.again, x.opinions = map[string]string{}, map[string]string{}, map[string]opinion{}
	for _, f := range archive.Files {
		if path, ok := strings.CutPrefix(f.Name, "change/"); ok {
			x.change[path] = string(f.Data)
			continue
		}
		if path, ok := strings.CutPrefix(f.Name, "again/"); ok {
			x.again[path] = string(f.Data)
			continue
		}
		var o opinion
		decode(t, f.Data, &o)
		x.opinions[strings.TrimSuffix(f.Name, ".json")] = o
	}
	x.opinions["claude-2"] = x.opinions["gpt"] // the second context of one model doubts as another model does
	if o, ok := x.opinions["again"]; ok {
		x.then = &o
	}
}

func archived(t *testing.T, name string) *txtar.Archive {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "examples", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return archive
}

func decode(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// storefront is the repository of the examples.
func storefront(t *testing.T) *hosted {
	t.Helper()
	s := ghtest.New(t)
	repo := s.Repo("acme/shop")
	for login, role := range map[string]ghtest.Role{"alice": ghtest.Write, "bob": ghtest.Maintain, "dependabot[bot]": ghtest.Write} {
		repo.SetPermission(login, role)
	}
	files := map[string]string{}
	for _, f := range archived(t, "shop").Files {
		files[f.Name] = string(f.Data)
	}
	repo.SetBranch("main", repo.Commit("", files))
	return &hosted{t: t, server: s, repo: repo, token: s.JobToken(jobPermissions), dir: t.TempDir(), inputs: map[string]string{"state-key": "a-state-key-of-the-operator"}}
}

// chapter is what was posted in a situation.
type chapter struct{ title, text string }

// play reviews the pull request in one situation, and tells what was posted.
func (x *example) play(t *testing.T, s situation) (all []chapter) {
	t.Helper()
	h, voices := storefront(t), &panel{opinions: x.opinions}
	h.env = environment(vendors(t, voices.mind)[:s.keys])
	h.env["GITHUB_REPOSITORY"], h.env["GITHUB_SERVER_URL"] = "acme/shop", h.server.URL
	if s.parties != "" {
		h.inputs["operator-config"] = s.parties
	}
	from := h.repo
	if x.stranger != "" && s.keys == 0 {
		h.token = h.server.ForkToken() // who keeps keys from forks gives them no right to write either
	}
	if x.stranger != "" {
		from = h.repo.Fork(x.stranger)
	}
	from.SetBranch("change", h.repo.Change(h.repo.Branch("main"), x.change))
	p := h.repo.OpenPull(x.author(), ghtest.NewPull{Title: x.written.Title, Body: x.written.Body, Head: "change", From: from})
	view := &viewer{t: t, h: h, p: p, seen: map[string]string{}}
	o := h.on(p, "opened").good(t)
	all = append(all, chapter{s.title, view.news(o)})
	if x.stranger != "" && s.keys > 0 {
		_, o = h.say(p.Issue, "bob", "/debate run")
		all = append(all, chapter{s.title + ", after bob, who has write access, comments `/debate run`", view.news(o.good(t))})
	}
	if x.stranger == "" && len(x.again) > 0 {
		voices.turn(x.then)
		all = append(all, chapter{s.title + ", after a push that repairs it", view.news(h.push(p, x.again).good(t))})
	}
	return all
}

// turn changes what everybody thinks.
func (p *panel) turn(o *opinion) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.again = o
}

// viewer writes down what people see on GitHub, and what has changed since.
type viewer struct {
	t    *testing.T
	h    *hosted
	p    *ghtest.Pull
	b    strings.Builder
	seen map[string]string
}

// news is everything that is new or reads otherwise than before; where that is nothing, the
// job says what came out.
func (v *viewer) news(o ran) string {
	v.t.Helper()
	v.b.Reset()
	for _, c := range v.h.repo.CheckRuns(v.p.Head()) {
		var notes strings.Builder
		for _, a := range c.Annotations {
			fmt.Fprintf(&notes, "\n\nAnnotation at %s:%d (%s): %s\n%s", a.Path, a.StartLine, a.Level, a.Title, a.Message)
		}
		v.post("check "+c.HeadSHA, fmt.Sprintf("Check `%s`: %s (%s)", c.Name, c.Title, strings.ReplaceAll(c.Conclusion, "_", " ")), c.Summary+notes.String(), 25)
	}
	for i, c := range v.p.Comments() {
		if c.Author() == ghtest.ActionsBot {
			v.post(fmt.Sprint("comment ", i), "Comment on the pull request", c.Body(), 25)
		}
	}
	for _, r := range v.p.Reviews() {
		if r.Author() == ghtest.ActionsBot && r.Body() != "" {
			v.post(fmt.Sprint("review ", r.ID), "Review", r.Body(), 12)
		}
	}
	for _, c := range v.p.Inline() {
		path, line := c.Place()
		v.post(fmt.Sprint("inline ", c.ID), fmt.Sprintf("Comment on `%s`, line %d", path, line), c.Body(), 12)
	}
	for _, i := range v.h.repo.Issues() {
		v.post(fmt.Sprint("issue ", i.Number), fmt.Sprintf("Issue #%d: %s", i.Number, i.Title()), i.Body(), 30)
		for n, c := range i.Comments() {
			v.post(fmt.Sprint("issue ", i.Number, n), fmt.Sprintf("Comment on issue #%d", i.Number), c.Body(), 12)
		}
	}
	if v.b.Len() == 0 {
		v.post("job", "Summary of the job", o.summary, 25)
		return "\nNothing is posted.\n" + v.b.String()
	}
	return v.b.String()
}

// post writes down one text, if it is new, and wants it to be short and plain.
func (v *viewer) post(key, title, body string, most int) {
	v.t.Helper()
	title, body = stable(title), stable(unhidden(body))
	if v.seen[key] == title+body {
		return
	}
	edited := ""
	if v.seen[key] != "" {
		edited = ", edited"
	}
	v.seen[key] = title + body
	open, _, _ := strings.Cut(body, "<details>")
	if strings.HasPrefix(key, "inline ") { // its foot stands behind a fold
		open = folded.ReplaceAllString(body, "")
	}
	if lines := strings.Count(strings.TrimSpace(open), "\n") + 1; lines > most {
		v.t.Errorf("%s: %d lines before the first fold, want %d at most:\n%s", title, lines, most, body)
	}
	if found := jargon.FindString(quotes.ReplaceAllString(title+"\n"+body, "")); found != "" {
		v.t.Errorf("%s says %q:\n%s", title, found, body)
	}
	fmt.Fprintf(&v.b, "\n### %s%s\n\n%s\n", title, edited, quote(body))
}

// quote shows a text as people see it where it was posted.
func quote(text string) string {
	return strings.ReplaceAll("> "+strings.ReplaceAll(text, "\n", "\n> "), "> \n", ">\n")
}

// folded is what people see only once they unfold it.
var folded = regexp.MustCompile(`(?s)<details>.*?</details>\n*`)

// jargon are words that only we know. What stands in code is quoted from the change.
var (
	jargon = regexp.MustCompile(`\b([DKC]\d+)\b|(?i)\b(primary|challengers?|party|parties|critic|embedded|disposition|requires_input|basis points?)\b`)
	quotes = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`|<code>.*?</code>|\\]\\([^)]*\\)|<a href=[^>]*>")
)

// stable is a text without what differs from run to run.
func stable(text string) string {
	for _, c := range []struct{ from, to string }{
		{`http://127\.0\.0\.1:\d+`, "https://github.com"},
		{`\b3\d{9}\b`, "1000"},
		{"SHA-256 `[0-9a-f]{7}`", "SHA-256 `3f9c1ab`"},
	} {
		text = regexp.MustCompile(c.from).ReplaceAllString(text, c.to)
	}
	return text
}

// same compares a text with a file, or writes the file anew.
func same(t *testing.T, path, text string) {
	t.Helper()
	if *record {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(text, "\n")); diff != "" {
		t.Errorf("%s (-record writes it anew):\n%s", path, diff)
	}
}
