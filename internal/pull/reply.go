package pull

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/reason"
)

// What one run answers at most. The others are answered by the next one.
const (
	maxTexts   = 10
	maxReplies = 20 // texts and mere reactions
)

// urgent orders requests: people with access first, and then the newest.
func (s *situation) urgent(a, b request) int {
	return cmp.Or(cmp.Compare(s.standing(b), s.standing(a)), b.comment.CreatedAt.Compare(a.comment.CreatedAt), cmp.Compare(b.comment.ID, a.comment.ID))
}

// standing is 1 for who takes part in the work on the pull request, 0 for others.
func (s *situation) standing(a request) int {
	switch who := s.actor(a.comment.Author); {
	case who.Author, who.Permission.AtLeast(debate.WriteAccess):
		return 1
	}
	return 0
}

// texts counts the texts that are to be written.
func (s *session) texts() int {
	n := 0
	for _, r := range s.replies {
		if r.Body != "" && !s.out.have.Replied[r.To] {
			n++
		}
	}
	return n
}

// most are the replies that this run gives. What the summary counts as carried out
// is said in any case.
func (s *session) most() []comment.Reply {
	order := make(map[comment.Ref]int)
	asks := slices.Clone(s.asks)
	slices.SortStableFunc(asks, s.urgent)
	for i, a := range asks {
		order[a.ref()] = i + 1
		if s.out.sealed.handled(a.comment.ID) {
			order[a.ref()] = 0
		}
	}
	replies := slices.Clone(s.replies)
	slices.SortStableFunc(replies, func(a, b comment.Reply) int { return cmp.Compare(order[a.To], order[b.To]) })
	var list []comment.Reply
	texts := 0
	for _, r := range replies {
		talks := r.Body != "" && !s.out.have.Replied[r.To]
		if !talks && s.out.have.Reacted[comment.Reacted{To: r.To, Reaction: r.Reaction}] {
			continue // it stands there
		}
		if talks {
			texts++
		}
		if len(list) == maxReplies || talks && texts > maxTexts {
			continue
		}
		list = append(list, r)
	}
	return list
}

// ref is the comment of a request.
func (a request) ref() comment.Ref {
	return comment.Ref{ID: a.comment.ID, InThread: a.thread != nil}
}

// on is the issue that a request stands on, 0 for the pull request.
func (a request) on() int {
	if a.issue == nil {
		return 0
	}
	return a.issue.Number
}

// finish ends a request: with thumbs up and perhaps a text, or with why not.
func (s *session) finish(a request, refused, text string) {
	r := comment.Reply{To: a.ref(), On: a.on(), Body: text, Reaction: comment.ThumbsUp}
	if refused != "" {
		r.Reaction = comment.Confused
		r.Body = string(report.Refused(refused))
	}
	s.replies = append(s.replies, r)
	s.carriedOut = append(s.carriedOut, a.comment.ID)
}

// acknowledge shows those who asked for something that takes long that it was
// read.
func (s *session) acknowledge(ctx context.Context) {
	if s.acknowledged {
		return
	}
	s.acknowledged = true
	var list []comment.Reply
	add := func(a request) {
		list = append(list, comment.Reply{To: a.ref(), Reaction: comment.Eyes})
	}
	if s.wishes.run != nil {
		add(*s.wishes.run)
	}
	for _, a := range s.wishes.asked {
		switch a.command.Verb {
		case comment.Dispute, comment.Ask:
			add(a)
		}
	}
	if _, err := s.write(ctx, comment.Publish(comment.Want{Replies: list}, s.out.have)); err != nil {
		s.runner.say("a command could not be acknowledged: %v", err)
	}
}

// unheard reports whether a sweep may not even react to who asks for something: it
// asks no model then, since the next one would ask all over again (T60).
func (s *session) unheard() bool { return s.trigger.Cause == Swept && s.out.denied[reactions] }

// reply answers all commands that nobody answered yet: one reaction, and at most
// one text each.
func (s *session) reply(ctx context.Context) error {
	if s.state.Outcome == debate.Superseded { // the run for the newer head answers
		return nil
	}
	for _, a := range s.wishes.obeyed {
		text := ""
		if a.command.Verb == comment.Run && s.pull.State != gh.Open {
			s.finish(a, "the pull request is "+string(s.pull.State), "")
			continue
		}
		if a.command.Verb == comment.Stop && s.state.Stage == debate.StageNone {
			text = s.stopping()
		}
		if !s.bound(a) {
			s.replies = append(s.replies, comment.Reply{To: a.ref(), On: a.on(), Reaction: comment.Eyes})
			continue
		}
		s.finish(a, "", text)
	}
	for _, a := range s.wishes.refused {
		s.refuse(a)
	}
	asked := slices.Clone(s.wishes.asked)
	slices.SortStableFunc(asked, s.urgent)
	for _, a := range asked {
		if s.finished(a) {
			continue
		}
		if s.texts() == maxTexts {
			break
		}
		if s.waits(a) {
			s.replies = append(s.replies, comment.Reply{To: a.ref(), On: a.on(), Reaction: comment.Eyes})
			continue
		}
		if err := s.answer(ctx, a); err != nil {
			return err
		}
	}
	if err := s.repliedMeanwhile(ctx); err != nil {
		return err
	}
	_, err := s.write(ctx, comment.Publish(comment.Want{Replies: s.most()}, s.out.have))
	return err
}

// repliedMeanwhile notes what another run answered since this one began (R22). It
// looks where there is a text to write on the pull request.
func (s *session) repliedMeanwhile(ctx context.Context) error {
	if !slices.ContainsFunc(s.replies, func(r comment.Reply) bool { return r.Body != "" && r.On == 0 && !s.out.have.Replied[r.To] }) {
		return nil
	}
	g, err := s.runner.Hub.Glance(ctx, s.pull.Number, "")
	if err != nil {
		return fmt.Errorf("look whether somebody answered: %w", err)
	}
	for _, c := range g.Comments {
		said(&s.out.have, c, false)
	}
	return nil
}

// stopping says what becomes of an order to stop where this run holds no debate.
func (s *session) stopping() string {
	text := "A debate that runs now ends before its next round."
	if s.split {
		text = "A debate that jobs of its own hold cannot be stopped from here: cancel the workflow run."
	}
	return text + " If none runs, none begins until the pull request changes or somebody comments `/debate run`.\n"
}

// bound reports whether the summary says what a dismissal or a waiver is about. Until
// it does, the next run takes it up again.
func (s *session) bound(a request) bool {
	switch a.command.Verb {
	case comment.Dismiss:
		return slices.ContainsFunc(s.out.sealed.Dismissed, func(d Dismissed) bool { return d.Comment == a.comment.ID })
	case comment.Waive:
		return slices.ContainsFunc(s.out.sealed.Waived, func(w Waived) bool { return w.Comment == a.comment.ID })
	}
	return true
}

// waits reports whether a command about what an earlier head left can wait for
// the review of this one, which takes it up.
func (s *session) waits(a request) bool {
	if (s.handed != nil || s.unheard()) && a.command.Verb == comment.Dispute && s.memo.claim(s.finding(a)) != "" {
		return true // the debate that was handed over left it out, or this run did
	}
	if !s.trusted || s.state.Stage != debate.StageNone || s.pull.State != gh.Open || s.wishes.paused || s.held(s.wishes) || s.memo.Debate.HeadSHA == s.pull.HeadSHA {
		return false
	}
	switch a.command.Verb {
	case comment.Decide:
		return s.awaits(a.command.Decision)
	case comment.Dispute:
		return s.memo.claim(s.finding(a)) != ""
	}
	return false
}

func (s *session) finished(a request) bool {
	for _, r := range s.replies {
		if r.To == a.ref() {
			return true
		}
	}
	return false
}

// refuse ends a command that its sender may not give. A stranger gets a reaction
// and no text: nobody shall make us talk (T14).
func (s *session) refuse(a refused) {
	if s.standing(a.request) > 0 {
		s.finish(a.request, a.why, "")
		return
	}
	s.replies = append(s.replies, comment.Reply{To: a.ref(), On: a.on(), Reaction: comment.Confused})
}

// answer carries out a command that wants a text, or says why it cannot.
func (s *session) answer(ctx context.Context, a request) error {
	if a.command.Verb == comment.Help {
		s.finish(a, "", string(report.Help()))
		return nil
	}
	if a.command.Verb == comment.Ask && s.split {
		s.finish(a, "a run that is split over jobs debates no questions", "")
		return nil
	}
	if a.command.Verb == comment.Ask && s.out.have.Replied[a.ref()] { // it was, whatever became of the reaction
		s.finish(a, "", "")
		return nil
	}
	if a.command.Verb == comment.Ask {
		return s.inquire(ctx, a)
	}
	known := s.state.Stage != debate.StageNone
	finding := s.finding(a)
	about := a.command.Verb == comment.Dispute || a.command.Verb == comment.Explain
	switch {
	case a.command.Verb == comment.Decide:
		s.finish(a, "no decision "+a.command.Decision+" awaits a human here; "+s.waiting(), "")
	case about && finding == "":
		s.finish(a, "it does not say which finding it is about", "")
	case about && !slices.ContainsFunc(s.out.memo.Names, func(n Name) bool { return n.F == finding }):
		s.finish(a, "there is no finding "+finding+" here", "")
	case a.command.Verb == comment.Dispute && s.unpaid(&s.out.memo, a, s.wishes):
		s.finish(a, "a dispute asks models, and for an author without write access somebody who has it must comment /debate run first", "")
	case a.command.Verb == comment.Status && s.repeated():
		s.finish(a, "", "This head is reviewed, and the summary comment says how it stands.\n")
	case a.command.Verb == comment.Status && !known:
		s.finish(a, "", "Nobody has reviewed this head yet.\n")
	case !known && s.memo.Debate.HeadSHA == s.pull.HeadSHA:
		s.finish(a, "this head is reviewed, but what was said is not remembered; /debate run debates it again", "")
	case !known:
		s.finish(a, "nobody has reviewed this head yet", "")
	case a.command.Verb == comment.Status:
		conclusion, why := s.verdict(s.state)
		s.finish(a, "", string(report.Status(report.FromState(s.state), s.view(s.state), conclusion, why)))
	default: // dispute and explain
		text := report.Explain(report.FromState(s.state), s.out.memo.claim(finding), s.view(s.state))
		if a.command.Verb != comment.Explain || len(text) == 0 {
			s.finish(a, finding+" does not stand any more", "")
			return nil
		}
		s.finish(a, "", string(text))
	}
	return nil
}

// waiting says which decisions await a human, and about which head.
func (s *session) waiting() string {
	decisions, head := s.state.Decisions, s.pull.HeadSHA
	if s.state.Stage == debate.StageNone {
		decisions, head = s.memo.Debate.Decisions, s.memo.Debate.HeadSHA
	}
	var ids []string
	for _, d := range decisions {
		if d.Outcome == debate.AwaitingHuman {
			ids = append(ids, d.ID)
		}
	}
	if len(ids) == 0 {
		return "none does"
	}
	return "what does: " + strings.Join(ids, ", ") + ", about head " + short(head)
}

// inquire debates a question with the pull request as its context.
func (s *session) inquire(ctx context.Context, a request) error {
	if s.acknowledge(ctx); s.unheard() {
		return nil
	}
	if s.snapshot == nil {
		snapshot, err := s.runner.Hub.Snapshot(ctx, s.pull.BaseSHA, s.pull.HeadSHA, s.pull.Number)
		if err != nil {
			return fmt.Errorf("read the change of #%d: %w", s.pull.Number, err)
		}
		s.snapshot = snapshot
	}
	first, shown, err := s.setup.Inquire(ctx, a.command.Text, a.command.Framing, s.pull.HeadSHA, s.snapshot.Change)
	if err != nil {
		return fmt.Errorf("prepare the question: %w", err)
	}
	s.capCosts(&first)
	log, _, err := s.runner.Record(first.SessionID)
	if err != nil {
		return err
	}
	defer log.Close()
	review := s.setup.Review()
	review.Log, review.Source, review.Checks = log, shown, nil
	var answer debate.State
	review.Publish = func(_ context.Context, state debate.State) ([]string, []debate.SinkFailed, error) {
		answer = state
		return []string{"comment"}, nil, nil
	}
	state, err := review.Start(ctx, first)
	s.trigger.unbooked.add(state.Calls)
	switch {
	case err != nil:
		return fmt.Errorf("debate the question: %w", err)
	case state.Outcome == debate.Aborted:
		s.finish(a, "the question could not be debated: "+reason.Sentence(state.OutcomeReason), "")
		return nil
	}
	view := s.view(answer)
	view.RecordHash = log.Last()
	s.finish(a, "", string(report.Answer(report.FromState(answer), view)))
	return nil
}
