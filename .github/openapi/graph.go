package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// graph is GitHub's GraphQL schema.
type graph struct {
	schema *ast.Schema
}

func newGraph(file string) (*graph, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	doc, err := parser.ParseSchemas(validator.Prelude, &ast.Source{Name: file, Input: string(text)})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	for _, def := range doc.Definitions { // GitHub publishes a field twice
		seen := map[string]bool{}
		def.Fields = slices.DeleteFunc(def.Fields, func(f *ast.FieldDefinition) bool {
			twice := seen[f.Name]
			seen[f.Name] = true
			return twice
		})
	}
	schema, err := validator.ValidateSchemaDocument(doc)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return &graph{schema: schema}, nil
}

// holds checks that a schema is a part of GitHub's.
func (g *graph) holds(file string, found map[string]int) error {
	part, err := newGraph(file)
	if err != nil {
		return err
	}
	for name, have := range part.schema.Types {
		whole := g.schema.Types[name]
		if have.BuiltIn || whole == nil || whole.Kind != have.Kind {
			if !have.BuiltIn {
				found["GraphQL: GitHub has no "+name]++
			}
			continue
		}
		for _, f := range have.Fields {
			g.field(name, f, whole.Fields.ForName(f.Name), found)
		}
		for _, v := range have.EnumValues {
			if whole.EnumValues.ForName(v.Name) == nil {
				found["GraphQL: GitHub has no "+name+"."+v.Name]++
			}
		}
		for _, member := range append(slices.Clone(have.Types), have.Interfaces...) {
			if !slices.Contains(whole.Types, member) && !slices.Contains(whole.Interfaces, member) {
				found["GraphQL: at GitHub "+name+" is no "+member]++
			}
		}
	}
	return nil
}

func (g *graph) field(kind string, have, whole *ast.FieldDefinition, found map[string]int) {
	name := kind + "." + have.Name
	if whole == nil || whole.Type.String() != have.Type.String() {
		found["GraphQL: GitHub has no "+name+": "+have.Type.String()]++
		return
	}
	for _, a := range have.Arguments {
		if other := whole.Arguments.ForName(a.Name); other == nil || other.Type.String() != a.Type.String() {
			found["GraphQL: GitHub has no "+name+"("+a.Name+": "+a.Type.String()+")"]++
		}
	}
	for _, a := range whole.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil && have.Arguments.ForName(a.Name) == nil {
			found["GraphQL: "+name+" lacks the argument "+a.Name]++
		}
	}
}

// exchange holds a query that was answered with data, and the data, to the schema.
func (g *graph) exchange(e exchange, found map[string]int) {
	var in struct {
		Query, OperationName string
		Variables            map[string]any
	}
	var out struct {
		Data   map[string]any
		Errors []any
	}
	if json.Unmarshal([]byte(e.Request), &in) != nil || json.Unmarshal([]byte(e.Response), &out) != nil || out.Data == nil {
		return // a refusal
	}
	doc, list := gqlparser.LoadQueryWithRules(g.schema, in.Query, rules.NewDefaultRules())
	if len(list) > 0 {
		found["GraphQL: "+list.Error()]++
		return
	}
	op := doc.Operations.ForName(in.OperationName)
	name := "GraphQL " + op.Name
	vars, err := validator.VariableValues(g.schema, op, in.Variables)
	if err != nil {
		found[name+": "+err.Error()]++
		return
	}
	root := g.schema.Query
	if op.Operation == ast.Mutation {
		root = g.schema.Mutation
	}
	g.object(name, root.Name, op.SelectionSet, out.Data, vars, len(out.Errors) > 0, found)
}

// object checks the answer to a selection.
func (g *graph) object(at, kind string, set ast.SelectionSet, value map[string]any, vars map[string]any, failed bool, found map[string]int) {
	if name, ok := value["__typename"].(string); ok {
		kind = name
	}
	for _, s := range set {
		switch s := s.(type) {
		case *ast.InlineFragment:
			if g.is(kind, s.TypeCondition) {
				g.object(at, kind, s.SelectionSet, value, vars, failed, found)
			}
		case *ast.FragmentSpread:
			if g.is(kind, s.Definition.TypeCondition) {
				g.object(at, kind, s.Definition.SelectionSet, value, vars, failed, found)
			}
		case *ast.Field:
			got, there := value[s.Alias]
			if !there {
				if len(s.Directives) == 0 && s.ObjectDefinition.Kind == ast.Object && s.ObjectDefinition.Name == kind {
					found[at+"."+s.Alias+": is not answered"]++
				}
				continue
			}
			g.value(at+"."+s.Alias, s.Definition.Type, s.SelectionSet, got, vars, failed, found)
		}
	}
}

func (g *graph) is(kind, condition string) bool {
	return condition == "" || kind == condition ||
		slices.ContainsFunc(g.schema.GetPossibleTypes(g.schema.Types[condition]), func(d *ast.Definition) bool { return d.Name == kind })
}

func (g *graph) value(at string, t *ast.Type, set ast.SelectionSet, value any, vars map[string]any, failed bool, found map[string]int) {
	if value == nil {
		if t.NonNull && !failed {
			found[at+": is null and may not be"]++
		}
		return
	}
	if t.Elem != nil {
		list, ok := value.([]any)
		if !ok {
			found[at+": is no list"]++
		}
		for _, item := range list {
			g.value(at, t.Elem, set, item, vars, failed, found)
		}
		return
	}
	if inner, ok := value.(map[string]any); ok {
		g.object(at, t.NamedType, set, inner, vars, failed, found)
		return
	}
	right := true
	switch def := g.schema.Types[t.NamedType]; {
	case def.Kind == ast.Enum:
		text, _ := value.(string)
		right = def.EnumValues.ForName(text) != nil
	case t.NamedType == "Int":
		n, isNumber := value.(float64)
		right = isNumber && n == float64(int32(n))
	case t.NamedType == "Boolean":
		_, right = value.(bool)
	default:
		_, right = value.(string)
	}
	if !right {
		found[fmt.Sprintf("%s: %v is no %s", at, value, t.NamedType)]++
	}
}
