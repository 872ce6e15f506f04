package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/look"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/policy"
	"github.com/prdebate/debate/internal/redact"
	"github.com/prdebate/debate/internal/segment"
	"github.com/prdebate/debate/internal/surround"
)

// Subject is what a review is about, and the rules by which it is read before any party
// is asked. What it comes to follows from the change and the first events of the debate
// alone, so that a resumed review, and a rebuilt one, comes to the same.
type Subject struct {
	Source  Source
	Critic  Critic
	Secrets []string // of the process: they go to no model and into no record
	// Find lists the secrets in a text, that of a file or, without a path, any other; nil:
	// only those of the change and of the process are known.
	Find        func(path, text string) []string
	Rules       *policy.Rules
	PullRequest policy.PullRequest
	Context     Context  // what is shown beside the change
	Ignore      []string // globs of paths that are not reviewed
	Private     []string // globs of paths of which nothing is shown beside changed lines
	Proposals   []string // globs of proposal documents
	Collects    bool     // it is read for a review elsewhere: also what only models are shown

	frozen   *Frozen
	split    *segment.Result
	asks     bool                      // somebody can be asked about it
	around   map[string]surround.Chunk // what is shown around each
	secrets  []string                  // of the change, and of what is shown around it
	redactor *redact.Redactor
}

// freeze takes the snapshot, or takes it again when a review is resumed.
func (s *Subject) freeze(ctx context.Context, state debate.State) error {
	if s.frozen != nil {
		return nil
	}
	frozen, err := s.Source.Snapshot(ctx)
	if err != nil {
		return err
	}
	if recorded := state.Snapshot.Hash; recorded != "" && recorded != frozen.Event.Hash {
		return &ChangedError{Recorded: recorded, Found: frozen.Event.Hash}
	}
	frozen.Change = s.renamed(frozen.Change)
	frozen.Change.Set = s.reveal(&frozen, state.Received.Settings.Gate == debate.Required)
	frozen.index = patch.NewIndex(frozen.Change.Set)
	s.frozen = &frozen
	return nil
}

// prepare makes the frozen change and its split available, whichever event the
// review stands at. The split is a pure function of the change.
func (s *Subject) prepare(ctx context.Context, state debate.State, parties []debate.Party) error {
	if err := s.freeze(ctx, state); err != nil {
		return err
	}
	if s.split != nil {
		return nil
	}
	split := s.splitUp(state.Received, parties)
	if err := segment.CheckSums(split.Coverage, split.Totals, s.frozen.Change.Set); err != nil {
		return &LedgerError{Why: err}
	}
	s.split = &split
	s.asks = slices.ContainsFunc(parties, func(p debate.Party) bool { return p.Status == debate.PartyOK })
	return nil
}

// splitUp splits what was frozen.
func (s *Subject) splitUp(first debate.Received, parties []debate.Party) segment.Result {
	if asksQuestion(first) {
		return segment.Question(first.Anchor.Intent, s.frozen.Change.Set)
	}
	files, carried := s.carried(first, parties)
	split := segment.Split(segment.Input{
		Change:         s.frozen.Change,
		Title:          first.Anchor.Title,
		Body:           first.Anchor.Intent,
		Target:         first.Target,
		Ignore:         s.Ignore,
		Proposal:       s.Proposals,
		BaseAttributes: s.frozen.Attributes,
		Required:       first.Settings.Gate == debate.Required,
		MaxChunks:      maxChunks(first, parties),
		Sensitive:      s.sensitive(),
		Carried:        carried,
	})
	split.Files = files
	return split
}

// carried names the files of a pull request as reviewers read them, and the heads on
// which some were read that need not be sent again (M24). Nobody comes back to any other
// change.
func (s *Subject) carried(first debate.Received, parties []debate.Party) (files []debate.FileKey, heads map[string]string) {
	if first.Anchor.PR == 0 {
		return nil, nil
	}
	files = surround.Keys(s.frozen.Change.Set)
	return files, first.Previous.ReadBefore.Unchanged(s.frozen.Event.BaseSHA, first.Terms(parties), files)
}

// maxChunks bounds the chunks by the calls that the debate may make (S13). Where
// nobody can challenge, none is asked about a chunk and none is left out.
func maxChunks(first debate.Received, parties []debate.Party) int {
	n, lacks := 0, 0
	for _, p := range parties {
		switch {
		case p.Status != debate.PartyOK && slices.Contains(debaters, p.Role):
			lacks = 1
		case p.Role == debate.Challenger:
			n++
		}
	}
	n = max(n, lacks) // a second context takes the place of the last one that is lost (M19)
	if n == 0 {
		return 0
	}
	return first.MaxChunks(n)
}

// sensitive tells the files that policy knows as sensitive (S13).
func (s *Subject) sensitive() func(path string) bool {
	paths := make(map[string]bool)
	for _, t := range s.Rules.Triggers(s.frozen.Change, nil) {
		paths[t.Path] = true
	}
	return func(path string) bool { return paths[path] }
}

// criticise lets the critic read every file but those that the base side excludes,
// and keeps in mind what it calls secret.
func (s *Subject) criticise(first debate.Received) (Critique, error) {
	excluded := make(map[string]bool)
	for _, c := range s.split.Coverage {
		switch c.Excluded {
		case debate.IgnoredPath, debate.Generated, debate.Vendored:
			excluded[c.Path] = true
		}
	}
	found := s.Critic(s.criticised(first), func(path string) bool { return excluded[path] }, s.split.NewProposals)
	if err := s.frozen.Err(); err != nil {
		return Critique{}, fmt.Errorf("read the change: %w", err)
	}
	if (s.asks || s.Collects) && !asksQuestion(first) { // which shows its files whole
		s.surround()
	}
	s.secrets = append(slices.Clone(found.Secrets), s.Critic.secretsOf(shownAround(s.split.Chunks, s.around))...)
	if err := s.frozen.Err(); err != nil {
		return Critique{}, fmt.Errorf("read the change: %w", err)
	}
	s.redactor = s.hiding(s.Secrets, s.secrets)
	return found, nil
}

// hiding takes out of texts some secrets of the process and of the change, and what any
// text shows to be one.
func (s *Subject) hiding(own, found []string) *redact.Redactor {
	if s.Find == nil {
		return redact.New(own, found, nil)
	}
	return redact.New(own, found, func(text string) []string { return s.Find("", text) })
}

// criticised is the change that the critic reads. It looks at what is new, and
// nothing is in what a question shows; but it must find the secrets there,
// so that all of it is new to the critic.
func (s *Subject) criticised(first debate.Received) patch.Change {
	change := s.frozen.Change
	if asksQuestion(first) {
		set := &patch.Set{Files: []*patch.File{patch.Shown(debate.BodyPath, first.Anchor.Intent)}}
		set.Files = append(set.Files, change.Set.Files...)
		change.Set = patch.AsAdded(set)
	}
	return change
}

// known are the findings that the base side accepts in the files of the change, on the
// day on which the review began. An entry that quotes a secret is none: it would hide it.
func (s *Subject) known(began time.Time) []debate.Known {
	secret := func(k debate.Known) bool {
		return strings.Contains(k.Snippet, redact.Mark) || s.redactor.Text(k.Snippet) != k.Snippet
	}
	return slices.DeleteFunc(s.Rules.Known(s.frozen.Change.Set, began.UTC().Format(time.DateOnly)), secret)
}

// viewer looks at the frozen sides.
func (s *Subject) viewer(shown func(path string, content []byte) (lines []string, ok bool)) *look.Viewer {
	private, secrets := segment.Matching(s.Private), s.hiding(nil, nil)
	return &look.Viewer{Tree: s.frozen.Tree, Private: func(path string) bool { return private(path) || showable(secrets, path) != path }, Shown: shown}
}

// asksQuestion reports whether a question is debated in the place of a change.
func asksQuestion(first debate.Received) bool { return first.Inquiry != nil }
