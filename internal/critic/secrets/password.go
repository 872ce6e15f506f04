package secrets

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// passwordRule is our rule for passwords with punctuation, chosen by people or made by programs.
// The rules for keys take none.
const passwordRule = "password"

// passwordNames end with the word, so that rules, hashes and fields of passwords do not match.
const passwordNames = `(?i:password|passwd|passphrase|pgpassword)|(?:[_-](?i:pass|pwd)|[a-z](?:Pass|Pwd))`

// passwords finds values of passwords: in quotes anywhere, and without quotes on a settings line
// with nothing else.
func passwords() form {
	const value = "([^\\s\"'`]{8,64})"
	return form{
		id: passwordRule,
		regex: `(?m)(?:` + passwordNames + `)["']?\s*(?:=>|:=|==|=|:)\s*["']` + value + `["']` +
			`|^[ \t]*(?:export[ \t]+)?[\w.-]*(?:` + passwordNames + `)(?:=|:[ \t]+|[ \t]+=[ \t]+)` + value + `(?:[ \t]+#.*)?[ \t\r]*$`,
		entropy:  2.75,
		keywords: []string{"pass", "pwd"},
	}
}

// isPassword reports whether a match of the rule is a password. Without a closing quote it is one
// only in settings: in code it is an expression.
func isPassword(file, line string, m match) bool {
	if sampleAccount().MatchString(line) {
		return false
	}
	_, after, _ := strings.Cut(m.whole, m.secret)
	quoted := strings.ContainsAny(after, `"'`)
	return (quoted || settingsFile().MatchString(file)) && looksChosen(m.secret)
}

var settingsFile = lazyregexp.New(`(?i)(?:^|/)\.env[^/]*$|\.(?:env|ya?ml|properties|ini|cfg|cnf|conf|toml|pypirc|env\.[\w.-]+)$`)

// sampleAccount matches a mail address in a reserved domain.
var sampleAccount = lazyregexp.New(`(?i)@(?:\w+\.)?(?:example|test)\.(?:com|org|net)\b`)

// marks are the punctuation of passwords, without the marks of names, paths, lists and addresses.
const marks = `!@#$^&*%~`

// looksChosen reports whether a value is a password and no name, pattern, reference, message or
// hash. If unsure, it reports false.
func looksChosen(value string) bool {
	switch {
	case !marked().MatchString(value), query().MatchString(value), strings.ContainsAny(value, "{}()[]<>|,;\\"), changesOfDigits(value) < 2, noPassword().MatchString(value), isPlaceholder(value):
		return false
	}
	return true
}

// marked matches a password with a mark inside, or with a number and marks at its end, a frequent
// answer to forms that demand both. Names and messages have no number before their marks.
var marked = lazyregexp.New(`(?s)^[^` + marks + `]+[` + marks + `].|^[A-Za-z]{3,}[0-9]{2,}[!@#$&]{1,3}$`)

// query matches a value of several fields.
var query = lazyregexp.New(`(?s)=.*&|&.*=`)

// noPassword matches the beginnings of variables, tags, selectors, paths and samples, and the look
// of references, addresses, formats, expressions and hashes.
var noPassword = lazyregexp.New(`(?i)^[$@!&*%#./~]|^your|^[a-z]{2,}:|://|^[\w./-]+#[\w.-]+$|^[\w.+-]{3,}@[\w.-]+$|%[sdvq]|!!.|!\.|^[\w-]*\$\w+\$|test|demo|dummy|foobar|mock|todo`)

// looksGiven reports whether a value at the password's place in an address is one, and no reference
// or name.
func looksGiven(value string) bool {
	switch {
	case looksRandom(value), looksChosen(value):
		return true
	case !wordMarkNumber().MatchString(value), isPlaceholder(value):
		return false
	}
	return !noPassword().MatchString(strings.NewReplacer("@", "", "#", "").Replace(value))
}

// wordMarkNumber matches a password with marks between a word and a number.
var wordMarkNumber = lazyregexp.New(`^[A-Za-z]{3,}[!@#$&*]{1,3}[0-9]{2,}[!@#$&]{0,3}$`)

// isDocument reports whether a file is a text for people by its name, or describes the responses of
// a server.
func isDocument(file string) bool {
	return check.IsMarkdown(file) || slices.Contains([]string{".rst", ".adoc", ".asciidoc"}, check.Extension(file)) || describes().MatchString(file)
}

var describes = lazyregexp.New(`(?i)(?:^|/)(?:docs?/(?:[^/]+/)*[^/]+|[^/]*(?:swagger|openapi)[^/]*)\.(?:ya?ml|json)$`)

// sampleFile matches files with texts for people, or with settings to copy.
var sampleFile = lazyregexp.New(`(?i)(?:^|/)(?:i18n|locales?|lang|languages|translations?|messages|examples?|samples?|demos?|docs?|seeds?)(?:/|\.\w+$)|(?:^|/)seed(?:er|ing)?[\w-]*\.\w+$|[._-](?:example|sample|dist|template|tmpl|tpl)(?:\.|$)|\.(?:css|scss|less)$`)
