package cli

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/goccy/go-yaml"

	"github.com/prdebate/debate/internal/model/provider"
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
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/developers/*.md", "../../.github/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	shown := 0
	for _, path := range paths {
		text := readFile(t, path)
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
			if err := isCommandLine(args); err != nil {
				t.Errorf("%s: debate %s: %v", path, m[1], err)
			}
		}
	}
	if shown == 0 {
		t.Error("no page shows a command")
	}
}

// isCommandLine says what is wrong with the arguments of a command, without running it.
func isCommandLine(args []string) error {
	parser, err := kong.New(&commands{}, kong.ExplicitGroups(groups), kong.Vars{"version": "", "shell": "bash"}, kong.Exit(func(int) {}))
	if err != nil {
		return err
	}
	_, err = parser.Parse(args)
	return err
}

// served are the arguments of "debate serve" in a YAML document, wherever they stand.
func served(v any) (all [][]string) {
	switch v := v.(type) {
	case map[string]any:
		for _, one := range v {
			all = append(all, served(one)...)
		}
	case []any:
		var words []string
		for _, one := range v {
			if word, is := one.(string); is {
				words = append(words, word)
			}
			all = append(all, served(one)...)
		}
		if len(words) > 0 && words[0] == "serve" {
			all = append(all, words)
		}
	}
	return all
}

// image is one with a tag that says which version it is.
var image = regexp.MustCompile(`(?m)^ *image: [a-z0-9./-]+:v?[0-9][0-9.]*$`)

// TestFilesToRunTheApp: the files that docs/app.md offers are read as what they are, name
// images by their version, and start the server with flags that it has.
func TestFilesToRunTheApp(t *testing.T) {
	t.Parallel()
	for name, servers := range map[string]int{"compose.yml": 1, "compose-postgres.yml": 3, "kubernetes.yml": 1} {
		data := readFile(t, "../../docs/app/"+name)
		if all := strings.Count(string(data), "image: "); all == 0 || all != len(image.FindAll(data, -1)) {
			t.Errorf("%s: an image has no version", name)
		}
		var commands [][]string
		decoder := yaml.NewDecoder(bytes.NewReader(data))
		for {
			var document map[string]any
			err := decoder.Decode(&document)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			commands = append(commands, served(document)...)
		}
		if len(commands) != servers {
			t.Errorf("%s: %d servers are started, want %d", name, len(commands), servers)
		}
		for _, args := range commands {
			if err := isCommandLine(args); err != nil {
				t.Errorf("%s: debate %s: %v", name, strings.Join(args, " "), err)
			}
		}
	}
	unit := readFile(t, "../../docs/app/debate.service")
	started := regexp.MustCompile(`(?m)^ExecStart=/usr/bin/debate (.*)$`).FindStringSubmatch(string(unit))
	if started == nil {
		t.Fatal("the unit starts nothing")
	}
	if err := isCommandLine(strings.Fields(started[1])); err != nil {
		t.Errorf("debate.service: %v", err)
	}
	accounts := readFile(t, "../../docs/app/accounts.yml")
	if _, err := (&run{Env: Env{Providers: provider.All()}}).vocabulary().ParseServer("accounts.yml", accounts); err != nil {
		t.Error(err)
	}
}
