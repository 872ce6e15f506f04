package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/bench"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/provider"
	"github.com/prdebate/debate/internal/testkit/exectest"
)

var writeTapes = flag.Bool("tapes", false, "write the scripted tapes of testdata/bench anew")

const (
	benchCases    = "../../testdata/bench/cases"
	benchScripted = "../../testdata/bench/scripted"
)

// glance is the title of what is reported wrongly.
const glance = "It looks wrong at a glance"

// scripted is a member of a panel whose answers are made up. It stands in for a model.
type scripted struct {
	provider string // whose place it takes: anthropic is ada, openai is ben, gemini is cyd
	subject  bench.Case
	head     map[string][]string // lines of the changed files
	asked    *atomic.Int64
}

// Ask implements model.Client.
func (s scripted) Ask(_ context.Context, req model.Request) (model.Response, error) {
	s.asked.Add(1)
	var turn exectest.Turn
	if err := json.Unmarshal([]byte(req.Turn), &turn); err != nil {
		return model.Response{}, err
	}
	text, err := json.Marshal(s.reply(turn, req.Packet))
	return model.Response{Text: string(text), Usage: debate.Usage{TokensIn: 1000, TokensOut: 100, CostMicro: 2000}}, err
}

func (s scripted) reply(t exectest.Turn, packet string) exectest.Object {
	r := exectest.Reply(t, packet, "agree")
	side := "keep"
	if len(s.subject.Expected) > 0 {
		side = "revise"
	}
	r["recommendation"], r["disposition"], r["final_option"] = side, side, side
	r["final_options"] = []exectest.Object{{"decision": "D0", "option": side}}
	switch t.Envelope.Call {
	case "OPEN":
		r["claims"] = s.claims()
	case "CHALLENGE", "RESPOND", "REBUT":
		move := "ACCEPT"
		if s.isWrong() && strings.HasPrefix(s.subject.ID, "py-") { // two are, and stay with it
			move = "REJECT"
		}
		r["evaluations"] = s.evaluations(t)
		if answers, ok := r["answers"].([]exectest.Object); ok {
			for _, a := range answers {
				a["move"] = move
			}
		}
	}
	return r
}

// claims: ada finds all, ben what stands in the first half of the alphabet, cyd nothing but
// what is wrong; ben is wrong with cyd in Python.
func (s scripted) claims() []exectest.Object {
	var list []exectest.Object
	for _, e := range s.subject.Expected {
		if s.provider == "anthropic" || s.provider == "openai" && s.subject.ID < "q" {
			list = append(list, exectest.Object{
				"kind": "empirical", "severity": e.Severity, "category": "correctness", "title": e.What, "body": strings.Join(e.Words, ", "), "ref": s.cite(e.Places[0]),
			})
		}
	}
	if s.isWrong() {
		path := slices.Sorted(func(yield func(string) bool) {
			for p := range s.head {
				if !yield(p) {
					return
				}
			}
		})[0]
		list = append(list, exectest.Object{
			"kind": "empirical", "severity": "P2", "category": "correctness", "title": glance, "body": "It is long.",
			"ref": s.cite(bench.Place{Path: path, Side: debate.Right, Start: 1, End: min(20, len(s.head[path])-1)}),
		})
	}
	return list
}

// isWrong reports whether a member takes what is clean for a defect.
func (s scripted) isWrong() bool {
	python := strings.HasPrefix(s.subject.ID, "py-")
	return s.subject.Clean && (s.provider == "gemini" || s.provider == "openai" && python)
}

func (s scripted) cite(p bench.Place) []exectest.Object {
	quote := strings.Join(s.head[p.Path][p.Start-1:p.End], "\n")
	return []exectest.Object{{"path": p.Path, "side": p.Side, "start_line": p.Start, "end_line": p.End, "quote": quote}}
}

func (s scripted) evaluations(t exectest.Turn) []exectest.Object {
	var list []exectest.Object
	for _, c := range t.Claims {
		if c.OwnerIsYou || len(c.Evidence) == 0 {
			continue
		}
		e := c.Evidence[0]
		class, view, flaw := "AGREE", "supports", "as the line shows"
		if c.Title == glance && !s.isWrong() {
			class, view, flaw = "REJECT", "contradicts", "the line does what it should"
		}
		ref := exectest.Object{"path": e.Path, "side": e.Side, "start_line": e.StartLine, "end_line": e.EndLine, "quote": e.Quote}
		list = append(list, exectest.Object{"claim": c.ID, "class": class, "supports": view, "flaw": flaw, "ref": []exectest.Object{ref}})
	}
	return list
}

// panelled is an environment in which scripted members review one case.
func panelled(t *testing.T, w *world, c bench.Case) (Env, *atomic.Int64) {
	t.Helper()
	s, err := gitrepo.FromFiles(t.Context(), c.Change.Files, c.Change.Patch)
	if err != nil {
		t.Fatalf("%s: %v", c.ID, err)
	}
	defer s.Close()
	one := scripted{subject: c, head: make(map[string][]string), asked: new(atomic.Int64)}
	for _, f := range s.Change.Set.Files {
		text, _ := s.Change.Blob(f.NewPath, debate.Right)
		one.head[f.NewPath] = strings.Split(string(text), "\n")
	}
	env := w.env()
	env.Providers = provider.All()
	for i, p := range env.Providers {
		env.Providers[i].New = func(model.Options) (model.Client, error) {
			one := one
			one.provider = p.Name
			return one, nil
		}
	}
	usual := env.Getenv
	env.Getenv = func(name string) string {
		if strings.HasSuffix(name, "_API_KEY") {
			return "sk-scripted-key-of-a-test"
		}
		return usual(name)
	}
	return env, one.asked
}

func shippedCases(t *testing.T) []bench.Case {
	t.Helper()
	cases, err := bench.Load(os.DirFS(benchCases))
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// folderOf is a folder with one of the shipped cases.
func folderOf(t *testing.T, ids ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, id := range ids {
		if err := os.CopyFS(filepath.Join(dir, id), os.DirFS(filepath.Join(benchCases, id))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestScriptedTapes: what is recorded of the scripted members is what is shipped.
func TestScriptedTapes(t *testing.T) {
	t.Parallel()
	panel, err := filepath.Abs(filepath.Join(benchScripted, "panel.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range shippedCases(t) {
		w, tapes := newWorld(t), t.TempDir()
		env, _ := panelled(t, w, c)
		if code := Main([]string{"bench", folderOf(t, c.ID), "--tapes", tapes, "--config", panel}, env); code != exitDone {
			t.Fatalf("%s: %d, %s", c.ID, code, w.stderr.String())
		}
		data := readFile(t, filepath.Join(tapes, c.ID+".tape"))
		lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
		slices.Sort(lines[1:]) // they come in any order
		lines[0] = strings.TrimSuffix(lines[0], "}") + `,"scripted":true}`
		golden(t, filepath.Join(benchScripted, c.ID+".tape"), strings.Join(lines, "\n")+"\n")
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *writeTapes {
		writeFile(t, name, []byte(got), 0o644)
	}
	want := readFile(t, name)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: %s", name, diff)
	}
}

// benched is what a program reads of a result.
type benched struct {
	Scripted bool
	Notes    []string
	Rows     []struct {
		Way, Member, Absent                           string
		Cases, Expected, Found, False, Clean, Repeats int
		Quiet                                         int     `json:"clean_quiet"`
		Cost                                          float64 `json:"cost_usd"`
		Timed                                         bool
	}
	Cases      []struct{ ID string }
	NotCounted []struct{ ID, Why string } `json:"not_counted"`
}

func benchedOf(t *testing.T, w *world) (got benched) {
	t.Helper()
	if err := json.Unmarshal(w.stdout.Bytes(), &got); err != nil {
		t.Fatalf("%v\n%s%s", err, w.stdout.String(), w.stderr.String())
	}
	return got
}

// TestBenchPlaysTapes: without a key, a network and a repository, each way of reviewing gets
// what the script gave it. Two members are wrong about one place, which both a vote and the
// debate keep; what one of them finds alone, only the debate keeps.
func TestBenchPlaysTapes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	args := []string{"bench", abs(t, benchCases), "--tapes", abs(t, benchScripted), "--config", abs(t, filepath.Join(benchScripted, "panel.yml"))}
	if code := w.debate(append(args, "--format", "json")...); code != exitDone {
		t.Fatalf("%d: %s", code, w.stderr.String())
	}
	got := benchedOf(t, w)
	if !got.Scripted || len(got.Cases) != 12 || len(got.NotCounted) > 0 || !strings.Contains(strings.Join(got.Notes, "\n"), "say nothing of any model") {
		t.Errorf("scripted: %t, %d cases, %v, %v", got.Scripted, len(got.Cases), got.NotCounted, got.Notes)
	}
	want := map[string][4]int{ // found, false, clean, quiet
		"debate": {10, 1, 4, 3}, "debate_with_disputed": {10, 4, 4, 0}, "vote": {4, 1, 4, 3},
		"ada": {10, 0, 4, 4}, "ben": {4, 1, 4, 3}, "cyd": {0, 4, 4, 0},
	}
	for _, row := range got.Rows {
		name := row.Way
		if row.Member != "" {
			name = row.Member
		}
		if counts, ok := want[name]; ok && counts != [4]int{row.Found, row.False, row.Clean, row.Quiet} {
			t.Errorf("%s: %+v, want %v", name, row, counts)
		}
		delete(want, name)
		if row.Timed || row.Cost == 0 {
			t.Errorf("%s: cost %v, time %v", name, row.Cost, row.Timed)
		}
	}
	if len(want) > 0 {
		t.Errorf("no rows of %v", want)
	}
	args[1] = folderOf(t, "go-lock")
	if w.debate(args...) != exitDone || !strings.Contains(w.stdout.String(), "say nothing of any model") {
		t.Errorf("the table does not say what it is made of:\n%s", w.stdout.String())
	}
}

func abs(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestBenchAsksNobodyItCannot: without keys and tapes it says who cannot take part and why,
// and with tapes of some cases it counts those.
func TestBenchAsksNobodyItCannot(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cases, panel := abs(t, benchCases), abs(t, filepath.Join(benchScripted, "panel.yml"))
	if code := w.debate("bench", cases, "--config", panel); code != exitFailed {
		t.Errorf("ends with %d", code)
	}
	for _, want := range []string{"no model can take part", "ada: there is no key", "ANTHROPIC_API_KEY is not set", "OPENAI_API_KEY", "GEMINI_API_KEY"} {
		if !strings.Contains(w.stderr.String(), want) {
			t.Errorf("not said: %s in %s", want, w.stderr.String())
		}
	}
	if w.debate("bench", cases); !strings.Contains(w.stderr.String(), "no API key is set") {
		t.Errorf("without settings: %s", w.stderr.String())
	}
	tapes := t.TempDir()
	data, err := os.ReadFile(filepath.Join(benchScripted, "go-lock.tape"))
	if err == nil {
		err = os.WriteFile(filepath.Join(tapes, "go-lock.tape"), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if code := w.debate("bench", folderOf(t, "go-lock", "go-unit"), "--config", panel, "--tapes", tapes, "--format", "json"); code != exitDone {
		t.Fatalf("%d: %s", code, w.stderr.String())
	}
	if got := benchedOf(t, w); len(got.Cases) != 1 || len(got.NotCounted) != 1 || !strings.Contains(got.NotCounted[0].Why, "no tape") {
		t.Errorf("%+v", got)
	}
	if code := w.debate("bench", folderOf(t, "go-lock"), "--tapes", tapes, "--format", "json"); code != exitFailed { // whose members nobody names
		t.Errorf("ends with %d: %s", code, w.stderr.String())
	}
	if got := benchedOf(t, w); len(got.NotCounted) != 1 || !strings.Contains(got.NotCounted[0].Why, "not reviewed by a model: no API key is set") {
		t.Errorf("%+v", got)
	}
}

// TestBenchKeepsTapes: what was recorded is played, never asked for again and never replaced;
// a case that changed, or another model, is refused before anybody is asked.
func TestBenchKeepsTapes(t *testing.T) {
	t.Parallel()
	w, dir, tapes := newWorld(t), folderOf(t, "py-first-page"), t.TempDir()
	cases, err := bench.Load(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	env, asked := panelled(t, w, cases[0])
	run := func(args ...string) int {
		w.stdout.Reset()
		w.stderr.Reset()
		return Main(append([]string{"bench", dir, "--tapes", tapes, "--format", "json"}, args...), env)
	}
	if code := run(); code != exitDone || asked.Load() == 0 {
		t.Fatalf("%d, %d asked: %s", code, asked.Load(), w.stderr.String())
	}
	live, calls := benchedOf(t, w), asked.Load()
	tape := filepath.Join(tapes, "py-first-page.tape")
	before := readFile(t, tape)
	if code := run(); code != exitDone || asked.Load() != calls {
		t.Errorf("%d, asked %d times again: %s", code, asked.Load()-calls, w.stderr.String())
	}
	played := benchedOf(t, w)
	for i, row := range played.Rows {
		if row.Found != live.Rows[i].Found || row.False != live.Rows[i].False || row.Cost != live.Rows[i].Cost || row.Timed || !live.Rows[i].Timed {
			t.Errorf("played %+v, live %+v", row, live.Rows[i])
		}
	}
	write(t, filepath.Join(w.home, "other.yml"), "parties:\n  primary: {id: claude, provider: anthropic, model: another}\n")
	if code := run("--config", filepath.Join(w.home, "other.yml")); code != exitUsage || !strings.Contains(w.stderr.String(), "and the settings name another for claude") {
		t.Errorf("another model: %d, %s", code, w.stderr.String())
	}
	write(t, filepath.Join(w.home, "nobody.yml"), "parties:\n  primary: {id: zoe, provider: anthropic}\n")
	if code := run("--config", filepath.Join(w.home, "nobody.yml")); code != exitUsage || !strings.Contains(w.stderr.String(), "it holds answers of claude, gemini, gpt, and none of them takes part") {
		t.Errorf("other members: %d, %s", code, w.stderr.String())
	}
	patch := filepath.Join(dir, "py-first-page/change.patch")
	text := readFile(t, patch)
	write(t, patch, strings.Replace(string(text), "+PAGE_SIZE = 20", "+PAGE_SIZE = 30", 1))
	if code := run(); code != exitUsage || !strings.Contains(w.stderr.String(), "another change") {
		t.Errorf("another change: %d, %s", code, w.stderr.String())
	}
	if after, err := os.ReadFile(tape); err != nil || string(after) != string(before) || asked.Load() != calls {
		t.Errorf("the tape was touched, or somebody asked: %v", err)
	}
}

// TestBenchStops: a Ctrl-C shows what is known and leaves no half tape; money that is spent
// ends the run likewise.
func TestBenchStops(t *testing.T) {
	t.Parallel()
	w, dir, tapes := newWorld(t), folderOf(t, "py-environment", "py-first-page"), t.TempDir()
	cases, err := bench.Load(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	env, asked := panelled(t, w, cases[0])
	if code := Main([]string{"bench", dir, "--max-usd", "0.001", "--format", "json"}, env); code != exitFailed {
		t.Errorf("without money: %d, %s", code, w.stderr.String())
	}
	if got := benchedOf(t, w); len(got.Cases) != 0 || len(got.NotCounted) != 2 ||
		!strings.Contains(got.NotCounted[0].Why, "ran out in it") || !strings.Contains(got.NotCounted[1].Why, "spent before") {
		t.Errorf("without money: %+v", got)
	}
	for _, line := range []string{"2 cases, the answers to 0 of them are on tape", "the run ends at $0.001"} {
		if !strings.Contains(w.stderr.String(), line) {
			t.Errorf("not said: %s in %s", line, w.stderr.String())
		}
	}
	w.stdout.Reset()
	asked.Store(0)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	env.Interrupt = func() (context.Context, context.CancelFunc) { return ctx, cancel }
	first := env.Providers[0].New
	env.Providers[0].New = func(o model.Options) (model.Client, error) {
		client, err := first(o)
		return cancelling{client, cancel, tapes}, err
	}
	if code := Main([]string{"bench", dir, "--tapes", tapes, "--format", "json"}, env); code != exitInterrupted {
		t.Errorf("interrupted: %d, %s", code, w.stderr.String())
	}
	if got := benchedOf(t, w); len(got.Cases) != 1 || len(got.NotCounted) != 1 || got.NotCounted[0].ID != "py-first-page" {
		t.Errorf("interrupted: %+v", got)
	}
	left, err := os.ReadDir(tapes)
	if err != nil || len(left) != 1 || left[0].Name() != "py-environment.tape" {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// cancelling presses Ctrl-C once the tape of the first case is whole.
type cancelling struct {
	model.Client
	cancel func()
	tapes  string
}

func (c cancelling) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	if _, err := os.Stat(filepath.Join(c.tapes, "py-environment.tape")); !errors.Is(err, fs.ErrNotExist) {
		c.cancel()
		return model.Response{}, ctx.Err()
	}
	return c.Client.Ask(ctx, req)
}

// TestBenchTakesARange of a repository beside the case.
func TestBenchTakesARange(t *testing.T) {
	t.Parallel()
	w, dir := newWorld(t), t.TempDir()
	env, _ := panelled(t, w, shippedCases(t)[0])
	write(t, filepath.Join(dir, "one/case.yml"), "name: A range\nclean: true\nrepository: "+w.dir+"\nrange: HEAD..HEAD\n")
	if code := Main([]string{"bench", dir, "--format", "json"}, env); code != exitFailed {
		t.Errorf("%d: %s", code, w.stderr.String())
	}
	if got := benchedOf(t, w); len(got.NotCounted) != 1 || !strings.Contains(got.NotCounted[0].Why, "nothing to review") {
		t.Errorf("an empty range: %+v", got)
	}
	write(t, filepath.Join(dir, "one/case.yml"), "name: A range\nclean: true\nrepository: "+w.dir+"\nrange: nothing..HEAD\n")
	if code := Main([]string{"bench", dir}, env); code != exitUsage || !strings.Contains(w.stderr.String(), "case one") {
		t.Errorf("a bad range: %d, %s", code, w.stderr.String())
	}
}

// TestBenchRefuses: what cannot be compared or is no amount.
func TestBenchRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	write(t, filepath.Join(w.home, "quick.yml"), "mode: quick\n")
	dir := abs(t, benchCases)
	for want, args := range map[string][]string{
		"in mode quick": {"bench", dir, "--config", filepath.Join(w.home, "quick.yml")},
		"write an amount of US dollars above 0, such as 5 or 0.50; see debate bench --help": {"bench", dir, "--max-usd", "a lot"},
		"--max-usd: write an amount of US dollars above 0":                                  {"bench", dir, "--max-usd=-1"},
		"there is no case":    {"bench", t.TempDir()},
		"there is no folder ": {"bench", filepath.Join(dir, "nothing")},
		"does not fit":        {"bench", misfit(t)},
	} {
		if code := w.debate(args...); code != exitUsage || !strings.Contains(w.stderr.String(), want) {
			t.Errorf("%v: %d, %s", args, code, w.stderr.String())
		}
	}
}

// misfit is a case whose patch is of other files.
func misfit(t *testing.T) string {
	t.Helper()
	dir := folderOf(t, "go-lock")
	write(t, filepath.Join(dir, "go-lock/repo.txtar"), "-- store/store.go --\npackage other\n")
	return dir
}
