package policy

import (
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/patch"
)

// configuration is the file that this program's policy is read from.
const configuration = ".github/debate.yml"

// ruling are the files that rule from their first line on.
var ruling = map[string]string{
	configuration:        "the configuration of the review",
	"CODEOWNERS":         "the code owners file",
	".github/CODEOWNERS": "the code owners file",
	"docs/CODEOWNERS":    "the code owners file",
}

// governance finds changes to the files that say who owns the code, on which
// terms it is given away and how it is reviewed (R035, S03). CODEOWNERS and the
// configuration count from their first line on, since from then on they rule.
//
// A licence counts when the terms of existing code change: other words, deleted,
// moved away, or added beside another. The first licence of a directory changes
// no terms; it is shown, as a path hit.
func governance(change patch.Change, f *patch.File) []debate.Trigger {
	content := func(detail string) []debate.Trigger {
		t := debate.Trigger{ID: debate.TriggerGovernance, Class: debate.ClassContent, Path: f.Path(), Detail: detail}
		t.Side, t.Line = firstChange(f)
		return []debate.Trigger{t}
	}
	for _, name := range names(f) {
		if what, rules := ruling[name]; rules {
			return content(what + " " + verb(f, name))
		}
	}
	if f.Status != patch.Copied && isLicence(f.OldPath) {
		if isLicence(f.NewPath) && path.Dir(f.OldPath) == path.Dir(f.NewPath) && sameTerms(f) {
			return nil
		}
		return content("the licence " + verb(f, f.OldPath))
	}
	if !isLicence(f.NewPath) {
		return nil
	}
	if hasLicence(change, path.Dir(f.NewPath)) {
		return content("a further licence is added")
	}
	return []debate.Trigger{{
		ID: debate.TriggerGovernance, Class: debate.ClassPath, Path: f.Path(), Detail: "a first licence is added",
	}}
}

// verb says what became of a file that was, or is, called name.
func verb(f *patch.File, name string) string {
	switch {
	case f.NewPath == "":
		return "is deleted"
	case f.NewPath != name:
		return "is moved away"
	case f.OldPath != name:
		return "is added"
	}
	return "is changed"
}

// firstChange is the place of the first changed line, or 0 where there is none.
func firstChange(f *patch.File) (debate.Side, int) {
	lines := changed(f)
	if len(lines) == 0 {
		return "", 0
	}
	return position(lines[0])
}

// isLicence reports whether a path names the text of a licence of the project's
// own code. Code about licences, such as license.go, and the licences of
// vendored code are none.
func isLicence(name string) bool {
	if !licenceName().MatchString(name) || codeExtensions[strings.ToLower(path.Ext(name))] {
		return false
	}
	return !slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(dir string) bool { return foreignDirs[strings.ToLower(dir)] })
}

// foreignDirs hold the code of others, and texts of their licences.
var foreignDirs = set(`vendor vendors vendored _vendor node_modules third_party third-party thirdparty 3rdparty 3rd_party 3rd-party external externals extern
	deps godeps pods carthage bower_components jspm_packages subprojects submodules fonts site-packages licenses licences testdata fixtures`)

// licenceName is the name of a licence, with MIT- before it as Rails has it. License.md is
// the licence at the root, and a page about it elsewhere.
var licenceName = lazyregexp.New(`(?:^|/)(?:MIT-)?(?:(?i:licen[sc]e|copying|unlicense)|(?:LICEN[SC]E|COPYING|UNLICENSE)[-._][^/]*)$|^(?:MIT-)?(?i:licen[sc]e|copying|unlicense)\.(?:md|txt|rst)$`)

// codeExtensions end the names of files that are about licences.
var codeExtensions = set(`.go .js .mjs .cjs .ts .jsx .tsx .py .rb .rs .java .kt .scala .swift .c .h .cc .cpp .hpp .cs .php
	.sh .pl .lua .sql .json .yml .yaml .toml .xml .tmpl .tpl .template .html .css .svg .png`)

// hasLicence reports whether a directory held a licence at the base.
func hasLicence(change patch.Change, dir string) bool {
	return slices.ContainsFunc(licenceFiles, func(name string) bool { return change.BaseHas(path.Join(dir, name)) })
}

var licenceFiles = []string{
	"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "LICENCE.md", "LICENCE.txt",
	"COPYING", "COPYING.md", "COPYING.txt", "UNLICENSE", "LICENSE-MIT", "LICENSE-APACHE", "MIT-LICENSE",
}
