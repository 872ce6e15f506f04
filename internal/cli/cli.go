// Package cli is the command line: commands, flags, exit codes and the wiring of all other
// packages. Only this package imports all of them, and only it reads the environment.
//
// A command is in the file of its name; a review of a pull request is in review_pull.go. Small
// commands are with those of the same use: explain, replay and prompts in report.go, reviews and
// resume in records.go, completion in config.go, db in serve.go. The commands share these files:
//
//	cli.go, exit.go, output.go      the command line, exit codes and errors, files
//	settings.go, parties.go         the settings in force, secrets and advice; the models that take part, and the likely cost
//	wiring.go                       a review and its first event, also of a pull request
//	debate.go, progress*.go         a debate with a record, on a terminal
//	records.go                      the records of this user
package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"os/user"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/willabides/kongplete"
	"golang.org/x/term"

	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/provider"
	"github.com/prdebate/debate/internal/report"
)

// Env is the process around a command.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Environ        func() []string
	// Setenv sets a variable for libraries that read the process environment: certificates,
	// cloud accounts. Nil sets nothing.
	Setenv func(name, value string) error
	Dir    string // working directory
	Now    func() time.Time
	Random io.Reader // for the seed of a debate
	// Width is the width of the terminal behind w in columns; ok is false if w is no
	// terminal.
	Width func(w io.Writer) (columns int, ok bool)
	// Typed reports whether a person types standard input; nil means no.
	Typed func() bool
	// User is the name of the user of the machine; nil: it is not known.
	User func() string
	// Wait sleeps, or returns the cause of the context's end.
	Wait func(ctx context.Context, d time.Duration) error
	// Providers are the known providers of models.
	Providers model.Registry
	// GitHub is the way to GitHub; nil is the usual one.
	GitHub http.RoundTripper
	// Server is the server of a GitHub App, nil for a program without one.
	Server Server
	// Interrupt returns a context for the run. Ctrl-C cancels it.
	Interrupt func() (context.Context, context.CancelFunc)
}

// System is the environment of the real process.
func System() Env {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	return Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Environ: os.Environ, Setenv: os.Setenv,
		Dir:       dir,
		Now:       time.Now,
		Wait:      gh.Sleep,
		Random:    rand.Reader,
		Providers: provider.All(),
		Width: func(w io.Writer) (int, bool) {
			f, ok := w.(*os.File)
			if !ok || !term.IsTerminal(int(f.Fd())) {
				return 0, false
			}
			columns, _, err := term.GetSize(int(f.Fd()))
			return columns, err == nil
		},
		Typed: func() bool { return term.IsTerminal(int(os.Stdin.Fd())) },
		User: func() string {
			if who, err := user.Current(); err == nil {
				return who.Username
			}
			return ""
		},
		Interrupt: func() (context.Context, context.CancelFunc) {
			stops := []os.Signal{os.Interrupt, syscall.SIGTERM}
			if !signal.Ignored(syscall.SIGHUP) { // nohup wants the run to go on
				stops = append(stops, syscall.SIGHUP)
			}
			return signal.NotifyContext(context.Background(), stops...)
		},
	}
}

// commands is the command line as people see it.
type commands struct {
	Dir     string           `short:"C" name:"directory" placeholder:"DIR" help:"Run in this directory."`
	Quiet   bool             `short:"q" help:"Show no progress."`
	Color   string           `enum:"auto,always,never" default:"auto" help:"Use colors: auto, always or never. NO_COLOR and FORCE_COLOR count."`
	Version kong.VersionFlag `help:"Print the version and exit."`

	Review     reviewCmd     `cmd:"" group:"review" help:"Review your branch, or another change, a patch or a file."`
	Ask        askCmd        `cmd:"" group:"review" help:"Debate a question about the code."`
	Report     reportCmd     `cmd:"" group:"review" help:"Show the result of a review again, also as HTML, Markdown, JSON or SARIF."`
	Reviews    reviewsCmd    `cmd:"" group:"review" help:"List your reviews of this repository. Other commands take their numbers."`
	Resume     resumeCmd     `cmd:"" group:"review" help:"Go on with an interrupted review or question."`
	Explain    explainCmd    `cmd:"" group:"review" help:"Show the debate about a finding, and how it was settled."`
	MCP        mcpCmd        `cmd:"" name:"mcp" group:"review" help:"Serve review, findings, explain and ask to a coding agent or an editor (docs/mcp.md)."`
	Demo       demoCmd       `cmd:"" group:"review" help:"Watch a recorded debate. It needs no key and no repository."`
	Decide     decideCmd     `cmd:"" group:"review" help:"Answer a question that a review left to a person."`
	Doctor     doctorCmd     `cmd:"" group:"setup" help:"Check the setup: git, settings, API keys, models."`
	Init       initCmd       `cmd:"" group:"setup" help:"Write a GitHub workflow and a settings file with comments."`
	Config     configCmd     `cmd:"" group:"setup" help:"Check or show the settings."`
	Completion completionCmd `cmd:"" group:"setup" help:"Print the lines that switch on completion in your shell."`
	Replay     replayCmd     `cmd:"" group:"audit" help:"Compute the result of a recorded review again, and compare it."`
	Prompts    promptsCmd    `cmd:"" group:"audit" help:"Print a prompt of a recorded review."`
	Bench      benchCmd      `cmd:"" group:"audit" help:"Measure your models on changes with known defects."`
	Serve      serveCmd      `cmd:"" group:"audit" help:"Run a GitHub App: review the pull requests of many repositories."`
	DB         dbCmd         `cmd:"" name:"db" group:"audit" help:"Back up or move the database of the App."`
	Action     actionCmd     `cmd:"" group:"audit" help:"Handle an event of GitHub Actions. The workflow runs this."`
}

const description = `Models debate your change before you merge it: each reviews it alone, then they
attack the findings of the others. Every quote is checked against your code.

Set two or more of ANTHROPIC_API_KEY, OPENAI_API_KEY and GEMINI_API_KEY, then run
"debate review" in a git repository. Without a key only built-in rules read the
change. "debate demo" shows a recorded debate and needs no key.

Exit codes: 0 done; 1 a confirmed finding is as severe as --fail-on; 2 the
command line or the settings are wrong; 3 a person has to decide; 4 it could
not be done; 130 interrupted, "debate resume" goes on.

Documentation: https://github.com/prdebate/debate/tree/main/docs`

// groups are the headings of the help.
var groups = []kong.Group{
	{Key: "review", Title: "Review and ask:"},
	{Key: "setup", Title: "Set up:"},
	{Key: "audit", Title: "Audit and automation:"},
}

// examples are the further help of a command.
var examples = map[string]string{
	"review": `
  debate review                          your branch, with uncommitted work
  debate review --commit HEAD            the last commit
  debate review --pr 12 --post           a pull request, with comments on it`,
	"ask": `
  debate ask 'Is it safe to retry this request?' --file client.go
  debate ask 'Which queue?' --option 'A=a ring buffer' --option 'B=a channel'
  debate ask --framing red-team - < design.md`,
	"report": `
  debate report                                  your newest review
  debate report 2 --format html -o page.html     the one before, as a page
  debate report --format agent                   findings for an agent`,
	"explain": `
  debate explain          the whole debate of your newest review
  debate explain F1 F3    two of them
  debate explain 2 F1     one of the second newest review`,
	"decide": `
  debate decide                              what your newest review left open
  debate decide keep 'we have a backup'      your answer to it
  debate decide 3 D1 B 'it never blocks'     one of several, in review 3`,
	"doctor": `
  debate doctor                              nothing is sent
  debate doctor --online                     each model answers one word
  debate doctor --online --env-file app.env  a server and its GitHub App`,
	"init": `
  debate init            for a private repository
  debate init --split    for a public one: docs/three-jobs.md
  debate init --force    replace both files by new ones`,
	"serve": `
  debate serve --setup --public-url https://debate.example.com/webhook
  debate serve --env-file app.env
  debate serve --env-file app.env --poll     behind a firewall`,
}

// Main runs one command and returns its exit code.
func Main(args []string, env Env) int {
	var cmds commands
	exited := -1 // kong asks to exit after --help and --version
	var help bytes.Buffer
	parser, err := kong.New(&cmds,
		kong.Name("debate"),
		kong.Description(description),
		kong.ExplicitGroups(groups),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(&help, env.Stderr),
		kong.Exit(func(code int) { exited = code }),
		kong.Vars{"version": "debate " + Version(), "shell": usersShell(env.Getenv)},
	)
	if err != nil {
		return fail(env, err)
	}
	for _, command := range parser.Model.Children {
		command.Detail = report.Wrapped("Examples:", examples[command.Name], "")
	}
	shown := func() int { // help, the version or a completion
		if _, err := env.Stdout.Write(help.Bytes()); err != nil { // kong drops it
			return fail(env, unwritable(err))
		}
		return exited
	}
	kongplete.Complete(parser)
	if exited >= 0 {
		return shown()
	}
	if len(args) > 0 {
		switch args[0] {
		case "help":
			args = append(args[1:len(args):len(args)], "--help")
		case "version":
			args = []string{"--version"}
		}
	}
	parsed, err := parser.Parse(flagsFirst(parser, args))
	if exited >= 0 {
		return shown()
	}
	if err != nil {
		return fail(env, usage(explainUsage(parser, args, err)))
	}
	for _, part := range parsed.Path {
		// A script's unset variable must not silently mean the default.
		if f := part.Flag; f != nil && f.Target.Kind() == reflect.String && f.Target.Len() == 0 {
			return fail(env, usage(fmt.Errorf("--%s is empty: give it a value or leave it out", f.Name)))
		}
	}
	from := env.Dir
	if cmds.Dir != "" {
		env.Dir = env.path(cmds.Dir)
		if info, err := os.Stat(env.Dir); err != nil || !info.IsDir() {
			return fail(env, usage(fmt.Errorf("-C: there is no directory %s", env.Dir)))
		}
	}
	ctx, stop := env.Interrupt()
	defer stop()
	r := &run{Env: env, ctx: ctx, args: args, from: from, quiet: cmds.Quiet, color: cmds.Color}
	defer func() {
		if err := r.restoreConsoles(); err != nil {
			r.progress("the console could not be set back: %v", err)
		}
	}()
	if command, _, _ := strings.Cut(parsed.Command(), " "); r.Server == nil && slices.Contains([]string{"serve", "db"}, command) {
		err = r.handOver()
	} else {
		err = parsed.Run(r)
	}
	if err == nil {
		return 0
	}
	return fail(env, err)
}

// run is the environment and the context of one command.
type run struct {
	Env
	ctx      context.Context
	args     []string // the command line
	from     string   // the directory that it was typed in
	quiet    bool
	color    string         // auto, always or never
	consoles []func() error // each resets a Windows console
	shown    *progress      // of the current debate; nil for none
	record   string         // path of the latest debate's record, "" before the first
}

// progress prints a line on standard error, unless the run is quiet.
func (r *run) progress(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	switch {
	case r.quiet:
	case r.shown != nil: // between the steps
		r.shown.mu.Lock()
		defer r.shown.mu.Unlock()
		r.shown.add(step{came: text}, true)
	default:
		fmt.Fprintln(r.Stderr, step{came: text}.plain())
	}
}

// release is the version of a release, set by the linker; "" otherwise.
var release string

// Version returns the release, or the version in the Go build information.
func Version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v, commit := info.Main.Version, revision()
	switch {
	case v != "" && v != "(devel)":
		return v
	case len(commit) >= 12:
		return "development version at " + commit[:12]
	}
	return "development version"
}

// flagsFirst moves the flags of a command with a list of arguments before that list, which would end at
// the first flag after it: decide keep --yes WHY. After -- everything is an argument.
func flagsFirst(parser *kong.Kong, args []string) []string {
	node := parser.Model.Node // then the command
	var first, rest []string
	for i := 0; i < len(args); i++ {
		name, _, hasValue := strings.Cut(args[i], "=")
		flag := lists.Find(slices.Concat(node.AllFlags(false)...), func(f *kong.Flag) bool {
			return name == "--"+f.Name || f.Short != 0 && name == "-"+string(f.Short)
		})
		switch {
		case args[i] == "--":
			return slices.Concat(first, rest, args[i:])
		case flag != nil:
			first = append(first, args[i])
			if !flag.IsBool() && !hasValue && i+1 < len(args) {
				i++
				first = append(first, args[i])
			}
		case node == parser.Model.Node:
			node = lists.Find(node.Children, func(n *kong.Node) bool { return n.Name == args[i] })
			if node == nil || len(node.Positional) == 0 || !node.Positional[len(node.Positional)-1].IsCumulative() {
				return args
			}
			first = append(first, args[i])
		default:
			rest = append(rest, args[i])
		}
	}
	return slices.Concat(first, rest)
}
