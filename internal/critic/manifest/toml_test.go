package manifest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParseTOML: lists stand on one line or on several, and a patch shows parts of a document.
func TestParseTOML(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		want []dependency
	}{
		"on one line": {"[project]\r\ndependencies = [\"a\", 'b[x] >= 1'] # of all\r\n", []dependency{{"a", "any", 2}, {"b", ">= 1", 2}}},
		"on several lines": {
			"[dependency-groups]\ntest = [ # of tests\n\n  # old: \"z\"\n  \"a; python_version < '3.9'\", {include-group = \"b\"},\n  'b @ git+https://b.test/b.git',\n]\nc = []\n",
			[]dependency{{"a", "; python_version < '3.9'", 5}, {"b", "@ git+https://b.test/b.git", 6}},
		},
		"tables": {
			"[tool.poetry.dependencies]\npython = \"*\"\na.version = \"1\"\n[dependencies.\"b\"]\npath = '../b'\nworkspace = true\n[tool.x]\npath = '../c'\n",
			[]dependency{{"a.version", "1", 3}, {"b", "path = '../b'", 5}},
		},
		"Pipfile":           {"[[source]]\nurl = 'https://a.test'\n[packages]\na = '*'\nb = '==1'\n", []dependency{{"a", "any", 4}, {"b", "==1", 5}}},
		"begins in a list":  {"\n\n  \"a\",\n]\n[dependencies]\nb = '1'\n", []dependency{{"b", "1", 6}}},
		"breaks off":        {"[dependencies]\na = '1'\nb = [\n\"c\",\n\n\n[dependencies]\nd = '2'\n", []dependency{{"a", "1", 2}, {"d", "2", 8}}},
		"nothing of a kind": {"<<<<<<< ours\n= =\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, parseTOML(tt.text), cmp.AllowUnexported(dependency{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}
