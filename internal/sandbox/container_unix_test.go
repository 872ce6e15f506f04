//go:build unix

package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const image = "docker.io/library/golang@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// Every run has the flags that keep it apart; a setup keeps what it writes, and has the
// network if it may.
func TestContainerArguments(t *testing.T) {
	t.Parallel()
	test := Job{Tree: "/t/tree", Home: "/t/home", Argv: []string{"go", "test"}, Limits: Limits{Memory: 1 << 30, Processes: 99}}
	setup := test
	setup.KeepTree, setup.KeepHome, setup.Network = true, true, true
	user := strconv.Itoa(uid()) + ":" + strconv.Itoa(gid())
	always := []string{
		"run --interactive --name debate-x --pull never --log-driver none", "--read-only --cap-drop ALL --security-opt no-new-privileges --pids-limit 99",
		"--memory 1073741824 --memory-swap 1073741824", "--user " + user + " ", "--tmpfs /tmp:rw,exec,nosuid,nodev,mode=1777,size=1073741824",
		"--mount type=bind,source=/d/files,target=/files,readonly", "--env HOME=/home/debate", "--env DEBATE_MARKS=/tmp/marks",
	}
	for name, c := range map[string]struct {
		job        Job
		has, lacks []string
	}{
		"test": {
			test, []string{
				"--network none", "source=/t/tree,target=/seed,readonly", "source=/t/home,target=/home/debate,readonly", "--env TREE=/seed",
				"--tmpfs /work:rw,exec,nosuid,nodev,mode=1777,size=1073741824",
			},
			[]string{"KEEP=", "target=/work"},
		},
		"setup": {setup, []string{"source=/t/tree,target=/work --", "source=/t/home,target=/home/debate --", "--env KEEP=home"}, []string{"--network", "/seed"}},
	} {
		argv := container{program: "/usr/bin/docker", image: image}.arguments("debate-x", "/d", c.job)
		line := strings.Join(argv, " ")
		for _, part := range append(slices.Clone(always), c.has...) {
			if !strings.Contains(line, part) {
				t.Errorf("%s lacks %q: %s", name, part, line)
			}
		}
		for _, part := range append([]string{"--privileged", "--cap-add", "docker.sock", "PATH=", "--user 0", "userns"}, c.lacks...) {
			if strings.Contains(line, part) {
				t.Errorf("%s has %q: %s", name, part, line)
			}
		}
		if end := argv[len(argv)-3:]; !slices.Equal(end, []string{"--entrypoint", "/bin/sh", image}) {
			t.Errorf("%s ends with %q", name, end)
		}
	}
	if rootless := slices.Contains(container{program: "podman", podman: true}.arguments("x", "/d", test), "--userns"); rootless != (os.Geteuid() != 0) {
		t.Errorf("the user of podman is kept: %t", rootless)
	}
}

// engine is a program in the place of docker, which writes down how it is called. Its
// commands run on this machine.
func engine(t *testing.T, run string) (container, func() string) {
	t.Helper()
	dir := t.TempDir()
	program, calls := filepath.Join(dir, "docker"), filepath.Join(dir, "calls")
	script := "#!/bin/sh\necho \"$1 $2\" >>" + calls + "\ncase $1 in\nrun) " + run + " ;;\nesac\n"
	writeFile(t, program, []byte(script), 0o755)
	return container{program: program, image: image}, func() string {
		text, _ := os.ReadFile(calls)
		return string(text)
	}
}

// A container is removed however its run ends.
func TestContainerEnds(t *testing.T) { // not in parallel: no program can be started while another fork has it open
	const word = `read -r word; printf '\n%s word-begin\n' "$word"`
	for name, c := range map[string]struct {
		run   string
		stop  Stop
		ended bool
		fails bool
	}{
		"ends":      {word + "; exit 3", "", true, false},
		"hangs":     {"sleep 60", StopTime, false, false},
		"memory":    {"exit 137", StopMemory, false, false},
		"no engine": {"echo 'no such image' >&2; exit 125", "", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			box, calls := engine(t, c.run)
			dir := t.TempDir()
			r, err := box.Run(t.Context(), Job{Tree: dir, Home: dir, Argv: []string{"true"}, Word: "w0rd", Limits: Limits{Time: time.Second, Memory: 1 << 30, Processes: 9, Output: 4096}})
			if (err != nil) != c.fails || r.Stop != c.stop || r.Ended != c.ended {
				t.Errorf("%v %+v %s", err, r, r.Output)
			}
			if c.fails && !strings.Contains(err.Error(), "no such image") {
				t.Error(err)
			}
			if !strings.Contains(calls(), "rm --force") {
				t.Errorf("the container is left: %s", calls())
			}
		})
	}
}

// writeFile ends the test if the system refuses.
func writeFile(t testing.TB, path string, data []byte, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, data, mode); err != nil {
		t.Fatal(err)
	}
}
