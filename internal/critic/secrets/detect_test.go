package secrets

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/testkit/golden"
)

// TestRulesOfTheLibrary: the rules are those of the library in go.mod, with its licence.
func TestRulesOfTheLibrary(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/zricethezav/gitleaks/v8").Output()
	if err != nil {
		t.Fatal(err)
	}
	licence, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"gitleaks.toml": config.DefaultConfig, "LICENSE": string(licence)} {
		golden.Same(t, filepath.Join("gitleaks", name), want)
	}
}

// TestDetectsAsTheLibrary holds that what the rules detect is what gitleaks' own
// detector does, in every shape of a secret, in what only looks like one, and in
// texts that are made of both.
func TestDetectsAsTheLibrary(t *testing.T) {
	t.Parallel()
	library, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	library.IgnoreGitleaksAllow = true
	ours := make(map[string]bool)
	for _, r := range supplements() {
		ours[r.id] = true
	}
	same := func(t interface{ Errorf(string, ...any) }, path, text string) {
		var got, want []string
		rules, _ := known().candidates(text)
		for _, r := range rules {
			for _, m := range known().filter(r, path, text, r.matches(text)) {
				if !ours[r.id] && r.id != genericRule { // gitleaks drops what another rule found
					got = append(got, r.id+" "+m.secret)
				}
			}
		}
		//lint:ignore SA1019 the replacement is for v9, which does not exist yet
		for _, f := range library.Detect(detect.Fragment{Raw: text, FilePath: path}) {
			if f.RuleID != genericRule && !ours[f.RuleID] {
				want = append(want, f.RuleID+" "+f.Secret)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s, %q (-gitleaks +ours):\n%s", path, text, d)
		}
	}
	paths := []string{"", "a.go", "package-lock.json", "a.tf", "deploy/secret.yaml", "nuget.config", "vendor/github.com/a.go"}
	var texts []string
	for _, shape := range secretShapes {
		texts = append(texts, shape.text)
		for _, path := range append(paths, shape.path) {
			same(t, path, shape.text)
		}
	}
	texts = append(texts, "<add key=\"Password\" value=\"kq7x9vz2wj4\" />", "apiVersion: v1\nkind: Secret\ndata:\n  key: a3E3eDl2ejJ3ajQ=\n",
		"curl \\\n -u \"deploy:kq7x9vz2wj4\" https://a.net", "s.AbCdEfGhIjKlMnOpQrStUvWx", "null", "true", "\n", "password = \"", "\"\n", "discord_token: ", "# ")
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(texts), 1, 4).Draw(t, "texts"), rapid.SampledFrom([]string{"", "\n", " "}).Draw(t, "between"))
		same(t, rapid.SampledFrom(paths).Draw(t, "path"), text)
	})
}
