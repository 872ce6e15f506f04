package secrets

import (
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// given lists the values in a line to hide for their place alone: after the name of a password, in a
// header, in an address. They make no finding, since many are samples.
func given(line string) []string {
	lower := strings.ToLower(line)
	if !slices.ContainsFunc(givenWords, func(word string) bool { return strings.Contains(lower, word) }) {
		return nil
	}
	var found []string
	for _, m := range givenValue().FindAllStringSubmatch(line, -1) {
		for i, value := range m[1:] {
			isName := i < byName && named().MatchString(value)
			if mixed().MatchString(value) && !isName && !noPassword().MatchString(value) && !isPlaceholder(value) {
				found = append(found, value)
			}
		}
	}
	return found
}

// givenWords has a word of every form of givenValue.
var givenWords = []string{"passw", "passphrase", "pwd", "secret", "token", "api", "authorization", "cookie", "://", "key-", "-us", ":aa", "atbb"}

const (
	givenName = `(?i:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key)`
	givenText = "([^\\s\"'`<>(){}$;,]{8,200})"
)

// givenValue matches a value in quotes, on a line of settings, behind a flag, in XML, in a header
// of HTTP, in an address, and tokens of Mailgun, Mailchimp, Telegram and Bitbucket.
var givenValue = lazyregexp.New(givenName + "[\"']?\\s*(?:=>|:=|={1,3}|:)\\s*[\"'`]" + givenText + "[\"'`]" +
	`|(?m:^[ \t]*(?:[A-Za-z]+[ \t]+)?[\w.-]*` + givenName + `(?:[ \t]*=[ \t]*|:?[ \t]+)` + givenText + `[ \t\r]*$)` +
	`|--?` + givenName + "(?:=|[ \t]+)[\"']?" + givenText +
	`|<\w*` + givenName + `>` + givenText + `</` +
	"|(?i:authorization)[\"']?\\s*[:=,]\\s*[\"'`]?(?i:basic|bearer|token|apikey)[ \t]+" + givenText +
	"|(?i:cookie)[\"']?\\s*[:=,]\\s*[\"'`]?[\\w.-]+=" + givenText +
	"|://[^\\s:/@\"'<>]*:([^\\s:/@\"'<>${}]{8,})@" +
	`|\b(key-[0-9a-f]{32}|[0-9a-f]{32}-us[0-9]{1,2}|[0-9]{8,10}:AA[\w-]{33}|ATBB[0-9A-Za-z]{28,})\b`)

// byName is how many groups of givenValue, the first ones, have a value only for the name before it.
const byName = 3

// named matches the name of a value or of a form in the place of one: token = previousToken2,
// password = cfg.Password2, token: base64url. Hidden, it would be missing from the code that models
// read.
var named = lazyregexp.New(`^[A-Za-z_]\w{0,29}[.\[][A-Za-z_]|^[A-Za-z_]+[0-9]{0,2}$|^(?i:base|sha|md|utf|aes|rsa|hmac|hs|rs|es|ed|(?:var)?char|u?int|argon|pbkdf)[-_]?[0-9]`)

// mixed matches a value with letters and digits.
var mixed = lazyregexp.New(`[A-Za-z].*[0-9]|[0-9].*[A-Za-z]`)
