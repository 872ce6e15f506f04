package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/critic"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/model/tape"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/redact"
	"github.com/prdebate/debate/internal/report"
)

// settings are the merged settings of one run with everything made from them.
type settings struct {
	config    config.Config
	hash      string           // SHA-256 of the settings in force, hex
	notes     []string         // for readers of the result
	defective bool             // the repository's file is broken: defaults, and no success
	panel     panel            // the parties under these settings
	forbidden debate.Forbidden // the reason for an empty panel
	secrets   []string         // of this process: no model and no record may see them
}

// clean removes the secrets of this process, and anything that looks like one, from a text.
func (s settings) clean(text string) string {
	return hiding(s.secrets).Text(strings.ToValidUTF8(text, "\uFFFD"))
}

// hiding returns a redactor for some secrets and anything that looks like one.
func hiding(own []string) *redact.Redactor {
	return redact.New(own, nil, func(text string) []string { return critic.SecretsIn("", text) })
}

// demand tells where the settings of a run come from, and what its command line or its job
// wants of them.
type demand struct {
	named    string // this file replaces the repository's and wins over the user's own, as flags do; "" for none
	operator string // settings in place of the user's own, "" for those
	path     string // of the repository's file
	mode     debate.Mode
	failOn   debate.FailOn // the stricter one counts
	gate     debate.Gate
	tape     string     // file of --tape, "" for none
	most     config.USD // a further limit of the cost, 0 for none
}

// settings merges the demands, the user's own file and the repository's file on the base
// side. A broken file of the user ends the run; the defaults replace a broken one of the
// repository. Guard reads the files of the default branch, nil if it is the base: the author
// chooses the base, so they limit it.
func (e Env) settings(ctx context.Context, d demand, files, guard pull.Files) (set settings, err error) {
	first, second, err := e.layers(d.named, d.operator, func() (config.Config, error) {
		base, err := set.ofRepository(ctx, e.vocabulary(), d.path, files)
		if err != nil || guard == nil {
			return base, err
		}
		standard, err := set.ofRepository(ctx, e.vocabulary(), d.path, guard)
		held := config.Guarded(base, standard)
		if err == nil && base.Execution != nil && held.Execution == nil {
			set.notes = append(set.notes, "tests of models are not run: the default branch has no section execution with the same commands")
		}
		return held, err
	})
	if err != nil {
		return set, err
	}
	first.Mode = cmp.Or(d.mode, first.Mode)
	first.FailOn = first.FailOn.Stricter(d.failOn)
	if d.gate == debate.Required || first.Gate == "" {
		first.Gate = d.gate
	}
	set.config = config.Merge(first, second)
	keys := lists.Map(set.config.Parties.All(), func(one config.Party) string { return one.APIKeyEnv })
	set.secrets = ownSecrets(e.Environ(), report.Present(keys...))
	var recorded *tape.Tape
	if d.tape != "" {
		recorded, err = tape.Open(e.path(d.tape), set.clean) // its texts have no secrets of this process
	}
	switch {
	case errors.As(err, new(*tape.FormatError)), errors.Is(err, fs.ErrNotExist):
		return settings{}, usage(fmt.Errorf("--tape %s: %w", d.tape, err))
	case err != nil:
		return settings{}, err
	}
	err = set.complete(e, recorded)
	set.spendAtMost(d.most)
	return set, err
}

// layers are settings to merge, the winning ones first: the user's own, or an operator's text in
// place of them, and those of the repository. A named file replaces the repository's, and goes
// first.
func (e Env) layers(named, operator string, repository func() (config.Config, error)) (first, second config.Config, err error) {
	first, err = e.operatorConfig(operator)
	switch {
	case err != nil:
	case named == "":
		second, err = repository()
	default:
		second = first
		first, err = e.namedConfig(named)
	}
	return first, second, err
}

// namedConfig reads the settings of a flag, with an operator's rights.
func (e Env) namedConfig(name string) (config.Config, error) {
	data, err := e.readFile(name, config.MaxBytes)
	if err != nil {
		return config.Config{}, err
	}
	return e.vocabulary().ParseOperator(name, data)
}

// ofRepository are the settings in the files of a commit. No run succeeds with broken ones, and
// notes tell them.
func (set *settings) ofRepository(ctx context.Context, v config.Vocabulary, path string, files pull.Files) (c config.Config, err error) {
	found, err := files(ctx, []string{path})
	if data := found[path]; err == nil && data != nil {
		c, err = v.Parse(path, data)
	}
	var broken config.Errors
	if errors.As(err, &broken) {
		err, set.defective = nil, true
		set.notes = append(set.notes, "the settings on the base branch are broken; defaults are in force, and this run cannot succeed:")
		set.notes = append(set.notes, strings.Split(broken.Error(), "\n")...)
	}
	return c, err
}

// spendAtMost lowers the limit of cost; 0 changes nothing.
func (set *settings) spendAtMost(most config.USD) {
	if limit := &set.config.Limits.MaxCostUSD; most > 0 {
		*limit = min(*limit, most)
	}
}

// vocabulary returns the providers and built-in rules that settings can name.
func (e Env) vocabulary() config.Vocabulary {
	var v config.Vocabulary
	for _, p := range e.Providers {
		v.Services = append(v.Services, config.Service{Name: p.Name, Operator: p.Command || p.Ambient, APIs: p.APIs, Command: p.Free, Files: p.Files})
	}
	for _, r := range critic.Rules() {
		if !r.Notice {
			v.Rules = append(v.Rules, config.Rule{ID: r.ID, Shown: !debate.Hideable(r.ID, r.Severity)})
		}
	}
	return v
}

// complete adds the hash of settings and the panel. Recorded is the tape of the run, nil for none.
func (set *settings) complete(e Env, recorded *tape.Tape) error {
	text, err := config.Show(set.config)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	set.hash = hex.EncodeToString(sum[:])
	if recorded != nil && recorded.Plays() {
		set.notes = append(set.notes, "the answers of the models come from a tape, no model was asked")
	}
	set.panel, err = participants(set.config, e.Providers, e.Getenv, recorded)
	switch {
	case err != nil:
	case set.panel.plays() && len(recorded.Parties()) == 0:
		err = usage(errors.New("the tape has no answers, since its recording was stopped: remove it to record a new one"))
	case set.panel.plays() && len(set.panel.clients) == 0:
		err = usage(fmt.Errorf("the tape has answers of %s, and none of them takes part: play it with the settings that it was recorded with", strings.Join(recorded.Parties(), ", ")))
	}
	set.notes = append(set.notes, set.panel.askForFamilies()...)
	return err
}

// close closes the tape.
func (p panel) close() error {
	if p.tape == nil {
		return nil
	}
	return p.tape.Close()
}

// proposedSettings reports on settings in the change. They are checked, but count only on
// the base side.
func proposedSettings(v config.Vocabulary, change patch.Change, path string) []string {
	for _, f := range change.Set.Files {
		if f.NewPath != path {
			continue
		}
		data, ok := change.Blob(f.NewPath, debate.Right)
		if !ok {
			return []string{"the new settings in this change cannot be read; those of its target branch are in force"}
		}
		if _, err := v.Parse(path, data); err != nil {
			return append([]string{"the new settings in this change are broken; those of its target branch are in force:"}, strings.Split(err.Error(), "\n")...)
		}
		return []string{"new settings in this change count once they are merged"}
	}
	return nil
}

// operatorFile returns the path of the user's own settings, "" without a home.
func (e Env) operatorFile() string {
	dir := e.userDir("XDG_CONFIG_HOME", "APPDATA", ".config")
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "config.yml")
}

// operatorConfig are the user's own settings, or those of a text in place of them.
func (e Env) operatorConfig(text string) (config.Config, error) {
	if text != "" {
		return e.vocabulary().ParseOperator("operator-config", []byte(text))
	}
	path := e.operatorFile()
	if path == "" {
		return config.Config{}, nil
	}
	data, err := e.readFile(path, config.MaxBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // if HOME is no directory, there are no settings either
		return config.Config{}, nil
	case err != nil:
		return config.Config{}, err
	}
	return e.vocabulary().ParseOperator(path, data)
}

// minSecret is the shortest length of a secret value in bytes.
const minSecret = 12

// ownSecrets returns the secrets of the environment: values of variables with telling
// names, and of the keys in the settings. They must never reach a model or a record.
func ownSecrets(environ []string, keys []string) []string {
	var list []string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		isPath := filepath.IsAbs(value) && (!inBase64().MatchString(value) || exists(value)) // base64 may begin as a path does
		isSecret := slices.Contains(keys, name) || secretWord().MatchString(strings.ToUpper(name)) && !isPath
		if isSecret && len(value) >= minSecret {
			list = append(list, value)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// secretWord matches the name of a variable with a secret: a word at the end of a part of the
// name, singular or plural.
var secretWord = lazyregexp.New(`(?:(?:^|[_.-])(?:KEY|PASSWD|PAT|CREDENTIAL|AUTH|AUTHORIZATION|COOKIE|DSN)|APIKEY|TOKEN|SECRET|PASSWORD|PASSPHRASE)S?(?:[_.-]|$)`)

// inBase64 matches the base64 of 20 bytes or more.
var inBase64 = lazyregexp.New(`^[A-Za-z0-9+/]{27,}={0,2}$`)

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
func (s settings) advice(ctx context.Context, names []string, read pull.Files) ([]debate.Advice, error) {
	if len(names) == 0 {
		return nil, nil
	}
	found, err := read(ctx, names[:min(len(names), maxAdviceRead)])
	if err != nil && !errors.As(err, new(*gitrepo.FileError)) {
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
