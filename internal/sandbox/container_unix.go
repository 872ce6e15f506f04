//go:build unix

package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// container is a box of podman or docker, with an image from the settings.
type container struct {
	program, image string
	podman         bool
}

// pullTime bounds the download of an image, and askTime each other command to the engine.
const (
	pullTime = 10 * time.Minute
	askTime  = 30 * time.Second
)

// FindContainer returns a sandbox with containers of an image, after one trial run. It
// prefers podman, which needs no server with root rights.
func FindContainer(ctx context.Context, image string) (Box, error) {
	for _, name := range []string{"podman", "docker"} {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		c := container{program, image, name == "podman"}
		if _, err := c.ask(ctx, askTime, "image", "inspect", image); err != nil {
			if said, err := c.ask(ctx, pullTime, "pull", "--quiet", image); err != nil {
				return nil, fmt.Errorf("%w: %s cannot get the image %s: %s", ErrNone, name, image, said)
			}
		}
		if err := try(ctx, c); err != nil {
			return nil, fmt.Errorf("%s cannot make a container of %s here: %w", name, image, err)
		}
		return c, nil
	}
	return nil, fmt.Errorf("%w: there is neither podman nor docker on PATH, and the settings name an image", ErrNone)
}

// The exit codes of a container without the last line: the engine could not start the command;
// the kernel killed the shell, or the shell says that it killed a child of it.
const (
	engineFailed = 125
	outOfMemory  = 137
)

// ask runs the engine, and returns the last line of its answer.
func (c container) ask(ctx context.Context, most time.Duration, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.program, args...)
	cmd.Env = engineEnvironment()
	out, err := cmd.CombinedOutput()
	return lastLine(string(out)), err
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// engineEnvironment has the variables with which an engine finds its server and its images.
// Containers do not get them.
func engineEnvironment() []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "XDG_RUNTIME_DIR", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "CONTAINER_HOST", "TMPDIR"} {
		if value, is := os.LookupEnv(name); is {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// Name implements Box.
func (container) Name() string { return inContainer }

// Kind implements Box.
func (c container) Kind() string { return "a container by " + filepath.Base(c.program) }

// Own implements Box.
func (container) Own(dir string) error { return own(dir) }

// Run implements Box.
func (c container) Run(ctx context.Context, job Job) (Result, error) {
	dir, err := writeFiles(job)
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(dir)
	name := "debate-" + strings.ToLower(rand.Text())
	inside := job
	inside.Processes = 0 // the engine counts them
	argv := append(c.arguments(name, dir, job), arguments(inside)...)
	r, err := run(ctx, started{argv: argv, env: engineEnvironment()}, job)
	// A container outlives its client and ctx.
	remove := []string{"rm", "--force"}
	if c.podman {
		remove = append(remove, "--time", "0") // else it asks the shell for 10 seconds
	}
	if said, gone := c.ask(context.WithoutCancel(ctx), askTime, append(remove, name)...); gone != nil {
		err = errors.Join(err, fmt.Errorf("the container %s cannot be removed: %s", name, said))
	}
	switch {
	case err != nil, r.Ended, r.Stop != "":
	case r.Exit == outOfMemory:
		r.Stop = StopMemory
	case r.Exit == engineFailed:
		err = fmt.Errorf("the engine failed: %s", lastLine(string(r.Output)))
	}
	return r, err
}

// arguments are those of the engine up to the shell.
func (c container) arguments(name, dir string, job Job) []string {
	memory := strconv.FormatInt(job.Memory, 10)
	scratch := "rw,exec,nosuid,nodev,mode=1777,size=" + memory
	argv := []string{
		c.program, "run", "--interactive", "--name", name, "--pull", "never", "--log-driver", "none", "--network", "none", "--read-only",
		"--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--pids-limit", strconv.Itoa(job.Processes),
		"--memory", memory, "--memory-swap", memory, "--ulimit", "core=0", "--ulimit", "nofile=16384:16384", "--ulimit", "nproc=16384:16384", "--hostname", "sandbox", "--ipc", "private",
		"--user", strconv.Itoa(uid()) + ":" + strconv.Itoa(gid()), "--workdir", "/", "--tmpfs", "/tmp:" + scratch,
	}
	if c.podman && os.Geteuid() != 0 {
		argv = append(argv, "--userns", "keep-id")
	}
	if job.Network {
		at := slices.Index(argv, "--network")
		argv = slices.Delete(argv, at, at+2)
	}
	mount := func(from, to string, writable bool) {
		one := "type=bind,source=" + from + ",target=" + to
		if !writable {
			one += ",readonly"
		}
		argv = append(argv, "--mount", one)
	}
	mount(filepath.Join(dir, "passwd"), "/etc/passwd", false)
	mount(filepath.Join(dir, "files"), "/files", false)
	mount(job.Home, "/"+home, job.KeepHome)
	for _, set := range append(environment("/", "", job.KeepHome), "ROOT=", "FILES=/files") {
		if !strings.HasPrefix(set, "PATH=") { // the image's
			argv = append(argv, "--env", set)
		}
	}
	if job.KeepHome {
		argv = append(argv, "--env", "KEEP=home")
	}
	if job.KeepTree {
		mount(job.Tree, "/"+work, true)
	} else {
		mount(job.Tree, "/"+seed, false)
		argv = append(argv, "--tmpfs", "/"+work+":"+scratch, "--env", "TREE=/"+seed)
	}
	return append(argv, "--entrypoint", "/bin/sh", c.image)
}
