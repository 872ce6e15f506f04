package engine

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// lookedAt demands that somebody was asked who may look, and that what it was shown
// stands in the sides of the change that this process reads itself. Secrets of the
// process that wrote the record are unknown here: the mark of a redaction stands for any
// text.
func (v *verifier) lookedAt(ctx context.Context, at int64, ev debate.Looked) (why string, err error) {
	why = firstOf(
		fault{"nobody was asked this", v.asked(ev.Ask) == nil},
		fault{"the look is recorded before it came", ev.Ended > at},
		fault{"its texts are too long", len(ev.Raw) > maxRecorded},
		fault{"its digests are none", !isDigest(ev.ReplyHash)},
		fault{"its digests are none", !isDigest(ev.Text)},
		fault{"its numbers are out of range", ev.Usage != bounded(ev.Usage)},
		fault{"its numbers are out of range", min(ev.Started, ev.Ended-ev.Started) < 0},
	)
	if why != "" {
		return why, nil
	}
	if err := v.review.brief(ctx); err != nil {
		return "", err
	}
	if v.review.Subject.frozen.Tree != nil {
		v.review.viewer().Fetch(ctx, repeated(ev.Seen))
	}
	for _, seen := range ev.Seen {
		if seen.Test != nil && !v.readied(ctx, *seen.Test) {
			return "it has a test that another process ran", nil
		}
		stands, err := v.stands(ctx, seen)
		if err != nil {
			return "", err
		}
		if !stands {
			return "what it was shown does not stand there", nil
		}
	}
	return "", nil
}

// readied reports whether a test is one that a later job runs, as this process readies
// it; or one whose results were taken before.
func (v *verifier) readied(ctx context.Context, t debate.TestRun) bool {
	r := v.review
	if !r.state.Received.Settings.Tests.Later || r.Tester == nil {
		return false
	}
	own := r.state.TestRan(t.Ref)
	if own == nil {
		own, _ = r.tested(ctx, debate.Look{Kind: debate.LookTest, Path: t.Path, Content: t.Content})
	}
	return own != nil && reflect.DeepEqual(*own, t)
}

// repeated are the looks that show again what others showed, in order: one for each run
// of lines, and one for the names.
func repeated(all []debate.Seen) []debate.Look {
	var looks []debate.Look
	for _, seen := range all {
		for _, run := range seen.Runs {
			looks = append(looks, debate.Look{
				Kind: debate.LookRead, Path: run.Path, Side: seen.Side, StartLine: run.First, EndLine: run.First + len(run.Lines) - 1,
			})
		}
		if len(seen.Names) > 0 {
			looks = append(looks, debate.Look{Kind: debate.LookList, Path: seen.Path, Side: seen.Side})
		}
	}
	return looks
}

// stands reports whether what a look showed stands in the tree, at the very lines that the
// record says.
func (v *verifier) stands(ctx context.Context, seen debate.Seen) (bool, error) {
	tree := v.review.Subject.frozen.Tree
	looks := repeated([]debate.Seen{seen})
	if len(looks) == 0 {
		return true, nil
	}
	isSide := slices.Contains([]debate.Side{debate.Right, debate.Left}, seen.Side)
	if tree == nil || !isSide || seen.Hash != tree.Name(seen.Side) {
		return false, nil
	}
	for i, l := range looks {
		own := v.review.viewer().See(ctx, []debate.Look{l}, 1)[0]
		if slices.Contains([]debate.Withheld{debate.LookUnreadable, debate.LookUsedUp}, own.Why) { // nobody can say
			return false, fmt.Errorf("read again what a reviewer looked at: %s: %s", l.Path, own.Why)
		}
		same := false
		if l.Kind == debate.LookRead {
			same = slices.EqualFunc(seen.Runs[i:i+1], own.Runs, sameRun)
		} else {
			same = slices.EqualFunc(seen.Names, own.Names[:min(len(seen.Names), len(own.Names))], standsFor)
		}
		if !same {
			return false, nil
		}
	}
	return true, nil
}

func sameRun(recorded, own debate.ShownRun) bool {
	return recorded.Path == own.Path && recorded.First == own.First && slices.EqualFunc(recorded.Lines, own.Lines, standsFor)
}

// standsFor reports whether a recorded line is one that was shown here, perhaps with
// more of it redacted.
func standsFor(recorded, own string) bool { return conceals(recorded, asRecorded(own)) }
