package prompt

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

// A reply that asks to see something and answers nothing is a question, however it is
// wrapped. One that answers is an answer.
func TestLooks(t *testing.T) {
	t.Parallel()
	read := debate.Look{Kind: debate.LookRead, Path: "a.go"}
	for raw, want := range map[string][]debate.Look{
		`{"look": [{"read": {"path": "a.go"}}]}`:                                                           {read},
		`{"look": {"read": {"path": "a.go"}}, "summary": "wait", "claims": [], "verdict": "", "p1": null}`: {read},
		"I need more.\n```json\n{\"look\": [{\"read\": \"a.go\"}]}\n```":                                   {read},
		`{"look": [{"read": {"path": "a.go", "start_line": 3, "end_line": 9, "side": "left", "max": 3}}]}`: {{Kind: debate.LookRead, Path: "a.go", StartLine: 3, EndLine: 9, Side: debate.Left}},
		`{"look": [{"grep": {"pattern": "A\\(", "paths": ["*.go", 7], "max": 5}}, {"list": "dir"}]}`:       {{Kind: debate.LookGrep, Pattern: `A\(`, Paths: []string{"*.go"}, Max: 5}, {Kind: debate.LookList, Path: "dir"}},
		`{"look": [{"run": "rm -rf /"}, 7, {"read": {"path": 7}}]}`:                                        {{}, {}, {Kind: debate.LookRead}},
		`{"look": []}`: nil,
		`{"look": [{"read": "a.go"}], "disposition": "keep"}`:               nil,
		`{"look": [{"read": "a.go"}], "evaluations": [{"claim": "F1"}]}`:    nil,
		`{"look": [{"read": "a.go"}], "p1": ["a.go:3 panics"]}`:             nil,
		`{"look": [{"read": "a.go"}`:                                        nil,
		`{"look": "a.go"}`:                                                  {{}},
		`{"disposition": "keep"}`:                                           nil,
		`I would like to look at a.go`:                                      nil,
		`{"look": [{"read": "b.go"}]} {"look": [{"read": "a.go"}]} or both`: {read},
		`Is it {"disposition": "keep"}? {"look": [{"read": "a.go"}]}`:       {read},
		`{"look": [{"read": "a.go"}]} No: {"disposition": "keep"}`:          nil,
		"A map[string]interface{}.\n" + `{"look": [{"read": "a.go"}]}`:      {read},
	} {
		got, ok := Looks([]byte(raw))
		if diff := cmp.Diff(want, got); diff != "" || ok != (len(want) > 0) {
			t.Errorf("%s: %v\n%s", raw, ok, diff)
		}
	}
	for kind, raw := range map[debate.CallKind]string{
		debate.CallRespond: `{"look": [{"read": "a.go"}], "summary": "wait"}`, debate.CallOpen: `{"look": [{"read": "a.go"}]}`, debate.CallJudge1: `{"look": [{"list": ""}]}`,
	} {
		if _, err := Read(kind, []byte(raw)); err == nil {
			t.Errorf("%s: a question is taken for an answer", kind)
		}
	}
	if r, err := Read(debate.CallOpen, []byte(`{"look": [{"read": "a.go"}], "disposition": "keep"}`)); err != nil || r.Ignored != 1 {
		t.Errorf("an answer that would also look: %+v, %v", r, err)
	}
}
