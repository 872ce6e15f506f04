package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/testkit/ghtest"
	"github.com/prdebate/debate/internal/testkit/long"
)

// texts are the packages whose sentences people read.
var texts = []string{"report", "comment", "pull", "cli", "debate"}

// TestRewording builds the program with every sentence in other words. The recorded
// debates replay, and a pull request that the program reviewed before goes on.
func TestRewording(t *testing.T) {
	long.Only(t) // it compiles half of the program
	t.Parallel()
	program := reworded(t)
	for name := range replays {
		replay := exec.Command(program, "replay", filepath.Join("..", "..", "testdata", "replay", name+".jsonl"))
		replay.Env = surroundings(t.TempDir())
		if out, err := replay.CombinedOutput(); err != nil {
			t.Errorf("%s does not replay: %v\n%s", name, err, out)
		}
	}
	t.Run("checkpoint", func(t *testing.T) { goesOn(t, program) })
}

// goesOn lets the reworded program take up what this one has sealed.
func goesOn(t *testing.T, program string) {
	h, p := critical(t, "bugs", "bugs")
	before, threads := memoOf(t, h, p), len(p.Inline())
	command := p.Comment("will", "/debate decide D0 keep Nobody reads it.")
	payload := h.repo.Event("issue_comment", "created", ghtest.Happening{Issue: p.Issue, Comment: command})
	dir := t.TempDir()
	env := map[string]string{"INPUT_GITHUB_TOKEN": h.token, "PATH": os.Getenv("PATH")}
	for name, value := range h.inputs {
		env["INPUT_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))] = value
	}
	system, _, err := process(h.server, dir, event{"issue_comment", payload}, env, h.env)
	if err != nil {
		t.Fatal(err)
	}
	action := exec.Command(program, "action")
	action.Dir, action.Env = dir, system.Environ()
	if out, err := action.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	after := memoOf(t, h, p)
	want(t, "check", h.check(p.Head()), "success")
	want(t, "calls", string(after["asking"]), string(before["asking"]))
	want(t, "calls are remembered", strings.Contains(string(after["asking"]), `"Calls":[{`), true)
	want(t, "names", string(after["published"]), string(before["published"]))
	want(t, "decisions", strings.Contains(string(after["agenda"]), "human_decided"), true)
	want(t, "inline comments", len(p.Inline()), threads)
	want(t, "summaries", len(summaries(p)), 1)
	wantText(t, "summary", summaries(p)[0], "readish theish wholeish changeish")
}

// memoOf is the debate that the summary of a pull request has sealed.
func memoOf(t *testing.T, h *hosted, p *ghtest.Pull) map[string]json.RawMessage {
	t.Helper()
	bind := comment.Bind{RepositoryID: h.repo.ID, Number: p.Number, Purpose: "summary"}
	data, trusted, err := comment.Open([]byte(h.inputs["state-key"]), bind, strings.Join(summaries(p), "\n"))
	var memo struct{ Debate map[string]json.RawMessage }
	if err != nil || !trusted || json.Unmarshal(data, &memo) != nil {
		t.Fatalf("no sealed state: %v, %v", trusted, err)
	}
	return memo.Debate
}

// reworded builds the program from sources in which every sentence says something
// else, and returns its path.
func reworded(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	overlay := struct{ Replace map[string]string }{make(map[string]string)}
	changed := 0
	for _, pkg := range texts {
		root, err := filepath.Abs(filepath.Join("..", "..", "internal", pkg))
		if err != nil {
			t.Fatal(err)
		}
		err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, n, err := rewordedFile(path)
			if err != nil || n == 0 {
				return err
			}
			changed += n
			overlay.Replace[path] = filepath.Join(dir, strconv.Itoa(len(overlay.Replace))+".go")
			return os.WriteFile(overlay.Replace[path], source, 0o600)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if changed < 500 {
		t.Fatalf("only %d sentences found", changed)
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "overlay.json"), data, 0o600)
	program := filepath.Join(dir, "debate")
	build := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

var (
	sentence = regexp.MustCompile(`[A-Za-z]+(?:,? [A-Za-z]+){3}`)
	markup   = regexp.MustCompile("[<{`\\\\]|\\(\\?") // templates, code and patterns
	word     = regexp.MustCompile(`(^|[ (])([a-z]{2,})\b`)
)

// rewordedFile is a source file with its sentences in other words, and how many
// there are.
func rewordedFile(path string) ([]byte, int, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
	if err != nil {
		return nil, 0, err
	}
	n, tags := 0, make(map[*ast.BasicLit]bool)
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.ValueSpec: // what stands for a question in a hash is read by nobody
			return !strings.HasSuffix(node.Names[0].Name, "Identity")
		case *ast.Field:
			tags[node.Tag] = true
		case *ast.BasicLit:
			text, err := strconv.Unquote(node.Value)
			if node.Kind != token.STRING || err != nil || tags[node] || !sentence.MatchString(text) || markup.MatchString(text) {
				return true
			}
			node.Value = strconv.Quote(word.ReplaceAllString(text, "${1}${2}ish"))
			n++
		}
		return true
	})
	var source bytes.Buffer
	err = printer.Fprint(&source, set, file)
	return source.Bytes(), n, err
}
