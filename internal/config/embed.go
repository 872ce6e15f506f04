package config

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed schema.json
var schema []byte

//go:embed sample.yml
var sample []byte

// Schema returns the JSON Schema of a repository's settings file, for editors. It is generated from
// the types of this package.
func Schema() []byte { return append([]byte(nil), schema...) }

// Sample returns a settings file with comments about the defaults.
func Sample() []byte { return append([]byte(nil), sample...) }

// tests are the proposed execution sections, each below a line with its language and the files that
// reveal it.
//
//go:embed tests.yml
var tests string

// Proposal is a settings file with a commented-out proposal to run tests.
type Proposal struct {
	Language string
	Signs    []string // files at the top of a repository of this language
	Text     []byte
}

// Proposals returns all proposals. If a repository has several languages, the first with a matching
// file is for it.
func Proposals() []Proposal {
	var all []Proposal
	for part := range strings.SplitSeq(tests, "---\n") {
		head, section, _ := strings.Cut(part, "\n")
		words := strings.Fields(head)
		all = append(all, Proposal{Language: words[0], Signs: words[1:], Text: slices.Concat(sample, []byte("\n"+section))})
	}
	return all
}
