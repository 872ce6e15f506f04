package pull

import (
	"errors"
	"slices"
	"testing"

	"github.com/prdebate/debate/internal/gh"
)

// TestJudge has a row for each thing that check runs say about who holds the head.
func TestJudge(t *testing.T) {
	t.Parallel()
	const mine, other = "pr-7/mine~b@1", "pr-7/other~b@2"
	run := func(id int64, external string) gh.CheckRun {
		return gh.CheckRun{ID: id, Mine: true, ExternalID: external}
	}
	done := func(r gh.CheckRun) gh.CheckRun {
		r.Done = true
		return r
	}
	foreign := run(1, other)
	foreign.Mine = false
	own := run(4, mine)
	rows := []struct {
		name   string
		runs   []gh.CheckRun
		stood  int64 // the check that was there when the run began
		claims bool  // this run wrote that it reviews the head
		holder int64 // 0: this run holds it
		later  []int64
		own    string // what our check says then
	}{
		{"only ours", []gh.CheckRun{own}, 0, true, 0, nil, mine},
		{"none", nil, 0, false, 0, nil, mine},
		{"one of another app", []gh.CheckRun{foreign, own}, 0, true, 0, nil, mine},
		{"another run wrote ours", []gh.CheckRun{run(4, other)}, 0, true, 4, nil, mine},
		{"an older one", []gh.CheckRun{run(3, other), own}, 0, true, 3, nil, mine},
		{"an older one that ended", []gh.CheckRun{done(run(3, other)), own}, 0, true, 3, nil, mine},
		{"an older one with the words of ours", []gh.CheckRun{run(3, mine), own}, 0, true, 3, nil, mine},
		{"two older ones", []gh.CheckRun{run(2, other), run(3, other), own}, 0, true, 2, nil, mine},
		{"an older one that stood there before", []gh.CheckRun{run(3, other), own}, 3, true, 0, nil, mine},
		{"ours stood there, and another run wrote it", []gh.CheckRun{run(4, other)}, 4, true, 4, nil, mine},
		{"a newer one", []gh.CheckRun{own, run(5, other)}, 0, true, 0, []int64{5}, mine},
		{"newer ones, some of which ended", []gh.CheckRun{own, done(run(5, other)), run(6, other), run(7, other)}, 0, true, 0, []int64{6, 7}, mine},
		{"a newer one, and this run claims nothing yet", []gh.CheckRun{own, run(5, other)}, 0, false, 5, nil, mine},
		{"one for another pull request", []gh.CheckRun{own, run(5, "pr-8/x~b")}, 0, true, 0, nil, "pr-8/x~b"},
		{"ours, written for another pull request", []gh.CheckRun{run(4, "pr-8/x~b")}, 0, true, 0, nil, "pr-8/x~b"},
	}
	for _, row := range rows {
		c := &posts{
			pull: gh.Pull{Number: 7, BaseRef: "main"}, own: run(4, mine), stood: gh.CheckRun{ID: row.stood}, claims: row.claims,
			later: []int64{99}, holder: gh.CheckRun{ID: 98},
		}
		err := c.judge(row.runs)
		if errors.Is(err, errClaimed) != (row.holder != 0) || c.holder.ID != row.holder || !slices.Equal(c.later, row.later) || c.own.ExternalID != row.own {
			t.Errorf("%s: %v, held by %d, later %v, ours is %q", row.name, err, c.holder.ID, c.later, c.own.ExternalID)
		}
	}
}

// TestCompareSibling: a check that a run for another pull request wrote is ours from then on, and
// is what stood there.
func TestCompareSibling(t *testing.T) {
	t.Parallel()
	c := &posts{pull: gh.Pull{Number: 7, BaseRef: "main"}, siblings: []int{8}, stood: gh.CheckRun{ID: 1}}
	_ = c.judge([]gh.CheckRun{{Mine: true, ID: 4, ExternalID: "pr-8/x~b"}})
	if c.own.ID != 4 || c.stood.ID != 1 || elsewhere(c.stood, c.pull, c.siblings) != "" {
		t.Errorf("in progress: %+v, stood %+v", c.own, c.stood)
	}
	_ = c.judge([]gh.CheckRun{{Mine: true, ID: 5, Done: true, ExternalID: "pr-8/x~b"}})
	if c.own.ID != 5 || c.stood.ID != 5 || elsewhere(c.stood, c.pull, c.siblings) != "pull request #8" {
		t.Errorf("ended: %+v, stood %+v", c.own, c.stood)
	}
}
