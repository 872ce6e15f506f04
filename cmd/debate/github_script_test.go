package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// job is the command with another clock: it shows TEST_CLOCK, waiting takes no
// time, and nothing else takes any, so that no story depends on how fast it is
// told. All else is as people run it.
func job() {
	system := cli.System()
	now, err := time.Parse(time.RFC3339, os.Getenv("TEST_CLOCK"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "TEST_CLOCK:", err)
		os.Exit(2)
	}
	var mu sync.Mutex // of now
	system.Now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	system.Wait = func(ctx context.Context, d time.Duration) error {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(d)
		return ctx.Err()
	}
	os.Exit(cli.Main(os.Args[1:], system))
}

// TestStories tells what happens on GitHub as scripts that a reader can follow.
// The action runs as a process of its own, against a GitHub in memory, and the
// parties of its debates are processes too. People act by these commands:
//
//	role LOGIN ROLE                  what somebody may do: read, triage, write, maintain, admin
//	base DIR                         the files of a directory are the branch main
//	open LOGIN TITLE DIR             somebody opens pull request 1, which adds and changes the files of DIR
//	push DIR                         its author pushes; a file that is empty in DIR is deleted
//	comment LOGIN N TEXT...          somebody comments on issue or pull request N
//	close LOGIN N REASON             somebody closes issue N: completed, not_planned, duplicate
//	reopen LOGIN N                   somebody opens issue N again
//	merge LOGIN                      somebody merges the pull request
//	later DURATION                   time passes
//
// The action runs for what happened last, or for an event that is named:
//
//	action [EVENT]                   what it says is the standard error
//	writes N                         that run wrote so often, and no more
//	reads N                          that run read so often at most
//
// What stands on GitHub is shown on standard output:
//
//	show inline                      all inline comments
//	show comments N                  all comments on issue or pull request N
//	show issue N                     an issue: state, labels, title, text
//	show issues                      the numbers of all issues, with their state
//	show check                       the check of the head
//	show reactions                   what the action reacted with to the last comment
func TestStories(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/github",
		Setup: func(env *testscript.Env) error {
			s := ghtest.Start(func(message string) { t.Error("ghtest: " + message) })
			env.Defer(s.Close)
			st := &story{server: s, repo: s.Repo("acme/app"), token: s.JobToken(jobPermissions)}
			env.Values["story"] = st
			env.Setenv("RUNNER_TEMP", filepath.Join(env.WorkDir, "tmp"))
			env.Setenv("HOME", filepath.Join(env.WorkDir, "tmp"))
			env.Setenv("INPUT_OPERATOR_CONFIG", "parties: {primary: {id: alpha, provider: exec, family: one, command: [party, bugs]}, challengers: [{id: beta, provider: exec, family: two, command: [party, bugs]}]}")
			for name, value := range map[string]string{
				"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "acme/app", "GITHUB_API_URL": s.URL, "GITHUB_GRAPHQL_URL": s.GraphQLURL,
				"GITHUB_SERVER_URL": "https://github.com", "GITHUB_RUN_ID": "1", "GITHUB_WORKSPACE": env.WorkDir,
				"INPUT_GITHUB_TOKEN": st.token, "INPUT_STATE_KEY": "a-state-key-of-the-operator",
				"GITHUB_OUTPUT": filepath.Join(env.WorkDir, "outputs"), "GITHUB_STEP_SUMMARY": filepath.Join(env.WorkDir, "summary"),
				"GITHUB_EVENT_PATH": filepath.Join(env.WorkDir, "event.json"),
			} {
				env.Setenv(name, value)
			}
			return os.MkdirAll(filepath.Join(env.WorkDir, "tmp"), 0o755)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"role": tell(2, func(st *story, ts *testscript.TestScript, args []string) {
				st.repo.SetPermission(args[0], ghtest.Role(args[1]))
			}),
			"base": tell(1, func(st *story, ts *testscript.TestScript, args []string) {
				st.repo.SetBranch("main", st.repo.Commit(st.repo.Branch("main"), files(ts, args[0])))
			}),
			"open": tell(3, func(st *story, ts *testscript.TestScript, args []string) {
				st.repo.SetBranch("change", st.change(ts, st.repo.Branch("main"), args[2]))
				st.pull = st.repo.OpenPull(args[0], ghtest.NewPull{Title: args[1], Body: args[1] + ".", Head: "change"})
				st.happened("pull_request", "opened", ghtest.Happening{Pull: st.pull})
			}),
			"push": tell(1, func(st *story, ts *testscript.TestScript, args []string) {
				before := st.pull.Head()
				st.pull.Push(st.change(ts, before, args[0]))
				st.happened("pull_request", "synchronize", ghtest.Happening{Pull: st.pull, Before: before})
			}),
			"comment": tell(3, func(st *story, ts *testscript.TestScript, args []string) {
				on := st.on(ts, args[1])
				st.said = on.Comment(args[0], strings.Join(args[2:], " "))
				st.happened("issue_comment", "created", ghtest.Happening{Issue: on, Comment: st.said})
			}),
			"close": tell(3, func(st *story, ts *testscript.TestScript, args []string) {
				on := st.on(ts, args[1])
				on.Close(args[0], args[2])
				st.happened("issues", "closed", ghtest.Happening{Issue: on, Sender: args[0]})
			}),
			"reopen": tell(2, func(st *story, ts *testscript.TestScript, args []string) {
				on := st.on(ts, args[1])
				on.Reopen(args[0])
				st.happened("issues", "reopened", ghtest.Happening{Issue: on, Sender: args[0]})
			}),
			"merge": tell(1, func(st *story, ts *testscript.TestScript, args []string) {
				st.pull.Merge(args[0])
				st.happened("pull_request", "closed", ghtest.Happening{Pull: st.pull, Sender: args[0]})
			}),
			"later": tell(1, func(st *story, ts *testscript.TestScript, args []string) {
				d, err := time.ParseDuration(args[0])
				ts.Check(err)
				st.server.Advance(d)
			}),
			"action": tell(0, (*story).run),
			"writes": tell(1, func(st *story, ts *testscript.TestScript, args []string) {
				if done := st.server.Writes(); strconv.Itoa(len(done)) != args[0] {
					ts.Fatalf("%d writes, want %s:\n%s", len(done), args[0], requests(done))
				}
			}),
			"reads": tell(1, func(st *story, ts *testscript.TestScript, args []string) {
				most, err := strconv.Atoi(args[0])
				ts.Check(err)
				if done := st.server.Reads(); len(done) > most {
					ts.Fatalf("%d reads, want at most %d:\n%s", len(done), most, requests(done))
				}
			}),
			"show": tell(1, (*story).show),
		},
	})
}

// story is what a script has told up to now.
type story struct {
	server *ghtest.Server
	repo   *ghtest.Repo
	pull   *ghtest.Pull
	said   *ghtest.Comment // last
	token  string
	kind   string // of the last event
	event  []byte
	runs   int
}

// tell is a command of the scripts with at least so many arguments.
func tell(least int, do func(*story, *testscript.TestScript, []string)) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) < least {
			ts.Fatalf("it takes %d arguments, and cannot be negated", least)
		}
		do(ts.Value("story").(*story), ts, args)
	}
}

func (st *story) happened(kind, action string, h ghtest.Happening) {
	st.kind, st.event = kind, st.repo.Event(kind, action, h)
}

// files are those of a directory of the script.
func files(ts *testscript.TestScript, dir string) map[string]string {
	all := map[string]string{}
	root := ts.MkAbs(dir)
	ts.Check(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		all[filepath.ToSlash(name)] = string(data)
		return err
	}))
	return all
}

// change commits the files of a directory on top of a commit.
func (st *story) change(ts *testscript.TestScript, parent, dir string) string {
	changed := files(ts, dir)
	var removed []string
	for name, text := range changed {
		if text == "" {
			removed = append(removed, name)
			delete(changed, name)
		}
	}
	return st.repo.Change(parent, changed, removed...)
}

// on is the issue or the pull request of a number.
func (st *story) on(ts *testscript.TestScript, number string) *ghtest.Issue {
	n, err := strconv.Atoi(number)
	ts.Check(err)
	if p := st.repo.Pull(n); p != nil {
		return p.Issue
	}
	i := st.repo.Issue(n)
	if i == nil {
		ts.Fatalf("there is no issue %d", n)
	}
	return i
}

// run runs the action as a process.
func (st *story) run(ts *testscript.TestScript, args []string) {
	if len(args) == 1 {
		switch args[0] {
		case "pull_request":
			st.happened(args[0], "synchronize", ghtest.Happening{Pull: st.pull})
		case "schedule":
			st.happened(args[0], "", ghtest.Happening{Schedule: "17 * * * *"})
		default:
			ts.Fatalf("no event %q", args[0])
		}
	}
	st.runs++
	for name, text := range map[string]string{"event.json": string(st.event), "outputs": "", "summary": ""} {
		ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), name), []byte(text), 0o600))
	}
	ts.Setenv("GITHUB_EVENT_NAME", st.kind)
	ts.Setenv("GITHUB_RUN_ATTEMPT", strconv.Itoa(st.runs))
	ts.Setenv("TEST_CLOCK", st.server.Now().Format(time.RFC3339))
	st.server.Forget()
	if err := ts.Exec("debate-job", "action"); err != nil {
		ts.Fatalf("the action fails: %v", err)
	}
	st.server.Advance(3 * time.Minute) // nobody reads and answers faster
}

func (st *story) show(ts *testscript.TestScript, args []string) {
	out := ts.Stdout()
	switch what := strings.Join(args[:1], ""); {
	case what == "inline":
		for _, c := range st.pull.Inline() {
			fmt.Fprintf(out, "%s wrote:\n%s\n", c.Author(), c.Body())
		}
	case what == "comments" && len(args) == 2:
		for _, c := range st.on(ts, args[1]).Comments() {
			fmt.Fprintf(out, "%s wrote:\n%s\n", c.Author(), c.Body())
		}
	case what == "issue" && len(args) == 2:
		i := st.on(ts, args[1])
		fmt.Fprintf(out, "%s %v\n%s\n%s\n", state(i), i.Labels(), i.Title(), i.Body())
	case what == "issues":
		for _, i := range st.repo.Issues() {
			fmt.Fprintf(out, "#%d %s %v %s\n", i.Number, state(i), i.Labels(), i.Title())
		}
	case what == "check":
		for _, c := range st.repo.CheckRuns(st.pull.Head()) {
			fmt.Fprintf(out, "%s: %s %s: %s\n%s\n", c.Name, c.Status, c.Conclusion, c.Title, c.Summary)
		}
	case what == "reactions":
		fmt.Fprintln(out, slices.Sorted(slices.Values(st.said.Reactions(ghtest.ActionsBot))))
	default:
		ts.Fatalf("nothing to show: %q", args)
	}
}

func state(i *ghtest.Issue) string {
	if i.Open() {
		return "open"
	}
	return "closed"
}

func requests(list []ghtest.Request) string {
	var b strings.Builder
	for _, r := range list {
		fmt.Fprintf(&b, "%s %s -> %d\n", r.Operation, r.Path, r.Status)
	}
	return b.String()
}
