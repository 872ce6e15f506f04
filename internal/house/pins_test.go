package house

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// pin is an action of somebody else, by the repository it is in, its commit and its version.
var pin = regexp.MustCompile(`uses: ([\w.-]+/[\w.-]+)[\w./-]*@([0-9a-f]{40} # v[0-9.]+)`)

// TestOneVersionOfEachAction: what our workflows, the action, the workflows that init writes
// and the pages name is the same version of each action, and Dependabot looks at all of them
// but the pages: so a newer version cannot be forgotten anywhere.
func TestOneVersionOfEachAction(t *testing.T) {
	t.Parallel()
	top := os.DirFS("../..")
	watched := watchedDirectories(t, top)
	chosen, first := map[string]string{}, map[string]string{}
	for _, pattern := range []string{"*.yml", ".github/workflows/*.yml", "internal/cli/templates/*.yml", "docs/*.md", "docs/developers/*.md"} {
		files, err := fs.Glob(top, pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, file := range files {
			text, err := fs.ReadFile(top, file)
			if err != nil {
				t.Fatal(err)
			}
			pins := pin.FindAllStringSubmatch(string(text), -1)
			if len(pins) > 0 && path.Ext(file) == ".yml" && !slices.Contains(watched, path.Dir(file)) {
				t.Errorf("%s: .github/dependabot.yml does not look at %s", file, path.Dir(file))
			}
			for _, p := range pins {
				if first[p[1]] == "" {
					chosen[p[1]], first[p[1]] = p[2], file
				} else if chosen[p[1]] != p[2] {
					t.Errorf("%s has %s@%s, %s has %s", file, p[1], p[2], first[p[1]], chosen[p[1]])
				}
			}
		}
	}
	if len(first) < 5 {
		t.Errorf("only these actions were found: %v", first)
	}
}

// watchedDirectories are those in which Dependabot looks for actions; the top stands for
// that of the workflows, too.
func watchedDirectories(t *testing.T, top fs.FS) []string {
	t.Helper()
	text, err := fs.ReadFile(top, ".github/dependabot.yml")
	if err != nil {
		t.Fatal(err)
	}
	var settings struct {
		Updates []struct {
			Ecosystem   string `yaml:"package-ecosystem"`
			Directory   string
			Directories []string
		}
	}
	if err := yaml.Unmarshal(text, &settings); err != nil {
		t.Fatal(err)
	}
	var watched []string
	for _, update := range settings.Updates {
		if update.Ecosystem != "github-actions" {
			continue
		}
		for _, directory := range append(update.Directories, update.Directory) {
			switch directory {
			case "":
			case "/":
				watched = append(watched, ".", ".github/workflows")
			default:
				watched = append(watched, strings.TrimPrefix(directory, "/"))
			}
		}
	}
	return watched
}
