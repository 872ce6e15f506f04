package cli

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/patch"
)

// The bounds of the advice that a repository gives.
const (
	maxAdviceBytes = 32 << 10
	maxAdviceFiles = 20
	maxAdviceDirs  = 200
	// maxContributing bounds each page for contributors: most of it is about how to
	// build, and the rules stand at its top.
	maxContributing = 4 << 10
)

// advisers are the files in which repositories tell people and agents how to
// work on them, below any directory, and at the top.
var (
	advisers    = [...]string{"AGENTS.md", "CLAUDE.md", "GEMINI.md", "REVIEW.md"}
	topAdvisers = [...]string{".github/copilot-instructions.md", ".cursorrules", "CONTRIBUTING.md", ".github/CONTRIBUTING.md"}
)

// advice reads what the repository tells those who work on some files, from the
// side whose settings count and never from the change. What is nearest to
// the files goes first. A text that several files hold is given once.
func (s settings) advice(ctx context.Context, changed []string, exists func(string) bool, read policyReader) ([]debate.Advice, error) {
	var given []debate.Advice
	left := maxAdviceBytes
	for _, name := range adviceFiles(changed) {
		if left == 0 || len(given) == maxAdviceFiles {
			break
		}
		if !exists(name) {
			continue
		}
		data, err := read(ctx, name)
		if errors.As(err, new(*gitrepo.FileError)) {
			continue // a link to another one, a directory, or far too large
		}
		if err != nil {
			return nil, err
		}
		text := strings.TrimSpace(s.clean(string(data)))
		most := left
		if path.Base(name) == "CONTRIBUTING.md" {
			most = min(left, maxContributing)
		}
		if len(text) > most {
			text = strings.ToValidUTF8(text[:most], "")
		}
		if text == "" || slices.ContainsFunc(given, func(a debate.Advice) bool { return a.Text == text }) {
			continue
		}
		left -= len(text)
		given = append(given, debate.Advice{Path: name, Text: text})
	}
	return given, nil
}

// adviceFiles lists where advice about some files may stand, the deepest
// directories first.
func adviceFiles(changed []string) []string {
	seen := map[string]bool{".": true}
	var dirs []string
	for _, name := range changed {
		for dir := path.Dir(name); !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			dirs = append(dirs, dir)
		}
	}
	slices.SortFunc(dirs, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(b, "/"), strings.Count(a, "/")), cmp.Compare(a, b))
	})
	dirs = append(dirs[:min(len(dirs), maxAdviceDirs)], ".")
	var files []string
	for _, dir := range dirs {
		for _, name := range advisers {
			files = append(files, path.Join(dir, name))
		}
	}
	return append(files, topAdvisers[:]...)
}

// namesOf are the paths that a change touches, before and after it, some twice
// and some empty.
func namesOf(files []*patch.File) []string {
	var names []string
	for _, f := range files {
		names = append(names, f.OldPath, f.NewPath)
	}
	return names
}

// guidance is what the settings tell the parties about the files at hand, each
// text with the paths that it is about.
func guidance(instructions []config.Instruction, changed []string) []string {
	var all []string
	for _, one := range instructions {
		text := strings.TrimSpace(one.Text)
		if len(one.Paths) > 0 {
			if !touches(one.Paths, changed) {
				continue
			}
			text = strings.Join(texts(one.Paths), ", ") + ": " + text
		}
		all = append(all, text)
	}
	return all
}

func touches(globs []config.Glob, changed []string) bool {
	for _, glob := range globs {
		for _, name := range changed {
			if doublestar.MatchUnvalidated(string(glob), name) {
				return true
			}
		}
	}
	return false
}

// language is what the parties write in, "" for English.
func language(p config.Publish) string {
	if p.Language == "en" || strings.HasPrefix(p.Language, "en-") {
		return ""
	}
	return p.Language
}
