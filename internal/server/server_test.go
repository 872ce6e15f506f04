package server

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"maps"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/config"
)

// TestServeRefuses: a server that cannot work says in one line why, before it listens.
func TestServeRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if err := os.Chmod(write("open.env", "A=b\n", 0o600), 0o644); err != nil {
		t.Fatal(err)
	}
	write("broken.env", "# a comment\n\nnonsense\n", 0o600)
	write("exported.env", "export DEBATE_APP_ID=7\n", 0o600)
	write("quoted.env", "DEBATE_APP_ID=\"7\"\n", 0o600)
	write("proxy.env", "DEBATE_APP_ID=7\nhttps_proxy=http://proxy:3128\n", 0o600)
	write("app.env", "DEBATE_APP_ID=7\nDEBATE_PRIVATE_KEY=no key\nDEBATE_WEBHOOK_SECRET=x\n", 0o600)
	write("server.yml", "accounts:\n  - nme: acme\n", 0o600)
	write("keyless.yml", "accounts:\n  - name: acme\n    keys:\n      - provider: ollama\n        env: ACME_KEY\n", 0o600)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	whole := map[string]string{
		"DEBATE_APP_ID": "7", "DEBATE_WEBHOOK_SECRET": "x",
		"DEBATE_PRIVATE_KEY": string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})),
	}
	if err := os.Mkdir(filepath.Join(dir, "debate"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("debate/config.yml", "modes: quick\n", 0o600)
	with := func(name, value string) map[string]string {
		more := maps.Clone(whole)
		more[name] = value
		return more
	}
	sqlite := "--database=sqlite:" + filepath.Join(dir, "debate.db")
	tests := []struct {
		name string
		args []string
		env  map[string]string
		code int
		want string
	}{
		{"no App", []string{sqlite}, nil, 2, "DEBATE_APP_ID is not set to the id of your GitHub App"},
		{"no key", []string{sqlite}, map[string]string{"DEBATE_APP_ID": "7", "DEBATE_WEBHOOK_SECRET": "x"}, 2, "the App has no private key"},
		{"a broken key", []string{sqlite, "--env-file", filepath.Join(dir, "app.env")}, nil, 2, "key"},
		{"no secret", []string{sqlite}, map[string]string{"DEBATE_APP_ID": "7", "DEBATE_PRIVATE_KEY": "k"}, 2, "DEBATE_WEBHOOK_SECRET is not set"},
		{"a file that others can read", []string{sqlite, "--env-file", filepath.Join(dir, "open.env")}, nil, 2, "chmod 600"},
		{"a file of nonsense", []string{sqlite, "--env-file", filepath.Join(dir, "broken.env")}, nil, 2, "broken.env:3:1: write NAME=VALUE"},
		{"a file for a shell", []string{sqlite, "--env-file", filepath.Join(dir, "exported.env")}, nil, 2, "exported.env:1:1: write NAME=VALUE, without export"},
		{"quotes around a value", []string{sqlite, "--env-file", filepath.Join(dir, "quoted.env")}, nil, 2, "quoted.env:1:15: write the value without quotes"},
		{"a proxy that would not count", []string{sqlite, "--env-file", filepath.Join(dir, "proxy.env")}, nil, 2, "https_proxy does not count in this file"},
		{"no file of the key", []string{sqlite, "--poll"}, map[string]string{"DEBATE_APP_ID": "7", "DEBATE_PRIVATE_KEY_FILE": "/nowhere/app.pem"}, 2, "there is no file /nowhere/app.pem, which DEBATE_PRIVATE_KEY_FILE names"},
		{"a set-up at no address", []string{"--setup", "--public-url", "debate.example.com/webhook"}, nil, 2, "--public-url debate.example.com/webhook is no address that GitHub can deliver to: write https://HOST/webhook"},
		{"a set-up at half a GitHub", []string{"--setup"}, map[string]string{"GITHUB_SERVER_URL": "https://github.example.com"}, 2, "set both GITHUB_SERVER_URL and GITHUB_API_URL"},
		{"no worker", []string{sqlite, "--workers=0"}, whole, 2, "--workers 0: write 1 to 1000"},
		{"no file", []string{sqlite, "--env-file", filepath.Join(dir, "gone.env")}, nil, 2, "gone.env"},
		{"no database", []string{"--database=mysql://x"}, whole, 2, "mysql"},
		{"a directory in the place of a file", []string{"--database=sqlite:" + dir}, whole, 2, "it is a directory"},
		{"a proxy without its addresses", []string{sqlite, "--proxy-header=X-User"}, whole, 2, "--proxy-header and --proxy-from go together"},
		{"a proxy at no address", []string{sqlite, "--proxy-header=X-User", "--proxy-from=here"}, whole, 2, "no range of addresses"},
		{"accounts that say nothing", []string{sqlite, "--accounts", filepath.Join(dir, "server.yml")}, whole, 2, `server.yml:2:5: unknown setting "nme"`},
		{"an own key that could not count", []string{sqlite, "--accounts", filepath.Join(dir, "keyless.yml")}, whole, 2, "the provider ollama takes no key"},
		{"settings of the operator that are wrong", []string{sqlite}, with("XDG_CONFIG_HOME", dir), 2, "config.yml:1:1: unknown setting \"modes\""},
		{"records for no day", []string{sqlite, "--keep-days=0"}, whole, 2, "--keep-days 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			env, out := serveEnv(t.TempDir(), tt.env)
			code := cli.Main(append([]string{"serve"}, tt.args...), env)
			if code != tt.code || !strings.Contains(out.String(), tt.want) || strings.Count(strings.TrimSpace(out.String()), "\n") > 1 {
				t.Errorf("code %d, it says\n%s\nwant code %d and %q", code, out.String(), tt.code, tt.want)
			}
			if _, err := os.Stat(filepath.Join(dir, "debate.db")); err == nil {
				t.Error("it made a database all the same")
			}
		})
	}
}

// TestServeRefusesAddresses: an address that it cannot listen at is named with its flag.
func TestServeRefusesAddresses(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() })
	for flag, test := range map[string]struct {
		address string
		usage   bool
		want    string
	}{
		"--listen":       {taken.Addr().String(), false, "another program listens there; end it, or name another port"},
		"--admin-listen": {"localhost", true, "is no address to listen at: missing port in address; write HOST:PORT"},
	} {
		if runtime.GOOS == "windows" && !test.usage {
			continue // its numbers of errors have no names here
		}
		_, err := listenAt(flag, test.address)
		wrong := reflect.TypeOf(err) == reflect.TypeOf(cli.Usage(nil))
		if err == nil || wrong != test.usage || !strings.HasPrefix(err.Error(), flag+" "+test.address) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("usage %t: %v", wrong, err)
		}
	}
}

// TestWarnOfKeys: a key that an account is to have and that nobody set is told of.
func TestWarnOfKeys(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	accounts := &config.Server{Accounts: []config.Account{{Name: "acme", Keys: []config.OwnKey{{Provider: "openai", Env: "SET"}, {Provider: "anthropic", Env: "UNSET"}}}}}
	warnOfKeys(slog.New(slog.NewTextHandler(&out, nil)), accounts, func(name string) string { return map[string]string{"SET": "sk-1"}[name] })
	if said := out.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "variable=UNSET") {
		t.Errorf("it says %q", said)
	}
}

// serveEnv is the environment of a server that reaches nobody.
func serveEnv(dir string, values map[string]string) (cli.Env, *strings.Builder) {
	var out strings.Builder
	env := cli.System()
	env.Stdout, env.Stderr, env.Dir = &out, &out, dir
	env.Getenv = func(name string) string { return values[name] }
	env.Environ = func() []string { return nil }
	env.Setenv, env.Server = nil, App{}
	return env, &out
}

// TestSecretsOfAccounts: no log shows the key of an account, however its variable is called,
// or what a receiver of traces is told.
func TestSecretsOfAccounts(t *testing.T) {
	t.Parallel()
	values := map[string]string{"ACME": "sk-of-acme-alone-1", "OTEL_EXPORTER_OTLP_HEADERS": "X-Tenant=of-the-collector-1"}
	base := cli.System()
	base.Getenv = func(name string) string { return values[name] }
	base.Environ = func() []string { return []string{"ACME=sk-of-acme-alone-1"} }
	accounts := &config.Server{Accounts: []config.Account{{Name: "acme", Keys: []config.OwnKey{{Provider: "openai", Env: "ACME"}}}}}
	if got := secretsOf(base, accounts).Text("sk-of-acme-alone-1 of-the-collector-1 else"); strings.Contains(got, "acme") || strings.Contains(got, "collector") || !strings.Contains(got, "else") {
		t.Errorf("it shows %q", got)
	}
}
