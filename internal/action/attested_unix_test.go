//go:build unix

package action_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// gh is a GitHub CLI. What it does for "trusted-root", "download", "verify" and "api" is
// given as scripts; it notes each call with the token that it got.
func (p *prepared) gh(root, download, verify, api string) {
	p.t.Helper()
	p.stub("gh", `echo "$GH_TOKEN $GH_HOST $*" >>"`+p.dir+`/gh"
case "$1 $2" in
"attestation trusted-root") `+root+` ;;
"attestation download") `+download+` ;;
"attestation verify") `+verify+` ;;
"api "*) `+api+` ;;
esac
`)
}

// What a GitHub CLI does. A file that was downloaded has the digest in its name.
const (
	root       = `echo '{}'`
	downloaded = `echo '{}' >sha256:abc.jsonl`
	verified   = `echo '[{"verificationResult":{}}]'`
	fails      = `echo 'the CLI says why' >&2; exit 1`
	// nothingThere is asked for the repository first, and then for its attestations.
	nothingThere = `case "$*" in *attestations*) printf 'HTTP/2.0 404 Not Found\r\nDate: x\r\n\r\n{}'; exit 1 ;; esac`
	listEmpty    = `case "$*" in *attestations*) printf 'HTTP/2.0 200 OK\r\nDate: x\r\n\r\n0\n' ;; esac`
	listed       = `case "$*" in *attestations*) printf 'HTTP/2.0 200 OK\r\nDate: x\r\n\r\n1\n' ;; esac`
	limited      = `case "$*" in *attestations*) printf 'HTTP/2.0 403 Forbidden\r\n\r\n'; exit 1 ;; esac`
)

// TestPrepareAsksForTheAttestation: a program that GitHub does not attest is not run and
// not kept; where nobody answers, the digest counts alone.
func TestPrepareAsksForTheAttestation(t *testing.T) {
	t.Parallel()
	const refused, built, silent = "has no valid attestation", "was built by the release workflow of acme/fork", "did not say whether"
	for _, c := range []struct {
		name                        string
		root, download, verify, api string
		want                        string
		runs, keeps                 bool
	}{
		{"it holds", root, downloaded, verified, fails, built, true, true},
		{"it does not hold", root, downloaded, fails, listed, refused, false, false},
		{"none matches, in a CLI that ends with 0 all the same", root, downloaded, "true", listed, refused, false, false},
		{"there is none", root, fails, verified, nothingThere, refused, false, false},
		{"there is none, as a list", root, "echo none", verified, listEmpty, refused, false, false},
		{"no network for the roots", fails, fails, fails, fails, silent, true, false},
		{"an old CLI", "echo 'unknown command' >&2; exit 1", fails, fails, nothingThere, silent, true, false},
		{"GitHub does not answer", root, fails, verified, fails, silent, true, false},
		{"GitHub has enough of us", root, fails, verified, limited, silent, true, false},
		{"there is one that cannot be fetched", root, fails, verified, listed, silent, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newKept(t)
			p.env["GITHUB_SERVER_URL"], p.env["ATTESTATION_TOKEN"] = "https://github.com", "a-token"
			p.gh(c.root, c.download, c.verify, c.api)
			binary := p.run()
			if (binary != "") != c.runs || (p.kept != "") != c.keeps || !strings.Contains(p.says, c.want) || strings.Contains(p.says, "the CLI says") {
				t.Errorf("binary %q, kept %q, said %q; want %q", binary, p.kept, p.says, c.want)
			}
			if n := strings.Count(strings.TrimSpace(p.says), "\n"); n > 0 {
				t.Errorf("said %d lines more than one: %q", n, p.says)
			}
			if left, err := filepath.Glob(filepath.Join(p.dir, "temp", "debate-attested*")); err != nil || len(left) > 0 {
				t.Errorf("left behind %v, %v", left, err)
			}
		})
	}
}

// TestPrepareAsksWhoBuiltIt: the question names who has to have built the archive, on
// which branch, on whose machines; and it is put once for an archive that is kept.
func TestPrepareAsksWhoBuiltIt(t *testing.T) {
	t.Parallel()
	p := newKept(t)
	p.env["GITHUB_SERVER_URL"], p.env["ATTESTATION_TOKEN"] = "https://github.com", "a-token"
	p.gh(root, downloaded, verified, fails)
	if p.run() == "" {
		t.Fatal(p.says)
	}
	calls := strings.Split(strings.TrimSpace(read(t, filepath.Join(p.dir, "gh"))), "\n")
	if len(calls) != 3 {
		t.Fatalf("asked %q", calls)
	}
	for _, want := range []string{
		"a-token github.com attestation verify ", " --repo acme/fork ", " --bundle ", " --custom-trusted-root ", " --deny-self-hosted-runners ",
		" --cert-identity https://github.com/acme/fork/.github/workflows/release.yml@refs/heads/main ",
		" --predicate-type https://slsa.dev/provenance/v1 ",
	} {
		if !strings.Contains(calls[2], want) {
			t.Errorf("asked %q, without %q", calls[2], want)
		}
	}
	if p.again() == "" || strings.Count(read(t, filepath.Join(p.dir, "gh")), "\n") != 3 {
		t.Errorf("the kept archive: asked %q, said %q", read(t, filepath.Join(p.dir, "gh")), p.says)
	}
}

// TestPrepareWhereNobodyCanBeAsked: no line says so, since nobody can do anything about it.
func TestPrepareWhereNobodyCanBeAsked(t *testing.T) {
	t.Parallel()
	for name, env := range map[string]map[string]string{
		"no token":            {"GITHUB_SERVER_URL": "https://github.com"},
		"a server of our own": {"GITHUB_SERVER_URL": "https://github.example.com", "ATTESTATION_TOKEN": "a-token"},
		"no gh":               {"GITHUB_SERVER_URL": "https://github.com", "ATTESTATION_TOKEN": "a-token"},
	} {
		p := newKept(t)
		if name != "no gh" {
			p.gh("exit 9", "exit 9", "exit 9", "exit 9")
		}
		for key, value := range env {
			p.env[key] = value
		}
		if p.run() == "" || p.says != "" || p.kept == "" {
			t.Errorf("%s: kept %q, said %q", name, p.kept, p.says)
		}
	}
}
