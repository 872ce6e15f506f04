package comment

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestMatrix is the matrix of roles and commands. A column holds
// the verbs in the order of verbs: run stop status help pause resume dispute
// dismiss explain ask decide waive; "x": yes.
func TestMatrix(t *testing.T) {
	t.Parallel()
	const (
		none, read, triage = debate.NoPermission, debate.ReadAccess, debate.TriageAccess
		write, maintain    = debate.WriteAccess, debate.MaintainRole
		admin              = debate.AdminRole
	)
	for _, c := range []struct {
		name string
		who  debate.Actor
		may  string
	}{
		{"nobody", debate.Actor{Permission: none}, "..xx........"},
		{"read", debate.Actor{Permission: read}, "..xx........"},
		{"triage", debate.Actor{Permission: triage}, "..xx........"},
		{"write", debate.Actor{Permission: write}, "xxxxxxxxxxx."},
		{"maintain", debate.Actor{Permission: maintain}, "xxxxxxxxxxxx"},
		{"admin", debate.Actor{Permission: admin}, "xxxxxxxxxxxx"},
		{"a role nobody knows", debate.Actor{Permission: "owner"}, "..xx........"},

		{"author, stranger", debate.Actor{Permission: none, Author: true}, "..xx..x....."},
		{"author, read", debate.Actor{Permission: read, Author: true}, "..xx..x....."},
		{"author, triage", debate.Actor{Permission: triage, Author: true}, "..xx..x....."},
		{"author, write", debate.Actor{Permission: write, Author: true}, "xxxxxxx.xx.."},
		{"author, maintain", debate.Actor{Permission: maintain, Author: true}, "xxxxxxx.xx.."},
		{"author, admin", debate.Actor{Permission: admin, Author: true}, "xxxxxxx.xx.."},
		{"author who owns the repository", debate.Actor{Permission: admin, Author: true, OwnsRepo: true}, "xxxxxxxxxxxx"},

		{"bot", debate.Actor{Permission: none, Bot: true}, "............"},
		{"bot, write", debate.Actor{Permission: write, Bot: true}, "............"},
		{"bot, admin", debate.Actor{Permission: admin, Bot: true}, "............"},
		{"bot, author", debate.Actor{Permission: write, Bot: true, Author: true, OwnsRepo: true}, "............"},
	} {
		if got := row(c.who, Rules{}); got != c.may {
			t.Errorf("%s: %s, want %s", c.name, got, c.may)
		}
	}
	for _, c := range []struct {
		name  string
		who   debate.Actor
		rules Rules
		may   string
	}{
		{"deciders maintain: write", debate.Actor{Permission: write}, Rules{Deciders: maintain}, "xxxxxxxxxx.."},
		{"deciders maintain: maintain", debate.Actor{Permission: maintain}, Rules{Deciders: maintain}, "xxxxxxxxxxxx"},
		{"deciders admin: maintain", debate.Actor{Permission: maintain}, Rules{Deciders: admin}, "xxxxxxxxxx.x"},
		{"deciders below write count as write", debate.Actor{Permission: triage}, Rules{Deciders: read}, "..xx........"},
		{"deciders that nobody knows", debate.Actor{Permission: read}, Rules{Deciders: "everybody"}, "..xx........"},
		{"the author may decide: write", debate.Actor{Permission: write, Author: true}, Rules{AuthorMayDecide: true}, "xxxxxxxxxxx."},
		{"the author may decide: read", debate.Actor{Permission: read, Author: true}, Rules{AuthorMayDecide: true}, "..xx..x....."},
		{"the author may decide: bot", debate.Actor{Permission: admin, Author: true, Bot: true}, Rules{AuthorMayDecide: true}, "............"},
		{"owning helps the author only with access", debate.Actor{Permission: read, Author: true, OwnsRepo: true}, Rules{}, "..xx..x....."},
	} {
		if got := row(c.who, c.rules); got != c.may {
			t.Errorf("%s: %s, want %s", c.name, got, c.may)
		}
	}
	if why := Barred(Command{Verb: "merge"}, debate.Actor{Permission: admin}, Rules{}); why == "" {
		t.Error("an unknown verb may be given")
	}
}

func row(who debate.Actor, rules Rules) string {
	var b strings.Builder
	for _, v := range []Verb{Run, Stop, Status, Help, Pause, Resume, Dispute, Dismiss, Explain, Ask, Decide, Waive} {
		if Barred(Command{Verb: v}, who, rules) == "" {
			b.WriteByte('x')
		} else {
			b.WriteByte('.')
		}
	}
	return b.String()
}

func TestWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		verb Verb
		who  debate.Actor
		want string
	}{
		{Run, debate.Actor{Permission: debate.ReadAccess}, "needs write access"},
		{Waive, debate.Actor{Permission: debate.WriteAccess}, "needs maintain access"},
		{Decide, debate.Actor{Permission: debate.WriteAccess, Author: true}, "is an author of the change"},
		{Help, debate.Actor{Bot: true}, "is a bot"},
	} {
		if got := Barred(Command{Verb: c.verb}, c.who, Rules{}); got != c.want {
			t.Errorf("%s by %+v: %q, want %q", c.verb, c.who, got, c.want)
		}
	}
}
