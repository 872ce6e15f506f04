package main

import (
	"fmt"
	"testing"
)

// The first summary leads to each comment on a line: no later edit is needed for it.
func TestFirstLinksLeadToTheComments(t *testing.T) {
	t.Parallel()
	h, p := reviewedPull(t, "ada", map[string]string{"ratio.go": "package app\n\nvar door = 1 // BUG: it is open\nvar keys = 2 // BUG: they are lost\n"}, "operator-config", parties(t, "bugs", "bugs"))
	first := summaries(p)[0]
	want(t, "comments on lines", len(p.Inline()), 2)
	for _, c := range p.Inline() {
		wantText(t, "first summary", first, fmt.Sprintf("#discussion_r%d", c.ID))
	}
	h.on(p, "synchronize").good(t)
	want(t, "summary of a second run", summaries(p)[0], first)
}
