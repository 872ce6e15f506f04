package secrets

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"unicode"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/patch"
)

// placeholders are words that people write instead of a secret, and values from the documentation
// of issuers. A random token contains one of them once in millions.
var placeholders = []string{
	"example", "placeholder", "changeme", "change-me", "change_me", "replace", "redacted", "dummy", "sample",
	"insert", "your-", "your_", "yourkey", "yourtoken", "yourpass", "yourstrong", "yourweak", "not-a-real", "notreal", "fake", "xxxx", "****", "...", "<", "${", "{{",
	"1234567890", "0123456789", "abcdefgh", "deadbeef", "-test-", "_test_",
	"eyjzdwiioiixmjm0nty3odkwi",                            // "sub":"1234567890", the payload of jwt.io
	"4ec39hqlyjwdarjtt1zdp7dc", "bqokikjovbii2hlwgh4olfq2", // Stripe's documentation
	"16c7e42f292c6912e7710c838347ae178b4a",                     // GitHub's documentation
	"eby8vdm02xnocqflquwjpllmetlcdxj1ouzft50usrz6ifsufq2uverc", // the key of every Azure Storage emulator
}

// digest matches values that name content or a thing and open nothing: a hash, a commit, a UUID.
var digest = lazyregexp.New(`^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{64}|[0-9a-fA-F]{128}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$`)

// tries matches test files by the names usual for C# and Java, browser drivers, and recorded
// responses.
var tries = lazyregexp.New(`(?i)[.-]e2e-spec\.|(?:^|/)(?:[^/]*[._-](?:tests?|testing)|cypress|playwright|__mocks__|mocks?)/|(?:^|/)(?:tests?|smoke)-[^/]*$|(?:^|/)(?:[^/]*test[_-]?data|test-?keys|recordings?|cassettes?)(?:/|\.\w+$)|(?-i:[a-z0-9]Tests?)\.(?:cs|vb|fs|java|kt)$`)

// version matches the name of a release with a build suffix.
var version = lazyregexp.New(`^v?[0-9]+\.[0-9]+\.[0-9]+[-+.]`)

// judge returns the severity of a detected secret; ok is false if it is none. A token in its
// issuer's format is P1. A value that only its context makes a credential is P2, and none in tests,
// which are full of such values.
func judge(file string, s secret) (severity debate.Severity, ok bool) {
	inTest := check.ServesTests(file) || tries().MatchString(file)
	credible, known := byWords[s.rule]
	switch {
	case isPlaceholder(s.value):
		return "", false
	case known:
		return debate.P2, !inTest && credible(file, s)
	case s.rule == "private-key":
		return debate.P1, !inTest
	case s.rule == "stripe-access-token" && strings.Contains(s.value, "_test_"):
		return debate.P2, true
	case s.vague:
		return "", false
	}
	return debate.P1, true
}

// byWords are the rules that know a secret by its context, without an issuer's format: the value
// may be "postgres". Each function reports whether the value is a real credential, as far as its
// look and the file tell.
var byWords = map[string]func(file string, s secret) bool{
	urlPasswordRule:          func(file string, s secret) bool { return !isDocument(file) && looksGiven(s.value) },
	passwordRule:             isNoText,
	"hashicorp-tf-password":  isNoText,
	"curl-auth-user":         isCurlsOwn,
	"curl-auth-header":       isCurlsOwn,
	"jwt":                    func(file string, _ secret) bool { return !isDocument(file) },
	"jwt-base64":             func(file string, _ secret) bool { return !isDocument(file) },
	genericRule:              func(file string, s secret) bool { return !isDocument(file) && isKey(s) },
	"kubernetes-secret-yaml": func(string, secret) bool { return true },
	"nuget-config-password":  func(string, secret) bool { return true },
}

// isNoText reports whether a file has neither text for people nor sample settings, which show
// values that look like passwords.
func isNoText(file string, _ secret) bool {
	return !isDocument(file) && !sampleFile().MatchString(file)
}

func isCurlsOwn(file string, s secret) bool {
	return !isDocument(file) || looksRandom(s.value) || looksChosen(s.value)
}

// isKey reports whether a value looks like a key and like nothing else.
func isKey(s secret) bool {
	text, err := base64.StdEncoding.DecodeString(s.value)
	switch {
	case s.vague, digest().MatchString(s.value), version().MatchString(s.value):
		return false
	case err == nil && (sampleWords().Match(text) || isPlaceholder(string(text)) && !bytes.ContainsFunc(text, unicode.IsControl)):
		return false // base64 of words that call it a sample
	case strings.HasPrefix(s.value, "Ag") && len(s.value) >= sealedLength:
		return false // the encrypted value of a SealedSecret, made to be committed
	}
	return looksRandom(s.value)
}

var sampleWords = lazyregexp.New(`(?i)^(?:this.?is|my.?(?:custom|secret|key|token)|your|secret.?key|super.?secret)`)

// sealedLength is the shortest value of a SealedSecret, in bytes: each is wrapped by a 4096 bit
// key.
const sealedLength = 512

// minChanges is how often a random value changes between digits and other characters. Names with a
// number, such as win32api.RegEnumKey, change once or twice, twenty random letters and digits about
// six times.
const minChanges = 4

func looksRandom(value string) bool { return changesOfDigits(value) >= minChanges }

// changesOfDigits counts the changes between digits and other characters.
func changesOfDigits(value string) int {
	return max(len(digitsOrOthers().FindAllStringIndex(value, -1))-1, 0)
}

var digitsOrOthers = lazyregexp.New(`[0-9]+|[^0-9]+`)

const (
	longSecret = 200 // bytes
	longWord   = 6   // bytes
)

// isPlaceholder reports whether a value is there to be replaced: it says so, or it repeats a few
// characters. An issuer's own test prefix, such as sk_test_, makes no placeholder.
func isPlaceholder(value string) bool {
	lower := strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(value), "sk_test_"), "rk_test_")
	words := placeholders
	if len(lower) > longSecret {
		words = longPlaceholders
	}
	return repeats(lower) || slices.ContainsFunc(words, func(word string) bool { return strings.Contains(lower, word) })
}

// longPlaceholders are the words for a long value: a key of two thousand random letters contains
// any four letters sooner or later.
var longPlaceholders = slices.DeleteFunc(slices.Clone(placeholders), func(word string) bool { return len(word) < longWord })

// repeats reports whether the value has many equal characters in a row, or fewer than six different
// ones. Six in a row are many in a token; OpenSSH's key formats begin with eleven.
func repeats(value string) bool {
	many := 6
	if len(value) > longSecret {
		many = 20
	}
	seen := make(map[byte]bool)
	run := 0
	for i := range len(value) {
		seen[value[i]] = true
		if value[i] != value[max(i-1, 0)] {
			run = 0
		}
		if run++; run >= many {
			return true
		}
	}
	return len(seen) < 6
}

// lockFile matches files that pin versions by hashes that look like secrets.
var lockFile = lazyregexp.New(`(?i)\.(?:lock|sum)$|(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|packages\.lock\.json|bun\.lockb|(?:cartfile|package)\.resolved)$`)

func isKeyStore(f *check.File) bool {
	return f.Kind == patch.Binary && slices.Contains([]string{".p12", ".pfx"}, check.Extension(f.NewPath))
}
