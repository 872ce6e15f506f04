package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// rest is the description of REST, as far as it was asked.
type rest struct {
	spec *openapi3.T
}

// newREST reads the paths that were asked, and what they refer to: the whole is 13
// MB.
func newREST(file string, exchanges []exchange) (*rest, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var whole map[string]json.RawMessage
	var paths map[string]json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	if err := json.Unmarshal(whole["paths"], &paths); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	asked := map[string]json.RawMessage{}
	for _, e := range exchanges {
		if path, ok := paths[e.Template]; ok {
			asked[e.Template] = path
		}
	}
	if whole["paths"], err = json.Marshal(asked); err != nil {
		return nil, err
	}
	delete(whole, "x-webhooks")
	delete(whole, "webhooks")
	if text, err = json.Marshal(whole); err != nil {
		return nil, err
	}
	spec, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return &rest{spec: spec}, nil
}

// excluded are deviations in which the description is wrong and GitHub's answers are
// as ours, with the reason. One that nothing needs any more is itself a deviation.
var excluded = []struct{ at, deviation, reason string }{ // at and deviation are regular expressions
	{"/pulls/.*comments", "/line: Value is not nullable", "null where the lines are gone, and for a comment on a whole file"},
	{"/pulls/.*comments", "/position: Value is not nullable", "null where the lines are gone; the path of a review's comments says so"},
	{"^/app/installations$", "/account/(created_at|name|slug|updated_at): property .* is missing", "an account is one of a person or of an enterprise; the list alone says both at once"},
}

// excuse drops what is excluded.
func excuse(found map[string]int) {
	for _, x := range excluded {
		used, at, deviation := false, regexp.MustCompile(x.at), regexp.MustCompile(x.deviation)
		for line := range found {
			_, rest, _ := strings.Cut(line, " ")
			path, rest, _ := strings.Cut(rest, " ")
			if !at.MatchString(path) || !deviation.MatchString(rest) {
				continue
			}
			delete(found, line)
			used = true
		}
		if !used {
			found["nothing needs the exclusion of "+x.deviation+" at "+x.at]++
		}
	}
}

// exchange holds a request that was not refused, and any answer, to the
// description.
func (r *rest) exchange(e exchange, found map[string]int) {
	name := fmt.Sprintf("%s %s %d", e.Method, e.Template, e.Status)
	path := r.spec.Paths.Value(e.Template)
	if path == nil || path.GetOperation(e.Method) == nil {
		found[name+": GitHub describes no such path"]++
		return
	}
	route := &routers.Route{
		Spec: r.spec, Server: &openapi3.Server{URL: "http://api"}, Path: e.Template, PathItem: path, Method: e.Method,
		Operation: path.GetOperation(e.Method),
	}
	request, err := http.NewRequest(e.Method, "http://api"+(&url.URL{Path: e.Path}).EscapedPath()+"?"+e.Query, strings.NewReader(e.Request))
	if err != nil {
		found[name+": "+err.Error()]++
		return
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", e.Accept)
	options := &openapi3filter.Options{
		AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, MultiError: true, SkipSettingDefaults: true, IncludeResponseStatus: true,
		RejectWhenRequestBodyNotSpecified: true,
	}
	if e.Request == "" {
		request.Header.Del("Content-Type")
		request.Body, request.ContentLength = http.NoBody, 0
	}
	input := &openapi3filter.RequestValidationInput{Request: request, PathParams: e.Params, Route: route, Options: options}
	if e.Status < http.StatusMultipleChoices {
		note(found, name+": request", openapi3filter.ValidateRequest(context.Background(), input))
		r.known(name, e, route.Operation, found)
	}
	r.answer(name, e, input, found)
}

func (r *rest) answer(name string, e exchange, input *openapi3filter.RequestValidationInput, found map[string]int) {
	kind := e.Header["Content-Type"]
	if !strings.HasPrefix(kind, "application/json") {
		return // a diff or nothing: openapi describes it as a text
	}
	described := input.Route.Operation.Responses.Status(e.Status)
	if described == nil && e.Status >= http.StatusBadRequest {
		// Not every refusal is described; they all look alike.
		var value any
		if err := json.Unmarshal([]byte(e.Response), &value); err != nil {
			found[name+": "+err.Error()]++
			return
		}
		schema := r.spec.Components.Schemas["basic-error"].Value
		note(found, name+": answer", schema.VisitJSON(value, openapi3.MultiErrors()))
		return
	}
	header := http.Header{}
	for key, value := range e.Header {
		header.Set(key, value)
	}
	note(found, name+": answer", openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: e.Status, Header: header, Body: io.NopCloser(strings.NewReader(e.Response)), Options: input.Options,
	}))
}

// event holds the payload of an event to its description. The clock has none: there
// is no such webhook.
func (r *rest) event(e exchange, found map[string]int) {
	if e.Template == "schedule" {
		return
	}
	name := "webhook-" + strings.NewReplacer("pull_request_target", "pull-request", "_", "-", "/", "-").Replace(e.Template)
	described := r.spec.Components.Schemas[name]
	if described == nil {
		found["EVENT "+e.Template+": GitHub describes no "+name]++
		return
	}
	var value any
	if err := json.Unmarshal([]byte(e.Response), &value); err != nil {
		found["EVENT "+e.Template+": "+err.Error()]++
		return
	}
	note(found, "EVENT "+e.Template, described.Value.VisitJSON(value, openapi3.MultiErrors()))
}

// known finds what a request says that the description does not know: GitHub
// ignores it, so that it never does what it was meant to.
func (r *rest) known(name string, e exchange, op *openapi3.Operation, found map[string]int) {
	values, err := url.ParseQuery(e.Query)
	if err != nil {
		found[name+": "+err.Error()]++
		return
	}
	for key := range values {
		if op.Parameters.GetByInAndName(openapi3.ParameterInQuery, key) == nil {
			found[fmt.Sprintf("%s: request: no parameter %q", name, key)]++
		}
	}
	var body map[string]any
	if json.Unmarshal([]byte(e.Request), &body) != nil || op.RequestBody == nil {
		return
	}
	content := op.RequestBody.Value.Content.Get("application/json")
	if content == nil {
		return
	}
	fields := map[string]bool{}
	properties(content.Schema.Value, fields)
	for key := range body {
		if !fields[key] {
			found[fmt.Sprintf("%s: request: no field %q", name, key)]++
		}
	}
}

// properties collects the names that a schema knows.
func properties(s *openapi3.Schema, into map[string]bool) {
	for name := range s.Properties {
		into[name] = true
	}
	for _, list := range []openapi3.SchemaRefs{s.AllOf, s.AnyOf, s.OneOf} {
		for _, ref := range list {
			properties(ref.Value, into)
		}
	}
}

var digits = regexp.MustCompile(`/\d+`)

// note writes down each part of an error.
func note(found map[string]int, name string, err error) {
	if err == nil {
		return
	}
	var many openapi3.MultiError
	if errors.As(err, &many) {
		for _, one := range many {
			note(found, name, one)
		}
		return
	}
	var schema *openapi3.SchemaError
	if errors.As(err, &schema) {
		where := digits.ReplaceAllString("/"+strings.Join(schema.JSONPointer(), "/"), "/n")
		if schema.Origin != nil && len(schema.JSONPointer()) == 0 {
			note(found, name, schema.Origin)
			return
		}
		found[fmt.Sprintf("%s: %s: %s", name, where, schema.Reason)]++
		return
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	found[name+": "+text]++
}
