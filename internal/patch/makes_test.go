package patch

import "testing"

// Hunks make one text of another, or not: a line that is missing, another one, or one
// that ends otherwise shows.
func TestMakes(t *testing.T) {
	t.Parallel()
	const head = "diff --git a/f b/f\n--- a/f\n+++ b/f\n"
	for name, test := range map[string]struct {
		hunks, before, after string
		want                 bool
	}{
		"a line changed":             {"@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "a\nb\nc\n", "a\nB\nc\n", true},
		"two hunks":                  {"@@ -1,2 +1,1 @@\n-a\n b\n@@ -9,1 +8,2 @@\n i\n+j\n", "a\nb\nc\nd\ne\nf\ng\nh\ni\n", "b\nc\nd\ne\nf\ng\nh\ni\nj\n", true},
		"a hunk is missing":          {"@@ -1,2 +1,1 @@\n-a\n b\n", "a\nb\nc\n", "b\nC\n", false},
		"the last lines are missing": {"@@ -1,2 +1,2 @@\n a\n-b\n+B\n", "a\nb\n", "a\nB\nC\n", false},
		"nothing changed":            {"", "a\nb\n", "a\nb\n", true},
		"nothing is shown":           {"", "a\n", "b\n", false},
		"no context, added":          {"@@ -1,0 +2,1 @@\n+b\n", "a\nc\n", "a\nb\nc\n", true},
		"no context, at the top":     {"@@ -0,0 +1,1 @@\n+a\n", "b\n", "a\nb\n", true},
		"no context, removed":        {"@@ -2,1 +1,0 @@\n-b\n", "a\nb\nc\n", "a\nc\n", true},
		"a new file":                 {"@@ -0,0 +1,2 @@\n+a\n+b\n", "", "a\nb\n", true},
		"a file that is gone":        {"@@ -1,2 +0,0 @@\n-a\n-b\n", "a\nb\n", "", true},
		"other lines before":         {"@@ -1,2 +1,2 @@\n a\n-b\n+B\n", "x\nb\n", "a\nB\n", false},
		"a replaced character":       {"@@ -1 +1 @@\n-a\n+\ufffd\n", "a\n", "\xfc\n", false},
		"no newline before":          {"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", "a", "a\n", true},
		"no newline after":           {"@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n", "a\n", "a", true},
		"no newline is not said":     {"@@ -1 +1 @@\n-b\n+a\n", "b\n", "a", false},
		"carriage returns":           {"@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n", "a\r\nb\r\n", "a\r\nB\r\n", true},
		"carriage returns are lost":  {"@@ -1,2 +1,2 @@\n a\n-b\n+B\n", "a\r\nb\r\n", "a\r\nB\r\n", false},
		"beyond the end":             {"@@ -7,1 +7,1 @@\n-g\n+G\n", "a\n", "a\n", false},
		"hunks that overlap":         {"@@ -1,2 +1,2 @@\n a\n-b\n+B\n@@ -2,1 +2,1 @@\n-b\n+B\n", "a\nb\n", "a\nB\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &File{}
			if test.hunks != "" {
				f = Parse([]byte(head+test.hunks), nil).Files[0]
			}
			if got := f.Makes([]byte(test.before), []byte(test.after)); got != test.want {
				t.Errorf("got %t with %d hunks (%s)", got, len(f.Hunks), f.Unparsed)
			}
		})
	}
}
