package pull

import (
	"context"
	"errors"
	"fmt"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report"
)

// CheckName is the name of the check run, and the context of the status that
// stands in for it.
const CheckName = "debate"

// verdict is the conclusion of the check (S05). A commit that is the head of
// another open pull request too is not called good because of this one (T46).
func (s *session) verdict(state debate.State) (debate.Conclusion, string) {
	conclusion, why := state.Conclusion()
	if conclusion == debate.Success && len(s.pull.Siblings) > 0 {
		return debate.Neutral, fmt.Sprintf("pull request #%d has the same head, and a check belongs to a commit", s.pull.Siblings[0])
	}
	return conclusion, why
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
			err = s.check(ctx, gh.Check{Title: "the debate has begun", Summary: report.Progress(state)})
		}
	case debate.StageConfront:
		if !s.progressed {
			s.progressed = true
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
	return s.check(ctx, check)
}

// check writes the check run of the head, or the status that stands in for it
// where the token may write no checks. What stands there already is not written
// again.
func (s *session) check(ctx context.Context, check gh.Check) error {
	o := s.out
	check.Name, check.HeadSHA, check.DetailsURL, check.ExternalID = CheckName, s.pull.HeadSHA, s.runner.DetailsURL, s.log.session
	if o.denied[checks] {
		return s.status(ctx, check)
	}
	if !s.checkKnown {
		runs, err := s.runner.Hub.CheckRuns(ctx, s.pull.HeadSHA)
		if err != nil && !isRefusal(err) {
			return fmt.Errorf("read the check runs of the head: %w", err)
		}
		s.knowCheck(runs)
	}
	var err error
	switch run := s.checkRun; {
	case run == nil:
		var id int64
		if id, err = s.runner.Hub.CreateCheck(ctx, check); err == nil {
			s.checkRun = &gh.CheckRun{ID: id, Name: CheckName, Mine: true}
		}
	case run.Done && run.Conclusion == string(check.Conclusion) && run.Title == check.Title && run.Summary == check.Summary:
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
	if run.Done {
		o.reached("check")
	}
	return nil
}

// knowCheck finds our check run among those of the head.
func (s *session) knowCheck(runs []gh.CheckRun) {
	if s.checkKnown {
		return
	}
	s.checkKnown = true
	for i := range runs {
		if runs[i].Name == CheckName && runs[i].Mine {
			s.checkRun = &runs[i]
		}
	}
}

// status writes the commit status. It knows no neutral: nothing is written then,
// so that a required status stays open (S05).
func (s *session) status(ctx context.Context, check gh.Check) error {
	o := s.out
	status := gh.Status{HeadSHA: s.pull.HeadSHA, Context: CheckName, TargetURL: s.runner.DetailsURL, Description: comment.Clip(check.Title, 140)}
	switch check.Conclusion {
	case debate.Success:
		status.State = gh.StatusSuccess
	case debate.Failure, debate.ActionRequired:
		status.State = gh.StatusFailure
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
// that none stays in progress for ever (R29).
func (s *session) abandon(ctx context.Context, why string) {
	if s.checkRun == nil || s.checkRun.Done {
		return
	}
	err := s.check(ctx, gh.Check{Conclusion: debate.Neutral, Title: "no result", Summary: comment.MarkdownLine(why)})
	if err != nil && !errors.Is(err, context.Canceled) {
		s.runner.say("the check could not be ended: %v", err)
	}
}
