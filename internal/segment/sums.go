package segment

import (
	"fmt"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// CheckSums checks that a coverage ledger accounts for a change: every hunk, and every file
// without listed hunks, has exactly one entry with its own counts, in the order of the change and
// after the entries of the pull request's text. All counts add up to the totals and to those of the
// set. The error names the first part that differs.
func CheckSums(coverage []debate.Coverage, totals debate.Totals, set *patch.Set) error {
	parts := 0
	sums := debate.Totals{Files: len(set.Files), Parts: len(coverage)}
	for _, f := range set.Files {
		parts += max(1, len(listed(parts, f)))
		sums.Additions += f.Additions
		sums.Deletions += f.Deletions
	}
	text := len(coverage) - parts
	if text < 0 {
		return fmt.Errorf("coverage ledger: %d entries for at least %d parts of the change", len(coverage), parts)
	}
	seen := make(map[string]bool, len(coverage))
	for i, c := range coverage {
		if seen[c.ID] {
			return fmt.Errorf("coverage ledger: entry %s is in it twice", c.ID)
		}
		seen[c.ID] = true
		if i < text && (c.Path != debate.BodyPath || c.Additions != 0 || c.Deletions != 0) {
			return fmt.Errorf("coverage ledger: entry %s (%s) is no part of the change", c.ID, c.Path)
		}
	}
	rest := coverage[text:]
	for _, f := range set.Files {
		hunks := listed(len(coverage)-text-len(rest), f)
		n := max(1, len(hunks))
		if err := checkFile(rest[:n], f, hunks); err != nil {
			return err
		}
		rest = rest[n:]
	}
	if totals != sums {
		return fmt.Errorf("coverage ledger: totals are %+v, the change has %+v", totals, sums)
	}
	return nil
}

// checkFile compares the entries of one file with its listed hunks and its counts.
func checkFile(entries []debate.Coverage, f *patch.File, hunks []*patch.Hunk) error {
	additions, deletions := 0, 0
	for i, c := range entries {
		want := debate.Coverage{Path: f.Path(), Additions: f.Additions, Deletions: f.Deletions}
		if len(hunks) > 0 {
			want = hunkEntry(f, hunks[i])
		} else {
			want.Side = c.Side
		}
		if partOf(c) != partOf(want) {
			return fmt.Errorf("coverage ledger: entry %s is %s, the change has %s there", c.ID, partOf(c), partOf(want))
		}
		additions += c.Additions
		deletions += c.Deletions
	}
	if additions != f.Additions || deletions != f.Deletions {
		return fmt.Errorf("coverage ledger: %s has +%d -%d in its hunks and +%d -%d as counted by git",
			f.Path(), additions, deletions, f.Additions, f.Deletions)
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
