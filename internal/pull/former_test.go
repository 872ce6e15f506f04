package pull

import (
	"slices"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// The accounts that speak for debate on one pull request, one after the other.
var (
	actions = gh.Account{Login: "github-actions[bot]", Bot: true}
	app     = gh.Account{Login: "debate-of-acme[bot]", Bot: true}
)

var sealKey = []byte("the key of both")

// theirs is the summary that an account wrote in a term.
func theirs(t *testing.T, key []byte, repository int64, number int, by gh.Account, term int) gh.Comment {
	t.Helper()
	p := gh.Pull{Repository: gh.Repository{ID: repository}, Number: number, Viewer: by.Login}
	m := Checkpoint{Term: term, Debate: debate.Memory{Protocol: debate.ProtocolVersion, SessionID: "by " + by.Login, HeadSHA: head1}}
	block, _, err := m.seal(key, p)
	if err != nil {
		t.Fatal(err)
	}
	body := comment.Mark("### debate: no problems found", comment.Marker{Kind: comment.SummaryMark}.String(), block)
	return gh.Comment{ID: 10, Node: "node of " + by.Login, Author: by, Body: body, CreatedAt: at(-30)}
}

// TestSummariesOfOthers: the App takes over what the Action sealed, and nothing that was
// forged, copied, edited, hidden or overtaken (T39, T40, T41).
func TestSummariesOfOthers(t *testing.T) {
	echo := gh.Account{Login: "echo[bot]", Bot: true}
	mallory := gh.Account{Login: "mallory"}
	genuine := theirs(t, sealKey, 1, 7, actions, 0)
	with := func(c gh.Comment, change func(*gh.Comment)) gh.Comment {
		change(&c)
		return c
	}
	own := func(term int) gh.Comment {
		return with(theirs(t, sealKey, 1, 7, app, term), func(c *gh.Comment) { c.Mine = true })
	}
	unnamed := theirs(t, sealKey, 1, 7, gh.Account{}, 0)
	unnamed.Author = actions
	for _, c := range []struct {
		name     string
		comments []gh.Comment
		noKey    bool
		from     string // whose state is believed, "" for nobody's
		term     int
		outdated int
	}{
		{name: "the Action's", comments: []gh.Comment{genuine}, from: actions.Login, term: 1, outdated: 1},
		{name: "edited by the Action itself", from: actions.Login, term: 1, outdated: 1, comments: []gh.Comment{
			with(genuine, func(c *gh.Comment) { c.Edited, c.EditedBy = true, actions })}},
		{name: "edited by a person", comments: []gh.Comment{with(genuine, func(c *gh.Comment) { c.Edited, c.EditedBy = true, mallory })}},
		{name: "edited by another bot", comments: []gh.Comment{with(genuine, func(c *gh.Comment) { c.Edited, c.EditedBy = true, echo })}},
		{name: "hidden", comments: []gh.Comment{with(genuine, func(c *gh.Comment) { c.Minimized = true })}},
		{name: "copied by a person", comments: []gh.Comment{with(genuine, func(c *gh.Comment) { c.Author = mallory })}},
		{name: "copied by another bot", comments: []gh.Comment{with(genuine, func(c *gh.Comment) { c.Author = echo })}},
		{name: "a person with the name of the bot", comments: []gh.Comment{with(genuine, func(c *gh.Comment) { c.Author.Bot = false })}},
		{name: "sealed with another key", comments: []gh.Comment{theirs(t, []byte("guessed"), 1, 7, actions, 5)}},
		{name: "sealed with no key", comments: []gh.Comment{theirs(t, nil, 1, 7, actions, 5)}},
		{name: "of another pull request", comments: []gh.Comment{theirs(t, sealKey, 1, 8, actions, 5)}},
		{name: "of another repository", comments: []gh.Comment{theirs(t, sealKey, 2, 7, actions, 5)}},
		{name: "naming no account", comments: []gh.Comment{unnamed}},
		{name: "without a key of today", comments: []gh.Comment{genuine}, noKey: true},
		{name: "a later comment of an account whose first is edited", comments: []gh.Comment{
			with(genuine, func(c *gh.Comment) { c.Edited, c.EditedBy = true, mallory }), genuine}},
		{name: "an older one beside ours", comments: []gh.Comment{genuine, own(1)}, from: app.Login, term: 1, outdated: 1},
		{name: "one of the same term beside ours", comments: []gh.Comment{genuine, own(0)}, from: app.Login},
		{name: "one that took over from ours", comments: []gh.Comment{own(1), theirs(t, sealKey, 1, 7, actions, 2)}, from: actions.Login, term: 3, outdated: 1},
		{name: "a later copy of an older one beside ours", comments: []gh.Comment{own(3), genuine, theirs(t, sealKey, 1, 7, echo, 2)}, from: app.Login, term: 3, outdated: 2},
		{name: "the newest of two", from: echo.Login, term: 2, outdated: 2, comments: []gh.Comment{genuine, theirs(t, sealKey, 1, 7, echo, 1)}},
		{name: "ours was edited", comments: []gh.Comment{
			genuine, with(own(1), func(c *gh.Comment) { c.Edited, c.EditedBy = true, mallory })}},
		{name: "ours has no state", comments: []gh.Comment{genuine, with(own(1), func(c *gh.Comment) { c.Body = comment.Resealed(c.Body, "") })}},
	} {
		s := &Snapshot{key: sealKey, pull: gh.Pull{Repository: gh.Repository{ID: 1}, Number: 7, Viewer: app.Login, Comments: c.comments}}
		if c.noKey {
			s.key = nil
		}
		s.remember(false)
		from := ""
		if s.sealed {
			from = s.checkpoint.Debate.SessionID[len("by "):]
		}
		moved := c.from != "" && c.from != app.Login
		if from != c.from || s.checkpoint.Term != c.term || s.moved != moved || len(s.outdated) != c.outdated {
			t.Errorf("%s: believed %q of term %d, moved %t, %d outdated", c.name, from, s.checkpoint.Term, s.moved, len(s.outdated))
		}
		if moved != slices.Contains(s.checkpoint.Former, c.from) {
			t.Errorf("%s: the accounts before are %q", c.name, s.checkpoint.Former)
		}
	}
}

// TestOwnedByFormerAccounts: what a former account wrote counts as ours, but for its
// summary, and what other bots and people wrote does not.
func TestOwnedByFormerAccounts(t *testing.T) {
	by := func(a gh.Account) gh.Comment { return gh.Comment{Author: a, Body: "text"} }
	s := &Snapshot{sealed: true, checkpoint: Checkpoint{Former: []string{actions.Login}}, pull: gh.Pull{Viewer: app.Login}}
	p := gh.Pull{
		Comments: []gh.Comment{by(actions), by(gh.Account{Login: "echo[bot]", Bot: true}), by(gh.Account{Login: actions.Login}), theirs(t, sealKey, 1, 7, actions, 0)},
		Threads:  []gh.Thread{{Comments: []gh.Comment{by(actions), by(gh.Account{Login: "alice"})}}},
		Reviews:  []gh.Review{{Author: actions}, {Author: gh.Account{Login: "alice"}}},
	}
	issues := []gh.Issue{{Author: actions, Edited: true, EditedBy: actions, Events: []gh.IssueEvent{{By: actions}, {By: gh.Account{Login: "alice"}}}}}
	got, list := s.former().own(p), s.former().ownIssues(issues)
	var mine []bool
	for _, c := range slices.Concat(got.Comments, got.Threads[0].Comments) {
		mine = append(mine, c.Mine)
	}
	mine = append(mine, got.Reviews[0].Mine, got.Reviews[1].Mine, list[0].Mine, list[0].Events[0].By == app, list[0].Events[1].By == app, rewritten(list[0]))
	if want := []bool{true, false, false, false, true, false, true, false, true, true, false, false}; !slices.Equal(mine, want) {
		t.Errorf("ours: %v, want %v", mine, want)
	}
	if p.Comments[0].Mine || issues[0].Mine {
		t.Error("what was read is changed")
	}
	s.sealed = false
	if s.former().own(p).Comments[0].Mine || s.former().ownIssues(issues)[0].Mine {
		t.Error("a state that nobody sealed names former accounts")
	}
}

// TestOutdatedAfterACrash: a run that died before it hid the summary of another account is
// made up for, and what is remembered is never hidden.
func TestOutdatedAfterACrash(t *testing.T) {
	s := reviewed()
	s.pull.Comments, s.outdated = []gh.Comment{s.summary}, []string{"theirs"}
	if writes := comment.Publish(reconciled(s.Snapshot, commands{}), haveOf(s.Snapshot)); len(writes) != 1 {
		t.Errorf("%+v", writes)
	}
	s.moved = true
	if writes := comment.Publish(reconciled(s.Snapshot, commands{}), haveOf(s.Snapshot)); len(writes) != 0 {
		t.Errorf("%+v", writes)
	}
}
