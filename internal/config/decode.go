package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/prdebate/debate/internal/debate"
)

// decoder sets the fields of a Config from the nodes of a file. The library's own decoder stops at
// the first error and converts between types; this one does neither.
type decoder struct {
	file     string
	operator bool
	services Services
	rules    []Rule
	lines    []string            // of the file, at least one
	at       map[string]position // the place of each value, by its path
	errs     Errors
}

// value sets v from the node of a setting. Its key is at p, and path is its name in messages.
func (d *decoder) value(p position, n ast.Node, v reflect.Value, path string, f field) {
	d.at[path] = at(n)
	if n.Type() == ast.NullType {
		d.errorf(p, "%s has no value: give it one or remove the line", path)
		return
	}
	switch v.Interface().(type) { // types with a notation of their own
	case Seconds:
		d.seconds(n, v, path)
		return
	case USD:
		d.money(n, v, path, f)
		return
	case Criteria:
		d.criteria(n, v, path)
		return
	case Provider:
		f.enum = d.services.names(func(Service) bool { return true })
		f.reserved = d.services.names(func(one Service) bool { return one.Operator })
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(at(n), n, v.Elem(), path, f)
	case reflect.Struct:
		d.mapping(n, v, path)
	case reflect.Slice:
		d.sequence(n, v, path, f)
	case reflect.String:
		d.text(n, v, path, f)
	case reflect.Int:
		d.integer(n, v, path, f)
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
	fields := map[string]field{}
	values := map[string]reflect.Value{}
	var names []string
	for i := range v.NumField() {
		f := fieldOf(v.Type().Field(i))
		fields[f.name], values[f.name] = f, v.Field(i)
		allowed := f.operator != "only"
		if d.operator {
			allowed = f.operator != "never"
		}
		if allowed {
			names = append(names, f.name)
		}
	}
	seen, ok := d.keys(n, path, names, func(key string, entry *ast.MappingValueNode) {
		p := tokenAt(entry.Key.GetToken())
		f, known := fields[key]
		switch {
		case !known && path == "":
			d.errorf(p, "unknown setting %q%s", key, didYouMean(key, names))
		case !known:
			d.errorf(p, "unknown setting %q under %s%s", key, path, didYouMean(key, names))
		case f.operator == "never" && d.operator:
			d.errorf(p, "%s is allowed only in a repository's %s, and counts once it is on the base branch", join(path, key), debate.SettingsFile)
		case !slices.Contains(names, key):
			d.operatorOnly(p, join(path, key))
		default:
			d.value(p, entry.Value, values[key], join(path, key), f)
		}
	})
	if !ok {
		return
	}
	for _, name := range names {
		if fields[name].required && !seen[name] {
			d.errorf(at(n), "%s lacks %s", cmp.Or(path, "the file"), name)
		}
	}
}

// keys calls visit for each key of a mapping once, in the order of the file. Names are its
// possible settings; without names every key is allowed.
func (d *decoder) keys(n ast.Node, path string, names []string, visit func(string, *ast.MappingValueNode)) (seen map[string]bool, ok bool) {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		first := "NAME"
		if len(names) > 0 {
			first = names[0]
		}
		d.errorf(at(n), "%s must hold settings, each on a line of its own, such as \"%s: ...\"", cmp.Or(path, "the file"), first)
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
	if why := f.length(len(list.Values)); why != "" {
		d.errorf(at(n), "%s %s", path, why)
		return
	}
	if len(list.Values) == 0 {
		return // an empty list sets nothing
	}
	v.Set(reflect.MakeSlice(v.Type(), len(list.Values), len(list.Values)))
	for i, item := range list.Values {
		d.value(at(item), item, v.Index(i), fmt.Sprintf("%s[%d]", path, i), itemOf(v.Type().Elem()))
	}
}

// text reads a text. Numbers and booleans are errors: they would silently turn into a different
// text.
func (d *decoder) text(n ast.Node, v reflect.Value, path string, f field) {
	var s string
	switch n := n.(type) {
	case *ast.StringNode:
		s = n.Value
	case *ast.LiteralNode:
		s = n.Value.Value
	default:
		d.errorf(at(n), "%s must be text; put quotes around it", path)
		return
	}
	if !d.operator && slices.Contains(f.reserved, s) {
		d.operatorOnly(at(n), path+" "+s)
		return
	}
	if why := f.text(s); why != "" {
		d.errorf(at(n), "%s: %s", path, why)
		return
	}
	v.SetString(s)
}

func (d *decoder) integer(n ast.Node, v reflect.Value, path string, f field) {
	node, ok := n.(*ast.IntegerNode)
	if !ok {
		d.errorf(at(n), "%s must be a whole number", path)
		return
	}
	i, err := strconv.ParseInt(node.Token.Value, 10, 32)
	if err != nil || strconv.FormatInt(i, 10) != node.Token.Value {
		d.errorf(at(n), "%s must be a whole number written in plain digits", path)
		return
	}
	whole := func(s string) int64 { return int64(number(s)) }
	if why := f.number(i, whole); why != "" {
		d.errorf(at(n), "%s %s", path, why)
		return
	}
	v.SetInt(i)
}

func (d *decoder) seconds(n ast.Node, v reflect.Value, path string) {
	text := n.GetToken().Value
	switch n.(type) {
	case *ast.StringNode, *ast.IntegerNode: // a number lacks its unit
	default:
		text = "this"
	}
	parts := secondsForm().FindStringSubmatch(text)
	if parts == nil {
		d.errorf(at(n), "%s: %q is no length of time: write it as 90s or 3m", path, text)
		return
	}
	count, unit := number(parts[1]), map[string]int{"s": 1, "m": 60}[parts[2]] // too many digits give the largest number
	if count > maxTimeout/unit {
		d.errorf(at(n), "%s: %s is too long: at most %dm", path, text, maxTimeout/60)
		return
	}
	v.SetInt(int64(count * unit))
}

func (d *decoder) money(n ast.Node, v reflect.Value, path string, f field) {
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
	if limit, ok := strings.CutPrefix(f.operator, "above="); ok && !d.operator && int64(amount) > micros(limit) {
		d.operatorOnly(at(n), fmt.Sprintf("%s above %s", path, limit))
		return
	}
	v.SetInt(int64(amount))
}

// criteria reads the weights of a rubric, in percent.
func (d *decoder) criteria(n ast.Node, v reflect.Value, path string) {
	var read Criteria
	sum, before := 0, len(d.errs)
	name := readTag(field{}, criterionName)
	weight := readTag(field{}, criterionWeight)
	_, ok := d.keys(n, path, nil, func(key string, entry *ast.MappingValueNode) {
		if why := name.text(key); why != "" {
			d.errorf(tokenAt(entry.Key.GetToken()), "%s: the name of a criterion %s", path, why)
			return
		}
		var percent int
		d.integer(entry.Value, reflect.ValueOf(&percent).Elem(), join(path, key), weight)
		sum += percent
		read = append(read, Criterion{key, percent * 100})
	})
	switch {
	case !ok, len(d.errs) > before: // the other errors would only follow from these
	case len(read) < minCriteria || len(read) > maxCriteria:
		d.errorf(at(n), "%s must name %d to %d criteria", path, minCriteria, maxCriteria)
	case sum != 100:
		d.errorf(at(n), "%s must add up to 100, not %d", path, sum)
	default:
		v.Set(reflect.ValueOf(read))
	}
}

// Bounds of a rubric (protocol: fixed, not configurable).
const (
	minCriteria     = 3
	maxCriteria     = 6
	criterionName   = "pattern=^[a-z][a-z0-9_]*$,maxLength=40"
	criterionWeight = "minimum=1,maximum=100"
)

// operatorOnly reports a setting that a repository cannot make, and its right place.
func (d *decoder) operatorOnly(p position, setting string) {
	d.errorf(p, "%s can only be set by the operator: in the operator's own settings file, the input operator-config of the action, a flag or the environment", setting)
	d.errs[len(d.errs)-1].OperatorOnly = true
}

func join(path, key string) string { return strings.TrimPrefix(path+"."+key, ".") }
