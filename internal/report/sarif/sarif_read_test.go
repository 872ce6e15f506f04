package sarif

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
)

const lintResults = `{
  "version": "2.1.0",
  "runs": [
    {
      "tool": {"driver": {"name": "lint", "rules": [
        {"id": "quiet", "defaultConfiguration": {"level": "note"}},
        {"id": "loud", "defaultConfiguration": {"level": "error"}}
      ]}},
      "originalUriBaseIds": {"%SRCROOT%": {"uri": "file:///build/repo/"}},
      "results": [
        {"ruleId": "other", "message": {"text": "no level is a warning"},
         "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a%20b.go"}, "region": {"startLine": 3, "endLine": 5}}}]},
        {"ruleId": "quiet", "message": {"text": "a note"},
         "locations": [{"physicalLocation": {"artifactLocation": {"uri": "./x/../a.go"}, "region": {"startLine": 3}}}]},
        {"ruleId": "loud", "message": {"text": "x shadows y"},
         "locations": [{"physicalLocation": {"artifactLocation": {"uri": "file:///build/repo/pkg/a.go"}, "region": {"startLine": 7, "endLine": 2}}}]},
        {"ruleId": "loud", "level": "note", "message": {"text": "its own level counts"},
         "locations": [{"physicalLocation": {"artifactLocation": {"uri": "by/index.go"}, "region": {"startLine": 1}}}]},
        {"ruleId": "loud", "suppressions": [{"kind": "inSource"}], "message": {"text": "suppressed"}},
        {"ruleId": "loud", "suppressions": [{"kind": "external", "status": "rejected"}], "message": {"markdown": "not **suppressed**"}},
        {"ruleId": "loud", "kind": "pass", "message": {"text": "passed"}},
        {"ruleId": "loud", "baselineState": "absent", "message": {"text": "gone"}},
        {"rule": {"id": "loud"}, "message": {"text": "at home"},
         "locations": [{"physicalLocation": {"artifactLocation": {"uri": "file:///home/me/repo/b.go"}, "region": {"startLine": 1}}}]}
      ]
    },
    {"results": [{"message": {"text": "nobody's"}}]}
  ]
}`

func TestReadSARIF(t *testing.T) {
	t.Parallel()
	got, err := Read([]byte("\xEF\xBB\xBF"+lintResults), "/home/me/repo")
	if err != nil {
		t.Fatal(err)
	}
	want := []debate.Run{
		{Name: "lint: other", Failed: true, Path: "a b.go", StartLine: 3, EndLine: 5, Text: "no level is a warning"},
		{Name: "lint: quiet", Path: "a.go", StartLine: 3, EndLine: 3, Text: "a note"},
		{Name: "lint: loud", Failed: true, Path: "pkg/a.go", StartLine: 7, EndLine: 7, Text: "x shadows y"},
		{Name: "lint: loud", Path: "by/index.go", StartLine: 1, EndLine: 1, Text: "its own level counts"},
		{Name: "lint: loud", Text: "suppressed"},
		{Name: "lint: loud", Failed: true, Text: "not **suppressed**"},
		{Name: "lint: loud", Text: "passed"},
		{Name: "lint: loud", Text: "gone"},
		{Name: "lint: loud", Failed: true, Path: "b.go", StartLine: 1, EndLine: 1, Text: "at home"},
		{Name: "unnamed tool", Failed: true, Text: "nobody's"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(debate.Run{}, "Hash")); diff != "" {
		t.Error(diff)
	}
	seen := map[string]bool{}
	for _, r := range got {
		if len(r.Hash) != 64 || seen[r.Hash] {
			t.Errorf("hash %q of %q", r.Hash, r.Text)
		}
		seen[r.Hash] = true
	}
}

// TestSARIFReadsItsOwn: what this program writes it also reads.
func TestSARIFReadsItsOwn(t *testing.T) {
	t.Parallel()
	data, err := Render(report.Envelope{P1: []report.Finding{{ID: "F1", Severity: debate.P1, Category: "security", Title: "A [t]", Path: "a:b.go", Line: 2, EndLine: 3, Side: debate.Right}}}, nil, "v1")
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(data, "")
	if err != nil || len(got) != 1 || !got[0].Failed || got[0].Path != "a:b.go" || got[0].StartLine != 2 || got[0].EndLine != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestReadSARIFPaths(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]string{
		"a/b.go": "a/b.go", "a\\\\b.go": "a/b.go", "../a.go": "", "a/../../b.go": "", "..": "", ".": "", "": "",
		"/etc/passwd": "", "/repo/a.go": "a.go", "file:///repo/a.go": "a.go", "file:///repository/a.go": "", "/repo/../a.go": "",
		"https://example.com/a.go": "", "%zz": "", "%ff.go": "", "/repo": "",
	} {
		file := fmt.Sprintf(`{"version":"2.1.0","runs":[{"results":[{"locations":[{"physicalLocation":{"artifactLocation":{"uri":"%s"},"region":{"startLine":4}}}]}]}]}`, uri)
		got, err := Read([]byte(file), "/repo")
		if err != nil || len(got) != 1 || got[0].Path != want || (got[0].StartLine == 4) != (want != "") {
			t.Errorf("%q: %+v, %v", uri, got, err)
		}
	}
}

func TestReadSARIFRefuses(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                 "no JSON: line 1",
		"{\n\n\"version\": ,":              "no JSON: line 3",
		"[]":                               "line 1: all of it is of type array",
		`{"version": "2.1.0"}`:             "it has no runs",
		`{"version": "1.0.0", "runs": []}`: `its version is "1.0.0"`,
		`{"runs": []}`:                     `its version is ""`,
		"{\"version\": \"2.1.0\",\n\"runs\": [{\"results\": [{\"ruleId\": 5}]}]}": "line 2: runs.results.ruleId is of type number",
		strings.Repeat(" ", MaxBytes+1):                                           "larger than",
		strings.Repeat("[", 1<<20):                                                "no JSON",
	} {
		_, err := Read([]byte(in), "")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", in, err, want)
		}
	}
}

// TestSharedTextIsBounded: what many results refer to is not worked through for
// each of them in full.
func TestSharedTextIsBounded(t *testing.T) {
	t.Parallel()
	const results = 5_000
	long := strings.Repeat("x{0}/", 200_000)
	file := fmt.Sprintf(`{"version":"2.1.0","runs":[{
"tool":{"driver":{"name":"%[1]s","rules":[{"id":"r"}]}},"originalUriBaseIds":{"%%SRCROOT%%":{"uri":"file:///%[1]s"}},
"results":[{"ruleId":"%[1]s"}%[2]s]}]}`, long, strings.Repeat(`,
{"ruleId":"r","message":{"text":"a"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"/a.go"}}}]}`, results))
	got, err := Read([]byte(file), "/r")
	if err != nil || len(got) != results+1 {
		t.Fatalf("%d results, %v", len(got), err)
	}
	for _, r := range got {
		if r.Path != "" || utf8.RuneCountInString(r.Text) > maxRunText || utf8.RuneCountInString(r.Name) > maxRunName {
			t.Fatalf("%.300s", fmt.Sprint(r))
		}
	}
}

func FuzzReadSARIF(f *testing.F) {
	f.Add([]byte(lintResults))
	f.Add([]byte(`{"version":"2.1.0","runs":[null,{"tool":{"driver":null,"extensions":[null]},"results":[null,{"locations":[null],"message":{}}]}]}`))
	f.Add([]byte(`{"version":"2.1.0","runs":[{"artifacts":[null,{}],"results":[{"locations":[{"physicalLocation":{"artifactLocation":{"index":1}}}]}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		runs, err := Read(data, "/repo")
		if err != nil && runs != nil {
			t.Error("results and an error")
		}
		for _, r := range runs {
			if !utf8.ValidString(r.Name+r.Text+r.Path) || strings.HasPrefix(r.Path, "/") || strings.HasPrefix(r.Path, "..") && (r.Path == ".." || r.Path[2] == '/') ||
				r.StartLine < 0 || r.EndLine < r.StartLine || r.Path == "" && r.StartLine != 0 ||
				utf8.RuneCountInString(r.Text) > maxRunText || utf8.RuneCountInString(r.Name) > maxRunName {
				t.Errorf("%+v", r)
			}
		}
	})
}
