package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	osexec "os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// world is what an agent sees around it.
type world struct {
	Args  []string
	Env   []string
	Dir   string
	Work  []string          // files of the working directory
	Repo  map[string]string // files below repo in it
	Home  map[string]string // files of the home
	Temp  []string
	Open  []string // files that it was born with
	Stdin string
}

// play is a stub agent: this very binary under the name of an agent. What it
// does is the name of the model that it is asked for.
func play(agent string, args []string) {
	if len(args) == 1 && args[0] == "--version" {
		fmt.Printf("%s 1.2.3\nmore\n", agent)
		if os.Getenv("GITHUB_TOKEN") != "" {
			os.Exit(9)
		}
		return
	}
	role, rest, _ := strings.Cut(args[slices.Index(args, "--model")+1], "=")
	switch role {
	case "dump":
		say(agent, dump(args))
	case "say": // a scene that a test wrote down
		var s scene
		text, err := os.ReadFile(rest)
		must(err)
		must(json.Unmarshal(text, &s))
		fmt.Print(s.Stdout)
		fmt.Fprint(os.Stderr, s.Stderr)
		os.Exit(s.Exit)
	case "easy": // a model that thinks as it likes
		for _, a := range args {
			if strings.Contains(a, "effort") {
				fault := `{"error":{"message":"Unsupported parameter: reasoning.effort","code":400}}`
				if agent == "claude" {
					fmt.Print(`{"type":"result","subtype":"success","is_error":true,"api_error_status":400,"result":"API Error: 400 unknown effort"}`)
				} else {
					fmt.Printf("{\"type\":\"turn.failed\",\"error\":{\"message\":%q}}\n", fault)
				}
				os.Exit(1)
			}
		}
		say(agent, "easy")
	case "long":
		say(agent, strings.Repeat("x", 1<<20+1))
	case "flood":
		for {
			if _, err := fmt.Print(strings.Repeat("x", 1<<16)); err != nil {
				os.Exit(1)
			}
		}
	case "stubborn": // neither it nor its child heeds a polite signal
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		child := osexec.Command(os.Args[0], "--model", "stay="+rest)
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		must(child.Start())
		stay(rest)
	case "stay":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		stay(rest)
	case "leaver": // it replies and leaves a child behind
		child := osexec.Command(os.Args[0], "--model", "stay="+rest)
		out, err := child.StdoutPipe()
		must(err)
		must(child.Start())
		_, err = out.Read(make([]byte, 1)) // it is up
		must(err)
		say(agent, "reply")
	}
}

// scene is what an agent says, and how it ends.
type scene struct {
	Stdout, Stderr string
	Exit           int
}

// say writes a reply as the agent does.
func say(agent, text string) {
	q := quote(text)
	switch agent {
	case "codex":
		fmt.Println(`{"type":"thread.started","thread_id":"t"}`)
		fmt.Println(`{"type":"item.completed","item":{"id":"item_0","type":"error","message":"Model metadata not found."}}`)
		fmt.Println(`{"type":"turn.started"}`)
		fmt.Println(`{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":` + q + `}}`)
		fmt.Println(`{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":40,"cache_write_input_tokens":0,"output_tokens":20,"reasoning_output_tokens":5}}`)
	case "claude":
		fmt.Print(`{"type":"result","subtype":"success","is_error":false,"api_error_status":null,"num_turns":1,"stop_reason":"end_turn","result":` + q +
			`,"total_cost_usd":0.0006381,"usage":{"input_tokens":53,"cache_creation_input_tokens":7,"cache_read_input_tokens":40,"output_tokens":20},` +
			`"modelUsage":{"claude-sonnet-4-5":{"costUSD":0.0006381,"costBasis":"list"}}}`)
	case "gemini":
		fmt.Fprintln(os.Stderr, "Ripgrep is not available. Falling back to GrepTool.")
		fmt.Print(`{"session_id":"s","response":` + q + `,"stats":{"models":{"gemini-2.5-pro":{"tokens":{"input":60,"prompt":100,"candidates":15,"total":120,"cached":40,"thoughts":5,"tool":0}}}}}`)
	case "qwen":
		fmt.Print(`[{"type":"system","subtype":"init"},{"type":"assistant","message":{"content":[{"type":"text","text":` + q + `}]}},` +
			`{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":` + q +
			`,"usage":{"input_tokens":100,"output_tokens":20,"cache_read_input_tokens":40,"total_tokens":120},"permission_denials":[]}]`)
	}
}

func quote(s string) string {
	text, err := json.Marshal(s)
	must(err)
	return string(text)
}

// dump describes the world as JSON.
func dump(args []string) string {
	w := world{Args: args, Env: os.Environ()}
	slices.Sort(w.Env)
	var err error
	w.Dir, err = os.Getwd()
	must(err)
	w.Work, w.Temp = names(w.Dir), names(os.Getenv("TMPDIR"))
	w.Home, w.Repo = below(os.Getenv("HOME")), below("repo")
	if links, err := os.ReadDir("/proc/self/fd"); err == nil {
		for _, l := range links {
			target, err := os.Readlink("/proc/self/fd/" + l.Name())
			if err == nil && strings.HasPrefix(target, "/") && !strings.HasPrefix(target, "/proc/") && !strings.HasPrefix(target, "/sys/") {
				w.Open = append(w.Open, target)
			}
		}
	}
	text, err := io.ReadAll(os.Stdin)
	must(err)
	w.Stdin = string(text)
	all, err := json.Marshal(w)
	must(err)
	return string(all)
}

// below are the files below a directory, by their paths; none where there is no directory.
func below(dir string) map[string]string {
	files := make(map[string]string)
	must(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		text, err := os.ReadFile(path)
		must(err)
		rel, err := filepath.Rel(dir, path)
		must(err)
		files[filepath.ToSlash(rel)] = string(text)
		return nil
	}))
	return files
}

func names(dir string) (all []string) {
	entries, err := os.ReadDir(dir)
	must(err)
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// stay holds a connection until the process is killed.
func stay(address string) {
	conn, err := net.Dial("tcp", address)
	must(err)
	fmt.Print("u")
	_, err = conn.Read(make([]byte, 1))
	must(err)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(9)
	}
}
