package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// withFile adds the NAME=VALUE lines of a file to the environment. The environment itself
// wins.
func (r *run) withFile(path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(r.path(path))
	if errors.Is(err, fs.ErrNotExist) {
		return usage(fmt.Errorf("there is no file %s; debate serve --setup writes one", path))
	}
	if err != nil {
		return usage(err)
	}
	if othersRead := info.Mode().Perm()&0o077&^r.othersMay(path) != 0; othersRead && runtime.GOOS != "windows" {
		return usage(fmt.Errorf("%s holds secrets and can be read by others: chmod 600 %s", path, path))
	}
	data, err := r.readLimited(path, config.MaxBytes)
	if err != nil {
		return usage(err)
	}
	values, err := variables(string(data))
	if err != nil {
		return usage(fmt.Errorf("%s:%w", path, err))
	}
	getenv, environ := r.Getenv, r.Environ
	for name, value := range values {
		switch {
		case getenv(name) != "":
			continue
		case slices.Contains(readBefore, strings.ToUpper(name)):
			return usage(fmt.Errorf("%s: %s does not count in this file, because it is read before: set it in the environment of the process, as docs/enterprise.md shows", path, name))
		case r.Setenv == nil:
			continue
		}
		if err := r.Setenv(name, value); err != nil {
			return usage(fmt.Errorf("%s: set %s: %w", path, name, err))
		}
	}
	r.Getenv = func(name string) string {
		return cmp.Or(getenv(name), values[name])
	}
	r.Environ = withKeysOf(environ, values)
	return nil
}

// readBefore are variables that libraries read at the start of the program, before any
// file.
var readBefore = []string{"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"}

var (
	setVariable = lazyregexp.New(`^([A-Za-z_][A-Za-z0-9_]*)=(.*)$`)
	quotedValue = lazyregexp.New(`^(?:".*"|'.*')$`)
)

// variables reads NAME=VALUE lines. It refuses lines that a shell would read differently:
// the name or the secret would be wrong.
func variables(text string) (map[string]string, error) {
	values := make(map[string]string)
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := setVariable().FindStringSubmatch(line)
		switch {
		case m == nil:
			return nil, fmt.Errorf("%d:1: write NAME=VALUE, without export and without spaces around the =; write a key of several lines in one, with \\n between them", i+1)
		case quotedValue().MatchString(m[2]):
			return nil, fmt.Errorf("%d:%d: write the value without quotes: they would be a part of it", i+1, len(m[1])+2)
		}
		values[m[1]] = m[2]
	}
	return values, nil
}

// othersMay returns the allowed permissions of group and others on a file with secrets:
// none. systemd shares credentials by access lists, and the system shows their mask as
// rights of the group.
func (r *run) othersMay(path string) fs.FileMode {
	dir := r.Getenv("CREDENTIALS_DIRECTORY")
	if dir != "" && filepath.Dir(r.path(path)) == filepath.Clean(dir) {
		return 0o040
	}
	return 0
}
