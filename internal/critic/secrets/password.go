package secrets

import (
	"regexp"
	"strings"

	"github.com/zricethezav/gitleaks/v8/config"

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
func passwords() config.Rule {
	const value = "([^\\s\"'`]{8,64})"
	return config.Rule{
		RuleID: passwordRule,
		Regex: regexp.MustCompile(`(?m)(?:` + passwordNames + `)["']?\s*(?:=>|:=|==|=|:)\s*["']` + value + `["']` +
			`|^[ \t]*(?:export[ \t]+)?[\w.-]*(?:` + passwordNames + `)(?:=|:[ \t]+|[ \t]+=[ \t]+)` + value + `(?:[ \t]+#.*)?[ \t\r]*$`),
		Entropy:  2.75,
		Keywords: []string{"pass", "pwd"},
	}
}

// isPassword reports whether a match of the rule is a password. What no quotes end is
// one in settings only: in code it is an expression.
func isPassword(file string, m match) bool {
	_, after, _ := strings.Cut(m.whole, m.secret)
	quoted := strings.ContainsAny(after, `"'`)
	return (quoted || settingsFile().MatchString(file)) && looksChosen(m.secret)
}

var settingsFile = lazyregexp.New(`(?i)(?:^|/)\.env[^/]*$|\.(?:env|ya?ml|properties|ini|cfg|conf|toml|env\.[\w.-]+)$`)

// marks are the punctuation that makes a password: what stands in names, paths, lists
// and addresses is none.
const marks = "!@#$^&*%~"

// looksChosen reports whether a value is a password and no name, pattern, reference,
// message or hash. An unsure one is none.
func looksChosen(value string) bool {
	inner := strings.IndexAny(value[:len(value)-1], marks) > 0
	if !inner || strings.ContainsAny(value, "{}()[]<>|,;\\") || changesOfDigits(value) < 2 {
		return false
	}
	if strings.Contains(value, "=") && strings.Contains(value, "&") { // a query
		return false
	}
	return !noPassword().MatchString(value) && !isPlaceholder(value)
}

// noPassword is how variables, tags, selectors and paths begin, and how references,
// addresses, formats, expressions and hashes look.
var noPassword = lazyregexp.New(`(?i)^[$@!&*%#./~]|^[a-z]{2,}:|://|^[\w./-]+#[\w.-]+$|^[\w.+-]{3,}@[\w.-]+$|%[sdvq]|!!|!\.|^[\w-]*\$\w+\$|test|demo|dummy|foobar|mock|todo`)

// showsNoPassword reports whether a file holds what reads like passwords: texts for
// people, and settings to copy.
func showsNoPassword(file string) bool {
	return check.IsMarkdown(file) || shownFile().MatchString(file)
}

var shownFile = lazyregexp.New(`(?i)(?:^|/)(?:i18n|locales?|lang|languages|translations?|messages|examples?|samples?|demos?|docs?|seeds?)(?:/|\.\w+$)|[._-](?:example|sample|dist|template|tmpl|tpl)(?:\.|$)|\.(?:css|scss|less)$`)
