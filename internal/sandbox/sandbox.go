// Package sandbox runs a command on a copy of a directory, apart from the machine: without
// the network, the home directory and the secrets of its own process.
//
//	Job ──> Box.Run ──> sh in a sandbox ──> copy of the tree ──> command ──> Result
//
// The copy is deleted afterwards. A command beyond its limits of time, memory or processes is
// killed, with all its children.
//
// There are three kinds of Box:
//
//	bubblewrap   new namespaces on Linux, a read-only system, written files in memory
//	container    of podman or docker, from an image that the settings name by its digest
//	none         an ordinary process, for a machine that is deleted after the run
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
	Memory    int64 // bytes of all processes and of all files they write
	Processes int
	Output    int // bytes to keep, from the beginning and from the end
}

// Job is one command to run.
type Job struct {
	Tree  string            // the command gets a copy of this directory
	Home  string            // directory with the installed dependencies
	Files map[string]string // written into the copy, by their paths
	Argv  []string
	// The changes of the command to the tree or to the home directory are kept.
	KeepTree, KeepHome bool
	Network            bool
	// Word is a secret. It is written at the end of the output, before the content of the
	// file MarksFile.
	Word string
	Limits
}

// Stop is the reason why a run was ended early.
type Stop string

// The reasons.
const (
	StopTime   Stop = "time"
	StopMemory Stop = "memory"
	StopCount  Stop = "processes"
)

// Result is the result of a run.
type Result struct {
	Exit   int
	Output []byte // of both streams, without the last line
	Marks  string // from the command, one word each
	Ended  bool   // the last line came
	Stop   Stop
	Took   time.Duration
}

// Box separates commands from the machine.
type Box interface {
	Name() string
	// Kind describes the box to people.
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
	seed  = "seed" // the prepared tree, read-only
)

// MarksFile is the variable with the name of the file for the marks of a command.
const MarksFile = "DEBATE_MARKS"

// environment has all variables of a command.
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

// script runs in the box. The first run that keeps the home directory packs the tree there, so
// later runs read one file instead of 10,000. Its arguments are the limit of processes
// (0: none) and the command. The word comes on its input, since the command can read all
// arguments. It copies $TREE and $FILES, and works in $ROOT. An engine's directory in memory
// belongs to root, so tar could not give it the mode of the tree.
const script = `
ulimit -c 0
counted=$1
if [ "$1" -gt 0 ]; then ulimit -u "$1" 2>/dev/null || ulimit -p "$1" 2>/dev/null; fi
shift
read -r word
cd "$ROOT/work" || exit 125
if [ ! -O . ]; then mkdir own && cd own || exit 125; fi
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
if [ "$counted" -eq 0 ]; then # an engine's cgroup; engines do not always say that it killed a process
	case "$(head -c 1000 /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control 2>/dev/null)" in *"oom_kill "[1-9]*) exit 137 ;; esac
fi
if [ -n "$kept" ] && [ -d "$CARGO_TARGET_DIR" ]; then rm -rf "$HOME/cargo"; cp -a "$CARGO_TARGET_DIR" "$HOME/cargo" || rm -rf "$HOME/cargo"; fi
printf '\n%s %s\n' "$word" "$(head -c 1000 "$DEBATE_MARKS" 2>/dev/null | tr '\n' ' ')"
exit $code
`
