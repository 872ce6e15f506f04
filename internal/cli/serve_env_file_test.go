package cli

import (
	"errors"
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
	writeFile(t, path, []byte("# certificates\nSSL_CERT_FILE=/etc/ca.pem\nNO_PROXY=of the file\nKEY=a=\"b\n"), 0o600)
	if err := os.Chmod(path, 0o440); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		credentials string // of systemd
		want        string
	}{
		{dir + "/", ""},
		{filepath.Dir(dir), "can be read or changed by others (mode 0440): run chmod 600"},
		{"", "can be read or changed by others (mode 0440): run chmod 600"},
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

// TestReadSecrets: a file with secrets is read only if no others may read it.
func TestReadSecrets(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("it has no such modes")
	}
	const key = "a secret"
	credentials := t.TempDir() // of systemd
	for name, test := range map[string]struct {
		text string
		mode os.FileMode
		dir  string
		want string // "" for none
	}{
		"as it should be":               {key, 0o600, t.TempDir(), ""},
		"read only":                     {key, 0o400, t.TempDir(), ""},
		"others may read":               {key, 0o644, t.TempDir(), "can be read or changed by others (mode 0644): run chmod 600"},
		"the group may read":            {key, 0o440, t.TempDir(), "mode 0440"},
		"the group may, as it should":   {key, 0o440, credentials, ""},
		"the group may write, and read": {key, 0o660, credentials, "mode 0660"},
		"too large":                     {strings.Repeat(key, 10_000), 0o600, t.TempDir(), "larger than 65536 bytes"},
	} {
		path := filepath.Join(test.dir, name)
		if err := errors.Join(os.WriteFile(path, []byte(test.text), test.mode), os.Chmod(path, test.mode)); err != nil {
			t.Fatal(err)
		}
		r := &run{ctx: t.Context(), Env: aloneWith(map[string]string{"CREDENTIALS_DIRECTORY": credentials})}
		got, err := r.readSecrets(path)
		switch {
		case test.want == "" && (err != nil || string(got) != key):
			t.Errorf("%s: %v", name, err)
		case test.want != "" && (err == nil || got != nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), key)):
			t.Errorf("%s: %v", name, err)
		}
	}
	r := &run{ctx: t.Context(), Env: aloneWith(nil)}
	if _, err := r.readSecrets(credentials); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("a directory: %v", err)
	}
	if _, err := r.readSecrets(filepath.Join(credentials, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
