package manifest

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// pair is one key of a TOML document.
type pair struct {
	table, key string // with dots between their parts, or ""
	value      string // as written
	items      []item // the strings of a list
	line       int
}

// item is a string in a list.
type item struct {
	text string
	line int
}

// tomlPairs reads a document key by key. A patch shows only parts of a document, so it skips lines
// that begin nothing complete.
func tomlPairs(text string) []pair {
	var pairs []pair
	var parser unstable.Parser
	table, line := "", 1
	for left := []byte(text); len(left) > 0; {
		size := lineSize(left)
		parser.Reset(left)
		// The parser would skip a blank line or a comment and read the expression after it.
		first := bytes.TrimSpace(left[:size])
		if len(first) > 0 && first[0] != '#' && parser.NextExpression() {
			switch e := parser.Expression(); e.Kind {
			case unstable.Table, unstable.ArrayTable:
				table = dotted(e.Key())
			case unstable.KeyValue:
				pairs = append(pairs, pairOf(&parser, e, table, line))
				end := e.Raw.Offset + e.Raw.Length
				size = int(end) + lineSize(left[end:])
			}
		}
		line += bytes.Count(left[:size], []byte("\n"))
		left = left[size:]
	}
	return pairs
}

func pairOf(parser *unstable.Parser, e *unstable.Node, table string, line int) pair {
	raw := parser.Raw(e.Raw)
	_, value, _ := bytes.Cut(raw, []byte("="))
	p := pair{table: table, key: dotted(e.Key()), value: string(bytes.TrimSpace(value)), line: line}
	if e.Value().Kind != unstable.Array {
		return p
	}
	at := e.Raw.Offset
	for it := e.Value().Children(); it.Next(); {
		if n := it.Node(); n.Kind == unstable.String {
			line += bytes.Count(parser.Data()[at:n.Raw.Offset], []byte("\n"))
			at = n.Raw.Offset
			p.items = append(p.items, item{string(n.Data), line})
		}
	}
	return p
}

// dotted joins the parts of a key with dots.
func dotted(parts unstable.Iterator) string {
	var names []string
	for parts.Next() {
		names = append(names, string(parts.Node().Data))
	}
	return strings.Join(names, ".")
}

// lineSize returns the length of the first line with its line end.
func lineSize(text []byte) int {
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		return end + 1
	}
	return len(text)
}

var (
	tomlDependencies = lazyregexp.New(`^(?:dev-)?packages$|dependencies$`)                  // a table with one dependency for each key
	tomlDependency   = lazyregexp.New(`(?:^|[.-])dependencies\.(?:.*\.)?([^.]+)$`)          // the table of one dependency
	tomlRequirements = lazyregexp.New(`^dependency-groups\.[^.]+$|^project\.dependencies$`) // the key of a list
)

// parseTOML reads the dependency tables and requirement lists of pyproject.toml, Pipfile and
// Cargo.toml.
func parseTOML(text string) []dependency {
	var deps []dependency
	for _, p := range tomlPairs(text) {
		ofAll, one := tomlDependencies().MatchString(p.table), tomlDependency().FindStringSubmatch(p.table)
		switch {
		case strings.HasPrefix(p.value, "["): // a list
			if ofAll || tomlRequirements().MatchString(p.table+"."+p.key) {
				for _, i := range p.items {
					if m := requirement().FindStringSubmatch(i.text); m != nil {
						deps = append(deps, dependency{m[1], orAny(m[2]), i.line})
					}
				}
			}
		case p.key == "python": // the language itself
		case ofAll:
			spec := strings.Trim(p.value, `"'`)
			if spec == "*" && strings.HasSuffix(p.table, "packages") { // Pipenv writes it itself, and pins in its lock file
				spec = "any"
			}
			deps = append(deps, dependency{p.key, spec, p.line})
		case one != nil && slices.Contains([]string{"git", "path", "version"}, p.key):
			deps = append(deps, dependency{one[1], p.key + " = " + p.value, p.line})
		}
	}
	return deps
}
