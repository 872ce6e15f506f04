package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// decoder sets the fields of a Config from the nodes of a file. The library's
// own decoder stops at the first error and converts between types; this one
// does neither.
type decoder struct {
	file     string
	operator bool
	services Services
	lines    []string
	at       map[string]position // where each value stands, by its path
	errs     Errors
}

// value sets v from a node. Path is the name of the setting in messages.
func (d *decoder) value(n ast.Node, v reflect.Value, path string, f field) {
	d.at[path] = at(n)
	if n.Type() == ast.NullType {
		d.errorf(at(n), "%s has no value: give it one or remove the line", path)
		return
	}
	switch target := v.Addr().Interface().(type) {
	case *Seconds:
		d.seconds(n, target, path)
		return
	case *USD:
		d.money(n, target, path, f)
		return
	case *Criteria:
		d.criteria(n, target, path)
		return
	case *Provider:
		f = d.services.bounds(f)
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(n, v.Elem(), path, f)
	case reflect.Struct:
		d.mapping(n, v, path)
	case reflect.Slice:
		d.sequence(n, v, path, f)
	case reflect.String:
		if s, ok := d.text(n, path, f); ok {
			v.SetString(s)
		}
	case reflect.Int:
		if i, ok := d.integer(n, path, f); ok {
			v.SetInt(i)
		}
	case reflect.Bool:
		b, ok := n.(*ast.BoolNode)
		if !ok {
			d.errorf(at(n), "%s must be true or false", path)
			return
		}
		v.SetBool(b.Value)
	}
}

// mapping sets the fields of a struct.
func (d *decoder) mapping(n ast.Node, v reflect.Value, path string) {
	fields := map[string]int{}
	var names []string
	for i := range v.NumField() {
		f := fieldOf(v.Type().Field(i))
		fields[f.name] = i
		if d.operator || f.operator != "only" {
			names = append(names, f.name)
		}
	}
	seen, ok := d.keys(n, path, func(key string, entry *ast.MappingValueNode) {
		i, known := fields[key]
		if !known {
			d.errorf(tokenAt(entry.Key.GetToken()), "unknown setting %q%s%s", key, under(path), didYouMean(key, names))
			return
		}
		f := fieldOf(v.Type().Field(i))
		if f.operator == "only" && !d.operator {
			d.operatorOnly(tokenAt(entry.Key.GetToken()), join(path, key))
			return
		}
		value := entry.Value
		if value.Type() == ast.NullType {
			d.errorf(tokenAt(entry.Key.GetToken()), "%s has no value: give it one or remove the line", join(path, key))
			return
		}
		d.value(value, v.Field(i), join(path, key), f)
	})
	if !ok {
		return
	}
	for _, name := range names {
		f := fieldOf(v.Type().Field(fields[name]))
		if f.required && !seen[name] {
			d.errorf(at(n), "%s lacks %s", path, name)
		}
	}
}

// keys calls visit for each key of a mapping, in the order of the file, the
// first time it stands there.
func (d *decoder) keys(n ast.Node, path string, visit func(string, *ast.MappingValueNode)) (seen map[string]bool, ok bool) {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		what := path
		if what == "" {
			what = "the file"
		}
		d.errorf(at(n), "%s must be a mapping of settings to values", what)
		return nil, false
	}
	seen = map[string]bool{}
	for _, entry := range m.Values {
		key := entry.Key.GetToken().Value
		if seen[key] {
			d.errorf(tokenAt(entry.Key.GetToken()), "%s is set twice", join(path, key))
			continue
		}
		seen[key] = true
		visit(key, entry)
	}
	return seen, true
}

func (d *decoder) sequence(n ast.Node, v reflect.Value, path string, f field) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		d.errorf(at(n), "%s must be a list", path)
		return
	}
	if why := f.list(len(list.Values)); why != "" {
		d.errorf(at(n), "%s %s", path, why)
		return
	}
	if len(list.Values) == 0 {
		return // an empty list sets nothing
	}
	v.Set(reflect.MakeSlice(v.Type(), len(list.Values), len(list.Values)))
	for i, item := range list.Values {
		d.value(item, v.Index(i), fmt.Sprintf("%s[%d]", path, i), itemOf(v.Type().Elem()))
	}
}

// text is the value of a node that is text. Numbers and booleans are not: they
// would be silently turned into something that was not written.
func (d *decoder) text(n ast.Node, path string, f field) (string, bool) {
	var s string
	switch n := n.(type) {
	case *ast.StringNode:
		s = n.Value
	case *ast.LiteralNode:
		s = n.Value.Value
	default:
		d.errorf(at(n), "%s must be text; put quotes around it", path)
		return "", false
	}
	if !d.operator && slices.Contains(f.reserved, s) {
		d.operatorOnly(at(n), path+" "+s)
		return "", false
	}
	if why := f.text(s); why != "" {
		d.errorf(at(n), "%s: %s", path, why)
		return "", false
	}
	return s, true
}

func (d *decoder) integer(n ast.Node, path string, f field) (int64, bool) {
	node, ok := n.(*ast.IntegerNode)
	if !ok {
		d.errorf(at(n), "%s must be a whole number", path)
		return 0, false
	}
	i, err := strconv.ParseInt(node.Token.Value, 10, 32)
	if err != nil || strconv.FormatInt(i, 10) != node.Token.Value {
		d.errorf(at(n), "%s must be a whole number written in plain digits", path)
		return 0, false
	}
	whole := func(s string) int64 { n, _ := strconv.ParseInt(s, 10, 64); return n }
	if why := f.number(i, whole); why != "" {
		d.errorf(at(n), "%s %s", path, why)
		return 0, false
	}
	return i, true
}

func (d *decoder) seconds(n ast.Node, target *Seconds, path string) {
	text := n.GetToken().Value
	switch n.(type) {
	case *ast.StringNode, *ast.IntegerNode: // a number lacks its unit
	default:
		text = "this"
	}
	seconds, err := parseSeconds(text)
	if err != nil {
		d.errorf(at(n), "%s: %v", path, err)
		return
	}
	*target = seconds
}

func (d *decoder) money(n ast.Node, target *USD, path string, f field) {
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode:
	default:
		d.errorf(at(n), "%s must be an amount in US dollars such as 2.50", path)
		return
	}
	amount, err := parseUSD(n.GetToken().Value)
	if err != nil {
		d.errorf(at(n), "%s: %v", path, err)
		return
	}
	micros := func(s string) int64 { u, _ := parseUSD(s); return int64(u) }
	if why := f.number(int64(amount), micros); why != "" {
		d.errorf(at(n), "%s %s", path, why)
		return
	}
	if limit, ok := f.operatorAbove(); ok && !d.operator && int64(amount) > micros(limit) {
		d.operatorOnly(at(n), fmt.Sprintf("%s above %s", path, limit))
		return
	}
	*target = amount
}

// criteria reads the weights of a rubric, which are in percent in the file.
func (d *decoder) criteria(n ast.Node, target *Criteria, path string) {
	sum, before := 0, len(d.errs)
	name := readTag(field{}, criterionName)
	weight := readTag(field{}, criterionWeight)
	_, ok := d.keys(n, path, func(key string, entry *ast.MappingValueNode) {
		if why := name.text(key); why != "" {
			d.errorf(tokenAt(entry.Key.GetToken()), "%s: the name of a criterion %s", path, why)
			return
		}
		percent, ok := d.integer(entry.Value, join(path, key), weight)
		if !ok {
			return
		}
		sum += int(percent)
		*target = append(*target, Criterion{key, int(percent) * 100})
	})
	switch {
	case !ok, len(d.errs) > before: // the rest would only follow from that
	case len(*target) < minCriteria || len(*target) > maxCriteria:
		d.errorf(at(n), "%s must name %d to %d criteria", path, minCriteria, maxCriteria)
	case sum != 100:
		d.errorf(at(n), "%s must add up to 100, not %d", path, sum)
	}
}

// Bounds of a rubric (protocol: fixed, not configurable).
const (
	minCriteria     = 3
	maxCriteria     = 6
	criterionName   = "pattern=^[a-z][a-z0-9_]*$,maxLength=40"
	criterionWeight = "minimum=1,maximum=100"
)

// operatorOnly says where a setting belongs that a repository cannot make.
func (d *decoder) operatorOnly(p position, what string) {
	d.errorf(p, "%s can only be set by the operator: in the operator's own settings file, the input operator-config of the action, a flag or the environment", what)
	d.errs[len(d.errs)-1].OperatorOnly = true
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func under(path string) string {
	if path == "" {
		return ""
	}
	return " under " + strings.TrimSpace(path)
}
