package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const description = `{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {"/things/{id}": {"parameters": [
  {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
  "get": {"parameters": [{"name": "page", "in": "query", "schema": {"type": "integer"}}],
    "responses": {"200": {"description": "d", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/thing"}}}}}},
  "post": {"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"name": {"type": "string"}}}}}},
    "responses": {"201": {"description": "d"}}}}},
"components": {"schemas": {
  "thing": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
  "basic-error": {"type": "object", "properties": {"message": {"type": "string"}}},
  "webhook-thing-made": {"type": "object", "required": ["sender"], "properties": {"sender": {"type": "object"}}}}}}`

const schema = `type Query { thing(id: ID!): Thing! } type Thing { name: String! kind: Kind size: Int } enum Kind { BIG }`

// TestDeviations plants one deviation at a time.
func TestDeviations(t *testing.T) {
	get := exchange{
		Method: "GET", Template: "/things/{id}", Path: "/things/1", Params: map[string]string{"id": "1"}, Status: 200,
		Header: map[string]string{"Content-Type": "application/json; charset=utf-8"}, Response: `{"name": "a"}`,
	}
	post := exchange{Method: "POST", Template: "/things/{id}", Path: "/things/1", Params: get.Params, Status: 201, Request: `{"name": "a"}`}
	query := exchange{Template: "/graphql", Method: "POST", Status: 200, Request: `{"query": "query Q($id: ID!) { thing(id: $id) { name kind size } }",
		"variables": {"id": "1"}}`, Response: `{"data": {"thing": {"name": "a", "kind": "BIG", "size": 1}}}`}
	event := exchange{Method: "EVENT", Template: "thing/made", Response: `{"sender": {}}`}
	part := `type Query { thing(id: ID!): Thing! } type Thing { name: String! kind: Kind } enum Kind { BIG }`
	with := func(e exchange, change func(*exchange)) exchange { change(&e); return e }
	for name, test := range map[string]struct {
		add    exchange
		played string
		want   string // "" for none
	}{
		"nothing":           {add: get, played: part},
		"a lacking field":   {with(get, func(e *exchange) { e.Response = `{}` }), part, `"name" is missing`},
		"null":              {with(get, func(e *exchange) { e.Response = `{"name": null}` }), part, "not nullable"},
		"another path":      {with(get, func(e *exchange) { e.Template = "/others" }), part, "no such path"},
		"a parameter":       {with(get, func(e *exchange) { e.Query = "pages=1" }), part, `no parameter "pages"`},
		"a wrong parameter": {with(get, func(e *exchange) { e.Query = "page=x" }), part, "page"},
		"an odd refusal":    {with(get, func(e *exchange) { e.Status, e.Response = 404, `{"message": 1}` }), part, "must be a string"},
		"an odd status":     {with(get, func(e *exchange) { e.Status = 202 }), part, "status"},
		"a field of a body": {with(post, func(e *exchange) { e.Request = `{"nam": "a"}` }), part, `no field "nam"`},
		"a wrong body":      {with(post, func(e *exchange) { e.Request = `{"name": 1}` }), part, "must be a string"},
		"a field asked for": {with(query, func(e *exchange) { e.Request = `{"query": "{ thing(id: 1) { colour } }"}` }), part, "colour"},
		"a variable":        {with(query, func(e *exchange) { e.Request = strings.Replace(e.Request, `"1"`, `{}`, 1) }), part, "variable.id"},
		"null in a graph":   {with(query, func(e *exchange) { e.Response = `{"data": {"thing": null}}` }), part, "may not be"},
		"a value":           {with(query, func(e *exchange) { e.Response = strings.Replace(e.Response, "BIG", "HUGE", 1) }), part, "is no Kind"},
		"a large number":    {with(query, func(e *exchange) { e.Response = strings.Replace(e.Response, "1}", "3000000000}", 1) }), part, "is no Int"},
		"an event":          {with(event, func(e *exchange) { e.Response = `{}` }), part, `"sender" is missing`},
		"an unknown event":  {with(event, func(e *exchange) { e.Template = "thing/lost" }), part, "no webhook-thing-lost"},
		"a played type":     {get, strings.Replace(part, "enum", "type Extra { a: Int } enum", 1), "GitHub has no Extra"},
		"a played field":    {get, strings.Replace(part, "name: String!", "name: String", 1), "no Thing.name: String"},
		"a played value":    {get, strings.Replace(part, "BIG", "BIG SMALL", 1), "no Kind.SMALL"},
		"a played argument": {get, strings.Replace(part, "id: ID!", "id: ID!, size: Int", 1), "no Query.thing(size: Int)"},
		"a lost argument":   {get, strings.Replace(part, "(id: ID!)", "", 1), "lacks the argument id"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string) string {
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				return path
			}
			var wire strings.Builder
			for _, e := range []exchange{get, post, query, event, test.add} {
				line, err := json.Marshal(e)
				if err != nil {
					t.Fatal(err)
				}
				wire.Write(append(line, '\n'))
			}
			write("wire.jsonl", wire.String())
			problems, _, err := check(write("openapi.json", description), write("schema", schema), write("played", test.played), dir)
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, p := range problems {
				if !strings.HasPrefix(p, "nothing needs the exclusion") {
					found = append(found, p)
				}
			}
			if test.want == "" && len(found) > 0 || test.want != "" && (len(found) != 1 || !strings.Contains(found[0], test.want)) {
				t.Errorf("found %q, want %q", found, test.want)
			}
			if len(problems)-len(found) != len(excluded) {
				t.Errorf("the exclusions that nothing needs are not told: %q", problems)
			}
		})
	}
}

// TestNothingRecorded fails where there is nothing to check.
func TestNothingRecorded(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"openapi.json": description, "schema": schema} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := check(filepath.Join(dir, "openapi.json"), filepath.Join(dir, "schema"), filepath.Join(dir, "schema"), dir); err == nil {
		t.Error("nothing was recorded, and that passes")
	}
}
