package config

import (
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// Show writes settings as a file that Parse, or ParseOperator for the settings of an operator,
// reads back to the same value. It has the names of keys and never a key.
func Show(c Config) ([]byte, error) {
	root, err := yaml.ValueToNode(c, yaml.IndentSequence(true))
	if err != nil {
		return nil, fmt.Errorf("write the settings as YAML: %w", err)
	}
	ast.Walk(quoter{}, root)
	return []byte(root.String() + "\n"), nil
}

// quoter puts quotes around texts that the library would write without quotes but read back as
// something else, or with characters missing.
type quoter struct{}

func (q quoter) Visit(n ast.Node) ast.Visitor {
	if s, ok := n.(*ast.StringNode); ok && !bare().MatchString(s.Value) {
		s.Token.Type = token.DoubleQuoteType
	}
	return q
}

// bare matches a text that needs no quotes: it has no control characters except line ends, and its
// first character is not one that the library drops.
var bare = lazyregexp.New(`^([^?.\x00-\x1f\x7f][^\x00-\x09\x0b-\x1f\x7f]*)?$`)

// MarshalYAML writes the criteria as Parse reads them: weights in percent.
func (c Criteria) MarshalYAML() (any, error) {
	out := make(yaml.MapSlice, len(c))
	for i, one := range c {
		out[i] = yaml.MapItem{Key: one.Name, Value: one.Weight / 100}
	}
	return out, nil
}
