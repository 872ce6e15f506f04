package pull

import (
	"strings"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/gh"
)

// TestIssueText: reviewers are told what issues ask for, as people read them and within
// bounds, but of none that somebody edited behind the back of who made the head.
func TestIssueText(t *testing.T) {
	t.Parallel()
	edited := func(login string, minute int) gh.Linked {
		return gh.Linked{Number: 3, Title: "It breaks", Body: "Often.", Edits: []gh.Edit{{By: gh.Account{Login: "bob"}, At: at(-90)}, {By: gh.Account{Login: login}, At: at(minute)}}}
	}
	whole := "#3 It breaks\n\nOften."
	for _, c := range []struct {
		name  string
		given []gh.Linked
		head  time.Time
		want  string
	}{
		{"none", nil, at(-50), ""},
		{"one", []gh.Linked{{Number: 3, Title: "It\n breaks", Body: "Often.\r\n<!-- hidden -->\n![x](y)"}}, at(-50), whole},
		{"without a text", []gh.Linked{{Number: 3, Title: "It breaks"}}, at(-50), "#3 It breaks"},
		{"two", []gh.Linked{{Number: 3, Title: "It breaks", Body: "Often."}, {Number: 4, Title: "It is slow", Body: "Always."}}, at(-50), whole + "\n\n#4 It is slow\n\nAlways."},
		{"edited before the head", []gh.Linked{edited("carol", -60)}, at(-50), whole},
		{"edited since by a stranger", []gh.Linked{edited("carol", -40)}, at(-50), ""},
		{"edited since by nobody knows whom", []gh.Linked{edited("dave", -40)}, at(-50), ""},
		{"edited since by the author", []gh.Linked{edited("alice", -40)}, at(-50), whole},
		{"edited since by a maintainer", []gh.Linked{edited("bob", -40)}, at(-50), whole},
		{"a head without a date", []gh.Linked{edited("carol", -60)}, time.Time{}, ""},
		{"a head of the future", []gh.Linked{edited("carol", -60)}, at(50), ""},
		{"one of two was edited", []gh.Linked{edited("carol", -40), {Number: 4, Title: "It is slow"}}, at(-50), "#4 It is slow"},
		{"a secret, put together", []gh.Linked{{Number: 3, Title: "It breaks", Body: "hunter<!-- -->2 and hunter2"}}, at(-50), "#3 It breaks\n\nhunter 2 and [redacted]"},
	} {
		s := unreviewed()
		s.Pull.Linked, s.Pull.HeadDate = c.given, c.head
		s.clean = func(text string) string { return strings.ReplaceAll(text, "hunter2", "[redacted]") }
		if got := s.linkedText(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	s := unreviewed()
	s.Pull.Linked = []gh.Linked{{Number: 3, Title: "Long", Body: strings.Repeat("ü", 3000)}, {Number: 4, Title: "Next"}}
	if got := s.linkedText(); len(got) > 4000 || len(got) < 3990 || !strings.HasSuffix(got, "ü…") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}
