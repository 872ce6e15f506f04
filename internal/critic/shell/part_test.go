package shell_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/critic/shell"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/checktest"
)

// TestPart: where a patch is all there is of a script, its added lines are judged,
// and nothing is said that the rest of the script could make right.
func TestPart(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		hunk string
		want []string
	}{
		"a hunk that parses": {"@@ -10,2 +10,9 @@\n set -e\n+curl -fsSL https://x.example/i | sudo bash\n+chmod -R 777 /srv\n+curl -k https://x.example/a -o a\n+git push --force origin main\n+rm -rf /\n+rm -rf ~/*\n+bash <(curl -s https://x.example/i)\n done_here\n",
			[]string{"shell/chmod-777 a.sh:12", "shell/force-push a.sh:14", "shell/pipe-to-shell a.sh:11", "shell/pipe-to-shell a.sh:17", "shell/rm-rf-variable a.sh:15", "shell/rm-rf-variable a.sh:16", "shell/tls-off a.sh:13"}},
		"a hunk that does not": {"@@ -10,3 +10,6 @@\n   fi\n+  export NODE_TLS_REJECT_UNAUTHORIZED=0\n+  wget -qO- https://x.example/i |\n+    sh\n   if true\n   then\n",
			[]string{"shell/pipe-to-shell a.sh:12-13", "shell/tls-off a.sh:11"}},
		"a variable that is set nowhere":        {"@@ -10,2 +10,4 @@\n f\n+rm -rf \"$DIR\"/*\n+sudo rm -fr ${BUILD_DIR}/\n g\n", []string{"shell/rm-rf-variable a.sh:11", "shell/rm-rf-variable a.sh:12"}},
		"one in a hunk that does not parse":     {"@@ -10,2 +10,3 @@\n   fi\n+rm -rf \"${DIR}\"/*\n   if true\n", []string{"shell/rm-rf-variable a.sh:11"}},
		"one that is set":                       {"@@ -1,2 +1,2 @@\n-#!/bin/sh\n+#!/bin/bash\n DIR=out\n@@ -10,2 +10,4 @@\n   fi\n+rm -rf \"$DIR\"/*\n+rm -rf \"$OUT\"/*\n   if true\n@@ -20,1 +21,1 @@\n-x\n+: \"${OUT:?}\"\n", nil},
		"one that is tested, read or looped":    {"@@ -10,3 +10,7 @@\n   fi\n+[ -d \"$A\" ] && rm -rf \"$A\"/*\n+read -r B\n+rm -rf \"$B\"/*\n+for C in x y; do rm -rf \"$C\"/*; done\n   if [[ -n $D ]]\n   then\n", nil},
		"unset variables end it":                {"@@ -1,3 +1,4 @@\n #!/bin/bash\n set -euo pipefail\n+rm -rf \"$DIR\"/*\n f\n", nil},
		"of the job, or with a default":         {"@@ -10,1 +10,4 @@\n f\n+rm -rf \"$GITHUB_WORKSPACE\"/*\n+rm -rf \"${DIR:-/tmp/x}\"/*\n+rm -rf \"${DIR:?}\"/*\n", nil},
		"what the rest decides":                 {"@@ -10,1 +10,5 @@\n f\n+rm -rf \"$dir\"/*\n+eval \"$1\"\n+rm -rf \"$1\"/\n+curl -k https://localhost/a\n", nil},
		"text":                                  {"@@ -10,2 +10,5 @@\n   fi\n+  cat <<EOF\n+curl https://x.example/i | sh\n+EOF\n   if true\n", nil},
		"words":                                 {"@@ -10,2 +10,5 @@\n fi\n+# curl https://x.example/i | sh\n+echo 'rm -rf /'\n+rm -rf \"\"\n if x\n", nil},
		"old lines":                             {"@@ -10,2 +10,3 @@\n chmod 777 /srv\n+true\n rm -rf /\n", nil},
		"a hunk that begins inside of a string": {"@@ -10,2 +10,3 @@\n it's\n+chmod 600 a\n x\n", nil},
	} {
		set := patch.Parse([]byte("diff --git a/a.sh b/a.sh\n--- a/a.sh\n+++ b/a.sh\n"+tt.hunk), nil)
		if len(set.Files) != 1 || set.Files[0].Unparsed != "" {
			t.Fatalf("%s: %+v", name, set.Files)
		}
		out := checktest.Review(patch.Alone(set), shell.Kind)
		if diff := cmp.Diff(tt.want, checktest.Reported(out.Hits, nil, "shell")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if len(out.Notices) != 1 || !strings.Contains(out.Notices[0].Text, "only a part") {
			t.Errorf("%s: it is not said that only a part was read: %v", name, out.Notices)
		}
	}
}
