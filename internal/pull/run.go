package pull

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report/reason"
)

// Run does what there is to do on one pull request. Done twice, it does nothing
// the second time.
func (r *Runner) Run(ctx context.Context, t Trigger) (Result, error) {
	for begun := 1; ; begun++ {
		result, err := r.once(ctx, t)
		if !errors.Is(err, errMeanwhile) || begun == maxBegun {
			return unread(result, err)
		}
		r.say("pull request #%d: %v; looking again", t.Number, errMeanwhile)
		t.again, t.unbooked = true, result.unbooked
	}
}

func (r *Runner) once(ctx context.Context, t Trigger) (Result, error) {
	s, course, answers, err := r.begin(ctx, t)
	if s != nil && s.setup.Close != nil {
		defer s.setup.Close()
	}
	if err != nil {
		return Result{Number: t.Number}, err
	}
	return s.end(ctx, course, answers)
}

// unread is the result of a run whose token may not read what a review needs. That
// is said, and is no failure of the job: without a check nothing is green.
func unread(result Result, err error) (Result, error) {
	var denied *gh.PermissionError
	if !errors.As(err, &denied) {
		return result, err
	}
	result.Done = "the token of this run may not read what a review needs (contents: read, pull-requests: read)"
	result.Notes = append(result.Notes, err.Error())
	return result, nil
}

// begin reads the situation and decides what there is to do. Nothing is written.
func (r *Runner) begin(ctx context.Context, t Trigger) (*session, course, []answer, error) {
	sit, err := r.read(ctx, t)
	if sit == nil {
		return nil, idle, nil, err
	}
	s := newSession(r, sit, wishes{})
	if err != nil {
		return s, idle, nil, err
	}
	s.wishes = sit.weigh()
	answers := sit.answers(s.wishes)
	course, why := sit.choose(s.wishes, answers)
	if course == idle {
		if course, why, err = s.unfinished(ctx, why); err != nil {
			return s, idle, nil, err
		}
	}
	if course == fresh && t.Cause == Swept && !t.again && s.wishes.run == nil && (s.trusted || len(answers)+len(s.wishes.asked) == 0) {
		if err := s.readCheck(ctx); err != nil {
			return s, idle, nil, err
		}
		if s.underWay() {
			course, why = idle, "a review of this head is under way"
		}
	}
	s.why = why
	r.say("pull request #%d at %s: %s", t.Number, short(sit.pull.HeadSHA), why)
	return s, course, answers, nil
}

// end does what was decided, and answers those who asked for it.
func (s *session) end(ctx context.Context, c course, answers []answer) (Result, error) {
	var err error
	switch c {
	case fresh, recalled:
		err = s.run(ctx, c, answers)
		if c == recalled && s.handed == nil && s.state.Outcome == debate.Aborted { // the settings split the change in another way by now
			s.runner.say("pull request #%d: %s; it is reviewed anew", s.pull.Number, reason.Sentence(s.state.OutcomeReason))
			why := s.why
			c, s = fresh, newSession(s.runner, s.situation, s.wishes)
			s.why = why
			err = s.run(ctx, c, answers)
		}
		if c == recalled && s.pull.State != gh.Open && s.log == nil && isRefusal(err) { // its commits are gone
			err = s.still(ctx)
			if err == nil {
				err = s.withdraw(ctx)
			}
		}
	case withdraw:
		if err = s.still(ctx); err == nil {
			err = s.withdraw(ctx)
		}
	case idle:
		if err = s.heal(ctx); err == nil {
			err = s.unreviewed(ctx)
		}
	}
	if s.log != nil {
		defer s.log.Close()
	}
	s.countLost()
	if errors.Is(err, errMute) {
		s.runner.say("pull request #%d: %v", s.pull.Number, err)
		s.state = debate.State{}
		return s.result(err.Error()), nil
	}
	if errors.Is(err, errMeanwhile) {
		if s.begunCheck || s.started { // nobody else ends it
			s.abandon(context.WithoutCancel(ctx), "The pull request changed meanwhile, or another run took over.")
		}
		return s.result(s.why), err
	}
	if err != nil {
		s.abandon(context.WithoutCancel(ctx), "The run ended before the debate did: "+s.inShort(err))
	} else {
		err = s.reply(ctx)
	}
	s.book(context.WithoutCancel(ctx))
	return s.result(s.why), err
}

// page is how a page begins.
var page = regexp.MustCompile(`(?i)<(!doctype|html|head)\b`)

// inShort is an error in a sentence for people, without secrets and without the page
// that a server may have answered with.
func (s *session) inShort(err error) string {
	text := s.setup.Clean(err.Error())
	if at := page.FindStringIndex(text); at != nil {
		text = text[:at[0]] + "(a page)"
	}
	return comment.Clip(text, 500)
}

func newSession(r *Runner, sit *situation, w wishes) *session {
	return &session{
		situation: sit, runner: r, wishes: w, out: sit.outbox(),
		undone: make(map[string][]comment.Note), answered: make(map[string]int64), closed: make(map[string]int), restored: make(map[string]bool),
	}
}

// run holds a session, and sees to it that what stands on GitHub at its end is
// what it came to.
func (s *session) run(ctx context.Context, c course, answers []answer) error {
	first, err := s.prepare(ctx, c)
	if err != nil {
		return err
	}
	var facts []fact
	if c == recalled {
		facts = s.facts(answers)
		if s.handed != nil { // its disputes are in the record
			facts = keep(facts, func(f fact) bool { _, is := f.event.(debate.Disputed); return !is })
		}
	} else {
		s.deferred = !s.trusted && slices.ContainsFunc(s.issues, func(i gh.Issue) bool { return len(i.Events) > 0 || len(i.Comments) > 0 }) ||
			!s.trusted && slices.ContainsFunc(s.wishes.asked, func(a request) bool { return a.command.Verb == comment.Decide }) ||
			!s.trusted && len(answers) > 0 // a review is one, too
	}
	if c == recalled && (len(s.wishes.dismissed) > 0 || !slices.Equal(s.wishes.waived, s.memo.Waived)) {
		s.dirty = true // what they are about is to be remembered
	}
	if len(facts) > 0 || s.wishes.run != nil {
		s.acknowledge(ctx)
	}
	if s.unheard() {
		facts = keep(facts, func(f fact) bool { _, is := f.event.(debate.Disputed); return !is })
	}
	begin := s.hold
	if s.handed != nil {
		begin = s.takeOver
	}
	if err := begin(ctx, first); err != nil {
		return err
	}
	if s.deferred {
		s.deferred = false
		s.recall(s.state)
		facts = s.facts(s.answers(s.wishes))
		s.dirty = true
	} else if c == fresh {
		if !s.split && (s.state.Stage == debate.StageDone || s.state.Stage == debate.StageAwaitingHuman) {
			facts = s.reopenings(&s.out.memo)
		}
		s.overtaken(answers)
	}
	if err := s.apply(ctx, facts); err != nil {
		return err
	}
	switch {
	case s.state.Outcome == debate.Aborted:
		return fmt.Errorf("the review could not be done: %s", reason.Sentence(s.state.OutcomeReason))
	case s.state.Outcome == debate.Superseded:
		return s.superseded(ctx)
	case s.state.Stage == debate.StageNone:
		return nil
	case s.dirty || s.trigger.again || c == recalled && (s.missing() || len(s.undone) > 0 || len(s.rewritten()) > 0):
		if err = s.still(ctx); err == nil {
			err = s.republish(ctx)
		}
	}
	return err
}

// republish writes what the session came to once more. A question that a sink
// refuses moves on to the next one (X27).
func (s *session) republish(ctx context.Context) error {
	for {
		_, refused, err := s.publish(ctx, s.state)
		if err != nil || len(refused) == 0 {
			return err
		}
		before := s.sinks()
		for _, fact := range refused {
			if s.state, err = s.review.Resume(ctx, s.log.entries, fact); err != nil {
				return err
			}
		}
		if s.sinks() == before {
			return fmt.Errorf("no place takes the question of decision %s: %s", refused[0].Decision, refused[0].Reason)
		}
	}
}

// sinks says where the questions of the session stand.
func (s *session) sinks() string {
	text := ""
	for _, d := range s.state.Decisions {
		if d.Human != nil {
			text += d.ID + " " + string(d.Human.Sink) + "; "
		}
	}
	return text
}

// recall takes what a fresh session came to for what is remembered: without a
// seal nothing else is known of the items that people answered.
func (s *session) recall(state debate.State) {
	s.memo.Earlier, s.memo.Unpriced = s.memo.spent()
	s.memo.Debate = state.Memory()
	s.memo.Debate.Calls = nil // they are in the session, and counted there
	known := s.memo.Items
	s.memo.Items = nil
	for _, d := range state.Decisions {
		if d.Human == nil {
			continue
		}
		if c := s.itemComment(d.Fingerprint); c != nil && s.issue(d.Fingerprint) == nil {
			m, _ := comment.Marked(c.Body, comment.DecisionMark)
			item := Item{Decision: d.ID, Fingerprint: d.Fingerprint, Sink: debate.SinkComment, Head: m.Head, AskedAt: millis(c.CreatedAt)}
			if c.Edited {
				item.AskedAt = millis(c.EditedAt)
			}
			s.memo.Items = append(s.memo.Items, item)
		}
		if m, ok := marked(s.issue(d.Fingerprint)); ok {
			item := Item{
				Decision: d.ID, Fingerprint: d.Fingerprint, Sink: debate.SinkIssue, Head: m.Head,
				Issue: s.issue(d.Fingerprint).Number, AskedAt: millis(s.issue(d.Fingerprint).CreatedAt),
			}
			for _, before := range known {
				if before.Fingerprint == d.Fingerprint {
					item.Undone, item.Restored = before.Undone, before.Restored
				}
			}
			s.memo.Items = append(s.memo.Items, item)
		}
	}
}

// withdraw takes back what waits for a person where the debate itself is not
// known any more.
func (s *session) withdraw(ctx context.Context) error {
	var items []comment.Item
	for _, h := range s.out.have.Issues {
		if h.Open {
			items = append(items, s.takenBack(h.Fingerprint))
		}
	}
	_, err := s.write(ctx, comment.Publish(comment.Want{Items: items}, s.out.have))
	return err
}

// heal marks what two runs at the same time posted twice (R22).
func (s *session) heal(ctx context.Context) error {
	have := s.out.have
	want := comment.Want{HeadSHA: s.pull.HeadSHA}
	if len(have.Summaries) > 1 {
		want.Summary = have.Summaries[0].Body
	}
	for _, c := range have.Inline {
		want.Standing = append(want.Standing, comment.Standing{Key: c.Key})
	}
	for _, d := range s.memo.Debate.Decisions {
		same := keep(have.Issues, func(i comment.HaveIssue) bool { return i.Fingerprint == d.Fingerprint })
		if d.Human != nil && len(same) > 1 {
			want.Items = append(want.Items, comment.Item{Fingerprint: d.Fingerprint, Status: d.Human.Status})
		}
	}
	_, err := s.write(ctx, comment.Publish(want, have))
	return err
}

// remember is the memo of what a state came to.
func (s *session) remember(state debate.State) Memo {
	m := s.memo
	m.Names, m.NextF = slices.Clone(s.out.memo.Names), s.out.memo.NextF // what this run named stays named so
	if !s.sealed {
		m = Memo{Names: m.Names, NextF: m.NextF, Items: s.memo.Items}
	}
	if state.Received.Recall == nil && s.sealed {
		m.Earlier, m.Unpriced = s.memo.spent()
	}
	m.Stub = false
	m.book(s.trigger.unbooked)
	m.Debate = state.Memory()
	for _, c := range s.out.have.Inline {
		if mark, _ := comment.Marked(c.Body, comment.FindingMark); s.unedited(c.Key) != nil {
			m.takeUp(mark.ID, c.Key)
		}
	}
	m.name(shown(state))
	m.Debate.Published = nil
	for _, n := range m.Names {
		if n.Claim != "" {
			m.Debate.Published = append(m.Debate.Published, debate.Named{Claim: n.Claim, F: n.F, Key: n.Key})
		}
	}
	m.Waived = s.wishes.waived
	m.Dismissed = latest(append(slices.Clone(m.Dismissed), s.wishes.dismissed...))
	if state.Received.Recall == nil {
		m.At, m.Stranger = millis(s.runner.Now()), state.Received.Settings.Stranger
		m.Base, m.BaseRef, m.Target = s.pull.BaseSHA, s.pull.BaseRef, state.Received.Target
	}
	m.Handled = slices.Clone(m.Handled)
	for _, id := range s.carriedOut {
		m.handle(id)
	}
	for _, a := range s.wishes.obeyed { // the summary says so, even if no reaction can
		m.handle(a.comment.ID)
	}
	m.Debated = slices.Clone(m.Debated)
	for _, d := range s.disputes(&s.memo, s.wishes) {
		for _, c := range state.Claims {
			if c.ID == d.event.Claim && c.Final && !slices.Contains(m.Debated, d.request.comment.ID) {
				m.Debated = append(m.Debated, d.request.comment.ID)
			}
		}
	}
	m.Debated = m.Debated[max(0, len(m.Debated)-maxHandled):]
	return m
}

// result is what came of the run.
func (s *session) result(why string) Result {
	r := Result{
		Number: s.pull.Number, Head: s.pull.HeadSHA, Done: why, State: s.state, Session: s.state.Stage != debate.StageNone,
		Memo: s.out.memo, Record: s.record, CommentURL: s.out.url, Notes: append(slices.Clone(s.notes), s.out.notes...),
		unbooked: s.trigger.unbooked,
	}
	r.Reviewed = (r.Session || s.sealed) && r.Memo.Debate.HeadSHA == r.Head
	if r.Session {
		r.Conclusion, r.Why = s.verdict(s.state)
		r.View = s.view(s.state)
	}
	return r
}
