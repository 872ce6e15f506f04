// Package manifest reads the files in which a project says what it depends on.
package manifest

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// Kind looks at what a change makes a project depend on: where the
// code comes from, whether it is pinned, and what runs when it is installed.
var Kind = check.Kind{
	Rules: func() []check.Rule {
		return []check.Rule{
			{ID: ruleManifestChanged, Source: "file names of package managers", Title: "Dependency manifest changed", Category: "compatibility", Notice: true},
			{ID: ruleLockUnchanged, Source: "file names of package managers", Title: "Manifest changed, its lock file did not", Category: "compatibility", Notice: true},
			{ID: ruleInsecureRegistry, Source: "CWE-494", Title: "Packages are fetched from a registry without encryption", Severity: debate.P1, Category: "security"},
			{ID: ruleInsecureSource, Source: "CWE-494", Title: "Dependency is fetched without encryption", Severity: debate.P2, Category: "security"},
			{ID: ruleUnpinnedSource, Source: "OpenSSF Scorecard, Pinned-Dependencies", Title: "Dependency follows a branch or a file that can change", Severity: debate.P3, Category: "security"},
			{ID: ruleAnyVersion, Source: "OpenSSF Scorecard, Pinned-Dependencies", Title: "Dependency accepts any version", Severity: debate.P3, Category: "compatibility"},
			{ID: ruleInstallHook, Source: "npm, scripts", Title: "New script runs when the package is installed", Severity: debate.P2, Category: "security"},
			{ID: ruleOutsidePath, Source: "Go modules reference, replace", Title: "Dependency lies outside the repository", Severity: debate.P2, Category: "correctness"},
		}
	},
	Review: check.Each(func(f *check.File) bool {
		return f.Kind == patch.Text && managerOf(f.NewPath) != nil && !check.IsFixture(f.NewPath)
	}, review),
}

const (
	ruleManifestChanged  = "manifest/changed"
	ruleLockUnchanged    = "manifest/lock-unchanged"
	ruleInsecureRegistry = "manifest/insecure-registry"
	ruleInsecureSource   = "manifest/insecure-source"
	ruleUnpinnedSource   = "manifest/unpinned-source"
	ruleAnyVersion       = "manifest/any-version"
	ruleInstallHook      = "manifest/install-hook"
	ruleOutsidePath      = "manifest/outside-path"
)

var bodies = map[string]string{
	ruleInsecureRegistry: "An attacker between the build and this address can replace the packages. Use https.",
	ruleInsecureSource:   "An attacker between the build and this address can replace the code. Use https and pin a commit or a hash.",
	ruleUnpinnedSource:   "The content at this address can change without a change here. Take a release from the registry, or pin a commit or a hash.",
	ruleAnyVersion:       "The next install may take any release, a breaking or a hijacked one too. State a range.",
	ruleInstallHook:      "Every machine runs the script when it installs the package, before a person reads it. Check that it is needed there.",
	ruleOutsidePath:      "The path leads out of the repository, so a fresh clone cannot be built.",
}

// dependency is one entry of a manifest.
type dependency struct {
	name string
	spec string // what is asked for: a range, an address, a path, with its options
	line int
}

// manager is what one package manager reads.
type manager struct {
	name  lazyregexp.Regexp // of the file, lower case
	locks []string
	parse func(text string) []dependency // nil: the file only configures registries
	// registry matches a line that names where packages come from.
	registry  lazyregexp.Regexp
	shorthand bool // "user/repo" is a Git repository on GitHub
}

var managers = []*manager{
	{
		name:      lazyregexp.New(`^package\.json$`),
		locks:     []string{"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"},
		parse:     parsePackageJSON,
		shorthand: true,
		registry:  lazyregexp.New(`"registry"\s*:`),
	},
	{name: lazyregexp.New(`^composer\.json$`), locks: []string{"composer.lock"}, parse: parseComposerJSON},
	{name: lazyregexp.New(`^go\.mod$`), locks: []string{"go.sum"}, parse: parseGoMod},
	{
		name:     lazyregexp.New(`^(?:requirements|constraints)[\w.-]*\.(?:txt|in)$`),
		parse:    parseRequirements,
		registry: lazyregexp.New(`^\s*(?:-i|-f|--index-url|--extra-index-url|--find-links)\b`),
	},
	{
		name:     lazyregexp.New(`^pyproject\.toml$`),
		locks:    []string{"poetry.lock", "uv.lock", "pdm.lock"},
		parse:    parseTOML,
		registry: lazyregexp.New(`^\s*(?:url|index-url|extra-index-url|default|find-links)\s*=`),
	},
	{name: lazyregexp.New(`^pipfile$`), locks: []string{"Pipfile.lock"}, parse: parseTOML, registry: lazyregexp.New(`^\s*url\s*=`)},
	{name: lazyregexp.New(`^cargo\.toml$`), locks: []string{"Cargo.lock"}, parse: parseTOML},
	{name: lazyregexp.New(`^gemfile$`), locks: []string{"Gemfile.lock"}, parse: parseGemfile, registry: lazyregexp.New(`^\s*source\b`)},
	{name: lazyregexp.New(`^pom\.xml$`), parse: parsePOM, registry: lazyregexp.New(`repository.*<url>`)},
	{
		name:     lazyregexp.New(`\.gradle(?:\.kts)?$`),
		locks:    []string{"gradle.lockfile"},
		parse:    parseGradle,
		registry: lazyregexp.New(`^\s*(?:url\b|maven\b.*\burl\b|maven\s*\()`),
	},
	{name: lazyregexp.New(`^\.(?:npmrc|yarnrc|yarnrc\.yml)$`), registry: lazyregexp.New(`(?i)registry`)},
	{name: lazyregexp.New(`^\.?pip\.(?:conf|ini)$`), registry: lazyregexp.New(`^\s*(?:extra-)?index-url\s*=`)},
}

func managerOf(p string) *manager {
	name := strings.ToLower(path.Base(p))
	return lists.Find(managers, func(m *manager) bool { return m.name().MatchString(name) })
}

func review(f *check.File, out *check.Findings) {
	kind := managerOf(f.NewPath)
	text, _ := f.Source()
	reviewRegistry(f, kind, out)
	if kind.parse == nil {
		return
	}
	head := kind.parse(text)
	base := kind.parse(string(f.Base()))
	for _, d := range head {
		if rule := judgeDependency(f, kind, text, d); rule != "" {
			out.Hit(f, rule, d.line, d.line, debate.Hit{Body: bodies[rule]})
		}
	}
	if path.Base(f.NewPath) == "package.json" {
		reviewHooks(f, text, out)
	}
	noticeManifest(f, kind, base, head, out)
}

var (
	// plainURL matches an address without encryption.
	plainURL = lazyregexp.New(`\b(?:http|git)://(?:[^\s"'@/]*@)?([\w.-]+)`)
	thisHost = lazyregexp.New(`^localhost$|^127\.|\.localhost$`)
)

// plainHost reports whether the first address without encryption is not on this machine.
func plainHost(text string) bool {
	m := plainURL().FindStringSubmatch(text)
	return m != nil && !thisHost().MatchString(m[1])
}

// insecureSwitch are the settings that turn the checks of a package manager off.
var insecureSwitch = lazyregexp.New(`(?i)\ballowInsecureProtocol\s*=?\s*\(?\s*true|\bstrict-ssl\s*=\s*false|^\s*--trusted-host\b`)

func reviewRegistry(f *check.File, kind *manager, out *check.Findings) {
	before := ""
	for _, l := range f.Added {
		if commentLine().MatchString(l.Text) {
			continue
		}
		// The element that holds an address in XML opens a few lines before it.
		switch lower := strings.ToLower(l.Text); {
		case strings.Contains(lower, "</repository>"):
			before = ""
		case strings.Contains(lower, "repository>"):
			before = "repository>"
		}
		if namesPlainRegistry(kind, before, l.Text) || insecureSwitch().MatchString(l.Text) {
			out.Hit(f, ruleInsecureRegistry, l.New, l.New, debate.Hit{Body: bodies[ruleInsecureRegistry]})
		}
	}
}

var commentLine = lazyregexp.New(`^\s*(?:#|//)`)

// namesPlainRegistry reports whether a line says that packages come from an address without
// encryption. Before is what opened on a line before it.
func namesPlainRegistry(kind *manager, before, line string) bool {
	return kind.registry != nil && kind.registry().MatchString(before+line) && plainHost(line)
}

var (
	// remoteSource is a Git repository or an archive.
	remoteSource = lazyregexp.New(`(?i)\bgit\+|\bgit://|\bgit@|\bgithub:|\bgitlab:|\bbitbucket:|\bgit\s*[:=]|:git\s*=>|\.git\b|\bgist:|https?://\S+\.(?:tgz|tar\.gz|zip|whl)\b`)
	pinnedSource = lazyregexp.New(`(?i)[0-9a-f]{40}|#semver:|[#@]v?\d+(?:\.\d+)+|\btag\s*[:=]|:tag\s*=>|\brev\s*=|#sha\d+=|--hash=|/archive/(?:refs/tags/)?v?\d|/releases/download/`)
	repoShort    = lazyregexp.New(`^[\w.-]+/[\w.-]+(?:#[\w./-]+)?$`)
	anyVersion   = lazyregexp.New(`^(?:\*|x|latest|LATEST|RELEASE|\+|latest\.(?:release|integration)|)$`)
	localAddress = lazyregexp.New(`(?:^|\bfile:|\blink:|\bpath\s*[:=]\s*["']|:path\s*=>\s*["']|=>\s*|^-e\s+)((?:\.\.?[/\\]|/|[A-Za-z]:\\)[^\s"',}]*)`)
)

// judgeDependency names the rule that an entry breaks, or "".
func judgeDependency(f *check.File, kind *manager, text string, d dependency) string {
	spec := strings.TrimSpace(d.spec)
	if m := localAddress().FindStringSubmatch(spec); m != nil {
		if leavesRepository(f.NewPath, m[1]) {
			return ruleOutsidePath
		}
		return ""
	}
	remote := remoteSource().MatchString(spec) || kind.shorthand && repoShort().MatchString(spec)
	switch {
	case plainHost(spec):
		return ruleInsecureSource
	case remote && !pinnedSource().MatchString(spec):
		return ruleUnpinnedSource
	case anyVersion().MatchString(spec) && !isSibling(f.NewPath, text, d.name):
		return ruleAnyVersion
	}
	return ""
}

// ownScope is the scope of the package that a package.json describes.
var ownScope = lazyregexp.New(`(?m)^\s*\{?\s*"name"\s*:\s*"(@[\w.-]+/)`)

// isSibling reports whether a dependency of a package in a folder has the scope of the
// package: npm takes it from the workspace, whatever its version is.
func isSibling(file, text, dependency string) bool {
	scope := ownScope().FindStringSubmatch(text)
	return strings.HasSuffix(file, "/package.json") && scope != nil && strings.HasPrefix(dependency, scope[1])
}

// leavesRepository reports whether a path written in a manifest leads out of the
// repository, which no clone of it can follow.
func leavesRepository(manifest, target string) bool {
	target = strings.ReplaceAll(target, `\`, "/")
	if !strings.HasPrefix(target, ".") { // it begins at a root
		return true
	}
	return strings.HasPrefix(path.Join(path.Dir(manifest), target)+"/", "../")
}

// maxListed bounds the names in a notice.
const maxListed = 8

func noticeManifest(f *check.File, kind *manager, base, head []dependency, out *check.Findings) {
	if f.OldPath != "" && f.Base() == nil {
		// Only a patch is at hand: what it shows is no list of dependencies.
		out.Notice(f, ruleManifestChanged, 0, "dependency manifest changed")
		return
	}
	said := compared(specs(base), specs(head))
	if len(said) == 0 {
		return
	}
	out.Notice(f, ruleManifestChanged, 0, "dependency manifest changed: "+strings.Join(said, "; "))
	if lock := staleLock(f, kind); lock != "" {
		out.Notice(f, ruleLockUnchanged, 0, "dependencies changed, "+lock+" did not; run the package manager and commit the lock file")
	}
}

// compared says what a manifest adds, changes and removes.
func compared(before, after map[string][]string) []string {
	all := maps.Clone(before)
	maps.Copy(all, after)
	names := make(map[string][]string)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		verb := ""
		switch was, is := before[name], after[name]; {
		case was == nil:
			verb = "adds"
		case is == nil:
			verb = "removes"
		case !slices.Equal(was, is):
			verb = "changes"
		}
		names[verb] = append(names[verb], name)
	}
	var said []string
	for _, verb := range []string{"adds", "changes", "removes"} {
		if len(names[verb]) > 0 {
			said = append(said, verb+" "+listNames(names[verb]))
		}
	}
	return said
}

func specs(deps []dependency) map[string][]string {
	m := make(map[string][]string, len(deps))
	for _, d := range deps {
		m[d.name] = append(m[d.name], d.spec)
	}
	return m
}

func listNames(names []string) string {
	if len(names) > maxListed {
		return strings.Join(names[:maxListed], ", ") + " and " + strconv.Itoa(len(names)-maxListed) + " more"
	}
	return strings.Join(names, ", ")
}

// staleLock returns the lock file that the base has for the manifest, beside it
// or above, if the change touches none of them.
func staleLock(f *check.File, kind *manager) string {
	touched := func(lock string) bool {
		return slices.ContainsFunc(f.Change.Set.Files, func(o *patch.File) bool { return o.NewPath == lock || o.OldPath == lock })
	}
	for dir := path.Dir(f.NewPath); ; dir = path.Dir(dir) {
		beside := lists.Map(kind.locks, func(name string) string { return path.Join(dir, name) })
		locks := lists.Keep(beside, f.Change.BaseHas)
		switch {
		case slices.ContainsFunc(locks, touched):
			return ""
		case len(locks) > 0:
			return locks[0]
		case dir == ".", dir == "/":
			return ""
		}
	}
}
