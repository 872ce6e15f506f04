//go:build unix

package action_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/testkit/actiontest"
)

// prepared is a copy of what the action brings along, a PATH of stand-ins, and
// what running prepare.sh in it came to.
type prepared struct {
	t    *testing.T
	dir  string
	env  map[string]string
	says string
	kept string // the output "keep"
}

const program = "#!/bin/sh\necho I am debate\n"

func newPrepared(t *testing.T) *prepared {
	t.Helper()
	p := &prepared{t: t, dir: t.TempDir()}
	for _, dir := range []string{"action/.github/action", "bin", "temp"} {
		if err := os.MkdirAll(filepath.Join(p.dir, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"prepare.sh", "attested.sh", "release.txt"} {
		write(t, filepath.Join(p.dir, "action/.github/action", name), read(t, filepath.Join("../../.github/action", name)))
	}
	// What the script needs of a system, and nothing that reaches a network.
	for _, tool := range []string{"bash", "dirname", "mktemp", "awk", "tr", "cut", "sha256sum", "chmod", "rm", "rmdir", "cat", "tar", "gzip", "cp", "mv", "mkdir", "find", "touch", "sleep"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(p.dir, "bin", tool)); err != nil {
			t.Fatal(err)
		}
	}
	p.env = map[string]string{
		"PATH": filepath.Join(p.dir, "bin"), "RUNNER_TEMP": filepath.Join(p.dir, "temp"), "GITHUB_OUTPUT": filepath.Join(p.dir, "output"),
		"RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "GITHUB_SERVER_URL": "https://github.example.com", "HOME": p.dir,
	}
	return p
}

// stub puts a script with the name of a program in front.
func (p *prepared) stub(name, script string) {
	p.t.Helper()
	path := filepath.Join(p.dir, "bin", name)
	write(p.t, path, "#!"+filepath.Join(p.dir, "bin", "bash")+"\n"+script)
	if err := os.Chmod(path, 0o700); err != nil {
		p.t.Fatal(err)
	}
}

// release says that the action is version v9 with these lines of digests.
func (p *prepared) release(lines ...string) {
	p.t.Helper()
	text := "# a comment\nversion v9.0.0\r\n" + strings.Join(lines, "\n") + "\n"
	write(p.t, filepath.Join(p.dir, "action/.github/action/release.txt"), text)
}

// downloads makes curl deliver data and note what it was asked for.
func (p *prepared) downloads(data string) {
	p.t.Helper()
	write(p.t, filepath.Join(p.dir, "asset"), data)
	p.stub("curl", `echo "$*" >>"`+p.dir+`/asked"
for last; do :; done
case "$last" in https://gone.*) exit 22 ;; esac
while [ "$1" != --output ]; do shift; done
case "$last" in https://login.*) echo "<html>Log in</html>" >"$2"; exit ;; esac
cat "`+p.dir+`/asset" >"$2"
`)
}

// run returns the path of the binary, or "" where the script failed.
func (p *prepared) run() string {
	p.t.Helper()
	cmd := exec.Command(filepath.Join(p.dir, "bin", "bash"), filepath.Join(p.dir, "action/.github/action/prepare.sh"))
	for name, value := range p.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	p.says = string(out)
	if err != nil {
		if data, err := os.ReadFile(p.env["GITHUB_OUTPUT"]); err == nil {
			p.t.Fatalf("the script failed and named a binary: %s", data)
		}
		return ""
	}
	values, err := actiontest.Values(read(p.t, p.env["GITHUB_OUTPUT"]))
	p.kept = values["keep"]
	delete(values, "keep")
	if err != nil || len(values) != 1 || values["binary"] == "" {
		p.t.Fatalf("outputs %v, %v", values, err)
	}
	return values["binary"]
}

// again forgets the outputs and what was asked for, as a later job does.
func (p *prepared) again() string {
	p.t.Helper()
	for _, name := range []string{"output", "asked"} {
		if err := os.RemoveAll(filepath.Join(p.dir, name)); err != nil {
			p.t.Fatal(err)
		}
	}
	return p.run()
}

// asked tells what curl was asked for.
func (p *prepared) asked() string {
	data, err := os.ReadFile(filepath.Join(p.dir, "asked"))
	if err != nil {
		return ""
	}
	return string(data)
}

// archive is a release archive that holds one file beside a licence.
func archive(name, content string) string {
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	files := tar.NewWriter(zipped)
	for _, f := range []struct{ name, content string }{{"LICENSE", "free"}, {name, content}} {
		_ = files.WriteHeader(&tar.Header{Name: f.name, Mode: 0o755, Size: int64(len(f.content))}) // a buffer takes all
		_, _ = files.Write([]byte(f.content))
	}
	_ = files.Close()
	_ = zipped.Close()
	return b.String()
}

func digest(data string) string {
	sum := sha256.Sum256([]byte(data))
	return hex.EncodeToString(sum[:])
}

func TestPrepareDownloads(t *testing.T) {
	t.Parallel()
	p := newPrepared(t)
	p.release("darwin/arm64 "+digest("another"), "linux/amd64 "+digest(archive("debate", program))+"\r")
	p.downloads(archive("debate", program))
	binary := p.run()
	if binary == "" {
		t.Fatal(p.says)
	}
	out, err := exec.Command(binary).CombinedOutput()
	if err != nil || string(out) != "I am debate\n" {
		t.Errorf("%s, %v", out, err)
	}
	asked := read(t, filepath.Join(p.dir, "asked"))
	for _, want := range []string{"--fail", "--proto =https", "--proto-redir =https", "--max-time", " https://github.com/prdebate/debate/releases/download/v9.0.0/debate_linux_amd64.tar.gz\n"} {
		if !strings.Contains(asked, want) {
			t.Errorf("curl was asked %q, without %q", asked, want)
		}
	}
}

// TestPrepareAsksTheServerFirst: a server of one's own with a copy of the action
// may have no way out.
func TestPrepareAsksTheServerFirst(t *testing.T) {
	t.Parallel()
	for server, want := range map[string][]string{
		"https://github.example.com": {"https://github.example.com/mirror/debate/"},
		"https://gone.example.com":   {"https://gone.example.com/mirror/debate/", "https://github.com/prdebate/debate/"},
		"https://login.example.com":  {"https://login.example.com/mirror/debate/", "https://github.com/prdebate/debate/"},
	} {
		p := newPrepared(t)
		p.release("linux/amd64 " + digest(archive("debate", program)))
		p.downloads(archive("debate", program))
		p.env["GITHUB_SERVER_URL"], p.env["ACTION_REPOSITORY"] = server, "mirror/debate"
		if p.run() == "" {
			t.Fatal(p.says)
		}
		asked := strings.Split(strings.TrimSpace(read(t, filepath.Join(p.dir, "asked"))), "\n")
		if len(asked) != len(want) {
			t.Fatalf("asked %q, want %q", asked, want)
		}
		if strings.HasSuffix(p.says, "; github.com has the archive\n") != (len(want) == 2) {
			t.Errorf("%s: said %q", server, p.says)
		}
		for i := range want {
			if !strings.Contains(asked[i], " "+want[i]) {
				t.Errorf("asked %q, want %q", asked[i], want[i])
			}
		}
	}
}

// TestPrepareSaysWhoAnsweredWhat: one line names each address that was asked, what came of it,
// and what to do. An address may hold a password, which is not told.
func TestPrepareSaysWhoAnsweredWhat(t *testing.T) {
	t.Parallel()
	good, other := archive("debate", program), archive("debate", "another")
	const (
		begin = "::error title=debate::debate v9.0.0 for linux/amd64 cannot be had, and nothing was run: "
		end   = ". Let the runner reach an address that has the release, or give the input binary a path on the runner (docs/enterprise.md).\n"
	)
	p := newPrepared(t)
	p.release("linux/amd64 " + digest(good))
	p.stub("curl", `for last; do :; done
while [ "$1" != --output ]; do shift; done
case "$last" in
https://login.*) echo "<html>Log in</html>" >"$2" ;;
https://other.* | https://me:secret@other.*) cat "`+p.dir+`/other" >"$2" ;;
https://good.*) cat "`+p.dir+`/good" >"$2" ;;
*) for n in 1 2 3 4; do echo "curl: (6) Could not resolve host: ${last:8:10}." >&2; done; exit 6 ;;
esac
`)
	write(t, filepath.Join(p.dir, "good"), good)
	write(t, filepath.Join(p.dir, "other"), other)
	for _, c := range []struct{ server, given, want string }{
		{"https://login.example.com", "", begin + "login.example.com sent something that is no archive, maybe a page to sign in; " +
			"github.com did not send it (Could not resolve host: github.com)" + end},
		{"https://other.example.com", "", begin + "other.example.com sent an archive with the digest " + digest(other) + ", not " + digest(good) + "; " +
			"github.com did not send it (Could not resolve host: github.com)" + end},
		{"https://github.com", "https://me:secret@other.example.com/d.tar.gz", begin + "other.example.com sent an archive with the digest " + digest(other) +
			", not " + digest(good) + end},
		{"https://good.example.com", "", ""},
	} {
		p.env["GITHUB_SERVER_URL"], p.env["ACTION_REPOSITORY"], p.env["INPUT_BINARY"] = c.server, "acme/debate", c.given
		p.again()
		if diff := cmp.Diff(c.want, p.says); diff != "" {
			t.Errorf("%s%s (-want +said):\n%s", c.server, c.given, diff)
		}
	}
}

// TestPrepareTakesWhatItIsGiven: a closed network has the program on its runners, or an
// archive on a server of its own.
func TestPrepareTakesWhatItIsGiven(t *testing.T) {
	t.Parallel()
	p := newPrepared(t)
	p.release("linux/amd64 " + digest(archive("debate", program)))
	path := filepath.Join(p.dir, "opt debate")
	p.stub("../opt debate", "echo here\n")
	p.env["INPUT_BINARY"], p.env["GITHUB_WORKSPACE"] = path, filepath.Join(p.dir, "work")
	if got := p.run(); got != path {
		t.Errorf("%q is run; said %q", got, p.says)
	}

	p = newPrepared(t)
	p.release("linux/amd64 " + digest(archive("debate", program)))
	p.downloads(archive("debate", program))
	p.env["INPUT_BINARY"], p.env["ACTION_REPOSITORY"] = "https://files.example.com/d.tar.gz", "mirror/debate"
	if p.run() == "" {
		t.Fatal(p.says)
	}
	if asked := read(t, filepath.Join(p.dir, "asked")); strings.Count(asked, "\n") != 1 || !strings.HasSuffix(asked, " https://files.example.com/d.tar.gz\n") {
		t.Errorf("curl was asked %q", asked)
	}
}

// TestPrepareRefuses: nothing runs that is not what the action says, and
// what can be done is said.
func TestPrepareRefuses(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		set  func(p *prepared)
		want string
	}{
		{"one changed byte", func(p *prepared) {
			p.release("linux/amd64 " + digest(archive("debate", program)))
			p.downloads(archive("debate", strings.Replace(program, "I am", "I an", 1)))
		}, "nothing was run"},
		{"no digest for the system", func(p *prepared) {
			p.release("darwin/arm64 " + digest(archive("debate", program)))
			p.downloads(archive("debate", program))
		}, "no digest for linux/amd64"},
		{"a digest that is cut", func(p *prepared) { p.release("linux/amd64 abc"); p.downloads(archive("debate", program)) }, "no digest for linux/amd64"},
		{"an archive without the program", func(p *prepared) {
			p.release("linux/amd64 " + digest(archive("other", program)))
			p.downloads(archive("other", program))
		}, "holds no program"},
		{"no download", func(p *prepared) {
			p.release("linux/amd64 " + digest(archive("debate", program)))
			p.stub("curl", "exit 22\n")
		}, "github.com did not send it (curl says nothing)"},
		{"another archive at an address", func(p *prepared) {
			p.release("linux/amd64 " + digest(archive("debate", program)))
			p.downloads(archive("debate", "another"))
			p.env["INPUT_BINARY"] = "https://files.example.com/d.tar.gz"
		}, "nothing was run"},
		{"an address without a release", func(p *prepared) { p.env["INPUT_BINARY"] = "https://files.example.com/d.tar.gz" }, "a released version of the action"},
		{"an address without encryption", func(p *prepared) { p.env["INPUT_BINARY"] = "http://files.example.com/d.tar.gz" }, "neither an absolute path nor an https address"},
		{"a path in the workspace", func(p *prepared) {
			p.env["GITHUB_WORKSPACE"], p.env["INPUT_BINARY"] = p.dir, filepath.Join(p.dir, "bin", "cat")
		}, "lies in the workspace"},
		{"a path by way of another", func(p *prepared) { p.env["INPUT_BINARY"] = filepath.Join(p.dir, "bin") + "/../bin/cat" }, "two dots"},
		{"a path without a program", func(p *prepared) { p.env["INPUT_BINARY"] = filepath.Join(p.dir, "none") }, "there is no program at"},
		{"an unknown system", func(p *prepared) { p.env["RUNNER_OS"] = "Plan9" }, "does not run on Plan9"},
		{"an unknown processor", func(p *prepared) { p.env["RUNNER_ARCH"] = "ARM" }, "does not run on the processor ARM"},
		{"no release and no Go", func(*prepared) {}, "actions/setup-go"},
		{"no release, and Go fails", func(p *prepared) { p.stub("go", `[ "$1" = version ] && echo go version && exit; exit 1`+"\n") }, "cannot be built"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPrepared(t)
			c.set(p)
			if binary := p.run(); binary != "" || !strings.Contains(p.says, "::error title=debate::") || !strings.Contains(p.says, c.want) {
				t.Errorf("binary %q, said %q; want %q", binary, p.says, c.want)
			}
			left, err := filepath.Glob(filepath.Join(p.dir, "temp", "*", "debate*"))
			if err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// TestPrepareBuilds: without a release the action is built from its own source,
// with caches of its own for builds and modules, for the system of the runner.
func TestPrepareBuilds(t *testing.T) {
	t.Parallel()
	p := newPrepared(t)
	p.env["RUNNER_OS"], p.env["RUNNER_ARCH"] = "Windows", "ARM64"
	p.stub("go", `[ "$1" = version ] && echo go version && exit
echo "$PWD|$CGO_ENABLED|$GOFLAGS|$GOWORK|$GOCACHE|$GOMODCACHE|$*" >"`+p.dir+`/asked"
while [ "$1" != -o ]; do shift; done
echo built >"$2"
`)
	binary := p.run()
	if !strings.HasSuffix(binary, "/debate.exe") || read(t, binary) != "built\n" {
		t.Fatalf("binary %q, said %q", binary, p.says)
	}
	asked := strings.Split(strings.TrimSpace(read(t, filepath.Join(p.dir, "asked"))), "|")
	source, err := filepath.EvalSymlinks(filepath.Join(p.dir, "action"))
	if err != nil {
		t.Fatal(err)
	}
	if asked[0] != source || asked[1] != "0" || asked[2] != "-mod=readonly" || asked[3] != "off" ||
		!strings.HasPrefix(asked[4], p.env["RUNNER_TEMP"]) || !strings.HasPrefix(asked[5], p.env["RUNNER_TEMP"]) || asked[4] == asked[5] ||
		!strings.Contains(asked[6], "build -modcacherw -trimpath") {
		t.Errorf("go was asked %q", asked)
	}
}
