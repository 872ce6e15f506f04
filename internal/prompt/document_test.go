package prompt

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// row is a line of the tables for those who write a party, and quoted is a name
// in it.
var (
	row    = regexp.MustCompile("(?m)^\\| (`[^|]*) \\|([^|]*)\\|(?:([^|]*)\\|)?$")
	quoted = regexp.MustCompile("`([^`]*)`")
)

// tables are the rows of the section for those who write a party.
func tables(t *testing.T) [][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "developers", "party.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "\n## Writing a party\n")
	section, _, end := strings.Cut(section, "\n## ")
	if !ok || !end {
		t.Fatal("docs/developers/party.md has no section for those who write a party")
	}
	return row.FindAllStringSubmatch(section, -1)
}

// TestDocumentedReplies keeps the table of the calls equal to what is read.
func TestDocumentedReplies(t *testing.T) {
	t.Parallel()
	documented := make(map[debate.CallKind][]string)
	for _, r := range tables(t) {
		if name := strings.Trim(r[1], "`"); r[3] != "" {
			for _, member := range quoted.FindAllStringSubmatch(r[3], -1) {
				documented[debate.CallKind(name)] = append(documented[debate.CallKind(name)], member[1])
			}
		}
	}
	for _, kind := range []debate.CallKind{
		debate.CallOpen, debate.CallLocal, debate.CallChallenge, debate.CallRespond, debate.CallRebut,
		debate.CallJudge1, debate.CallJudge2, debate.CallScore, debate.CallArbiter, debate.CallSumUp,
	} {
		names := documented[kind]
		for _, other := range documented[kind] { // "those of OPEN"
			names = append(names, documented[debate.CallKind(other)]...)
		}
		r := &reader{}
		o, _ := r.object("", []byte("{}"))
		readKind(kind, o, &debate.Reply{})
		for _, name := range r.asked {
			if kind == debate.CallChallenge && name == "claims" { // is taken for new_claims
				continue
			}
			if !slices.Contains(names, name) {
				t.Errorf("docs/developers/party.md does not say that %s may have %s", kind, name)
			}
		}
	}
}

// TestDocumentedTurn keeps the table of the turn equal to what is sent: nothing
// that a turn does not have, and all that it has at the top but what only a
// model reads.
func TestDocumentedTurn(t *testing.T) {
	t.Parallel()
	said := make(map[string]bool)
	for _, r := range tables(t) {
		if r[3] != "" {
			continue
		}
		for _, name := range quoted.FindAllStringSubmatch(r[1], -1) {
			at := reflect.TypeFor[turn]()
			for _, part := range strings.Split(strings.ReplaceAll(name[1], "[]", ""), ".") {
				if at = memberOf(at, part); at == nil {
					t.Errorf("docs/developers/party.md: a turn has no %s", name[1])
					break
				}
				said[part] = true
			}
		}
	}
	for _, name := range []string{"answer", "ledger", "panel"} {
		said[name] = true // the request names them
	}
	for i := range reflect.TypeFor[turn]().NumField() {
		if name := jsonName(reflect.TypeFor[turn]().Field(i)); !said[name] {
			t.Errorf("docs/developers/party.md says nothing of turn.%s", name)
		}
	}
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// memberOf is the type of a member of an object or of the objects of a list, nil
// if there is none.
func memberOf(t reflect.Type, name string) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		if jsonName(t.Field(i)) == name {
			return t.Field(i).Type
		}
	}
	return nil
}
