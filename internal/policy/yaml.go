package policy

import (
	"bytes"
	"errors"
	"io"

	"go.yaml.in/yaml/v4"
)

// Limits of a parsed workflow.
const (
	maxYAML      = 256 << 10 // bytes
	maxYAMLNodes = 50_000    // each use of an alias counts
)

// yamlKey is a key of a mapping and its value, with an alias resolved.
type yamlKey struct {
	name  string
	line  int
	value *yaml.Node
}

// parseYAML reads one YAML document; ok is false if it is not readable within the limits.
func parseYAML(data []byte) (root *yaml.Node, ok bool) {
	in := yaml.NewDecoder(bytes.NewReader(data))
	var document, further yaml.Node
	var value any
	if len(data) > maxYAML || in.Decode(&document) != nil || !errors.Is(in.Decode(&further), io.EOF) {
		return nil, false
	}
	if document.Decode(&value) != nil { // a key twice, or too many aliases
		return nil, false
	}
	root = target(document.Content[0])
	return root, visit(root, func(*yaml.Node) {})
}

// target returns the node that an alias names, or the node itself.
func target(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// keysOf returns the keys of a mapping, and after them those that it merges.
func keysOf(n *yaml.Node) (keys []yamlKey) {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	var merged []yamlKey
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := target(n.Content[i]), target(n.Content[i+1])
		if key.Tag != "!!merge" {
			keys = append(keys, yamlKey{key.Value, key.Line, value})
			continue
		}
		for _, from := range append([]*yaml.Node{value}, itemsOf(value)...) {
			merged = append(merged, keysOf(from)...)
		}
	}
	return append(keys, merged...)
}

// itemsOf returns the items of a sequence.
func itemsOf(n *yaml.Node) (items []*yaml.Node) {
	if n.Kind == yaml.SequenceNode {
		for _, item := range n.Content {
			items = append(items, target(item))
		}
	}
	return items
}

// get returns the first key with a name. found is false if there is none; its value is then empty.
func get(n *yaml.Node, name string) (key yamlKey, found bool) {
	for _, k := range keysOf(n) {
		if k.name == name {
			return k, true
		}
	}
	return yamlKey{value: &yaml.Node{}}, false
}

// visit calls see for each node, and reports whether there are few enough.
func visit(root *yaml.Node, see func(*yaml.Node)) bool {
	left := maxYAMLNodes
	var in func(n *yaml.Node)
	in = func(n *yaml.Node) {
		if left--; left < 0 {
			return
		}
		see(n)
		for _, inner := range n.Content {
			in(target(inner))
		}
	}
	in(root)
	return left >= 0
}
