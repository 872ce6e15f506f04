package main

import (
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/store/database"
)

// dice draws the same seed for every session, so that the order of options is that of the
// Action of a tale, and another number for each.
type dice struct{ sessions atomic.Uint32 }

func (d *dice) Read(p []byte) (int, error) {
	n := copy(p, "always the same ")
	if n < len("always the same ") { // the number of a session
		p[0] = byte(d.sessions.Add(1))
	}
	return n, nil
}

// rest waits until the server has nothing left to do.
func (s *appServer) rest(t testing.TB) {
	t.Helper()
	settle(t, s.kept(t), s.log)
}

// settle waits until a database asks for nothing any more. The log tells of every task
// that is done.
func settle(t testing.TB, db *database.DB, log *lines) {
	t.Helper()
	late := time.After(2 * time.Minute)
	for {
		more := log.next()
		open, err := db.Tasks(t.Context(), database.TaskFilter{})
		if err != nil {
			t.Fatal(err)
		}
		if len(open) == 0 {
			return
		}
		select {
		case <-more:
		case <-late:
			t.Fatalf("%d tasks are left, such as %+v\n%s", len(open), open[0], log)
		}
	}
}

// happened delivers an event to the App, and waits for what follows from it.
func (s *appServer) happened(t testing.TB, e event) {
	t.Helper()
	if d := s.app.SendEvent(s.repo, e.kind, e.payload); d.Status != 202 {
		t.Fatalf("%s was answered with %d:\n%s", e.kind, d.Status, s.log)
	}
	s.rest(t)
	s.server.Advance(3 * time.Minute)
}

// fullReport is in a summary what only the Action has: the page of a workflow run, which
// holds the whole report.
var fullReport = regexp.MustCompile("- (?:Full report,|Record:) SHA-256 `?[0-9a-zA-Z]+`?")

// forAgents is the line that names the record of a workflow run.
const forAgents = "- Prompt for a coding agent: `debate report RECORD --format agent`\n"

// byAnybody is what stands on GitHub without what tells the Action and the App apart.
func (ta *tale) byAnybody() []string {
	state := ta.state()
	for i := range state {
		state[i] = strings.ReplaceAll(fullReport.ReplaceAllString(state[i], "- Sealed by HASH"), forAgents, "")
		for _, bot := range ta.bots {
			state[i] = strings.ReplaceAll(state[i], bot, "BOT")
		}
	}
	return state
}

// TestTaleOfTheApp: after each scene of the tale there stands on GitHub what stands there
// when the Action does the work, but for the name of who speaks.
func TestTaleOfTheApp(t *testing.T) {
	t.Parallel()
	action, app := begin(t), serveApp(t)
	for _, sc := range scenes {
		if code, log := action.act(sc.act(action)); code != 0 {
			t.Fatalf("%s: the Action ends with code %d\n%s", sc.name, code, log)
		}
		app.happened(t, sc.act(app.tale))
		if diff := cmp.Diff(action.byAnybody(), app.byAnybody()); diff != "" {
			t.Fatalf("%s: the App leaves something else: %s\n%s", sc.name, diff, app.log)
		}
	}
	if a, b := action.calls(), app.calls(); a != b {
		t.Errorf("the Action asked models %d times, the App %d times", a, b)
	}
}
