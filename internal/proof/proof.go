// Package proof runs the tests of a debate's parties, on both sides of a change and in a
// sandbox, and reports their outcomes.
//
//	debate.Look ──> Runner.Test ──> marked test ──> sandbox.Box ──> debate.TestRun
//
// A test ran if it left its marks: one at its beginning, one when it passes. If a command
// fails before the test begins, the test did not fail, and if it succeeds before the test
// ends, the test did not pass. debate.TestRun.Proves says what an outcome shows.
package proof

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/sandbox"
)

// Settings tell how to run tests. They come from the base side only.
type Settings struct {
	Run     []string               // the command; {file}, {dir} and {test} are replaced
	Setup   []string               // runs once for each side; nil: no setup
	Allowed func(path string) bool // reports whether a test may be written here
	Private func(path string) bool // files hidden from all tests
	Network bool                   // for the setup
	Limits  sandbox.Limits
}

// Tree is both sides of a change.
type Tree interface {
	// Fetch loads the files for some looks.
	Fetch(ctx context.Context, looks []debate.Look)
	// List returns the names in a directory, those of directories with a slash.
	List(path string, side debate.Side) ([]string, debate.Withheld)
	// Each calls take for the regular files and links of a side that wanted accepts, with
	// their modes in git. It calls wanted for directories too.
	Each(ctx context.Context, side debate.Side, wanted func(path string) bool, take func(path string, mode uint32, content []byte) error) error
}

// The least time for the work that is done once for each side.
const (
	setupTime = 10 * time.Minute
	firstTime = 15 * time.Minute // the first run compiles code for the cache of the others
)

// Runner runs the tests of one debate. It is for one caller at a time.
type Runner struct {
	box      sandbox.Box
	settings Settings
	tree     Tree
	dir      string // of both sides; "" until a test needs them
	sides    map[debate.Side]*prepared
}

// prepared is a side with its setup done.
type prepared struct {
	tree, home string
	fault      string            // why no command can run on it
	empty      map[string]string // why an empty test does not pass, by language and directory
}

// New returns a runner. Without a box, a later job runs the tests. Close it after the debate.
func New(box sandbox.Box, settings Settings, tree Tree) *Runner {
	return &Runner{box: box, settings: settings, tree: tree, sides: make(map[debate.Side]*prepared)}
}

// Close deletes the files of the runs.
func (r *Runner) Close() error {
	if r.dir == "" {
		return nil
	}
	return os.RemoveAll(r.dir)
}

// plainPath is a path with the same meaning for every shell and file system.
var plainPath = lazyregexp.New(`^[A-Za-z0-9_@+][A-Za-z0-9_@+.-]*(/[A-Za-z0-9_@+][A-Za-z0-9_@+.-]*)*$`)

// refuse returns the reason not to run a test, or "".
func (r *Runner) refuse(l debate.Look) debate.Withheld {
	lang := languageOf(l.Path)
	switch {
	case len(l.Path) > 300, !plainPath().MatchString(l.Path), lang == nil, !r.settings.Allowed(l.Path):
		return debate.LookTestPath
	case strings.Count(l.Content, "\n") > debate.MostTestLines, len(l.Content) > debate.MostTestBytes, strings.ContainsRune(l.Content, 0):
		return debate.LookTestText
	}
	for _, side := range []debate.Side{debate.Right, debate.Left} {
		if why := r.taken(l.Path, side); why != "" {
			return why
		}
	}
	return ""
}

// taken returns the reason why a side can take no file at a path, or "": a file of this name
// is there, also in another case, or a parent is no directory.
func (r *Runner) taken(file string, side debate.Side) debate.Withheld {
	at := ""
	parts := strings.Split(file, "/")
	for i, name := range parts {
		names, why := r.tree.List(at, side)
		switch {
		case why != "" && at == "": // the directory cannot be listed
			return why
		case why != "":
			return debate.LookTestPath
		}
		last := i == len(parts)-1
		same := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(strings.TrimSuffix(n, "/"), name) })
		switch {
		case same < 0:
			return ""
		case last:
			return debate.LookTestTaken
		case names[same] != name+"/": // a file, a link, or a directory of another spelling
			return debate.LookTestPath
		}
		at = path.Join(at, name)
	}
	return ""
}

// Test runs a test twice on the head, and if it fails there, once on the base. It
// returns the reason if there is no run. Without a box it only prepares the test for a later job.
func (r *Runner) Test(ctx context.Context, l debate.Look) (*debate.TestRun, debate.Withheld) {
	r.tree.Fetch(ctx, []debate.Look{{Kind: debate.LookList, Side: debate.Right}, {Kind: debate.LookList, Side: debate.Left}})
	if why := r.refuse(l); why != "" {
		return nil, why
	}
	lang := languageOf(l.Path)
	t := &debate.TestRun{Path: l.Path, Content: l.Content, Sandbox: debate.ByWorkflow, Ref: debate.TestRef(l.Path, l.Content)}
	if r.box != nil {
		t.Sandbox = r.box.Name()
	}
	_, test, err := lang.marked(l.Path, l.Content, word())
	if err != nil {
		t.Runs = []debate.SideRun{{Side: debate.Right, Outcome: debate.TestNotBuilt, Output: err.Error()}}
		return t, ""
	}
	if t.Command = r.command(l.Path, test); t.Command == nil {
		return nil, debate.LookTestText
	}
	if r.box == nil {
		return t, ""
	}
	for _, side := range []debate.Side{debate.Right, debate.Right, debate.Left} {
		one, err := r.on(ctx, side, lang, l)
		if err != nil {
			one = debate.SideRun{Side: side, Outcome: debate.TestBroken, Output: err.Error()}
		}
		t.Runs = append(t.Runs, one)
		if one.Outcome != debate.TestFails && (one.Outcome != debate.TestPasses || len(t.Runs) == 2) {
			break
		}
	}
	return t, ""
}

// command returns the command for a test, nil if a word of it cannot be filled.
func (r *Runner) command(file, test string) []string {
	dir := path.Dir(file)
	argv := slices.Clone(r.settings.Run)
	for i, arg := range argv {
		if strings.Contains(arg, "{test}") && test == "" {
			return nil
		}
		argv[i] = strings.NewReplacer("{file}", file, "{dir}", dir, "{test}", test).Replace(arg)
	}
	return argv
}

// on runs a test on one side.
func (r *Runner) on(ctx context.Context, side debate.Side, lang *language, l debate.Look) (debate.SideRun, error) {
	one := debate.SideRun{Side: side, Outcome: debate.TestBroken}
	s, err := r.prepare(ctx, side)
	if err != nil {
		return one, err
	}
	fault := s.fault
	if fault == "" {
		fault, err = r.control(ctx, s, lang, l)
	}
	if err != nil || fault != "" {
		one.Output = fault
		return one, err
	}
	return r.run(ctx, s, side, lang, l.Path, l.Content, sandbox.Job{Limits: r.settings.Limits})
}

// run runs a test file on a side, as a job says.
func (r *Runner) run(ctx context.Context, s *prepared, side debate.Side, lang *language, file, content string, job sandbox.Job) (debate.SideRun, error) {
	job.Word, job.Tree, job.Home = word(), s.tree, s.home
	var test string
	var err error
	if job.Files, test, err = lang.marked(file, content, job.Word); err != nil {
		return debate.SideRun{}, err
	}
	job.Argv = r.command(file, test)
	res, err := r.box.Run(ctx, job)
	if err != nil {
		return debate.SideRun{}, err
	}
	return debate.SideRun{Side: side, Outcome: outcome(res, job.Word, lang), Exit: res.Exit, Output: lastLines(res.Output), Millis: res.Took.Milliseconds()}, nil
}

// outcome returns how a test run ended.
func outcome(r sandbox.Result, word string, lang *language) debate.TestOutcome {
	count := func(mark string) int {
		return len(slices.DeleteFunc(strings.Fields(r.Marks), func(m string) bool { return m != word+"-"+mark }))
	}
	begun, passed := count("begin"), count("end")
	misnamed := lang.name == "JavaScript" && strings.Contains(string(r.Output), "ReferenceError")
	switch {
	case r.Stop == sandbox.StopTime:
		return debate.TestTimeout
	case r.Stop != "":
		return debate.TestLimit
	case !r.Ended, begun == 0, count("wrong") > 0, misnamed:
		return debate.TestNotBuilt
	case r.Exit != 0:
		return debate.TestFails
	case passed == begun:
		return debate.TestPasses
	}
	return debate.TestNotBuilt // it ended without an error in the middle of the test
}

// prepare lays out a side and sets it up, once.
func (r *Runner) prepare(ctx context.Context, side debate.Side) (*prepared, error) {
	if s := r.sides[side]; s != nil {
		return s, nil
	}
	if r.dir == "" {
		dir, err := os.MkdirTemp("", "debate-tests-")
		if err != nil {
			return nil, err
		}
		r.dir = dir
		if err := r.box.Own(dir); err != nil {
			return nil, err
		}
	}
	at := filepath.Join(r.dir, strings.ToLower(string(side)))
	s := &prepared{tree: filepath.Join(at, "tree"), home: filepath.Join(at, "home"), empty: make(map[string]string)}
	for _, dir := range []string{s.tree, s.home} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	if err := r.lay(ctx, side, s.tree); err != nil {
		s.fault = "the files of this side cannot be written: " + err.Error()
	}
	if err := r.box.Own(at); err != nil {
		return nil, err
	}
	r.sides[side] = s
	if s.fault != "" || len(r.settings.Setup) == 0 {
		return s, nil
	}
	limits := r.settings.Limits
	limits.Time = max(setupTime, limits.Time)
	job := sandbox.Job{Tree: s.tree, Home: s.home, Argv: r.settings.Setup, KeepTree: true, KeepHome: true, Network: r.settings.Network, Word: word(), Limits: limits}
	res, err := r.box.Run(ctx, job)
	if err == nil && (res.Exit != 0 || !res.Ended) {
		s.fault = "execution.setup failed:\n" + lastLines(res.Output)
	}
	return s, err
}

// control runs an empty test at the place of a test, once for each directory of a side. If it
// does not pass, the real test shows nothing. It also fills the compiler's cache.
func (r *Runner) control(ctx context.Context, s *prepared, lang *language, l debate.Look) (fault string, err error) {
	key := lang.name + " " + path.Dir(l.Path)
	if fault, known := s.empty[key]; known {
		return fault, nil
	}
	limits := r.settings.Limits
	limits.Time = max(firstTime, limits.Time)
	one, err := r.run(ctx, s, "", lang, l.Path, lang.empty(l.Content), sandbox.Job{KeepHome: true, Limits: limits})
	if err != nil {
		return "", err
	}
	if one.Outcome != debate.TestPasses {
		fault = fmt.Sprintf("an empty test ends with %q here:\n%s", one.Outcome, one.Output)
	}
	s.empty[key] = fault
	return fault, nil
}

// The bounds of the kept output.
const (
	keptLines = 40
	keptLine  = 400 // bytes
)

// lastLines returns the last lines of an output.
func lastLines(output []byte) string {
	lines := strings.Split(strings.TrimRight(strings.ToValidUTF8(string(output), "\uFFFD"), "\n "), "\n")
	lines = lines[max(0, len(lines)-keptLines):]
	for i, line := range lines {
		if len(line) > keptLine {
			lines[i] = strings.ToValidUTF8(line[:keptLine], "") + " [cut]"
		}
	}
	return strings.Join(lines, "\n")
}

// word is a random word in small letters, which a test cannot guess.
func word() string { return strings.ToLower(rand.Text()) }

// Try runs a passing test and a failing test on the head, at a path that the settings allow,
// and returns the fault of the command or of the sandbox.
func (r *Runner) Try(ctx context.Context, glob string) error {
	file := strings.NewReplacer("**/", "debate_control/", "*", "debate_control").Replace(glob)
	lang := languageOf(file)
	if lang == nil || !plainPath().MatchString(file) {
		return fmt.Errorf("execution.files: %s names no test file of Go, Python, JavaScript, Rust or Java that could be tried", glob)
	}
	for _, try := range []struct {
		content string
		want    debate.TestOutcome
	}{{lang.empty(""), debate.TestPasses}, {lang.failing, debate.TestFails}} {
		one, err := r.on(ctx, debate.Right, lang, debate.Look{Path: file, Content: try.content})
		if err != nil {
			return err
		}
		if one.Outcome != try.want {
			return fmt.Errorf("a test that %s %s: %s", try.want, strings.ReplaceAll(string(one.Outcome), "_", " "), one.Output)
		}
	}
	return nil
}
