package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// tale is the life of one pull request, from its opening to its end. After each
// thing that people do, the action runs for its event.
type tale struct {
	server    *ghtest.Server
	repo      *ghtest.Repo
	pull      *ghtest.Pull
	providers []*vendor
	env       map[string]string
	dir       string
	runs      int
	last      event    // of the last scene that had one
	heads     []string // of the pull request up to now
	bots      []string // who speaks for us, the newest last
	// api is where the action reaches GitHub, the server itself if it is "".
	api string
	// interrupted is the context of the action; nil for one that nothing ends.
	interrupted func() (context.Context, context.CancelFunc)
	way         *way // of its requests
}

// event is what a workflow is started by.
type event struct {
	kind    string
	payload []byte
}

// stateKey seals what the summary of a tale holds.
const stateKey = "a-state-key-of-the-operator"

const (
	count = "package app\n\nfunc Count(list []Item) int {\n\treturn len(list)\n}\n"
	weigh = "package app\n\nfunc Count(list []Item) int {\n\tn := 0\n\tfor range list { // BUG: closed items count\n\t\tn++\n\t}\n\tfirst := list[0] // BUG: the list can be empty\n\treturn n + first.Weight\n}\n"
	fixed = "package app\n\nfunc Count(list []Item) int {\n\tn := open(list)\n\tfirst := list[0] // BUG: the list can be empty\n\treturn n + first.Weight\n}\n"
)

// scene is something that happens, and the event that tells of it.
type scene struct {
	name string
	act  func(*tale) event
}

// scenes are the whole tale.
var scenes = []scene{
	{"the pull request is opened", func(ta *tale) event {
		ta.repo.SetBranch("change", ta.repo.Change(ta.repo.Branch("main"), map[string]string{"count.go": weigh, "db/migrations/0002_drop.up.sql": "DROP TABLE old;\n"}))
		ta.pull = ta.repo.OpenPull("ada", ghtest.NewPull{Title: "Weigh items", Body: "Items are weighed.", Head: "change"})
		return ta.event("pull_request", "opened", ghtest.Happening{Pull: ta.pull})
	}},
	{"its author disputes a finding", func(ta *tale) event {
		c := ta.pull.Comment("ada", "/debate dispute F3 The list is never empty here.")
		return ta.event("issue_comment", "created", ghtest.Happening{Issue: ta.pull.Issue, Comment: c})
	}},
	{"its author fixes one finding", func(ta *tale) event {
		before := ta.pull.Head()
		ta.pull.Push(ta.repo.Change(before, map[string]string{"count.go": fixed}))
		return ta.event("pull_request", "synchronize", ghtest.Happening{Pull: ta.pull, Before: before})
	}},
	{"the event comes again", func(ta *tale) event { return ta.last }},
	{"an outsider closes the issue", func(ta *tale) event { return ta.close("olive", "completed") }},
	{"a maintainer closes the issue", func(ta *tale) event { return ta.close("mona", "not_planned") }},
	{"another migration is pushed", func(ta *tale) event {
		before := ta.pull.Head()
		ta.pull.Push(ta.repo.Change(before, map[string]string{"db/migrations/0003_drop.up.sql": "DROP TABLE older;\n"}))
		return ta.event("pull_request", "synchronize", ghtest.Happening{Pull: ta.pull, Before: before})
	}},
	{"the base goes on, and the event comes once more", func(ta *tale) event {
		ta.repo.SetBranch("main", ta.repo.Change(ta.repo.Branch("main"), map[string]string{"other.go": "package other\n"}))
		return ta.last
	}},
	{"the pull request is merged", func(ta *tale) event {
		ta.pull.Merge("mona")
		return ta.event("pull_request", "closed", ghtest.Happening{Pull: ta.pull, Sender: "mona"})
	}},
}

// begin sets up a repository that nothing has happened in yet.
func begin(t testing.TB) *tale {
	t.Helper()
	s := ghtest.New(t)
	repo := s.Repo("acme/app")
	for login, role := range map[string]ghtest.Role{"ada": ghtest.Write, "mona": ghtest.Maintain, "olive": ghtest.Read} {
		repo.SetPermission(login, role)
	}
	repo.SetBranch("main", repo.Commit("", map[string]string{"count.go": count, "db/migrations/0001_a.up.sql": "CREATE TABLE old (id bigint);\n"}))
	ta := &tale{server: s, repo: repo, bots: []string{ghtest.ActionsBot}, dir: t.TempDir(), way: &way{to: connections(), ends: map[string]context.CancelCauseFunc{}}}
	ta.providers = vendors(t, replying)[:2]
	ta.env = environment(ta.providers)
	ta.env["INPUT_GITHUB_TOKEN"], ta.env["INPUT_STATE_KEY"] = s.JobToken(jobPermissions), stateKey
	return ta
}

func (ta *tale) event(kind, action string, h ghtest.Happening) event {
	ta.last = event{kind, ta.repo.Event(kind, action, h)}
	if head := ta.pull.Head(); !slices.Contains(ta.heads, head) {
		ta.heads = append(ta.heads, head)
	}
	return ta.last
}

// close closes the first issue that is open.
func (ta *tale) close(by, reason string) event {
	all := ta.repo.Issues()
	i := all[max(0, slices.IndexFunc(all, (*ghtest.Issue).Open))]
	i.Close(by, reason)
	return ta.event("issues", "closed", ghtest.Happening{Issue: i, Sender: by})
}

// act runs the action for an event. It has a door to GitHub of its own: what the
// run has left on the way takes effect before the door is shut, or never. It must
// not do so beside the next run.
func (ta *tale) act(e event) (code int, log string) {
	ta.runs++
	own := *ta
	if ta.api == "" {
		door := httptest.NewServer(ta.server)
		defer door.Close()
		own.api = door.URL
	}
	dir := filepath.Join(ta.dir, fmt.Sprint(ta.runs))
	system, out := own.system(e, dir, ta.runs)
	code = cli.Main([]string{"action"}, system)
	ta.server.Advance(3 * time.Minute) // nobody reads and answers faster
	return code, out.String()
}

// system is the process of the action.
func (ta *tale) system(e event, dir string, attempt int) (cli.Env, *bytes.Buffer) {
	env := map[string]string{"GITHUB_RUN_ATTEMPT": fmt.Sprint(attempt)}
	if ta.api != "" {
		env["GITHUB_API_URL"], env["GITHUB_GRAPHQL_URL"] = ta.api, ta.api+"/graphql"
	}
	system, out, err := process(ta.server, dir, e, ta.env, env)
	if err != nil {
		panic(err)
	}
	system.Random = strings.NewReader(strings.Repeat("always the same ", 8)) // the order of options follows from it
	system.GitHub = ta.way
	if ta.interrupted != nil {
		system.Interrupt = ta.interrupted
	}
	return system, out
}

// way is how the action of a tale gets to GitHub. Its patience with a request ends
// when GitHub hangs over it and never before, however slow the machine is: each
// other timeout would be one that no tale has planned.
type way struct {
	to   http.RoundTripper
	mu   sync.Mutex
	ends map[string]context.CancelCauseFunc // by the number of the request
}

// numbered is the header with the number of a request.
const numbered = "X-Test-Number"

func (w *way) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, end := context.WithCancelCause(r.Context())
	r = r.Clone(ctx)
	w.mu.Lock()
	number := fmt.Sprint(len(w.ends))
	w.ends[number] = end
	w.mu.Unlock()
	r.Header.Set(numbered, number)
	return w.to.RoundTrip(r)
}

// giveUp ends the patience with a request that has come to GitHub.
func (w *way) giveUp(r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ends[r.Header.Get(numbered)](context.DeadlineExceeded)
}

// calls is how often a model was asked up to now.
func (ta *tale) calls() int {
	n := 0
	for _, v := range ta.providers {
		n += len(v.asked())
	}
	return n
}

// published names the session whose result stands in the summary, "" for none.
func (ta *tale) published() string {
	memo, _, err := ta.memo()
	if err != nil {
		return ""
	}
	var m struct {
		Debate struct {
			Session string `json:"session_id"`
		}
	}
	if err := json.Unmarshal(memo, &m); err != nil {
		return ""
	}
	return m.Debate.Session
}

// memo is what the summary has sealed.
func (ta *tale) memo() (memo []byte, trusted bool, err error) {
	bind := comment.Bind{RepositoryID: ta.repo.ID, Number: ta.pull.Number, Purpose: "summary"}
	return comment.Open([]byte(stateKey), bind, ta.sealed())
}

// sealed is the block of state in the summary, "" where there is none.
func (ta *tale) sealed() string {
	for _, c := range ta.pull.Comments() {
		if block := stateBlock.FindString(c.Body()); block != "" && ta.ours(c) {
			return block
		}
	}
	return ""
}

var (
	stateBlock = regexp.MustCompile(`<!-- debate:state [^>]*-->`)
	volatile   = []struct {
		pattern *regexp.Regexp
		by      string
	}{
		{stateBlock, "STATE"},
		{regexp.MustCompile(`http://127\.0\.0\.1:\d+`), "URL"},
		{regexp.MustCompile(`debate-\d{8}-\d{6}-[0-9-]+`), "SESSION"},
		{regexp.MustCompile(`mac=[A-Za-z0-9_-]+`), "mac=MAC"},
		{regexp.MustCompile(`pullrequestreview-\d+|discussion_r\d+`), "THREAD"}, // the run that posts a review knows it by its review alone
		{regexp.MustCompile(`\b[0-9a-f]{12,64}\b`), "HASH"},
		{regexp.MustCompile("\\[`[0-9a-f]{7}`\\]"), "[`HASH`]"},
		{regexp.MustCompile(`carried from [0-9a-f]{7}\b`), "carried from HASH"},
		{regexp.MustCompile("SHA-256 `[0-9a-f]{7}`"), "SHA-256 HASH"},
		{regexp.MustCompile(`\b3\d{9}\b`), "ID"},
		{regexp.MustCompile(`"took_ms":\d+`), `"took_ms":N`},
		{regexp.MustCompile(`,"(undone|answered)":\d+`), ""},              // a run that ends between reopening an issue and its summary does not count it
		{regexp.MustCompile(`("head":"HASH"\}\],"next_f":)\d+`), "${1}N"}, // a run that dies after its comments has used their numbers before the review that uses them again
		// What a run that came to nothing cost is counted.
		{regexp.MustCompile(`- All reviews of this pull request: [^\n]+\n`), ""}, // a run that died may have cost more
		{regexp.MustCompile(`,"earlier":\d+`), ""},
		{regexp.MustCompile(`\b177\d{10}\b`), "MILLIS"},
		{regexp.MustCompile(`\b\d{1,2} March 2026\b`), "DAY"},
	}
)

// ours reports whether a comment is ours, and none that another account of ours hid.
func (ta *tale) ours(c *ghtest.Comment) bool {
	return slices.Contains(ta.bots, c.Author()) && c.Minimized() != "outdated"
}

// reactions are ours to a comment.
func (ta *tale) reactions(c *ghtest.Comment) []string {
	var all []string
	for _, bot := range ta.bots {
		all = append(all, c.Reactions(bot)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// steady is a text without what differs from telling to telling.
func steady(text string) string {
	for _, v := range volatile {
		text = v.pattern.ReplaceAllString(text, v.by)
	}
	return text
}

// state is all that stands on GitHub, a line or a paragraph each, and what the
// summary has sealed.
func (ta *tale) state() []string {
	var all []string
	say := func(format string, args ...any) { all = append(all, steady(fmt.Sprintf(format, args...))) }
	said := func(where string, list []*ghtest.Comment) {
		for _, c := range list {
			if slices.Contains(ta.bots, c.Author()) == ta.ours(c) {
				say("%s %s %v: %s", where, c.Author(), ta.reactions(c), c.Body())
			}
		}
	}
	said("conversation", ta.pull.Comments())
	said("inline", ta.pull.Inline())
	for _, r := range ta.pull.Reviews() {
		say("review %s %s: %s", r.Author(), r.State(), r.Body())
	}
	for _, i := range ta.repo.Issues() {
		say("issue #%d open=%v %v %s: %s", i.Number, i.Open(), slices.Sorted(slices.Values(i.Labels())), i.Title(), i.Body())
		said(fmt.Sprintf("issue #%d", i.Number), i.Comments())
	}
	for _, sha := range ta.heads {
		for _, c := range ta.newestChecks(sha) {
			say("check %s %s %s: %s\n%s", c.Name, c.Status, c.Conclusion, c.Title, c.Summary)
		}
		for _, st := range ta.repo.Statuses(sha) {
			say("status %s %s: %s", st.Context, st.State, st.Description)
		}
	}
	memo, trusted, err := ta.memo()
	say("sealed %v %v: %s", trusted, err, ta.withoutAnswered(string(memo)))
	return all
}

// newestChecks are the checks of a commit. Where several accounts spoke for us only the
// newest counts.
func (ta *tale) newestChecks(sha string) []ghtest.CheckRun {
	runs := ta.repo.CheckRuns(sha)
	if len(ta.bots) > 1 {
		runs = runs[max(0, len(runs)-1):]
	}
	return runs
}

// handled lists in a memory the comments whose command was carried out.
var handled = regexp.MustCompile(`"handled":\[\[([0-9,\[\]]+)\]\],`)

// withoutAnswered is a memory without the handled comments that bear our answer: a run that
// mends a check notes the command that it takes up, too, and the answer tells it anyway.
func (ta *tale) withoutAnswered(memo string) string {
	comments := slices.Concat(ta.pull.Comments(), ta.pull.Inline())
	for _, i := range ta.repo.Issues() {
		comments = append(comments, i.Comments()...)
	}
	isAnswered := func(command string) bool {
		id, _, _ := strings.Cut(command, ",")
		return slices.ContainsFunc(comments, func(c *ghtest.Comment) bool {
			reactions := ta.reactions(c)
			return fmt.Sprint(c.ID) == id && (slices.Contains(reactions, "+1") || slices.Contains(reactions, "confused"))
		})
	}
	return handled.ReplaceAllStringFunc(memo, func(list string) string {
		left := slices.DeleteFunc(strings.Split(handled.FindStringSubmatch(list)[1], "],["), isAnswered)
		if len(left) == 0 {
			return ""
		}
		return `"handled":[[` + strings.Join(left, "],[") + "]],"
	})
}
