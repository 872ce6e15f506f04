package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// boxes plays a test on every sandbox of this machine: on bubblewrap, and on containers
// of the image that DEBATE_TEST_IMAGE names by its digest. One that is not there is
// skipped, aloud.
func boxes(t *testing.T, play func(t *testing.T, b Box)) {
	t.Helper()
	for name, find := range map[string]func() (Box, error){
		bubblewrap: func() (Box, error) { return Find(t.Context()) },
		inContainer: func() (Box, error) {
			image := os.Getenv("DEBATE_TEST_IMAGE")
			if image == "" {
				return nil, errors.New("DEBATE_TEST_IMAGE names no image")
			}
			return FindContainer(t.Context(), image)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := find()
			if err != nil {
				fmt.Fprintf(os.Stderr, "NOT TESTED: %s with %s: %v\n", t.Name(), name, err)
				t.Skip(err)
			}
			play(t, b)
		})
	}
}

// side is a tree and a home directory for runs in a box.
func side(t *testing.T, b Box, files map[string]string) (tree, home string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "debate-hostile-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	tree, home = filepath.Join(dir, "tree"), filepath.Join(dir, "home")
	for _, d := range []string{tree, home} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range files {
		path := filepath.Join(tree, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, path, []byte(content), 0o755)
	}
	if err := b.Own(dir); err != nil {
		t.Fatal(err)
	}
	return tree, home
}

func small() Limits {
	return Limits{Time: 30 * time.Second, Memory: 128 << 20, Processes: 48, Output: 8 << 10}
}

func attempt(t *testing.T, b Box, shell string) Result {
	t.Helper()
	tree, home := side(t, b, map[string]string{"a/kept.txt": "kept\n"})
	r, err := b.Run(t.Context(), Job{Tree: tree, Home: home, Argv: []string{"sh", "-c", shell}, Word: "w0rd", Limits: small()})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(tree, "a/kept.txt")); string(got) != "kept\n" {
		t.Errorf("the tree is %q after the run", got)
	}
	return r
}

// A command sees nothing of the machine, of the process that started it, or of the
// network, and can change nothing of them.
func TestHostileReads(t *testing.T) { boxes(t, hostileReads) }

func hostileReads(t *testing.T, b Box) {
	t.Setenv("DEBATE_TEST_SECRET", "canary-3141")
	secret := filepath.Join(t.TempDir(), "secret")
	writeFile(t, secret, []byte("canary-3141"), 0o666)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	own, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	for name, shell := range map[string]string{
		"environment":    `env; cat /proc/self/environ /proc/1/environ /proc/*/environ 2>/dev/null; true`,
		"file":           `cat ` + secret,
		"home":           `ls -A ` + own + ` /root 2>/dev/null | grep -v -e '^/' -e '^$' && echo canary-3141; ls -A ~ | grep . && echo canary-3141`,
		"shadow":         `cat /etc/shadow && echo canary-3141`,
		"the word":       `cat /proc/*/cmdline /proc/*/environ 2>/dev/null | tr '\0' ' ' | grep w0r[d] && echo canary-3141`,
		"other process":  `test $(ls -d /proc/[0-9]* | wc -l) -lt 12 || echo canary-3141`,
		"keyring":        `cat /proc/keys /proc/key-users 2>/dev/null | grep -c _ses && echo canary-3141`,
		"network":        `bash -c 'exec 3<>/dev/tcp/127.0.0.1/` + port + ` && echo canary-3141'`,
		"metadata":       `bash -c 'exec 3<>/dev/tcp/169.254.169.254/80 && echo canary-3141'`,
		"docker socket":  `ls /var/run/docker.sock /run/docker.sock && echo canary-3141`,
		"setuid program": `f=$(find /usr/bin -perm -4000 2>/dev/null | head -1); grep NoNewPrivs:.1 /proc/self/status || echo canary-3141`,
		"root":           `id -u | grep -x 0 && echo canary-3141`,
		"devices":        `ls /dev | grep -E '^(sd|vd|nvme|mem|kmsg)' && echo canary-3141`,
		"mounts":         `mount -t tmpfs none /usr && echo canary-3141`,
	} {
		t.Run(name, func(t *testing.T) {
			r := attempt(t, b, shell)
			if strings.Contains(string(r.Output), "canary-3141") {
				t.Errorf("it sees what it must not:\n%s", r.Output)
			}
			if !r.Ended {
				t.Errorf("the run did not end: %+v %s", r, r.Output)
			}
		})
	}
}

func TestHostileWrites(t *testing.T) { boxes(t, hostileWrites) }

func hostileWrites(t *testing.T, b Box) {
	outside := filepath.Join(t.TempDir(), "outside")
	for name, shell := range map[string]string{
		"system":     `echo x > /usr/local/bin/x`,
		"etc":        `echo x > /etc/x`,
		"seed":       `echo x > /seed/a/kept.txt`,
		"home":       `echo x > ~/x`,
		"root":       `mkdir /x`,
		"other side": `echo x > ` + outside,
		"files":      `echo x > /files/x`,
	} {
		t.Run(name, func(t *testing.T) {
			if r := attempt(t, b, shell); r.Exit == 0 || !r.Ended {
				t.Errorf("it wrote: %+v %s", r, r.Output)
			}
			if _, err := os.Stat(outside); err == nil {
				t.Error("it wrote outside")
			}
		})
	}
	if r := attempt(t, b, `echo x > a/kept.txt && echo y > new && cat new`); r.Exit != 0 || !strings.Contains(string(r.Output), "y") {
		t.Errorf("a copy can be changed: %+v %s", r, r.Output)
	}
}

// What a command starts dies with it, and what it takes too much of ends it.
func TestHostileLimits(t *testing.T) { boxes(t, hostileLimits) }

func hostileLimits(t *testing.T, b Box) {
	t.Run("hang", func(t *testing.T) {
		tree, home := side(t, b, nil)
		limits := small()
		limits.Time = 3 * time.Second
		r, err := b.Run(t.Context(), Job{Tree: tree, Home: home, Argv: []string{"sleep", "600"}, Word: "w", Limits: limits})
		if err != nil || r.Stop != StopTime || r.Ended || r.Took > 9*time.Second {
			t.Errorf("%v %+v", err, r)
		}
	})
	t.Run("daemon", func(t *testing.T) {
		r := attempt(t, b, `setsid sh -c 'exec -a debate-daemon-7 sleep 601' >/dev/null 2>&1 & sleep 0.2; echo left`)
		if !r.Ended || r.Exit != 0 || r.Stop != "" {
			t.Errorf("%+v %s", r, r.Output)
		}
		if left := running("sleep\x00601"); left != "" {
			t.Errorf("a process outlives its run: %q", left)
		}
	})
	t.Run("forks", func(t *testing.T) {
		r := attempt(t, b, `: debate-bomb-7; f() { f | f & }; f; sleep 3`)
		if r.Took > 36*time.Second {
			t.Errorf("%+v", r)
		}
		if left := running("debate-bomb-7"); left != "" {
			t.Errorf("a process outlives its run: %q", left)
		}
	})
	t.Run("memory", func(t *testing.T) {
		tree, home := side(t, b, nil)
		limits := small()
		limits.Time = time.Minute
		r, err := b.Run(t.Context(), Job{
			Tree: tree, Home: home, Argv: []string{"python3", "-c", "x = []\nwhile True: x.append(b'x' * (1 << 22))"}, Word: "w", Limits: limits,
		})
		if err != nil || r.Stop != StopMemory {
			t.Errorf("%v %+v %s", err, r, r.Output)
		}
	})
	t.Run("disk", func(t *testing.T) {
		tree, home := side(t, b, nil)
		limits := small()
		limits.Time = time.Minute
		r, err := b.Run(t.Context(), Job{
			Tree: tree, Home: home, Argv: []string{"sh", "-c", `head -c 1000000000 /dev/zero > big; head -c 1000000000 /dev/zero > /tmp/big; exit 7`}, Word: "w", Limits: limits,
		})
		full := r.Exit == 7 && strings.Contains(string(r.Output), "No space left") // a cgroup counts files as memory
		if err != nil || !full && r.Stop != StopMemory {
			t.Errorf("%v %+v %s", err, r, r.Output)
		}
	})
	t.Run("prints the word", func(t *testing.T) { // if it guessed it
		r := attempt(t, b, `printf '\nw0rd w0rd-begin w0rd-end\n'`)
		if !r.Ended || r.Marks != "" {
			t.Errorf("%+v %s", r, r.Output)
		}
	})
	t.Run("output", func(t *testing.T) {
		r := attempt(t, b, `head -c 10000000 /dev/zero | tr '\0' x; exit 3`)
		if len(r.Output) > 9<<10 || r.Exit != 3 || !r.Ended {
			t.Errorf("%d bytes, exit %d, ended %v", len(r.Output), r.Exit, r.Ended)
		}
	})
	t.Run("kills the shell", func(t *testing.T) {
		r := attempt(t, b, `kill -9 $PPID; kill -9 1; sleep 1; exit 0`)
		if own := b.Name() == inContainer; r.Ended != own { // nothing in a container kills its first process
			t.Errorf("%+v %s", r, r.Output)
		}
	})
}

// running is the command line of a process of this machine that has a text in it.
func running(text string) string {
	time.Sleep(100 * time.Millisecond)
	found, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range found {
		if line, _ := os.ReadFile(path); strings.Contains(string(line), text) {
			return string(line)
		}
	}
	return ""
}

// A link in the tree leads nowhere but inside the box.
func TestHostileLink(t *testing.T) { boxes(t, hostileLink) }

func hostileLink(t *testing.T, b Box) {
	secret := filepath.Join(t.TempDir(), "secret")
	writeFile(t, secret, []byte("canary-3141"), 0o644)
	tree, home := side(t, b, nil)
	if err := os.Symlink(secret, filepath.Join(tree, "link")); err != nil {
		t.Fatal(err)
	}
	if err := b.Own(tree); err != nil {
		t.Fatal(err)
	}
	r, err := b.Run(t.Context(), Job{Tree: tree, Home: home, Argv: []string{"cat", "link"}, Word: "w", Limits: small()})
	if err != nil || r.Exit == 0 || strings.Contains(string(r.Output), "canary") {
		t.Errorf("%v %+v %s", err, r, r.Output)
	}
	if _, err := b.Run(t.Context(), Job{Tree: tree, Home: home, Files: map[string]string{"../x": ""}, Argv: []string{"true"}, Limits: small()}); err == nil {
		t.Error("a file was written outside")
	}
}

// A run that keeps the home directory leaves the tree in one file for those that follow, as
// it was, with its modes and links.
func TestTreeIsPackedOnce(t *testing.T) { boxes(t, packedOnce) }

func packedOnce(t *testing.T, b Box) {
	tree, home := side(t, b, map[string]string{"a/run.sh": "echo first\n"})
	if err := os.Symlink("a/run.sh", filepath.Join(tree, "link")); err != nil {
		t.Fatal(err)
	}
	run := func(job Job) string {
		job.Tree, job.Home, job.Word, job.Limits, job.Argv = tree, home, "w", small(), []string{"sh", "-c", "./link; readlink link"}
		r, err := b.Run(t.Context(), job)
		if err != nil || r.Exit != 0 || !r.Ended {
			t.Fatalf("%v %+v %s", err, r, r.Output)
		}
		return strings.Join(strings.Fields(string(r.Output)), " ")
	}
	first := run(Job{KeepHome: true})
	writeFile(t, filepath.Join(tree, "a/run.sh"), []byte("echo second\n"), 0o755)
	if got := run(Job{}); first != "first a/run.sh" || got != first {
		t.Errorf("%q, then %q", first, got)
	}
}

// probes calls system calls by their numbers, and prints those that do not answer with an
// error as it is written. A call without an answer, such as a started process, is a leak.
const probes = `
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
for probe in sys.argv[1:]:
    name, want, number, *args = probe.split(",")
    ctypes.set_errno(0)
    got = libc.syscall(ctypes.c_long(int(number)), *[ctypes.c_long(int(a)) for a in args])
    if got != -1 or ctypes.get_errno() != int(want):
        print("leak:", name, got, ctypes.get_errno())
print("asked")
`

// A command reaches no system call that no test needs, by whatever number, and makes no
// namespace. What every program needs works.
func TestHostileSystemCalls(t *testing.T) {
	box, err := Find(t.Context())
	if err != nil {
		fmt.Fprintf(os.Stderr, "NOT TESTED: %s: %v\n", t.Name(), err)
		t.Skip(err)
	}
	probe := func(name string, want syscall.Errno, number uint32, args ...uint64) string {
		all := []string{name, strconv.Itoa(int(want)), strconv.Itoa(int(number))}
		for _, a := range args {
			all = append(all, strconv.FormatUint(a, 10))
		}
		return strings.Join(all, ",")
	}
	var asked []string
	for _, number := range refused {
		asked = append(asked, probe("call "+strconv.Itoa(int(number)), syscall.EPERM, number, 0, 0, 0, 0, 0))
	}
	asked = append(asked,
		probe("unshare a user namespace", syscall.EPERM, unix.SYS_UNSHARE, unix.CLONE_NEWUSER),
		probe("unshare a mount namespace", syscall.EPERM, unix.SYS_UNSHARE, unix.CLONE_NEWNS),
		probe("unshare a time namespace", syscall.EPERM, unix.SYS_UNSHARE, unix.CLONE_NEWTIME),
		probe("clone a user namespace", syscall.EPERM, unix.SYS_CLONE, unix.CLONE_NEWUSER|uint64(unix.SIGCHLD), 0),
		probe("clone with high bits", syscall.EPERM, unix.SYS_CLONE, unix.CLONE_NEWUSER|1<<40, 0),
		probe("clone3", syscall.ENOSYS, unix.SYS_CLONE3, 0, 0),
		probe("type into a terminal", syscall.EPERM, unix.SYS_IOCTL, 0, unix.TIOCSTI, 0),
		probe("the other form", syscall.ENOSYS, x32|unix.SYS_GETPID),
	)
	tree, home := side(t, box, nil)
	run := func(argv ...string) Result {
		t.Helper()
		r, err := box.Run(t.Context(), Job{Tree: tree, Home: home, Argv: argv, Word: "w", Limits: small()})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := run(append([]string{"python3", "-c", probes}, asked...)...)
	if got := strings.TrimSpace(string(r.Output)); got != "asked" || r.Exit != 0 {
		t.Errorf("exit %d: %s", r.Exit, got)
	}
	r = run("python3", "-c", "import subprocess, threading\nt = threading.Thread(target=print, args=('thread',))\nt.start()\nt.join()\nsubprocess.run(['echo', 'process'])")
	if got := slices.Sorted(strings.FieldsSeq(string(r.Output))); !slices.Equal(got, []string{"process", "thread"}) || r.Exit != 0 {
		t.Errorf("threads and processes: exit %d: %s", r.Exit, r.Output)
	}
	if !strings.Contains(box.Kind(), "(system calls filtered, ") {
		t.Error(box.Kind())
	}
}

// Where systemd makes cgroups for a user, a run is in one with its limits. It is played by a
// program that notes how it was called: few machines that run tests have a session.
func TestCgroup(t *testing.T) {
	found, err := Find(t.Context())
	if err != nil {
		fmt.Fprintf(os.Stderr, "NOT TESTED: %s: %v\n", t.Name(), err)
		t.Skip(err)
	}
	dir, _ := side(t, found, nil)
	noted, program := filepath.Join(dir, "noted"), filepath.Join(dir, "systemd-run")
	t.Setenv("XDG_RUNTIME_DIR", "/run/user/7")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	script := "#!/bin/sh\necho \"$@\" \"$XDG_RUNTIME_DIR ${DBUS_SESSION_BUS_ADDRESS-unset}\" >>" + noted + "\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n"
	for path, text := range map[string]string{noted: "", program: script} {
		writeFile(t, path, []byte(text), 0o777)
		if err := errors.Join(os.Chmod(path, 0o777), os.Chmod(filepath.Dir(dir), 0o755)); err != nil { // a run of root is one of another user
			t.Fatal(err)
		}
	}
	b := found.(bwrap)
	b.scope = program
	r := attempt(t, b, "echo inside; exit 3")
	if !r.Ended || r.Exit != 3 || !strings.Contains(string(r.Output), "inside") {
		t.Errorf("%+v %s", r, r.Output)
	}
	called, err := os.ReadFile(noted)
	if err != nil || !strings.HasPrefix(string(called), "--user --scope --quiet --collect --property=MemoryMax=134217728 --property=MemorySwapMax=0 --property=TasksMax=50 -- "+b.program+" ") || !strings.HasSuffix(string(called), " /run/user/7 unset\n") {
		t.Errorf("%q, %v", called, err)
	}
	if got, without := b.Kind(), found.Kind(); !strings.HasSuffix(got, "limits by cgroup)") || !strings.HasSuffix(without, "limits by rlimits)") && systemdRun() == "" {
		t.Error(got, without)
	}
}
