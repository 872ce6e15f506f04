package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/prdebate/debate/internal/critic"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/segment"
	"github.com/prdebate/debate/internal/testkit/patchtest"
)

// witness is every party of a debate. It raises a defect where it is shown both a
// changed line and one that proves what is wrong with it, cites both, and agrees to
// who does. Nobody else has anything to say.
type witness struct {
	place, proof string // parts of the two lines; without a place the proof is all that is cited

	mu   sync.Mutex
	sent map[string]bool
}

// shownLine finds a line in a packet and cites it.
func shownLine(packet, part string) object {
	path := ""
	for _, line := range strings.Split(packet, "\n") {
		switch f := strings.Fields(line); {
		case strings.HasPrefix(line, "segment "):
			path = f[3]
			continue
		case strings.HasPrefix(line, "context "):
			path = f[1]
			continue
		}
		side, numbered := "RIGHT", line
		if removed, is := strings.CutPrefix(line, "-"); is {
			side, numbered = "LEFT", removed
		}
		label, text, ok := strings.Cut(strings.TrimPrefix(numbered, " "), " ")
		n := 0
		if _, err := fmt.Sscan(strings.TrimPrefix(label, "+"), &n); ok && err == nil && strings.Contains(text, part) && path != "@pr" {
			return object{"path": path, "start_line": n, "end_line": n, "side": side, "quote": text}
		}
	}
	return nil
}

func (w *witness) Ask(_ context.Context, req model.Request) (model.Response, error) {
	w.mu.Lock()
	if w.sent == nil {
		w.sent = make(map[string]bool)
	}
	w.sent[req.System], w.sent[req.Packet], w.sent[req.Turn] = true, true, true
	w.mu.Unlock()
	t := readTurn(req)
	proof := shownLine(req.Packet, w.proof)
	refs := []object{proof}
	if w.place != "" {
		refs = []object{shownLine(req.Packet, w.place), proof}
	}
	reply := object{"summary": "reviewed", "recommendation": "keep", "disposition": "keep", "confidence": "HIGH", "verdict": "agree", "objection_strength": "none"}
	if proof != nil && refs[0] != nil {
		reply["recommendation"], reply["disposition"] = "revise", "revise"
		if t.Envelope.Call == "OPEN" {
			reply["claims"] = []object{{
				"kind": "empirical", "severity": "P1", "category": "reliability", "title": "It breaks what the other line needs",
				"body": "Two at once crash the process.", "ref": refs,
			}}
		}
		var evaluations []object
		for _, c := range t.Claims {
			if !c.OwnerIsYou {
				evaluations = append(evaluations, object{"claim": c.ID, "class": "AGREE", "ref": []object{proof}, "supports": "supports"})
			}
		}
		reply["evaluations"] = evaluations
	}
	data, err := json.Marshal(reply)
	return model.Response{Text: string(data)}, err
}

// witnessed holds a debate about a change with a witness at the table.
func witnessed(t *testing.T, w *witness, change patch.Change, shown Context) (debate.State, []debate.Entry) {
	t.Helper()
	r, log := newDebate(t, &table{})
	r.Subject.Context = shown
	for id := range r.Clients {
		r.Clients[id] = w
	}
	r.Subject.Frozen.Change = change
	r.Subject.Critic = func(c patch.Change, skip func(string) bool, proposals []segment.Proposal) Critique {
		return Critique(critic.Review(c, skip, proposals))
	}
	r.Now = ticking()
	state := started(t, r, asked())
	return state, log.entries
}

// confirmed are the claims that the parties confirmed.
func confirmedClaims(s debate.State) []debate.Claim {
	var list []debate.Claim
	for _, c := range s.Book.Claims {
		if c.Bucket == debate.Agreed && c.Owner != debate.EngineParty {
			list = append(list, c)
		}
	}
	return list
}

// lockedFile is a long file whose struct has a lock that the change forgets.
func lockedFile(sweep string) string {
	filler := func(name string) string {
		return "func " + name + "() {\n" + strings.Repeat("\tstep()\n", 300) + "}\n\n"
	}
	return "package limiter\n\nimport \"sync\"\n\n// Limiter limits.\ntype Limiter struct {\n\tmu      sync.Mutex\n\tbuckets map[string]int // guarded by mu\n}\n\n" +
		filler("first") + "func (l *Limiter) sweep() {\n" + sweep + "\tfor k := range l.buckets {\n\t\tdelete(l.buckets, k)\n\t}\n}\n\n" + filler("last")
}

// A defect whose proof stands in the struct, far from the changed line, is found and
// confirmed with that line, which was shown; and it is recorded so that whoever verifies
// the record comes to the same.
func TestProofOutsideTheHunk(t *testing.T) {
	t.Parallel()
	change := patchtest.Change(patchtest.Modify("limiter.go", lockedFile("\tl.mu.Lock()\n\tdefer l.mu.Unlock()\n"), lockedFile("\tsweeps.Add(1)\n")))
	w := &witness{place: "sweeps.Add(1)", proof: "guarded by mu"}
	state, entries := witnessed(t, w, change, "")
	list := confirmedClaims(state)
	if len(list) == 0 {
		t.Fatalf("nothing is confirmed: %+v", state.Book.Claims)
	}
	proof := list[0].Evidence[1]
	if !proof.CitationOK || proof.Changed || proof.InHunk || proof.Cite.StartLine != 8 {
		t.Errorf("the line of the struct: %+v", proof)
	}
	if first := list[0].Cite(); first.StartLine != 315 || !list[0].Evidence[0].Changed {
		t.Errorf("the place of the finding: %+v", first)
	}

	again := publisher(t)
	again.Subject.Frozen.Change, again.Checks = change, nil
	again.Subject.Critic = func(c patch.Change, skip func(string) bool, proposals []segment.Proposal) Critique {
		return Critique(critic.Review(c, skip, proposals))
	}
	want := wanted()
	want.Facts = []debate.Event{debate.Published{Sinks: []string{"test"}}}
	if _, _, err := again.Rebuild(t.Context(), want, copied(t, entries), said(entries)); err != nil {
		t.Error(err)
	}
	for shown, found := range map[Context]bool{OfChangedFiles: true, NoContext: false} {
		state, _ = witnessed(t, &witness{place: w.place, proof: w.proof}, change, shown)
		if got := len(confirmedClaims(state)) > 0; got != found {
			t.Errorf("context %s: found %v", shown, got)
		}
	}
}

// A defect of a method that is gone is found with the type that it belonged to, which is
// far from where it stood: its place is a removed line, cited at the base.
func TestProofAroundWhatWasRemoved(t *testing.T) {
	t.Parallel()
	const sweep = "\tl.mu.Lock()\n\tdefer l.mu.Unlock()\n"
	before := lockedFile(sweep)
	at := strings.Index(before, "func (l *Limiter) sweep()")
	after := before[:at] + before[strings.Index(before, "func last()"):]
	w := &witness{place: "delete(l.buckets, k)", proof: "guarded by mu"}
	state, _ := witnessed(t, w, patchtest.Change(patchtest.Modify("limiter.go", before, after)), "")
	list := confirmedClaims(state)
	if len(list) == 0 {
		t.Fatalf("nothing is confirmed: %+v", state.Book.Claims)
	}
	gone, proof := list[0].Evidence[0], list[0].Evidence[1]
	if !gone.CitationOK || !gone.Changed || gone.Cite.Side != debate.Left || gone.Cite.StartLine != 318 {
		t.Errorf("the removed line: %+v", gone)
	}
	if !proof.CitationOK || proof.Changed || proof.Cite.Side != debate.Right || proof.Cite.StartLine != 8 {
		t.Errorf("the line of the struct: %+v", proof)
	}
}

// A line that the change does not touch is no place of a finding: what cites nothing
// else is outside the change, as it was before such lines were shown.
func TestContextIsNoPlace(t *testing.T) {
	t.Parallel()
	change := patchtest.Change(patchtest.Modify("limiter.go", lockedFile("\tl.mu.Lock()\n\tdefer l.mu.Unlock()\n"), lockedFile("\tsweeps.Add(1)\n")))
	state, _ := witnessed(t, &witness{proof: "guarded by mu"}, change, "")
	if list := confirmedClaims(state); len(list) > 0 {
		t.Errorf("confirmed: %+v", list)
	}
	if len(state.Book.Claims) == 0 || !state.Book.Claims[0].OutOfScope {
		t.Errorf("the claim is not outside the change: %+v", state.Book.Claims)
	}
}

// A secret on a line that the change does not touch is hidden, and a file that holds
// secrets by its name is not shown beyond its changed lines.
func TestNoSecretAround(t *testing.T) {
	t.Parallel()
	token := "ghp_" + "R8dKq2XzW5vLm7TnB4cYs9JfGh3PaE6uQo1i"
	lines := func(last string) string {
		return "const token = \"" + token + "\"\n" + strings.Repeat("run()\n", 50) + last
	}
	env := func(first string) string { return first + "\nA=1\nB=2\nC=3\nD=4\nHOST=canary-host\n" }
	change := patchtest.Change(
		patchtest.Modify("a.js", lines("one()\n"), lines("two()\n")), patchtest.Modify(".env.production", env("DEBUG=0"), env("DEBUG=1")),
	)
	w := &witness{place: "two()", proof: "const token"}
	state, entries := witnessed(t, w, change, "")
	stored := inJSON(t, entries)
	for text := range w.sent {
		if strings.Contains(text, token) || strings.Contains(text, "canary-host") {
			t.Error("a secret is sent")
		}
	}
	if strings.Contains(string(stored), token) || strings.Contains(string(stored), "canary-host") {
		t.Error("a secret is stored")
	}
	list := confirmedClaims(state)
	if len(list) == 0 || list[0].Evidence[1].Cite.Quote != `const token = "[redacted]"` {
		t.Errorf("the line with the secret cannot be cited: %+v", state.Book.Claims)
	}
}

// What the change renames, removes or drops is looked for elsewhere: a caller that was
// not updated and a column that is still selected prove the finding, and are cited.
func TestProofInAnotherFile(t *testing.T) {
	t.Parallel()
	same := func(name, text string) patchtest.Edit { return patchtest.Modify(name, text, text) }
	for name, c := range map[string]struct {
		w     *witness
		edits []patchtest.Edit
		path  string
	}{
		"a caller": {
			&witness{place: "func Parse", proof: "shop.Parse(text)"},
			[]patchtest.Edit{
				patchtest.Modify("shop/parse.go", "package shop\n\nfunc Parse(s string) int { return 0 }\n", "package shop\n\nfunc Parse(s string) (int, error) { return 0, nil }\n"),
				same("cmd/shop/main.go", "package main\n\nfunc main() {\n\tn := shop.Parse(text)\n}\n"),
			}, "cmd/shop/main.go",
		},
		"a column": {
			&witness{place: "DROP COLUMN", proof: "SELECT legacy_ref"},
			[]patchtest.Edit{
				patchtest.Add("db/migrations/4.sql", "ALTER TABLE orders DROP COLUMN legacy_ref;\n"),
				same("report/orders.py", "QUERY = \"SELECT legacy_ref FROM orders\"\n"),
			}, "report/orders.py",
		},
		"a column, in a file whose name is no UTF-8": {
			&witness{place: "DROP COLUMN", proof: "SELECT legacy_ref"},
			[]patchtest.Edit{
				patchtest.Add("db/migrations/4.sql", "ALTER TABLE orders DROP COLUMN legacy_ref;\n"),
				same("report/caf\xe9.py", "QUERY = \"SELECT legacy_ref FROM orders\"\n"),
			}, "report/caf\ufffd.py",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			change := patchtest.Change(c.edits...)
			state, entries := witnessed(t, c.w, change, "")
			list := confirmedClaims(state)
			if len(list) == 0 {
				t.Fatalf("nothing is confirmed: %+v", state.Book.Claims)
			}
			proof := list[0].Evidence[1]
			if !proof.CitationOK || proof.Changed || proof.InHunk || proof.Cite.Path != c.path || !proof.Code.Has(0) {
				t.Errorf("the line elsewhere: %+v", proof)
			}
			again := publisher(t)
			again.Subject.Frozen.Change, again.Checks = change, nil
			again.Subject.Critic = func(c patch.Change, skip func(string) bool, proposals []segment.Proposal) Critique {
				return Critique(critic.Review(c, skip, proposals))
			}
			want := wanted()
			want.Facts = []debate.Event{debate.Published{Sinks: []string{"test"}}}
			if _, _, err := again.Rebuild(t.Context(), want, copied(t, entries), said(entries)); err != nil {
				t.Error(err)
			}

			state, _ = witnessed(t, c.w, change, OfChangedFiles)
			if list := confirmedClaims(state); len(list) > 0 {
				t.Errorf("confirmed without having been shown: %+v", list)
			}
		})
	}
}

// Where nobody can be asked, nothing is looked for that only models would be shown.
func TestNothingIsShownToNobody(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		status   debate.PartyStatus
		searches bool
	}{
		"models can be asked": {debate.PartyOK, true},
		"nobody has a key":    {debate.PartyNotFound, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			change := patchtest.Change(patchtest.Add("db/migrations/4.sql", "ALTER TABLE orders DROP COLUMN legacy_ref;\n"))
			searched := false
			change.Search = func([]string) ([]patch.Use, patch.Reach) {
				searched = true
				return nil, patch.Everywhere
			}
			r, _ := newDebate(t, &table{})
			r.Subject.Frozen.Change = change
			for i := range r.Participants {
				r.Participants[i].Status = row.status
			}
			if _, err := r.Start(t.Context(), asked()); err != nil {
				t.Fatal(err)
			}
			if searched != row.searches {
				t.Errorf("the repository is searched: %v", searched)
			}
		})
	}
}
