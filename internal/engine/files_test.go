package engine

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// browser is every party of a debate. What it is given as files it reads, and cites a line
// of them that no packet shows; with looks it asks to be shown that file first.
type browser struct {
	seeker
	shows bool // it asks to be shown what it cites

	guard sync.Mutex
	given map[string][]model.File // by ask
}

func (b *browser) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	b.guard.Lock()
	b.given[req.Ask] = req.Files
	b.guard.Unlock()
	t := readTurn(req)
	i := slices.IndexFunc(req.Files, func(f model.File) bool { return strings.Contains(f.Text, "./run.sh fast") })
	switch {
	case t.Envelope.Call != "OPEN" || i < 0:
		return b.seeker.Ask(ctx, req)
	case b.shows && req.Looked == "":
		return model.Response{Text: `{"look": [{"read": {"path": "` + req.Files[i].Path + `"}}]}`}, nil
	}
	reply, err := json.Marshal(object{
		"summary": "reviewed", "disposition": "revise", "confidence": "HIGH", "claims": []object{{
			"kind": "empirical", "severity": "P1", "category": "reliability", "title": "It breaks the caller", "body": "With run.sh as it is now the caller fails.",
			"ref": []object{{"path": req.Files[i].Path, "start_line": 3, "end_line": 3, "quote": "./run.sh fast || exit 1"}},
		}},
	})
	return model.Response{Text: string(reply)}, err
}

// TestFiles: a party for which the settings say so gets files of the head where it may
// look, and nobody else does. None is secret, private or obeyed, and secrets in them are
// hidden. What it read there by itself proves nothing; once a look showed it, it does.
func TestFiles(t *testing.T) {
	t.Parallel()
	tree := maps.Clone(callers)
	tree["lib/CLAUDE.md"] = "canary-of-the-instructions"
	for name, c := range map[string]struct {
		most      int
		shows     bool
		confirmed bool
	}{"read alone": {12, false, false}, "shown": {12, true, true}, "looks are off": {0, true, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &browser{shows: c.shows, given: make(map[string][]model.File)}
			r, log := seeking(t, nil, tree)
			r.Clients = map[string]Client{"gpt": b, "gem": &b.seeker, "qwen": &b.seeker}
			r.Files = []string{"gpt"}
			state, err := r.Start(t.Context(), askedWithLooks(c.most))
			ended(t, state, log, err)
			if got := len(confirmedClaims(state)) > 0; got != c.confirmed {
				t.Errorf("confirmed: %t, %+v", got, state.Book.Claims)
			}
			for ask, files := range b.given {
				kind, _, _ := strings.Cut(ask, "/")
				may := c.most > 0 && slices.Contains([]string{"OPEN", "CHALLENGE", "RESPOND", "REBUT"}, kind)
				if (len(files) > 0) != may {
					t.Errorf("%s: %d files", ask, len(files))
				}
				if may && (len(files) != 3 || !strings.Contains(files[1].Text+files[2].Text+files[0].Text, `const token = "[redacted]"`)) {
					t.Errorf("%s: %+v", ask, files)
				}
			}
			stored := inJSON(t, log.entries)
			for _, secret := range []string{lookToken, "canary-of-the"} {
				if strings.Contains(string(stored), secret) {
					t.Errorf("%s is in the record", secret)
				}
			}
		})
	}
}

// A second context of a party gets what that party gets, and a source without a tree has
// nothing to give.
func TestFilesOfASecondContext(t *testing.T) {
	t.Parallel()
	r, _ := seeking(t, nil, callers)
	r.Files = []string{"gpt"}
	r.state.Received = askedWithLooks(12)
	r.state.Table.Parties = []debate.Party{{ID: "gpt-2", Debater: "gpt"}, {ID: "gem-2", Debater: "gem"}}
	r.Subject.frozen, r.files = &Frozen{Tree: callers}, []model.File{{Path: "a.go"}}
	for id, gets := range map[string]bool{"gpt": true, "gpt-2": true, "gem": false, "gem-2": false} {
		if got := r.filesFor(t.Context(), debate.Ask{Kind: debate.CallOpen, Party: id}); (len(got) > 0) != gets {
			t.Errorf("%s gets files: %t", id, !gets)
		}
	}
	r.Subject.frozen = &Frozen{}
	if got := r.filesFor(t.Context(), debate.Ask{Kind: debate.CallOpen, Party: "gpt"}); got != nil {
		t.Errorf("%v", got)
	}
}
