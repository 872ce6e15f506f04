package segment

import (
	"cmp"
	"fmt"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// CheckSums checks that a coverage ledger accounts for a change: every hunk, and every file
// without listed hunks, has exactly one entry with its own counts, in the order of the change and
// after the entries of the pull request's text. All counts add up to the totals and to those of the
// set. The error names the first part that differs.
func CheckSums(coverage []debate.Coverage, totals debate.Totals, set *patch.Set) error {
	var want []debate.Coverage
	sums := debate.Totals{Files: len(set.Files), Parts: len(coverage)}
	for _, f := range set.Files {
		sums.Additions += f.Additions
		sums.Deletions += f.Deletions
		left := debate.Coverage{Path: f.Path(), Additions: f.Additions, Deletions: f.Deletions} // no hunk has counted it
		hunks := listed(len(want), f)
		for _, h := range hunks {
			c := hunkEntry(f, h)
			left.Additions -= c.Additions
			left.Deletions -= c.Deletions
			want = append(want, c)
		}
		switch {
		case len(hunks) == 0, f.Partial && left.Additions == 0 && left.Deletions == 0: // its other lines
			want = append(want, left)
		case left.Additions != 0 || left.Deletions != 0:
			return fmt.Errorf("coverage ledger: git counts other lines of %s than its hunks have", f.Path())
		}
	}
	text := len(coverage) - len(want)
	if text < 0 {
		return fmt.Errorf("coverage ledger: %d entries for at least %d parts of the change", len(coverage), len(want))
	}
	seen := make(map[string]bool, len(coverage))
	for i, c := range coverage {
		is := partOf(c)
		due := part{debate.BodyPath, is.side, is.start, is.end, 0, 0} // of the pull request's text
		if i >= text {
			due = partOf(want[i-text])
			due.side = cmp.Or(due.side, is.side) // of a file without hunks
		}
		switch {
		case seen[c.ID]:
			return fmt.Errorf("coverage ledger: entry %s is in it twice", c.ID)
		case is != due:
			return fmt.Errorf("coverage ledger: entry %s is %s, the change has %s there", c.ID, is, due)
		}
		seen[c.ID] = true
	}
	if totals != sums {
		return fmt.Errorf("coverage ledger: totals are %+v, the change has %+v", totals, sums)
	}
	return nil
}

// part is the content of an entry that the change determines.
type part struct {
	path                 string
	side                 debate.Side
	start, end           int
	additions, deletions int
}

func partOf(c debate.Coverage) part {
	return part{c.Path, c.Side, c.StartLine, c.EndLine, c.Additions, c.Deletions}
}

func (p part) String() string {
	return fmt.Sprintf("%s %s %d-%d (+%d -%d)", p.path, p.side, p.start, p.end, p.additions, p.deletions)
}
