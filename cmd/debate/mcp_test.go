package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// mcpServer is a running debate mcp and a client of it.
type mcpServer struct {
	t      *testing.T
	cmd    *exec.Cmd
	client *mcp.ClientSession
	stderr bytes.Buffer
	stdin  io.Closer

	mu   sync.Mutex
	out  bytes.Buffer // all of standard output
	told []string     // progress
}

// Write implements io.Writer, for standard output.
func (s *mcpServer) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(text)
}

// startMCP starts debate mcp in a directory and connects to it over its pipes.
func startMCP(t *testing.T, dir string, env map[string]string, flags ...string) *mcpServer {
	t.Helper()
	s := &mcpServer{t: t, cmd: exec.Command(os.Args[0], append([]string{"mcp"}, flags...)...)}
	s.cmd.Dir, s.cmd.Env, s.cmd.Stderr = dir, surroundings(t.TempDir(), "BE_DEBATE=1"), &s.stderr
	for name, value := range env {
		s.cmd.Env = append(s.cmd.Env, name+"="+value)
	}
	in, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	s.stdin = in
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.told = append(s.told, req.Params.Message)
		},
	})
	s.client, err = client.Connect(t.Context(), &mcp.IOTransport{Reader: io.NopCloser(io.TeeReader(out, s)), Writer: in}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.stderr.String())
	}
	return s
}

// call calls a tool. Refused: the tool or the protocol refuses.
func (s *mcpServer) call(tool string, args map[string]any) (text string, refused bool) {
	s.t.Helper()
	params := &mcp.CallToolParams{Name: tool, Arguments: args}
	params.SetProgressToken(tool)
	result, err := s.client.CallTool(s.t.Context(), params)
	if err != nil {
		return err.Error(), true
	}
	for _, c := range result.Content {
		text += c.(*mcp.TextContent).Text
	}
	return text, result.IsError
}

// end waits until the server has ended, and returns its exit code.
func (s *mcpServer) end() int {
	s.t.Helper()
	done := make(chan struct{})
	go func() {
		_ = s.cmd.Wait() // the exit code says it
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(2 * time.Minute):
		s.t.Fatalf("the server does not end\n%s", s.stderr.String())
	}
	return s.cmd.ProcessState.ExitCode()
}

// TestMCP reviews a planted change, as an agent does that starts the program: the findings
// that stand come back with the words of models marked, what was said of them, and an
// answer to a question; the cost is counted and standard output carries the protocol alone.
func TestMCP(t *testing.T) {
	t.Parallel()
	all := vendors(t, honest)
	s := startMCP(t, planted(t, plantedFile), environment(all))
	tools, err := s.client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	want(t, "tools", strings.Join(names, " "), "ask explain findings review")

	reviewed, refused := s.call("review", map[string]any{"uncommitted": true})
	if refused {
		t.Fatalf("%s\n%s", reviewed, s.stderr.String())
	}
	for _, part := range []string{"2 findings.\n", "\n> " + zero + "\n>\n> " + reasons[zero] + "\n", "Where: `bank/bank.go:9`\n", "\nHow to check: a test of `bank/bank.go`", "\nIt cost $0.0", " of $1.00.\n"} {
		wantText(t, "the review", reviewed, part)
	}
	handed, _, _ := strings.Cut(reviewed, "\nIt cost ")
	got, _ := s.call("findings", nil)
	want(t, "the findings", got, handed)
	one, _ := s.call("findings", map[string]any{"ids": []string{"F5"}})
	if strings.Contains(one, zero) || !strings.Contains(one, "1 finding.\n") || !strings.Contains(one, first) {
		t.Errorf("F5 alone is\n%s", one)
	}
	explained, _ := s.call("explain", map[string]any{"ids": []string{"F1"}})
	wantText(t, "the explanation", explained, zero)
	answered, refused := s.call("ask", map[string]any{"question": "Can Average in bank/bank.go divide by zero?"})
	wantText(t, "the answer", answered, "It cost $0.0")
	if refused {
		t.Errorf("the question is refused: %s", answered)
	}
	again, _ := s.call("findings", nil)
	want(t, "the findings after a question", again, handed)
	answer, _, _ := strings.Cut(answered, "\nIt cost ")
	for name, text := range map[string]string{"the explanation": explained, "the answer": answer} {
		head, rest, _ := strings.Cut(text, "\n\n")
		wantText(t, name, head, "are data")
		for line := range strings.SplitSeq(strings.TrimSuffix(rest, "\n"), "\n") {
			if !strings.HasPrefix(line, ">") {
				t.Errorf("%s has a line that is not marked: %q", name, line)
			}
		}
	}

	_ = s.stdin.Close()
	want(t, "exit code", s.end(), 0)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !strings.Contains(strings.Join(s.told, "\n"), "opening") {
		t.Errorf("no progress is told: %q", s.told)
	}
	lines := bufio.NewScanner(bytes.NewReader(s.out.Bytes()))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var message struct {
			JSONRPC string `json:"jsonrpc"`
		}
		if err := json.Unmarshal(lines.Bytes(), &message); err != nil || message.JSONRPC != "2.0" {
			t.Errorf("standard output holds no message: %q", lines.Text())
		}
	}
	for _, v := range all {
		if strings.Contains(s.out.String(), v.secret) {
			t.Errorf("the key of %s is in what the client gets", v.name)
		}
	}
}

// TestMCPRefuses: no argument reaches what is outside the repository, what git keeps or
// ignores, an option of a program, or a setting; and nobody is asked for anything.
func TestMCPRefuses(t *testing.T) {
	t.Parallel()
	all := vendors(t, honest)
	dir, outside := planted(t, plantedFile), t.TempDir()
	for path, text := range map[string]string{
		filepath.Join(outside, "secret.go"): "package secret\n", filepath.Join(dir, ".gitignore"): "*.env\n", filepath.Join(dir, "prod.env"): "KEY=1\n", filepath.Join(dir, "F1"): "a record?\n",
	} {
		writeFile(t, path, []byte(text), 0o644)
	}
	for name, target := range map[string]string{"linked.go": filepath.Join(outside, "secret.go"), "beside": outside} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	s := startMCP(t, dir, environment(all))
	for name, c := range map[string]struct {
		tool string
		args map[string]any
		says string
	}{
		"above":            {"review", map[string]any{"file": "../secret.go"}, "outside the repository"},
		"absolute":         {"review", map[string]any{"file": filepath.Join(outside, "secret.go")}, "outside the repository"},
		"link":             {"review", map[string]any{"file": "linked.go"}, "is no file of the repository"},
		"behind a link":    {"review", map[string]any{"file": "beside/secret.go"}, "is no file of the repository"},
		"git's own":        {"review", map[string]any{"file": ".git/config"}, "is no file of the repository"},
		"ignored":          {"review", map[string]any{"file": "prod.env"}, "is no file of the repository"},
		"option as file":   {"review", map[string]any{"file": "--config"}, "begins with a hyphen"},
		"option as range":  {"review", map[string]any{"range": "--output=x..y"}, "begins with a hyphen"},
		"option as base":   {"review", map[string]any{"base": " -x"}, "begins with a hyphen"},
		"option as commit": {"review", map[string]any{"commit": "-x"}, "begins with a hyphen"},
		"two scopes":       {"review", map[string]any{"commit": "HEAD", "uncommitted": true}, "give one of them"},
		"no mode":          {"review", map[string]any{"mode": "endless"}, "mode:"},
		"settings":         {"review", map[string]any{"config": "evil.yml"}, "config"},
		"provider":         {"ask", map[string]any{"question": "Why?", "provider": "exec"}, "provider"},
		"address":          {"ask", map[string]any{"question": "Why?", "base_url": "http://evil.test"}, "base_url"},
		"standard input":   {"ask", map[string]any{"question": "-"}, "begins with a hyphen"},
		"no framing":       {"ask", map[string]any{"question": "Why?", "framing": "obey"}, "framing:"},
		"one option":       {"ask", map[string]any{"question": "Why?", "options": []string{"a=b"}}, "no choice"},
		"a record":         {"explain", map[string]any{"ids": []string{"/etc/passwd"}}, "is no finding"},
		"no review":        {"findings", nil, "there is no review of this repository yet"},
		"decide":           {"decide", map[string]any{"option": "keep"}, "decide"},
	} {
		if text, refused := s.call(c.tool, c.args); !refused || !strings.Contains(text, c.says) {
			t.Errorf("%s: refused %v, %q", name, refused, text)
		}
	}
	if text, refused := s.call("review", map[string]any{"file": "bank/bank.go", "mode": "minimal"}); refused {
		t.Errorf("an ordinary file is refused: %s", text)
	}
	text, refused := s.call("explain", map[string]any{"ids": []string{"F1"}})
	if refused || !strings.Contains(text, zero) {
		t.Errorf("a file that is called F1 is taken for a record: %s", text)
	}
	if _, err := os.Stat(filepath.Join(dir, "x..y")); err == nil {
		t.Error("an argument wrote a file")
	}
}

// TestMCPCeiling: the cost of every review and question counts, and at the ceiling nobody is
// asked any more; what costs nothing goes on.
func TestMCPCeiling(t *testing.T) {
	t.Parallel()
	all := vendors(t, honest)
	s := startMCP(t, planted(t, plantedFile), environment(all), "--max-usd", "0.001")
	if text, refused := s.call("review", map[string]any{"uncommitted": true}); refused || !strings.Contains(text, " of $0.001.") {
		t.Fatalf("refused %v: %s", refused, text)
	}
	asked := func() (n int) {
		for _, v := range all {
			n += len(v.asked())
		}
		return n
	}
	before := asked()
	if before == 0 || before > 3 {
		t.Errorf("%d calls for a tenth of a cent", before)
	}
	for tool, args := range map[string]map[string]any{"review": {"uncommitted": true}, "ask": {"question": "Why?"}} {
		if text, refused := s.call(tool, args); !refused || !strings.Contains(text, "ceiling of this server is reached") {
			t.Errorf("%s: refused %v, %s", tool, refused, text)
		}
	}
	want(t, "calls", asked(), before)
	if text, refused := s.call("findings", nil); refused {
		t.Error(text)
	}
	for _, bad := range []string{"0", "-1", "NaN", "1e9"} {
		if got := run(t, s.cmd.Dir, nil, "mcp", "--max-usd="+bad); got.code != 2 {
			t.Errorf("--max-usd %s: exit code %d, %s", bad, got.code, got.stderr)
		}
	}
}

// TestMCPUnanswered: where no model answers the client reads the cause once, and outside of
// what is quoted what a person can do.
func TestMCPUnanswered(t *testing.T) {
	t.Parallel()
	s := startMCP(t, planted(t, plantedFile), map[string]string{"OPENAI_API_KEY": "sk-of-nobody-0000", "OPENAI_BASE_URL": "http://127.0.0.1:1"})
	for tool, args := range map[string]map[string]any{"review": {"uncommitted": true}, "ask": {"question": "Why?"}} {
		text, refused := s.call(tool, args)
		cause := strings.Count(strings.Join(strings.Fields(strings.ReplaceAll(text, "\n>", "\n")), " "), "connection refused")
		if refused || cause != 1 {
			t.Errorf("%s: refused %v, the cause stands there %d times\n%s", tool, refused, cause, text)
		}
		wantText(t, tool, text, "\nNo model answered, for the reason above. A person can run debate doctor --online")
	}
}

// TestMCPPage: docs/mcp.md names every argument of every tool, and its blocks to copy start the
// server with flags that there are.
func TestMCPPage(t *testing.T) {
	t.Parallel()
	data := readFile(t, filepath.Join("..", "..", "docs", "mcp.md"))
	dir := planted(t, plantedFile)
	tools, err := startMCP(t, dir, nil).client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		_, row, _ := strings.Cut(string(data), "\n| `"+tool.Name+"` |")
		row, _, _ = strings.Cut(row, "\n")
		schema, _ := tool.InputSchema.(map[string]any)
		arguments, _ := schema["properties"].(map[string]any)
		if len(arguments) == 0 {
			t.Errorf("%s takes nothing", tool.Name)
		}
		for name := range arguments {
			wantText(t, "the row of "+tool.Name, row, "`"+name+"`")
		}
	}
	blocks := strings.Split(string(data), "```json\n")[1:]
	want(t, "blocks to copy", len(blocks), 3)
	for _, block := range blocks {
		text, _, _ := strings.Cut(block, "```")
		var clients map[string]map[string]struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
		}
		if err := json.Unmarshal([]byte(text), &clients); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		for _, servers := range clients {
			want(t, "command", servers["debate"].Command, "debate")
			var args []string
			for _, arg := range servers["debate"].Args {
				args = append(args, strings.ReplaceAll(arg, "${workspaceFolder}", dir))
			}
			if got := run(t, dir, nil, args...); got.code != 0 || !slices.Contains(args, "mcp") { // nobody speaks to it, so it ends
				t.Errorf("debate %q: exit code %d, %s", args, got.code, got.stderr)
			}
		}
	}
}

// TestMCPNeedsARepository: a server that is started elsewhere says so at once.
func TestMCPNeedsARepository(t *testing.T) {
	t.Parallel()
	got := run(t, t.TempDir(), nil, "mcp")
	if diff := cmp.Diff(outcome{code: 2, stderr: got.stderr}, got, cmp.AllowUnexported(outcome{})); diff != "" || !strings.Contains(got.stderr, "repository") {
		t.Errorf("%s%s", diff, got.stderr)
	}
}
