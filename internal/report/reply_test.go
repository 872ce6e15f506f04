package report

import (
	"strings"
	"testing"
)

// TestRefused: a refusal is one sentence, and the commands in it can be read as such.
func TestRefused(t *testing.T) {
	t.Parallel()
	for why, want := range map[string]string{
		"bob needs write access": "This was not done: bob needs write access.\n",
		"there is no such command. Did you mean `/debate explain F12`?": "This was not done: there is no such command. Did you mean `/debate explain F12`?\n",
		"write `/debate run` or `/debate stop`":                         "This was not done: write `/debate run` or `/debate stop`.\n",
		"one ` alone *bold*":                                            "This was not done: one \\` alone \\*bold\\*.\n",
		"`@bob` and `` and @eve":                                        "This was not done: `` `@bob` `` and \\`\\` and `@eve`.\n",
	} {
		if got := string(Refused(why)); got != want {
			t.Errorf("%q: %q, want %q", why, got, want)
		}
	}
}

// TestDisputed: the answer to a dispute says how the finding stands now and what each
// model said of it.
func TestDisputed(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, name := range []string{"dispute", "dispute_attacked", "dispute_unanswered", "dispute_value", "recalled_dispute"} {
		s := played(t, name)
		e := FromState(s)
		p := numbered(Pull{RepositoryURL: repository, Number: 4, Head: reviewedHead}, e)
		for _, c := range s.Book.Claims {
			b.WriteString("== " + name + "\n" + string(Disputed(e, c.ID, c.Final, p)))
		}
	}
	golden(t, "pull/disputed.md", []byte(b.String()))
}
