package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/testkit/exectest"
	"github.com/prdebate/debate/internal/testkit/golden"
)

// scriptedDebate is a debate of testdata/debates.yml.
type scriptedDebate struct {
	Name    string            `yaml:"name"`
	Command []string          `yaml:"command"`
	Prints  bool              `yaml:"prints"`  // the golden file has the report of the command, too
	Edits   map[string]string `yaml:"edits"`   // files that are changed after the commit
	Parties []string          `yaml:"parties"` // the first one answers
	Script  exectest.Script   `yaml:"script"`
}

// TestDebates holds whole debates of scripted models by the command line. The golden file has each
// debate as people read it: the conversation by debate explain, its result and the exit code.
func TestDebates(t *testing.T) {
	t.Parallel()
	var all struct {
		Files   map[string]string `yaml:"files"`
		Debates []scriptedDebate  `yaml:"debates"`
	}
	if err := yaml.UnmarshalWithOptions(readFile(t, "testdata/debates.yml"), &all, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	told := make([]string, len(all.Debates))
	t.Run("all", func(t *testing.T) {
		for i, d := range all.Debates {
			t.Run(d.Name, func(t *testing.T) {
				t.Parallel()
				told[i] = d.hold(t, all.Files)
			})
		}
	})
	about := func(part string) string { // the conversation of the debate with this name
		i := slices.IndexFunc(all.Debates, func(d scriptedDebate) bool { return d.Name == part })
		_, conversation, _ := strings.Cut(told[i], "\n")
		return conversation
	}
	if one, other := about("a defence in the list answers"), about("a defence in the list defences"); one != other {
		t.Errorf("a defence counts in one list only:\n%s\n%s", one, other)
	}
	golden.Same(t, "testdata/debates.txt", strings.Join(told, "\n"))
}

// hold holds a debate in a new repository and returns its section of the golden file.
func (d scriptedDebate) hold(t *testing.T, files map[string]string) string {
	t.Helper()
	home, dir := t.TempDir(), t.TempDir()
	put := func(files map[string]string) {
		for name, text := range files {
			writeFile(t, filepath.Join(dir, name), []byte(text), 0o644)
		}
	}
	put(files)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", "first"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	put(d.Edits)
	script := filepath.Join(home, "script.json")
	writeJSON(t, script, d.Script)
	var parties []map[string]any
	for i, id := range d.Parties {
		parties = append(parties, map[string]any{"id": id, "provider": "exec", "family": fmt.Sprint("family", i), "command": []string{"party", "script", script}})
	}
	settings, record := filepath.Join(home, "debate.yml"), filepath.Join(home, "record.jsonl")
	writeJSON(t, settings, map[string]any{"version": 1, "parties": map[string]any{"primary": parties[0], "challengers": parties[1:]}})

	debate := func(args ...string) (string, int) {
		var stdout, stderr bytes.Buffer
		env := map[string]string{"HOME": home, "PATH": os.Getenv("PATH")}
		system := inProcess(dir, env, &stdout, &stderr)
		system.Now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) } // no report names another time
		code := cli.Main(args, system)
		if stderr.Len() > 0 {
			t.Errorf("debate %s: %s", strings.Join(args, " "), &stderr)
		}
		return stdout.String(), code
	}
	report, code := debate(append(append([]string{"-q"}, d.Command...), "--config", settings, "--record", record)...)
	conversation, explained := debate("-q", "explain", record)
	if explained != 0 {
		t.Errorf("debate explain ends with %d", explained)
	}
	for _, party := range failures(t, record) {
		t.Errorf("a reply is missing or could not be read: %s", party)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "== %s\n$ debate %s\n\n", d.Name, shellWords(d.Command))
	if d.Prints {
		b.WriteString(strings.ReplaceAll(report, record, "RECORD") + "\n$ debate explain\n\n")
	}
	fmt.Fprintf(&b, "%s\nexit code %d\n", conversation, code)
	return b.String()
}

// failures are the calls of a record without a valid reply.
func failures(t *testing.T, record string) (list []string) {
	t.Helper()
	for _, line := range bytes.Split(readFile(t, record), []byte("\n")) {
		var entry struct {
			Event struct {
				Ask    string `json:"ask"`
				Status string `json:"status"`
				Detail string `json:"detail"`
			} `json:"event"`
		}
		if json.Unmarshal(line, &entry) == nil && entry.Event.Status != "" && entry.Event.Status != "ok" {
			list = append(list, entry.Event.Ask+": "+entry.Event.Status+" "+entry.Event.Detail)
		}
	}
	return list
}

// shellWords is a command as people type it.
func shellWords(args []string) string {
	var words []string
	for _, arg := range args {
		if strings.ContainsAny(arg, " ?;") {
			arg = "'" + arg + "'"
		}
		words = append(words, arg)
	}
	return strings.Join(words, " ")
}

func writeJSON(t *testing.T, path string, v any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, data, 0o644)
}
