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
	maxRuns       = 1000  // results that are kept
	maxRunLines   = 10000 // lines of one result that are looked up in the change
)

// checkRuns reads the SARIF files that the user hands over. They are evidence,
// not findings (S12): only what stands in a changed file can support a claim
// about the change, and the rest is left out. Root is the directory that absolute names
// in them lie below, "" for none.
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
		r.progress("SARIF: %d of %d results stand in changed files and are evidence", len(kept), found)
	}
	return kept, nil
}

// relevant keeps the results that stand in changed files and gives each its
// name. Where there are too many, those on changed lines are kept first, and
// failures before the rest.
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
