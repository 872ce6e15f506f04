package policy

import (
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/patch/patchtest"
)

func TestSkip(t *testing.T) {
	t.Parallel()
	const (
		closed  = "the pull request is closed"
		draft   = "the pull request is a draft"
		label   = "the pull request has the label no-debate"
		docs    = "only documentation changed"
		updates = "a bot changed only dependencies or generated files"
	)
	prose := patchtest.Change(patchtest.Touch("README.md"), patchtest.Touch("docs/a.rst"), patchtest.Touch("docs/a.txt"))
	code := patchtest.Change(patchtest.Touch("a.go"))
	proposal := []debate.Segment{{Kind: debate.ProposalSegment, Source: debate.FromDiff, Path: "rfcs/1.md"}}
	of := func(name string) []debate.Segment {
		return []debate.Segment{{Kind: debate.CodeSegment, Source: debate.FromDiff, Path: name}}
	}
	reviewed := of("a.go")
	trigger := []debate.Trigger{{ID: debate.TriggerMoney, Class: debate.ClassPath}}
	bump := patchtest.Change(patchtest.Touch("go.mod"), patchtest.Touch("go.sum"), patchtest.Touch("web/package.json"), patchtest.Touch("requirements-dev.txt"))
	binary := patchtest.Change(patchtest.Touch("go.mod"), patchtest.Touch("tool"))
	binary.Set.Files[1].Kind = patch.Binary
	picture := patchtest.Change(patchtest.Touch("docs/a.png"))
	picture.Set.Files[0].Kind = patch.Binary
	ofKind := func(kind patch.Kind, name string) patch.Change {
		c := patchtest.Change(patchtest.Touch(name))
		c.Set.Files[0].Kind = kind
		return c
	}
	unreadable := patchtest.Change(patchtest.Touch("README.md"))
	unreadable.Set.Files[0].Unparsed = "hunk is cut off"
	unread := patchtest.Change(patchtest.Touch("gen.go"))
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
		{"documentation by its name", PullRequest{}, patchtest.Change(patchtest.Touch("README"), patchtest.Touch("lib/Changelog.txt")), nil, nil, docs},
		{"documentation with a trigger", PullRequest{}, prose, nil, trigger, ""},
		{"documentation with a proposal", PullRequest{}, prose, proposal, nil, ""},
		{"documentation under required", PullRequest{Required: true}, prose, nil, nil, ""},
		{"documentation, asked", PullRequest{Asked: true}, prose, nil, nil, ""},
		{"documentation and code", PullRequest{}, patchtest.Change(patchtest.Touch("README.md"), patchtest.Touch("a.go")), reviewed, nil, ""},
		{"code renamed to documentation", PullRequest{}, patchtest.Change(patchtest.Move("a.go", "a.md", "a\n", "a\n")), nil, nil, ""},
		{"instructions for agents", PullRequest{}, patchtest.Change(patchtest.Touch("AGENTS.md")), nil, nil, ""},
		{"commands for agents", PullRequest{}, patchtest.Change(patchtest.Touch(".claude/commands/x.md")), nil, nil, ""},
		{"a page with code", PullRequest{}, patchtest.Change(patchtest.Touch("docs/a.mdx")), nil, nil, ""},
		{"text that machines read", PullRequest{}, patchtest.Change(patchtest.Touch("requirements.txt")), nil, nil, ""},
		{"requirements below docs", PullRequest{}, patchtest.Change(patchtest.Touch("docs/requirements.txt")), nil, nil, ""},
		{"build file below docs", PullRequest{}, patchtest.Change(patchtest.Touch("docs/CMakeLists.txt")), nil, nil, ""},
		{"picture", PullRequest{}, picture, nil, nil, docs},
		{"submodule called as a page", PullRequest{}, ofKind(patch.Submodule, "docs/a.md"), nil, nil, ""},
		{"link called as a page", PullRequest{}, ofKind(patch.Symlink, "docs/a.md"), nil, nil, ""},
		{"program called as a page", PullRequest{}, ofKind(patch.Binary, "docs/a.md"), nil, nil, ""},
		{"page that cannot be read", PullRequest{}, unreadable, nil, nil, ""},

		{"bot", PullRequest{Bot: true}, bump, nil, nil, updates},
		{"bot with segments in manifests", PullRequest{Bot: true}, bump, of("go.mod"), nil, updates},
		{"bot with what it says of a lock file", PullRequest{Bot: true}, bump, []debate.Segment{{Kind: debate.CodeSegment, Source: debate.FromBody, Path: "go.sum"}}, nil, updates},
		{"bot and a lock file that is reviewed", PullRequest{Bot: true}, bump, of("go.sum"), nil, ""},
		{"bot and a new manifest", PullRequest{Bot: true}, patchtest.Change(patchtest.Add("go.mod", "module a\n")), nil, nil, updates},
		{"bot and a folder of requirements", PullRequest{Bot: true}, patchtest.Change(patchtest.Touch("requirements/dev.txt")), of("requirements/dev.txt"), nil, updates},
		{"bot and code in a folder of requirements", PullRequest{Bot: true}, patchtest.Change(patchtest.Touch("requirements/install.py")), of("requirements/install.py"), nil, ""},
		{"bot and another folder", PullRequest{Bot: true}, patchtest.Change(patchtest.Touch("notes/dev.txt")), of("notes/dev.txt"), nil, ""},
		{"bot with a trigger", PullRequest{Bot: true}, bump, nil, trigger, ""},
		{"bot under required", PullRequest{Bot: true, Required: true}, bump, nil, nil, ""},
		{"bot and code", PullRequest{Bot: true}, patchtest.Change(patchtest.Touch("go.mod"), patchtest.Touch("a.go")), reviewed, nil, ""},
		{"bot and a binary", PullRequest{Bot: true}, binary, nil, nil, ""},
		{"bot and what cannot be read", PullRequest{Bot: true}, unread, nil, nil, ""},
		{"bot and code that becomes a manifest", PullRequest{Bot: true}, patchtest.Change(patchtest.Move("a.js", "package.json", "a\n", "a\n")), nil, nil, ""},
		{"bot and a link called as a manifest", PullRequest{Bot: true}, ofKind(patch.Symlink, "go.mod"), nil, nil, ""},
		{"bot and a rename", PullRequest{Bot: true}, patchtest.Change(patchtest.Move("a.go", "b.go", "a\n", "a\n")), nil, nil, ""},
		{"person", PullRequest{}, bump, nil, nil, ""},

		{"code", PullRequest{}, code, reviewed, nil, ""},
		{"nothing", PullRequest{Bot: true}, patchtest.Change(), nil, nil, ""},
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
	prose, bump := patchtest.Change(patchtest.Touch("README.md")), patchtest.Change(patchtest.Touch("go.mod"))
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
