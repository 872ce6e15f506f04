package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// pages are the pages of documentation, by their path from the top of the repository.
func pages(t *testing.T) map[string]string {
	t.Helper()
	var paths []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/developers/*.md", ".github/*.md", "testdata/bench/*/*.md"} {
		found, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	all := make(map[string]string)
	for _, path := range paths {
		text := readFile(t, path)
		name, err := filepath.Rel("../..", path)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.ToSlash(name)] = string(text)
	}
	return all
}

// fences are blocks of code.
var fences = regexp.MustCompile("(?ms)^```.*?^```$")

// shownRun is a command on a line of its own, and what it prints.
var shownRun = regexp.MustCompile("(?ms)^    debate ([^\n]+)\n\n```text\n(.*?)^```$")

// TestPagesShowWhatCommandsPrint: a page that shows a command and its output shows
// what that command prints today.
func TestPagesShowWhatCommandsPrint(t *testing.T) {
	t.Parallel()
	shown := 0
	for name, text := range pages(t) {
		for _, m := range shownRun.FindAllStringSubmatch(text, -1) {
			shown++
			cmd := exec.Command(os.Args[0], append([]string{"--color", "never"}, strings.Fields(m[1])...)...)
			cmd.Dir, cmd.Env = "../..", append(os.Environ(), "BE_DEBATE=1", "HOME="+t.TempDir(), "XDG_CONFIG_HOME=", "XDG_STATE_HOME=")
			out, err := cmd.Output()
			if err != nil {
				t.Errorf("%s: debate %s: %v", name, m[1], err)
			}
			if diff := cmp.Diff(m[2], string(out)); diff != "" {
				t.Errorf("%s: debate %s (-page +program):\n%s", name, m[1], diff)
			}
		}
	}
	if shown == 0 {
		t.Error("no page shows a command with its output")
	}
}

// shownScript is a script, and what it prints.
var shownScript = regexp.MustCompile("(?ms)^```sh\n(.*?)^```\n\n```text\n(.*?)^```$")

// TestPagesShowWhatScriptsPrint: a page that shows a script and its output shows what
// the script prints on a machine without settings and keys.
func TestPagesShowWhatScriptsPrint(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("the scripts of the pages are not run: there is no sh here")
	}
	shown := 0
	for name, text := range pages(t) {
		for _, m := range shownScript.FindAllStringSubmatch(text, -1) {
			shown++
			cmd := exec.Command(shell, "-eu", "-c", "debate() { \""+filepath.ToSlash(os.Args[0])+"\" \"$@\"; }\n"+m[1])
			cmd.Dir, cmd.Env = t.TempDir(), surroundings(t.TempDir(), "BE_DEBATE=1")
			out, err := cmd.Output()
			if err != nil {
				t.Errorf("%s: %v\n%s", name, err, m[1])
			}
			if diff := cmp.Diff(m[2], string(out)); diff != "" {
				t.Errorf("%s: %s (-page +program):\n%s", name, m[1], diff)
			}
		}
	}
	if shown == 0 {
		t.Error("no page shows a script with its output")
	}
}

// pageLink is a link to another page or to a part of one.
var pageLink = regexp.MustCompile(`\]\(([^)\s:#]*)(?:#([^)\s]*))?\)`)

// TestLinksLeadSomewhere: each link from page to page names a file that is there, and a
// heading of it; and the list of pages names each of them.
func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	all := pages(t)
	for name, text := range all {
		for _, m := range pageLink.FindAllStringSubmatch(fences.ReplaceAllString(text, ""), -1) {
			target := name
			if m[1] != "" {
				target = filepath.ToSlash(filepath.Join(filepath.Dir(name), m[1]))
			}
			if _, err := os.Stat(filepath.Join("../..", target)); err != nil {
				t.Errorf("%s: %s leads nowhere", name, m[0])
			} else if content, isPage := all[target]; isPage && m[2] != "" && !slices.Contains(headings(content), m[2]) {
				t.Errorf("%s: %s names no heading of %s: %q", name, m[0], target, headings(content))
			}
		}
		page, isDoc := strings.CutPrefix(name, "docs/")
		if isDoc && page != "README.md" && !strings.Contains(all["docs/README.md"], "]("+page+")") {
			t.Errorf("docs/README.md does not name %s", page)
		}
	}
}

// headings are what GitHub calls the headings of a page in addresses.
func headings(text string) []string {
	var names []string
	for _, line := range strings.Split(fences.ReplaceAllString(text, ""), "\n") {
		title, isHeading := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !isHeading || !strings.HasPrefix(line, "#") {
			continue
		}
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, title)
		names = append(names, name)
	}
	return names
}
