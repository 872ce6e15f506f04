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
type bwrap struct{ program string }

// Find returns the sandbox of this machine, after one try.
func Find(ctx context.Context) (Box, error) {
	program, err := exec.LookPath("bwrap")
	if err != nil {
		return nil, fmt.Errorf("%w: there is no bwrap on PATH; install the package bubblewrap", ErrNone)
	}
	b := bwrap{program}
	if err := try(ctx, b); err != nil {
		return nil, fmt.Errorf("bubblewrap cannot make a sandbox here: %w", err)
	}
	return b, nil
}

// Name implements Box.
func (bwrap) Name() string { return bubblewrap }

// system are the directories that a command sees of this machine, read-only.
var system = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store",
	"/etc/alternatives", "/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/mime.types",
}

// Run implements Box.
func (b bwrap) Run(ctx context.Context, job Job) (Result, error) {
	dir, err := beside(job)
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(dir)
	argv := append(b.arguments(dir, filepath.Join(dir, "files"), job), "/bin/sh")
	c := started{argv: append(argv, arguments(job)...), env: []string{"PATH=" + path()}}
	if os.Geteuid() == 0 {
		c.as = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return run(ctx, c, job)
}

// Own implements Box.
func (bwrap) Own(dir string) error { return own(dir) }

// path are the directories of PATH that a command sees.
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
	if job.Network {
		argv = append(slices.DeleteFunc(argv, func(a string) bool { return a == "--unshare-net" }), "--ro-bind-try", "/etc/resolv.conf", "/etc/resolv.conf", "--ro-bind-try", "/etc/hosts", "/etc/hosts")
	}
	for _, one := range system {
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
