package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/sandbox"
	"github.com/prdebate/debate/internal/server"
)

func TestMain(m *testing.M) {
	if os.Getenv("BE_DEBATE") != "" { // a test runs itself as one of the commands
		if name := filepath.Base(os.Args[0]); strings.HasPrefix(name, "debate-server") {
			withServer()
		}
		main()
	}
	testscript.Main(tests{m}, map[string]func(){"debate-process": main, "debate-job": job})
}

// withServer is the program debate-server.
func withServer() {
	system := cli.System()
	system.Server = server.App{}
	os.Exit(cli.Main(os.Args[1:], system))
}

// TestScripts runs the command as people do: real git, real files, real exit
// codes. `repo` makes its directory a repository. `debate` runs in the process of
// the tests; `debate-process` is a process of its own, for what reads standard input
// or a terminal, and for what a shell does.
func TestScripts(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) < 10 {
		t.Fatalf("only %d scripts found (%v)", len(scripts), err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			// The repository is a directory of its own: homes, temporary files and
			// results are not part of the change.
			env.Cd = filepath.Join(env.WorkDir, "repo")
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("XDG_STATE_HOME", "")
			env.Setenv("XDG_CONFIG_HOME", "")
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				env.Setenv("GIT_"+who+"_NAME", "Ada")
				env.Setenv("GIT_"+who+"_EMAIL", "ada@example.com")
				env.Setenv("GIT_"+who+"_DATE", "2026-01-02T03:04:05Z")
			}
			for _, key := range []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"} {
				env.Setenv(key, "")
			}
			env.Values["variables"] = env.Vars
			return errors.Join(os.MkdirAll(home, 0o755), os.MkdirAll(env.Cd, 0o755))
		},
		Condition: func(name string) (bool, error) {
			if name != "sandbox" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			_, err := sandbox.Find(t.Context())
			if err != nil {
				fmt.Fprintln(os.Stderr, "NOT TESTED: a review with tests of models:", err)
			}
			return err == nil, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"repo":   repo,
			"debate": succeed,
			"exit":   exit,
			"edit":   edit,
			"seal":   seal,

			"looker": looker,
			"proof":  proof,

			"same-findings": sameFindings,
		},
	})
}

// repo makes the working directory a repository and commits what is in it.
func repo(ts *testscript.TestScript, neg bool, args []string) {
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"},
		{"add", "-A"},
		{"commit", "-q", "-m", "first", "--allow-empty"},
	} {
		ts.Check(ts.Exec("git", args...))
	}
}

// play runs the command in this process, with the variables of the script.
func play(ts *testscript.TestScript, args []string) (code int) {
	env := map[string]string{}
	for _, kv := range ts.Value("variables").([]string) {
		name, _, _ := strings.Cut(kv, "=")
		env[name] = ts.Getenv(name)
	}
	return cli.Main(args, inProcess(ts.MkAbs("."), env, ts.Stdout(), ts.Stderr()))
}

// succeed demands that the command ends well: debate ARG...
func succeed(ts *testscript.TestScript, neg bool, args []string) {
	if code := play(ts, args); (code == 0) == neg {
		ts.Fatalf("exit code %d", code)
	}
}

// exit runs a command and demands one exit code: exit CODE COMMAND ARG...
func exit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit code command [arg...]")
	}
	got := 0
	if args[1] == "debate" {
		got = play(ts, args[2:])
	} else if err := ts.Exec(args[1], args[2:]...); err != nil {
		var ended *exec.ExitError
		if !errors.As(err, &ended) {
			ts.Fatalf("%v", err)
		}
		got = ended.ExitCode()
	}
	if fmt.Sprint(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// looker names the plans of reviewers in settings: looker FILE. They are finder.json,
// weigher.json and endless.json beside the repository.
func looker(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: looker file")
	}
	plans := strings.NewReplacer("FINDER", ts.MkAbs("../finder.json"), "WEIGHER", ts.MkAbs("../weigher.json"), "ENDLESS", ts.MkAbs("../endless.json"))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(plans.Replace(ts.ReadFile(args[0]))), 0o644))
}

// proof demands that what a report says is agreed rests on one line: proof FILE PATH LINE.
func proof(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: proof file path line")
	}
	report := ts.ReadFile(args[0])
	if strings.Contains(report, fmt.Sprintf("%q", args[1]+":"+args[2])) {
		return
	}
	ts.Fatalf("no finding of %s cites %s:%s", args[0], args[1], args[2])
}

var sessionID = regexp.MustCompile(`"sessionId": ".*"`)

// sameFindings demands that two SARIF files differ in nothing but the number of
// their debate: same-findings FILE FILE.
func sameFindings(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: same-findings file file")
	}
	a, b := sessionID.ReplaceAllString(ts.ReadFile(args[0]), ""), sessionID.ReplaceAllString(ts.ReadFile(args[1]), "")
	if a != b || !strings.Contains(a, `"results"`) {
		ts.Fatalf("%s and %s differ, or hold no results:\n%s\n%s", args[0], args[1], a, b)
	}
}

// edit replaces a text in a file: edit FILE OLD NEW. The text must be there.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit file old new")
	}
	before := ts.ReadFile(args[0])
	after := strings.ReplaceAll(before, args[1], args[2])
	if after == before {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(after), 0o644))
}

var (
	sealPrev = regexp.MustCompile(`"prev":"[0-9a-f]*"`)
	sealSum  = regexp.MustCompile(`,"sum":"[0-9a-f]*"}$`)
)

// seal makes the chain and the checksums of an edited record hold again, as
// somebody does who knows how they are made: seal FILE.
func seal(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: seal file")
	}
	lines := strings.Split(strings.TrimSuffix(ts.ReadFile(args[0]), "\n"), "\n")
	for i := 1; i < len(lines); i++ {
		text := sealSum.ReplaceAllString(lines[i], "")
		text = sealPrev.ReplaceAllString(text, fmt.Sprintf(`"prev":"%x"`, sha256.Sum256([]byte(lines[i-1]))))
		lines[i] = fmt.Sprintf(`%s,"sum":"%x"}`, text, sha256.Sum256([]byte(text)))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Join(lines, "\n")+"\n"), 0o644))
}
