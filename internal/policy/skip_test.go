package policy

import (
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

func TestSkip(t *testing.T) {
	t.Parallel()
	const (
		closed  = "the pull request is closed"
		draft   = "the pull request is a draft"
		label   = "the pull request has the label no-debate"
		docs    = "the change is documentation only and holds no proposal"
		updates = "a bot changed dependency manifests, lock files or generated files only"
	)
	prose := changeOf(touch("README.md"), touch("docs/a.rst"), touch("docs/a.txt"))
	code := changeOf(touch("a.go"))
	proposal := []debate.Segment{{Kind: debate.ProposalSegment, Source: debate.FromDiff, Path: "rfcs/1.md"}}
	reviewed := []debate.Segment{{Kind: debate.CodeSegment, Source: debate.FromDiff, Path: "a.go"}}
	trigger := []debate.Trigger{{ID: debate.TriggerMoney, Class: debate.ClassPath}}
	bump := changeOf(touch("go.mod"), touch("go.sum"), touch("web/package.json"), touch("requirements-dev.txt"))
	binary := changeOf(touch("go.mod"), touch("tool"))
	binary.Set.Files[1].Kind = patch.Binary
	unread := changeOf(touch("gen.go"))
	unread.Set.Files[0].Unparsed = "hunk is cut off"

	tests := []struct {
		name     string
		pr       PullRequest
		change   patch.Change
		segments []debate.Segment
		triggers []debate.Trigger
		want     string
	}{
		{"closed", PullRequest{Closed: true, Asked: true, Required: true}, code, reviewed, trigger, closed},
		{"draft", PullRequest{Draft: true}, code, reviewed, trigger, draft},
		{"draft under required", PullRequest{Draft: true, Required: true}, code, reviewed, nil, draft},
		{"draft, asked", PullRequest{Draft: true, Asked: true}, code, reviewed, nil, ""},
		{"label", PullRequest{Labels: []string{"bug", "No-Debate"}}, code, reviewed, trigger, label},
		{"label under required", PullRequest{Labels: []string{"no-debate"}, Required: true}, code, reviewed, nil, ""},
		{"label, asked", PullRequest{Labels: []string{"no-debate"}, Asked: true}, code, reviewed, nil, ""},
		{"another label", PullRequest{Labels: []string{"no-debate-please"}}, code, reviewed, nil, ""},

		{"documentation", PullRequest{}, prose, nil, nil, docs},
		{"documentation with fenced code", PullRequest{}, prose, []debate.Segment{{Kind: debate.CodeSegment, Path: "README.md"}}, nil, docs},
		{"documentation with a trigger", PullRequest{}, prose, nil, trigger, ""},
		{"documentation with a proposal", PullRequest{}, prose, proposal, nil, ""},
		{"documentation under required", PullRequest{Required: true}, prose, nil, nil, ""},
		{"documentation, asked", PullRequest{Asked: true}, prose, nil, nil, ""},
		{"documentation and code", PullRequest{}, changeOf(touch("README.md"), touch("a.go")), reviewed, nil, ""},
		{"code renamed to documentation", PullRequest{}, changeOf(edit{"a.go", "a.md", "a\n", "a\n"}), nil, nil, ""},
		{"instructions for agents", PullRequest{}, changeOf(touch("AGENTS.md")), nil, nil, ""},
		{"commands for agents", PullRequest{}, changeOf(touch(".claude/commands/x.md")), nil, nil, ""},
		{"a page with code", PullRequest{}, changeOf(touch("docs/a.mdx")), nil, nil, ""},
		{"text that machines read", PullRequest{}, changeOf(touch("requirements.txt")), nil, nil, ""},

		{"bot", PullRequest{Bot: true}, bump, nil, nil, updates},
		{"bot with segments in manifests", PullRequest{Bot: true}, bump, []debate.Segment{{Kind: debate.CodeSegment, Source: debate.FromDiff, Path: "go.mod"}}, nil, updates},
		{"bot with a trigger", PullRequest{Bot: true}, bump, nil, trigger, ""},
		{"bot under required", PullRequest{Bot: true, Required: true}, bump, nil, nil, ""},
		{"bot and code", PullRequest{Bot: true}, changeOf(touch("go.mod"), touch("a.go")), reviewed, nil, ""},
		{"bot and a binary", PullRequest{Bot: true}, binary, nil, nil, ""},
		{"bot and what cannot be read", PullRequest{Bot: true}, unread, nil, nil, ""},
		{"bot and a rename", PullRequest{Bot: true}, changeOf(edit{"a.go", "b.go", "a\n", "a\n"}), nil, nil, ""},
		{"person", PullRequest{}, bump, nil, nil, ""},

		{"code", PullRequest{}, code, reviewed, nil, ""},
		{"nothing", PullRequest{Bot: true}, changeOf(), nil, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Skip(tt.pr, tt.change, tt.segments, nil, tt.triggers); got != tt.want {
				t.Errorf("Skip = %q, want %q", got, tt.want)
			}
		})
	}
}

// TestFindingForbidsToSkip: what already stands as a finding must be seen, but it
// overrides neither a person nor a label.
func TestFindingForbidsToSkip(t *testing.T) {
	t.Parallel()
	hits := []debate.Hit{{Rule: "merge/conflict-marker"}}
	prose, bump := changeOf(touch("README.md")), changeOf(touch("go.mod"))
	if got := Skip(PullRequest{}, prose, nil, hits, nil); got != "" {
		t.Errorf("documentation with a finding is skipped: %s", got)
	}
	if got := Skip(PullRequest{Bot: true}, bump, nil, hits, nil); got != "" {
		t.Errorf("an update with a finding is skipped: %s", got)
	}
	if got := Skip(PullRequest{Draft: true}, prose, nil, hits, nil); got == "" {
		t.Error("a draft is reviewed because of a finding")
	}
}
