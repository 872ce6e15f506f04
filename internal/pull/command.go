package pull

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
)

// request is a command of a person.
type request struct {
	comment  gh.Comment
	nth      int      // of the commands of its comment, from 0
	inThread bool     // in a thread of inline comments
	key      string   // of the finding of the thread, "" for none
	issue    gh.Issue // of the comment, the zero value for the pull request
	command  comment.Command
	plain    bool   // a question without an address
	wrong    error  // it starts like a command and is none
	refused  string // why it may not be carried out, "" if it may or if this is not known yet
	answered bool   // we reacted to it at its end
}

// id names a request in a checkpoint.
func (a request) id() CommandID { return CommandID{a.comment.ID, int64(a.nth)} }

// is reports whether a request is one of some commands.
func (a request) is(verbs ...comment.Verb) bool { return slices.Contains(verbs, a.command.Verb) }

// ref names a request in replies.
func (a request) ref() comment.Ref {
	return comment.Ref{ID: a.comment.ID, InThread: a.inThread, Nth: a.nth}
}

// readRequests collects the commands of people in order of time. It ignores bots, our own
// comments, and hidden or edited ones.
func readRequests(s *Snapshot) []request {
	var all []request
	add := func(a request, t gh.Thread) {
		for _, c := range lists.Keep(t.Comments, mayCommand) {
			a.comment, a.plain = c, false
			said := s.clean(c.Body)
			given := comment.Parse(said)
			if command, plain, is := s.spoken(t, c, said); is && len(given) == 0 {
				a.plain = plain
				given = []comment.Given{{Command: command}}
			}
			for nth, one := range given {
				a.nth, a.command, a.wrong = nth, one.Command, one.Wrong
				a.answered = c.ThumbsUp || c.Confused || s.believed().handled(a.id())
				all = append(all, a)
			}
		}
	}
	add(request{}, gh.Thread{Comments: s.Pull.Comments})
	for _, t := range s.Pull.Threads {
		add(request{inThread: true, key: findingMark(t).Value}, t)
	}
	for _, i := range s.issues() {
		add(request{issue: i}, gh.Thread{Comments: i.Comments})
	}
	slices.SortFunc(all, func(a, b request) int {
		return cmp.Or(a.comment.CreatedAt.Compare(b.comment.CreatedAt), cmp.Compare(a.comment.ID, b.comment.ID), cmp.Compare(a.nth, b.nth))
	})
	return all
}

// The bounds of questions in plain words.
const (
	maxPlain = 3              // answered in one thread
	plainAge = 24 * time.Hour // an older one waits for no answer
)

// spoken reads a request in plain words in the thread of a finding. Such a request can
// explain a finding or ask about it, and never changes a decision.
func (s *Snapshot) spoken(t gh.Thread, c gh.Comment, said string) (command comment.Command, plain, is bool) {
	finding := s.checkpoint.keyed(findingMark(t).Value).F
	if finding == "" {
		return command, false, false
	}
	if command, is = comment.Spoken(said, s.config.Publish.Mention); !is {
		command, is = comment.Question(said)
		plain, is = true, is && s.asksUs(t, c)
	}
	if command.Verb == comment.Ask {
		about := finding
		if title := s.checkpoint.claim(finding).Title; title != "" {
			about += " (" + comment.Line(s.clean(title)) + ")"
		}
		command.Text = "About " + about + " in " + comment.Line(s.clean(t.Path)) + ": " + command.Text
	}
	return command, plain, is
}

// asksUs reports whether a question without an address in the thread of a finding is for
// us: only we and the asker wrote there, it is new, and one of the first. If two people
// talk in a thread, we stay out.
func (s *Snapshot) asksUs(t gh.Thread, c gh.Comment) bool {
	isOther := func(other gh.Comment) bool { return !other.Mine && other.Author.Login != c.Author.Login }
	earlier := lists.Keep(t.Comments, func(other gh.Comment) bool {
		_, asks := comment.Question(other.Body)
		return asks && mayCommand(other) && other.ID < c.ID
	})
	switch {
	case !*s.config.Publish.Questions, t.Resolved, s.now.Sub(c.CreatedAt) > plainAge:
		return false
	case slices.ContainsFunc(t.Comments, isOther):
		return false
	}
	return len(earlier) < maxPlain
}

// mayCommand reports whether a comment can command anything.
func mayCommand(c gh.Comment) bool {
	return byPerson(c.Mine, c.Author) && !c.Edited && !c.Minimized
}

// commands is the effect of the commands of people in a run.
type commands struct {
	orders    []debate.Order // in force: dismissals and waivers
	paused    bool
	halted    bool        // an order to stop keeps a debate from starting by itself
	quiet     bool        // paused or halted
	unpaused  []CommandID // orders to resume although nothing was paused
	run       *request    // the latest unanswered order to run
	stop      *request    // the latest unanswered order to stop
	stopped   int64       // the latest order to stop, answered or not: Unix milliseconds
	asked     []request   // other unanswered ones: disputes, decisions, questions
	refused   []request   // with the reason
	waived    []Waived    // the head of each waiver
	dismissed []Dismissed // new dismissals
	obeyed    []request   // unanswered ones that the whole run carries out
	ordered   bool        // one of them is an order about the result
	resumed   bool        // a person ended a pause, and no run answered yet
}

// commandsOf sorts the requests, in order of time: the later one wins. A lasting one, such as a
// dismissal, counts in every run; others count until they are answered.
func commandsOf(s *Snapshot) commands {
	var c commands
	calm := false // paused, or stopped since
	for _, a := range s.requests {
		if !s.knows(a.comment.Author) { // the rights of others are not known
			continue
		}
		why := refusal(s, a)
		switch verb := a.command.Verb; {
		case why != "" && a.plain: // a question without an address needs no refusal
		case why != "":
			c.refuse(a, why)
		case verb == comment.Pause, verb == comment.Resume:
			if c.paused = verb == comment.Pause; !c.paused && !calm {
				c.unpaused = append(c.unpaused, a.id())
			}
			calm = c.paused
			c.obey(a)
		case verb == comment.Dismiss:
			c.dismiss(s, a)
		case verb == comment.Waive:
			c.waive(s, a)
		case verb == comment.Stop:
			c.stopped, calm = millis(a.comment.CreatedAt), true
			if !a.answered { // if a person also gives an order to run, the last one counts
				c.run, c.stop = nil, &a
				c.obey(a)
			}
		case a.answered:
		case verb == comment.Run:
			c.run, c.stop = &a, nil
			c.obey(a)
		default:
			c.asked = append(c.asked, a)
		}
	}
	switch s.trigger.Cause {
	case Asked:
	case Changed:
		c.halted = c.stop != nil
	default: // nothing was pushed: an order since the last review holds on
		c.halted = c.stop != nil || c.stopped > s.checkpoint.At
	}
	c.quiet = c.paused || c.halted
	for _, a := range c.obeyed {
		c.ordered = c.ordered || a.command.Verb.Spec().Orders
		c.resumed = c.resumed || !c.paused && a.is(comment.Resume)
	}
	return c
}

// refusal says why a request may not be carried out, or "".
func refusal(s *Snapshot, a request) string {
	if a.wrong != nil {
		return a.wrong.Error()
	}
	if why := comment.Barred(a.command, s.actor(a.comment.Author), s.rules()); why != "" {
		return a.comment.Author.Login + " " + why + ". Ask someone who may give this command"
	}
	if a.issue.Number != 0 && !a.command.Verb.Spec().OnIssue {
		return "on this issue only `/debate decide` counts. Write other commands on the pull request"
	}
	return ""
}

// refuse notes an unanswered request as refused.
func (c *commands) refuse(a request, why string) {
	if !a.answered {
		a.refused = why
		c.refused = append(c.refused, a)
	}
}

// follow applies an order to the scope and mode of a review. If the gate is required, an
// order may only widen them.
func follow(first *debate.Received, c comment.Command, gated bool) {
	mode, target := cmp.Or(c.Mode, first.Mode), cmp.Or(c.Scope, first.Target)
	if !gated || !narrowerMode(mode, first.Mode) {
		first.Mode = mode
	}
	if !gated || !leavesOut(target) {
		first.Target = target
	}
}

// narrowed reports whether an order made the review smaller than the settings, with their
// mode, ask for.
func narrowed(run *request, held debate.Received, mode debate.Mode) bool {
	if run == nil {
		return false
	}
	inPart := run.command.Scope != "" && leavesOut(held.Target)
	return inPart || narrowerMode(held.Mode, mode)
}

// narrowerMode reports whether a mode debates less than another one.
func narrowerMode(mode, than debate.Mode) bool {
	thoroughness := []debate.Mode{debate.Quick, debate.Minimal, debate.Standard}
	return slices.Index(thoroughness, mode) < slices.Index(thoroughness, than)
}

// leavesOut reports whether a target leaves out a part of the change.
func leavesOut(target debate.Target) bool {
	return !slices.Contains([]debate.Target{debate.TargetAuto, debate.TargetMixed}, target)
}

// obey notes an unanswered request that the whole run carries out.
func (c *commands) obey(a request) {
	if !a.answered {
		c.obeyed = append(c.obeyed, a)
	}
}

// order notes an order in force.
func (c *commands) order(s *Snapshot, a request, o debate.Order) {
	o.Reason, o.By = a.command.Text, s.actor(a.comment.Author)
	c.orders = append(c.orders, o)
}

// dismiss applies a dismissal. It is about the first meaning of its F id, and about the
// text of that finding, because a later head may raise it again (S11). An answered one
// without a sealed meaning has no effect.
func (c *commands) dismiss(s *Snapshot, a request) {
	d := lists.Find(s.believed().Dismissed, func(d Dismissed) bool { return d.By == a.id() })
	if d.F == "" {
		if a.answered {
			return
		}
		var known bool
		if d, known = s.checkpoint.dismissal(a.id(), a.command.Finding); !known {
			c.refuse(a, s.checkpoint.unknown(a.command.Finding))
			return
		}
		isGone := s.checkpoint.named(d.F).Gone && slices.ContainsFunc(s.believed().Dismissed, func(earlier Dismissed) bool { return earlier.F == d.F })
		if isGone || s.checkpoint.claim(d.F).Reason == debate.ReasonHuman {
			c.refuse(a, d.F+" is dismissed already")
			return
		}
		c.dismissed = append(c.dismissed, d)
	}
	c.order(s, a, debate.Order{Kind: debate.OrderDismiss, Target: d.F, AtMost: d.Severity, Copies: d.Copies})
	if d.Text != "" {
		c.order(s, a, debate.Order{Kind: debate.OrderDismiss, Target: d.Text, AtMost: d.Severity, Copies: d.Copies})
	}
	c.obey(a)
}

// waive applies a waiver. It holds for one head: its giver must have been able to read
// the review of that head (A12).
func (c *commands) waive(s *Snapshot, a request) {
	w := lists.Find(s.believed().Waived, func(w Waived) bool { return w.By == a.id() })
	if w.Head == "" {
		if a.answered {
			return
		}
		known, id, why := &s.checkpoint.Debate, a.command.Trigger, ""
		isReviewed := (s.trusted() || s.repeated()) && known.HeadSHA == s.Pull.HeadSHA
		isWaived := func(t debate.Trigger) bool { return t.ID == id && t.Waived != "" }
		switch {
		case !isReviewed, millis(a.comment.CreatedAt) < s.checkpoint.At:
			why = "a waiver is about the review of the newest commit, `" + short(s.Pull.HeadSHA) + "`, and counts after it"
		case s.trusted() && slices.ContainsFunc(known.Agenda.Triggers, isWaived):
			why = "`" + string(id) + "` is waived for this commit already"
		case s.trusted():
			why = unwaivable(known.Agenda.Triggers, id)
		}
		if why != "" {
			c.refuse(a, why)
			return
		}
		w = Waived{By: a.id(), Head: s.Pull.HeadSHA}
	}
	c.waived = append(c.waived, w)
	if w.Head == s.Pull.HeadSHA {
		c.order(s, a, debate.Order{Kind: debate.OrderWaive, Target: string(a.command.Trigger)})
	}
	c.obey(a)
}

// unwaivable returns the reason why a trigger cannot be waived, "" if it can: waivers are
// only for triggers of rules (A12).
func unwaivable(found []debate.Trigger, id debate.TriggerID) string {
	var ids []string
	for _, t := range found {
		if one := "`" + string(t.ID) + "`"; t.Source == debate.FromPolicy && t.Class != debate.ClassPath && !slices.Contains(ids, one) {
			ids = append(ids, one)
		}
	}
	switch asked := "`" + string(id) + "`"; {
	case slices.Contains(ids, asked):
		return ""
	case len(ids) == 0:
		return "the rules found no " + asked + " in this commit"
	default:
		return "the rules found no " + asked + " in this commit. They found " + strings.Join(ids, ", ")
	}
}
