package segment

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/patch"
)

// lockFile reports whether package managers write a file like this: its names are theirs, it is not
// executable, and its content has the format on each side. A name alone proves nothing, since a
// script may have any.
func (x *excluder) lockFile(f *patch.File, names []string) bool {
	if !all(names, func(n string) bool { return lockFormats[path.Base(n)] != nil }) {
		return false
	}
	for _, side := range []struct {
		path string
		mode uint32
		side debate.Side
	}{{f.OldPath, f.OldMode, debate.Left}, {f.NewPath, f.NewMode, debate.Right}} {
		if side.path == "" {
			continue
		}
		data, ok := x.change.Blob(side.path, side.side)
		switch {
		case !ok, side.mode&0o111 != 0:
			return false
		case len(bytes.TrimSpace(data)) == 0:
		case !lockFormats[path.Base(side.path)](data):
			return false
		}
	}
	return true
}

// lockFormats are the files of package managers, each with a check of its format. A file in an
// unknown format is reviewed like any other.
var lockFormats = map[string]func(content []byte) bool{
	"package-lock.json":   jsonWith("lockfileVersion"),
	"npm-shrinkwrap.json": jsonWith("lockfileVersion", "dependencies"),
	"bun.lock":            jsonWith("lockfileVersion"),
	"deno.lock":           jsonWith("version"),
	"composer.lock":       jsonWith("content-hash"),
	"Pipfile.lock":        jsonWith("_meta"),
	"renv.lock":           jsonWith("Packages"),
	"flake.lock":          jsonWith("nodes"),
	"packages.lock.json":  jsonWith("dependencies"),
	"Package.resolved":    jsonWith("pins", "object"),
	"MODULE.bazel.lock":   jsonWith("lockFileVersion"),
	"conan.lock":          jsonWith("version"),

	"Cargo.lock":  lines(tomlLine, `version = \d+`),
	"poetry.lock": lines(tomlLine, `\[metadata\]`),
	"uv.lock":     lines(tomlLine, `version = \d+`),
	"pdm.lock":    lines(tomlLine, `\[metadata\]`),

	"pnpm-lock.yaml": lines(yamlLine, `lockfileVersion:.*`),
	"pixi.lock":      lines(yamlLine, `version: \d+`),
	"conda-lock.yml": lines(yamlLine, `version: \d+`),
	"pubspec.lock":   lines(yamlLine, `packages:`),
	"Podfile.lock":   lines(yamlLine, `PODFILE CHECKSUM:.*`),
	"buf.lock":       lines(yamlLine, `version: v\d+`),
	"Chart.lock":     lines(yamlLine, `digest:.*`),

	"yarn.lock": lines(yarnLine+`|`+yamlLine, `# yarn lockfile v1|__metadata:`), // of version 1, or later ones

	"go.sum":                      lines(sumLine, `[^#].*`),
	"go.work.sum":                 lines(sumLine, `[^#].*`),
	"Gemfile.lock":                lines(gemLine, `DEPENDENCIES`),
	"gradle.lockfile":             lines(gradleLine, `empty=.*`),
	"buildscript-gradle.lockfile": lines(gradleLine, `empty=.*`),
	".terraform.lock.hcl":         lines(hclLine, `provider "[^"]+" \{`),
	"Cartfile.resolved":           lines(cartLine, `[^#].*`),
	"mix.lock":                    lines(mixLine, `%\{`),
}

// maxLock bounds a lock file, in bytes. A larger one is reviewed, or too large for a review.
const maxLock = 8 << 20

// jsonWith recognizes one JSON object with at least one of some members. Bun ends lists with a
// comma.
func jsonWith(members ...string) func([]byte) bool {
	return func(content []byte) bool {
		if len(content) > maxLock {
			return false
		}
		var object map[string]json.RawMessage
		if err := json.Unmarshal(lastComma().ReplaceAll(content, []byte("$1")), &object); err != nil {
			return false
		}
		for _, m := range members {
			if object[m] != nil {
				return true
			}
		}
		return false
	}
}

var lastComma = lazyregexp.New(`,(\s*[}\]])`)

// The lines of lock files, each a regular expression for a whole line. None matches text that a
// shell would run: no substitution, and no complete command.
const (
	blank  = `\s*(?:#.*)?|`
	inside = `"[^"$` + "`" + `\\]*"|'[^'$` + "`" + `]*'` // a quoted text
	// plain is a character outside of quotes, or the start of another range of versions.
	plain = `(?:[^$` + "`" + `;|&"']|\|\| [\d^~<>=*])`

	tomlLine   = blank + `\[\[?[\w." -]+\]\]?|[\w".-]+ = (?:` + inside + `|[\w.:+-]+|[\[{].*)|\s+(?:` + inside + `|\{.*\}),?|\],?`
	yamlLine   = blank + `---|\s*(?:- )*(?:` + inside + `|` + plain + `+?):(?: (?:` + inside + `|` + plain + `)*)?|\s*- (?:` + inside + `|` + plain + `)*`
	yarnLine   = blank + `(?:` + inside + `|` + plain + `)+:| {2}(?:version|resolved|uid|registry) (?:` + inside + `)| {2}integrity [\w+/= -]+| {4}(?:` + inside + `|[\w@./-]+) (?:` + inside + `|latest|next)`
	sumLine    = `\s*|[^\s$` + "`" + `]+ v[^\s$` + "`" + `]+ h1:[A-Za-z0-9+/]{43}=`
	gemLine    = `\s*|[A-Z][A-Z ]+| {2}\w+:(?: ` + plain + `*)?| {2,}[\w.-]+(?: \(` + plain + `*\))?!?(?: sha256=\w+)?| {3}ruby [\w.]+`
	gradleLine = blank + `empty=[\w,]*|[\w.-]+:[\w.-]+:[\w.+-]+=[\w,.-]+`
	hclLine    = blank + `provider "[^"$]+" \{| {2}\w+ *= (?:"[^"$]*"|\[)| {4}"[^"$]*",| {2}\]|\}`
	cartLine   = `\s*|(?:github|git|binary) "[^"$` + "`" + `]*" "[^"$` + "`" + `]*"`
	mixLine    = `\s*|%\{|\}| {2}"[\w-]+": \{.*\},?`
)

// lines recognizes a text if each line has one form, and one line is the marker of the file.
func lines(form, marker string) func([]byte) bool {
	is, marks := lazyregexp.New(`^(?:`+form+`)$`), lazyregexp.New(`^(?:`+marker+`)$`)
	return func(content []byte) bool {
		if len(content) > maxLock {
			return false
		}
		marked := false
		for line := range strings.Lines(string(content)) {
			line = strings.TrimRight(line, "\r\n")
			if !is().MatchString(line) {
				return false
			}
			marked = marked || marks().MatchString(line)
		}
		return marked
	}
}
