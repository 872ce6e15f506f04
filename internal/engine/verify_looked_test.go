package engine

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/look"
)

// looking is who verifies a record in which a party looked at something, where the n-th
// look, from 0, is next.
func looking(t *testing.T, entries []debate.Entry, n int, tree look.Tree) (*verifier, debate.Entry) {
	t.Helper()
	for i, e := range entries {
		if e.Event.Kind() != debate.KindLooked {
			continue
		}
		if n--; n >= 0 {
			continue
		}
		again, _ := seeking(t, searching(), tree)
		again.Clients, again.Now = nil, func() int64 { return 1_700_010_000_000 }
		want := wanted()
		want.Received.Settings.Looks = 12
		if _, err := again.Verify(t.Context(), want, copied(t, entries[:i])); err != nil {
			t.Fatal(err)
		}
		return &verifier{review: again, want: want}, copied(t, entries[i:i+1])[0]
	}
	t.Fatal("nobody looked so often")
	return nil, debate.Entry{}
}

// TestLookedAt: what a record says of a look is possible, and what was shown stands there.
func TestLookedAt(t *testing.T) {
	t.Parallel()
	r, log := seeking(t, searching(), callers)
	state, err := r.Start(t.Context(), askedWithLooks(12))
	ended(t, state, log, err)
	const (
		nobody  = "nobody was asked this"
		early   = "the look is recorded before it came"
		long    = "its texts are too long"
		digests = "its digests are none"
		numbers = "its numbers are out of range"
		shows   = "what it was shown does not stand there"
	)
	base := debate.Seen{
		Look: debate.Look{Kind: debate.LookRead, Path: "run.sh", Side: debate.Left}, Hash: callers.Name(debate.Left),
		Runs: []debate.ShownRun{{Path: "run.sh", First: 2, Lines: []string{"exec serve \"$1\""}}},
	}
	for name, row := range map[string]struct {
		look int // 0 is a list of names, 1 are lines that were found
		edit func(*debate.Looked)
		want string
	}{
		"names":                         {0, func(*debate.Looked) {}, ""},
		"lines":                         {1, func(*debate.Looked) {}, ""},
		"of another ask":                {0, func(l *debate.Looked) { l.Ask = "OPEN/0/eve" }, nobody},
		"it ends later than its record": {0, func(l *debate.Looked) { l.Ended += 1 << 40 }, early},
		"the longest text":              {0, func(l *debate.Looked) { l.Raw = strings.Repeat("x", maxRecorded) }, ""},
		"a longer text":                 {0, func(l *debate.Looked) { l.Raw = strings.Repeat("x", maxRecorded+1) }, long},
		"a digest that is none":         {0, func(l *debate.Looked) { l.ReplyHash = "abc" }, digests},
		"a name of a text that is none": {0, func(l *debate.Looked) { l.Text = "abc" }, digests},
		"money back":                    {0, func(l *debate.Looked) { l.Usage.CostMicro = -1 }, numbers},
		"it took no time":               {0, func(l *debate.Looked) { l.Started, l.Ended = 0, 0 }, ""},
		"it began before all time":      {0, func(l *debate.Looked) { l.Started = -1 }, numbers},
		"it ended before it began":      {0, func(l *debate.Looked) { l.Ended = l.Started - 1 }, numbers},
		"fewer names":                   {0, func(l *debate.Looked) { l.Seen[0].Names = l.Seen[0].Names[:1] }, ""},
		"more names":                    {0, func(l *debate.Looked) { l.Seen[0].Names = append(l.Seen[0].Names, "x.sh") }, shows},
		"another name":                  {0, func(l *debate.Looked) { l.Seen[0].Names[0] = "x.sh" }, shows},
		"a redacted name":               {0, func(l *debate.Looked) { l.Seen[0].Names[0] = "[redacted]" }, ""},
		"another line":                  {1, func(l *debate.Looked) { l.Seen[0].Runs[0].Lines[0] = "./run.sh slow" }, shows},
		"a redacted line":               {1, func(l *debate.Looked) { l.Seen[0].Runs[0].Lines[0] = "./run.sh [redacted]" }, ""},
		"a line more":                   {1, func(l *debate.Looked) { l.Seen[0].Runs[0].Lines = append(l.Seen[0].Runs[0].Lines, "") }, shows},
		"another place":                 {1, func(l *debate.Looked) { l.Seen[0].Runs[0].First++ }, shows},
		"another file":                  {1, func(l *debate.Looked) { l.Seen[0].Runs[0].Path = "run.sh" }, shows},
		"another tree":                  {1, func(l *debate.Looked) { l.Seen[0].Hash = "x" }, shows},
		"the tree of the other side":    {1, func(l *debate.Looked) { l.Seen[0].Side = debate.Left }, shows},
		"the base":                      {1, func(l *debate.Looked) { l.Seen[0] = base }, ""},
		"the base, as no side":          {1, func(l *debate.Looked) { l.Seen[0] = base; l.Seen[0].Side = "" }, shows},
		"the second of two":             {1, func(l *debate.Looked) { l.Seen = append(l.Seen, base); l.Seen[1].Runs[0].First = 1 }, shows},
		"one that was refused":          {1, func(l *debate.Looked) { l.Seen[0] = debate.Seen{Look: l.Seen[0].Look, Why: debate.LookUsedUp} }, ""},
	} {
		v, e := looking(t, log.entries, row.look, callers)
		ev := e.Event.(debate.Looked)
		base.Runs = slices.Clone(base.Runs)
		row.edit(&ev)
		if why, err := v.lookedAt(t.Context(), e.At, ev); err != nil || why != row.want {
			t.Errorf("%s: %q, %v", name, why, err)
		}
	}
	v, e := looking(t, log.entries, 0, callers)
	ev := e.Event.(debate.Looked)
	if why, _ := v.lookedAt(t.Context(), ev.Ended, ev); why != "" {
		t.Errorf("it is recorded as it ends: %q", why)
	}
	v = &verifier{review: publisher(t)}
	if why, _ := v.lookedAt(t.Context(), e.At, ev); why != nobody {
		t.Errorf("before anybody was asked: %q", why)
	}
}

// withheld is a tree of which nothing can be read any more.
type withheld struct {
	grove
	why debate.Withheld
}

func (w withheld) Read(string, debate.Side) ([]byte, debate.Withheld) { return nil, w.why }

// TestLookedAtWhatIsGone: what this process cannot read is no forgery; what is not there is.
func TestLookedAtWhatIsGone(t *testing.T) {
	t.Parallel()
	r, log := seeking(t, searching(), callers)
	state, err := r.Start(t.Context(), askedWithLooks(12))
	ended(t, state, log, err)
	for why, forged := range map[debate.Withheld]bool{debate.LookUnreadable: false, debate.LookUsedUp: false, debate.LookMissing: true, debate.LookBinary: true} {
		err := verifiedLooks(t, log.entries, withheld{callers, why})
		if err == nil || errors.As(err, new(*ForgedError)) != forged {
			t.Errorf("%s: %v", why, err)
		}
	}
}
