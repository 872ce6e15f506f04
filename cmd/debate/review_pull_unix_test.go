//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// fakeGH answers with its token, and with nothing of use where it sees one of a variable:
// the real one would answer with that for any server.
const fakeGH = `#!/bin/sh
if [ -n "$GH_TOKEN$GITHUB_TOKEN$GH_ENTERPRISE_TOKEN$GITHUB_ENTERPRISE_TOKEN" ]; then echo leaked; exit 0; fi
[ "$*" = "auth token --hostname HOST" ] || { echo "no oauth token found" >&2; exit 1; }
cat "$HOME/token"
`

// TestReviewPullWithGH: the token that gh keeps for a server serves, is asked for without
// the tokens of the environment, and is a secret as those are.
func TestReviewPullWithGH(t *testing.T) {
	t.Parallel()
	h := host(t)
	d := h.desk()
	token := d.env["GITHUB_TOKEN"]
	h.repo.SetBranch("change", h.repo.Change(h.repo.Branch("main"), map[string]string{"ratio.go": divides}))
	h.repo.OpenPull("olive", ghtest.NewPull{Title: "A change", Body: "Do you know " + token + "?", Head: "change"})
	bin, record := t.TempDir(), filepath.Join(t.TempDir(), "record.jsonl")
	script := bytes.ReplaceAll([]byte(fakeGH), []byte("HOST"), []byte(d.env["GH_HOST"]))
	for path, data := range map[string][]byte{filepath.Join(bin, "gh"): script, filepath.Join(d.env["HOME"], "token"): []byte(token + "\n")} {
		writeFile(t, path, data, 0o700)
	}
	cmd := exec.Command(os.Args[0], "-C", d.dir, "review", "--pr", "1", "--record", record)
	cmd.Env = surroundings(d.env["HOME"], "BE_DEBATE=1", "GITHUB_TOKEN=ghp_of_another_server", "GH_ENTERPRISE_TOKEN=ghp_of_a_third_one")
	for i, v := range cmd.Env {
		if path, is := bytes.CutPrefix([]byte(v), []byte("PATH=")); is {
			cmd.Env[i] = "PATH=" + bin + string(os.PathListSeparator) + string(path)
		}
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wantText(t, "output", string(out), "The divisor can be zero")
	kept := readFile(t, record)
	if bytes.Contains(kept, []byte(token)) || !bytes.Contains(kept, []byte("Do you know [redacted]")) {
		t.Errorf("the token is in the record:\n%.4000s", kept)
	}
}
