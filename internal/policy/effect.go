package policy

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// TakesEffect reports whether a file acts at its new place but did not at its old one: it is a
// copy, it became executable, another program reads it now, or it moved to a place where programs
// load it. All of its text is then new to the repository, even if its diff is empty.
func TakesEffect(f *patch.File) bool {
	if f.OldPath == "" || f.NewPath == "" {
		return false
	}
	before, after := newLocation(f.OldPath), newLocation(f.NewPath)
	becomes := func(is func(location) bool) bool { return is(after) && !is(before) }
	switch {
	case f.Status == patch.Copied:
		return true
	case f.NewMode&0o111 != 0 && f.OldMode&0o111 == 0 && f.OldMode > 0:
		return true
	case f.OldPath == f.NewPath:
		return false
	case becomes(location.isLoaded), becomes(location.inMigrations):
		return true
	case texts[after.ext], isDocumentation(f.NewPath), isLicence(f.NewPath):
		return false
	}
	inUse := func(l location) bool { // no test, no example and not put aside
		isIdle := idleWord().MatchString(path.Dir(strings.ToLower(l.name))) || idleName().MatchString(l.base)
		return !l.test && !putAside().MatchString(l.name) && !l.in(idleDirs...) && !isIdle
	}
	reader := func(l location) string { return cmp.Or(readers[l.ext], l.ext) }
	inProduction := func(l location) bool { return production().MatchString(strings.ToLower(l.name)) }
	return reader(before) != reader(after) || becomes(inUse) || becomes(inProduction)
}

var (
	putAside   = lazyregexp.New(`(?:^|/)(?:_[^_]|~)`)
	idleWord   = lazyregexp.New(`[-_.](?:archived?|bak|backup|deprecated|disabled|draft|off|old|retired|unused)(?:/|$)`)
	idleName   = lazyregexp.New(`(?:^|[-_.])(?:bak|backup|dev|development|disabled|dist|draft|example|ignore|local|off|old|sample|staging|template|tmpl|unused)\.[^.]+$`)
	production = lazyregexp.New(`(?:^|[^\pL\pN])(?:prd|prod|production)(?:$|[^\pL\pN])`)
)

// readers are the programs that read files with several extensions.
var readers = map[string]string{
	".js": "js", ".mjs": "js", ".cjs": "js", ".jsx": "js", ".ts": "js", ".mts": "js", ".cts": "js", ".tsx": "js",
	".c": "c", ".h": "c", ".cc": "c", ".cpp": "c", ".cxx": "c", ".hpp": "c", ".hh": "c",
	".yml": "yaml", ".yaml": "yaml", ".htm": "html", ".html": "html", ".sh": "sh", ".bash": "sh", ".rb": "rb", ".rake": "rb",
	".py": "py", ".pyi": "py", ".jpg": "jpeg", ".jpeg": "jpeg",
}

// texts are the extensions of files that no program obeys.
var texts = lists.Words(`.txt .log .csv .tsv .bak .old .orig .save .off .disabled .inactive .sample .example .dist .diff .patch
	.md .markdown .mdown .mkdn .mkd .rst .adoc .asciidoc`)

// isLoaded reports whether programs look for a file by its name or in its folder.
func (l location) isLoaded() bool {
	lower := strings.ToLower(l.name)
	switch {
	case loadedNames[l.base], machineTexts[l.base], toolConfig().MatchString(l.base), l.in(servedDirs...):
		return true
	case l.in(idleDirs...):
		return false
	case Obeyed(l.name), isManifest(lower), l.ext == "" && l.in("hooks"):
		return true
	case texts[l.ext]:
		return false
	}
	return hidden().MatchString(lower) || l.in(loadedDirs...) || isDeploy(l) || l.migrates()
}

// toolConfig matches a program that configures a tool of JavaScript.
var toolConfig = lazyregexp.New(`\.config\.[cm]?[jt]s$`)

// servedDirs are open to the web with everything in them.
var servedDirs = strings.Fields("public public_html htdocs static www wwwroot webroot")

var loadedDirs = strings.Fields(`git-hooks initializers autoload profile.d pages buildsrc debian docker-entrypoint-initdb.d
	cron.d cron.hourly cron.daily cron.weekly cron.monthly init.d conf.d rules.d sudoers.d systemd sites-enabled conf-enabled mods-enabled
	crds dags functions mu-plugins plugins routes`)

var loadedNames = lists.Words(`makefile gnumakefile rakefile vagrantfile justfile cmakelists.txt sconstruct wscript conftest.py setup.py noxfile.py
	sitecustomize.py usercustomize.py __init__.py __main__.py build.rs binding.gyp gulpfile.js gruntfile.js build.xml build.sbt
	.envrc .htaccess web.config crontab codeowners debate.yml dependabot.yml manage.py wsgi.py asgi.py index.php index.html routes.rb
	settings.gradle settings.gradle.kts directory.build.props directory.build.targets tox.ini bunfig.toml nuget.config
	entrypoint.sh docker-entrypoint.sh docker-compose.override.yml middleware.js middleware.ts route.js route.ts +server.js +server.ts +page.svelte +page.server.ts
	hooks.server.ts index.js index.ts server.js main.py main.rs lib.rs app.py setup.cfg playbook.yml site.yml values.yaml terraform.tfvars
	bitbucket-pipelines.yml appveyor.yml renovate.json renovate.json5 firestore.rules storage.rules androidmanifest.xml`)

// inMigrations reports whether a migration tool finds the file in its folder.
func (l location) inMigrations() bool { return isSchema(l) && !l.in(idleDirs...) && l.migrates() }

// migrates reports whether a migration tool finds the file.
func (l location) migrates() bool {
	switch {
	case l.test, l.in("seeds", "seed", "queries", "rollback", "rollbacks", "down", "undo", "revert"), backward().MatchString(l.base):
		return false
	}
	return isSchema(l) || forward().MatchString(l.base)
}

var (
	forward  = lazyregexp.New(`^(?:v[0-9][0-9._]*|r)__.*\.sql$|^v?[0-9]+(?:[._-].*)?\.sql$|\.up\.sql$`)
	backward = lazyregexp.New(`[._](?:down|rollback)\.sql$|\.undo\.sql$|^down\.sql$|^u[0-9].*__`)
)

// idleDirs contain files that nothing runs: texts, examples, third-party code, and files put aside.
var idleDirs = slices.Concat(strings.Fields(`doc docs example examples sample samples snippets vendor node_modules third_party
	old archive archived archives attic deprecated obsolete retired disabled inactive unused backup backups bak trash
	draft drafts wip notes scratch pending demo demos experiment experiments playground poc prototype prototypes sandbox sketches
	androidtest fakes legacy __mocks__ mocks stories stubs
	sites-available conf-available mods-available`), testDirs)
