package config

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/prdebate/debate/internal/model/provider"
	"github.com/prdebate/debate/internal/testkit/golden"
)

// generate makes the schema of a repository's file from the types, their tags
// and their comments.
func generate(t *testing.T) []byte {
	t.Helper()
	r := &jsonschema.Reflector{
		Anonymous: true, ExpandedStruct: true, RequiredFromJSONSchemaTags: true, FieldNameTag: "yaml",
		Mapper: mapped,
	}
	if err := r.AddGoComments("github.com/prdebate/debate/internal/config", ".", jsonschema.WithFullComment()); err != nil {
		t.Fatal(err)
	}
	// Comments are filed under the path that was walked.
	for key, comment := range r.CommentMap {
		if _, name, ok := strings.Cut(key, "internal/config."); ok {
			r.CommentMap["github.com/prdebate/debate/internal/config."+name] = strings.Join(strings.Fields(comment), " ")
		}
	}
	s := r.Reflect(&Config{})
	s.ID = schemaAddress
	s.Title = "Settings of debate for a repository"
	s.Description = "What .github/debate.yml may say; https://github.com/prdebate/debate/blob/main/docs/settings.md explains it."
	forRepository(s, reflect.TypeFor[Config]())
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	// Editors and SchemaStore know draft 7 best, and nothing here is newer than the names.
	out = bytes.ReplaceAll(out, []byte(jsonschema.Version), []byte("http://json-schema.org/draft-07/schema#"))
	out = bytes.ReplaceAll(out, []byte(`$defs`), []byte("definitions"))
	return append(out, '\n')
}

// schemaAddress is where editors find the schema: sample.yml names it, too.
const schemaAddress = "https://raw.githubusercontent.com/prdebate/debate/main/internal/config/schema.json"

// mapped gives the types whose form in a file is not that of the Go type.
func mapped(t reflect.Type) *jsonschema.Schema {
	f := itemOf(t)
	s := &jsonschema.Schema{Type: "string", Pattern: f.bounds["pattern"]}
	for _, value := range f.enum {
		s.Enum = append(s.Enum, value)
	}
	for bound, p := range map[string]**uint64{"minLength": &s.MinLength, "maxLength": &s.MaxLength} {
		if n := uint64(f.count(bound)); n > 0 {
			*p = &n
		}
	}
	switch t {
	case reflect.TypeFor[Provider]():
		for _, one := range testServices() {
			if !one.Operator {
				s.Enum = append(s.Enum, one.Name)
			}
		}
		return s
	case reflect.TypeFor[Glob](), reflect.TypeFor[Pattern](), reflect.TypeFor[Handle](), reflect.TypeFor[Name](), reflect.TypeFor[Argument](), reflect.TypeFor[Seconds]():
		return s
	case reflect.TypeFor[USD]():
		return &jsonschema.Schema{Type: "number"}
	case reflect.TypeFor[Criteria]():
		name, weight := readTag(field{}, criterionName), readTag(field{}, criterionWeight)
		low, high, length := uint64(minCriteria), uint64(maxCriteria), uint64(name.count("maxLength"))
		return &jsonschema.Schema{
			Type: "object", MinProperties: &low, MaxProperties: &high,
			PropertyNames:        &jsonschema.Schema{Pattern: name.bounds["pattern"], MaxLength: &length},
			AdditionalProperties: &jsonschema.Schema{Type: "integer", Minimum: json.Number(weight.bounds["minimum"]), Maximum: json.Number(weight.bounds["maximum"])},
		}
	}
	if s.Enum != nil {
		return s
	}
	return nil
}

// testServices are those of the program.
func testServices() Services {
	var all Services
	for _, p := range provider.All() {
		all = append(all, Service{Name: p.Name, Operator: p.Command || p.Ambient, APIs: p.APIs, Command: p.Free, Files: p.Files})
	}
	return all
}

// testVocabulary is that of the program, with a few built-in rules.
func testVocabulary() Vocabulary {
	rules := []Rule{{ID: "secrets/password", Shown: true}, {ID: "shell/chmod-777"}, {ID: "sql/truncate", Shown: true}}
	return Vocabulary{Services: testServices(), Rules: rules}
}

// parse reads the settings of a repository, and parseOperator those of an operator.
func parse(name string, data []byte) (Config, error) { return testVocabulary().Parse(name, data) }

func parseOperator(name string, data []byte) (Config, error) {
	return testVocabulary().ParseOperator(name, data)
}

// forRepository takes out what only an operator can set.
func forRepository(root *jsonschema.Schema, t reflect.Type) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[Criterion]() {
		return
	}
	s := root
	if def, ok := root.Definitions[t.Name()]; ok {
		s = def
	}
	for i := range t.NumField() {
		f := fieldOf(t.Field(i))
		property, ok := s.Properties.Get(f.name)
		if !ok {
			continue
		}
		if limit, ok := strings.CutPrefix(f.operator, "above="); ok {
			property.Maximum = json.Number(limit)
		}
		if f.operator == "only" {
			s.Properties.Delete(f.name)
			if item := t.Field(i).Type; item.Kind() == reflect.Slice {
				delete(root.Definitions, item.Elem().Name())
			}
			continue
		}
		forRepository(root, t.Field(i).Type)
	}
}

func TestSchemaIsGenerated(t *testing.T) {
	t.Parallel()
	got := generate(t)
	golden.Same(t, "schema.json", got)
	if strings.Contains(string(got), "operator") && !strings.Contains(string(got), "can only be set by the operator") {
		t.Error("the schema of a repository names settings of the operator")
	}
	if !strings.Contains(string(Sample()), "$schema="+schemaAddress+"\n") {
		t.Error("the sample does not name the schema by its id")
	}
}

func compiled(t testing.TB) *validator.Schema {
	t.Helper()
	doc, err := validator.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validate checks a YAML file as an editor does.
func validate(s *validator.Schema, file string) error {
	asJSON, err := yaml.YAMLToJSON([]byte(strings.TrimPrefix(file, "\uFEFF")))
	if err != nil {
		return err
	}
	if strings.TrimSpace(string(asJSON)) == "null" {
		asJSON = []byte("{}") // an empty file sets nothing
	}
	doc, err := validator.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		return err
	}
	return s.Validate(doc)
}

// TestSchemaAgrees: what Parse accepts is right for an editor, and what only
// Parse can see (sums, globs, names that must exist) is marked in the table.
func TestSchemaAgrees(t *testing.T) {
	t.Parallel()
	s := compiled(t)
	if err := validate(s, string(Sample())); err != nil {
		t.Errorf("the sample does not fit the schema: %v", err)
	}
	for _, c := range goodFiles {
		if err := validate(s, c.in); err != nil {
			t.Errorf("%s: Parse accepts it, the schema does not: %v", c.name, err)
		}
	}
	for _, c := range badFiles {
		if c.notSchema {
			continue
		}
		if err := validate(s, c.in); err == nil {
			t.Errorf("%s: the schema accepts %q", c.name, c.in)
		}
	}
}
