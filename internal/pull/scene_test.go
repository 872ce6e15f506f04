package pull

import (
	"fmt"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// ids are the first commands of comments.
func ids(comments ...int64) []CommandID {
	var list []CommandID
	for _, id := range comments {
		list = append(list, CommandID{id})
	}
	return list
}

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// The heads of the pull request.
const (
	head0 = "0000000000000000000000000000000000000000"
	head1 = "1111111111111111111111111111111111111111"
	head2 = "2222222222222222222222222222222222222222"
)

// at is some minutes after noon.
func at(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }

// clock always shows a time.
func clock(now time.Time) func() time.Time { return func() time.Time { return now } }

// hashed is a log with a hash.
type hashed struct{ Log }

func (hashed) Last() string { return "hash" }

// errDenied is what a token is told that may not read.
var errDenied = &gh.PermissionError{What: "read"}

// bot is the account of this identity.
var bot = gh.Account{Login: "github-actions[bot]", Bot: true}

// scene makes snapshots.
type scene struct{ *Snapshot }

// unreviewed is a pull request of alice, who may write, that nobody reviewed. Bob
// maintains, carol may read, and nobody knows what dave may do.
func unreviewed() scene {
	repository := gh.Repository{ID: 1, Owner: "acme", Name: "shop", URL: "https://github.com/acme/shop"}
	alice := gh.Account{Login: "alice"}
	return scene{&Snapshot{
		trigger: Trigger{Cause: Changed, Number: 7},
		reads: reads{
			Pull: gh.Pull{
				Repository: repository, Number: 7, State: gh.Open, Author: alice, BaseRef: "main", BaseSHA: "base1", HeadSHA: head1, CreatedAt: at(-100),
			},
			Access: map[string]access{
				"alice": {Permission: debate.WriteAccess}, "bob": {Permission: debate.AdminRole}, "carol": {Permission: debate.ReadAccess},
				bot.Login: {Bot: true},
			},
		},
		config: config.Default(), clean: func(s string) string { return s }, now: noon,
	}}
}

// reviewed is the same with a sealed checkpoint of this head, and the check that says
// success.
func reviewed() scene {
	s := unreviewed()
	s.sealed = true
	s.summary = gh.Comment{ID: 1, Mine: true, Body: comment.Mark("summary", comment.Marker{Kind: comment.SummaryMark}.String())}
	s.checkpoint = Checkpoint{
		Version: checkpointVersion, BaseRef: "main", Base: "base1", At: millis(at(-60)), Conclusion: debate.Success,
		Debate: debate.Memory{SessionID: "one", HeadSHA: head1, Agenda: debate.Agenda{Triggers: []debate.Trigger{
			{ID: debate.TriggerSecurity, Source: debate.FromPolicy, Class: debate.ClassContent}, {ID: debate.TriggerDeploy, Source: debate.FromPolicy, Class: debate.ClassPath},
		}}},
		Names: []Name{{F: "F1", Key: "aa-0", Severity: debate.P2}, {F: "F2", Key: "bb-0", Gone: true}},
	}
	return s.checked("success", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "one"))
}

// asking is reviewed, and waits for a decision about D0 in issue 5.
func asking() scene {
	s := reviewed()
	s.checkpoint.Conclusion = debate.ActionRequired
	s.checkpoint.Debate.Agenda.Decisions = []debate.Decision{{
		ID: "D0", Fingerprint: "f0", Outcome: debate.AwaitingHuman, Recommendation: "revise",
		Options: []debate.Option{{ID: "keep"}, {ID: "revise"}, {ID: "reject", StatusQuo: true}}, Human: &debate.Human{AskedAt: millis(at(-60)), Sink: debate.SinkIssue},
	}}
	s.checkpoint.Items, s.checkpoint.Issue = []Item{{Decision: "D0", Fingerprint: "f0", Head: head1, AskedAt: millis(at(-60))}}, 5
	s.Issue = s.question(5, "f0")
	return s.checked("action_required", checkID(gh.Pull{Number: 7, BaseRef: "main"}, "one"))
}

// question is an open issue of ours.
func (s scene) question(number int, fingerprint string) gh.Issue {
	return gh.Issue{
		Number: number, Mine: true, Author: bot, Open: true, CreatedAt: at(-60), URL: fmt.Sprintf("https://github.com/acme/shop/issues/%d", number),
		Body: comment.Mark("question", s.sign(fingerprint, "D0", s.Pull.HeadSHA, "").String()),
	}
}

// tell adds our note to people without the right to decide.
func tell(issue *gh.Issue) {
	issue.Comments = append(issue.Comments, gh.Comment{Mine: true, Body: marked(comment.NoteMark, toldNote+"-1")})
}

// decided is asking, answered by bob.
func decided() scene {
	s := asking()
	d := &s.checkpoint.Debate.Agenda.Decisions[0]
	d.Outcome = debate.HumanDecided
	d.Human = &debate.Human{Status: debate.ItemDecided, PersonAnswer: debate.PersonAnswer{By: "bob", Option: "keep", At: millis(at(-30))}}
	s.Issue.Open = false
	return s
}

// forgotten is what nothing seals.
func (s scene) forgotten() scene {
	s.sealed = false
	return s
}

// stub is sealed, and does not hold the debate.
func (s scene) stub() scene {
	s.checkpoint.Stub = true
	return s
}

func (s scene) cause(c Cause) scene {
	s.trigger.Cause = c
	return s
}

func (s scene) set(change func(s *Snapshot)) scene {
	change(s.Snapshot)
	s.verdicts = readVerdicts(s.Snapshot)
	return s
}

// checked is with a check of ours that has ended; "" is one in progress.
func (s scene) checked(conclusion, external string) scene {
	s.Checks.Own = gh.CheckRun{ID: 3, Name: CheckName, Mine: true, Done: conclusion != "", Conclusion: conclusion, ExternalID: external, StartedAt: at(-5)}
	return s
}

// says is with a comment on the pull request.
func (s scene) says(login string, minutes int, body string) scene {
	s.Pull.Comments = append(s.Pull.Comments, gh.Comment{
		ID: int64(100 + len(s.Pull.Comments)), Author: gh.Account{Login: login}, Body: body, CreatedAt: at(minutes),
	})
	return s.heard()
}

// saysOn is with a comment on the first issue.
func (s scene) saysOn(login string, minutes int, body string) scene {
	i := &s.Issue
	i.Comments = append(i.Comments, gh.Comment{ID: int64(200 + len(i.Comments)), Author: gh.Account{Login: login}, Body: body, CreatedAt: at(minutes)})
	return s.heard()
}

// saysIn is with a comment in the thread of a finding.
func (s scene) saysIn(key, login string, minutes int, body string) scene {
	first := gh.Comment{ID: 300, Mine: true, Author: bot, Body: comment.Mark("finding", comment.Marker{Kind: comment.FindingMark, Value: key, ID: "F1"}.String())}
	s.Pull.Threads = append(s.Pull.Threads, gh.Thread{Comments: []gh.Comment{first, {ID: 301, Author: gh.Account{Login: login}, Body: body, CreatedAt: at(minutes)}}})
	return s.heard()
}

// heard reads the commands anew.
func (s scene) heard() scene {
	s.requests = readRequests(s.Snapshot)
	return s
}

// reacted is with our reaction to the last comment.
func (s scene) reacted() scene {
	s.Pull.Comments[len(s.Pull.Comments)-1].ThumbsUp = true
	return s.heard()
}

// happens is with something that happened to the first issue.
func (s scene) happens(kind gh.IssueEventKind, login string, minutes int, reason gh.CloseReason) scene {
	i := &s.Issue
	by := gh.Account{Login: login, Bot: login == bot.Login}
	i.Open = kind == gh.IssueReopened
	i.Events = append(i.Events, gh.IssueEvent{Kind: kind, By: by, At: at(minutes), Reason: reason})
	return s
}

func (s scene) closes(login string, minutes int) scene {
	return s.happens(gh.IssueClosed, login, minutes, gh.Completed)
}

// approves is with a review of the head.
func (s scene) approves(login string, minutes int, state gh.ReviewState) scene {
	s.Pull.Reviews = append(s.Pull.Reviews, gh.Review{
		Author: gh.Account{Login: login}, State: state, Body: "seen", SubmittedAt: at(minutes), HeadSHA: head1,
	})
	s.verdicts = readVerdicts(s.Snapshot)
	return s
}

// edits is with the text of the first issue edited by somebody.
func (s scene) edits(login string, minutes int) scene {
	i := &s.Issue
	i.Edited, i.EditedBy, i.EditedAt = true, gh.Account{Login: login, Bot: login == bot.Login}, at(minutes)
	return s
}

func ended(state gh.PullState) func(*Snapshot) {
	return func(s *Snapshot) { s.Pull.State, s.Pull.EndedBy = state, gh.Account{Login: "bob"} }
}

func required(s *Snapshot) { s.config.Gate = debate.Required }
