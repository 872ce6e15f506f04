package pull

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// maxAsked bounds whose permission is asked for in one run; who said something
// later goes first.
const maxAsked = 40

// situation is what stands on GitHub, and what follows from it by itself.
type situation struct {
	trigger Trigger
	pull    gh.Pull
	setup   Setup
	summary *gh.Comment // ours, nil if there is none
	memo    Memo
	sealed  bool // we wrote the memo
	trusted bool // we did, and all of the debate is in it
	issues  []gh.Issue
	access  map[string]access
	asks    []request // commands of people, in the order of their creation
	notes   []string
	now     time.Time // when the run began
}

type access struct {
	Permission debate.Permission
	Bot        bool
}

// read reads the situation of a pull request.
func (r *Runner) read(ctx context.Context, t Trigger) (*situation, error) {
	p, err := r.Hub.Pull(ctx, t.Number)
	if err != nil {
		return nil, fmt.Errorf("read pull request #%d: %w", t.Number, err)
	}
	sit := &situation{trigger: t, pull: p, access: make(map[string]access), now: r.Now()}
	for _, list := range p.Truncated {
		sit.note("not all of the " + list + " were read, there are too many")
	}
	if sit.setup, err = r.Configure(ctx, p.Repository, sit.file(r.Hub)); err != nil {
		return nil, fmt.Errorf("read the settings of the base side: %w", err)
	}
	sit.findSummary()
	var note string
	sit.memo, sit.sealed, note = openMemo(sit.setup.Key, p, sit.summary)
	sit.sealed = sit.sealed || r.assume && sit.memo.Version != 0
	sit.trusted = sit.sealed && !sit.memo.Stub
	sit.note(note)
	if err := sit.readIssues(ctx, r.Hub); err != nil {
		return nil, err
	}
	return sit, sit.readPeople(ctx, r.Hub)
}

func (s *situation) note(text string) {
	if text != "" && !slices.Contains(s.notes, text) {
		s.notes = append(s.notes, text)
	}
}

// file reads files at the tip of the base branch.
func (s *situation) file(hub Reader) File {
	return func(ctx context.Context, path string) ([]byte, error) {
		files, err := hub.Files(ctx, s.pull.BaseSHA, []string{path})
		return files[path], err
	}
}

// findSummary finds our summary comment. If there are several, because two runs
// met, the oldest is it.
func (s *situation) findSummary() {
	for i := range s.pull.Comments {
		c := &s.pull.Comments[i]
		if _, is := comment.Marked(c.Body, comment.SummaryMark); is && c.Mine {
			s.summary = c
			return
		}
	}
}

// met reports whether two runs are known to have written at the same time, so that
// there may be two issues about one decision.
func (s *situation) met() bool {
	summaries := 0
	for _, c := range s.pull.Comments {
		if _, is := comment.Marked(c.Body, comment.SummaryMark); is && c.Mine {
			summaries++
		}
	}
	return summaries > 1
}

// maxItems bounds the issues of one pull request that are read.
const maxItems = 50

// readIssues reads the issues that ask for decisions of this pull request, where
// there are any. Those that are known are read by their number, since anybody who
// may triage can take their label off (T44); the others are looked for where there
// may be some.
func (s *situation) readIssues(ctx context.Context, hub Reader) error {
	var all []gh.Issue
	for _, item := range s.memo.Items[:min(len(s.memo.Items), maxItems)] {
		if item.Issue == 0 {
			continue
		}
		issue, err := hub.Issue(ctx, item.Issue)
		var gone *gh.NotFoundError
		switch {
		case errors.As(err, &gone):
		case err != nil:
			return fmt.Errorf("read the issues that ask for decisions: %w", err)
		default:
			all = append(all, issue)
		}
	}
	s.issues = s.ours(all)
	lost := s.trigger.Cause == Answered || !s.sealed && (s.trigger.Cause == Ended || s.stands())
	if len(s.issues) == 0 && lost || len(all) > 0 && (s.trigger.Cause == Swept || s.trigger.again || s.met()) {
		labelled, err := hub.Issues(ctx, s.setup.Config.Escalation.Label, s.pull.CreatedAt)
		if err != nil && !isRefusal(err) {
			return fmt.Errorf("read the issues that ask for decisions: %w", err)
		}
		for _, issue := range labelled {
			if !slices.ContainsFunc(all, func(known gh.Issue) bool { return known.Number == issue.Number }) {
				all = append(all, issue)
			}
		}
		s.issues = s.ours(all)
	}
	return nil
}

// stands reports whether something of ours stands on the pull request, so that it
// was reviewed before, whatever became of the summary.
func (s *situation) stands() bool {
	if s.summary != nil {
		return true
	}
	for _, t := range s.pull.Threads {
		if len(t.Comments) > 0 && t.Comments[0].Mine {
			return true
		}
	}
	return slices.ContainsFunc(s.pull.Comments, func(c gh.Comment) bool { return c.Mine }) ||
		slices.ContainsFunc(s.pull.Reviews, func(r gh.Review) bool { return r.Mine })
}

// ours are the issues that we opened for this pull request. A label or a title
// says nothing: anybody can write those (T72). Without a key an issue of ours
// counts by its author: what it asks is computed anew all the same.
func (s *situation) ours(all []gh.Issue) []gh.Issue {
	var mine []gh.Issue
	for _, issue := range all {
		issue = s.remarked(issue)
		m, ok := comment.Marked(issue.Body, comment.DecisionMark)
		_, twice := comment.Marked(issue.Body, comment.DuplicateMark)
		if !ok || twice || !issue.Mine || m.PR != s.pull.Number {
			continue
		}
		if s.signed(m) {
			mine = append(mine, issue)
		}
	}
	return mine
}

// remarked is an issue with its marker, which somebody may have edited away: one
// that is known by its number is ours whatever its text is.
func (s *situation) remarked(issue gh.Issue) gh.Issue {
	if !s.sealed || !issue.Mine || !tampered(&issue) {
		return issue
	}
	for _, item := range s.memo.Items {
		if item.Issue == issue.Number {
			m := comment.Signed(s.setup.Key, s.bindIssue(), comment.Marker{
				Kind: comment.DecisionMark, Value: item.Fingerprint, PR: s.pull.Number, ID: item.Decision, Head: item.Head,
			})
			issue.Body = comment.Mark(issue.Body, m.String())
		}
	}
	return issue
}

// signed reports whether we wrote the marker of an issue, as far as a key can say.
func (s *situation) signed(m comment.Marker) bool {
	return s.setup.Key == nil || comment.IsSigned(s.setup.Key, s.bindIssue(), m)
}

func (s *situation) bindIssue() comment.Bind {
	return comment.Bind{RepositoryID: s.pull.Repository.ID, Number: s.pull.Number, Purpose: "decision"}
}

// issue is the oldest of our issues about a decision, nil if there is none.
func (s *situation) issue(fingerprint string) *gh.Issue {
	var oldest *gh.Issue
	for i := range s.issues {
		m, ok := comment.Marked(s.issues[i].Body, comment.DecisionMark)
		if ok && m.Value == fingerprint && (oldest == nil || s.issues[i].Number < oldest.Number) {
			oldest = &s.issues[i]
		}
	}
	return oldest
}

// readPeople asks what those may do whose word could count here: first those whom
// nobody can crowd out, since it takes access to act on an issue, then those who gave
// commands, the latest first. Who is not asked is not answered in this run.
func (s *situation) readPeople(ctx context.Context, hub Reader) error {
	s.asks = s.requests()
	people := []gh.Account{s.pull.Author}
	for _, issue := range s.issues {
		for _, e := range issue.Events {
			people = append(people, e.By)
		}
	}
	if s.sealed { // what they decided holds while they may decide
		for _, d := range s.memo.Debate.Decisions {
			if d.Outcome == debate.HumanDecided && d.Human != nil {
				people = append(people, gh.Account{Login: d.Human.By, Bot: strings.HasSuffix(d.Human.By, "[bot]")})
			}
		}
	}
	if s.awaits("D0") {
		for _, review := range s.pull.Reviews {
			if review.State == gh.Approved || review.State == gh.ChangesRequested {
				people = append(people, review.Author)
			}
		}
	}
	for i := len(s.asks) - 1; i >= 0; i-- {
		if a := s.asks[i]; !a.answered || lasting(a.command.Verb) || a.command.Verb == comment.Stop && s.trigger.Cause == Swept {
			people = append(people, a.comment.Author)
		}
	}
	for _, who := range people {
		if _, known := s.access[who.Login]; known {
			continue
		}
		if who.Bot || who.Login == "" || strings.EqualFold(who.Login, "ghost") {
			s.access[who.Login] = access{Bot: who.Bot}
			continue
		}
		if len(s.access) >= maxAsked {
			s.note(fmt.Sprintf("more than %d people said something; the earlier ones are answered later", maxAsked))
			break
		}
		if err := s.ask(ctx, hub, who.Login); err != nil {
			return err
		}
	}
	return nil
}

// ask asks what an account may do. Where the token may not ask, nobody may do
// anything, and the notes say so.
func (s *situation) ask(ctx context.Context, hub Reader, login string) error {
	permission, bot, err := hub.Permission(ctx, login)
	var denied *gh.PermissionError
	switch {
	case errors.As(err, &denied):
		s.note("the token of this run may not ask what people may do here (metadata: read), so that nobody's word counts")
	case err != nil:
		return fmt.Errorf("ask what %s may do here: %w", login, err)
	}
	s.access[login] = access{Permission: permission, Bot: bot}
	return nil
}

// actor is an account with what it may do.
func (s *situation) actor(a gh.Account) debate.Actor {
	at := s.access[a.Login]
	isAuthor := a.Login == s.pull.Author.Login
	return debate.Actor{
		Login: a.Login, Permission: at.Permission, Bot: a.Bot || at.Bot, Author: isAuthor,
		OwnsRepo: isAuthor && s.pull.Repository.OwnerIsUser && strings.EqualFold(a.Login, s.pull.Repository.Owner),
	}
}

// awaits reports whether the remembered session waits for a human about a
// decision.
func (s *situation) awaits(decision string) bool {
	for _, d := range s.memo.Debate.Decisions {
		if d.ID == decision && d.Outcome == debate.AwaitingHuman {
			return true
		}
	}
	return false
}

// stranger reports whether the author may not cause costs by himself (S19).
func (s *situation) stranger() bool {
	return !s.access[s.pull.Author.Login].Permission.AtLeast(debate.WriteAccess)
}
