package pull

import (
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/gh"
)

// TestPeople has a row for each thing that an account is because of what GitHub says of it.
func TestPeople(t *testing.T) {
	t.Parallel()
	owned := func(owner string) func(*Snapshot) {
		return func(s *Snapshot) { s.Pull.Repository.OwnerIsUser, s.Pull.Repository.Owner = true, owner }
	}
	rows := []struct {
		name    string
		who     gh.Account
		change  func(*Snapshot)
		want    debate.Actor
		works   bool
		decides bool
	}{
		{"the author", gh.Account{Login: "alice"}, nil, debate.Actor{Login: "alice", Permission: debate.WriteAccess, Author: true}, true, false},
		{"the author, who owns the repository", gh.Account{Login: "alice"}, owned("Alice"), debate.Actor{Login: "alice", Permission: debate.WriteAccess, Author: true, OwnsRepo: true}, true, true},
		{"the author, in the repository of another one", gh.Account{Login: "alice"}, owned("bob"), debate.Actor{Login: "alice", Permission: debate.WriteAccess, Author: true}, true, false},
		{"the author, in the organisation of that name", gh.Account{Login: "alice"}, func(s *Snapshot) { s.Pull.Repository.Owner = "alice" }, debate.Actor{Login: "alice", Permission: debate.WriteAccess, Author: true}, true, false},
		{"the author, who may read", gh.Account{Login: "alice"}, func(s *Snapshot) { s.Access["alice"] = access{Permission: debate.ReadAccess} }, debate.Actor{Login: "alice", Permission: debate.ReadAccess, Author: true}, true, false},
		{"the author, who may decide", gh.Account{Login: "alice"}, func(s *Snapshot) { s.config.Escalation.AuthorMayDecide = new(true) }, debate.Actor{Login: "alice", Permission: debate.WriteAccess, Author: true}, true, true},
		{"who owns the repository of another one's change", gh.Account{Login: "bob"}, owned("bob"), debate.Actor{Login: "bob", Permission: debate.AdminRole}, true, true},
		{"who may write", gh.Account{Login: "bob"}, nil, debate.Actor{Login: "bob", Permission: debate.AdminRole}, true, true},
		{"who may read", gh.Account{Login: "carol"}, nil, debate.Actor{Login: "carol", Permission: debate.ReadAccess}, false, false},
		{"nobody knows", gh.Account{Login: "dave"}, nil, debate.Actor{Login: "dave"}, false, false},
		{"who made a commit", gh.Account{Login: "Bob"}, func(s *Snapshot) {
			s.Access["Bob"] = s.Access["bob"]
			s.Pull.Commits = []gh.Commit{{By: []gh.Account{{Login: "alice"}}}, {By: []gh.Account{{}, {Login: "bob"}}}}
		}, debate.Actor{Login: "Bob", Permission: debate.AdminRole, Author: true}, true, false},
		{"who made a commit in a repository of theirs", gh.Account{Login: "bob"}, func(s *Snapshot) {
			owned("bob")(s)
			s.Pushers = []gh.Account{{Login: "bob"}}
		}, debate.Actor{Login: "bob", Permission: debate.AdminRole, Author: true, OwnsRepo: true}, true, true},
		{"who made none", gh.Account{Login: "bob"}, func(s *Snapshot) { s.Pushers = []gh.Account{{}, {Login: "alice"}} }, debate.Actor{Login: "bob", Permission: debate.AdminRole}, true, true},
		{"a bot", gh.Account{Login: "bob", Bot: true}, nil, debate.Actor{Login: "bob", Permission: debate.AdminRole, Bot: true}, true, false},
		{"a bot, as GitHub says of its access", gh.Account{Login: "bob"}, func(s *Snapshot) { s.Access["bob"] = access{debate.AdminRole, true} }, debate.Actor{Login: "bob", Permission: debate.AdminRole, Bot: true}, true, false},
	}
	for _, row := range rows {
		s := unreviewed()
		if row.change != nil {
			row.change(s.Snapshot)
		}
		who := s.actor(row.who)
		if who != row.want || s.works(row.who) != row.works || s.mayDecide(who) != row.decides {
			t.Errorf("%s: %+v, works %t, may decide %t", row.name, who, s.works(row.who), s.mayDecide(who))
		}
		if view := settling(s).view(); row.who.Login == "alice" && view.AuthorDecides != row.decides {
			t.Errorf("%s: the author decides %t", row.name, view.AuthorDecides)
		}
	}
}

// TestTriggerOf has a row for each event that makes somebody look at a pull request.
func TestTriggerOf(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		e    event.Trigger
		want Cause
	}{
		{event.Trigger{Event: "schedule"}, Swept}, {event.Trigger{Event: "issues", Issue: 5}, Said}, {event.Trigger{Event: "issue_comment", Issue: 5}, Said},
		{event.Trigger{Event: "workflow_dispatch"}, Asked}, {event.Trigger{Event: "check_run"}, Asked}, {event.Trigger{Event: "issue_comment"}, Said},
		{event.Trigger{Event: "pull_request_review", Action: "submitted"}, Said}, {event.Trigger{Event: "pull_request_review_comment"}, Said},
		{event.Trigger{Event: "pull_request", Action: "closed"}, Said}, {event.Trigger{Event: "pull_request", Action: "synchronize"}, Changed},
	} {
		row.e.Number = 7
		if got := TriggerOf(row.e); got != (Trigger{Cause: row.want, Number: 7}) {
			t.Errorf("%s %s: %+v", row.e.Event, row.e.Action, got)
		}
	}
	if got := TriggerOf(event.Trigger{Event: "pull_request", Action: "opened", Number: 7}); got != (Trigger{Cause: Changed, Number: 7, opened: true}) {
		t.Errorf("opened: %+v", got)
	}
}
