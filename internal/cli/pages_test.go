package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

var (
	pageCommand = regexp.MustCompile(`(?m)^    (?:go run \./cmd/)?debate ([a-z][^[\n]*)$`)
	pageWord    = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)
)

// TestPagesShowCommandsThatExist: each command on a line of its own in a page has the
// arguments and flags that this program has.
func TestPagesShowCommandsThatExist(t *testing.T) {
	t.Parallel()
	var paths []string
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../.github/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	shown := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pageCommand.FindAllStringSubmatch(string(text), -1) {
			line, _, _ := strings.Cut(m[1], " < ")
			var args []string
			for _, word := range pageWord.FindAllString(line, -1) {
				args = append(args, strings.Trim(word, `'"`))
			}
			if len(args) > 2 && args[1] == "-C" {
				args = append(args[:1], args[3:]...) // a directory that is somewhere else
			}
			shown++
			parser, err := kong.New(&commands{}, kong.ExplicitGroups(groups), kong.Vars{"version": "", "shell": "bash"}, kong.Exit(func(int) {}))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parser.Parse(args); err != nil {
				t.Errorf("%s: debate %s: %v", path, m[1], err)
			}
		}
	}
	if shown == 0 {
		t.Error("no page shows a command")
	}
}
