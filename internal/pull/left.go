package pull

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// Left is the record of a debate without an end, because its run died. The next run
// continues it, so no model call is paid twice.
type Left struct {
	Session string
	Place   string // of the record, as Runner.Record returns it
	Log     Log
	Entries []debate.Entry
}

func (l *Left) close() {
	if l != nil && l.Log != nil {
		l.Log.Close()
	}
}

// begins reports whether the left debate has not ended and equals the one to hold now:
// the same change, settings and texts. Hash is the hash of the current change: the change
// of a head differs once its base differs. A record of another version of the protocol
// never equals it.
//
// The first events may differ in the name of the session, its seed, its cost limit, and the
// names of earlier findings. Other debates may have lowered the cost limit meanwhile; the
// lower one holds for the next debate. And the dead run may have written comments before it
// died: their names are its own.
func (l *Left) begins(first debate.Received, hash string) bool {
	if l == nil || len(l.Entries) == 0 || cmp.Or(frozenIn(l.Entries).Hash, hash) != hash {
		return false
	}
	began, _ := l.Entries[0].Event.(debate.Received)
	first.SessionID, first.Seed, first.Settings.MaxCostMicro = began.SessionID, began.Seed, began.Settings.MaxCostMicro
	first.Previous.Names, first.Previous.NextF = began.Previous.Names, began.Previous.NextF
	was, errWas := debate.EncodeEvent(began)
	is, errIs := debate.EncodeEvent(first)
	if errors.Join(errWas, errIs) != nil || !bytes.Equal(was, is) {
		return false
	}
	state, err := debate.Fold(l.Entries)
	return err == nil && !state.Terminal()
}

// endLeft ends the check of a dead run if no run continues its debate, because of a newer
// head or because the pull request is closed (R29). It never frees a merge that was blocked
// before.
func (s *session) endLeft(ctx context.Context) error {
	head, newest := HeadOf(s.left.Entries), s.snap.Pull.HeadSHA
	if head == "" || head == newest && (s.snap.isOpen() || s.plan.action == recalled) {
		return nil
	}
	runs, err := s.runner.Reader.Checks(ctx, head, CheckName)
	if err := unlessRefused(err); err != nil {
		return fmt.Errorf("read the check runs of %s: %w", short(head), err)
	}
	conclusion, _ := conclude(s.snap.circumstancesOfNone(gh.CheckRun{}, s.posts.issue))
	for _, run := range runs {
		if !run.Mine || run.Done || ownerOf(run).pull != s.snap.Pull.Number {
			continue
		}
		over := gh.Check{
			Name: CheckName, HeadSHA: head, ExternalID: run.ExternalID, Conclusion: conclusion, Title: titleNone,
			Summary: "A newer commit replaced this one, or the pull request was closed.",
		}
		if err := unlessRefused(s.runner.Writer.UpdateCheck(ctx, run.ID, over)); err != nil {
			return fmt.Errorf("end the check of %s: %w", short(head), err)
		}
	}
	return nil
}
