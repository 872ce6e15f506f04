package engine

import (
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/policy"
	"github.com/prdebate/debate/internal/redact"
	"github.com/prdebate/debate/internal/segment"
	"github.com/prdebate/debate/internal/surround"
)

// Subject is the change or question of a review, with the rules for the work before the
// first call. Its results follow from the change and the first events alone. So a resumed
// or rebuilt review gets the same.
type Subject struct {
	Frozen  Frozen
	Critic  Critic
	Secrets []string // of the process: they go to no model and into no record
	// Find lists the secrets in the text of a file or, without a path, in any text; nil:
	// only the secrets of the change and of the process are known.
	Find        func(path, text string) []string
	Rules       *policy.Rules
	PullRequest policy.PullRequest
	Context     Context  // how much is shown around the change
	Ignore      []string // globs of paths without a review
	Private     []string // globs of paths: only their changed lines are shown
	Proposals   []string // globs of proposal documents
	Collects    bool     // it is read for a review elsewhere, with everything for models

	frozen   *Frozen
	split    segment.Result
	found    Critique
	around   map[string]surround.Chunk // shown around each chunk, by its id
	redactor *redact.Redactor          // nil: the change was not read yet
}

// read freezes the change, splits it, and lets the critic read every file except those
// excluded by the base side, once. It keeps the secrets of the change.
func (s *Subject) read(state debate.State, parties []debate.Party) error {
	if s.redactor != nil {
		return nil
	}
	if err := s.freeze(state); err != nil {
		return err
	}
	first, change := state.Received, s.frozen.Change
	s.split = s.splitUp(first, parties)
	excluded := make(map[string]bool)
	for _, c := range s.split.Coverage {
		switch c.Excluded {
		case debate.IgnoredPath, debate.Generated, debate.Vendored:
			excluded[c.Path] = true
		}
	}
	if asksQuestion(first) { // the critic reads new lines only, and the files of a question may have secrets too
		set := &patch.Set{Files: []*patch.File{patch.Shown(debate.BodyPath, first.Anchor.Intent)}}
		set.Files = append(set.Files, change.Set.Files...)
		change.Set = patch.AsAdded(set)
	}
	s.found = s.Critic(change, func(path string) bool { return excluded[path] }, s.split.NewProposals)
	isSent := s.Collects || slices.ContainsFunc(parties, func(p debate.Party) bool { return p.Status == debate.PartyOK })
	if isSent && !asksQuestion(first) { // a question shows its files whole
		s.surround()
	}
	secrets := append(slices.Clone(s.found.Secrets), s.Critic.secretsOf(linesAround(s.around))...)
	if err := s.frozen.Err(); err != nil {
		return fmt.Errorf("read the change: %w", err)
	}
	s.redactor = s.hiding(s.Secrets, secrets)
	return nil
}

// splitUp splits the frozen change.
func (s *Subject) splitUp(first debate.Received, parties []debate.Party) segment.Result {
	if asksQuestion(first) {
		return segment.Question(first.Anchor.Intent, s.frozen.Change.Set)
	}
	var files []debate.FileKey
	var carried map[string]string // by path the earlier heads of files with an unchanged review: they are not sent again (M24)
	if first.Anchor.PR != 0 {
		files = surround.Keys(s.frozen.Change.Set)
		carried = first.Previous.ReadBefore.Unchanged(s.frozen.Event.BaseSHA, first.Terms(parties), files)
	}
	sensitive := make(map[string]bool) // paths in policy (S13)
	for _, t := range s.Rules.Triggers(s.frozen.Change, nil) {
		sensitive[t.Path] = true
	}
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
		Sensitive:      func(path string) bool { return sensitive[path] },
		Carried:        carried,
	})
	split.Files = files
	return split
}

// maxChunks bounds the chunks by the calls of the debate (S13). It is 0, no bound, if there
// is no challenger.
func maxChunks(first debate.Received, parties []debate.Party) int {
	n, lacks := 0, 0
	for _, p := range parties {
		switch {
		case p.Status != debate.PartyOK && p.Debates():
			lacks = 1
		case p.Role == debate.Challenger:
			n++
		}
	}
	n = max(n, lacks) // a second context replaces the last lost challenger (M19)
	if n == 0 {
		return 0
	}
	return first.MaxChunks(n)
}

// hiding returns a redactor for secrets of the process and of the change, and for strings
// with the form of a secret.
func (s *Subject) hiding(own, found []string) *redact.Redactor {
	if s.Find == nil {
		return redact.New(own, found, nil)
	}
	return redact.New(own, found, func(text string) []string { return s.Find("", text) })
}

// asksQuestion reports whether the debate is about a question instead of a change.
func asksQuestion(first debate.Received) bool { return first.Inquiry != nil }
