package config

import (
	"fmt"

	"github.com/goccy/go-yaml"
)

// Show writes settings as a file that Parse, or ParseOperator for the settings
// of an operator, reads back to the same value. It holds the names of keys and
// never a key.
func Show(c Config) ([]byte, error) {
	out, err := yaml.MarshalWithOptions(c, yaml.IndentSequence(true))
	if err != nil {
		return nil, fmt.Errorf("write the settings as YAML: %w", err)
	}
	return out, nil
}

// MarshalYAML writes the criteria as Parse reads them: weights in percent.
func (c Criteria) MarshalYAML() (any, error) {
	out := make(yaml.MapSlice, len(c))
	for i, one := range c {
		out[i] = yaml.MapItem{Key: one.Name, Value: one.Weight / 100}
	}
	return out, nil
}
