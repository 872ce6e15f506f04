package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/policy"
	"github.com/prdebate/debate/internal/prompt"
	"github.com/prdebate/debate/internal/redact"
	"github.com/prdebate/debate/internal/segment"
)

// act does one piece of work and returns the event with its result.
func (r *Review) act(ctx context.Context, w debate.Work) (debate.Event, error) {
	switch w.Kind {
	case debate.DoSnapshot:
		if err := r.Subject.freeze(r.state); err != nil {
			return nil, err
		}
		return r.Subject.frozen.Event, nil
	case debate.DoPreflight:
		return debate.Preflighted{Parties: r.Participants}, nil
	case debate.DoChecks:
		return r.checks(ctx)
	case debate.DoClose:
		return r.state.Close()
	}
	if err := r.read(); err != nil {
		return nil, err
	}
	switch w.Kind {
	case debate.DoSplit: // a review must know its coverage to go on
		split := r.Subject.split
		if err := segment.CheckSums(split.Coverage, split.Totals, r.Subject.frozen.Change.Set); err != nil {
			// Another try gives the same ledger: the debate ends and says why.
			return debate.AbortedEvent{Reason: "the coverage ledger does not add up: " + err.Error()}, nil
		}
		return split.SplitDone, nil
	case debate.DoCritique:
		return r.critique(), nil
	case debate.DoPolice:
		return r.police(), nil
	}
	return nil, fmt.Errorf("no way to do the work %q", w.Kind)
}

// critique checks each citation of the embedded critic against the frozen lines, and takes
// the secrets out of each hit.
func (r *Review) critique() debate.Event {
	found := r.Subject.found
	if asksQuestion(r.state.Received) { // only a change can have defects
		return debate.Critiqued{Hits: []debate.CheckedHit{}}
	}
	secrets, index := r.Subject.hiding(nil, found.Secrets), r.Subject.frozen.index
	checked := make([]debate.CheckedHit, len(found.Hits))
	for i, h := range found.Hits {
		clean := h // the secrets of the process stay: another process must get the same hit
		for _, text := range []*string{&clean.Cite.Quote, &clean.Title, &clean.Body, &clean.Suggestion} {
			*text = secrets.Text(*text)
		}
		clean.Redact = nil
		checked[i] = debate.CheckedHit{
			CitationOK: index.Verbatim(h.Cite),
			Copies:     index.Copies(h.Cite),
			Hit:        clean,
		}
	}
	for i := range found.Notices {
		found.Notices[i].Text = secrets.Text(found.Notices[i].Text)
	}
	return debate.Critiqued{Hits: checked, Notices: found.Notices, Missing: found.Missing, Omitted: found.Omitted}
}

func (r *Review) police() debate.Event {
	if asksQuestion(r.state.Received) { // policy is about changes
		return debate.Policed{Triggers: []debate.Trigger{}}
	}
	change, segments := r.Subject.frozen.Change, r.Subject.split.Segments
	if len(change.Set.Files) == 0 && len(segments) == 0 {
		return debate.Policed{Triggers: []debate.Trigger{}, Skip: "the change is empty"}
	}
	var hits []debate.Hit // only if the cited lines exist
	for _, c := range r.state.Book.Claims {
		if c.Verified() {
			hits = append(hits, debate.Hit{Rule: c.Rule, Title: c.Title, Cite: c.Cite(), Trigger: c.Trigger})
		}
	}
	triggers := r.Subject.Rules.Triggers(change, hits)
	skip := policy.Skip(r.Subject.PullRequest, change, segments, hits, triggers)
	// The base side accepts these findings on the day on which the review began, apart from
	// an entry with a secret in its quote: it would hide the secret.
	known := r.Subject.Rules.Known(change.Set, time.UnixMilli(r.state.Clock.StartedAt).UTC().Format(time.DateOnly))
	known = slices.DeleteFunc(known, func(k debate.Known) bool {
		return strings.Contains(k.Snippet, redact.Mark) || r.Subject.redactor.Text(k.Snippet) != k.Snippet
	})
	return debate.Policed{Triggers: triggers, Skip: skip, Known: known}
}

// checks reads the finished check runs and the SARIF files (R147), and redacts their texts
// like those of a reply.
func (r *Review) checks(ctx context.Context) (debate.Event, error) {
	runs := []debate.Run{}
	if r.Checks == nil {
		return debate.Checked{Runs: runs}, nil
	}
	found, err := within(ctx, r.Checks)
	if err != nil {
		return nil, fmt.Errorf("read what other tools found: %w", err)
	}
	if err := r.read(); err != nil {
		return nil, err
	}
	for _, run := range found {
		run.Text = r.Subject.redactor.Text(run.Text)
		runs = append(runs, run)
	}
	return debate.Checked{Runs: runs}, nil
}

// read makes the frozen change, its split and its secrets available. No record holds them
// all, so a resumed review reads the change again.
func (r *Review) read() error { return r.Subject.read(r.state, r.Participants) }

// brief makes the packet for the parties, and the resolver of their citations. Both follow
// from the change and the first events, so a resumed review makes the same.
func (r *Review) brief() error {
	if r.packet != nil {
		return nil
	}
	if err := r.read(); err != nil {
		return err
	}
	subject := &r.Subject
	r.packet = prompt.NewPacket(r.state, subject.frozen.Change.Set, prompt.PacketOptions{Clean: subject.redactor.Text, Around: subject.around})
	r.resolver = newResolver(subject.frozen.Change, subject.frozen.index, r.state.Received.Anchor, r.packet)
	return nil
}
