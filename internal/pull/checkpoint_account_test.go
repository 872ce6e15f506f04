package pull

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// TestAnotherAccountReviewedSince: our summary is void once another account with the same
// key wrote one after it. A forged, copied, edited, hidden or older one changes nothing.
func TestAnotherAccountReviewedSince(t *testing.T) {
	t.Parallel()
	actions, app := gh.Account{Login: "github-actions[bot]", Bot: true}, gh.Account{Login: "debate-of-acme[bot]", Bot: true}
	sealKey := []byte("the key of both")
	written := func(key []byte, number int, by gh.Account) gh.Comment {
		p := gh.Pull{Repository: gh.Repository{ID: 1}, Number: number, Viewer: by.Login}
		block, _, err := Checkpoint{Debate: debate.Memory{Protocol: debate.ProtocolVersion, HeadSHA: head1}}.seal(key, p)
		if err != nil {
			t.Fatal(err)
		}
		body := comment.Mark("### debate: no problems found", comment.Marker{Kind: comment.SummaryMark}.String(), block)
		return gh.Comment{ID: 10, Author: by, Body: body, CreatedAt: at(-20)}
	}
	with := func(change func(*gh.Comment)) gh.Comment {
		c := written(sealKey, 7, actions)
		change(&c)
		return c
	}
	mallory := gh.Account{Login: "mallory"}
	for name, row := range map[string]struct {
		other gh.Comment
		void  bool
	}{
		"written after ours":                {with(func(*gh.Comment) {}), true},
		"edited after ours":                 {with(func(c *gh.Comment) { c.CreatedAt, c.Edited, c.EditedBy, c.EditedAt = at(-40), true, actions, at(-20) }), true},
		"written before ours":               {with(func(c *gh.Comment) { c.CreatedAt = at(-40) }), false},
		"edited by a person":                {with(func(c *gh.Comment) { c.Edited, c.EditedBy = true, mallory }), false},
		"hidden":                            {with(func(c *gh.Comment) { c.Minimized = true }), false},
		"copied by a person":                {with(func(c *gh.Comment) { c.Author = mallory }), false},
		"copied by another bot":             {with(func(c *gh.Comment) { c.Author = gh.Account{Login: "echo[bot]", Bot: true} }), false},
		"a person with the name of the bot": {with(func(c *gh.Comment) { c.Author.Bot = false }), false},
		"sealed with another key":           {written([]byte("guessed"), 7, actions), false},
		"of another pull request":           {written(sealKey, 8, actions), false},
	} {
		own := written(sealKey, 7, app)
		own.ID, own.Mine, own.CreatedAt = 9, true, at(-30)
		s := &Snapshot{key: sealKey, pull: gh.Pull{Repository: gh.Repository{ID: 1}, Number: 7, Viewer: app.Login, Comments: []gh.Comment{own, row.other}}}
		note := s.remember(false)
		if s.sealed == row.void || strings.Contains(note, "reviewed anew") != row.void || (s.checkpoint.Version == 0) != row.void {
			t.Errorf("%s: sealed %t, %q", name, s.sealed, note)
		}
		s.pull.Comments = s.pull.Comments[1:]
		if s.remember(false); s.sealed {
			t.Errorf("%s: it is believed in the place of ours", name)
		}
	}
}
