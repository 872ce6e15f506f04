package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"runtime"
	"strings"

	"github.com/prdebate/debate/internal/bot/setup"
	"github.com/prdebate/debate/internal/config"
)

// makeApp makes a GitHub App with the browser of this machine, and says how it is served.
func (c *serveCmd) makeApp(r *run) error {
	made, err := setup.Run(r.ctx, setup.Options{
		Dir: r.Dir, Pages: r.Getenv("GITHUB_SERVER_URL"), API: r.Getenv("GITHUB_API_URL"), Hook: c.PublicURL, Owner: c.Owner,
		Say: r.progress, UserAgent: "debate/" + version(), HTTP: &http.Client{Transport: r.GitHub}, Wait: r.Wait,
	})
	if err != nil {
		return err
	}
	poll := ""
	if c.PublicURL == "" {
		poll = " --poll"
	}
	r.progress("Then serve it: debate serve --env-file %s%s", made.EnvFile, poll)
	return nil
}

// withFile adds the settings of a file to the environment: a NAME=VALUE on each line, as
// the set-up writes it. What the environment sets itself wins.
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
	if othersRead := info.Mode().Perm()&0o077 != 0; othersRead && runtime.GOOS != "windows" {
		return usage(fmt.Errorf("%s holds secrets and can be read by others: chmod 600 %s", path, path))
	}
	data, err := r.readLimited(path, config.MaxBytes)
	if err != nil {
		return usage(err)
	}
	values := make(map[string]string)
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok || name == "" {
			return usage(fmt.Errorf("%s:%d:1: write NAME=VALUE", path, i+1))
		}
		values[name] = value
	}
	getenv, environ := r.Getenv, r.Environ
	r.Getenv = func(name string) string {
		if value := getenv(name); value != "" {
			return value
		}
		return values[name]
	}
	r.Environ = withKeysOf(environ, values)
	return nil
}
