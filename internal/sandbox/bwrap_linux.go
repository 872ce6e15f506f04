package sandbox

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// bwrap is a box made by bubblewrap.
type bwrap struct {
	program string
	filter  []byte // of system calls; nil if this machine supports none
	scope   string // systemd-run, which puts a run into its own cgroup; "" if it does not work here
}

// Find returns the sandbox of this machine, after one trial run.
func Find(ctx context.Context) (Box, error) {
	program, err := exec.LookPath("bwrap")
	if err != nil {
		return nil, fmt.Errorf("%w: there is no bwrap on PATH; install the package bubblewrap", ErrNone)
	}
	filter, err := systemCalls()
	if err != nil {
		return nil, err
	}
	for _, b := range []bwrap{{program, filter, systemdRun()}, {program, filter, ""}, {program, nil, ""}} {
		if err = try(ctx, b); err == nil {
			return b, nil
		}
	}
	return nil, fmt.Errorf("bubblewrap cannot make a sandbox here: %w", err)
}

// systemdRun returns the program for cgroups in the session of a user, "" without one.
func systemdRun() string {
	program, err := exec.LookPath("systemd-run")
	if err != nil || os.Geteuid() == 0 || os.Getenv("XDG_RUNTIME_DIR") == "" {
		return ""
	}
	return program
}

// Name implements Box.
func (bwrap) Name() string { return bubblewrap }

// Kind implements Box.
func (b bwrap) Kind() string {
	calls, limits := "system calls filtered", "limits by rlimits"
	if b.filter == nil {
		calls = "system calls not filtered"
	}
	if b.scope != "" {
		limits = "limits by cgroup"
	}
	return "bubblewrap (" + calls + ", " + limits + ")"
}

// system are the read-only directories of this machine in the sandbox.
var system = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store",
	"/etc/alternatives", "/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/mime.types", "/etc/maven/m2.conf", "/etc/maven/logging",
}

// Run implements Box.
func (b bwrap) Run(ctx context.Context, job Job) (Result, error) {
	dir, err := writeFiles(job)
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(dir)
	argv := append(b.arguments(dir, filepath.Join(dir, "files"), job), "/bin/sh")
	c := started{argv: append(argv, arguments(job)...), env: []string{"PATH=" + path()}}
	if b.scope != "" {
		c.argv = slices.Concat([]string{
			b.scope, "--user", "--scope", "--quiet", "--collect", "--property=MemoryMax=" + strconv.FormatInt(job.Memory, 10), "--property=MemorySwapMax=0",
			"--property=TasksMax=" + strconv.Itoa(job.Processes+2), "--", // bubblewrap itself has two processes
		}, c.argv)
		for _, name := range []string{"XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"} {
			if value := os.Getenv(name); value != "" { // skip an empty address
				c.env = append(c.env, name+"="+value)
			}
		}
	}
	if b.filter != nil {
		file, err := opened(b.filter)
		if err != nil {
			return Result{}, err
		}
		defer file.Close()
		c.files = []*os.File{file}
	}
	if os.Geteuid() == 0 {
		c.as = &syscall.Credential{Uid: unprivileged, Gid: unprivileged}
	}
	return run(ctx, c, job)
}

// Own implements Box.
func (bwrap) Own(dir string) error { return own(dir) }

// path returns the directories of PATH in the sandbox.
func path() string {
	list := []string{"/usr/local/go/bin", "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		seen := slices.ContainsFunc([]string{"/usr/", "/opt/", "/nix/store/"}, func(top string) bool { return strings.HasPrefix(dir, top) })
		if seen && !slices.Contains(list, dir) {
			list = append(list, dir)
		}
	}
	return strings.Join(list, ":")
}

// arguments are those of bubblewrap, before the command.
func (b bwrap) arguments(dir, files string, job Job) []string {
	argv := []string{
		b.program, "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
		"--hostname", "sandbox", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv",
	}
	if b.filter != nil {
		argv = append(argv, "--seccomp", "3") // the first of its files
	}
	if job.Network {
		argv = append(slices.DeleteFunc(argv, func(a string) bool { return a == "--unshare-net" }), "--ro-bind-try", "/etc/resolv.conf", "/etc/resolv.conf", "--ro-bind-try", "/etc/hosts", "/etc/hosts")
	}
	javas, _ := filepath.Glob("/etc/java-*") // Debian's settings of a JVM, without which none starts
	for _, one := range slices.Concat(system, javas) {
		if to, err := os.Readlink(one); err == nil && filepath.Dir(one) == "/" { // /bin on most systems
			argv = append(argv, "--symlink", to, one)
		} else {
			argv = append(argv, "--ro-bind-try", one, one)
		}
	}
	size := strconv.FormatInt(job.Memory, 10)
	argv = append(argv, "--proc", "/proc", "--dev", "/dev", "--size", size, "--tmpfs", "/tmp", "--ro-bind", filepath.Join(dir, "passwd"), "/etc/passwd", "--ro-bind", files, "/files")
	for _, set := range environment("/", path(), job.KeepHome) {
		name, value, _ := strings.Cut(set, "=")
		argv = append(argv, "--setenv", name, value)
	}
	argv = append(argv, "--setenv", "ROOT", "", "--setenv", "FILES", "/files")
	if job.KeepHome {
		argv = append(argv, "--bind", job.Home, "/"+home, "--setenv", "KEEP", "home")
	} else {
		argv = append(argv, "--ro-bind", job.Home, "/"+home)
	}
	if job.KeepTree {
		argv = append(argv, "--bind", job.Tree, "/"+work)
	} else {
		argv = append(argv, "--ro-bind", job.Tree, "/"+seed, "--size", size, "--tmpfs", "/"+work, "--setenv", "TREE", "/"+seed)
	}
	return append(argv, "--chdir", "/", "--remount-ro", "/", "--")
}
