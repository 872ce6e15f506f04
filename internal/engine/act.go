package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/policy"
	"github.com/prdebate/debate/internal/redact"
	"github.com/prdebate/debate/internal/segment"
)

// act does one piece of work and returns the event that says what came of it.
func (r *Review) act(ctx context.Context, w debate.Work) (debate.Event, error) {
	switch w.Kind {
	case debate.DoSnapshot:
		if err := r.freeze(ctx); err != nil {
			return nil, err
		}
		return r.frozen.Event, nil
	case debate.DoSplit:
		return r.splitChange(ctx)
	case debate.DoCritique:
		return r.critique(ctx)
	case debate.DoPolice:
		return r.police(ctx)
	case debate.DoPreflight:
		return debate.Preflighted{Parties: r.Participants}, nil
	case debate.DoChecks:
		return r.checks(ctx)
	case debate.DoClose:
		return r.state.Close()
	}
	return nil, fmt.Errorf("no way to do the work %q", w.Kind)
}

// freeze takes the snapshot, or takes it again when a review is resumed.
func (r *Review) freeze(ctx context.Context) error {
	if r.frozen != nil {
		return nil
	}
	frozen, err := r.Source.Snapshot(ctx)
	if err != nil {
		return err
	}
	if recorded := r.state.Snapshot.Hash; recorded != "" && recorded != frozen.Event.Hash {
		return &ChangedError{Recorded: recorded, Found: frozen.Event.Hash}
	}
	frozen.index = patch.NewIndex(frozen.Change.Set)
	r.frozen = &frozen
	return nil
}

// prepare makes the frozen change and its split available, whichever event the
// review stands at. The split is a pure function of the change.
func (r *Review) prepare(ctx context.Context) error {
	if err := r.freeze(ctx); err != nil {
		return err
	}
	if r.split != nil {
		return nil
	}
	split := r.splitUp()
	if err := segment.CheckSums(split.Coverage, split.Totals, r.frozen.Change.Set); err != nil {
		return &LedgerError{Why: err}
	}
	r.split = &split
	return nil
}

func (r *Review) splitChange(ctx context.Context) (debate.Event, error) {
	var ledger *LedgerError
	switch err := r.prepare(ctx); {
	case errors.As(err, &ledger):
		// Trying again gives the same ledger: the debate ends here, and says why.
		return debate.AbortedEvent{Reason: ledger.Error()}, nil
	case err != nil:
		return nil, err
	}
	return debate.SplitDone{
		Target:     r.split.Target,
		Downgraded: r.split.Downgraded,
		Assumption: r.split.Assumption,
		Question:   r.split.Question,
		Totals:     r.split.Totals,
		Segments:   r.split.Segments,
		Coverage:   r.split.Coverage,
		Chunks:     r.split.Chunks,
		Files:      r.split.Files,
	}, nil
}

// critique checks each citation of the embedded critic against the frozen lines.
// What a hit must not show is taken out of it before it goes any further.
func (r *Review) critique(ctx context.Context) (debate.Event, error) {
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	found, err := r.criticise()
	if err != nil {
		return nil, err
	}
	if r.asks() { // a question is no change that could have defects
		return debate.Critiqued{Hits: []debate.CheckedHit{}}, nil
	}
	secrets := redact.New(nil, found.Secrets)
	checked := make([]debate.CheckedHit, len(found.Hits))
	for i, h := range found.Hits {
		checked[i] = debate.CheckedHit{
			CitationOK:  r.frozen.index.Verbatim(h.Cite),
			Commentable: r.frozen.index.Commentable(h.Cite.Path, h.Cite.Side, h.Cite.StartLine, h.Cite.EndLine),
			Hit:         redacted(h, secrets),
		}
	}
	for i := range found.Notices {
		found.Notices[i].Text = secrets.Text(found.Notices[i].Text)
	}
	return debate.Critiqued{Hits: checked, Notices: found.Notices, Missing: found.Missing, Omitted: found.Omitted}, nil
}

// criticise lets the critic read every file but those that the base side excludes,
// and keeps in mind what it calls secret.
func (r *Review) criticise() (Critique, error) {
	excluded := make(map[string]bool)
	for _, c := range r.split.Coverage {
		switch c.Excluded {
		case debate.IgnoredPath, debate.Generated, debate.Vendored:
			excluded[c.Path] = true
		}
	}
	found := r.Critic(r.criticised(), func(path string) bool { return excluded[path] }, r.split.NewProposals)
	if err := r.frozen.Err(); err != nil {
		return Critique{}, fmt.Errorf("read the change: %w", err)
	}
	r.surround()
	r.secrets = append(slices.Clone(found.Secrets), r.Critic.secretsOf(shownAround(r.split.Chunks, r.around))...)
	if err := r.frozen.Err(); err != nil {
		return Critique{}, fmt.Errorf("read the change: %w", err)
	}
	r.redactor = redact.New(r.Secrets, r.secrets)
	return found, nil
}

func (r *Review) police(ctx context.Context) (debate.Event, error) {
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	if r.asks() { // policy is about changes
		return debate.Policed{Triggers: []debate.Trigger{}}, nil
	}
	if len(r.frozen.Change.Set.Files) == 0 && len(r.split.Segments) == 0 {
		return debate.Policed{Triggers: []debate.Trigger{}, Skip: "the change is empty"}, nil
	}
	// A hit whose lines are not there decides nothing.
	var hits []debate.Hit
	for _, c := range r.state.Book.Claims {
		if c.Verified() {
			hits = append(hits, debate.Hit{Rule: c.Rule, Title: c.Title, Cite: c.Cite(), Trigger: c.Trigger})
		}
	}
	if err := r.remember(ctx); err != nil {
		return nil, err
	}
	triggers := r.Rules.Triggers(r.frozen.Change, hits)
	skip := policy.Skip(r.PullRequest, r.frozen.Change, r.split.Segments, hits, triggers)
	return debate.Policed{Triggers: triggers, Skip: skip, Known: r.known()}, nil
}

// known are the findings that the base side accepts in the files of the change, on the
// day on which the review began. An entry that quotes a secret is none: it would hide it.
func (r *Review) known() []debate.Known {
	day := time.UnixMilli(r.state.Clock.StartedAt).UTC().Format(time.DateOnly)
	secret := func(k debate.Known) bool {
		return strings.Contains(k.Snippet, redact.Mark) || r.redactor.Text(k.Snippet) != k.Snippet
	}
	return slices.DeleteFunc(r.Rules.Known(r.frozen.Change.Set, day), secret)
}

// checks reads the finished check runs and the SARIF files (S12). What they say
// is redacted as a reply is.
func (r *Review) checks(ctx context.Context) (debate.Event, error) {
	runs := []debate.Run{}
	if r.Checks == nil {
		return debate.Checked{Runs: runs}, nil
	}
	found, err := within(ctx, r.Checks)
	if err != nil {
		return nil, fmt.Errorf("read the check runs: %w", err)
	}
	if err := r.remember(ctx); err != nil {
		return nil, err
	}
	for _, run := range found {
		run.Text = r.redactor.Text(run.Text)
		runs = append(runs, run)
	}
	return debate.Checked{Runs: runs}, nil
}
