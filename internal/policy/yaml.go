package policy

import (
	"bytes"
	"slices"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Limits of a parsed workflow. Above them, or if it does not parse, it is read by its added lines.
const (
	maxYAML      = 64 << 10 // bytes; the parser's cost grows with the square of the keys
	maxYAMLDepth = 64
	maxYAMLNodes = 20_000 // each use of an alias counts
)

// byteOrderMark may begin a file. The parser would read it as part of the first key.
const byteOrderMark = "\uFEFF"

// yamlNode is a YAML value with its line.
type yamlNode struct {
	line   int
	scalar string
	keys   []yamlKey   // of a mapping
	items  []*yamlNode // of a sequence
}

type yamlKey struct {
	name  string
	line  int
	value *yamlNode
}

// get returns the first key with a name. found is false if there is none; its value is then empty.
func (n *yamlNode) get(name string) (key yamlKey, found bool) {
	i := slices.IndexFunc(n.keys, func(k yamlKey) bool { return k.name == name })
	if i < 0 {
		return yamlKey{value: &yamlNode{}}, false
	}
	return n.keys[i], true
}

// visit calls see for each value and each key's name, up to the budget of nodes.
func (n *yamlNode) visit(budget *int, see func(*yamlNode)) {
	if *budget--; *budget < 0 {
		return
	}
	see(n)
	for _, k := range n.keys {
		see(&yamlNode{line: k.line, scalar: k.name})
		k.value.visit(budget, see)
	}
	for _, item := range n.items {
		item.visit(budget, see)
	}
}

// parseYAML reads one YAML document; ok is false if it is not readable within the limits.
func parseYAML(data []byte) (root *yamlNode, ok bool) {
	if len(data) > maxYAML || tooDeep(data) {
		return nil, false
	}
	file, err := parser.ParseBytes(bytes.TrimPrefix(data, []byte(byteOrderMark)), 0)
	if err != nil || len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return nil, false
	}
	r := yamlReader{anchors: make(map[string]*yamlNode), budget: maxYAMLNodes}
	root = r.read(file.Docs[0].Body, 0)
	budget := maxYAMLNodes
	root.visit(&budget, func(*yamlNode) {})
	return root, !r.failed && budget >= 0
}

// tooDeep bounds the recursion of the parser: open brackets, and the indentation and list markers
// at the start of a line.
func tooDeep(data []byte) bool {
	open := 0
	for _, line := range bytes.Split(data, []byte("\n")) {
		begin := line[:len(line)-len(bytes.TrimLeft(line, " \t-?:"))]
		if len(begin) > 4*maxYAMLDepth || bytes.Count(begin, []byte("-")) > maxYAMLDepth {
			return true
		}
		for _, c := range line {
			if open = max(0, open+brackets[c]); open > maxYAMLDepth {
				return true
			}
		}
	}
	return false
}

// brackets are +1 for an opener and -1 for a closer.
var brackets = [256]int{'[': 1, '{': 1, ']': -1, '}': -1}

// yamlReader turns the parser's tree into yamlNodes.
type yamlReader struct {
	anchors map[string]*yamlNode
	budget  int
	failed  bool
}

func (r *yamlReader) read(n ast.Node, depth int) *yamlNode {
	out := &yamlNode{}
	if n == nil {
		return out
	}
	if r.budget--; r.budget < 0 || depth > maxYAMLDepth {
		r.failed = true
		return out
	}
	if t := n.GetToken(); t != nil && t.Position != nil {
		out.line = t.Position.Line
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		for _, v := range n.Values {
			r.entry(out, v, depth)
		}
	case *ast.MappingValueNode:
		r.entry(out, n, depth)
	case *ast.SequenceNode:
		for _, v := range n.Values {
			out.items = append(out.items, r.read(v, depth+1))
		}
	case *ast.AnchorNode:
		value := r.read(n.Value, depth+1)
		r.anchors[n.Name.String()] = value
		return value
	case *ast.AliasNode:
		if value, ok := r.anchors[n.Value.String()]; ok {
			return value
		}
		r.failed = true
	case *ast.TagNode:
		return r.read(n.Value, depth+1)
	case *ast.MappingKeyNode: // behind a question mark
		return r.read(n.Value, depth+1)
	default:
		out.scalar = scalar(n)
	}
	return out
}

// scalar returns the text of a node without child nodes.
func scalar(n ast.Node) string {
	switch n := n.(type) {
	case *ast.LiteralNode:
		return n.Value.Value
	case *ast.StringNode:
		return n.Value
	case *ast.NullNode:
		return ""
	}
	return n.String()
}

// entry adds a key and its value. Merged keys count as well.
func (r *yamlReader) entry(out *yamlNode, v *ast.MappingValueNode, depth int) {
	key, value := r.read(v.Key, depth+1), r.read(v.Value, depth+1)
	out.keys = append(out.keys, yamlKey{name: key.scalar, line: key.line, value: value})
	if key.scalar == "<<" {
		r.merge(out, value)
		for _, item := range value.items {
			r.merge(out, item)
		}
	}
}

func (r *yamlReader) merge(out, merged *yamlNode) {
	if r.budget -= len(merged.keys); r.budget < 0 {
		r.failed = true
		return
	}
	out.keys = append(out.keys, merged.keys...)
}
