package action_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/event"
)

const (
	headSHA = "ec26c3e57ca3a959ca5aad62de7213c562f8c821"
)

func TestEventFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "event.json")
	write(t, path, `{"action": "opened", "pull_request": {"number": 2}, "sender": {"login": "alice", "type": "User"}}`)
	env := map[string]string{"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": path, "GITHUB_REPOSITORY": "acme/shop", "GITHUB_ACTOR": "evil"}
	r, _ := runner(env)
	got, err := r.Event(0)
	if err != nil {
		t.Fatal(err)
	}
	if want := (event.Trigger{Event: "pull_request", Action: "opened", Number: 2}); got != want {
		t.Errorf("Event = %+v", got)
	}

	env["GITHUB_EVENT_PATH"] = path + ".gone"
	if _, err := r.Event(0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	delete(env, "GITHUB_EVENT_PATH")
	if _, err := r.Event(0); err == nil || !strings.Contains(err.Error(), "not a job of GitHub Actions") {
		t.Errorf("no event: %v", err)
	}
}

func TestEventTooLarge(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "event.json")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Truncate(25<<20+1), f.Close()); err != nil {
		t.Fatal(err)
	}
	r, _ := runner(map[string]string{"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": path})
	if _, err := r.Event(0); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("Event = %v", err)
	}
}

// runner is one with an environment of its own, and its log.
func runner(env map[string]string) (*action.Runner, *strings.Builder) {
	var log strings.Builder
	return action.New(&log, func(name string) string { return env[name] }), &log
}

// tester is a test, or one try of a property.
type tester interface {
	Helper()
	Fatal(...any)
}

func write(t tester, path, data string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t tester, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
