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

// Schema is the JSON Schema of a repository's settings file, for editors. It is
// generated from the types of this package.
func Schema() []byte { return append([]byte(nil), schema...) }

// Sample is a settings file with comments that says what holds by default.
func Sample() []byte { return append([]byte(nil), sample...) }

// tests are the sections execution that are proposed, each below a line that names its
// language and the files that tell it.
//
//go:embed tests.yml
var tests string

// Proposal is a settings file that proposes how tests are run, in comments.
type Proposal struct {
	Language string
	Signs    []string // files at the top of a repository of this language
	Text     []byte
}

// Proposals are all of them. The first one with a sign fits a repository of several
// languages.
func Proposals() []Proposal {
	var all []Proposal
	for part := range strings.SplitSeq(tests, "---\n") {
		head, section, _ := strings.Cut(part, "\n")
		words := strings.Fields(head)
		all = append(all, Proposal{Language: words[0], Signs: words[1:], Text: slices.Concat(sample, []byte("\n"+section))})
	}
	return all
}
