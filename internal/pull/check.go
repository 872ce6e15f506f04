package pull

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report"
)

// CheckName is the name of the check run, and the context of the status that
// stands in for it.
const CheckName = "debate"

// verdict is the conclusion of the check (S05).
func (s *session) verdict(state debate.State) (debate.Conclusion, string) {
	conclusion, why := s.concluded(state)
	if shared := s.shared(conclusion); shared != conclusion {
		return shared, fmt.Sprintf("pull request #%d has the same head, and a check belongs to a commit", s.pull.Siblings[0])
	}
	return conclusion, why
}

// concluded is the conclusion of a state as if no other pull request had its head.
func (s *session) concluded(state debate.State) (debate.Conclusion, string) {
	conclusion, why := state.Conclusion()
	switch {
	case rank(conclusion) >= rank(debate.ActionRequired):
	case (state.Outcome == debate.Skipped || state.Received.Settings.Stranger && !s.trusted) && rank(s.memo.Conclusion) >= rank(debate.ActionRequired) && s.pull.State == gh.Open:
		return s.memo.Conclusion, "what the review of an earlier head came to holds until this one is reviewed"
	case s.asksForMore(state):
		return debate.ActionRequired, "a decision was asked for about an earlier head, and somebody with write access has to comment /debate run about this one"
	case s.pull.State == gh.Closed && withdrawn(state.Decisions): // whoever opens it again must not find it free
		return debate.ActionRequired, "a decision was withdrawn with the pull request, and is asked again if it is opened again"
	}
	return conclusion, why
}

// asksForMore reports whether a stranger pushed to a pull request about which people
// were asked: that push, which no model sees, must not take the question away (S19).
func (s *session) asksForMore(state debate.State) bool {
	if s.pull.State != gh.Open || !state.Received.Settings.Stranger && state.Outcome != debate.Skipped {
		return false
	}
	earlier := func(item Item) bool { return item.Head != s.pull.HeadSHA }
	asked := func(i gh.Issue) bool { m, _ := marked(&i); return i.Open && m.Head != s.pull.HeadSHA }
	return s.sealed && slices.ContainsFunc(s.memo.Items, earlier) || slices.ContainsFunc(s.issues, asked)
}

// shared is what the check says where other open pull requests have the same head:
// it is not good because of this one alone (T46).
func (s *session) shared(conclusion debate.Conclusion) debate.Conclusion {
	switch {
	case conclusion != debate.Success || len(s.pull.Siblings) == 0:
		return conclusion
	case s.setup.Config.Gate == debate.Required:
		return debate.Failure
	}
	return debate.Neutral
}

// rank orders conclusions: a greater one stands more in the way of a merge.
func rank(c debate.Conclusion) int {
	return slices.Index([]debate.Conclusion{debate.Success, debate.Neutral, debate.ActionRequired, debate.Failure}, c)
}

// entered writes the start of the check run once models are asked, and one word
// of progress if the debate goes on (S23).
func (s *session) entered(ctx context.Context, state debate.State) {
	var err error
	s.state = state
	switch state.Stage {
	case debate.StageOpening:
		if !s.started {
			s.started = true
			s.acknowledge(ctx)
			begun := gh.Check{Title: "the debate has begun", Summary: report.Progress(state)}
			err = s.check(ctx, begun)
			if err == nil && s.trigger.Cause == Swept && s.out.denied[checks] {
				begun.Conclusion = debate.Neutral // a status knows no other beginning
				if err = s.status(ctx, begun); s.out.denied[statuses] {
					s.cut(errMute)
				}
			}
		}
	case debate.StageConfront:
		if !s.progressed {
			s.progressed = true
			if err = s.meet(ctx); err != nil {
				break
			}
			err = s.check(ctx, gh.Check{Title: "the debate goes on", Summary: report.Progress(state)})
		}
	}
	if err != nil {
		s.runner.say("the check cannot show progress: %v", err)
	}
}

// conclude writes the conclusion of the check run, once.
func (s *session) conclude(ctx context.Context, state debate.State) error {
	conclusion, why := s.verdict(state)
	view := s.view(state)
	if state.Outcome == debate.Skipped { // nobody remembers a skip: its words must be the same each time
		view.RecordHash = ""
	}
	title, summary, notes := report.CheckOutput(report.FromState(state), view, conclusion, why)
	check := gh.Check{Conclusion: conclusion, Title: title, Summary: summary}
	for _, d := range state.Decisions {
		if d.Outcome == debate.AwaitingHuman && d.Human != nil && d.Human.Sink == debate.SinkCheck { // no issue and no comment holds it (X27)
			_, item := report.Issue(report.FromState(state), d.ID, s.view(state), report.Asked{At: day(d.Human.AskedAt)})
			check.Summary = comment.ClipBody(check.Summary+"\n\n"+string(item), comment.MaxBody)
		}
	}
	for _, n := range notes {
		check.Annotations = append(check.Annotations, gh.Annotation{
			Path: n.Path, StartLine: n.StartLine, EndLine: n.EndLine, Level: n.Level, Title: n.Title, Message: n.Message,
		})
	}
	if err := s.readCheck(ctx); err != nil {
		return err
	}
	if err := s.meet(ctx); err != nil {
		return err
	}
	if n := s.foreign(); n != 0 && rank(debate.Conclusion(s.stood.Conclusion)) > rank(conclusion) {
		s.out.note(fmt.Sprintf("the check is that of pull request #%d, which has the same head", n))
		check = s.asItStood()
	}
	return s.check(ctx, check)
}

// meet reads the check run again where other open pull requests have the same head:
// a run for one of them may have written it since this one read it (T46).
func (s *session) meet(ctx context.Context) error {
	if len(s.pull.Siblings) == 0 || s.out.denied[checks] || s.checksRefused != nil {
		return nil
	}
	run, err := s.runner.ownCheck(ctx, s.pull.HeadSHA)
	if err != nil && !isRefusal(err) {
		return err
	}
	if run != nil {
		s.checkRun = run
		if before := s.stood; run.Done {
			if s.stood = *run; s.foreign() == 0 {
				s.stood = before
			}
		}
	}
	return nil
}

// foreign is the other open pull request with the same head whose result the check
// run held when it was read, 0 if there is none.
func (s *session) foreign() int {
	for _, n := range s.pull.Siblings {
		if s.stood.Done && strings.HasPrefix(s.stood.ExternalID, external(n)) {
			return n
		}
	}
	return 0
}

// external begins the identifiers that we give to the check runs of a pull request.
func external(number int) string { return fmt.Sprintf("pr-%d/", number) }

// asItStood is the check as it was when the run began.
func (s *session) asItStood() gh.Check {
	return gh.Check{
		Conclusion: debate.Conclusion(s.stood.Conclusion), Title: s.stood.Title, Summary: s.stood.Summary, ExternalID: s.stood.ExternalID,
	}
}

// readCheck reads our check run of the head, where the token may.
func (s *session) readCheck(ctx context.Context) error {
	if s.out.denied[checks] {
		return nil
	}
	if _, err := s.headRuns(ctx); err != nil && !isRefusal(err) {
		return fmt.Errorf("read the check runs of the head: %w", err)
	}
	return nil
}

// headRuns reads the check runs of the head, once, and finds ours among them. If
// there are several, because a workflow planted one, the newest is it: it is the
// one that GitHub goes by.
func (s *session) headRuns(ctx context.Context) ([]gh.CheckRun, error) {
	if s.checksRead {
		return s.headChecks, s.checksRefused
	}
	runs, err := s.runner.Hub.CheckRuns(ctx, s.pull.HeadSHA)
	if err != nil && !isRefusal(err) {
		return nil, err
	}
	s.checksRead, s.headChecks, s.checksRefused = true, runs, err
	for i := range runs {
		if runs[i].Name == CheckName && runs[i].Mine && runs[i].ID > s.stood.ID {
			s.stood = runs[i]
		}
	}
	if s.stood.ID != 0 {
		run := s.stood
		s.checkRun = &run
	}
	return runs, err
}

// check writes the check run of the head, or the status that stands in for it
// where the token may write no checks. What stands there already is not written
// again.
func (s *session) check(ctx context.Context, check gh.Check) error {
	o := s.out
	check.Name, check.HeadSHA, check.DetailsURL = CheckName, s.pull.HeadSHA, s.runner.DetailsURL
	if check.ExternalID == "" {
		check.ExternalID = external(s.pull.Number)
		if s.log != nil {
			check.ExternalID += s.log.session
		}
		if check.Conclusion == "" { // GitHub remembers when it was begun for the first time
			check.ExternalID += "@" + strconv.FormatInt(s.runner.Now().Unix(), 10)
		}
	}
	if err := s.readCheck(ctx); err != nil {
		return err
	}
	if o.denied[checks] {
		return s.status(ctx, check)
	}
	var err error
	switch run := s.checkRun; {
	case run == nil:
		var id int64
		if id, err = s.runner.Hub.CreateCheck(ctx, check); err == nil {
			s.checkRun, s.begunCheck = &gh.CheckRun{ID: id, Name: CheckName, Mine: true}, true
		}
	case run.Done && run.Conclusion == string(check.Conclusion) && run.Title == check.Title && run.Summary == check.Summary &&
		(run.ExternalID == check.ExternalID || s.state.Outcome == debate.Skipped): // a memo names its session, and a skip leaves none
		return nil
	default:
		err = s.runner.Hub.UpdateCheck(ctx, run.ID, check)
	}
	if isRefusal(err) {
		o.denied[checks] = true
		o.note("not possible with the token of this run: " + checks)
		return s.status(ctx, check)
	}
	if err != nil {
		return err
	}
	run := s.checkRun
	run.Done, run.Conclusion, run.Title, run.Summary = check.Conclusion != "", string(check.Conclusion), check.Title, check.Summary
	run.ExternalID = check.ExternalID
	if run.Done {
		o.reached("check")
	}
	return nil
}

// status writes the commit status. It knows no neutral: it is pending then, so
// that a required status stays open whatever was said before (S05).
func (s *session) status(ctx context.Context, check gh.Check) error {
	o := s.out
	status := gh.Status{HeadSHA: s.pull.HeadSHA, Context: CheckName, TargetURL: s.runner.DetailsURL, Description: comment.Clip(check.Title, 140)}
	switch check.Conclusion {
	case debate.Success:
		status.State = gh.StatusSuccess
	case debate.Failure, debate.ActionRequired:
		status.State = gh.StatusFailure
	case debate.Neutral:
		status.State = gh.StatusPending
	default:
		return nil
	}
	if o.denied[statuses] || s.stated == status {
		return nil
	}
	err := s.runner.Hub.SetStatus(ctx, status)
	if isRefusal(err) {
		o.denied[statuses] = true
		o.note("not possible with the token of this run: " + statuses)
		return nil
	}
	if err == nil {
		s.stated = status
		o.reached("status")
	}
	return err
}

// abandon ends a check run that was begun and whose debate came to nothing, so
// that none stays in progress for ever (R29). What stood in the way of a merge
// before still does, and a gate that is required stays shut.
func (s *session) abandon(ctx context.Context, why string) {
	begun := s.checkRun != nil && !s.checkRun.Done || s.started && s.out.denied[checks]
	if !begun {
		return
	}
	if err := s.meet(ctx); err != nil {
		s.runner.say("the check cannot be read: %v", err)
	}
	check := gh.Check{Conclusion: debate.Neutral, Title: "no result", Summary: comment.MarkdownLine(why)}
	if s.setup.Config.Gate == debate.Required {
		check.Conclusion = debate.Failure
	}
	before := debate.Conclusion("")
	if s.known() {
		before = s.memo.Conclusion
	}
	if s.stood.Done {
		before = debate.Conclusion(s.stood.Conclusion)
	} else if s.open() && rank(before) < rank(debate.ActionRequired) {
		before = debate.ActionRequired
	}
	switch {
	case rank(before) < rank(debate.ActionRequired):
	case s.stood.Done:
		check = s.asItStood()
	default:
		check.Conclusion = before
	}
	err := s.check(ctx, check)
	if err != nil && !errors.Is(err, context.Canceled) {
		s.runner.say("the check could not be ended: %v", err)
	}
}
