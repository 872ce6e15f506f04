package main

import (
	"fmt"
	"testing"
)

// several are n files of a pull request with a text in each.
func several(n int, text string) map[string]string {
	all := map[string]string{}
	for i := range n {
		all[fmt.Sprintf("pkg/f%d.go", i)] = fmt.Sprintf("package pkg\n\nfunc F%d(a, b int) int {\n\treturn a %s b\n}\n", i, text)
	}
	return all
}

// A first review without an open question takes at most 14 reads, one of them to search for
// callers, and four writes: a check, a review, a summary and the check again. The number of
// files does not matter.
func TestFirstReviewKeepsItsBudget(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5, 40} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			h := host(t)
			before := several(n, "*")
			before["caller.go"] = "package main\n\nvar two = pkg.F0(1, 2)\n"
			h.repo.SetBranch("main", h.repo.Change(h.repo.Branch("main"), before))
			p := h.open("ada", several(n, "/"))
			o := h.on(p, "opened").good(t)
			if o.reads > 14 || o.writes > 4 {
				t.Errorf("%d reads and %d writes:\n%s", o.reads, o.writes, requests(o.requests))
			}
			want(t, "check", h.check(p.Head()), "neutral")
		})
	}
}
