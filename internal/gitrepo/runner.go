package gitrepo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/child"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/text"
)

const (
	listingLimit = 64 << 20 // bytes of a name listing
	stderrLimit  = 4 << 10  // bytes kept of git's messages

	// killDelay bounds the wait for the output of a git that ended. On a busy machine the
	// rest of it comes seconds later.
	killDelay = 30 * time.Second
)

// minimumVersion has `rev-parse --path-format`, `--end-of-options` and
// GIT_CONFIG_GLOBAL, the newest things used here.
const minimumVersion = "2.32"

// command is one run of git.
type command struct {
	dir   string
	env   []string
	args  []string
	stdin io.Reader
	limit int64 // bytes of standard output; more is a LimitError
}

// output of a successful command.
type output struct{ stdout, stderr []byte }

// runner starts git. Nothing else in this program does.
type runner struct {
	path    string
	version string // in git's own words
}

// findGit looks git up and checks its version.
func findGit(ctx context.Context) (*runner, error) {
	path, err := exec.LookPath("git")
	if err != nil {
		return nil, ErrNoGit
	}
	git := &runner{path: path}
	out, err := git.run(ctx, command{env: baseEnv(), args: []string{"version"}, limit: listingLimit})
	if err != nil {
		return nil, fmt.Errorf("%s does not work: %w; install git %s or newer", path, err, minimumVersion)
	}
	git.version = text.Message(string(out.stdout))
	var major, minor int
	if _, err := fmt.Sscanf(git.version, "git version %d.%d", &major, &minor); err != nil || major < 2 || major == 2 && minor < 32 {
		return nil, fmt.Errorf("git is too old (%s): install git %s or newer", git.version, minimumVersion)
	}
	return git, nil
}

// run starts git, waits for it and returns its output. When ctx ends it kills the whole
// process group.
func (g *runner) run(ctx context.Context, c command) (output, error) {
	ran, err := child.Run(g.command(ctx, c), c.limit, stderrLimit)
	out := output{stdout: ran.Stdout, stderr: ran.Stderr}
	name := c.subcommand()
	if ran.TooMuch {
		return out, limitError("more than %d MiB of output of git %s: review a smaller change", c.limit>>20, name)
	}
	if err == nil {
		return out, nil
	}
	if cause := context.Cause(ctx); cause != nil {
		return out, fmt.Errorf("git %s: %w", name, cause)
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return out, fmt.Errorf("start git %s: %w", name, err)
	}
	return out, &CommandError{Command: name, Message: cmp.Or(lastWords(out.stderr), err.Error()), status: exit.ExitCode()}
}

// command prepares a git process.
func (g *runner) command(ctx context.Context, c command) *exec.Cmd {
	cmd := exec.CommandContext(ctx, g.path, append([]string{"--no-pager"}, c.args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.dir, c.env, c.stdin
	cmd.WaitDelay = killDelay
	return cmd
}

// subcommand returns the name of the command for messages: the first argument that is
// not an option of git itself.
func (c command) subcommand() string {
	for i := 0; i < len(c.args); i++ {
		switch {
		case c.args[i] == "-c", c.args[i] == "-C":
			i++
		case !strings.HasPrefix(c.args[i], "-"):
			return c.args[i]
		}
	}
	return ""
}

// passedVariables are the variables git and the temporary files need from the caller.
var passedVariables = []string{"PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "TMP", "TEMP",
	"USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA"}

// baseEnv is the environment of every git: no prompt, no lock without need, no network
// (GIT_ALLOW_PROTOCOL beats all configuration), no replaced objects, no outside
// attributes, one language.
func baseEnv() []string {
	env := []string{
		"LC_ALL=C", "LANGUAGE=", "TZ=UTC", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
		"GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_ATTR_NOSYSTEM=1",
		"GIT_PAGER=cat", "GIT_EDITOR=:", "GIT_FLUSH=1", "GIT_TRACE2=0", "GIT_TRACE2_EVENT=0", "GIT_TRACE2_PERF=0",
	}
	for _, name := range passedVariables {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// frontEnv is the environment of the commands in the user's repository. The user's own
// configuration counts there (safe.directory, core.excludesFile), also if variables
// name it. GIT_CONFIG_PARAMETERS does not count: it belongs to a git that started us.
func frontEnv() []string {
	env := baseEnv()
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(name, "GIT_CONFIG_") && name != "GIT_CONFIG_PARAMETERS" || name == "GIT_CEILING_DIRECTORIES" {
			env = append(env, kv)
		}
	}
	return env
}

// lastWords returns the line of git's messages with the reason.
func lastWords(stderr []byte) string {
	lines := strings.Split(strings.TrimSpace(string(stderr)), "\n")
	for _, prefix := range []string{"error: ", "fatal: "} {
		for _, line := range lines {
			if rest, ok := strings.CutPrefix(line, prefix); ok {
				return text.Message(rest)
			}
		}
	}
	return text.Message(lines[len(lines)-1])
}

var objectID = lazyregexp.New(`\b([0-9a-f]{40}|[0-9a-f]{64})\b`)

// missingMessage matches git's messages about a missing object.
var missingMessage = lazyregexp.New(`(?i)unable to read|bad object|could not read|unable to find|missing (blob|tree|commit)|failed to read object|cannot read|could not fetch|no such object|invalid object|not our ref|promisor remote`)

// missingObject reports whether a failure is about a missing object, and its id.
func missingObject(err error, stderr []byte) (id string, ok bool) {
	var failed *CommandError
	if !errors.As(err, &failed) || !missingMessage().Match(stderr) {
		return "", false
	}
	return objectID().FindString(string(stderr)), true
}
