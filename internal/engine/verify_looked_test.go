package engine

import (
	"errors"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/look"
)

// looking is who verifies a record in which parties looked at something, where the first
// look of a kind is next. Which party looks first differs from run to run.
func looking(t *testing.T, entries []debate.Entry, kind debate.LookKind, tree look.Tree) (*verifier, debate.Entry) {
	t.Helper()
	for i, e := range entries {
		if ev, is := e.Event.(debate.Looked); !is || ev.Seen[0].Look.Kind != kind {
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
	t.Fatal("nobody looked so")
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
	base := func() debate.Seen {
		return debate.Seen{
			Look: debate.Look{Kind: debate.LookRead, Path: "run.sh", Side: debate.Left}, Hash: callers.Name(debate.Left),
			Runs: []debate.ShownRun{{Path: "run.sh", First: 2, Lines: []string{"exec serve \"$1\""}}},
		}
	}
	for name, row := range map[string]struct {
		look debate.LookKind // a list of names, or lines that were found
		edit func(*debate.Looked)
		want string
	}{
		"names":                         {debate.LookList, func(*debate.Looked) {}, ""},
		"lines":                         {debate.LookGrep, func(*debate.Looked) {}, ""},
		"of another ask":                {debate.LookList, func(l *debate.Looked) { l.Ask = "OPEN/0/eve" }, nobody},
		"it ends later than its record": {debate.LookList, func(l *debate.Looked) { l.Ended += 1 << 40 }, early},
		"the longest text":              {debate.LookList, func(l *debate.Looked) { l.Raw = strings.Repeat("x", maxRecorded) }, ""},
		"a longer text":                 {debate.LookList, func(l *debate.Looked) { l.Raw = strings.Repeat("x", maxRecorded+1) }, long},
		"a digest that is none":         {debate.LookList, func(l *debate.Looked) { l.ReplyHash = "abc" }, digests},
		"a name of a text that is none": {debate.LookList, func(l *debate.Looked) { l.Text = "abc" }, digests},
		"money back":                    {debate.LookList, func(l *debate.Looked) { l.Usage.CostMicro = -1 }, numbers},
		"it took no time":               {debate.LookList, func(l *debate.Looked) { l.Started, l.Ended = 0, 0 }, ""},
		"it began before all time":      {debate.LookList, func(l *debate.Looked) { l.Started = -1 }, numbers},
		"it ended before it began":      {debate.LookList, func(l *debate.Looked) { l.Ended = l.Started - 1 }, numbers},
		"fewer names":                   {debate.LookList, func(l *debate.Looked) { l.Seen[0].Names = l.Seen[0].Names[:1] }, ""},
		"more names":                    {debate.LookList, func(l *debate.Looked) { l.Seen[0].Names = append(l.Seen[0].Names, "x.sh") }, shows},
		"another name":                  {debate.LookList, func(l *debate.Looked) { l.Seen[0].Names[0] = "x.sh" }, shows},
		"a redacted name":               {debate.LookList, func(l *debate.Looked) { l.Seen[0].Names[0] = "[redacted]" }, ""},
		"another line":                  {debate.LookGrep, func(l *debate.Looked) { l.Seen[0].Runs[0].Lines[0] = "./run.sh slow" }, shows},
		"a redacted line":               {debate.LookGrep, func(l *debate.Looked) { l.Seen[0].Runs[0].Lines[0] = "./run.sh [redacted]" }, ""},
		"a line more":                   {debate.LookGrep, func(l *debate.Looked) { l.Seen[0].Runs[0].Lines = append(l.Seen[0].Runs[0].Lines, "") }, shows},
		"another place":                 {debate.LookGrep, func(l *debate.Looked) { l.Seen[0].Runs[0].First++ }, shows},
		"another file":                  {debate.LookGrep, func(l *debate.Looked) { l.Seen[0].Runs[0].Path = "run.sh" }, shows},
		"another tree":                  {debate.LookGrep, func(l *debate.Looked) { l.Seen[0].Hash = "x" }, shows},
		"the tree of the other side":    {debate.LookGrep, func(l *debate.Looked) { l.Seen[0].Side = debate.Left }, shows},
		"the base":                      {debate.LookGrep, func(l *debate.Looked) { l.Seen[0] = base() }, ""},
		"the base, as no side":          {debate.LookGrep, func(l *debate.Looked) { l.Seen[0] = base(); l.Seen[0].Side = "" }, shows},
		"the second of two":             {debate.LookGrep, func(l *debate.Looked) { l.Seen = append(l.Seen, base()); l.Seen[1].Runs[0].First = 1 }, shows},
		"one that was refused":          {debate.LookGrep, func(l *debate.Looked) { l.Seen[0] = debate.Seen{Look: l.Seen[0].Look, Why: debate.LookUsedUp} }, ""},
	} {
		v, e := looking(t, log.entries, row.look, callers)
		ev := e.Event.(debate.Looked)
		row.edit(&ev)
		if why, err := v.lookedAt(t.Context(), e.At, ev); err != nil || why != row.want {
			t.Errorf("%s: %q, %v", name, why, err)
		}
	}
	v, e := looking(t, log.entries, debate.LookList, callers)
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
