package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/policy"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/report/sarif"
)

// maxBody bounds the text of a pull request, in bytes.
const maxBody = 256 << 10

type reviewCmd struct {
	What *string `arg:"" optional:"" name:"WHAT" help:"A range such as main..HEAD, the number of a pull request, or a file; the same as --range, --pr and --file."`

	scopeFlags `group:"What to review (default: what this branch adds to the default branch, with uncommitted work):"`

	Body   string   `placeholder:"FILE" help:"Text of the pull request; - reads standard input."`
	Target string   `enum:"auto,code,proposal,mixed" default:"auto" help:"Review the change as code, as a proposal (a design document), or both: auto, code, proposal or mixed."`
	Sarif  []string `sep:"none" placeholder:"FILE" help:"Results of other tools in the SARIF format, as evidence. May be repeated."`
	FailOn severity `placeholder:"SEVERITY" enum:",none,P1,P2,P3" default:"" help:"Exit with 1 if a confirmed finding is at least this severe: P1, P2, P3 or none. The stricter of this and the settings counts."`

	AskAgain bool `help:"Ask again about lines that you decided about in an earlier review."`

	UnsafeExecution bool `help:"Run tests of models without a sandbox. A test can then do everything that you can: use a machine that you delete afterwards."`

	Post bool `help:"Post the result on the pull request of --pr, in your name, as one review that only comments."`

	debateFlags
	Format string `enum:"text,json,markdown,html,sarif,agent" default:"text" help:"Show the result as text, json, markdown, html, sarif, or agent: the open findings for a coding agent to fix."`
}

// severity is a choice of a severity, in letters of any case.
type severity string

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *severity) UnmarshalText(text []byte) error {
	*s = severity(strings.ToUpper(string(text)))
	if strings.EqualFold(string(text), "none") {
		*s = "none"
	}
	return nil
}

// Run reviews one change.
func (c *reviewCmd) Run(r *run) error {
	if err := c.takeArgument(r, c.What); err != nil {
		return err
	}
	if c.Body == "-" && (c.Snippet == "-" || c.Patch == "-") {
		return usage(errors.New("--body - and the reviewed input cannot both come from standard input"))
	}
	if slices.Contains(c.Sarif, "-") {
		return usage(errors.New("--sarif takes files, not standard input"))
	}
	if err := c.checkOutput(r, append([]string{c.Body, c.Snippet, c.Patch, c.File}, c.Sarif...)...); err != nil {
		return err
	}
	switch {
	case c.PR != "" && c.AskAgain:
		return usage(errors.New("--ask-again is about answers of debate decide, and a pull request is decided on GitHub: leave it out with --pr"))
	case c.PR != "" && c.UnsafeExecution:
		return usage(errors.New("--unsafe-execution does not work with --pr: tests run only for a change of this repository"))
	case c.PR != "":
		return c.pullRequest(r)
	case c.Post:
		return usage(errors.New("--post posts on a pull request: name it with --pr"))
	}
	change, err := c.snapshot(r)
	if err != nil {
		return err
	}
	defer change.Close()
	var body []byte
	if c.Body != "" {
		if body, err = r.readLimited(c.Body, maxBody); err != nil {
			return err
		}
	}
	set, err := r.settings(r.ctx, c.demand(debate.FailOn(c.FailOn)), change.PolicyFiles, nil)
	if err != nil {
		return err
	}
	defer set.panel.close()
	if c.UnsafeExecution && set.config.Execution == nil {
		return usage(errors.New("--unsafe-execution: the settings of the base branch have no section execution"))
	}
	var tests pull.Tests
	if tree := change.Tree(); tree != nil {
		if tests, err = set.tests(r.ctx, tree, proposed{unsafe: c.UnsafeExecution}); err != nil {
			return err
		}
	}
	if tests.Runner != nil {
		defer tests.Runner.Close()
	}
	if tests.Note != "" {
		set.notes = append(set.notes, tests.Note)
	}
	set.notes = append(set.notes, proposedSettings(r.vocabulary(), change.Change, debate.SettingsFile)...)
	review, first, err := set.reviewOf(r, change, debate.Target(c.Target), set.clean(string(body)))
	if err != nil {
		return err
	}
	first.Settings.Tests = tests.Told
	if tests.Runner != nil {
		review.Tester = tests.Runner
	}
	if len(c.Sarif) > 0 {
		runs, err := c.checkRuns(r, change.Top(), change.Change.Set)
		if err != nil {
			return err
		}
		review.Checks = func(context.Context) ([]debate.Run, error) { return runs, nil }
	}
	if !c.AskAgain {
		first.Previous.Decisions = r.decidedHere()
	}
	return r.runDebate(debateRun{
		debateFlags: c.debateFlags, format: c.Format, review: review, settings: set, first: first,
		after: func(debate.State) error {
			ofBranch := c.scopeFlags == scopeFlags{Base: c.Base, Uncommitted: c.Uncommitted}
			hasCommit := change.BaseSHA+change.HeadSHA != ""
			if ofBranch && hasCommit && len(change.Change.Set.Files) == 0 { // then its last commit is next
				r.progress("to review the last commit: debate review --commit HEAD")
			}
			return nil
		},
	})
}

// reviewOf wires the review of a change of this machine, and returns it with its first event. The
// caller adds a log and a publisher.
func (s settings) reviewOf(r *run, change *gitrepo.Snapshot, target debate.Target, intent string) (review *engine.Review, first debate.Received, err error) {
	if review, err = s.newChangeReview(r.Now, revision()); err != nil {
		return nil, first, err
	}
	if review.Subject.Frozen, err = frozen(r.ctx, change); err != nil {
		return nil, first, err
	}
	review.Subject.PullRequest = policy.PullRequest{Required: s.config.Gate == debate.Required, Asked: target != debate.TargetAuto}
	if first, err = s.received(r.Env, ""); err != nil {
		return nil, first, err
	}
	first.Scope, first.Target, first.Anchor.Intent = change.Scope, target, intent
	if change.Tree() != nil {
		first.Settings.Looks = s.looks()
	}
	err = s.instruct(r.ctx, &first, change.Change, change.PolicyFiles)
	return review, first, err
}

const (
	maxSARIFFiles = 20
	maxRuns       = 1000  // number of results
	maxRunLines   = 10000 // lines of one result to look up in the change
)

// checkRuns reads the user's SARIF files.
func (c *reviewCmd) checkRuns(r *run, root string, set *patch.Set) ([]debate.Run, error) {
	if len(c.Sarif) > maxSARIFFiles {
		return nil, usage(fmt.Errorf("--sarif is given %d times, at most %d are read", len(c.Sarif), maxSARIFFiles))
	}
	kept, found, err := r.readRuns(c.Sarif, root, set)
	if found > 0 && err == nil {
		r.progress("SARIF: %d of %d results are in changed files and count as evidence", len(kept), found)
	}
	return kept, err
}

// readRuns reads SARIF files. Results are evidence, not findings (R147), and only those in changed
// files are kept. Absolute names must be below root; "" for none.
func (e Env) readRuns(names []string, root string, set *patch.Set) (kept []debate.Run, found int, err error) {
	var all []debate.Run
	for _, name := range names {
		data, err := e.readFile(name, sarif.MaxBytes)
		if err != nil {
			return nil, 0, err
		}
		runs, err := sarif.Read(data, filepath.ToSlash(root))
		if err != nil {
			return nil, 0, usage(fmt.Errorf("cannot use %s: %w", name, err))
		}
		all = append(all, runs...)
	}
	return relevant(all, set), len(all), nil
}

// relevant keeps the results in changed files and gives each a name. If there are too many,
// failures on changed lines come first, then other failures.
func relevant(all []debate.Run, set *patch.Set) []debate.Run {
	index := patch.NewIndex(set)
	changed := make(map[string]bool, len(set.Files))
	for _, f := range set.Files {
		changed[f.NewPath] = true
	}
	kept := []debate.Run{}
	for _, one := range all {
		if one.Path != "" && changed[one.Path] {
			for line := one.StartLine; line <= min(one.EndLine, one.StartLine+maxRunLines) && !one.Changed; line++ {
				one.Changed = index.Changed(one.Path, debate.Right, line)
			}
			kept = append(kept, one)
		}
	}
	if len(kept) > maxRuns {
		of := func(failed, changed bool) []debate.Run {
			return lists.Keep(kept, func(one debate.Run) bool { return one.Failed == failed && (!failed || one.Changed == changed) })
		}
		kept = slices.Concat(of(true, true), of(true, false), of(false, false))[:maxRuns]
	}
	for i := range kept {
		kept[i].Ref = "sarif:" + strconv.Itoa(i+1)
	}
	return kept
}

// maxInput bounds a patch or a snippet, in bytes.
const maxInput = 256 << 20

// scopeFlags choose what to review; at most one is set (R052).
type scopeFlags struct {
	Base        string `xor:"scope" placeholder:"BRANCH" help:"The changes of this branch since it left BRANCH, with uncommitted work."`
	Commit      string `xor:"scope" placeholder:"SHA" help:"One commit."`
	Range       string `xor:"scope" placeholder:"A..B" help:"The changes on B since it left A."`
	Uncommitted bool   `xor:"scope" help:"Uncommitted work: staged, unstaged and untracked."`
	File        string `xor:"scope" placeholder:"PATH" help:"One whole file."`
	Snippet     string `xor:"scope" placeholder:"FILE" help:"A text on its own; - reads standard input."`
	Patch       string `xor:"scope" placeholder:"FILE" help:"A diff; - reads standard input."`
	PR          string `xor:"scope" name:"pr" placeholder:"NUMBER|URL" help:"A pull request of GitHub. It is only read, unless you --post."`
}

// takeArgument takes an argument without a flag, nil if there is none: a range, a pull request,
// or a file.
func (f *scopeFlags) takeArgument(r *run, word *string) error {
	if word == nil {
		return nil
	}
	info, absent := os.Stat(r.path(*word))
	repo, outside := gitrepo.Open(r.ctx, r.Dir)
	switch isFile := absent == nil && info.Mode().IsRegular(); {
	case *word == "":
		return usage(errors.New("the range is empty: write A..B, such as main..HEAD, or leave it out"))
	case *f != scopeFlags{}:
		return usage(fmt.Errorf("%s and a flag both say what to review: give one of them", *word))
	case strings.Contains(*word, "..") && !isFile:
		f.Range = *word
	case pullNumber().MatchString(*word), strings.HasPrefix(*word, "https://"):
		f.PR = *word
	case isFile:
		f.File = *word
	case outside != nil || !repo.Knows(r.ctx, *word):
		return usage(fmt.Errorf("%q is neither a file nor a commit here: write a file, a range such as main..HEAD, or the number of a pull request", *word))
	default:
		return usage(fmt.Errorf("%q is a commit: write %s..HEAD to review everything since it, or --commit %s for the commit alone", *word, *word, *word))
	}
	return nil
}

// frozen is a snapshot for the engine.
func frozen(ctx context.Context, s *gitrepo.Snapshot) (engine.Frozen, error) {
	attributes, err := s.PolicyFiles(ctx, []string{".gitattributes"})
	if err != nil {
		return engine.Frozen{}, err
	}
	change := engine.Frozen{
		Event:  debate.Snapshotted{Scope: s.Scope, BaseSHA: s.BaseSHA, HeadSHA: s.HeadSHA, Hash: s.Hash, Notes: s.Notes},
		Change: s.Change, Attributes: attributes[".gitattributes"], Err: s.Err,
	}
	if tree := s.Tree(); tree != nil {
		change.Tree = tree
	}
	return change, nil
}

// inWorkTree reports whether a file is in the work tree of this directory.
func (r *run) inWorkTree(path string) bool {
	repo, err := gitrepo.Open(r.ctx, r.Dir)
	return err == nil && within(repo.Top(), path)
}

// within reports whether a path is in a work tree, "" for none.
func within(top, path string) bool {
	rel, err := filepath.Rel(top, resolveLink(path))
	return top != "" && err == nil && filepath.IsLocal(rel)
}

// snapshot freezes the scope of the flags, before the record opens: a wrong scope leaves no record
// behind.
func (f scopeFlags) snapshot(r *run) (*gitrepo.Snapshot, error) {
	scope := gitrepo.Scope{Kind: gitrepo.Default}
	switch {
	case f.Snippet != "":
		text, err := r.readLimited(f.Snippet, maxInput)
		if err != nil {
			return nil, err
		}
		return gitrepo.FromSnippet(text)
	case f.Patch != "":
		return r.patch(f.Patch)
	case f.Base != "":
		scope = gitrepo.Scope{Kind: gitrepo.Base, Base: f.Base}
	case f.Commit != "":
		scope = gitrepo.Scope{Kind: gitrepo.Commit, Commit: f.Commit}
	case f.Range != "":
		from, to, err := gitrepo.ParseRange(f.Range)
		if err != nil {
			return nil, err
		}
		scope = gitrepo.Scope{Kind: gitrepo.Range, From: from, To: to}
	case f.Uncommitted:
		scope = gitrepo.Scope{Kind: gitrepo.Uncommitted}
	case f.File != "":
		scope = gitrepo.Scope{Kind: gitrepo.File, Path: f.File}
	}
	repo, err := gitrepo.Open(r.ctx, r.Dir)
	if err != nil {
		return nil, err
	}
	return repo.Snapshot(r.ctx, scope)
}

// patch reads a diff and refuses a text that is none.
func (r *run) patch(file string) (*gitrepo.Snapshot, error) {
	diff, err := r.readLimited(file, maxInput)
	if err != nil {
		return nil, err
	}
	change, err := gitrepo.FromPatch(diff)
	if err != nil {
		return nil, err
	}
	if file == "-" {
		file = "standard input"
	}
	switch {
	case patch.ColorsAsText(diff):
		return nil, usage(fmt.Errorf("%s has its colors as text: write it again with --no-color", file))
	case change.Change.Set.WordDiff:
		return nil, usage(fmt.Errorf("%s is a word diff: write it again without --word-diff and --color-words", file))
	case len(change.Change.Set.Files) == 0 && len(bytes.TrimSpace(diff)) > 0:
		return nil, usage(fmt.Errorf("%s is not a diff: write one with git diff, or review the file itself with --file", file))
	}
	return change, nil
}
