package policy

import (
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// rulingFiles govern the repository from their first line on.
var rulingFiles = map[string]string{
	debate.SettingsFile:  "the configuration of the review",
	"CODEOWNERS":         "the code owners file",
	".github/CODEOWNERS": "the code owners file",
	"docs/CODEOWNERS":    "the code owners file",
}

// governance finds changes to the files about ownership, license terms and reviews of the code
// (R035, S03). CODEOWNERS and the configuration count from their first line on, since they rule
// from then on.
//
// A license counts if the terms of existing code change: it has other words, or is deleted, moved
// away, or added next to another. The first license of a directory changes no terms; it is a path
// hit.
func governance(change patch.Change, f *patch.File) []debate.Trigger {
	content := func(detail string) []debate.Trigger {
		t := debate.Trigger{ID: debate.TriggerGovernance, Class: debate.ClassContent, Path: f.Path(), Detail: detail}
		t.Side, t.Line = firstChange(f)
		return []debate.Trigger{t}
	}
	for _, name := range f.Names() {
		if subject, rules := rulingFiles[name]; rules {
			return content(subject + " " + verb(f, name))
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
	atBase := func(name string) bool { return change.BaseHas(path.Join(path.Dir(f.NewPath), name)) }
	if slices.ContainsFunc(licenceFiles, atBase) {
		return content("a further licence is added")
	}
	return []debate.Trigger{{
		ID: debate.TriggerGovernance, Class: debate.ClassPath, Path: f.Path(), Detail: "a first licence is added",
	}}
}

// verb returns the effect of a change on the file with this name before or after it.
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

// firstChange returns the place of the first changed line, or 0 if there is none.
func firstChange(f *patch.File) (debate.Side, int) {
	lines := changed(f)
	if len(lines) == 0 {
		return "", 0
	}
	return position(lines[0])
}

// isLicence reports whether a path names a license of the project's own code. Code about licenses,
// such as license.go, and the licenses of vendored code do not count.
func isLicence(name string) bool {
	if !licenceName().MatchString(name) || codeExtensions[strings.ToLower(path.Ext(name))] {
		return false
	}
	return !slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(dir string) bool { return foreignDirs[strings.ToLower(dir)] })
}

// sameTerms reports whether a license has the same terms after the change. New line breaks,
// capitals, and lines with a year or a holder change no terms, unless a line about a holder is
// gone.
func sameTerms(f *patch.File) bool {
	if f.Kind != patch.Text || f.Unparsed != "" {
		return false
	}
	changes := func(h *patch.Hunk) bool {
		before, held := termsOf(h, '+')
		after, holds := termsOf(h, '-')
		return holds < held || !slices.Equal(before, after)
	}
	return !slices.ContainsFunc(f.Hunks, changes)
}

// termsOf returns the words of a hunk without the lines of the other side, and counts the lines
// about a holder, which add no words.
func termsOf(h *patch.Hunk, other byte) (words []string, holders int) {
	for _, l := range h.Lines {
		switch {
		case l.Op == other:
		case holderLine().MatchString(l.Text):
			holders++
		default:
			words = append(words, strings.Fields(strings.ToLower(l.Text))...)
		}
	}
	return words, holders
}

// holderLine matches a line with the holder of the rights and a year.
var holderLine = lazyregexp.New(`(?i)^\W*(?:copyright\s+(?:\(c\)|©|\d{4})|\(c\)\s|©)`)

// foreignDirs contain third-party code and the texts of its licenses.
var foreignDirs = lists.Words(`vendor vendors vendored _vendor node_modules third_party third-party thirdparty 3rdparty 3rd_party 3rd-party external externals extern
	deps godeps pods carthage bower_components jspm_packages subprojects submodules fonts site-packages licenses licences testdata fixtures`)

// licenceName matches the name of a license, with MIT- before it as in Rails. License.md is the
// license at the root, and a page about it elsewhere.
var licenceName = lazyregexp.New(`(?:^|/)(?:MIT-)?(?:(?i:licen[sc]e|copying|unlicense)|(?:LICEN[SC]E|COPYING|UNLICENSE)[-._][^/]*)$|^(?:MIT-)?(?i:licen[sc]e|copying|unlicense)\.(?:md|txt|rst)$`)

// codeExtensions are extensions of files about licenses.
var codeExtensions = lists.Words(`.go .js .mjs .cjs .ts .jsx .tsx .py .rb .rs .java .kt .scala .swift .c .h .cc .cpp .hpp .cs .php
	.sh .pl .lua .sql .json .yml .yaml .toml .xml .tmpl .tpl .template .html .css .svg .png`)

var licenceFiles = []string{
	"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "LICENCE.md", "LICENCE.txt",
	"COPYING", "COPYING.md", "COPYING.txt", "UNLICENSE", "LICENSE-MIT", "LICENSE-APACHE", "MIT-LICENSE",
}
