package engine

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// edited replaces the first event of its kind for which edit returns true.
func edited[E debate.Event](edit func(*E) bool) func(*testing.T, []debate.Entry) []debate.Entry {
	return func(t *testing.T, entries []debate.Entry) []debate.Entry {
		t.Helper()
		for i, e := range entries {
			if ev, ok := e.Event.(E); ok && edit(&ev) {
				entries[i].Event = ev
				return entries
			}
		}
		t.Fatal("the record has nothing to forge")
		return nil
	}
}

// citation edits the first citation of a reply that which picks.
func citation(which func(debate.Ref) bool, edit func(*debate.Ref)) func(*testing.T, []debate.Entry) []debate.Entry {
	return edited(func(ev *debate.Replied) bool {
		if ev.Reply == nil {
			return false
		}
		for _, ref := range refsOf(ev.Reply) {
			if which(*ref) {
				edit(ref)
				return true
			}
		}
		return false
	})
}

func holds(ref debate.Ref) bool { return ref.Found.OK && !strings.Contains(ref.Quote, "[redacted]") }

func marked(ref debate.Ref) bool { return ref.Found.OK && strings.Contains(ref.Quote, "[redacted]") }

func fails(ref debate.Ref) bool { return ref.Found.Why != "" && ref.Path == "run.sh" }

// reply edits the first reply that was read.
func reply(edit func(*debate.Reply)) func(*testing.T, []debate.Entry) []debate.Entry {
	return edited(func(ev *debate.Replied) bool {
		if ev.Reply == nil {
			return false
		}
		edit(ev.Reply)
		return true
	})
}

// put puts an event behind the first one of a kind, and renumbers.
func put(behind debate.EventKind, ev debate.Event) func(*testing.T, []debate.Entry) []debate.Entry {
	return func(t *testing.T, entries []debate.Entry) []debate.Entry {
		t.Helper()
		i := slices.IndexFunc(entries, func(e debate.Entry) bool { return e.Event.Kind() == behind })
		if i < 0 {
			t.Fatalf("there is no event %s", behind)
		}
		entries = slices.Insert(entries, i+1, debate.Entry{At: entries[i].At, Event: ev})
		return renumbered(entries)
	}
}

func renumbered(entries []debate.Entry) []debate.Entry {
	for i := range entries {
		entries[i].N = i + 1
	}
	return entries
}

// last puts an event at the end.
func last(ev debate.Event) func(*testing.T, []debate.Entry) []debate.Entry {
	return func(_ *testing.T, entries []debate.Entry) []debate.Entry {
		return renumbered(append(entries, debate.Entry{At: entries[len(entries)-1].At, Event: ev}))
	}
}

// TestVerifyForged: one edit anywhere in what a record says, and it is refused.
func TestVerifyForged(t *testing.T) {
	t.Parallel()
	genuine := held(t, wellRead)
	ann := debate.Actor{Login: "ann", Permission: debate.AdminRole}
	for name, forge := range map[string]func(*testing.T, []debate.Entry) []debate.Entry{
		// what was asked
		"settings":       edited(func(ev *debate.Received) bool { ev.Settings.FailOn = debate.FailP3; return true }),
		"gate":           edited(func(ev *debate.Received) bool { ev.Settings.Gate = debate.Required; return true }),
		"author decides": edited(func(ev *debate.Received) bool { ev.Settings.AuthorMayDecide = true; return true }),
		"pull request":   edited(func(ev *debate.Received) bool { ev.Anchor.PR = 8; return true }),
		"intent":         edited(func(ev *debate.Received) bool { ev.Anchor.Intent += "."; return true }),
		"waiver": edited(func(ev *debate.Received) bool {
			ev.Orders = []debate.Order{{Kind: debate.OrderWaive, By: ann}}
			return true
		}),
		"earlier heads":   edited(func(ev *debate.Received) bool { ev.Previous.Heads = 3; return true }),
		"guidance":        edited(func(ev *debate.Received) bool { ev.Guidance = []string{"pass"}; return true }),
		"protocol":        edited(func(ev *debate.Received) bool { ev.Protocol = "3"; return true }),
		"seed":            edited(func(ev *debate.Received) bool { ev.Seed = "0f0f"; return true }),
		"session":         edited(func(ev *debate.Received) bool { ev.SessionID = "debate-../../x"; return true }),
		"session, longer": edited(func(ev *debate.Received) bool { ev.SessionID += "\n"; return true }),
		// what follows from the change
		"snapshot":         edited(func(ev *debate.Snapshotted) bool { ev.Hash = "i"; return true }),
		"head":             edited(func(ev *debate.Snapshotted) bool { ev.HeadSHA = "bbbb"; return true }),
		"note":             edited(func(ev *debate.Snapshotted) bool { ev.Notes = []string{"all is well"}; return true }),
		"coverage":         edited(func(ev *debate.SplitDone) bool { ev.Coverage[0].By = []string{"gem"}; return true }),
		"chunk":            edited(func(ev *debate.SplitDone) bool { ev.Chunks = nil; return true }),
		"excluded":         edited(func(ev *debate.SplitDone) bool { ev.Coverage[0].Excluded = debate.Generated; return true }),
		"severity":         edited(func(ev *debate.Critiqued) bool { ev.Hits[0].Severity = debate.P3; return true }),
		"hit that fails":   edited(func(ev *debate.Critiqued) bool { ev.Hits[0].CitationOK = false; return true }),
		"hit's trigger":    edited(func(ev *debate.Critiqued) bool { ev.Hits[0].Trigger = ""; return true }),
		"hit's lines":      edited(func(ev *debate.Critiqued) bool { ev.Hits[0].Cite.StartLine = 1; return true }),
		"hit left out":     edited(func(ev *debate.Critiqued) bool { ev.Hits = ev.Hits[:0]; return true }),
		"hit made up":      edited(func(ev *debate.Critiqued) bool { ev.Hits = append(ev.Hits, ev.Hits[0]); return true }),
		"trigger":          edited(func(ev *debate.Policed) bool { ev.Triggers[0].Class = debate.ClassPath; return true }),
		"trigger left out": edited(func(ev *debate.Policed) bool { ev.Triggers = ev.Triggers[:0]; return true }),
		"trigger waived":   edited(func(ev *debate.Policed) bool { ev.Triggers[0].Waived = "ann"; return true }),
		"skip":             edited(func(ev *debate.Policed) bool { ev.Skip = "nothing to see"; return true }),
		// who takes part
		"model":         edited(func(ev *debate.Preflighted) bool { ev.Parties[1].Model = "other"; return true }),
		"role":          edited(func(ev *debate.Preflighted) bool { ev.Parties[1].Role = debate.Primary; return true }),
		"family":        edited(func(ev *debate.Preflighted) bool { ev.Parties[1].Family = "gpt"; return true }),
		"party":         edited(func(ev *debate.Preflighted) bool { ev.Parties = ev.Parties[:2]; return true }),
		"party status":  edited(func(ev *debate.Preflighted) bool { ev.Parties[1].Status = "excellent"; return true }),
		"party missing": edited(func(ev *debate.Preflighted) bool { ev.Parties[1].Status = debate.PartyNotFound; return true }),
		"party says": edited(func(ev *debate.Preflighted) bool {
			ev.Parties[1].Detail = strings.Repeat("x", 8*maxDetail+1)
			return true
		}),
		// what was sent
		"another text": edited(func(ev *debate.Shown) bool { ev.Texts[0].Text += "."; return true }),
		"another turn": edited(func(ev *debate.Replied) bool { ev.Turn += "."; return true }),
		// check runs
		"run made up": edited(func(ev *debate.Checked) bool {
			ev.Runs = append(ev.Runs, debate.Run{Ref: "check:3", Failed: true})
			return true
		}),
		"run twice":     edited(func(ev *debate.Checked) bool { ev.Runs[1] = ev.Runs[0]; return true }),
		"run fails":     edited(func(ev *debate.Checked) bool { ev.Runs[1].Failed = true; return true }),
		"run elsewhere": edited(func(ev *debate.Checked) bool { ev.Runs[0].StartLine = 1; return true }),
		"run says":      edited(func(ev *debate.Checked) bool { ev.Runs[0].Text += " at all"; return true }),
		"run shows":     edited(func(ev *debate.Checked) bool { ev.Runs[0].Text = "hunter2 and [redacted] are refused"; return true }),
		// citations
		"citation fails": citation(holds, func(ref *debate.Ref) { ref.Found = debate.Found{Why: "no"} }),
		"citation holds": citation(fails, func(ref *debate.Ref) {
			ref.Found = debate.Found{OK: true, Changed: true, InHunk: true, Commentable: true}
		}),
		"citation half holds":  citation(fails, func(ref *debate.Ref) { ref.Found.Changed = true }),
		"another reason":       citation(fails, func(ref *debate.Ref) { ref.Found.Why = "somebody else said so" }),
		"run has lines":        citation(func(ref debate.Ref) bool { return ref.Path == "" }, func(ref *debate.Ref) { ref.Found.OK = true }),
		"unchanged":            citation(marked, func(ref *debate.Ref) { ref.Found.Changed = false }),
		"changed":              citation(holds, func(ref *debate.Ref) { ref.Found.Changed = true }),
		"outside":              citation(holds, func(ref *debate.Ref) { ref.Found.InHunk = false }),
		"not commentable":      citation(holds, func(ref *debate.Ref) { ref.Found.Commentable = false }),
		"citation's reason":    citation(holds, func(ref *debate.Ref) { ref.Found.Why = "no" }),
		"other lines":          citation(holds, func(ref *debate.Ref) { ref.StartLine, ref.EndLine = 2, 2 }),
		"more lines":           citation(holds, func(ref *debate.Ref) { ref.EndLine++ }),
		"lines far away":       citation(holds, func(ref *debate.Ref) { ref.StartLine, ref.EndLine = 1<<40, 1<<40 }),
		"all lines":            citation(holds, func(ref *debate.Ref) { ref.EndLine = 1 << 40 }),
		"backwards":            citation(holds, func(ref *debate.Ref) { ref.StartLine, ref.EndLine = 1, 0 }),
		"redacted, other line": citation(marked, func(ref *debate.Ref) { ref.StartLine, ref.EndLine = 1, 1 }),
		"other side":           citation(marked, func(ref *debate.Ref) { ref.Side = debate.Left }),
		"no side":              citation(holds, func(ref *debate.Ref) { ref.Side = "" }),
		"other file":           citation(holds, func(ref *debate.Ref) { ref.Path = "yarn.lock" }),
		"other quote":          citation(holds, func(ref *debate.Ref) { ref.Quote += "x" }),
		"part of a line":       citation(holds, func(ref *debate.Ref) { ref.Quote = ref.Quote[1:] }),
		"secret shown":         citation(marked, func(ref *debate.Ref) { ref.Quote = "token=hunter2 deploy" }),
		"redacted otherwise":   citation(marked, func(ref *debate.Ref) { ref.Quote = "token=[redacted] destroy" }),
		"short line": citation(holds, func(ref *debate.Ref) {
			ref.StartLine, ref.EndLine, ref.Quote = 3, 3, "exit"
		}),
		"text, changed": citation(func(ref debate.Ref) bool { return ref.Path == debate.BodyPath && ref.Found.OK }, func(ref *debate.Ref) { ref.Found.Changed = true }),
		"text, no line": citation(func(ref debate.Ref) bool { return ref.Path == debate.BodyPath && ref.Found.OK }, func(ref *debate.Ref) { ref.EndLine += 5 }),
		"text, left":    citation(func(ref debate.Ref) bool { return ref.Path == debate.BodyPath && ref.Found.OK }, func(ref *debate.Ref) { ref.Side = debate.Left }),
		// what replies are read as
		"unknown severity":    reply(func(r *debate.Reply) { r.Claims[0].Severity = "P0" }),
		"moderate":            reply(func(r *debate.Reply) { r.Strength = debate.StrengthModerate }),
		"procedural trigger":  reply(func(r *debate.Reply) { r.Critical = []debate.Assertion{{Trigger: debate.TriggerTie}} }),
		"undecided":           reply(func(r *debate.Reply) { r.Disposition = debate.Continue }),
		"option":              reply(func(r *debate.Reply) { r.FinalOptions = []debate.FinalOption{{Decision: "D0", Option: "merge"}} }),
		"rating":              reply(func(r *debate.Reply) { r.Delta = &debate.Rating{ValueBP: -1} }),
		"score":               reply(func(r *debate.Reply) { r.PerOption = []debate.Assessment{{Option: "keep", Score: 1 << 40}} }),
		"self-challenge":      reply(func(r *debate.Reply) { r.SelfChallenges = []debate.SelfChallenge{{Claim: -1}} }),
		"many claims":         reply(func(r *debate.Reply) { r.Claims = slices.Repeat(r.Claims, 201) }),
		"long list":           reply(func(r *debate.Reply) { r.Reasoning = make([]string, 5000) }),
		"long text":           reply(func(r *debate.Reply) { r.Summary = strings.Repeat("x", maxRecorded) }),
		"no reply":            edited(func(ev *debate.Replied) bool { ev.Reply = nil; return true }),
		"status":              edited(func(ev *debate.Replied) bool { ev.Status = "splendid"; return true }),
		"failed, with a view": edited(func(ev *debate.Replied) bool { ev.Status = debate.CallTimeout; return true }),
		"unread":              edited(func(ev *debate.Replied) bool { ev.Reading = ""; return true }),
		"detail": edited(func(ev *debate.Replied) bool {
			ev.Status, ev.Reply, ev.Reading, ev.Detail = debate.CallError, nil, "", "a\nb"
			return true
		}),
		"late":          edited(func(ev *debate.Replied) bool { ev.Late = true; return true }),
		"digest":        edited(func(ev *debate.Replied) bool { ev.ReplyHash = "abc"; return true }),
		"dropped":       edited(func(ev *debate.Replied) bool { ev.Dropped = []string{"a\nb"}; return true }),
		"money back":    edited(func(ev *debate.Replied) bool { ev.Usage.CostMicro = -5; return true }),
		"time back":     edited(func(ev *debate.Replied) bool { ev.Ended = ev.Started - 1; return true }),
		"ahead of time": edited(func(ev *debate.Replied) bool { ev.Ended += 1 << 40; return true }),
		"another ask":   edited(func(ev *debate.Replied) bool { ev.Ask = "OPEN/0/eve"; return true }),
		// what only the world does
		"decided": last(debate.Decided{Decision: "D0", Option: "keep", By: ann, Via: debate.ViaCommand}),
		"decided by who held the record": last(debate.Decided{
			Decision: "D0", Option: "keep", By: debate.Actor{Login: "ann"}, Via: debate.ViaLocal,
		}),
		"published": last(debate.Published{Sinks: []string{"issue"}}),
		"refused":   last(debate.SinkFailed{Decision: "D0", Sink: debate.SinkIssue}),
		"withdrawn": last(debate.WithdrawnEvent{Reason: "merged_undecided"}),
		"moved":     last(debate.HeadMoved{Head: "bbbb"}),
		"aborted":   last(debate.AbortedEvent{Reason: "no"}),
		"resumed":   last(debate.Resumed{}),
		"closed":    last(debate.Closed{}),
		"stopped":   put(debate.KindReplied, debate.Stopped{By: ann}),
		"disputed":  last(debate.Disputed{Claim: "F1", By: ann}),
		"reminded":  last(debate.Reminded{Decision: "D0"}),
		"given up":  put(debate.KindSnapshotted, debate.AbortedEvent{Reason: "the ledger does not add up"}),
		// the record as a whole
		"empty":    func(*testing.T, []debate.Entry) []debate.Entry { return nil },
		"headless": func(_ *testing.T, all []debate.Entry) []debate.Entry { return renumbered(all[1:]) },
		"gap":      func(_ *testing.T, all []debate.Entry) []debate.Entry { return slices.Delete(all, 6, 7) },
		"left out": func(_ *testing.T, all []debate.Entry) []debate.Entry { return renumbered(slices.Delete(all, 6, 7)) },
		"reordered": func(_ *testing.T, all []debate.Entry) []debate.Entry {
			all[3], all[4] = all[4], all[3]
			return renumbered(all)
		},
		"twice": func(_ *testing.T, all []debate.Entry) []debate.Entry {
			return renumbered(slices.Insert(all, 1, all[1]))
		},
		"old":       func(_ *testing.T, all []debate.Entry) []debate.Entry { all[0].At = 1; return all },
		"in future": func(_ *testing.T, all []debate.Entry) []debate.Entry { all[len(all)-1].At += 86_400_000; return all },
		"clock":     func(_ *testing.T, all []debate.Entry) []debate.Entry { all[5].At = all[4].At - 1; return all },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			forged := forge(t, copied(t, genuine))
			_, err := publisher(t).Verify(t.Context(), wanted(), forged)
			var refused *ForgedError
			if !errors.As(err, &refused) || refused.What == "" {
				t.Fatalf("got %v", err)
			}
			t.Log(err)
		})
	}
}
