package main

import (
	"flag"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/testkit/ghtest"
	"github.com/prdebate/debate/internal/testkit/long"
)

var faultsFlag = flag.String("faults", long.Pick("some", "all"), "how many faults of GitHub to try: some, or all of them at all requests")

// misfortune is one way in which GitHub fails.
type misfortune struct {
	name  string
	fault func(ta *tale) ghtest.Fault
	// blind: the run may not see what it is started for, so that there is another
	// one even if it ends well.
	blind bool
}

func always(f ghtest.Fault) func(*tale) ghtest.Fault { return func(*tale) ghtest.Fault { return f } }

// misfortunes are all of them, before and after a request took effect.
var misfortunes = []misfortune{
	{name: "500", fault: always(ghtest.Answer(http.StatusInternalServerError))},
	{name: "502", fault: always(ghtest.Answer(http.StatusBadGateway))},
	{name: "503", fault: always(ghtest.Answer(http.StatusServiceUnavailable))},
	{name: "500 after it was done", fault: always(ghtest.DoneBut(http.StatusInternalServerError))},
	{name: "502 after it was done", fault: always(ghtest.DoneBut(http.StatusBadGateway))},
	{name: "secondary limit", fault: always(ghtest.Secondary(http.StatusForbidden, 30))},
	{name: "429", fault: always(ghtest.Secondary(http.StatusTooManyRequests, 0))},
	{name: "primary limit", fault: func(ta *tale) ghtest.Fault {
		return ghtest.Primary(http.StatusForbidden, ta.server.Now().Add(time.Minute))
	}},
	{name: "primary limit for long", fault: func(ta *tale) ghtest.Fault {
		return ghtest.Primary(http.StatusForbidden, ta.server.Now().Add(time.Hour))
	}},
	{name: "submitted too quickly", fault: always(ghtest.TooQuick())},
	{name: "reset", fault: always(ghtest.Reset())},
	{name: "lost answer", fault: always(ghtest.Lost())},
	{name: "truncated answer", fault: always(ghtest.Truncated())},
	{name: "timeout", fault: always(ghtest.Hang())},
	{name: "timeout after it was done", fault: always(ghtest.DoneHang())},
	{name: "stale lists", fault: always(ghtest.Stale(3)), blind: true},
}

// told is what an undisturbed tale came to.
type told struct {
	requests []int // of each scene
	state    []string
}

// undisturbed tells the tale without any fault.
func undisturbed(t *testing.T) told {
	t.Helper()
	var end told
	ta := begin(t)
	for _, sc := range scenes {
		e := sc.act(ta)
		ta.server.Forget()
		if code, log := ta.act(e); code != 0 {
			t.Fatalf("%s: code %d\n%s", sc.name, code, log)
		}
		end.requests = append(end.requests, len(ta.server.Requests()))
	}
	end.state = ta.state()
	if problems := ta.doubled(); len(problems) > 0 {
		t.Fatal(problems)
	}
	return end
}

// TestFaultsOfGitHub: whatever fails at whichever request, the tale ends as it
// does without faults, after at most one more run for the same event. Nothing
// stands twice, and models are not asked again for what was published.
func TestFaultsOfGitHub(t *testing.T) {
	t.Parallel()
	end := undisturbed(t)
	var cases []func(*testing.T)
	for _, m := range misfortunes {
		for scene, requests := range end.requests {
			for n := range requests {
				cases = append(cases, func(t *testing.T) { end.suffers(t, map[int][]int{scene: {n + 1}}, m) })
			}
		}
	}
	tryAll(t, sample(cases))
}

// sample is every hundredth case, or all of them. The cases of one kind of fault
// follow each other, and there are more than a hundred: each kind is in it.
func sample(cases []func(*testing.T)) (some []func(*testing.T)) {
	if *faultsFlag == "all" {
		return cases
	}
	for n := 0; n < len(cases); n += 101 {
		some = append(some, cases[n])
	}
	return some
}

// tryAll tries cases, some at a time: they wait now and then. Each one is a test of its own,
// which ends its server.
func tryAll(t *testing.T, cases []func(*testing.T)) {
	t.Helper()
	began := time.Now()
	var next atomic.Int64
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for {
				n := int(next.Add(1)) - 1
				if n >= len(cases) || t.Failed() && *faultsFlag != "all" {
					return
				}
				t.Run(fmt.Sprint(n), cases[n])
			}
		})
	}
	all.Wait()
	t.Logf("%d tales in %v", len(cases), time.Since(began).Round(time.Second))
}

// suffers tells the tale with a misfortune at some requests of some scenes.
func (end told) suffers(t *testing.T, at map[int][]int, m misfortune) {
	var story strings.Builder
	ta := begin(t)
	for i, sc := range scenes {
		e := sc.act(ta)
		if len(at[i]) == 0 {
			if code, log := ta.act(e); code != 0 {
				t.Errorf("%s%s: code %d\n%s", &story, sc.name, code, log)
				return
			}
			continue
		}
		ta.server.Forget()
		fault := m.fault(ta)
		ta.server.Fault(func(n int, r *http.Request) ghtest.Fault {
			if slices.Contains(at[i], n) {
				now := fault
				now.Hanging = func() { ta.way.giveUp(r) }
				return now
			}
			return ghtest.Fault{}
		})
		fmt.Fprintf(&story, "%s at request %v while %s: ", m.name, at[i], sc.name)
		before := ta.published()
		code, log := ta.act(e)
		ta.server.Fault(nil)
		requests := ta.server.Requests()
		if n := at[i][0]; n <= len(requests) {
			fmt.Fprintf(&story, "(%s %s): ", requests[n-1].Method, requests[n-1].Operation)
		}
		if code == 0 && !m.blind {
			continue
		}
		published, calls := ta.published() != before, ta.calls()
		ta.server.Advance(time.Hour)
		if again, more := ta.act(e); again != 0 {
			t.Errorf("%sthe run after it fails: code %d\n%s\n--- before\n%s", &story, again, more, log)
			return
		}
		if published && ta.calls() != calls {
			t.Errorf("%smodels were asked %d times again for what was published\n%s", &story, ta.calls()-calls, log)
		}
	}
	want, got := end.state, ta.state()
	for _, faults := range at {
		if len(faults) > 2 { // as often as a reaction is tried, which says that an answer takes long
			want, got = withoutEyes(want), withoutEyes(got)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%sthe end is another one: %s", &story, diff)
	}
	if problems := ta.doubled(); len(problems) > 0 {
		t.Errorf("%s%v", &story, problems)
	}
}

// marker finds what a comment says that it is.
var marker = regexp.MustCompile(`<!-- debate:(\w+) v1 (\S+) `)

// doubled says what stands twice, or never came to its end.
func (ta *tale) doubled() (problems []string) {
	seen := map[string]int{}
	note := func(where, body string) {
		if found := marker.FindStringSubmatch(body); found != nil && !strings.Contains(body, "<!-- debate:duplicate ") {
			seen[where+" "+found[1]+" "+found[2]]++
		} else if strings.Contains(body, "<!-- debate:summary v1 -->") {
			seen[where+" summary"]++
		}
	}
	said := func(where string, list []*ghtest.Comment) {
		for _, c := range list {
			if ta.ours(c) {
				note(where, c.Body())
			}
		}
	}
	said("conversation", ta.pull.Comments())
	said("inline", ta.pull.Inline())
	for _, r := range ta.pull.Reviews() {
		note("review", r.Body())
	}
	for _, i := range ta.repo.Issues() {
		note("issues", i.Body())
		said(fmt.Sprintf("issue %d", i.Number), i.Comments())
	}
	for _, head := range ta.heads {
		for _, c := range ta.newestChecks(head) {
			seen["check "+head]++
			if c.Status != "completed" {
				problems = append(problems, "a check of "+head+" is "+c.Status)
			}
		}
	}
	for what, n := range seen {
		if n > 1 {
			problems = append(problems, fmt.Sprintf("%s stands %d times", what, n))
		}
	}
	slices.Sort(problems)
	return problems
}
