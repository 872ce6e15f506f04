package comment

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestMatrix is the matrix of roles and commands (S09). A column holds
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
		who  Who
		may  string
	}{
		{"nobody", Who{Permission: none}, "..xx........"},
		{"read", Who{Permission: read}, "..xx........"},
		{"triage", Who{Permission: triage}, "..xx........"},
		{"write", Who{Permission: write}, "xxxxxxxxxxx."},
		{"maintain", Who{Permission: maintain}, "xxxxxxxxxxxx"},
		{"admin", Who{Permission: admin}, "xxxxxxxxxxxx"},
		{"a role nobody knows", Who{Permission: "owner"}, "..xx........"},

		{"author, stranger", Who{Permission: none, Author: true}, "..xx..x....."},
		{"author, read", Who{Permission: read, Author: true}, "..xx..x....."},
		{"author, triage", Who{Permission: triage, Author: true}, "..xx..x....."},
		{"author, write", Who{Permission: write, Author: true}, "xxxxxxx.xx.."},
		{"author, maintain", Who{Permission: maintain, Author: true}, "xxxxxxx.xx.."},
		{"author, admin", Who{Permission: admin, Author: true}, "xxxxxxx.xx.."},
		{"author who owns the repository", Who{Permission: admin, Author: true, OwnsRepo: true}, "xxxxxxxxxxxx"},

		{"bot", Who{Permission: none, Bot: true}, "............"},
		{"bot, write", Who{Permission: write, Bot: true}, "............"},
		{"bot, admin", Who{Permission: admin, Bot: true}, "............"},
		{"bot, author", Who{Permission: write, Bot: true, Author: true, OwnsRepo: true}, "............"},
	} {
		if got := row(c.who, Rules{}); got != c.may {
			t.Errorf("%s: %s, want %s", c.name, got, c.may)
		}
	}
	for _, c := range []struct {
		name  string
		who   Who
		rules Rules
		may   string
	}{
		{"deciders maintain: write", Who{Permission: write}, Rules{Deciders: maintain}, "xxxxxxxxxx.."},
		{"deciders maintain: maintain", Who{Permission: maintain}, Rules{Deciders: maintain}, "xxxxxxxxxxxx"},
		{"deciders admin: maintain", Who{Permission: maintain}, Rules{Deciders: admin}, "xxxxxxxxxx.x"},
		{"deciders below write count as write", Who{Permission: triage}, Rules{Deciders: read}, "..xx........"},
		{"deciders that nobody knows", Who{Permission: read}, Rules{Deciders: "everybody"}, "..xx........"},
		{"the author may decide: write", Who{Permission: write, Author: true}, Rules{AuthorMayDecide: true}, "xxxxxxxxxxx."},
		{"the author may decide: read", Who{Permission: read, Author: true}, Rules{AuthorMayDecide: true}, "..xx..x....."},
		{"the author may decide: bot", Who{Permission: admin, Author: true, Bot: true}, Rules{AuthorMayDecide: true}, "............"},
		{"owning helps the author only with access", Who{Permission: read, Author: true, OwnsRepo: true}, Rules{}, "..xx..x....."},
	} {
		if got := row(c.who, c.rules); got != c.may {
			t.Errorf("%s: %s, want %s", c.name, got, c.may)
		}
	}
	if ok, why := May(Command{Verb: "merge"}, Who{Permission: admin}, Rules{}); ok || why == "" {
		t.Errorf("an unknown verb: %v, %q", ok, why)
	}
}

func row(who Who, rules Rules) string {
	var b strings.Builder
	for _, f := range forms() {
		ok, why := May(Command{Verb: f.verb}, who, rules)
		switch {
		case ok && why == "":
			b.WriteByte('x')
		case !ok && why != "":
			b.WriteByte('.')
		default:
			b.WriteByte('?')
		}
	}
	return b.String()
}

func TestWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		verb Verb
		who  Who
		want string
	}{
		{Run, Who{Permission: debate.ReadAccess}, "needs write access"},
		{Waive, Who{Permission: debate.WriteAccess}, "needs maintain access"},
		{Decide, Who{Permission: debate.WriteAccess, Author: true}, "is the author of the change"},
		{Help, Who{Bot: true}, "is a bot"},
	} {
		if _, got := May(Command{Verb: c.verb}, c.who, Rules{}); got != c.want {
			t.Errorf("%s by %+v: %q, want %q", c.verb, c.who, got, c.want)
		}
	}
}
