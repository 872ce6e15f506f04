package engine

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/segment"
)

// showing is one file as it is.
func showing(path, content string) Frozen {
	return Frozen{
		Event: debate.Snapshotted{Scope: debate.ScopeQuestion, Hash: "h"},
		Change: patch.Change{
			Set:     &patch.Set{Files: []*patch.File{patch.Shown(path, content)}},
			Blob:    func(string, debate.Side) ([]byte, bool) { return nil, false },
			BaseHas: func(string) bool { return false },
		},
		Err: func() error { return nil },
	}
}

// watching remembers what was sent.
type watching struct {
	*table
	t *testing.T
}

func (w watching) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	if strings.Contains(req.System+req.Packet+req.Turn, "hunter2") {
		w.t.Error("the secret is sent")
	}
	if !strings.Contains(req.Packet, "segment S2 context run.sh 1-3\n 1 #!/bin/sh\n 2 token=[redacted] deploy\n") {
		w.t.Errorf("the file is not shown as it is:\n%s", req.Packet)
	}
	return w.table.Ask(ctx, req)
}

// TestQuestion debates a question: what the critic finds in the file that it shows
// is no finding, but its secret stays secret; what parties cite there is in scope
// although nobody changed it (R132).
func TestQuestion(t *testing.T) {
	t.Parallel()
	p := &table{answer: agree}
	r, log := newDebate(t, p)
	r.Subject.Frozen = showing("run.sh", "#!/bin/sh\ntoken=hunter2 deploy\nexit\n")
	everybody := watching{p, t}
	r.Clients = map[string]Client{"gpt": everybody, "gem": everybody, "qwen": everybody}
	r.Subject.Critic = func(c patch.Change, _ func(string) bool, _ []segment.Proposal) Critique {
		x := patch.NewIndex(c.Set)
		if !x.Changed("run.sh", debate.Right, 2) || !x.Changed(debate.BodyPath, debate.Right, 1) {
			t.Error("the critic does not read all of it")
		}
		return Critique{Hits: []debate.Hit{secretHit()}, Secrets: []string{"hunter2"}, Missing: []string{"alternatives"}}
	}
	received := first()
	received.Scope, received.Anchor = debate.ScopeQuestion, debate.Anchor{Title: "Is run.sh safe?", Intent: "Is run.sh safe?"}
	received.Inquiry = &debate.Inquiry{Framing: debate.FramingValidate}
	state, err := r.Start(t.Context(), received)
	ended(t, state, log, err)
	if state.Ending.Outcome != debate.Consensus || state.Ending.Disposition != debate.Revise || len(state.Agenda.Triggers) != 0 || len(state.Critique.Missing) != 0 {
		t.Errorf("%s %s, triggers %v, missing %v", state.Ending.Outcome, state.Ending.Disposition, state.Agenda.Triggers, state.Critique.Missing)
	}
	if len(state.Book.Claims) == 0 {
		t.Error("there is no claim")
	}
	for _, c := range state.Book.Claims {
		if c.Owner == debate.EngineParty || c.OutOfScope || c.SameAs == "" && c.Bucket != debate.Agreed {
			t.Errorf("claim %s of %s is %s: %s", c.ID, c.Owner, c.Bucket, c.Why)
		}
	}
	if state.Coverage() != debate.CoverageFull {
		t.Errorf("coverage %s", state.Coverage())
	}
}

// TestFramings plays a debate under every framing, with a primary that answers to the
// end, that fails at its opening, and that fails when it has to answer, and reads all
// turns that were sent. The primary takes the position, alone except under parallel. Each
// party has one stance in all of its calls, and the party that takes the place of the
// primary takes its stance (R174).
func TestFramings(t *testing.T) {
	t.Parallel()
	for _, framing := range debate.Framings() {
		for _, fails := range []string{"", "OPEN", "RESPOND"} {
			t.Run(string(framing)+"/"+fails, func(t *testing.T) {
				t.Parallel()
				data, err := os.ReadFile(filepath.Join("..", "prompt", "texts", "framing_"+string(framing)+".txt"))
				if err != nil {
					t.Fatal(err)
				}
				first, second, apart := strings.Cut(strings.TrimSpace(string(data)), "\n\n")
				if apart != (framing != debate.FramingParallel) {
					t.Fatalf("the others have a stance of their own: %v", apart)
				}
				primary, calls := "gpt", map[string]int{} // "primary", "others": of their turns after CHALLENGE
				for _, x := range sentInFraming(t, framing, fails) {
					call, party := x.Envelope.Call, x.Envelope.Party
					own := map[bool]string{true: first, false: cmp.Or(second, first)}[party == primary]
					switch call {
					case "OPEN", "CHALLENGE", "RESPOND", "REBUT":
						calls[call]++
						switch exchange := call == "RESPOND" || call == "REBUT"; {
						case exchange && party == primary:
							calls["primary"]++
						case exchange:
							calls["others"]++
						}
					default:
						own = ""
					}
					if call == fails && party == primary { // the next one takes its place
						primary = "gem"
					}
					for _, stance := range []string{first, second} {
						if stance != "" && strings.Contains(x.Request, stance) != (stance == own) {
							t.Errorf("%s of %s: it has the stance %q: %v", call, party, stance, stance != own)
						}
					}
				}
				opened := map[bool]int{true: 1, false: 3}[apart] // under parallel all have opened when one fails
				if fails == "OPEN" && apart {
					opened = 2
				}
				if calls["OPEN"] != opened || calls["CHALLENGE"] == 0 || calls["primary"] == 0 || calls["others"] == 0 || fails == "RESPOND" && primary != "gem" {
					t.Errorf("the calls are %v, and %d should open", calls, opened)
				}
			})
		}
	}
}

// sentInFraming plays a debate in which all parties differ to the end, and returns the
// turns in the order in which they were sent.
func sentInFraming(t *testing.T, framing debate.Framing, fails string) []turn {
	t.Helper()
	var mu sync.Mutex
	var sent []turn
	lost := false
	answer := func(t turn) object {
		reply := dispute(t)
		wants := map[bool]string{true: "keep", false: "revise"}[t.Envelope.Party == "qwen"]
		reply["recommendation"], reply["final_option"] = wants, wants
		return reply
	}
	p := &table{answer: answer, before: func(_ context.Context, x turn, _ int) (string, error, bool) {
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, x)
		if x.Envelope.Party != "gpt" {
			return "", nil, false
		}
		lost = lost || x.Envelope.Call == fails
		if lost {
			return "", &model.Error{Class: debate.CallAuth}, true
		}
		return "", nil, false
	}}
	r, log := newDebate(t, p)
	r.Subject.Frozen = showing("run.sh", "#!/bin/sh\ntoken=hunter2 deploy\nexit\n")
	received := first()
	received.Scope, received.Anchor = debate.ScopeQuestion, debate.Anchor{Title: "Is run.sh safe?", Intent: "Is run.sh safe?"}
	received.Inquiry = &debate.Inquiry{Framing: framing}
	received.Settings.Opening = debate.OpenParallel // it is for reviews
	state, err := r.Start(t.Context(), received)
	ended(t, state, log, err)
	return sent
}

// inquiring is a debate about a question that shows run.sh, in a tree that parties may
// look at.
func inquiring(t *testing.T, s *seeker, most int) (*Review, *memory, debate.Received) {
	t.Helper()
	r, log := seeking(t, s, nil)
	r.Subject.Frozen = showing("run.sh", callers["run.sh"])
	r.Subject.Frozen.Tree = callers
	in := askedWithLooks(most)
	in.Scope, in.Anchor = debate.ScopeQuestion, debate.Anchor{Title: "Who starts run.sh?", Intent: "Who starts run.sh?"}
	in.Inquiry = &debate.Inquiry{Framing: debate.FramingPropose}
	return r, log, in
}

// TestLooksInAQuestion: who debates a question looks further as reviewers do. A point of
// fact that rests on nothing but a line that was looked at is confirmed, and no question
// is out of the scope of what its parties were shown. Where nobody may look it is not found.
func TestLooksInAQuestion(t *testing.T) {
	t.Parallel()
	for most, found := range map[int]bool{12: true, 0: false} {
		s := searching()
		s.place, s.body = "", "It is started with one word."
		r, log, in := inquiring(t, s, most)
		state, err := r.Start(t.Context(), in)
		ended(t, state, log, err)
		list := confirmedClaims(state)
		if (len(list) == 1) != found {
			t.Fatalf("at most %d looks: %+v", most, state.Book.Claims)
		}
		if found && (list[0].Cite().Path != "lib/caller.sh" || list[0].OutOfScope || !list[0].Evidence[0].Verified) {
			t.Errorf("confirmed: %+v", list[0])
		}
		if call := state.Asking.Calls[0]; call.Looks != min(most, 2) {
			t.Errorf("at most %d looks: %+v", most, call)
		}
		for text := range s.sent {
			if strings.Contains(text, "You may look further") != strings.Contains(text, "where the answer stands or falls") || strings.Contains(text, "the changed line first") {
				t.Errorf("at most %d looks: it is told how to look at a change:\n%s", most, text)
			}
		}
		if again, err := debate.Fold(copied(t, log.entries)); err != nil || again.Ending.Outcome != state.Ending.Outcome {
			t.Errorf("the record gives %s: %v", again.Ending.Outcome, err)
		}
	}
}

// TestLooksInAQuestionEnd: a party of a question that looks for ever is told to answer
// after four turns, asked once more, and is lost. Nothing of what is kept leaves.
func TestLooksInAQuestionEnd(t *testing.T) {
	t.Parallel()
	r, log, in := inquiring(t, nil, 12)
	endless := &seeker{endless: true, looks: []string{`[{"grep": {"pattern": "start"}}, {"read": ".env"}, {"read": "private/x.sh"}]`}}
	honest := searching()
	r.Clients = map[string]Client{"gpt": honest, "gem": endless, "qwen": honest}
	state, err := r.Start(t.Context(), in)
	ended(t, state, log, err)
	if endless.turns != 4+2 {
		t.Errorf("it was asked %d times", endless.turns)
	}
	for _, c := range state.Asking.Calls {
		if c.Party == "gem" && c.Status != debate.CallMalformed || c.Looks > 12 {
			t.Errorf("%+v", c)
		}
	}
	stored := inJSON(t, log.entries)
	if strings.Contains(string(stored), "canary-of-the") {
		t.Error("what is kept is in the record")
	}
}
