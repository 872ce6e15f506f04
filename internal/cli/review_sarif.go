package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/report/sarif"
)

const (
	maxSARIFFiles = 20
	maxRuns       = 1000  // number of results
	maxRunLines   = 10000 // lines of one result to look up in the change
)

// checkRuns reads the user's SARIF files. Results are evidence, not findings (R147), and
// only those in changed files count. Absolute names must be below root; "" for none.
func (c *reviewCmd) checkRuns(r *run, root string, set *patch.Set) ([]debate.Run, error) {
	if len(c.Sarif) > maxSARIFFiles {
		return nil, usage(fmt.Errorf("--sarif is given %d times, at most %d are read", len(c.Sarif), maxSARIFFiles))
	}
	var all []debate.Run
	for _, name := range c.Sarif {
		data, err := r.readLimited(name, sarif.MaxBytes)
		if err != nil {
			return nil, err
		}
		runs, err := sarif.Read(data, filepath.ToSlash(root))
		if err != nil {
			return nil, usage(fmt.Errorf("cannot use %s: %w", name, err))
		}
		all = append(all, runs...)
	}
	found := len(all)
	kept := relevant(all, set)
	if found > 0 {
		r.progress("SARIF: %d of %d results are in changed files and count as evidence", len(kept), found)
	}
	return kept, nil
}

// relevant keeps the results in changed files and gives each a name. If there are too many,
// failures on changed lines come first, then other failures.
func relevant(all []debate.Run, set *patch.Set) []debate.Run {
	index := patch.NewIndex(set)
	changed := make(map[string]bool, len(set.Files))
	for _, f := range set.Files {
		changed[f.NewPath] = true
	}
	kept := []debate.Run{}
	for _, one := range all {
		if one.Path != "" && changed[one.Path] {
			for line := one.StartLine; line <= min(one.EndLine, one.StartLine+maxRunLines) && !one.Changed; line++ {
				one.Changed = index.Changed(one.Path, debate.Right, line)
			}
			kept = append(kept, one)
		}
	}
	if len(kept) > maxRuns {
		slices.SortStableFunc(kept, func(a, b debate.Run) int { return rank(a) - rank(b) })
		kept = kept[:maxRuns]
	}
	for i := range kept {
		kept[i].Ref = "sarif:" + strconv.Itoa(i+1)
	}
	return kept
}

// rank says how much a result can support, most first.
func rank(one debate.Run) int {
	switch {
	case one.Changed && one.Failed:
		return 0
	case one.Failed:
		return 1
	}
	return 2
}
