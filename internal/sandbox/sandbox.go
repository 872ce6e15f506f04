// Package sandbox runs a command on a copy of a directory, apart from the machine: without
// the network, the home directory and the secrets of the process that asks for it.
//
//	Job ──> Box.Run ──> sh in a sandbox ──> copy of the tree ──> command ──> Result
//
// The copy is thrown away. A command that takes too long, needs too much memory or starts
// too many processes is killed with all that it started.
//
// Box is made of one of these:
//
//	bubblewrap   new namespaces on Linux, a read-only system, memory for what is written
//	container    of podman or docker, from an image that the settings name by its digest
//	none         a process like every other, for a machine that is thrown away itself
package sandbox

import (
	"context"
	"errors"
	"path/filepath"
	"time"
)

// The names of the boxes.
const (
	bubblewrap  = "bubblewrap"
	inContainer = "container"
	unsafe      = "none" // debate.NoSandbox
)

// Limits bound one run.
type Limits struct {
	Time      time.Duration
	Memory    int64 // bytes of all processes, and of all files that they write
	Processes int
	Output    int // bytes that are kept, from the beginning and from the end
}

// Job is one command to run.
type Job struct {
	Tree  string            // directory that the command gets a copy of
	Home  string            // directory with what was installed for it
	Files map[string]string // written into the copy, by their paths
	Argv  []string
	// What the command writes stays, in the tree itself or in the home directory.
	KeepTree, KeepHome bool
	Network            bool
	// Word is written at the end of the output, before what the command left in the
	// file that MarksFile names, and nothing else knows it.
	Word string
	Limits
}

// Stop is why a run did not end by itself.
type Stop string

// The reasons.
const (
	StopTime   Stop = "time"
	StopMemory Stop = "memory"
	StopCount  Stop = "processes"
)

// Result is what came of a run.
type Result struct {
	Exit   int
	Output []byte // of both streams, without the last line
	Marks  string // that the command left, one word each
	Ended  bool   // the last line came
	Stop   Stop
	Took   time.Duration
}

// Box keeps commands apart.
type Box interface {
	Name() string
	// Kind says to people how it keeps them apart.
	Kind() string
	// Run runs a job. An error means that the box itself failed.
	Run(ctx context.Context, job Job) (Result, error)
	// Own lets the commands of a box read and change a directory of this process.
	Own(dir string) error
}

// ErrNone means that this machine has no sandbox.
var ErrNone = errors.New("this machine has no sandbox for them")

// Places inside a box. An unsafe box has the same ones below a directory of its own.
const (
	marks = "tmp/marks"
	work  = "work"
	home  = "home/debate"
	seed  = "seed" // the home directory as it was prepared
)

// MarksFile is where a command leaves its marks, as its environment names it.
const MarksFile = "DEBATE_MARKS"

// environment is all that a command sees of one.
func environment(root, path string, keepHome bool) []string {
	at := func(name string) string { return filepath.Join(root, name) }
	env := []string{
		"PATH=" + path, "HOME=" + at(home), "TMPDIR=" + at("tmp"), "USER=debate", "LOGNAME=debate", "LANG=C.UTF-8", "TERM=dumb", "CI=true", "NO_COLOR=1",
		"GOCACHE=" + at("tmp/go-build"), "GOMODCACHE=" + at(home+"/go/mod"), "GOTOOLCHAIN=local", "GOFLAGS=-modcacherw", "GOTELEMETRY=off",
		"PYTHONDONTWRITEBYTECODE=1", "npm_config_cache=" + at("tmp/npm"), "XDG_CACHE_HOME=" + at("tmp/cache"),
		"CARGO_TARGET_DIR=" + at("tmp/cargo"), "CARGO_INCREMENTAL=0", MarksFile + "=" + at(marks),
	}
	if keepHome {
		env = append(env, "GOCACHE="+at(home+"/go-build")) // the last one counts
	}
	return env
}

// script runs in the box. The first run that keeps the home directory packs the tree there:
// of 10,000 files the later runs then read one. Its arguments are the bound of processes (0: none) and the
// command. The word comes on its input, since the command can read all arguments. $TREE and $FILES are what it copies, $ROOT is where it works.
const script = `
ulimit -c 0
if [ "$1" -gt 0 ]; then ulimit -u "$1" 2>/dev/null || ulimit -p "$1" 2>/dev/null; fi
shift
read -r word
cd "$ROOT/work" || exit 125
tree=$HOME/tree.tar
if [ -n "$TREE" ] && [ -n "$KEEP" ] && [ ! -f "$tree" ]; then (cd "$TREE" && tar cf "$tree.part" .) && mv "$tree.part" "$tree"; fi
if [ -z "$TREE" ]; then :
elif [ -f "$tree" ]; then tar xpf "$tree" || exit 125
else (cd "$TREE" && tar cf - .) | tar xpf - || exit 125
fi
if [ -n "$FILES" ]; then cp -R "$FILES/." . || exit 125; fi
if [ -z "$KEEP" ] && [ -d "$HOME/go-build" ]; then mkdir -p "$GOCACHE" && cp -as "$HOME/go-build/." "$GOCACHE/"; fi
if [ -d "$HOME/cargo" ]; then cp -a "$HOME/cargo" "$CARGO_TARGET_DIR"; fi
kept=$KEEP
unset TREE FILES KEEP ROOT
"$@" </dev/null
code=$?
if [ -n "$kept" ] && [ -d "$CARGO_TARGET_DIR" ]; then rm -rf "$HOME/cargo"; cp -a "$CARGO_TARGET_DIR" "$HOME/cargo" || rm -rf "$HOME/cargo"; fi
printf '\n%s %s\n' "$word" "$(head -c 1000 "$DEBATE_MARKS" 2>/dev/null | tr '\n' ' ')"
exit $code
`
