package engine

import (
	"context"
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// lookedAt demands that somebody was asked who may look, and that what it was shown
// stands in the sides of the change that this process reads itself. Secrets of the
// process that wrote the record are unknown here: the mark of a redaction stands for any
// text.
func (v *verifier) lookedAt(ctx context.Context, at int64, ev debate.Looked) (why string, err error) {
	asked := slices.ContainsFunc(debate.Outstanding(v.review.state), func(w debate.Work) bool { return w.Ask != nil && w.Ask.ID == ev.Ask })
	why = firstOf(
		fault{"nobody was asked this", !asked},
		fault{"the look is recorded before it came", ev.Ended > at},
		fault{"its texts are too long", len(ev.Raw) > maxRecorded},
		fault{"its digests are none", !isDigest(ev.ReplyHash) || !isDigest(ev.Text)},
		fault{"its numbers are out of range", ev.Usage != bounded(ev.Usage) || min(ev.Started, ev.Ended-ev.Started) < 0},
	)
	if why != "" {
		return why, nil
	}
	if err := v.review.brief(ctx); err != nil {
		return "", err
	}
	for _, seen := range ev.Seen {
		if !v.stands(ctx, seen) {
			return "what it was shown does not stand there", nil
		}
	}
	return "", nil
}

// stands reports whether what a look showed stands in the tree.
func (v *verifier) stands(ctx context.Context, seen debate.Seen) bool {
	if len(seen.Runs)+len(seen.Names) == 0 {
		return true
	}
	tree := v.review.frozen.Tree
	if tree == nil || seen.Hash != tree.Name(seen.Side) {
		return false
	}
	for _, run := range seen.Runs {
		last := run.First + len(run.Lines) - 1
		own := v.review.viewer().See(ctx, []debate.Look{{Kind: debate.LookRead, Path: run.Path, Side: seen.Side, StartLine: run.First, EndLine: last}}, 1)
		if len(own[0].Runs) == 0 || !slices.EqualFunc(run.Lines, own[0].Runs[0].Lines, standsFor) {
			return false
		}
	}
	if len(seen.Names) == 0 {
		return true
	}
	own := v.review.viewer().See(ctx, []debate.Look{{Kind: debate.LookList, Path: seen.Path, Side: seen.Side}}, 1)[0].Names
	return len(own) >= len(seen.Names) && slices.EqualFunc(seen.Names, own[:len(seen.Names)], standsFor)
}

// standsFor reports whether a recorded line is one that was shown here, perhaps with
// more of it redacted.
func standsFor(recorded, own string) bool { return conceals(recorded, asRecorded(own)) }
