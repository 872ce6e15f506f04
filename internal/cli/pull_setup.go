package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/report/sarif"
)

// configurer sets up the reviews of one job: it merges the settings of the inputs
// with those of the repository, and names the sessions.
type configurer struct {
	env       Env
	in        action.Inputs
	commit    string                                   // of this program, "" if unknown
	number    string                                   // of the job, in the names of its sessions; "" draws one for each
	sessions  int                                      // so far
	newest    string                                   // name of the newest session, "" before the first
	tell      func(set settings) func(engine.Progress) // may be nil
	allowance Allowance                                // a server's limit for this job
	watch     func(engine.Client, Asked) engine.Client // of a server; may be nil

	inWorkflow bool
}

// configure merges the settings for a pull request: the inputs of the action count
// as the operator's, the repository's file comes from the base side.
func (c *configurer) configure(ctx context.Context, repository gh.Repository, file, guard pull.File) (setup pull.Setup, err error) {
	operator, err := c.env.operatorConfig()
	if err != nil {
		return setup, err
	}
	if c.in.OperatorConfig != "" {
		if operator, err = c.env.vocabulary().ParseOperator("operator-config", []byte(c.in.OperatorConfig)); err != nil {
			return setup, err
		}
	}
	operator.Mode = cmp.Or(c.in.Mode, operator.Mode)
	operator.FailOn = operator.FailOn.Stricter(c.in.FailOn)
	if c.in.Gate == debate.Required || operator.Gate == "" {
		operator.Gate = c.in.Gate
	}
	var set settings
	base, err := set.ofRepository(ctx, c.env.vocabulary(), c.in.Config, file, guard)
	if err != nil {
		return setup, err
	}
	if set, err = set.inForce(c.env, config.Merge(operator, base), nil); err != nil {
		return setup, err
	}
	if set, err = c.allowance.applyTo(set); err != nil {
		return setup, err
	}
	return c.setup(set, repository, file)
}

// setup wires a pull request to its settings.
func (c *configurer) setup(set settings, repository gh.Repository, file pull.File) (pull.Setup, error) {
	for _, one := range set.panel.parties {
		if asked := set.panel.clients[one.ID]; c.watch != nil && asked != nil {
			served, _ := set.panel.backends.providers.Find(one.Provider)
			set.panel.clients[one.ID] = c.watch(asked, Asked{Party: one, Prices: set.panel.backends.prices, Command: served.Command})
		}
	}
	review, err := set.newChangeReview(c.env.Now, c.commit)
	if err != nil {
		return pull.Setup{}, errors.Join(err, set.panel.close())
	}
	if c.tell != nil {
		review.Tell = c.tell(set)
	}
	var key []byte // seals the memory in the summary: the input, else one derived from a model's key, else nil
	for _, p := range c.env.Providers {
		if given := c.in.Keys[p.Input]; key == nil && given != "" {
			key = comment.Derive(given, repository.ID)
		}
	}
	if c.in.StateKey != "" {
		key = []byte(c.in.StateKey)
	}
	setup := pull.Setup{
		Config: set.config,
		Key:    key,
		Clean:  set.clean,
		Review: func() *engine.Review {
			another := *review
			return &another
		},
		First: func(ctx context.Context, change patch.Change, files pull.Files) (debate.Received, error) {
			first, err := c.opening(set)
			if err != nil {
				return first, err
			}
			first.Target = c.in.Target
			first.Settings.Looks = set.looks()
			first.Notes = append(first.Notes, proposedSettings(c.env.vocabulary(), change, c.in.Config)...)
			err = set.instruct(ctx, &first, change, func(ctx context.Context, names []string) (map[string][]byte, error) {
				found, err := files(ctx, names)
				if errors.As(err, new(*gh.LargeFileError)) { // it counts as absent
					err = nil
				}
				return found, err
			})
			return first, err
		},
		Inquire: func(ctx context.Context, question string, framing debate.Framing, change *gh.Snapshot) (debate.Received, engine.Source, error) {
			return c.inquire(ctx, set, question, framing, change, file)
		},
		Close: func() { set.panel.close() },
	}
	setup.Tests = func(ctx context.Context, tree *gh.Tree, fork bool) (pull.Tests, error) {
		if tree == nil {
			return pull.Tests{}, nil
		}
		return set.tests(ctx, tree, proposed{pull: true, fork: fork, inWorkflow: c.inWorkflow, stage: c.in.Stage})
	}
	if c.in.SARIF != "" {
		setup.Results = func(change patch.Change) ([]debate.Run, error) {
			data, err := c.env.readFile(c.in.SARIF, sarif.MaxBytes)
			if err != nil {
				return nil, fmt.Errorf("input \"sarif\": %w", err)
			}
			runs, err := sarif.Read(data, filepath.ToSlash(c.env.Getenv("GITHUB_WORKSPACE")))
			if err != nil {
				return nil, usage(fmt.Errorf("input \"sarif\": cannot use %s: %w", c.in.SARIF, err))
			}
			return relevant(runs, change.Set), nil
		}
	}
	return setup, nil
}

// opening returns the first event of a session of this job. In GitHub Actions the number of the
// session is the run and attempt, with an index from the second session on.
func (c *configurer) opening(set settings) (debate.Received, error) {
	c.sessions++
	number := c.number
	if number != "" && c.sessions > 1 {
		number += "-" + strconv.Itoa(c.sessions)
	}
	first, err := set.received(c.env, number)
	c.newest = first.SessionID
	return first, err
}

// given is a change that is frozen already.
type given engine.Frozen

// Snapshot implements engine.Source.
func (g given) Snapshot(context.Context) (engine.Frozen, error) { return engine.Frozen(g), nil }

// inquire is the first event of a question debate on a pull request. Its change
// is shown as diffs, as much of it as a question may show: a question has only texts, no changed
// lines.
func (c *configurer) inquire(ctx context.Context, set settings, question string, framing debate.Framing, change *gh.Snapshot, file pull.File) (debate.Received, engine.Source, error) {
	first, err := c.opening(set)
	if err != nil {
		return first, nil, err
	}
	question = set.clean(question)
	ask(&first, debate.Anchor{Title: titleOf(question), Intent: question}, debate.Inquiry{Framing: cmp.Or(framing, debate.FramingPropose)})
	first.Settings.Looks = set.looks()
	shown, left := &patch.Set{}, maxShownBytes
	for _, f := range change.Change.Set.Files {
		var diff strings.Builder
		for _, h := range f.Hunks {
			fmt.Fprintf(&diff, "@@ -%d,%d +%d,%d @@ %s\n", h.OldStart, h.OldLines, h.NewStart, h.NewLines, h.Section)
			for _, l := range h.Lines {
				fmt.Fprintf(&diff, "%c%s\n", l.Op, l.Text)
			}
		}
		text := set.clean(diff.String())
		if text == "" || len(text) > left {
			first.Notes = append(first.Notes, f.Path()+" is not shown")
			continue
		}
		left -= len(text)
		shown.Files = append(shown.Files, patch.Shown(f.Path()+".diff", text))
	}
	first.Notes = first.Notes[:min(len(first.Notes), 2*maxShownFiles)]
	sum := sha256.Sum256([]byte(question + "\n" + change.HeadSHA))
	frozen := engine.Frozen{
		Event:  debate.Snapshotted{Scope: debate.ScopeQuestion, HeadSHA: change.HeadSHA, Hash: hex.EncodeToString(sum[:])},
		Change: patch.Alone(shown),
		Err:    func() error { return nil },
	}
	if tree := change.Tree(); tree != nil { // parties may look at both sides
		frozen.Tree = tree
	}
	err = set.instruct(ctx, &first, frozen.Change, readEach(file))
	return first, given(frozen), err
}
