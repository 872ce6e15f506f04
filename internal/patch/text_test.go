package patch

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// texts are diffs that no repository stands behind; the fuzz target starts from
// them too.
var texts = []struct {
	name string
	text string
	want []string
}{
	{"nothing", "", []string{}},
	{"prose", "hello\n@@ -1 +1 @@\n-a\n+b\n--- a\n", []string{}},
	{
		"diff -u", "--- f.go.orig\t2026-01-02 03:04:05.000000000 +0000\n+++ f.go\t2026-01-02 03:04:05.000000000 +0000\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "f.go" "f.go" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"diff -ruN", "diff -ruN old/d/f new/d/f\n--- old/d/f\t2026-01-02 03:04:05 +0000\n+++ new/d/f\t2026-01-02 03:04:05 +0000\n@@ -1 +1 @@\n-a\n+b\n" +
			"diff -ruN old/g new/g\n--- old/g\t1970-01-01 00:00:00.000000000 +0000\n+++ new/g\t2026-01-02 03:04:05 +0000\n@@ -0,0 +1 @@\n+b\n" +
			"Only in new: h\nBinary files old/i and new/i differ\n",
		[]string{
			`modified text "d/f" "d/f" 0 0 +1 -1 @-1,1+1,1`,
			`added text "" "new/g" 0 0 +1 -0 @-0,0+1,1`,
			`modified text "new/h" "new/h" 0 0 +0 -0 UNPARSED: it exists on one side only and its lines are not in the diff`,
			`modified binary "i" "i" 0 0 +0 -0`,
		},
	},
	{
		"other forms of diff -r among files that can be read", "diff -rc old/d/f new/d/f\n*** old/d/f\t2026-01-02 03:04:05 +0000\n--- new/d/f\t2026-01-02 03:04:05 +0000\n***************\n*** 1,2 ****\n" +
			"--- 1,3 ----\n  a\n+ b\n  c\nBinary files old/i and new/i differ\ndiff -r old/g new/g\n1a2\n> b\ndiff -re old/h new/h\n1a\nb\n.\n" +
			"--- old/k\t2026-01-02 03:04:05 +0000\n+++ new/k\t2026-01-02 03:04:05 +0000\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{
			`modified text "d/f" "d/f" 0 0 +0 -0 UNPARSED: its lines are not in the unified form: write it with diff -u`,
			`modified binary "i" "i" 0 0 +0 -0`,
			`modified text "g" "g" 0 0 +0 -0 UNPARSED: its lines are not in the unified form: write it with diff -u`,
			`modified text "h" "h" 0 0 +0 -0 UNPARSED: its lines are not in the unified form: write it with diff -u`,
			`modified text "k" "k" 0 0 +1 -1 @-1,1+1,1`,
		},
	},
	{
		"names with git's prefixes and no diff line", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/g\n@@ -0,0 +1 @@\n+b\n--- a/h\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n",
		[]string{
			`modified text "f" "f" 0 0 +1 -1 @-1,1+1,1`,
			`added text "" "g" 0 0 +1 -0 @-0,0+1,1`,
			`deleted text "h" "" 0 0 +0 -1 @-1,1+0,0`,
		},
	},
	{
		"svn", "Index: trunk/f\n===================\n--- trunk/f\t(revision 1)\n+++ trunk/f\t(working copy)\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "trunk/f" "trunk/f" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"a plain hunk that claims the next file", "--- f\n+++ f\n@@ -1,9 +1,9 @@\n-a\n+b\n--- g\n+++ g\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{
			`modified text "f" "f" 0 0 +0 -0 UNPARSED: the hunk @@ -1,9 +1,9 @@ does not have the lines that its header says`,
			`modified text "g" "g" 0 0 +1 -1 @-1,1+1,1`,
		},
	},
	{
		"a git hunk whose content claims a file", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,9 +1,9 @@\n-a\n+b\n--- g\n+++ g\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/h b/h\n--- a/h\n+++ b/h\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{
			`modified text "f" "f" 0 0 +0 -0 UNPARSED: the hunk @@ -1,9 +1,9 @@ does not have the lines that its header says`,
			`modified text "h" "h" 0 0 +1 -1 @-1,1+1,1`,
		},
	},
	{
		"lines that end in CR LF throughout", "diff --git a/x y b/x y\r\nold mode 100644\r\nnew mode 100755\r\n--- a/x y\t\r\n+++ b/x y\t\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n\\ No newline at end of file\r\n",
		[]string{`modified text "x y" "x y" 100644 100755 +1 -1 @-1,1+1,1`},
	},
	{
		"a context line whose blank a mailer stripped", "--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n",
		[]string{`modified text "f" "f" 0 0 +1 -1 @-1,3+1,3`},
	},
	{
		"another language for the missing newline", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ Kein Zeilenumbruch am Dateiende.\n+b\n\\ Kein Zeilenumbruch am Dateiende.\n",
		[]string{`modified text "f" "f" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"no newline at the end of the text", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b",
		[]string{`modified text "f" "f" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"an absolute path", "--- /etc/passwd\n+++ /etc/passwd\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "/etc/passwd" "/etc/passwd" 0 0 +0 -0 UNPARSED: its path is absolute`},
	},
	{
		"a change of Perforce", "Affected files ...\n\n... //depot/main/new.sql#1 add\n... //depot/main/a b.txt#4 edit\n\nDifferences ...\n\n==== //depot/main/a b.txt#4 (text) ====\n\n@@ -1 +1 @@\n-a\n+b\n\n==== //depot/main/x.png#2 (binary) ====\n\n",
		[]string{
			`modified text "depot/main/new.sql" "depot/main/new.sql" 0 0 +0 -0 UNPARSED: it exists on one side only and its lines are not in the diff`,
			`modified text "depot/main/a b.txt" "depot/main/a b.txt" 0 0 +1 -1 @-1,1+1,1`,
			`modified text "depot/main/x.png" "depot/main/x.png" 0 0 +0 -0 UNPARSED: its header is followed by no hunk`,
		},
	},
	{
		"a work area of Perforce", "--- //depot/main/f\t2024-01-01 00:00:00\n+++ /home/u/ws/main/f\t2024-01-02 00:00:00\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "depot/main/f" "depot/main/f" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"a file of CVS", "Index: f\n=====\nRCS file: /cvs/f,v\nretrieving revision 1.3\ndiff -u -r1.3 f\n--- f\t1 Jan 2024 00:00:00 -0000\t1.3\n+++ f\t2 Jan 2024 00:00:00 -0000\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "f" "f" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"a path that climbs", "diff --git a/../../x b/../../x\n--- a/../../x\n+++ b/../../x\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "../../x" "../../x" 0 0 +0 -0 UNPARSED: its path leaves the repository`},
	},
	{
		"a path that looks like an option", "--- a/-rf\n+++ b/-rf\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "-rf" "-rf" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"a NUL in a path", "--- a/x\x00y\n+++ b/x\x00y\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "x\x00y" "x\x00y" 0 0 +0 -0 UNPARSED: its name has a NUL byte`},
	},
	{
		"no name at all", "diff --git \n",
		[]string{`modified text "" "(no name)" 0 0 +0 -0 UNPARSED: the name in its header cannot be read`},
	},
	{
		"names that contradict each other", "diff --git a/x b/x\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "x" "x" 0 0 +0 -0 UNPARSED: the names in its header contradict each other`},
	},
	{
		"two files that are no versions of one", "diff --git a/old.go b/dir/new.go\nindex 1..2 100644\n--- a/old.go\n+++ b/dir/new.go\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "dir/new.go" "dir/new.go" 100644 100644 +1 -1 @-1,1+1,1`},
	},
	{
		"half a rename", "diff --git a/x b/y\nrename from x\n",
		[]string{`modified text "a/x b/y" "a/x b/y" 0 0 +0 -0 UNPARSED: the name in its header cannot be read`},
	},
	{
		"a header that stops", "diff --git a/x b/x\n--- a/x\nfoo\ndiff --git a/y b/y\n--- a/y\n+++ b/y\n",
		[]string{
			`modified text "x" "x" 0 0 +0 -0 UNPARSED: its header names only one side`,
			`modified text "y" "y" 0 0 +0 -0 UNPARSED: its header is followed by no hunk`,
		},
	},
	{
		"a hunk without names", "diff --git a/x b/x\nindex 1..2 100644\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "x" "x" 100644 100644 +0 -0 UNPARSED: its header has a hunk and no names`},
	},
	{
		"a hunk after prose", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\nprose\n@@ -5 +5 @@\n-a\n+b\n",
		[]string{`modified text "f" "f" 0 0 +0 -0 UNPARSED: one of its hunks is apart from the others`},
	},
	{
		"binary and lines", "diff --git a/x b/x\nBinary files a/x and b/x differ\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified binary "x" "x" 0 0 +0 -0 UNPARSED: its header says binary, but lines follow`},
	},
	{
		"hunks out of order", "--- f\n+++ f\n@@ -9 +9 @@\n-a\n+b\n@@ -5 +5 @@\n-a\n+b\n",
		[]string{`modified text "f" "f" 0 0 +0 -0 UNPARSED: its hunks overlap or are out of order`},
	},
	{
		"hunks out of order on one side", "--- f\n+++ f\n@@ -5 +5 @@\n-a\n+b\n@@ -9 +5 @@\n-a\n+b\n--- g\n+++ g\n@@ -5 +5 @@\n-a\n+b\n@@ -5 +9 @@\n-a\n+b\n",
		[]string{
			`modified text "f" "f" 0 0 +0 -0 UNPARSED: its hunks overlap or are out of order`,
			`modified text "g" "g" 0 0 +0 -0 UNPARSED: its hunks overlap or are out of order`,
		},
	},
	{
		"a hunk with too many lines of one side", "--- f\n+++ f\n@@ -1 +1 @@\n+b\n+c\n-a\n--- g\n+++ g\n@@ -1 +1 @@\n-b\n-c\n+a\n--- h\n+++ h\n@@ -1 +1,2 @@\n-a\n+a\n a\n",
		[]string{
			`modified text "f" "f" 0 0 +0 -0 UNPARSED: the hunk @@ -1,1 +1,1 @@ does not have the lines that its header says`,
			`modified text "g" "g" 0 0 +0 -0 UNPARSED: the hunk @@ -1,1 +1,1 @@ does not have the lines that its header says`,
			`modified text "h" "h" 0 0 +0 -0 UNPARSED: the hunk @@ -1,1 +1,2 @@ does not have the lines that its header says`,
		},
	},
	{
		"a missing newline in the middle", "--- f\n+++ f\n@@ -0,0 +1,2 @@\n+a\n\\ No newline at end of file\n+b\n",
		[]string{`modified text "f" "f" 0 0 +0 -0 UNPARSED: the lines of the hunk @@ -0,0 +1,2 @@ can be read in two ways`},
	},
	{
		"content of a lost git hunk that claims a file", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -x +1 @@\n--- g\n+++ g\n@@ -5 +5 @@\n-a\n+b\n",
		[]string{`modified text "f" "f" 0 0 +0 -0 UNPARSED: one of its hunk headers cannot be read`},
	},
	{
		"a deletion and an addition that are no change of type", "diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n" +
			"diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+b\n",
		[]string{`deleted text "f" "" 100644 0 +0 -0 UNPARSED: the diff changes it more than once, one version after another`},
	},
	{
		"a change of type with something between", "diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n" +
			"diff --git a/g b/g\nnew file mode 100644\ndiff --git a/f b/f\nnew file mode 120000\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+b\n",
		[]string{
			`deleted text "f" "" 100644 0 +0 -0 UNPARSED: the diff changes it more than once, one version after another`,
			`added text "" "g" 0 100644 +0 -0`,
		},
	},
	{
		"a commit message that shows a hunk", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n-- \n2.39.5\n\nFrom 0123 Mon\nSubject: x\n\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "f" "f" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"a hunk after prose that looks like a note", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\nOnly in g: h\n@@ -9 +9 @@\n-a\n+b\n",
		[]string{`modified text "f" "f" 0 0 +0 -0 UNPARSED: one of its hunks is apart from the others`},
	},
	{
		"a hunk of context", "--- f\n+++ f\n@@ -1 +1 @@\n a\n",
		[]string{`modified text "f" "f" 0 0 +0 -0 UNPARSED: one of its hunks changes nothing`},
	},
	{
		"a new file with an old side", "diff --git a/x b/x\nnew file mode 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`added text "" "x" 0 100644 +0 -0 UNPARSED: the names in its header contradict each other`},
	},
	{
		"a new file whose hunk has old lines", "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`added text "" "x" 0 100644 +0 -0 UNPARSED: its header and its hunks disagree on whether the file existed`},
	},
	{
		"a deleted file whose hunk has new lines", "diff --git a/x b/x\n--- a/x\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`deleted text "x" "" 0 0 +0 -0 UNPARSED: its header and its hunks disagree on whether the file existed`},
	},
	{
		"line numbers out of range", "--- f\n+++ f\n@@ -99999999999 +1 @@\n-a\n+b\n",
		[]string{`modified text "f" "f" 0 0 +0 -0 UNPARSED: one of its hunk headers cannot be read`},
	},
	{
		"negative line numbers", "--- f\n+++ f\n@@ --1 +-1 @@\n-a\n+b\n",
		[]string{`modified text "f" "f" 0 0 +0 -0 UNPARSED: one of its hunk headers cannot be read`},
	},
	{
		"an unresolved conflict", "* Unmerged path d/f\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{
			`modified text "d/f" "d/f" 0 0 +0 -0 UNPARSED: its merge conflict is not resolved`,
			`modified text "x" "x" 0 0 +1 -1 @-1,1+1,1`,
		},
	},
	{
		"prose that looks like a note of diff -r", "Only in this case: it helps\nBinary files are hard to differ\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "x" "x" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"names that are empty", "--- \n+++ \n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "" "(no name)" 0 0 +0 -0 UNPARSED: it has no name`},
	},
	{
		"a new file that only its names tell of", "diff --git a/x b/x\nindex 1..2 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n",
		[]string{`added text "" "x" 0 100644 +1 -0 @-0,0+1,1`},
	},
	{
		"a deleted file that only its names tell of", "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
		[]string{`deleted text "x" "" 100644 0 +0 -1 @-1,1+0,0`},
	},
	{
		"half a rename, the new name", "diff --git a/x b/y\nrename to y\n",
		[]string{`renamed text "" "y" 0 0 +0 -0 UNPARSED: its header names only one side of a rename`},
	},
	{
		"half a rename, no new name", "diff --git a/x b/y\nrename from x\nrename to \n",
		[]string{`renamed text "x" "x" 0 0 +0 -0 UNPARSED: its header names only one side of a rename`},
	},
	{
		"a name with blanks after prefixes of two lengths", "diff --git before/a b now/a b\n--- before/a b\t\n+++ now/a b\t\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "a b" "a b" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"a new name that contradicts the header", "diff --git a/x b/x\n--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "x" "x" 0 0 +0 -0 UNPARSED: the names in its header contradict each other`},
	},
	{
		"a new file without a new side", "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+b\n",
		[]string{`added text "" "x" 0 100644 +0 -0 UNPARSED: the names in its header contradict each other`},
	},
	{
		"a new file whose old name is a prefix alone", "diff --git a/x b/x\nnew file mode 100644\n--- a/\n+++ b/x\n@@ -0,0 +1 @@\n+b\n",
		[]string{`added text "" "x" 0 100644 +0 -0 UNPARSED: the names in its header contradict each other`},
	},
	{
		"diff -ruN, west of Greenwich", "--- old/f\t2026-01-02 03:04:05 -0500\n+++ new/f\t1969-12-31 19:00:00 -0500\n@@ -1 +0,0 @@\n-a\n",
		[]string{`deleted text "old/f" "" 0 0 +0 -1 @-1,1+0,0`},
	},
	{
		"diff -u in a directory", "--- d/f.orig\n+++ d/f\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "d/f" "d/f" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"a hunk that begins at line 0", "--- f\n+++ f\n@@ -0 +1 @@\n-a\n+b\n",
		[]string{`modified text "f" "f" 0 0 +0 -0 UNPARSED: its hunks overlap or are out of order`},
	},
	{
		"prose after a note in a diff of git", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n* Unmerged path d/f\nOnly in this case: it helps\n",
		[]string{
			`modified text "x" "x" 0 0 +1 -1 @-1,1+1,1`,
			`modified text "d/f" "d/f" 0 0 +0 -0 UNPARSED: its merge conflict is not resolved`,
		},
	},
	{
		"a binary file behind a file without its last newline", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+bdiff --git a/c.bin b/c.bin\nindex 1..2 100644\nBinary files a/c.bin and b/c.bin differ\n",
		[]string{
			`modified text "x" "x" 0 0 +1 -1 @-1,1+1,1`,
			`modified binary "c.bin" "c.bin" 0 0 +0 -0`,
		},
	},
	{
		"a rename behind a file without its last newline", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+bdiff --git a/c b/d\nsimilarity index 100%\nrename from c\nrename to d\n",
		[]string{`modified text "x" "x" 0 0 +0 -0 UNPARSED: the header of the next file is in its last line`},
	},
	{
		"prose before a combined diff", "Only in this case: it helps\n\ndiff --combined d/f\nindex 1,2..3\n--- a/d/f\n+++ b/d/f\n@@@ -1 -1 +1 @@@\n--a\n++b\n",
		[]string{`modified text "d/f" "d/f" 0 0 +0 -0 UNPARSED: it is a combined diff of a merge, which has no single old side`},
	},
	{
		"prose after a header", "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n\nIndex: f\n--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{
			`modified text "x" "x" 100644 100755 +0 -0`,
			`modified text "f" "f" 0 0 +1 -1 @-1,1+1,1`,
		},
	},
	{
		"a context line too many", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n c\n",
		[]string{`modified text "f" "f" 0 0 +0 -0 UNPARSED: a hunk has more lines than its header says`},
	},
	{
		"a conflict after a lost section of git", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -x +1 @@\n* Unmerged path d/f\n",
		[]string{
			`modified text "x" "x" 0 0 +0 -0 UNPARSED: one of its hunk headers cannot be read`,
			`modified text "d/f" "d/f" 0 0 +0 -0 UNPARSED: its merge conflict is not resolved`,
		},
	},
	{
		"words of git in a lost section that is not git's", "--- f\n+++ f\n@@ -x +1 @@\n* Unmerged path d/f\n",
		[]string{`modified text "f" "f" 0 0 +0 -0 UNPARSED: one of its hunk headers cannot be read`},
	},
	{
		"a note on a missing newline before any line", "--- f\n+++ f\n@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n",
		[]string{`modified text "f" "f" 0 0 +0 -0 UNPARSED: the hunk @@ -1,1 +1,1 @@ does not have the lines that its header says`},
	},
	{
		"a note on a missing newline in a hunk without lines", "--- f\n+++ f\n@@ -1,0 +1,0 @@\n\\ No newline at end of file\n",
		[]string{`modified text "f" "f" 0 0 +0 -0 UNPARSED: a hunk has more lines than its header says`},
	},
	{
		"the tail of a mail whose blank was stripped", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n--\n2.39.5\n",
		[]string{`modified text "f" "f" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"the tail of a mail that ends in CR LF", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n-- \r\n2.39.5\r\n",
		[]string{`modified text "f" "f" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"a hunk after the tail of a mail", "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n\n-- \n2.39.5\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "f" "f" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"prose that begins like a note of diff -r, or ends like one", "Binary files are hard\nSome files differ\n--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "f" "f" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"names that the first line does not have", "diff --git \n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "f" "f" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"binary files of two names", "Binary files old/d/i and new/e/i differ\n",
		[]string{`modified binary "new/e/i" "new/e/i" 0 0 +0 -0`},
	},
	{
		"a line at the limit", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+" + strings.Repeat("b", lineLimit-2) + "\n",
		[]string{`modified text "f" "f" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"a line over the limit", "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+" + strings.Repeat("b", lineLimit) + "\n--- g\n+++ g\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{
			`modified text "f" "f" 0 0 +0 -0 UNPARSED: it has a line of more than 1 MiB`,
			`modified text "g" "g" 0 0 +1 -1 @-1,1+1,1`,
		},
	},
	{
		"a pull request as GitHub serves it, with a rename", "diff --git a/old name b/new name\nsimilarity index 50%\nrename from old name\nrename to new name\nindex 1..2 100644\n--- a/old name\n+++ b/new name\n@@ -1 +1 @@ func x() {\n-a\n+b\n",
		[]string{`renamed text "old name" "new name" 100644 100644 +1 -1 @-1,1+1,1`},
	},
	{
		"names without a hunk before another file", "--- a/f\n+++ b/f\n\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{
			`modified text "f" "f" 0 0 +0 -0 UNPARSED: its header is followed by no hunk`,
			`modified text "g" "g" 0 0 +1 -1 @-1,1+1,1`,
		},
	},
	{
		"binary files of Subversion and of Mercurial", "Index: trunk/i.png\n===================\nCannot display: file marked as a binary type.\nsvn:mime-type = image/png\n" +
			"Index: trunk/f\n===================\n--- trunk/f\t(revision 1)\n+++ trunk/f\t(working copy)\n@@ -1 +1 @@\n-a\n+b\n" +
			"diff -r 012345 j.png\nBinary file j.png has changed\n",
		[]string{
			`modified text "trunk/i.png" "trunk/i.png" 0 0 +0 -0 UNPARSED: its lines are not in the diff`,
			`modified text "trunk/f" "trunk/f" 0 0 +1 -1 @-1,1+1,1`,
			`modified binary "j.png" "j.png" 0 0 +0 -0`,
		},
	},
	{
		"Subversion in the form of git", "Index: f\n===================\ndiff --git a/f b/f\n--- a/f\t(revision 1)\n+++ b/f\t(working copy)\n@@ -1 +1 @@\n-a\n+b\n",
		[]string{`modified text "f" "f" 0 0 +1 -1 @-1,1+1,1`},
	},
	{
		"files of which diff -r shows no line", "Files a/f and b/f differ\nFile a/d is a directory while file b/d is a regular file\nSymbolic links a/l and b/l differ\n",
		[]string{
			`modified text "f" "f" 0 0 +0 -0 UNPARSED: its lines are not in the diff`,
			`modified text "d" "d" 0 0 +0 -0 UNPARSED: its lines are not in the diff`,
			`modified text "l" "l" 0 0 +0 -0 UNPARSED: its lines are not in the diff`,
		},
	},
	{
		"files of git without their lines", "diff --git a/f b/f\nindex 1234567..89abcde 100644\ndiff --git a/g b/g\ndeleted file mode 100644\nindex 1234567..0000000\n" +
			"diff --git a/h b/h\nnew file mode 100644\nindex 0000000..e69de29\ndiff --git a/i b/i\ndeleted file mode 100644\nindex e69de29..0000000\n",
		[]string{
			`modified text "f" "f" 100644 100644 +0 -0 UNPARSED: its lines are not in the diff`,
			`deleted text "g" "" 100644 0 +0 -0 UNPARSED: its lines are not in the diff`,
			`added text "" "h" 0 100644 +0 -0`,
			`deleted text "i" "" 100644 0 +0 -0`,
		},
	},
}

func TestTexts(t *testing.T) {
	t.Parallel()
	for _, tt := range texts {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, summaries(Parse([]byte(tt.text), nil))); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}
