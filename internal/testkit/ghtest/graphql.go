package ghtest

import (
	"cmp"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// Schema is the part of GitHub's GraphQL schema that is played.
//
//go:embed schema.graphql
var Schema string

var schema = sync.OnceValue(func() *ast.Schema {
	return gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphql", Input: Schema})
})

// The limits of a query.
const (
	maxPage  = 100     // of one connection
	maxNodes = 500_000 // that a query may ask for
)

// fields are what an object of the graph has; a func(args) any is called when it
// is asked for.
type fields map[string]any

// vertex is an object of the graph.
type vertex struct {
	kind   string
	fields fields
}

// args are the arguments of a field.
type args map[string]any

func (a args) text(name string) string {
	text, _ := a[name].(string)
	return text
}

// fits tells whether a text is what an argument asks for, if it asks for one.
func (a args) fits(name, text string) bool {
	return cmp.Or(a.text(name), text) == text
}

// lets tells whether a text is one of those that an argument asks for, if it asks for any.
func (a args) lets(name, text string) bool {
	asked := a.texts(name)
	return len(asked) == 0 || slices.Contains(asked, text)
}

// int reads a number, -1 where there is none.
func (a args) int(name string) int {
	switch n := a[name].(type) {
	case int64:
		return int(n)
	case int:
		return n
	case float64:
		return int(n)
	case json.Number:
		i, _ := strconv.Atoi(n.String())
		return i
	}
	return -1
}

func (a args) texts(name string) []string {
	var found []string
	switch list := a[name].(type) {
	case []any:
		for _, item := range list {
			text, _ := item.(string)
			found = append(found, text)
		}
	case string:
		found = append(found, list)
	}
	return found
}

// graphError is what a field answers instead of a value.
type graphError struct{ kind, message string }

var errGraphForbidden = &graphError{"FORBIDDEN", "Resource not accessible by integration"}

// exec answers one query from a graph, whatever that shows.
type exec struct {
	failf  func(format string, args ...any)
	vars   map[string]any
	errors []object
	nodes  int // that the query may answer with
}

type graphRequest struct {
	Query         string
	Variables     map[string]any
	OperationName string
}

// operation is the name of the query in a body, and whether it is a mutation. What
// is no query has none.
func operation(body []byte) (name string, mutation bool) {
	var in graphRequest
	if json.Unmarshal(body, &in) != nil {
		return "", false
	}
	doc, err := parser.ParseQuery(&ast.Source{Input: in.Query})
	if err != nil {
		return "", false
	}
	if op := doc.Operations.ForName(in.OperationName); op != nil {
		return op.Name, op.Operation == ast.Mutation
	}
	return "", false
}

// graphql answers a query or a mutation. What the schema does not know fails the
// test, and is refused as GitHub does.
func (c *call) graphql(name string) answer {
	if c.token == nil {
		return refuse(http.StatusUnauthorized, "Bad credentials").answer()
	}
	var in graphRequest
	if err := json.Unmarshal(c.body, &in); err != nil {
		return refuse(http.StatusBadRequest, "Problems parsing JSON").answer()
	}
	doc, list := gqlparser.LoadQueryWithRules(schema(), in.Query, rules.NewDefaultRules())
	if len(list) > 0 {
		c.world.failf("GraphQL %s: %v", name, list)
		return graphProblems(list)
	}
	op := doc.Operations.ForName(in.OperationName)
	if op == nil {
		return refuse(http.StatusBadRequest, "An operation name is required").answer()
	}
	vars, err := validator.VariableValues(schema(), op, in.Variables)
	if err != nil {
		c.world.failf("GraphQL %s: %v", name, err)
		return graphProblems(gqlerror.List{gqlerror.Wrap(err)})
	}
	x := &exec{failf: c.world.failf, vars: vars}
	if problem := x.measure(op.SelectionSet, 1); problem != nil {
		c.world.failf("GraphQL %s: %s", name, problem.message)
		return answer{status: http.StatusOK, value: object{"errors": []object{{"type": problem.kind, "message": problem.message}}}}
	}
	g := &graph{c: c, nodes: x.nodes}
	root := g.query()
	if op.Operation == ast.Mutation {
		root = g.mutation()
	}
	value := object{"data": x.object(root, op.SelectionSet, nil)}
	if len(x.errors) > 0 {
		value["errors"] = x.errors
	}
	return answer{status: http.StatusOK, value: value}
}

func graphProblems(list gqlerror.List) answer {
	problems := make([]object, 0, len(list))
	for _, e := range list {
		problems = append(problems, object{"message": e.Message, "path": []any{}, "extensions": object{"code": e.Rule}})
	}
	return answer{status: http.StatusOK, value: object{"errors": problems}}
}

// flat lists the fields of a selection that apply to an object of a kind; "" takes
// all of them.
func (x *exec) flat(set ast.SelectionSet, kind string) []*ast.Field {
	var list []*ast.Field
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			if x.included(s.Directives) {
				list = append(list, s)
			}
		case *ast.InlineFragment:
			if x.included(s.Directives) && x.is(kind, s.TypeCondition) {
				list = append(list, x.flat(s.SelectionSet, kind)...)
			}
		case *ast.FragmentSpread:
			if x.included(s.Directives) && x.is(kind, s.Definition.TypeCondition) {
				list = append(list, x.flat(s.Definition.SelectionSet, kind)...)
			}
		}
	}
	return list
}

// leavesOut are the conditions at which directives leave something out.
var leavesOut = map[string]bool{"skip": true, "include": false}

func (x *exec) included(directives ast.DirectiveList) bool {
	for _, d := range directives {
		on, _ := d.ArgumentMap(x.vars)["if"].(bool)
		if leaves, known := leavesOut[d.Name]; known && leaves == on {
			return false
		}
	}
	return true
}

func (x *exec) is(kind, condition string) bool {
	if kind == "" || condition == "" || kind == condition {
		return true
	}
	return slices.ContainsFunc(schema().GetPossibleTypes(schema().Types[condition]), func(d *ast.Definition) bool { return d.Name == kind })
}

// measure counts the nodes that a query may answer with, and holds every page to
// its bounds.
func (x *exec) measure(set ast.SelectionSet, times int) *graphError {
	for _, f := range x.flat(set, "") {
		inside := times
		if f.Definition != nil && strings.HasSuffix(f.Definition.Type.Name(), "Connection") && f.Definition.Arguments.ForName("first") != nil {
			a := args(f.ArgumentMap(x.vars))
			size := max(a.int("first"), a.int("last"))
			switch {
			case size < 0 && x.wantsNodes(f):
				return &graphError{"MISSING_PAGINATION_BOUNDARIES", "You must provide a `first` or `last` value to properly paginate the `" + f.Name + "` connection."}
			case size > maxPage:
				return &graphError{"EXCESSIVE_PAGINATION", fmt.Sprintf("Requesting %d records on the `%s` connection exceeds the `first` limit of %d records.", size, f.Name, maxPage)}
			}
			inside = times * max(size, 1)
			x.nodes += inside
			if x.nodes > maxNodes {
				return &graphError{"MAX_NODE_LIMIT_EXCEEDED", fmt.Sprintf("This query requests up to %d possible nodes which exceeds the maximum limit of 500,000.", x.nodes)}
			}
		}
		if problem := x.measure(f.SelectionSet, inside); problem != nil {
			return problem
		}
	}
	return nil
}

func (x *exec) wantsNodes(f *ast.Field) bool {
	return slices.ContainsFunc(x.flat(f.SelectionSet, ""), func(f *ast.Field) bool { return slices.Contains([]string{"nodes", "edges"}, f.Name) })
}

// object answers a selection on one object.
func (x *exec) object(v *vertex, set ast.SelectionSet, path []any) object {
	out := object{}
	for _, f := range x.flat(set, v.kind) {
		at := append(slices.Clone(path), f.Alias)
		if f.Name == "__typename" {
			out[f.Alias] = v.kind
			continue
		}
		value, known := v.fields[f.Name]
		if !known {
			x.failf("GraphQL: %s.%s is not played", v.kind, f.Name)
		}
		if call, ok := value.(func(args) any); ok {
			value = call(f.ArgumentMap(x.vars))
		}
		done := x.complete(f, value, at)
		if old, ok := out[f.Alias].(object); ok { // asked for twice, with different parts
			if more, ok := done.(object); ok {
				maps.Copy(old, more)
				done = old
			}
		}
		out[f.Alias] = done
	}
	return out
}

// complete answers the parts of a value that are asked for.
func (x *exec) complete(f *ast.Field, value any, path []any) any {
	switch value := value.(type) {
	case nil:
		return nil
	case *graphError:
		x.errors = append(x.errors, object{"type": value.kind, "path": path, "message": value.message})
		return nil
	case *vertex:
		if value == nil {
			return nil
		}
		return x.object(value, f.SelectionSet, path)
	case []*vertex:
		list := make([]any, 0, len(value))
		for i, v := range value {
			list = append(list, x.complete(f, v, append(slices.Clone(path), i)))
		}
		return list
	}
	return value
}

// connection pages through a list. more are further fields of the connection.
func connection(kind string, a args, list []*vertex, more fields) *vertex {
	from, to := 0, len(list)
	if n, ok := cursorAt(a.text("after")); ok {
		from = min(n+1, to)
	}
	if n, ok := cursorAt(a.text("before")); ok {
		to = max(from, min(n, to))
	}
	if first := a.int("first"); first >= 0 {
		to = min(to, from+first)
	} else if last := a.int("last"); last >= 0 {
		from = max(from, to-last)
	}
	var edges []*vertex
	for i := from; i < to; i++ {
		edges = append(edges, &vertex{strings.TrimSuffix(kind, "Connection") + "Edge", fields{"cursor": cursor(i), "node": list[i]}})
	}
	info := fields{"hasNextPage": to < len(list), "hasPreviousPage": from > 0, "startCursor": nil, "endCursor": nil}
	if from < to {
		info["startCursor"], info["endCursor"] = cursor(from), cursor(to-1)
	}
	f := fields{
		"totalCount": len(list), "nodes": append([]*vertex{}, list[from:to]...), "edges": append([]*vertex{}, edges...),
		"pageInfo": &vertex{"PageInfo", info},
	}
	maps.Copy(f, more)
	return &vertex{kind, f}
}

func cursor(at int) string {
	return base64.StdEncoding.EncodeToString([]byte("cursor:v2:" + strconv.Itoa(at)))
}

func cursorAt(text string) (int, bool) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return 0, false
	}
	at, err := strconv.Atoi(strings.TrimPrefix(string(raw), "cursor:v2:"))
	return at, err == nil
}

// vertices makes the objects of a list.
func vertices[T any](list []T, of func(T) *vertex) []*vertex {
	all := make([]*vertex, 0, len(list))
	for _, item := range list {
		all = append(all, of(item))
	}
	return all
}

// databaseID is an identifier that a GraphQL number can hold, else null.
func databaseID(id int64) any {
	if id > math.MaxInt32 {
		return nil
	}
	return id
}
