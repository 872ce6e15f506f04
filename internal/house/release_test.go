package house

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestReleaseHoldsBothPrograms: each program of a release has an archive, and a file for
// Homebrew and one for Scoop that take it; the nightly run tries all of it, and skips nothing.
func TestReleaseHoldsBothPrograms(t *testing.T) {
	t.Parallel()
	read := func(name string, into any) string {
		data, err := os.ReadFile("../../" + name)
		if err == nil && into != nil {
			err = yaml.Unmarshal(data, into)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return string(data)
	}
	type part struct {
		ID       string
		IDs      []string
		Name     string
		Binary   string
		Binaries []string

		Repository struct{ Name string }
	}
	var made struct {
		Project                  string `yaml:"project_name"`
		Builds, Archives, Scoops []part
		Casks                    []part `yaml:"homebrew_casks"`
	}
	read(".goreleaser.yaml", &made)
	takes := func(program string, list []part) bool {
		return slices.ContainsFunc(list, func(p part) bool {
			of := func(a part) bool { return slices.Contains(p.IDs, a.ID) && slices.Contains(a.IDs, program) }
			named := p.Name == program || p.Name == "" && program == made.Project
			return named && slices.ContainsFunc(made.Archives, of)
		})
	}
	made.Casks = slices.DeleteFunc(made.Casks, func(p part) bool { return p.Repository.Name == "" }) // GoReleaser skips it
	if len(made.Builds) != 2 {
		t.Errorf("builds: %+v", made.Builds)
	}
	for _, b := range made.Builds {
		if !takes(b.ID, made.Casks) || !takes(b.ID, made.Scoops) {
			t.Errorf("Homebrew or Scoop cannot install %s", b.Binary)
		}
	}
	if text := read(".github/workflows/release.yml", nil); !strings.Contains(text, "dist/homebrew/Casks/*.rb dist/scoop/*.json") {
		t.Error("a release leaves out the files for Homebrew or Scoop")
	}
	var nightly struct {
		Jobs map[string]struct {
			Steps []struct {
				Run string
				Env map[string]string
			}
		}
	}
	read(".github/workflows/nightly.yml", &nightly)
	steps := nightly.Jobs["release"].Steps
	at := slices.IndexFunc(steps, func(s struct {
		Run string
		Env map[string]string
	}) bool {
		return s.Run == "bash .github/release/run.sh"
	})
	if at < 0 || steps[at].Env["RELEASE_TARGETS"] != "all" || steps[at].Env["RELEASE_STRICT"] != "yes" {
		t.Errorf("the nightly run does not try the release: %+v", steps)
	}
	for _, pages := range []string{"bash .github/html/run.sh", "bash .github/dashboard/run.sh"} {
		tried := false
		for _, s := range nightly.Jobs["pages"].Steps {
			tried = tried || s.Run == pages
		}
		if !tried {
			t.Errorf("the nightly run does not try %s", pages)
		}
	}
}
