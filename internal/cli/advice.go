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
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// The bounds of the advice of a repository.
const (
	maxAdviceBytes = 32 << 10
	maxAdviceFiles = 20
	maxAdviceDirs  = 200
	// maxAdviceRead bounds the files read in search of advice.
	maxAdviceRead = 2 * maxAdviceFiles
	// maxContributing bounds each page for contributors: the rules come first, the rest is
	// about building.
	maxContributing = 4 << 10
	// maxRuleFiles bounds the rules of an editor, and maxRules each of them.
	maxRuleFiles = 10
	maxRules     = 4 << 10
)

// rulesFolder holds rules for an editor's agent.
const rulesFolder = ".cursor/rules"

// advisers are files with advice for people and agents: in any directory, and at the top
// only.
var (
	advisers    = [...]string{"AGENTS.md", "CLAUDE.md", "GEMINI.md", "REVIEW.md"}
	topAdvisers = [...]string{".github/copilot-instructions.md", ".cursorrules", "CONTRIBUTING.md", ".github/CONTRIBUTING.md"}
)

// adviceReader reads files of the side with the settings, all at once. A file is nil if it does
// not exist, is not regular or is far too large.
type adviceReader func(ctx context.Context, names []string) (map[string][]byte, error)

// readEach reads files one after the other.
func readEach(read policyReader) adviceReader {
	return func(ctx context.Context, names []string) (map[string][]byte, error) {
		found := make(map[string][]byte, len(names))
		for _, name := range names {
			data, err := read(ctx, name)
			if err != nil && !errors.As(err, new(*gitrepo.FileError)) {
				return nil, err
			}
			found[name] = data
		}
		return found, nil
	}
}

// adviceAt lists the existing files with advice about changed files: the nearest first,
// then those of the whole repository.
func adviceAt(changed []string, exists func(string) bool, folder func(string) ([]string, bool)) []string {
	found := lists.Keep(adviceFiles(changed), exists)
	if folder != nil && exists(rulesFolder) {
		names, _ := folder(rulesFolder)
		var rules []string
		for _, name := range slices.Sorted(slices.Values(names)) {
			if slices.Contains([]string{".mdc", ".md"}, path.Ext(name)) {
				rules = append(rules, path.Join(rulesFolder, name))
			}
		}
		found = append(found, rules[:min(len(rules), maxRuleFiles)]...)
	}
	return found
}

// advice reads what the repository tells contributors about some files, from the base side
// and never from the change. Equal texts count once.
func (s settings) advice(ctx context.Context, names []string, read adviceReader) ([]debate.Advice, error) {
	if len(names) == 0 {
		return nil, nil
	}
	found, err := read(ctx, names[:min(len(names), maxAdviceRead)])
	if err != nil {
		return nil, err
	}
	var given []debate.Advice
	left := maxAdviceBytes
	for _, name := range names {
		if left == 0 || len(given) == maxAdviceFiles {
			break
		}
		most := left
		switch {
		case path.Base(name) == "CONTRIBUTING.md":
			most = min(left, maxContributing)
		case path.Dir(name) == rulesFolder:
			most = min(left, maxRules)
		}
		text := strings.TrimSpace(s.clean(string(found[name])))
		text = strings.ToValidUTF8(text[:min(len(text), most)], "")
		if text == "" || slices.ContainsFunc(given, func(a debate.Advice) bool { return a.Text == text }) {
			continue
		}
		left -= len(text)
		given = append(given, debate.Advice{Path: name, Text: text})
	}
	return given, nil
}

// adviceFiles lists the possible places of advice about some files, the deepest directories
// first.
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

// namesOf returns the paths of a change, before and after it, some twice and some empty.
func namesOf(files []*patch.File) []string {
	var names []string
	for _, f := range files {
		names = append(names, f.OldPath, f.NewPath)
	}
	return names
}

// guidance returns the texts of the settings about the changed files, each with its paths.
func guidance(instructions []config.Instruction, changed []string) []string {
	var all []string
	for _, one := range instructions {
		text := strings.TrimSpace(one.Text)
		if len(one.Paths) > 0 {
			touches := func(name string) bool {
				return slices.ContainsFunc(one.Paths, func(g config.Glob) bool { return doublestar.MatchUnvalidated(string(g), name) })
			}
			if !slices.ContainsFunc(changed, touches) {
				continue
			}
			text = strings.Join(texts(one.Paths), ", ") + ": " + text
		}
		all = append(all, text)
	}
	return all
}
