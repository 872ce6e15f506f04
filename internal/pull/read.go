package pull

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/text"
)

// maxAsked bounds the people of one run; the latest speakers go first.
const maxAsked = 40

// read takes a snapshot of a pull request. The caller closes the setup even after an
// error.
func (r *Runner) read(ctx context.Context, t Trigger) (s *Snapshot, setup Setup, err error) {
	if s, setup, err = r.open(ctx, t); err != nil {
		return nil, setup, err
	}
	p := s.Pull
	for _, list := range p.Truncated {
		s.Notes = noted(s.Notes, "not all of the "+list+" were read, there are too many")
	}
	s.summary = lists.Find(p.Comments, ours(comment.SummaryMark)) // of several, because two runs met, the oldest
	var note string
	s.checkpoint, s.sealed, note = openCheckpoint(s.key, p, &s.summary)
	s.sealed = s.sealed || r.facts != nil && s.checkpoint.Version != 0 // another job verifies the seal
	s.Notes = noted(s.Notes, note)
	if r.Reader == nil {
		s.reads = r.facts.reads
		s.requests, s.verdicts = readRequests(s), readVerdicts(s)
		return s, setup, nil
	}
	if reviewed := s.checkpoint.Debate.BaseSHA; s.isOpen() && reviewed != "" && s.sameChange() && s.checkpoint.Base != p.BaseSHA {
		fork, err := r.Reader.MergeBase(ctx, p.BaseSHA, p.HeadSHA)
		if err != nil {
			return nil, setup, fmt.Errorf("look how far the base branch has come: %w", err)
		}
		s.Ahead = fork != reviewed // the rest is another change, and no model has seen it as such
	}
	if s.Checks, err = r.readChecks(ctx, p.HeadSHA); unlessRefused(err) != nil {
		return nil, setup, err
	}
	own, err := r.readIssues(ctx, s)
	if err != nil {
		return nil, setup, err
	}
	s.Issue, s.Twins = pickIssue(own)
	s.requests, s.verdicts = readRequests(s), readVerdicts(s)
	who := s.whoCounts()
	if err := r.readPeople(ctx, s, who); err != nil {
		return nil, setup, err
	}
	// A commit may name another account than its pusher. This matters if people other than
	// the author took part.
	if slices.ContainsFunc(who, func(a gh.Account) bool { return !a.Bot && a.Login != p.Author.Login }) {
		s.Pushers, err = r.Reader.Pushers(ctx, p)
		if isRefusal(err) {
			s.Notes = noted(s.Notes, "GitHub did not say who pushed to this branch, so only the authors named in its commits count as authors")
		}
		if err := unlessRefused(err); err != nil {
			return nil, setup, err
		}
	}
	return s, setup, nil
}

// open reads a pull request and the settings of its base branch.
func (r *Runner) open(ctx context.Context, t Trigger) (s *Snapshot, setup Setup, err error) {
	var p gh.Pull
	if r.Reader == nil {
		p = r.facts.Pull
	} else if p, err = r.Reader.Pull(ctx, t.Number); err != nil {
		return nil, setup, err
	}
	if t.unmerged && p.State == gh.Merged { // by now the tip of its base has the change, and the settings in it
		p.BaseSHA = p.BaseThen
	}
	var guard Files // nil if the default branch is the base
	if p.DefaultSHA != "" && p.DefaultSHA != p.BaseSHA {
		guard = r.files(p.DefaultSHA)
	}
	if setup, err = r.Configure(ctx, p.Repository, r.files(p.BaseSHA), guard); err != nil {
		return nil, setup, fmt.Errorf("read the settings: %w", err)
	}
	if setup.Config.Context == config.ContextOff { // models see the change alone
		p.Linked = nil
	}
	return &Snapshot{reads: reads{Pull: p}, trigger: t, config: setup.Config, key: setup.Key, clean: setup.Clean, now: r.Now()}, setup, nil
}

// noted adds a note to a list, once; "" is none.
func noted(notes []string, text string) []string {
	if text == "" {
		return notes
	}
	return lists.Add(notes, text)
}

// files reads files of a commit, and keeps them for another job.
func (r *Runner) files(sha string) Files {
	return func(ctx context.Context, paths []string) (map[string][]byte, error) {
		if r.Reader == nil {
			return r.facts.files(sha, paths)
		}
		found, err := r.Reader.Files(ctx, sha, paths)
		if r.facts != nil {
			for path, data := range found {
				r.facts.Files[fileName(sha, path)] = data
			}
		}
		return found, err
	}
}

// readIssues reads our issues for this pull request. It reads the known one by number,
// because every account with triage rights can remove its label, and searches for others
// if it is gone, nothing seals which one it is, or two runs may have met. There is none if the
// pull request was just opened and no run left a trace.
func (r *Runner) readIssues(ctx context.Context, s *Snapshot) ([]gh.Issue, error) {
	var own []gh.Issue
	if known := s.checkpoint.Issue; known != 0 {
		issue, err := r.Reader.Issue(ctx, known)
		if err := unlessGone(err); err != nil {
			return nil, err
		}
		own = s.ours([]gh.Issue{issue})
	}
	met := s.trigger.again || s.trigger.Cause == Swept || len(lists.Keep(s.Pull.Comments, ours(comment.SummaryMark))) > 1
	switch t, check := s.trigger, s.Checks; {
	case !met && (len(own) > 0 || s.sealed && s.checkpoint.Issue == 0):
		return own, nil
	case t.opened && t.left == "" && !met && s.summary.ID == 0 && check.Own.ID == 0 && check.Denied == "": // no run was here
		return nil, nil
	}
	return r.searchIssues(ctx, s, own)
}

// searchIssues adds the issues with our label to known ones.
func (r *Runner) searchIssues(ctx context.Context, s *Snapshot, own []gh.Issue) ([]gh.Issue, error) {
	labelled, err := r.Reader.Issues(ctx, s.config.Escalation.Label, s.Pull.CreatedAt)
	if err := unlessRefused(err); err != nil {
		return nil, fmt.Errorf("read the issues that ask for decisions: %w", err)
	}
	isOther := func(issue gh.Issue) bool { return len(own) == 0 || issue.Number != own[0].Number }
	return append(own, s.ours(lists.Keep(labelled, isOther))...), nil
}

// readPeople looks up the rights of people. The commands of others stay unanswered in
// this run. If the token may not look, people have none, and a note says so.
func (r *Runner) readPeople(ctx context.Context, s *Snapshot, list []gh.Account) error {
	known := s.Access
	s.Access = make(map[string]access)
	maps.Copy(s.Access, known)
	for _, who := range list {
		if s.knows(who) {
			continue
		}
		if who.Bot || who.Login == "" || strings.EqualFold(who.Login, "ghost") {
			s.Access[who.Login] = access{Bot: who.Bot}
			continue
		}
		if len(s.Access) >= maxAsked {
			s.Notes = noted(s.Notes, fmt.Sprintf("more than %d people said something; the earlier ones are answered later", maxAsked))
			return nil
		}
		permission, bot, err := r.Reader.Permission(ctx, who.Login)
		switch {
		case errors.As(err, new(*gh.PermissionError)):
			s.Notes = noted(s.Notes, "the token of this run may not read people's rights (metadata: read), so no command counts")
		case err != nil:
			return fmt.Errorf("ask what %s may do here: %w", who.Login, err)
		}
		s.Access[who.Login] = access{Permission: permission, Bot: bot}
	}
	return nil
}

// whoCounts are the accounts with acts that may count. First come those with events on an
// issue: they take access, so strangers cannot crowd them out. Then come commands, the
// latest first.
func (s *Snapshot) whoCounts() []gh.Account {
	list := append([]gh.Account{s.Pull.Author}, s.whoEdited()...)
	list = append(list, lists.Map(s.Issue.Events, func(e gh.IssueEvent) gh.Account { return e.By })...)
	for _, d := range posed(s.believed().Debate.Agenda.Decisions) { // it holds while they may decide
		for _, a := range d.Human.Lasting() {
			list = append(list, account(a.By))
		}
	}
	list = append(list, s.whoReviewed()...)
	for _, a := range slices.Backward(s.requests) {
		isDone := slices.Contains([]comment.Holding{comment.Once, comment.SameLines}, a.command.Verb.Spec().Holds)
		switch {
		case !a.answered, !isDone, a.is(comment.Stop) && s.trigger.Cause == Swept:
			list = append(list, a.comment.Author)
		}
	}
	return list
}

// byPerson reports whether a person wrote something: no bot, and not we.
func byPerson(mine bool, by gh.Account) bool { return !mine && !by.Bot }

// readChecks reads the check runs of a head, and finds ours. If there
// are several, because a workflow planted one, it is the newest: GitHub uses that one,
// too.
func (r *Runner) readChecks(ctx context.Context, head string) (checks headChecks, err error) {
	if checks.Runs, err = r.Reader.Checks(ctx, head, ""); err != nil {
		checks.Denied = err.Error()
		return checks, fmt.Errorf("read the check runs of %s: %w", short(head), err)
	}
	for _, run := range checks.Runs {
		if run.Mine && run.Name == CheckName && run.ID > checks.Own.ID {
			checks.Own = run
		}
	}
	return checks, nil
}

// readVerdicts are the reviews of people for or against the merge, with their words on one
// line.
func readVerdicts(s *Snapshot) []gh.Review {
	list := lists.Keep(s.Pull.Reviews, func(r gh.Review) bool {
		return byPerson(r.Mine, r.Author) && slices.Contains([]gh.ReviewState{gh.Approved, gh.ChangesRequested}, r.State)
	})
	for i := range list {
		list[i].Body = text.OneLine(comment.Seen(s.clean(list[i].Body)))
	}
	return list
}

// isRefusal reports whether GitHub will not take a request however often it is
// tried.
func isRefusal(err error) bool {
	return errors.As(err, new(*gh.PermissionError)) || errors.As(err, new(*gh.NotFoundError)) || errors.As(err, new(*gh.RefusedError))
}

// unlessRefused is an error, nil if GitHub refused the request for good.
func unlessRefused(err error) error {
	if isRefusal(err) {
		return nil
	}
	return err
}

// unlessGone is an error, nil if the thing does not exist.
func unlessGone(err error) error {
	if errors.As(err, new(*gh.NotFoundError)) {
		return nil
	}
	return err
}

// maxIssueText bounds the bytes of all linked issues together.
const maxIssueText = 4_000

// linkedText is the text of the linked issues, as people read it, for the reviewers. It leaves
// out an issue that a stranger edited since the head was made: no writer has seen its
// current text together with this change.
func (s *Snapshot) linkedText() string {
	var b strings.Builder
	for _, i := range s.Pull.Linked {
		isStranger := func(e gh.Edit) bool { return !s.actor(e.By).Permission.AtLeast(debate.WriteAccess) }
		if slices.ContainsFunc(s.editsSinceHead(i), isStranger) {
			continue
		}
		fmt.Fprintf(&b, "#%d %s\n\n%s\n\n", i.Number, text.OneLine(i.Title), comment.Seen(i.Body))
	}
	return text.Clip(strings.TrimSpace(s.clean(b.String())), maxIssueText-len("…"))
}

// editsSinceHead are the edits of an issue after the date of the head. A date in the
// future counts as none.
func (s *Snapshot) editsSinceHead(i gh.Linked) []gh.Edit {
	since := s.Pull.HeadDate
	if since.After(s.now) {
		since = time.Time{}
	}
	return lists.Keep(i.Edits, func(e gh.Edit) bool { return e.At.After(since) })
}

// whoEdited are the accounts of those edits.
func (s *Snapshot) whoEdited() []gh.Account {
	var list []gh.Account
	for _, i := range s.Pull.Linked {
		list = append(list, lists.Map(s.editsSinceHead(i), func(e gh.Edit) gh.Account { return e.By })...)
	}
	return list
}
