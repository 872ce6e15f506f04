package debate

import (
	"fmt"
	"strings"
	"testing"
)

// TestFloodFolds: parties that raise many long claims make neither more calls
// nor more debate: all claims are kept, and a bounded number is debated (A10).
func TestFloodFolds(t *testing.T) {
	t.Parallel()
	const each = 40
	flood := func(party string) []NewClaim {
		var list []NewClaim
		for i := range each {
			c := defect(P1, fmt.Sprintf("%s defect %d", party, i), 1+i%9)
			c.Refs[0].Quote = fmt.Sprintf("line of %s %d", party, i)
			c.Body = strings.Repeat(fmt.Sprintf("%s%d ", party, i), 900)
			list = append(list, c)
		}
		return list
	}
	x := newScene("gpt")
	x.first.Settings.Opening = OpenParallel
	x.say("OPEN/0/claude", proposing(flood("x")...))
	x.say("OPEN/0/gpt", proposing(flood("y")...))
	more := agreeing()
	more.Claims = flood("z")
	x.say("CHALLENGE/1/gpt", more)
	s := x.run(t).end()
	debated := 0
	for _, c := range s.Book.Claims {
		if c.debated() {
			debated++
		}
	}
	if len(s.Book.Claims) != 3*each || debated == 0 || debated > s.Received.Settings.maxClaims() || len(s.Asking.Calls) > 20 {
		t.Errorf("%d claims, %d of them debated, %d calls", len(s.Book.Claims), debated, len(s.Asking.Calls))
	}
}
