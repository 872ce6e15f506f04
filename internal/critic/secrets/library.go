package secrets

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"

	ahocorasick "github.com/BobuSumisu/aho-corasick"
	"github.com/pelletier/go-toml/v2"

	"github.com/prdebate/debate/internal/lists"
)

// gitleaksFile is the rules of gitleaks, as its library has them. Its own reader would bring a
// framework of settings into the program. A test compares file and reading with the library.
//
//go:embed gitleaks/gitleaks.toml
var gitleaksFile string

// form is what a kind of secret looks like.
type form struct {
	id       string
	regex    *regexp.Regexp // nil: it is about the names of files
	path     *regexp.Regexp // only in files of such a path; nil: in all
	group    int            // of regex, which is the secret; 0: the first that holds anything
	entropy  float64        // that a secret exceeds
	keywords []string       // without one of them there is no secret
	excused  []*exception
}

// exception is what looks like a secret and is none.
type exception struct {
	all          bool           // all conditions have to hold, else one is enough
	target       string         // that expressions are held to: "match", "line", or "" for the secret
	paths, texts *regexp.Regexp // nil: no such condition
	words        *ahocorasick.Trie
}

// written is an exception in the file.
type written struct {
	Condition, RegexTarget    string
	Paths, Regexes, StopWords []string
}

// gitleaksForms are gitleaks' rules, and what none of them takes for a secret.
func gitleaksForms() (forms []form, excused *exception, err error) {
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
		return nil, nil, fmt.Errorf("read the secret rules: %w", err)
	}
	for _, r := range file.Rules {
		forms = append(forms, form{
			id: r.ID, regex: anyOf(r.Regex), path: anyOf(r.Path), group: r.SecretGroup, entropy: r.Entropy, keywords: r.Keywords,
			excused: lists.Map(r.Allowlists, written.read),
		})
	}
	return forms, file.Allowlist.read(), nil
}

// read compiles it.
func (w written) read() *exception {
	e := &exception{all: strings.EqualFold(w.Condition, "and"), target: w.RegexTarget, paths: anyOf(w.Paths...), texts: anyOf(w.Regexes...)}
	if len(w.StopWords) > 0 {
		e.words = ahocorasick.NewTrieBuilder().AddStrings(lists.Map(w.StopWords, strings.ToLower)).Build()
	}
	return e
}

// anyOf is an expression for one of several, nil for none.
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
