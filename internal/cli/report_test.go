package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestSameOutcome has a row for each way in which a recorded outcome can be that of the events, or not.
func TestSameOutcome(t *testing.T) {
	t.Parallel()
	const found = `{"calls":3,"exchanges":1,"findings":["F1/P1/agreed"]}`
	for name, c := range map[string]struct{ recorded, want string }{
		"the same":            {found, ""},
		"another number":      {`{"calls":4,"exchanges":1,"findings":["F1/P1/agreed"]}`, `in "calls": the record says "4", the events lead to "3"`},
		"another list":        {`{"calls":3,"exchanges":1,"findings":["F1/P3/agreed"]}`, `in "findings"`},
		"a list is missing":   {`{"calls":3,"exchanges":1}`, `in "findings"`},
		"one member more":     {`{"calls":3,"exchanges":1,"exit":"stopped","findings":["F1/P1/agreed"]}`, `in "exit"`},
		"of an earlier build": {`{"calls":3,"claims":[{"id":"F1"}],"exchanges":1,"parties":[{"id":"a"}],"primary":"a"}`, ""},
		"of an earlier build, with another number": {`{"calls":4,"exchanges":1,"parties":[{"id":"a"}]}`, `in "calls"`},
		"no outcome": {`[]`, "read the outcome of the record"},
		"no terminal reads the bytes of a record raw": {"{\"calls\":3,\"exchanges\":1,\"\u202e\":1,\"findings\":[\"F1/P1/agreed\"]}", `in "\u202e"`},
	} {
		err := sameOutcome(json.RawMessage(c.recorded), json.RawMessage(found))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
