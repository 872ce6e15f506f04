package policy

import (
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/patch"
)

// PullRequest is what eligibility rests on besides the change. A local review
// has none of it: the zero value.
type PullRequest struct {
	Closed, Draft, Bot bool
	Labels             []string
	Required           bool // gate: required
	Asked              bool // a person asked for this run
}

// noDebate is the label that opts a pull request out.
const noDebate = "no-debate"

// Skip says why a change needs no review, as words for people, or "" if it does
// (S07, A11). Asking overrides all but closed; where the gate is required only
// closed and draft skip; a trigger, or a finding that stands already, forbids to
// skip for what the change is.
func Skip(pr PullRequest, change patch.Change, segments []debate.Segment, hits []debate.Hit, triggers []debate.Trigger) (reason string) {
	switch {
	case pr.Closed:
		return "the pull request is closed"
	case pr.Asked:
		return ""
	case pr.Draft:
		return "the pull request is a draft"
	case pr.Required:
		return ""
	case labelled(pr.Labels):
		return "the pull request has the label " + noDebate
	case len(hits) > 0, len(triggers) > 0, len(change.Set.Files) == 0:
		return ""
	case onlyDocumentation(change.Set, segments):
		return "only documentation changed"
	case pr.Bot && onlyDependencies(change.Set, segments):
		return "a bot changed only dependencies or generated files"
	}
	return ""
}

func labelled(labels []string) bool {
	return slices.ContainsFunc(labels, func(l string) bool { return strings.EqualFold(l, noDebate) })
}

func onlyDocumentation(set *patch.Set, segments []debate.Segment) bool {
	proposes := func(s debate.Segment) bool { return s.Kind == debate.ProposalSegment }
	isCode := func(f *patch.File) bool {
		return f.Unparsed != "" || slices.ContainsFunc(names(f), func(name string) bool {
			readable := f.Kind == patch.Text || isPicture(name)
			return !readable || !isDocumentation(name)
		})
	}
	return !slices.ContainsFunc(segments, proposes) && !slices.ContainsFunc(set.Files, isCode)
}

// isPicture reports whether a path names an image. Other binary files, symbolic
// links and submodules are no documentation, whatever they are called.
func isPicture(name string) bool {
	return pictures[strings.ToLower(path.Ext(name))]
}

var pictures = set(".png .jpg .jpeg .gif .webp")

// isDocumentation reports whether a path names text that only people read.
// Files that steer agents are no documentation, whatever their format.
func isDocumentation(name string) bool {
	lower := strings.ToLower(name)
	base, ext := path.Base(lower), path.Ext(lower)
	switch {
	case steersAgents(lower), isManifest(lower), base == "cmakelists.txt":
		return false
	case proseExtensions[ext], proseNames[strings.TrimSuffix(base, ".txt")]:
		return true
	case ext == ".txt", pictures[ext]:
		return inDocs().MatchString(lower)
	}
	return false
}

var inDocs = lazyregexp.New(`^docs?/`)

var proseExtensions = set(".md .markdown .mdown .mkdn .mkd .rst .adoc .asciidoc")

var proseNames = set("readme changelog changes history news authors contributors contributing notice thanks")

// steersAgents takes a lower-case path.
func steersAgents(name string) bool { return agentPath().MatchString(name) }

var agentPath = lazyregexp.New(`(?:^|/)\.(?:claude|cursor|gemini|codex|agents|windsurf|clinerules)/|(?:^|/)(?:agents|claude|gemini|review|skill|copilot-instructions)\.md$|\.(?:instructions|prompt)\.md$`)

// onlyDependencies reports whether every file is a dependency manifest, or text
// that the split excluded: lock files, generated and vendored files. Binary
// files, submodules and files that cannot be read are none of these.
func onlyDependencies(set *patch.Set, segments []debate.Segment) bool {
	reviewed := make(map[string]bool)
	for _, s := range segments {
		if s.Source == debate.FromDiff {
			reviewed[s.Path] = true
		}
	}
	return !slices.ContainsFunc(set.Files, func(f *patch.File) bool {
		switch {
		case f.Kind != patch.Text, f.Unparsed != "":
			return true
		case isManifest(f.Path()):
			return f.OldPath != "" && !isManifest(f.OldPath) // code that becomes a manifest
		}
		return len(f.Hunks) == 0 || reviewed[f.Path()]
	})
}

// isManifest reports whether a path names a file in which a package manager's
// dependencies are declared.
func isManifest(name string) bool {
	base := strings.ToLower(path.Base(name))
	return manifests[base] || manifestPath().MatchString(path.Dir(name)+"/"+base)
}

var manifestPath = lazyregexp.New(`\.(?:csproj|fsproj|vbproj|gemspec)$|/(?:requirements|constraints)[^/\n]*\.txt$|(?:^|/)requirements/[^/]*\.txt$`)

var manifests = set(`package.json pnpm-workspace.yaml deno.json go.mod go.work cargo.toml pyproject.toml pipfile
	environment.yml gemfile composer.json pom.xml build.gradle build.gradle.kts libs.versions.toml
	directory.packages.props packages.config pubspec.yaml mix.exs podfile cartfile package.swift
	chart.yaml .pre-commit-config.yaml .tool-versions flake.nix module.bazel conanfile.txt vcpkg.json`)

// set makes a set of the words of a list.
func set(list string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}
