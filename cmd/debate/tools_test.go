package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/prdebate/debate/internal/testkit/exectest"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

// TestLooksByTools plays testdata/script/look-caller.txtar with reviewers that providers
// serve, on every wire that has tools: what they ask for by tools is shown, cited and
// confirmed as it is where programs ask by their reply, and the record holds the same of it.
// So does a tape, from which it all comes again without them. One of the reviewers writes its replies as
// text, and the other one hands them in with a tool if it is offered one.
func TestLooksByTools(t *testing.T) {
	t.Parallel()
	dir, finder, weigher := laidOut(t)
	plain := filepath.Join(t.TempDir(), "exec.jsonl")
	parties := fmt.Sprintf("version: 1\nparties:\n  primary: {provider: exec, command: [party, inspect, %q], family: red}\n"+
		"  challengers: [{id: second, provider: exec, command: [party, inspect, %q], family: blue}]\n", finder, weigher)
	confirms(t, dir, parties, plain, nil)
	for name, w := range wiretest.Wires {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, weighed := played(t, w, finder), played(t, w, weigher)
			weighed.submits = true
			parties := fmt.Sprintf("version: 1\nparties:\n  primary: {%s}\n  challengers: [{id: second, %s}]\n", served(w, found.url, "red"), served(w, weighed.url, "blue"))
			results := t.TempDir()
			record, tape := filepath.Join(results, "record.jsonl"), filepath.Join(results, "tape.jsonl")
			confirms(t, dir, parties, record, map[string]string{"KEY": "sk-tools-5b1f0c77e2"}, "--tape", tape)
			asked := append(found.requests(), weighed.requests()...)
			confirms(t, dir, parties, filepath.Join(results, "played.jsonl"), nil, "--tape", tape)
			if again := len(found.requests()) + len(weighed.requests()); again != len(asked) {
				t.Errorf("%d requests while the tape plays", again-len(asked))
			}
			if diff := cmp.Diff(seenIn(t, plain), seenIn(t, record)); diff != "" {
				t.Errorf("the record of the looks differs from that of programs: %s", diff)
			}
			looked := 0
			for _, a := range asked {
				if len(a.Tools) != len(w.Tools()) || a.Format {
					t.Errorf("tools %v, a format: %v", a.Tools, a.Format)
				}
				looked += len(a.Results)
			}
			if looked != 1 {
				t.Errorf("%d results of tools", looked)
			}
		})
	}
}

// TestAQuestionIsLookedIntoByTools: parties that providers serve answer a question by what
// they look at with tools, on every wire that has them; the record holds the same of it as
// of programs that ask by their reply, and is replayed without a repository.
func TestAQuestionIsLookedIntoByTools(t *testing.T) {
	t.Parallel()
	dir, finder, weigher := laidOut(t)
	answers := func(t *testing.T, parties, record string, env map[string]string) {
		t.Helper()
		file := filepath.Join(t.TempDir(), "settings.yml")
		writeFile(t, file, []byte(parties), 0o600)
		got := run(t, dir, env, "ask", "--config", file, "--record", record, "Does everybody know that shop/price.go returns cents?")
		want(t, "exit code", got.code, 0)
		wantText(t, "standard output", got.stdout, "Total divides by nothing")
		if t.Failed() {
			t.Fatal(got.stderr)
		}
		elsewhere := t.TempDir()
		if again := run(t, elsewhere, nil, "replay", record); again.code != 0 {
			t.Errorf("replay: exit code %d\n%s", again.code, again.stderr)
		}
		wantText(t, "the report", run(t, elsewhere, nil, "report", record, "--format", "json").stdout, `"cart/total.go:5"`)
	}
	plain := filepath.Join(t.TempDir(), "exec.jsonl")
	answers(t, fmt.Sprintf("version: 1\nparties:\n  primary: {provider: exec, command: [party, inspect, %q], family: red}\n"+
		"  challengers: [{id: second, provider: exec, command: [party, inspect, %q], family: blue}]\n", finder, weigher), plain, nil)
	for name, w := range wiretest.Wires {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, weighed := played(t, w, finder), played(t, w, weigher)
			record := filepath.Join(t.TempDir(), "record.jsonl")
			parties := fmt.Sprintf("version: 1\nparties:\n  primary: {%s}\n  challengers: [{id: second, %s}]\n", served(w, found.url, "red"), served(w, weighed.url, "blue"))
			answers(t, parties, record, map[string]string{"KEY": "sk-tools-5b1f0c77e2"})
			if diff := cmp.Diff(seenIn(t, plain), seenIn(t, record)); diff != "" {
				t.Errorf("the record of the looks differs from that of programs: %s", diff)
			}
			looked := 0
			for _, a := range append(found.requests(), weighed.requests()...) {
				if len(a.Tools) != len(w.Tools()) || a.Format {
					t.Errorf("tools %v, a format: %v", a.Tools, a.Format)
				}
				looked += len(a.Results)
			}
			want(t, "results of tools", looked, 1)
		})
	}
}

// TestToolsForEver: a model that calls tools and nothing else is told to answer after four
// turns, may call none any more, is asked once more, and is left out.
func TestToolsForEver(t *testing.T) {
	t.Parallel()
	dir, _, weigher := laidOut(t)
	endless := filepath.Join(t.TempDir(), "endless.json")
	writeFile(t, endless, []byte(`{"again": true, "looks": [{"list": {"path": "shop"}}, {"grep": {"pattern": "Price"}}]}`), 0o600)
	for name, w := range wiretest.Wires {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			caller := played(t, w, endless)
			record := filepath.Join(t.TempDir(), "record.jsonl")
			file := filepath.Join(t.TempDir(), "settings.yml")
			settings := fmt.Sprintf("version: 1\nparties:\n  primary: {id: caller, %s}\n  challengers: [{id: second, provider: exec, command: [party, inspect, %q], family: blue}]\n", served(w, caller.url, "red"), weigher)
			writeFile(t, file, []byte(settings), 0o600)
			got := run(t, dir, map[string]string{"KEY": "sk-tools-5b1f0c77e2"}, "review", "--uncommitted", "--config", file, "--record", record)
			want(t, "exit code", got.code, 0)
			wantText(t, "standard error", got.stderr, " s  the reply could not be read: ")
			wantText(t, "standard error", got.stderr, "it asks to look further, which it may not now")
			var choices []string
			for _, a := range caller.requests() {
				choices = append(choices, a.Choice)
				if diff := cmp.Diff(w.Tools(), a.Tools); diff != "" {
					t.Error(diff)
				}
			}
			if diff := cmp.Diff([]string{"auto", "auto", "auto", "auto", "none", "none"}, choices); diff != "" {
				t.Error(diff)
			}
			if again := run(t, t.TempDir(), nil, "replay", record); again.code != 0 {
				t.Errorf("replay: exit code %d\n%s", again.code, again.stderr)
			}
		})
	}
}

// served are the settings of a party that a server plays.
func served(w wiretest.Wire, url, family string) string {
	api := ""
	if w.API != "" {
		api = "api: " + w.API + ", "
	}
	return fmt.Sprintf("provider: %s, %sbase_url: %q, api_key_env: KEY, model: m, family: %s", w.Provider, api, url, family)
}

// laidOut lays out the repository of the script, with its change, and the plans of its
// reviewers.
func laidOut(t *testing.T) (dir, finder, weigher string) {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/script/look-caller.txtar")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := txtar.Write(archive, root); err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(root, "repo")
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "first"}} {
		gitIn(t, dir, args...)
	}
	after, err := os.ReadFile(filepath.Join(root, "after", "price.go"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "shop", "price.go"), after, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir, filepath.Join(root, "finder.json"), filepath.Join(root, "weigher.json")
}

// confirms reviews with some settings, demands the finding and its proof, and replays the
// record with nothing but the record.
func confirms(t *testing.T, dir, settings, record string, env map[string]string, more ...string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "settings.yml")
	writeFile(t, file, []byte(settings), 0o600)
	got := run(t, dir, env, append([]string{"review", "--uncommitted", "--fail-on", "P2", "--config", file, "--record", record}, more...)...)
	want(t, "exit code", got.code, 1)
	wantText(t, "standard output", got.stdout, "Total divides by nothing")
	wantText(t, "standard output", got.stdout, "confirmed by second")
	if t.Failed() {
		t.Fatal(got.stderr)
	}
	elsewhere := t.TempDir()
	if again := run(t, elsewhere, nil, "replay", record); again.code != 0 {
		t.Errorf("replay: exit code %d\n%s", again.code, again.stderr)
	}
	wantText(t, "the report", run(t, elsewhere, nil, "report", record, "--format", "json").stdout, `"cart/total.go:5"`)
}

// seenIn are the looks that a record holds.
func seenIn(t *testing.T, record string) (all []any) {
	t.Helper()
	data := readFile(t, record)
	for line := range strings.Lines(string(data)) {
		var e any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		collect(e, &all)
	}
	if len(all) == 0 {
		t.Fatalf("%s holds no looks", record)
	}
	return all
}

// collect finds the members "seen".
func collect(v any, all *[]any) {
	o, _ := v.(map[string]any)
	for name, one := range o {
		if name == "seen" {
			*all = append(*all, one)
		} else {
			collect(one, all)
		}
	}
}

// player serves a reviewer with a plan, by tools where it looks.
type player struct {
	wire wiretest.Wire
	plan exectest.Inspector
	url  string

	submits bool // it hands in its replies with a tool if it may

	mu    sync.Mutex
	asked []wiretest.Asked
}

func played(t *testing.T, w wiretest.Wire, plan string) *player {
	t.Helper()
	data, err := os.ReadFile(plan)
	p := &player{wire: w}
	if err == nil {
		err = json.Unmarshal(data, &p.plan)
	}
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

func (p *player) requests() []wiretest.Asked {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]wiretest.Asked(nil), p.asked...)
}

func (p *player) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	asked := p.wire.Reads(body)
	p.mu.Lock()
	p.asked = append(p.asked, asked)
	p.mu.Unlock()
	looked := ""
	for _, result := range asked.Results {
		looked += result.Arguments
	}
	packet, turn := read(body)
	wiretest.SSE(p.wire.Says(p.says(turn, packet, looked, asked)))(w, r)
}

// says is what the reviewer says, with calls of tools where it would ask by its reply.
func (p *player) says(turn exectest.Turn, packet, looked string, asked wiretest.Asked) wiretest.Turn {
	reply := p.plan.Reply(turn, packet, looked)
	_, asks := reply["look"]
	switch {
	case !asks && p.submits && asked.Choice == "auto" && slices.Contains(asked.Tools, "submit"):
		return wiretest.Turn{Calls: []wiretest.Call{{ID: "call_submit", Name: "submit", Arguments: inJSON(reply)}}}
	case !asks:
		return wiretest.Turn{Text: inJSON(reply)}
	}
	var looks []map[string]json.RawMessage
	if err := json.Unmarshal(p.plan.Looks, &looks); err != nil {
		panic(err)
	}
	said := wiretest.Turn{Text: "I have to see more.", Signed: "c2VhbGVk"}
	for i, look := range looks {
		for name, arguments := range look {
			said.Calls = append(said.Calls, wiretest.Call{ID: fmt.Sprint("call_", i), Name: name, Arguments: string(arguments)})
		}
	}
	return said
}

func inJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}
