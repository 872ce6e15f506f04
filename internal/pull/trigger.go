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
	// Said: a person commented, reviewed, or closed an issue with a question or the pull
	// request.
	Said Cause = "said"
	// Asked: a person started the run by hand, outside of the pull request.
	Asked Cause = "asked"
	// Swept: there was no known event; the run makes up for lost ones.
	Swept Cause = "swept"
)

// Trigger names a pull request and the cause to look at it. It decides nothing else: the
// work follows from the state of GitHub.
type Trigger struct {
	Cause  Cause
	Number int

	opened   bool   // just now: without a trace of another run there is no issue to search for
	again    bool   // the run met another one, and may have left something half done
	lost     bool   // another run holds the head
	left     string // the session of this run, or of a dead one; its check may still be in progress
	unbooked cost   // not in the summary yet
	unmerged bool   // a merged pull request is read as before the merge
}

// TriggerOf is the trigger of an event.
func TriggerOf(e event.Trigger) Trigger {
	t := Trigger{Cause: Changed, Number: e.Number, opened: e.Action == "opened"}
	switch {
	case e.Event == "schedule":
		t.Cause = Swept
	case e.Event == "workflow_dispatch", e.Event == "check_run":
		t.Cause = Asked
	case e.Issue != 0, strings.HasPrefix(e.Event, "pull_request_review"), e.Event == "issue_comment", e.Action == "closed":
		t.Cause = Said
	}
	return t
}
