package secrets

import (
	_ "embed"
	"regexp"
	"strings"

	ahocorasick "github.com/BobuSumisu/aho-corasick"
	"github.com/pelletier/go-toml/v2"

	"github.com/prdebate/debate/internal/lists"
)

// gitleaksFile has the rules of gitleaks, from its library. The library's own reader would bring a
// framework of settings into the program. A test compares the file and its reading with the
// library.
//
//go:embed gitleaks/gitleaks.toml
var gitleaksFile string

// form is the look of one kind of secret.
type form struct {
	id       string
	regex    string         // "": a rule about file names
	path     *regexp.Regexp // only in files with such a path; nil: in all
	group    int            // of regex, with the secret; 0: the first non-empty group
	entropy  float64        // a secret exceeds it
	keywords []string       // a secret has one of them near it
	excused  []*exception
}

// exception excuses matches that are no secrets.
type exception struct {
	all          bool           // all conditions must hold, else one is enough
	target       string         // of the expressions: "match", "line", or "" for the secret
	paths, texts *regexp.Regexp // nil: no such condition
	words        *ahocorasick.Trie
}

// written is an exception as the file has it.
type written struct {
	Condition, RegexTarget    string
	Paths, Regexes, StopWords []string
}

// gitleaksForms returns gitleaks' rules and their common exception.
func gitleaksForms() (forms []form, excused *exception) {
	var file struct {
		Allowlist written
		Rules     []struct {
			ID, Path, Regex string
			SecretGroup     int
			Entropy         float64
			Keywords        []string
			Allowlists      []written
		}
	}
	if err := toml.Unmarshal([]byte(gitleaksFile), &file); err != nil {
		panic("critic: the secret rules cannot be read: " + err.Error()) // the program has them, and a test reads them
	}
	for _, r := range file.Rules {
		forms = append(forms, form{
			id: r.ID, regex: r.Regex, path: anyOf(r.Path), group: r.SecretGroup, entropy: r.Entropy, keywords: r.Keywords,
			excused: lists.Map(r.Allowlists, written.read),
		})
	}
	return forms, file.Allowlist.read()
}

// read compiles the exception.
func (w written) read() *exception {
	e := &exception{all: strings.EqualFold(w.Condition, "and"), target: w.RegexTarget, paths: anyOf(w.Paths...), texts: anyOf(w.Regexes...)}
	if len(w.StopWords) > 0 {
		e.words = ahocorasick.NewTrieBuilder().AddStrings(lists.Map(w.StopWords, strings.ToLower)).Build()
	}
	return e
}

// anyOf returns an expression for one of several, or nil for none.
func anyOf(expressions ...string) *regexp.Regexp {
	one := strings.Join(expressions, "|")
	if one == "" {
		return nil
	}
	if len(expressions) > 1 {
		one = "(?:" + one + ")"
	}
	return regexp.MustCompile(one)
}
