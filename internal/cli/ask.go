package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// The bounds of a question, in bytes.
const (
	maxQuestion = 64 << 10
	maxTitle    = 300
	maxChoice   = 1000 // of the text of one option
)

type askCmd struct {
	Question string `arg:"" help:"The question; - reads standard input. The models see the files named in it."`

	Framing string   `enum:"propose,critique,devils-advocate,complete,compare,validate,arbitrate,synthesize,red-team,parallel" default:"propose" help:"How the models take the question: propose, critique, devils-advocate, complete, compare, validate, arbitrate, synthesize, red-team or parallel."`
	Option  []string `sep:"none" placeholder:"A=TEXT" help:"An answer to choose from; give at least two. status_quo=TEXT means that nothing changes."`
	File    []string `sep:"none" placeholder:"PATH" help:"Show the models this file too. May be repeated."`

	debateFlags
	Format string `enum:"text,json,markdown,html" default:"text" help:"Show the result as text, json, markdown or html."`
}

// Run debates one question. Without files the question gets nothing from the settings about files
// (R175).
func (c *askCmd) Run(r *run) error {
	if err := c.checkOutput(r, c.File...); err != nil {
		return err
	}
	text, err := c.text(r)
	if err != nil {
		return err
	}
	options, err := choices(c.Option)
	if err != nil {
		return usage(err)
	}
	asked := &inquiry{text: text, request: debate.Inquiry{Framing: debate.Framing(c.Framing), Options: options}}
	defer asked.close()
	if err := asked.freeze(r, c.File); err != nil {
		return err
	}
	set, err := r.settings(r.ctx, c.demand(""), asked.policyFiles, nil)
	if err != nil {
		return err
	}
	defer set.panel.close()
	asked.text, asked.notes = set.clean(text), lists.Map(asked.notes, set.clean)
	for i, o := range options {
		options[i] = option(o.ID, set.clean(cmp.Or(o.Description, o.Label)))
	}
	review := set.newReview(r.Now)
	review.Subject.Frozen = asked.frozen()
	first, err := set.received(r.Env, "")
	if err != nil {
		return err
	}
	ask(&first, asked.text, asked.request)
	about := review.Subject.Frozen.Change
	if asked.change != nil {
		first.Settings.Looks = set.looks()
		about.BaseHas, about.BaseNames = asked.change.Change.BaseHas, asked.change.Change.BaseNames
	}
	if len(asked.files) > 0 {
		if err := set.instruct(r.ctx, &first, about, asked.policyFiles); err != nil {
			return err
		}
	}
	return r.runDebate(debateRun{debateFlags: c.debateFlags, format: c.Format, review: review, settings: set, first: first})
}

// text returns the question as typed.
func (c *askCmd) text(r *run) (string, error) {
	text := c.Question
	if text == "-" {
		data, err := r.readLimited("-", maxQuestion)
		if err != nil {
			return "", err
		}
		text = string(data)
	}
	text = strings.TrimRight(strings.ToValidUTF8(text, "\uFFFD"), " \t\r\n")
	switch {
	case strings.TrimSpace(text) == "":
		return "", usage(errors.New("the question is empty"))
	case len(text) > maxQuestion:
		return "", usage(fmt.Errorf("the question is larger than %d bytes", maxQuestion))
	}
	return text, nil
}

// titleOf returns the first line with text, cut at maxTitle.
func titleOf(text string) string {
	title, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	title = strings.TrimSpace(title)
	if len(title) > maxTitle {
		title = strings.ToValidUTF8(title[:maxTitle], "") + "…"
	}
	return title
}

var optionID = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$`)

// choices reads the options of the command line.
func choices(list []string) ([]debate.Option, error) {
	var options []debate.Option
	for _, one := range list {
		id, text, ok := strings.Cut(one, "=")
		id, text = strings.TrimSpace(id), strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
		switch {
		case !ok || text == "":
			return nil, fmt.Errorf("--option %q has no text: write ID=TEXT", one)
		case !optionID().MatchString(id):
			return nil, fmt.Errorf("--option %q: the id has 1 to 40 letters, digits, dots, hyphens and underscores", one)
		case len(text) > maxChoice:
			return nil, fmt.Errorf("--option %s: its text is larger than %d bytes", id, maxChoice)
		}
		for _, o := range options {
			if strings.EqualFold(o.ID, id) {
				return nil, fmt.Errorf("--option %s is given twice", id)
			}
		}
		options = append(options, option(id, text))
	}
	switch n := len(options); {
	case n == 1:
		return nil, errors.New("one --option is no choice: name at least two")
	case n > debate.MaxOptions:
		return nil, fmt.Errorf("--option is given %d times, at most %d can be weighed", n, debate.MaxOptions)
	}
	return options, nil
}

// option returns an option with its label, and its text if that says more.
func option(id, text string) debate.Option {
	o := debate.Option{ID: id, Label: titleOf(text), StatusQuo: id == debate.StatusQuoOption}
	if o.Label != text {
		o.Description = text
	}
	return o
}

// ask fills in the first event of a question, which has no secrets any more: the title may cut one
// in two. It is advisory and fails nothing.
func ask(first *debate.Received, question string, request debate.Inquiry) {
	first.Scope, first.Target, first.Inquiry = debate.ScopeQuestion, debate.TargetProposal, &request
	first.Anchor = debate.Anchor{Title: titleOf(question), Intent: question}
	first.Settings.Gate, first.Settings.FailOn = debate.Advisory, debate.FailNone
}

// The bounds of the files with a question.
const (
	maxShownFiles = 10
	maxShownBytes = 120_000
)

// inquiry is a question with its files, read before the record opens: a missing file leaves
// no record behind.
type inquiry struct {
	text    string
	request debate.Inquiry
	repo    *gitrepo.Repo // nil outside a repository
	head    string        // commit, "" if there is none
	files   []*patch.File
	notes   []string
	left    int               // bytes for further files
	change  *gitrepo.Snapshot // the repository, which parties may look at; nil for nothing
}

// freeze reads the files that the flags and the question name. A question without names
// gets no files (R175). A file of --file must fit whole.
func (q *inquiry) freeze(r *run, flags []string) error {
	var err error
	q.repo, err = gitrepo.Open(r.ctx, r.Dir)
	switch {
	case errors.As(err, new(*gitrepo.NotRepositoryError)), errors.Is(err, gitrepo.ErrNoGit):
		q.repo = nil
	case err != nil:
		return err
	default:
		if q.head, _, err = q.repo.Head(r.ctx); err != nil {
			return err
		}
	}
	q.left = maxShownBytes
	for _, name := range flags {
		why := "it is no file"
		if !isStandard(name) {
			data, err := r.readLimited(name, maxShownBytes)
			if err != nil {
				return err
			}
			why = q.show(q.shown(r, name), data)
		}
		if why != "" {
			return usage(fmt.Errorf("cannot show --file %s: %s", name, why))
		}
	}
	return q.showNamed(r)
}

// close ends the reading of the repository.
func (q *inquiry) close() {
	if q.change != nil {
		q.change.Close()
	}
}

// maxHolders is the maximum number of files with an identifier. If there are more, it names none of
// them.
const maxHolders = 5

// showNamed shows the files that the question names: by a path, from the top of the repository
// or from the current directory, or by an identifier. A file gone from the work tree is shown as
// at HEAD. It freezes the work tree, or HEAD in a bare repository. Parties may look at it too, but
// not if the question has no files (R175).
func (q *inquiry) showNamed(r *run) error {
	paths, identifiers := mentions(q.text)
	if q.repo != nil && len(paths)+len(identifiers)+len(q.files) > 0 {
		scope := gitrepo.Scope{Kind: gitrepo.Uncommitted}
		if q.repo.Top() == "" {
			scope = gitrepo.Scope{Kind: gitrepo.Range, From: "HEAD", To: "HEAD"}
		}
		change, err := q.repo.Snapshot(r.ctx, scope)
		switch {
		case r.ctx.Err() != nil:
			return r.ctx.Err()
		case err != nil:
			q.notes = append(q.notes, "the repository cannot be read: "+oneLine(err))
			return nil
		}
		q.change = change
	}
	for _, word := range paths {
		found := q.change != nil && (q.add(path.Clean(word)) || q.add(q.shown(r, word)))
		if isFile := strings.Contains(word, "/") && path.Ext(word) != ""; isFile && !found {
			q.note(word + " was not found; nothing of it is shown")
		}
	}
	if q.change == nil {
		return nil
	}
	for _, name := range identifiers {
		uses, _ := q.change.Change.Search([]string{name})
		holders := slices.Compact(lists.Map(uses, func(u patch.Use) string { return u.Path }))
		if len(holders) <= maxHolders {
			for _, holder := range holders {
				q.add(holder)
			}
		}
	}
	if err := q.change.Err(); err != nil || len(q.files) > 0 {
		return err
	}
	q.close()
	q.change = nil
	return nil
}

// note adds a note within bounds.
func (q *inquiry) note(text string) {
	if len(q.notes) < 2*maxShownFiles {
		q.notes = append(q.notes, text)
	}
}

// shown returns the name of a file from the top of the repository, if it is there.
func (q *inquiry) shown(r *run, name string) string {
	if q.repo != nil && q.repo.Top() != "" {
		if rel, err := filepath.Rel(q.repo.Top(), resolveLink(r.path(name))); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(filepath.Clean(name))
}

// add shows a file of the repository, or notes the reason against it. It reports whether there is
// such a file.
func (q *inquiry) add(name string) bool {
	tree, at := q.change.Tree(), ""
	content, why := tree.Read(name, debate.Right)
	if why == debate.LookMissing {
		at = name + " is shown as it is at HEAD, it is not in the work tree"
		content, why = tree.Read(name, debate.Left)
	}
	var against string
	switch why {
	case "":
		against = q.show(name, content)
	case debate.LookTooLarge:
		against = "it is too large"
	default:
		return false
	}
	switch {
	case against != "":
		q.note(name + " is not shown: " + against)
	case at != "":
		q.note(at)
	}
	return true
}

// show adds a file once. It returns the reason if it cannot, else "".
func (q *inquiry) show(name string, content []byte) string {
	switch {
	case slices.ContainsFunc(q.files, func(f *patch.File) bool { return f.NewPath == name }):
		return ""
	case name == debate.BodyPath:
		return "its name is that of the question"
	case len(content) == 0:
		return "it is empty"
	case bytes.IndexByte(content, 0) >= 0:
		return "it is no text"
	case len(q.files) == maxShownFiles:
		return fmt.Sprintf("%d files are the most", maxShownFiles)
	case len(content) > q.left:
		return fmt.Sprintf("all files together have more than %d bytes", maxShownBytes)
	}
	q.left -= len(content)
	q.files = append(q.files, patch.Shown(name, strings.ToValidUTF8(string(content), "\uFFFD")))
	return ""
}

// frozen is the question with its files. Its hash is that of the text without secrets, because
// debate resume knows no other.
func (q *inquiry) frozen() engine.Frozen {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q %+v\n", q.text, q.request.Framing, q.request.Options)
	for _, f := range q.files {
		fmt.Fprintf(sum, "%q\n", f.NewPath)
		for _, h := range f.Hunks {
			for _, l := range h.Lines {
				fmt.Fprintf(sum, "%t %q\n", l.NoEOL, l.Text)
			}
		}
	}
	if q.change != nil {
		tree := q.change.Tree()
		fmt.Fprintf(sum, "%s %s\n", tree.Name(debate.Left), tree.Name(debate.Right))
	}
	event := debate.Snapshotted{Scope: debate.ScopeQuestion, Hash: hex.EncodeToString(sum.Sum(nil)), Notes: q.notes}
	if len(q.files) > 0 {
		event.HeadSHA = q.head
		shown := lists.Map(q.files, func(f *patch.File) string { return f.NewPath })
		event.Notes = append([]string{"files for the models: " + strings.Join(shown, ", ")}, q.notes...)
	}
	frozen := engine.Frozen{
		Event:  event,
		Change: patch.Alone(&patch.Set{Files: q.files}),
		Err:    func() error { return nil },
	}
	if q.change != nil {
		frozen.Tree = q.change.Tree()
	}
	return frozen
}

// policyFiles reads files at HEAD, because only committed files configure a debate.
func (q *inquiry) policyFiles(ctx context.Context, paths []string) (map[string][]byte, error) {
	return q.repo.PolicyFiles(ctx, q.head, paths)
}

// The bounds of the search for files that a question mentions.
const (
	maxMentions    = 200
	maxIdentifiers = 20
)

var (
	inBackticks = lazyregexp.New("`([^`\n]{1,200})`")
	identifier  = lazyregexp.New(`^[\pL_][\pL\pN_.:$]*(\(\))?$`)
	lineSuffix  = lazyregexp.New(`(:\d+(-\d+)?(:\d+)?|#L\d+(-L\d+)?)$`)
)

// mentions returns the words of a question that may name a file: words like a path, with or
// without a line, and quotes in backticks, possibly identifiers too. The repository decides
// whether such a file exists.
func mentions(text string) (paths, identifiers []string) {
	seen := map[string]bool{"": true}
	add := func(word string) {
		word = strings.ReplaceAll(lineSuffix().ReplaceAllString(strings.TrimRight(word, ".:!?…"), ""), `\`, "/")
		if !seen[word] && len(paths) < maxMentions && !strings.Contains(word, "://") {
			seen[word] = true
			paths = append(paths, word)
		}
	}
	for _, quoted := range inBackticks().FindAllStringSubmatch(text, -1) {
		word := strings.TrimSpace(quoted[1])
		add(word)
		if name := strings.TrimSuffix(word, "()"); identifier().MatchString(word) && !seen["`"+name] && len(identifiers) < maxIdentifiers {
			seen["`"+name] = true
			identifiers = append(identifiers, name)
		}
	}
	separates := func(r rune) bool { return strings.ContainsRune(" \t\r\n`'\"()[]{}<>,;|*", r) }
	for _, word := range strings.FieldsFunc(text, separates) {
		if strings.ContainsAny(word, `/\.`) {
			add(word)
		}
	}
	return paths, identifiers
}
