package secrets

import (
	"regexp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// passwordRule is our rule for passwords that people choose and programs make: with
// punctuation, which the rules for keys do not take.
const passwordRule = "password"

// passwordNames end with the word, so that the rules, hashes and fields of passwords
// are none.
const passwordNames = `(?i:password|passwd|passphrase|pgpassword)|(?:[_-](?i:pass|pwd)|[a-z](?:Pass|Pwd))`

// passwords finds values that are given to a password: in quotes anywhere, and
// without them on a line of settings that holds nothing else.
func passwords() form {
	const value = "([^\\s\"'`]{8,64})"
	return form{
		id: passwordRule,
		regex: regexp.MustCompile(`(?m)(?:` + passwordNames + `)["']?\s*(?:=>|:=|==|=|:)\s*["']` + value + `["']` +
			`|^[ \t]*(?:export[ \t]+)?[\w.-]*(?:` + passwordNames + `)(?:=|:[ \t]+|[ \t]+=[ \t]+)` + value + `(?:[ \t]+#.*)?[ \t\r]*$`),
		entropy:  2.75,
		keywords: []string{"pass", "pwd"},
	}
}

// isPassword reports whether a match of the rule is a password. What no quotes end is
// one in settings only: in code it is an expression.
func isPassword(file, line string, m match) bool {
	if sampleAccount().MatchString(line) {
		return false
	}
	_, after, _ := strings.Cut(m.whole, m.secret)
	quoted := strings.ContainsAny(after, `"'`)
	return (quoted || settingsFile().MatchString(file)) && looksChosen(m.secret)
}

var settingsFile = lazyregexp.New(`(?i)(?:^|/)\.env[^/]*$|\.(?:env|ya?ml|properties|ini|cfg|conf|toml|env\.[\w.-]+)$`)

// sampleAccount is an address of mail that nobody has.
var sampleAccount = lazyregexp.New(`(?i)@(?:\w+\.)?(?:example|test)\.(?:com|org|net)\b`)

// marks are the punctuation that makes a password: what stands in names, paths, lists
// and addresses is none.
const marks = `!@#$^&*%~`

// looksChosen reports whether a value is a password and no name, pattern, reference,
// message or hash. An unsure one is none.
func looksChosen(value string) bool {
	switch {
	case !marked().MatchString(value), query().MatchString(value), strings.ContainsAny(value, "{}()[]<>|,;\\"), changesOfDigits(value) < 2, noPassword().MatchString(value), isPlaceholder(value):
		return false
	}
	return true
}

// marked is a password with a mark inside, or with its only marks at its end, as many are
// where a form asks for a digit and a mark. A name or a message has no number before them.
var marked = lazyregexp.New(`(?s)^[^` + marks + `]+[` + marks + `].|^[A-Za-z]{3,}[0-9]{2,}[!@#$&]{1,3}$`)

// query is a value of several fields.
var query = lazyregexp.New(`(?s)=.*&|&.*=`)

// noPassword is how variables, tags, selectors, paths and samples begin, and how references,
// addresses, formats, expressions and hashes look.
var noPassword = lazyregexp.New(`(?i)^[$@!&*%#./~]|^your|^[a-z]{2,}:|://|^[\w./-]+#[\w.-]+$|^[\w.+-]{3,}@[\w.-]+$|%[sdvq]|!!.|!\.|^[\w-]*\$\w+\$|test|demo|dummy|foobar|mock|todo`)

// looksGiven reports whether what stands where an address has its password is one. No
// reference and no name stands there.
func looksGiven(value string) bool {
	switch {
	case looksRandom(value), looksChosen(value):
		return true
	case !wordMarkNumber().MatchString(value), isPlaceholder(value):
		return false
	}
	return !noPassword().MatchString(strings.NewReplacer("@", "", "#", "").Replace(value))
}

// wordMarkNumber is a password whose marks stand between a word and a number.
var wordMarkNumber = lazyregexp.New(`^[A-Za-z]{3,}[!@#$&*]{1,3}[0-9]{2,}[!@#$&]{0,3}$`)

// isDocument reports whether a file is a text for people by its name, or describes what
// a server answers.
func isDocument(file string) bool {
	return check.IsMarkdown(file) || slices.Contains([]string{".rst", ".adoc", ".asciidoc"}, check.Extension(file)) || describes().MatchString(file)
}

var describes = lazyregexp.New(`(?i)(?:^|/)(?:docs?/(?:[^/]+/)*[^/]+|[^/]*(?:swagger|openapi)[^/]*)\.(?:ya?ml|json)$`)

var shownFile = lazyregexp.New(`(?i)(?:^|/)(?:i18n|locales?|lang|languages|translations?|messages|examples?|samples?|demos?|docs?|seeds?)(?:/|\.\w+$)|(?:^|/)seed(?:er|ing)?[\w-]*\.\w+$|[._-](?:example|sample|dist|template|tmpl|tpl)(?:\.|$)|\.(?:css|scss|less)$`)
