package pull

import (
	"strings"

	"github.com/prdebate/debate/internal/event"
)

// Cause is why a run takes place.
type Cause string

// The causes.
const (
	// Changed: the pull request was opened, pushed to, retargeted, or is ready now.
	Changed Cause = "changed"
	// Said: somebody commented or reviewed.
	Said Cause = "said"
	// Answered: an issue that asks for a decision was closed, reopened or commented.
	Answered Cause = "answered"
	// Ended: the pull request was closed or merged.
	Ended Cause = "ended"
	// Asked: a person started the run by hand, outside of the pull request.
	Asked Cause = "asked"
	// Swept: nothing happened that anybody knows of; what was missed is made up for.
	Swept Cause = "swept"
)

// Trigger names a pull request and says why somebody has to look at it. It decides
// nothing else: what is to be done follows from what stands on GitHub.
type Trigger struct {
	Cause  Cause
	Number int

	again    bool   // the run met another one, and may have left something half done
	lost     bool   // another run holds the head that this one wanted to review
	left     string // the session of this run, or of a dead one, whose check may be in progress still
	unbooked cost   // of what left nothing in the summary
}

// automatic reports whether the cause alone may start a debate about a head that
// nobody reviewed. A comment may: its run can stand in for that of a push, of which
// GitHub lets only the latest wait. A sweep goes on with what was begun, and begins
// nothing.
func (t Trigger) automatic(begun bool) bool { return t.Cause != Swept || begun }

// TriggerOf is what an event makes somebody look at: a pull request, for a reason.
func TriggerOf(e event.Trigger) Trigger { return Trigger{Cause: causeOf(e), Number: e.Number} }

func causeOf(e event.Trigger) Cause {
	switch {
	case e.Event == "schedule":
		return Swept
	case e.Issue != 0:
		return Answered
	case e.Event == "workflow_dispatch", e.Event == "check_run":
		return Asked
	case strings.HasPrefix(e.Event, "pull_request_review"), e.Event == "issue_comment":
		return Said
	case e.Action == "closed":
		return Ended
	}
	return Changed
}
