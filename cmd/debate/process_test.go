package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/server"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// surroundings is the environment of a program that the tests start, made from
// nothing: whoever runs the tests has keys, settings and perhaps a GIT_DIR, and
// none of them is asked, read or written to.
func surroundings(home string, more ...string) []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
	for _, name := range []string{"SYSTEMROOT", "TMPDIR", "TEMP"} {
		if value := os.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return append(env, more...)
}

// inProcess is the command in this process: in a directory, with these variables and
// no others. It takes no signals: Ctrl-C ends the tests.
func inProcess(dir string, env map[string]string, stdout, stderr io.Writer) cli.Env {
	system := cli.System()
	system.Stdin, system.Stdout, system.Stderr, system.Dir = strings.NewReader(""), stdout, stderr, dir
	system.Server = server.App{}
	system.Setenv, system.Typed, system.GitHub = nil, nil, connections()
	system.Getenv = func(name string) string { return env[name] }
	system.Environ = func() []string {
		var all []string
		for name, value := range env {
			all = append(all, name+"="+value)
		}
		return all
	}
	system.Interrupt = func() (context.Context, context.CancelFunc) { return context.WithCancel(context.Background()) }
	return system
}

// connections are shared with nobody: httptest closes the idle ones of
// http.DefaultTransport whenever a server of any test ends, and a connection is
// idle a moment before an answer without a body is handed over. The request would
// fail, though nobody planned it.
func connections() *http.Transport { return &http.Transport{} }

// process is the action within the process of the tests, in a directory of its own
// and for an event. It has the clock of its GitHub, so that waiting takes no time.
func process(s *ghtest.Server, dir string, e event, given ...map[string]string) (cli.Env, *bytes.Buffer, error) {
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(
		os.MkdirAll(dir, 0o755), os.WriteFile(path("event.json"), e.payload, 0o600),
		os.WriteFile(path("output"), nil, 0o600), os.WriteFile(path("summary"), nil, 0o600),
	); err != nil {
		return cli.Env{}, nil, err
	}
	env := map[string]string{
		"GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": e.kind, "GITHUB_EVENT_PATH": path("event.json"),
		"GITHUB_OUTPUT": path("output"), "GITHUB_STEP_SUMMARY": path("summary"), "GITHUB_REPOSITORY": "acme/app",
		"GITHUB_API_URL": s.URL, "GITHUB_GRAPHQL_URL": s.GraphQLURL, "GITHUB_SERVER_URL": "https://github.com",
		"GITHUB_RUN_ID": "4242", "GITHUB_RUN_ATTEMPT": "1", "GITHUB_WORKSPACE": dir, "RUNNER_TEMP": dir, "HOME": dir,
	}
	for _, more := range given {
		for name, value := range more {
			env[name] = value
		}
	}
	var out bytes.Buffer
	system := inProcess(dir, env, &out, &out)
	system.Now = s.Now
	system.Wait = func(ctx context.Context, d time.Duration) error {
		s.Advance(d)
		return context.Cause(ctx)
	}
	return system, &out, nil
}
