package policy

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// PullRequest is the part of a pull request that decides about a review, besides the change. The
// zero value is a local review.
type PullRequest struct {
	Closed, Draft bool
	Bot           bool // a bot opened it and made all of its commits
	Labels        []string
	Required      bool // gate: required
	Asked         bool // a person asked for this run
}

// noDebate is the label that opts a pull request out.
const noDebate = "no-debate"

// Skip returns the reason why a change needs no review, in words for people, or "" if it needs one.
// A person's request overrides every reason but closed. If the gate is required, only
// closed and draft skip. With a trigger or an earlier finding, the kind of the change is no reason.
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
	case slices.ContainsFunc(pr.Labels, func(label string) bool { return strings.EqualFold(label, noDebate) }):
		return "the pull request has the label " + noDebate
	case len(hits) > 0, len(triggers) > 0, len(change.Set.Files) == 0:
		return ""
	case onlyDocumentation(change, segments):
		return "only documentation changed"
	case pr.Bot && onlyUpdates(change, segments):
		return "a bot changed only dependencies or generated files"
	}
	return ""
}

func onlyDocumentation(change patch.Change, segments []debate.Segment) bool {
	proposes := func(s debate.Segment) bool { return s.Kind == debate.ProposalSegment }
	isCode := func(f *patch.File) bool {
		return f.Unparsed != "" || runs(change, f) || slices.ContainsFunc(f.Names(), func(name string) bool {
			// Other binary files, symbolic links and submodules are no documentation under any name.
			readable := f.Kind == patch.Text || pictures[strings.ToLower(path.Ext(name))] != "" && !isFalsePicture(change, f)
			return !readable || !isDocumentation(name)
		})
	}
	return !slices.ContainsFunc(segments, proposes) && !slices.ContainsFunc(change.Set.Files, isCode)
}

// isFalsePicture reports whether the new content of a file is at hand and is no picture.
func isFalsePicture(change patch.Change, f *patch.File) bool {
	content, ok := change.Blob(f.NewPath, debate.Right)
	return f.NewPath != "" && ok && !bytes.HasPrefix(content, []byte(pictures[strings.ToLower(path.Ext(f.NewPath))]))
}

// runs reports whether a file is executable or begins as a script, before or after the change.
func runs(change patch.Change, f *patch.File) bool {
	const executable = 0o111
	if (f.OldMode|f.NewMode)&executable != 0 {
		return true
	}
	for l := range f.Lines() {
		if (l.Old == 1 || l.New == 1) && strings.HasPrefix(l.Text, "#!") {
			return true
		}
	}
	begins := func(name string, side debate.Side) bool {
		if name == "" || f.Kind != patch.Text {
			return false
		}
		content, ok := change.Blob(name, side)
		return ok && bytes.HasPrefix(content, []byte("#!"))
	}
	return begins(f.OldPath, debate.Left) || begins(f.NewPath, debate.Right)
}

// pictures are the extensions of pictures with the first bytes of such files.
var pictures = map[string]string{".png": "\x89PNG", ".jpg": "\xff\xd8", ".jpeg": "\xff\xd8", ".gif": "GIF8", ".webp": "RIFF"}

// isDocumentation reports whether a path names text that only people read.
func isDocumentation(name string) bool {
	lower := strings.ToLower(name)
	base, ext := path.Base(lower), path.Ext(lower)
	switch {
	case Obeyed(lower), isManifest(lower), machineTexts[base], material().MatchString(lower), hidden().MatchString(lower) && !onGitHub().MatchString(lower):
		return false
	case proseExtensions[ext], proseNames[strings.TrimSuffix(base, ".txt")]:
		return ext != "" || !besideScripts().MatchString(lower)
	case ext == ".txt", pictures[ext] != "":
		return inDocs().MatchString(lower)
	}
	return false
}

var inDocs = lazyregexp.New(`^docs?/`)

// hidden matches a path with a directory or a file that begins with a dot.
var hidden = lazyregexp.New(`(?:^|/)\.`)

// material matches a path of texts for programs: what tests compare with, and what a program fills in
// and shows or sends.
var material = lazyregexp.New(`(?:^|/)(?:testdata|(?:__)?fixtures?(?:__)?|(?:__)?snapshots?(?:__)?|golden|templates?|emails?|mails?|partials|_?layouts|_includes|views|mailers?|notifications|debian)/`)

// onGitHub matches the pages that GitHub shows to people, and the templates of issues and pull
// requests.
var onGitHub = lazyregexp.New(`^\.(?:github|gitlab|gitea|forgejo)/(?:[^./][^/]*|[^./]*_templates?/[^./][^/]*)$`)

// besideScripts matches a path below a directory that often has scripts without an extension.
var besideScripts = lazyregexp.New(`(?:^|/)(?:s?bin|libexec|scripts?|(?:git-?)?hooks|commands|plugins?|tools?|tasks|utils?|ci|cmd|exe|rc\.d|init\.d|cron\.\w+)/`)

var proseExtensions = lists.Words(".md .markdown .mdown .mkdn .mkd .rst .adoc .asciidoc")

var proseNames = lists.Words("readme changelog changes history news authors contributors contributing notice thanks")

// machineTexts are names of text files for programs.
var machineTexts = lists.Words("cmakelists.txt meson_options.txt robots.txt ads.txt apt.txt packages.txt runtime.txt")

// onlyUpdates reports whether every file is a dependency manifest with nothing but new versions, or
// a text excluded from the review (lock files, generated and vendored files) without a new network
// address. Binary files, submodules, executable files and unreadable files do not qualify.
func onlyUpdates(change patch.Change, segments []debate.Segment) bool {
	reviewed := make(map[string]bool)
	for _, s := range segments {
		if s.Source == debate.FromDiff {
			reviewed[s.Path] = true
		}
	}
	return !slices.ContainsFunc(change.Set.Files, func(f *patch.File) bool {
		switch {
		case f.Kind != patch.Text, f.Unparsed != "", len(f.Hunks) == 0, f.OldMode != f.NewMode && f.Status == patch.Modified:
			return true
		case slices.ContainsFunc(f.Names(), isManifest):
			return f.Status != patch.Modified || !onlyVersions(f)
		}
		return reviewed[f.Path()] || newPlace(change, f)
	})
}

// onlyVersions reports whether each changed line replaces one that differs only in its versions. A
// line with an address does not qualify, since its numbers may be part of the source.
func onlyVersions(f *patch.File) bool {
	same := func(before, after string) bool {
		unnumbered := func(line string) string {
			const version = "${1}VERSION"
			return shortVersion().ReplaceAllString(versionNumber().ReplaceAllString(line, version), version)
		}
		isOther := address().MatchString(after) || numericAddress().MatchString(after) || strings.Contains(after, "git@") || calculates().MatchString(after)
		return before == after || !isOther && unnumbered(before) == unnumbered(after)
	}
	for _, h := range f.Hunks {
		var before, after []string
		for _, l := range append(slices.Clone(h.Lines), patch.Line{Op: ' '}) {
			switch l.Op {
			case '-':
				before = append(before, l.Text)
			case '+':
				after = append(after, l.Text)
			default:
				if !slices.EqualFunc(before, after, same) {
					return false
				}
				before, after = nil, nil
			}
		}
	}
	return true
}

// versionNumber matches a version. A number without a dot is as likely a port or a threshold.
var versionNumber = lazyregexp.New(`((?:^|[\s"'=<>~^@:,(\[])v?)\d+(?:\.\d+){2,}(?:[-+.][0-9A-Za-z]+)*\b`)

// shortVersion matches a version with one dot. Such a number is as likely a share or a time, except
// in quotes, in a range, or at a name for versions.
var shortVersion = lazyregexp.New(`((?:["'~^@]|[\w.-]:|[~=<>!]=\s*|~>\s*|[,"'\s][<>]|[vV]ersion(?:>|:\s*)|^go |[\s=]v)v?)\d+\.\d+(?:[-+.][0-9A-Za-z]+)*\b`)

// calculates matches a number in quotes with a call on it.
var calculates = lazyregexp.New(`\d["']\.\w`)

// numericAddress matches the form of an IPv4 address.
var numericAddress = lazyregexp.New(`\b\d+\.\d+\.\d+\.\d+\b`)

// newPlace reports whether a file names a new network address.
func newPlace(change patch.Change, f *patch.File) bool {
	known := make(map[string]bool)
	note := func(text string) {
		for _, at := range places(text) {
			known[at] = true
		}
	}
	if content, ok := change.Blob(f.OldPath, debate.Left); ok && f.OldPath != "" {
		note(string(content))
	}
	for l := range f.Lines() {
		if l.Op != '+' {
			note(l.Text)
		}
	}
	for l := range f.Lines() {
		if l.Op == '+' && slices.ContainsFunc(places(l.Text), func(at string) bool { return !known[at] }) {
			return true
		}
	}
	return false
}

// places returns the hosts of the addresses in a text. On a host of repositories, each owner is a
// place of its own, and so is a host without encryption.
func places(text string) []string {
	var all []string
	for _, m := range address().FindAllStringSubmatch(strings.ToLower(text), -1) {
		scheme, host, owner := m[1], m[2], m[3]
		all = append(all, host)
		if strings.Contains(host, "git") || strings.Contains(host, "bitbucket") {
			all = append(all, host+"/"+owner)
		}
		if scheme == "http:" {
			all = append(all, scheme+host)
		}
	}
	for _, m := range repository().FindAllStringSubmatch(strings.ToLower(text), -1) {
		all = append(all, m[1]+"/"+m[2])
	}
	return all
}

// address matches an address, with its scheme, its host and the first part of its path.
var address = lazyregexp.New(`(http:)?//(?:[^\s/@"']*@)?([^\s/@"'?#]+)(?:/(?:repos/)?([^\s/"'?#]*))?`)

// repository matches a repository without a scheme, as in git@github.com:owner/name.
var repository = lazyregexp.New(`(?:^|[\s"'@(=])([\w.-]*(?:github|gitlab|bitbucket|codeberg)[\w.-]*)[:/]([\w.-]+)/`)

// isManifest reports whether a path names a file that declares the dependencies of a package
// manager.
func isManifest(name string) bool {
	base := strings.ToLower(path.Base(name))
	return manifests[base] || manifestPath().MatchString(path.Dir(name)+"/"+base)
}

var manifestPath = lazyregexp.New(`\.(?:csproj|fsproj|vbproj|gemspec)$|/[^/\n]*(?:requirements|constraints)[^/\n]*\.txt$|(?:^|/)requirements/[^/]*\.txt$`)

var manifests = lists.Words(`package.json pnpm-workspace.yaml deno.json go.mod go.work cargo.toml pyproject.toml pipfile
	environment.yml gemfile composer.json pom.xml build.gradle build.gradle.kts libs.versions.toml
	directory.packages.props packages.config pubspec.yaml mix.exs podfile cartfile package.swift
	chart.yaml .pre-commit-config.yaml .tool-versions flake.nix module.bazel conanfile.txt vcpkg.json`)
