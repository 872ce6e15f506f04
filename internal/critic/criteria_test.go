package critic

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/segment"
)

func TestMissingCriteria(t *testing.T) {
	t.Parallel()
	all := []string{
		"a.md: which problem it solves",
		"a.md: what it assumes",
		"a.md: what it costs or makes worse",
		"a.md: which alternatives there are",
		"a.md: how its risks are kept small",
		"a.md: why it was decided so, and how success is measured",
	}
	for _, tt := range []struct {
		name string
		text []string
		want []string
	}{
		{"no proposal", nil, nil},
		{"nothing said", []string{"# Cache\n\nPut a cache before the database.\n"}, all},
		{"full by headings", []string{`# Cache

## Motivation
Reads take long.

## Assumptions
Keys repeat.

## Tradeoffs
Memory.

## Alternatives
A bigger machine.

## Risks
Stale reads.

## Decision
Cache for one minute.
`}, nil},
		{"full by sentences", []string{`# Cache

Reads are slow today. We assume that keys repeat. The cost is memory. A read
replica was considered and rejected. It can be rolled back by a flag. We measure
the hit rate to decide whether it stays.
`}, nil},
		{"headings of an unfilled template", []string{"# Cache\n\n## Problem\n\nSlow reads.\n\n## Alternatives\n\nTBD\n\n## Risks\n\n<!-- list the risks and their mitigation -->\n\n## Decision\n\n"}, []string{
			"a.md: what it assumes",
			"a.md: what it costs or makes worse",
			"a.md: which alternatives there are",
			"a.md: how its risks are kept small",
			"a.md: why it was decided so, and how success is measured",
		}},
		{"text below a nested heading", []string{"## Alternatives\n\n### Replica\n\nLags.\n"}, []string{
			"a.md: which problem it solves",
			"a.md: what it assumes",
			"a.md: what it costs or makes worse",
			"a.md: how its risks are kept small",
			"a.md: why it was decided so, and how success is measured",
		}},
		{"words in code do not count", []string{"# Cache\n\nUse it.\n\n```yaml\nrisks: assumptions tradeoffs alternatives decision problem\n```\n"}, all},
		{"sections of one document count together", []string{"## Design\nBecause reads are slow, and we assume little.\n", "## Risks\nNone known, costs are low. Options were compared; the decision stands.\n"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var proposals []segment.Proposal
			for _, text := range tt.text {
				proposals = append(proposals, segment.Proposal{Path: "a.md", Text: text})
			}
			if d := cmp.Diff(tt.want, missingCriteria(proposals)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestMissingCriteriaAreSorted(t *testing.T) {
	t.Parallel()
	got := missingCriteria([]segment.Proposal{{Path: "b.md", Text: "x"}, {Path: "@pr", Text: "x"}, {Path: "a.md", Text: "x"}})
	if len(got) != 18 || got[0] != "@pr: which problem it solves" || got[17] != "b.md: why it was decided so, and how success is measured" {
		t.Errorf("got %q", got)
	}
}
