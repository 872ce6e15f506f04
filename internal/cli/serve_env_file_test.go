package cli

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestEnvFile: the process has what a file says, where it has nothing itself, and the
// credentials that systemd hands over are taken as they come.
func TestEnvFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "debate.env")
	if err := os.WriteFile(path, []byte("# certificates\nSSL_CERT_FILE=/etc/ca.pem\nNO_PROXY=of the file\nKEY=a=\"b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o440); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		credentials string // of systemd
		want        string
	}{
		{dir + "/", ""},
		{filepath.Dir(dir), "can be read by others"},
		{"", "can be read by others"},
	} {
		if runtime.GOOS == "windows" && test.want != "" {
			continue // it has no such modes
		}
		process := map[string]string{}
		env := aloneWith(map[string]string{"CREDENTIALS_DIRECTORY": test.credentials, "NO_PROXY": "of the process"})
		env.Dir = dir
		env.Setenv = func(name, value string) error {
			process[name] = value
			return nil
		}
		r := &run{ctx: t.Context(), Env: env}
		err := r.withFile("debate.env")
		if test.want != "" {
			if err == nil || !strings.Contains(err.Error(), test.want) || len(process) != 0 {
				t.Errorf("credentials in %q: %v, %v", test.credentials, err, process)
			}
			continue
		}
		if want := map[string]string{"SSL_CERT_FILE": "/etc/ca.pem", "KEY": `a="b`}; err != nil || !maps.Equal(process, want) {
			t.Errorf("%v, the process has %v, want %v", err, process, want)
		}
		if r.Getenv("SSL_CERT_FILE") != "/etc/ca.pem" || r.Getenv("NO_PROXY") != "of the process" {
			t.Errorf("a command reads %q and %q", r.Getenv("SSL_CERT_FILE"), r.Getenv("NO_PROXY"))
		}
	}
}

// aloneWith is an environment with these variables and no others.
func aloneWith(values map[string]string) Env {
	env := System()
	env.Getenv = func(name string) string { return values[name] }
	env.Environ = func() []string { return nil }
	return env
}
