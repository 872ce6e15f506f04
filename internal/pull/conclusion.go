package pull

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// CheckName is the name of the check run.
const CheckName = "debate"

// basis is the source of a conclusion.
type basis string

const (
	debated    basis = "debated"    // a debate about the head came to its end
	broken     basis = "broken"     // one was begun, and came to nothing
	remembered basis = "remembered" // the checkpoint has the result of the review of the head
	unsealed   basis = "unsealed"   // it does, and nothing seals it
	silenced   basis = "silenced"   // no review of the head will come, by order, although its check allows a merge
	paused     basis = "paused"     // no review of the head will come, by order, and it has no check
)

// circumstances are all inputs of the conclusion of the check.
type circumstances struct {
	basis      basis
	says       debate.Conclusion // that of the debate, with its reason
	why        string
	required   bool              // the gate
	earlier    debate.Conclusion // in the checkpoint, "" if there is none
	before     debate.Conclusion // the conclusion before a debate without a result
	unseen     bool              // models did not see the head: an earlier conclusion holds on
	asked      bool              // a decision is asked for about an earlier head, and a push must not take it away
	critical   string            // the part of a stranger's change for a person to decide, before any person was asked, "" if there is none
	merged     string            // the account that merged it while a decision waited, in a sentence, "" if none did
	withdrawn  bool              // a decision was withdrawn with the pull request
	sharedWith int               // another open pull request with the same head, 0 if there is none
}

// ruling is one reason for a conclusion.
type ruling struct {
	holds bool
	says  debate.Conclusion
	why   string
}

// conclude decides what the check says about a pull request around a debate: another question than
// debate.State.Conclusion, which rules on the result of a debate. A ruling of a debate about this head
// counts as it is, unless the pull request holds more against the merge, such as a question about an
// earlier head. The other bases have no debate about this head. It returns the first ruling that
// holds, with its reason.
func conclude(c circumstances) (debate.Conclusion, string) {
	none := debate.Neutral
	if c.required {
		none = debate.Failure
	}
	var rulings []ruling
	switch c.basis {
	case debated:
		rulings = []ruling{
			{c.merged != "" && c.earlier != "", c.earlier, c.merged},
			{stops(c.says), c.says, c.why},
			{c.critical != "", debate.ActionRequired, c.critical + " (" + startable + ")"},
			{c.unseen && stops(c.earlier), c.earlier, "the result of an earlier commit holds until this one is reviewed"},
			{c.asked, debate.ActionRequired, "an earlier commit waits for a decision; someone with write access can comment /debate run to review this one"},
			// Reopening the pull request must not free the check.
			{c.withdrawn, debate.ActionRequired, "the pull request was closed before a decision was made, and the question comes again when it is reopened"},
			{c.says == debate.Success && c.sharedWith != 0, none, fmt.Sprintf("pull request #%d has the same commit, and one check counts for both", c.sharedWith)},
			{true, c.says, c.why},
		}
	case broken:
		rulings = []ruling{
			{stops(c.before), c.before, ""},
			{true, none, ""},
		}
	case silenced:
		rulings = []ruling{
			{stops(c.earlier), c.earlier, "The result of the latest review holds until this commit is reviewed. Someone with write access can comment /debate run."},
			{true, debate.ActionRequired, "This commit is not reviewed, because automatic reviews are paused or stopped. Someone with write access can comment /debate run."},
		}
	case paused:
		why := "Automatic reviews are paused, and this commit is not reviewed. Someone with write access can comment /debate resume."
		rulings = []ruling{
			{stops(c.earlier), c.earlier, why},
			{c.required, debate.ActionRequired, why},
			{c.critical != "", debate.ActionRequired, why},
			{true, debate.Neutral, why},
		}
	case unsealed:
		rulings = []ruling{
			{stops(c.earlier), c.earlier, asSummarised},
			{true, debate.ActionRequired, "The check did not show the result of this commit, and no signed summary has it. Someone with write access can comment /debate run."},
		}
	case remembered:
		rulings = []ruling{
			{c.earlier == debate.Neutral && c.required, debate.Failure, "The review of this commit left something open, and the gate became required since. Someone with write access can comment /debate run."},
			{c.earlier == debate.Success && c.sharedWith != 0, none, asSummarised},
			{true, c.earlier, asSummarised},
		}
	}
	at := slices.IndexFunc(rulings, func(r ruling) bool { return r.holds })
	return rulings[at].says, rulings[at].why
}

// asSummarised is why a check is set right.
const asSummarised = "The check did not show the result of this commit. The summary comment has it."

// startable says how a maintainer can start the review of a stranger's change.
const startable = "a maintainer can start the review with /debate run"

// unasked is the part of a stranger's change that policy leaves to a person, before any
// person was asked. The issue and the models wait for an order; the conclusion does not.
func unasked(state debate.State) string {
	switch {
	case len(posed(state.Agenda.Decisions)) > 0, !state.Received.Settings.Stranger, state.Ending.Outcome != debate.DegradedLocal:
		return ""
	}
	return criticalHit(state)
}

// criticalHit is the first part of a change that policy leaves to a person, "" if there
// is none.
func criticalHit(state debate.State) string {
	return comment.Clip(lists.Find(state.Agenda.Triggers, debate.Trigger.Critical).Detail, 120)
}

// stops reports whether a conclusion blocks a merge.
func stops(c debate.Conclusion) bool { return rank(c) >= rank(debate.ActionRequired) }

// rank orders conclusions from the one that allows a merge to the strictest.
func rank(c debate.Conclusion) int {
	return slices.Index([]debate.Conclusion{debate.Success, debate.Neutral, debate.ActionRequired, debate.Failure}, c)
}

// circumstances are those of a snapshot without a debate, and of other open pull requests
// with the same head.
func (s *Snapshot) circumstances(b basis, siblings []int) circumstances {
	c := circumstances{basis: b, required: s.config.Gate == debate.Required, earlier: s.checkpoint.Conclusion}
	if len(siblings) > 0 {
		c.sharedWith = siblings[0]
	}
	return c
}

// circumstancesOf are those at the end of a debate, with our issue at that time.
func (s *Snapshot) circumstancesOf(state debate.State, issue gh.Issue, siblings []int) circumstances {
	c := s.circumstances(debated, siblings)
	ruling := state.Conclusion()
	c.says, c.why = ruling.Check, report.Says(state, ruling.Why)
	skipped, stranger := state.Ending.Outcome == debate.Skipped, state.Received.Settings.Stranger
	c.unseen = s.isOpen() && (skipped || stranger && !s.trusted())
	c.asked = s.asksForMore(state, issue)
	c.critical = unasked(state)
	if len(idsWith(state.Agenda.Decisions, debate.Withdrawn)) == 0 {
		return c
	}
	switch s.Pull.State {
	case gh.Closed:
		c.withdrawn = true
	case gh.Merged:
		c.merged = cmp.Or(s.Pull.EndedBy.Login, "someone") + " merged the pull request before a person decided"
	}
	return c
}

// circumstancesOfNone are those of a debate without a result. A conclusion that blocked a
// merge before still does.
func (s *Snapshot) circumstancesOfNone(stood gh.CheckRun, issue gh.Issue) circumstances {
	c := s.circumstances(broken, nil)
	if stood.Done {
		c.before = debate.Conclusion(stood.Conclusion)
		return c
	}
	if s.known() {
		c.before = s.checkpoint.Conclusion
	}
	if !stops(c.before) && s.asksPeople(issue) {
		c.before = debate.ActionRequired
	}
	return c
}

// asksForMore reports whether a stranger pushed to a pull request with an open question,
// and no model reads the push.
func (s *Snapshot) asksForMore(state debate.State, issue gh.Issue) bool {
	seen := !state.Received.Settings.Stranger && state.Ending.Outcome != debate.Skipped
	if seen || !s.isOpen() {
		return false
	}
	earlier := func(item Item) bool { return item.Head != s.Pull.HeadSHA }
	m, _ := comment.Marked(issue.Body, comment.DecisionMark) // all markers of an issue name the same head
	return issue.Open && m.Head != s.Pull.HeadSHA || slices.ContainsFunc(s.believed().Items, earlier)
}

// titlePaused is the title of the check of a head pushed during a pause.
const titlePaused = "paused; /debate resume"

// idleCheck is the new check of a head that needs no other act, nil to leave it. It blocks
// the merge while a person paused or stopped automatic runs and this head was not reviewed.
// Its old check may come from a skip, or from an older review of the same commit.
func idleCheck(s *Snapshot, c commands) *gh.Check {
	stood := s.Checks.Own
	stands := debate.Conclusion(stood.Conclusion)
	ofOtherBase := elsewhere(stood, s.Pull, nil) == otherBase // its question is not about this change
	switch none := stood.ID == 0 || stood.Title == titlePaused; {
	case !s.isOpen(), s.Checks.Denied != "":
		return nil
	case s.repeated():
		check := restoredCheck(s)
		if check != nil {
			check.Summary = comment.MarkdownLine(check.Summary)
		}
		return check
	case !c.quiet, s.known(), s.Pull.Draft, stops(stands) && !ofOtherBase:
		return nil
	case c.paused && none:
		return pausedCheck(s, "")
	case !stood.Done && !s.ownProgress(): // another run holds a debate; this one looked again, and holds none
		return nil
	case stands == debate.Success && !stops(s.checkpoint.Conclusion): // it was reviewed before, whole
		return nil
	}
	want, why := conclude(s.circumstances(silenced, s.Pull.Siblings))
	return &gh.Check{Conclusion: want, Title: "not reviewed", Summary: comment.MarkdownLine(why)}
}

// pausedCheck is the check of a head pushed during a pause. Critical is the first
// critical hit of the critic, "" if there is none.
func pausedCheck(s *Snapshot, critical string) *gh.Check {
	c := s.circumstances(paused, s.Pull.Siblings)
	c.critical = critical
	want, why := conclude(c)
	check := &gh.Check{Conclusion: want, Title: titlePaused, Summary: comment.MarkdownLine(why)}
	if critical != "" {
		check.Title = critical + "; " + titlePaused
		check.Summary = comment.MarkdownLine(critical + ". " + why)
	}
	return check
}

// restoredCheck gives a reviewed head the check of its review, as far as the checkpoint knows it,
// nil if its check may stay: the run died before it wrote it, or another account wrote it since
// (R29). A neutral one from a time without a gate blocks the merge if the gate is required now. A
// state without a seal never makes a check succeed.
func restoredCheck(s *Snapshot) *gh.Check {
	stood, id := s.Checks.Own, checkID(s.Pull, s.checkpoint.Debate.SessionID)
	want, why := conclude(s.circumstances(remembered, s.Pull.Siblings))
	stands, wanted := rank(debate.Conclusion(stood.Conclusion)), rank(want)
	title := "as reviewed"
	if stops(want) && want != s.checkpoint.Conclusion { // the gate became required since
		title = "not passed"
	}
	switch other := elsewhere(stood, s.Pull, s.Pull.Siblings); {
	case !s.isOpen(), s.Checks.Denied != "", s.checkpoint.Unchecked && !s.leftOpen(): // the token may not write it
		return nil
	case s.underWay(), s.sealed && s.checkpoint.Conclusion == "": // another run is about to write it, or its text is not known
		return nil
	case other == otherBase && stands > wanted:
		return nil
	case other != "" && other != otherBase && stands >= wanted: // its runs would write their own text again
		return nil
	case other == "" && stood.ExternalID == id && (stands == wanted || !s.sealed && stands > wanted):
		return nil
	case !s.sealed && !stops(want):
		want, why = conclude(s.circumstances(unsealed, s.Pull.Siblings))
		title = "not known"
	}
	return &gh.Check{Conclusion: want, Title: title, Summary: why, ExternalID: id}
}

// otherBase is the review of the same pull request for another base branch.
const otherBase = "the review for another base branch"

// elsewhere names the other subject of a finished check run: another open pull request
// with the same head, or the change from another base branch. It is "" if the check is
// about this change. Such a conclusion may only become stricter.
func elsewhere(run gh.CheckRun, p gh.Pull, siblings []int) string {
	if !run.Done {
		return ""
	}
	switch of := ownerOf(run); {
	case slices.Contains(siblings, of.pull):
		return fmt.Sprintf("pull request #%d", of.pull)
	case of.pull == p.Number && of.base != "" && of.base != baseMark(p):
		return otherBase
	}
	return ""
}

// checkID is the identifier of a check run, until it is begun once more.
func checkID(p gh.Pull, session string) string {
	return fmt.Sprintf("pr-%d/%s~%s", p.Number, session, baseMark(p))
}

// baseMark tells base branches apart by a hash of the name.
func baseMark(p gh.Pull) string {
	sum := sha256.Sum256([]byte(p.BaseRef))
	return hex.EncodeToString(sum[:6])
}

// checkOwner is the content of an identifier. It is empty if the check run is not for a pull
// request.
type checkOwner struct {
	pull          int
	session, base string
	began         int64 // the last time, Unix seconds
}

func ownerOf(run gh.CheckRun) (of checkOwner) {
	id, began, _ := strings.Cut(run.ExternalID, "@")
	id, base, _ := strings.Cut(id, "~")
	number, session, _ := strings.Cut(id, "/")
	if digits, is := strings.CutPrefix(number, "pr-"); is {
		of.pull, _ = strconv.Atoi(digits)
		of.session, of.base = session, base
		of.began, _ = strconv.ParseInt(began, 10, 64)
	}
	return of
}
