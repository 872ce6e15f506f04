// Package manifest reads the dependency files of package managers.
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

// Kind checks the dependencies of a change: their sources, their versions and their install
// scripts.
var Kind = check.Kind{
	Rules: []check.Rule{
		{ID: ruleManifestChanged, Source: "file names of package managers", Title: "Dependency manifest changed", Category: "compatibility", Notice: true},
		{ID: ruleLockUnchanged, Source: "file names of package managers", Title: "Manifest changed, its lock file did not", Category: "compatibility", Notice: true},
		{ID: ruleInsecureRegistry, Source: "CWE-494", Title: "Packages are fetched from a registry without encryption", Severity: debate.P1, Category: "security"},
		{ID: ruleInsecureSource, Source: "CWE-494", Title: "Dependency is fetched without encryption", Severity: debate.P2, Category: "security"},
		{ID: ruleUnpinnedSource, Source: "OpenSSF Scorecard, Pinned-Dependencies", Title: "Dependency follows a branch or a file that can change", Severity: debate.P3, Category: "security"},
		{ID: ruleAnyVersion, Source: "OpenSSF Scorecard, Pinned-Dependencies", Title: "Dependency accepts any version", Severity: debate.P3, Category: "compatibility"},
		{ID: ruleInstallHook, Source: "npm, scripts", Title: "New script runs when the package is installed", Severity: debate.P2, Category: "security"},
		{ID: ruleOutsidePath, Source: "Go modules reference, replace", Title: "Dependency lies outside the repository", Severity: debate.P2, Category: "correctness"},
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
	spec string // the requested range, address or path, with its options
	line int
}

// manager is one package manager.
type manager struct {
	name  lazyregexp.Regexp // of the file, lower case
	locks []string
	parse func(text string) []dependency // nil: the file only configures registries
	// registry matches a line that names a source of packages.
	registry  lazyregexp.Regexp
	shorthand bool // "user/repo" is a Git repository on GitHub
}

var managers = []*manager{
	{
		name:  lazyregexp.New(`^package\.json$`),
		locks: []string{"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"},
		// Peer dependencies are left out: they state what a package tolerates, not what it takes.
		parse: func(text string) []dependency {
			return stringsIn(text, "dependencies", "devDependencies", "optionalDependencies")
		},
		shorthand: true,
		registry:  lazyregexp.New(`"registry"\s*:`),
	},
	{
		name:  lazyregexp.New(`^composer\.json$`),
		locks: []string{"composer.lock"},
		parse: func(text string) []dependency { // without PHP itself and its extensions
			return lists.Keep(stringsIn(text, "require", "require-dev"), func(d dependency) bool { return strings.Contains(d.name, "/") })
		},
	},
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
	{
		name:     lazyregexp.New(`^gemfile$`),
		locks:    []string{"Gemfile.lock"},
		parse:    linesOf("#", "any", lazyregexp.New(`^gem\s*\(?\s*["']([\w.-]+)["']\s*,?\s*(.*?)\)?$`)),
		registry: lazyregexp.New(`^\s*source\b`),
	},
	{name: lazyregexp.New(`^pom\.xml$`), parse: parsePOM, registry: lazyregexp.New(`repository.*<url>`)},
	{
		name:     lazyregexp.New(`\.gradle(?:\.kts)?$`),
		locks:    []string{"gradle.lockfile"},
		parse:    linesOf("//", "", lazyregexp.New(`^\w+\s*\(?\s*["']([\w.-]+:[\w.-]+):([^"'@:]*)["'@:]`)),
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

// plainHost reports whether the first address without encryption is on another machine.
func plainHost(text string) bool {
	m := plainURL().FindStringSubmatch(text)
	return m != nil && !thisHost().MatchString(m[1])
}

// insecureSwitch matches settings that turn the checks of a package manager off.
var insecureSwitch = lazyregexp.New(`(?i)\ballowInsecureProtocol\s*=?\s*\(?\s*true|\bstrict-ssl\s*=\s*false|^\s*--trusted-host\b`)

func reviewRegistry(f *check.File, kind *manager, out *check.Findings) {
	before := ""
	for _, l := range f.Added {
		if commentLine().MatchString(l.Text) {
			continue
		}
		// In XML, the element of an address may open a few lines earlier.
		switch lower := strings.ToLower(l.Text); {
		case strings.Contains(lower, "</repository>"):
			before = ""
		case strings.Contains(lower, "repository>"):
			before = "repository>"
		}
		isPlain := kind.registry != nil && kind.registry().MatchString(before+l.Text) && plainHost(l.Text)
		if isPlain || insecureSwitch().MatchString(l.Text) {
			out.Hit(f, ruleInsecureRegistry, l.New, l.New, debate.Hit{Body: bodies[ruleInsecureRegistry]})
		}
	}
}

var commentLine = lazyregexp.New(`^\s*(?:#|//)`)

var (
	// remoteSource matches a Git repository or an archive.
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
		// A path that begins at a root, or leads out of the repository, fails in every clone.
		target := strings.ReplaceAll(m[1], `\`, "/")
		if !strings.HasPrefix(target, ".") || strings.HasPrefix(path.Join(path.Dir(f.NewPath), target)+"/", "../") {
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
	case anyVersion().MatchString(spec):
		// npm takes a package of the same scope from the workspace, at any version.
		scope := ownScope().FindStringSubmatch(text)
		if isSibling := strings.HasSuffix(f.NewPath, "/package.json") && scope != nil && strings.HasPrefix(d.name, scope[1]); !isSibling {
			return ruleAnyVersion
		}
	}
	return ""
}

// ownScope matches the scope of the package in a package.json.
var ownScope = lazyregexp.New(`(?m)^\s*\{?\s*"name"\s*:\s*"(@[\w.-]+/)`)

// maxListed bounds the names in a notice.
const maxListed = 8

func noticeManifest(f *check.File, kind *manager, base, head []dependency, out *check.Findings) {
	if f.OldPath != "" && f.Base() == nil {
		// Only a patch is known, without the full list of dependencies.
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

// compared lists the names that a manifest adds, changes and removes.
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
		list := names[verb]
		switch more := len(list) - maxListed; {
		case more > 0:
			said = append(said, verb+" "+strings.Join(list[:maxListed], ", ")+" and "+strconv.Itoa(more)+" more")
		case len(list) > 0:
			said = append(said, verb+" "+strings.Join(list, ", "))
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

// staleLock returns the manifest's lock file at the base, in its folder or above, if the change
// touches no lock file there.
func staleLock(f *check.File, kind *manager) string {
	touched := func(lock string) bool {
		return slices.ContainsFunc(f.Change.Set.Files, func(o *patch.File) bool { return o.NewPath == lock || o.OldPath == lock })
	}
	for dir := path.Dir(f.NewPath); ; dir = path.Dir(dir) {
		paths := lists.Map(kind.locks, func(name string) string { return path.Join(dir, name) })
		locks := lists.Keep(paths, f.Change.BaseHas)
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
