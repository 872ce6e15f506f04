package pull

import (
	"slices"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// course is what a run does beside answering commands.
type course string

const (
	idle     course = "idle"     // nothing
	fresh    course = "fresh"    // a new debate about the head
	recalled course = "recalled" // the debate about this head again, with what came up since
	withdraw course = "withdraw" // what waits for a person is taken back
)

// choose decides what a run does, and says why in words. It is decided before
// anything is written (S23).
func (s *situation) choose(w wishes, answers []answer) (course, string) {
	known := s.known()
	switch {
	case s.pull.State != gh.Open && !s.open():
		return idle, "the pull request is " + string(s.pull.State)
	case s.pull.State != gh.Open && known:
		return recalled, "the pull request is " + string(s.pull.State)
	case s.pull.State != gh.Open:
		return withdraw, "the pull request is " + string(s.pull.State)
	case w.run != nil:
		return fresh, "by order of " + w.run.comment.Author.Login
	case known && s.trigger.Cause == Asked:
		return fresh, "it was asked for"
	case known && (len(answers) > 0 || s.disputed(w) || s.ordered(w)):
		return recalled, "there is something new about the reviewed head"
	case known && s.trigger.again:
		return recalled, "another run reviewed this head meanwhile"
	case known && len(s.rewritten()) > 0:
		return recalled, "somebody edited what asks for a decision"
	case known && s.missing():
		return recalled, "what asks for a decision is gone"
	case known && len(s.due()) > 0:
		return recalled, "a decision has waited for days"
	case known && s.wantsText(w):
		return recalled, "somebody asks about the reviewed head"
	case known:
		return idle, "this head is reviewed, and nothing new was said"
	case !s.trusted && s.questioned() && s.heard(w, answers):
		return fresh, "a decision was answered, and nothing that is sealed says which"
	case s.repeated() && (s.disputed(w) || s.ordered(w)):
		return fresh, "there is something new, and nothing that is sealed says what was debated"
	case s.repeated() && s.trigger.Cause == Changed && s.takenAway():
		return fresh, "what asked for a decision was withdrawn, and the pull request is open again"
	case s.repeated() && s.trigger.Cause != Asked:
		return idle, "this head is reviewed, and nothing new was said"
	case !s.trigger.automatic(s.summary != nil):
		return idle, "nobody asked for a review of this head"
	case s.held(w):
		return idle, "somebody said stop"
	case w.paused && (s.memo.BaseRef == "" || s.memo.BaseRef == s.pull.BaseRef): // a pause keeps no result of another base (T23)
		return idle, "automatic runs are paused on this pull request"
	}
	return fresh, "nobody reviewed this head yet"
}

// heard reports whether a person answered one of our issues, where nothing says
// what it asks: by a command of who may decide, or by closing or reopening it, which
// takes some access too. What else is said there costs no review (S19).
func (s *situation) heard(w wishes, answers []answer) bool {
	for _, a := range answers {
		may, _ := s.mayDecide(a.event.By)
		if !a.event.By.Bot && (may || a.event.Via != debate.ViaReview && a.item.Undone <= maxUndone) {
			return true
		}
	}
	for _, a := range w.asked {
		if a.command.Verb == comment.Decide && len(s.memo.Debate.Decisions) == 0 {
			return true
		}
	}
	for _, issue := range s.issues {
		m, _ := marked(&issue)
		if len(issue.Events) == 0 || s.remembered(m.Value) != nil {
			continue
		}
		last, answered, undone := issue.Events[len(issue.Events)-1], int64(0), 0
		for _, item := range s.memo.Items {
			if item.Fingerprint == m.Value {
				answered, undone = item.Answered, item.Undone
			}
		}
		if may, _ := s.mayDecide(s.actor(last.By)); !may && undone > maxUndone {
			continue
		}
		if !s.actor(last.By).Bot && !last.ByCode && last.By.Login != issue.Author.Login && millis(last.At) > answered {
			return true
		}
	}
	return false
}

// questioned reports whether anything on GitHub asks people something: an issue of
// ours, or the comment that stands in for one.
func (s *situation) questioned() bool {
	return len(s.issues) > 0 || slices.ContainsFunc(s.pull.Comments, func(c gh.Comment) bool {
		_, is := comment.Marked(c.Body, comment.DecisionMark)
		return is && c.Mine
	})
}

// held reports whether somebody's stop keeps a debate from beginning by itself: one
// that nobody answered yet, and for a sweep one since the last review.
func (s *situation) held(w wishes) bool {
	return s.trigger.Cause != Asked && w.stop != nil || s.trigger.Cause == Swept && w.stopped > s.memo.At
}

// takenAway reports whether we closed an issue whose question waits all the same:
// its pull request was closed meanwhile.
func (s *situation) takenAway() bool {
	for _, item := range s.memo.Items {
		d, issue := s.remembered(item.Fingerprint), s.issue(item.Fingerprint)
		if d == nil || d.Outcome != debate.AwaitingHuman || issue == nil || issue.Open || len(issue.Events) == 0 {
			continue
		}
		if last := issue.Events[len(issue.Events)-1]; last.By.Login == issue.Author.Login && !last.ByCode {
			return true
		}
	}
	return false
}

// repeated reports whether this head was reviewed, where only that is known of it:
// nothing seals the state, or the debate was too large to be remembered. It
// suppresses repeats, and is believed in nothing else (S10).
func (s *situation) repeated() bool {
	return !s.trusted && (s.setup.Key == nil || s.sealed) && s.memo.Debate.HeadSHA == s.pull.HeadSHA && s.memo.BaseRef == s.pull.BaseRef
}

// known reports whether what is remembered is what was debated about this head. A
// question that was withdrawn when the pull request was closed has to be asked
// again once it is open again.
func (s *situation) known() bool {
	return s.trusted && s.memo.Debate.HeadSHA == s.pull.HeadSHA && s.memo.BaseRef == s.pull.BaseRef &&
		(s.pull.State != gh.Open || !withdrawn(s.memo.Debate.Decisions))
}

// withdrawn reports whether a question was withdrawn.
func withdrawn(decisions []debate.Decision) bool {
	for _, d := range decisions {
		if d.Outcome == debate.Withdrawn {
			return true
		}
	}
	return false
}

// open reports whether something waits for a person.
func (s *situation) open() bool {
	for _, d := range s.memo.Debate.Decisions {
		if d.Outcome == debate.AwaitingHuman {
			return true
		}
	}
	for _, issue := range s.issues {
		if issue.Open {
			return true
		}
	}
	return false
}

// disputed reports whether somebody disputes a finding.
func (s *situation) disputed(w wishes) bool { return len(s.disputes(&s.memo, w)) > 0 }

// ordered reports whether an order stands that the remembered session does not
// know.
func (s *situation) ordered(w wishes) bool {
	for _, a := range w.obeyed {
		if lasting(a.command.Verb) && (a.command.Finding != "" || a.command.Trigger != "") {
			return true
		}
	}
	return false
}

// missing reports whether an issue that asks for a decision was deleted or moved
// away. It is opened again once (T44).
func (s *situation) missing() bool {
	for _, item := range s.memo.Items {
		d := s.remembered(item.Fingerprint)
		if d != nil && d.Outcome == debate.AwaitingHuman && item.Sink == debate.SinkIssue && s.issue(item.Fingerprint) == nil && !item.Recreated {
			return true
		}
	}
	return false
}

// wantsText reports whether somebody asks what the remembered session knows.
func (s *situation) wantsText(w wishes) bool {
	for _, a := range w.asked {
		if a.command.Verb == comment.Status || a.command.Verb == comment.Explain {
			return true
		}
	}
	return false
}
