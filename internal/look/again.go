package look

import (
	"context"
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// Again repeats the looks of a turn taken by See in another process, under other bounds of
// time and reach. It keeps the told lines and names found in this tree. It fails if this tree
// cannot be read.
func (v *Viewer) Again(ctx context.Context, looks []debate.Look, most int, told []debate.Seen) ([]debate.Seen, error) {
	var near, asked []debate.Look
	for i, l := range looks[:min(len(looks), max(0, most), len(told))] {
		l = plainly(l)
		asked = append(asked, l)
		for _, run := range told[i].Runs {
			near = append(near, debate.Look{Kind: debate.LookRead, Path: run.Path, Side: l.Side})
		}
		if len(told[i].Names) > 0 {
			near = append(near, debate.Look{Kind: debate.LookList, Path: l.Path, Side: l.Side})
		}
	}
	v.Fetch(ctx, near)
	var all []debate.Seen
	for i, l := range looks {
		seen := debate.Seen{Look: l, Why: debate.LookUsedUp}
		switch {
		case i >= most:
		case l.Kind == debate.LookTest, i >= len(asked):
			seen.Why = debate.LookNoTests
		default:
			var err error
			if seen, err = v.again(asked[i], told[i]); err != nil {
				return nil, err
			}
		}
		all = append(all, seen)
	}
	return all, nil
}

// again is one look with the told results found in the tree.
func (v *Viewer) again(l debate.Look, told debate.Seen) (debate.Seen, error) {
	seen := debate.Seen{Look: l, Hash: v.Tree.Name(l.Side), Why: v.refused(l)}
	if seen.Why != "" {
		return seen, nil
	}
	seen.Why, seen.Cut = told.Why, told.Cut
	unknown := func(path string, why debate.Withheld) error {
		if why == debate.LookUnreadable || why == debate.LookUsedUp {
			return fmt.Errorf("read again what a reviewer looked at: %s: %s", path, why)
		}
		return nil
	}
	for _, run := range told.Runs {
		t := &turn{Viewer: v}
		lines, why := []string(nil), v.forbidden(run.Path)
		if why == "" {
			lines, why = t.lines(run.Path, l.Side)
		}
		if err := unknown(run.Path, why); err != nil {
			return seen, err
		}
		from, to := run.First-1, run.First-1+len(run.Lines)
		if why == "" && from >= 0 && to <= len(lines) && slices.Equal(lines[from:to], run.Lines) {
			seen.Runs = append(seen.Runs, run)
		}
	}
	if len(told.Names) > 0 {
		own := debate.Seen{Look: l}
		t := &turn{Viewer: v, room: mostBytes}
		if t.list(&own); len(told.Names) <= len(own.Names) && slices.Equal(told.Names, own.Names[:len(told.Names)]) {
			seen.Names = told.Names
		}
		return seen, unknown(l.Path, own.Why)
	}
	return seen, nil
}
