package pull

import (
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/report"
)

// action is the work of a run apart from answers to commands.
type action string

const (
	idle     action = "idle"     // nothing
	fresh    action = "fresh"    // a new debate about the head
	recalled action = "recalled" // the debate about this head again, with the new events
	withdraw action = "withdraw" // withdraw open questions
)

// Plan is the work of a run on a snapshot, decided before the first write.
type Plan struct {
	action   action
	why      string // in words
	commands commands
	answers  []answer
	disputes []happening

	asksModels bool        // the debate calls models, so it needs a job with their keys
	happenings []happening // for the recalled debate
	deferred   bool        // the first outcome of a fresh debate is not written: an answer may follow at once
	rewrite    bool        // the result of the debate is written even without a new event
}

// plan decides the work of a run. It is a function of the snapshot alone.
func plan(s *Snapshot) Plan {
	p := Plan{commands: commandsOf(s)}
	p.answers = answersTo(s, p.commands.asked)
	p.disputes = disputesOf(s, &s.checkpoint, p.commands)
	p.action, p.why = choose(s, p)
	p.rewrite = s.trigger.again
	switch p.action {
	case fresh:
		p.asksModels = !s.byStranger() || p.commands.run != nil
		decides := func(a request) bool { return a.is(comment.Decide) }
		p.deferred = !s.trusted() && (s.questioned() || slices.ContainsFunc(p.commands.asked, decides))
	case recalled:
		p.asksModels = len(p.disputes) > 0
		p.happenings = happenings(s, p.answers, p.disputes)
		p.rewrite = p.rewrite || len(p.commands.dismissed) > 0 || !slices.Equal(p.commands.waived, s.checkpoint.Waived) ||
			s.reopened() || s.lacksIssue() || s.asksInVain() || restoredCheck(s) != nil
	}
	return p
}

const whyUnderWay = "a review of this head is under way"

// choose decides the action of a run, with a reason in words. The first case that holds
// wins.
func choose(s *Snapshot, p Plan) (action, string) {
	c, cause, known, own := p.commands, s.trigger.Cause, s.known(), s.Checks.Own
	ended := "the pull request is " + string(s.Pull.State)
	news := len(p.answers)+len(p.disputes) > 0 || c.ordered
	said := len(p.answers)+len(c.asked) > 0
	shows := func(a request) bool { return a.command.Verb.Spec().Shows }
	underWay := s.underWay()
	// The holder of the head still reviews it, or has just ended: it writes the check before the summary.
	held := underWay || own.Done && own.Title != titleNone && s.ownCheck() && !known
	// A sweep looks for a run that died without a summary.
	sweeps := cause == Swept && s.summary.ID == 0 && s.Checks.Denied == "" && !c.quiet && !underWay
	// We closed the issue with an open question, because its pull request was closed.
	takenAway := !s.Issue.Open && len(s.Issue.Events) > 0 && byOurselves(s.Issue, last(s.Issue.Events)) &&
		len(inIssue(s.checkpoint.Debate.Agenda.Decisions)) > 0
	switch {
	case !s.isOpen() && !s.asksPeople(s.Issue):
		return idle, ended
	case !s.isOpen() && known:
		return recalled, ended
	case !s.isOpen():
		return withdraw, ended
	case s.trigger.lost && held:
		return idle, whyUnderWay
	case c.run != nil:
		return fresh, "by order of " + c.run.comment.Author.Login

	// The debate about this head is remembered.
	case known && cause == Asked:
		return fresh, "it was asked for"
	case known && s.reopened():
		return recalled, "a question to people was withdrawn, and the pull request is open again"
	case known && !c.quiet && s.checkpoint.Stranger && !s.byStranger():
		return fresh, "the author may start a review by now"
	case known && !c.quiet && s.checkpoint.Narrow && (cause == Changed || c.resumed):
		return fresh, "an order had only a part of this head reviewed"
	case known && news:
		return recalled, "there is something new about the reviewed head"
	case known && s.trigger.again:
		return recalled, "another run reviewed this head meanwhile"
	case known && s.lacksIssue():
		return recalled, "a question to people is gone"
	case known && s.asksInVain():
		return recalled, "an issue asks a question that the review of this head does not ask"
	case known && len(s.due()) > 0:
		return recalled, "a decision has waited for days"
	case known && slices.ContainsFunc(c.asked, shows):
		return recalled, "a person asks about the reviewed head"
	case known && restoredCheck(s) != nil:
		return recalled, "the check and the summary differ"
	case known:
		return idle, "this head is reviewed, and nothing new was said"

	// It is not, as far as is known.
	case underWay && cause != Asked && (s.trusted() || !said) && (cause == Swept || s.ownCheck()):
		return idle, whyUnderWay
	case !s.trusted() && s.questioned() && s.heard(p.answers):
		return fresh, "a decision was answered, and no sealed summary says which"
	case s.repeated() && (len(p.disputes) > 0 || c.ordered):
		return fresh, "there is something new, and no sealed summary tells the debate"
	case s.repeated() && cause == Changed && takenAway:
		return fresh, "a question to people was withdrawn, and the pull request is open again"
	case s.repeated() && cause != Asked:
		return idle, "this head is reviewed, and nothing new was said"
	case sweeps && own.ID == 0 && s.now.Sub(s.Pull.CreatedAt) < lately:
		return fresh, "it was opened lately, and no run for it left anything"
	case sweeps && own.ID != 0 && !own.Done:
		return fresh, "a review of this head was begun, and did not end"
	case c.resumed:
		return fresh, "automatic runs go on"
	// Of open pull requests, only a draft is skipped if the gate is required.
	case own.Done && !stops(debate.Conclusion(own.Conclusion)) && s.config.Gate == debate.Required && !s.Pull.Draft && !c.quiet:
		return fresh, "the gate became required after this head was skipped"
	// A comment may start a review: its run can replace the run of a push, because GitHub
	// keeps only the latest waiting run. A sweep only continues, or hears the
	// answer to a question if its summary is lost.
	case cause == Swept && s.summary.ID == 0 && (s.Issue.Number == 0 || s.Issue.Open):
		return idle, "no review of this head was asked for"
	case c.halted:
		return idle, "a person ordered a stop"
	case c.paused && slices.Contains([]string{"", s.Pull.BaseRef}, s.checkpoint.BaseRef): // a pause keeps no result of another base branch
		return idle, "automatic runs are paused on this pull request"
	}
	return fresh, "this head is not reviewed yet"
}

// lacksIssue reports whether the issue with an open question was deleted or moved. It is
// opened again once.
func (s *Snapshot) lacksIssue() bool {
	return s.Issue.Number == 0 && !s.checkpoint.Recreated && len(inIssue(s.checkpoint.Debate.Agenda.Decisions)) > 0
}

// asksInVain reports whether our issue waits for an answer to a question that the review of this head
// does not ask: two runs met, and the other one wrote the summary. A question of an earlier head stays
// while no model has read the newer one.
func (s *Snapshot) asksInVain() bool {
	waits := slices.ContainsFunc(s.Issue.Labels, func(l string) bool { return strings.EqualFold(l, s.config.Escalation.Label) })
	unread := s.checkpoint.Stranger || s.checkpoint.Debate.Ending.Outcome == debate.Skipped
	return waits && !unread && !slices.ContainsFunc(s.checkpoint.Debate.Agenda.Decisions, debate.Decision.ForPeople)
}

// lately is the time in which a sweep makes up for the lost event of an opened pull
// request. Older ones were there before the sweep was set up, or are not wanted.
const lately = 48 * time.Hour

// takenBack is the issue of a closed or merged pull request: its questions are withdrawn.
func takenBack(s *Snapshot) *comment.Item {
	var labels []string
	if s.Pull.State == gh.Merged {
		labels = []string{labelMerged}
	}
	return &comment.Item{
		Status: debate.ItemWithdrawn, Labels: labels, Unlabel: []string{s.config.Escalation.Label},
		Notes: []comment.Note{{Key: "withdrawn-" + short(s.Pull.HeadSHA), Body: string(report.IssueWithdrawn(s.Pull.State == gh.Merged, s.Pull.EndedBy.Login))}},
	}
}
