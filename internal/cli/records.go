package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store"
)

// maxRecords bounds how many records are looked at for one of this repository.
const maxRecords = 50

// newestReview is the word of the command line for the newest review of this repository.
const newestReview = "newest"

// recordNamed returns the record of a command's argument: nothing and "newest" are the newest
// review of this repository, a number counts as in debate reviews, anything else is a file or an
// id at a server.
func (r *run) recordNamed(name string) (string, error) {
	number, err := strconv.Atoi(name)
	newest := name == "" || name == newestReview
	switch {
	case name != "" && exists(r.path(name)):
		return name, nil
	case newest:
		number = 1
	case err != nil:
		return name, nil
	}
	path, err := r.recordAt(number)
	if err == nil && newest {
		r.progress("the newest review: %s", path)
	}
	return path, err
}

// recordAt returns the record of this repository with a number; 1 is the newest.
func (r *run) recordAt(number int) (string, error) {
	n := 0
	for path := range r.ownRecords() {
		if n++; n == number {
			return path, nil
		}
	}
	switch {
	case r.stateDir() == "":
		return "", usage(errors.New("name the record of a review"))
	case n == 0:
		return "", usage(fmt.Errorf("no record of a review of this repository is in %s: name one", r.stateDir()))
	}
	return "", usage(fmt.Errorf("there is no review %d of this repository: debate reviews lists %d", number, n))
}

// isNewest reports whether a command that names no record takes this one. In is the directory to
// name, "" for the one that this command was typed in.
func (r *run) isNewest(path string) (newest bool, in string) {
	first, err := r.recordAt(1)
	if r.Dir != r.from {
		in = shellWord(r.Dir)
	}
	return err == nil && first == path, in
}

// show writes a review, with short commands if it is the newest one.
func (r *run) show(e report.Envelope, format, output string, verbose bool) error {
	shape := r.shape(output, verbose)
	if isStandard(output) {
		shape.Newest, shape.In = r.isNewest(e.Record)
	}
	data, err := render(e, format, shape)
	if err != nil {
		return err
	}
	return r.emit(output, data)
}

// shellWord quotes a word for a shell if it needs it.
func shellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,@%+~#", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// ownRecords are the newest records of this user about this repository: its commits, its pull
// requests, or no commit at all, as of a patch that was reviewed in it. Outside of a repository
// they are all records.
func (r *run) ownRecords() iter.Seq2[string, store.Record] {
	return func(yield func(string, store.Record) bool) {
		sessions, _ := filepath.Glob(filepath.Join(r.stateDir(), "debate-*", "record.jsonl")) // the pattern is ours
		if r.stateDir() == "" {
			return
		}
		second := func(path string) string { // a name begins with the time of the session
			return filepath.Base(filepath.Dir(path))[:min(len("debate-20060102-150405"), len(filepath.Base(filepath.Dir(path))))]
		}
		begun := func(path string) int64 { // later changes of the record leave its directory as it is
			info, err := os.Stat(filepath.Dir(path))
			if err != nil {
				return 0
			}
			return info.ModTime().UnixNano()
		}
		slices.SortFunc(sessions, func(a, b string) int {
			return cmp.Or(cmp.Compare(second(b), second(a)), cmp.Compare(begun(b), begun(a)))
		})
		repo, outside := gitrepo.Open(r.ctx, r.Dir)
		origin := "" // "" for none
		if outside == nil {
			origin, _ = repo.Origin(r.ctx)
			origin = strings.TrimSuffix(strings.ReplaceAll(origin, ":", "/"), ".git")
		}
		for _, path := range sessions[:min(len(sessions), maxRecords)] {
			rec, err := store.Read(path)
			if err != nil {
				continue // a broken record hides no other
			}
			elsewhere := false
			isOf := func(e debate.Entry) bool {
				switch ev := e.Event.(type) {
				case debate.Received:
					elsewhere = ev.Command != nil && !within(repo.Top(), ev.Command.Dir)
					return ev.Anchor.PR > 0 && strings.HasSuffix(origin, "/"+ev.Anchor.Repo)
				case debate.Snapshotted:
					return ev.BaseSHA+ev.HeadSHA == "" && !elsewhere || repo.Knows(r.ctx, ev.BaseSHA) || repo.Knows(r.ctx, ev.HeadSHA)
				}
				return false
			}
			if (outside != nil || slices.ContainsFunc(rec.Entries, isOf)) && !yield(path, rec) {
				return
			}
		}
	}
}

// maxAnswered is how many of the newest reviews are searched for answers.
const maxAnswered = 20

// decidedHere returns the user's own answers in the newest reviews of this repository. An
// answer about the same lines is not asked for again.
func (r *run) decidedHere() []debate.PriorDecision {
	if _, err := gitrepo.Open(r.ctx, r.Dir); err != nil {
		return nil // the records may be about other repositories
	}
	var list []debate.PriorDecision
	n := 0
	for _, rec := range r.ownRecords() {
		if n++; n > maxAnswered {
			break
		}
		state, err := debate.Fold(rec.Entries)
		if err != nil || state.Received.Anchor.PR > 0 {
			continue
		}
		for _, p := range state.Memory().Previous().Decisions {
			if p.Local {
				list = append(list, p)
			}
		}
	}
	return list
}

// sessionID is the form of a review's id at a server.
var sessionID = lazyregexp.New(`^debate-[0-9]{8}-[0-9]{6}-[0-9]+$`)

// isKept reports whether a name is the id of a review in a database, and not a file.
func (r *run) isKept(name string) bool { return sessionID().MatchString(name) && !exists(r.path(name)) }

// stateDir returns the directory for the user's records, never in a work tree; ""
// without a home.
func (e Env) stateDir() string { return e.userDir("XDG_STATE_HOME", "LOCALAPPDATA", ".local/state") }

// userDir is a directory of this program: in that of a variable, on Windows of another one, else
// below the home; "" without a home.
func (e Env) userDir(variable, windows, below string) string {
	dir, isWindows := e.Getenv(variable), runtime.GOOS == "windows"
	home := e.Getenv("HOME")
	switch {
	case filepath.IsAbs(dir):
		return filepath.Join(dir, "debate")
	case isWindows && e.Getenv(windows) != "":
		return filepath.Join(e.Getenv(windows), "debate")
	case !isWindows && filepath.IsAbs(home):
		return filepath.Join(home, filepath.FromSlash(below), "debate")
	}
	return ""
}

// newRecord creates the record of a new session: at the named path, else in the user's
// directory, else in a temporary directory, so that a read-only home does not prevent a
// review.
func (r *run) newRecord(asked, session string) (log *store.File, path string, err error) {
	if asked != "" {
		path = r.path(asked)
		log, err = store.Create(path)
		if errors.Is(err, fs.ErrExist) {
			err = usage(fmt.Errorf("the record %s exists already: name another file, or go on with debate resume %s", path, path))
		} else if err != nil {
			err = fmt.Errorf("cannot write the record %s: %w; name another file", path, systemError(err))
		}
		return log, path, err
	}
	if dir := r.stateDir(); dir != "" {
		path = filepath.Join(dir, session, "record.jsonl")
		if log, err = store.Create(path); err == nil {
			return log, path, nil
		}
	}
	dir, tempErr := os.MkdirTemp("", "debate-")
	if tempErr != nil {
		return nil, "", fmt.Errorf("no place for the record: cannot make a directory in %s: %w; name a file with --record", os.TempDir(), systemError(tempErr))
	}
	path = filepath.Join(dir, "record.jsonl")
	r.progress("the record goes to %s, the usual place cannot be written", path)
	log, err = store.Create(path)
	return log, path, err
}

// readReview reads and folds the review of a command's argument, as recordNamed takes it: a file, or
// a review in the server's database.
func (r *run) readReview(asked, database string) (name string, rec store.Record, state debate.State, err error) {
	if name, err = r.recordNamed(asked); err != nil {
		return name, rec, state, err
	}
	switch {
	case !r.isKept(name):
		rec, err = store.Read(r.path(name))
	case r.Server == nil:
		err = r.handOver()
	default:
		rec, err = r.Server.Record(r, r.databaseAt(database), name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = usage(err)
	}
	if err != nil {
		return name, rec, state, err
	}
	if state, err = debate.Fold(rec.Entries); err != nil {
		err = fmt.Errorf("the record %s contradicts itself: %w", name, err)
	}
	return name, rec, state, err
}

type reviewsCmd struct{}

// maxVerdict and maxScope are how many characters of each a line of 80 columns has room for.
const (
	maxScope   = 18
	maxVerdict = 32
)

// Run lists the newest reviews of this repository with their numbers for other commands.
func (c *reviewsCmd) Run(r *run) error {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	n := 0
	for _, rec := range r.ownRecords() {
		n++
		state, err := debate.Fold(rec.Entries)
		if err != nil {
			fmt.Fprintf(table, "%d\t-\t-\t%s\t-\n", n, "cannot be read")
			continue
		}
		e := report.FromState(state)
		verdict := report.Headline(e)
		if state.Ending.Outcome == "" {
			verdict = "not finished"
		}
		what := state.Received.Scope
		switch {
		case state.Received.Anchor.PR > 0:
			what = fmt.Sprintf("#%d %s", state.Received.Anchor.PR, state.Received.Anchor.Title)
		case state.Received.Inquiry != nil:
			what = state.Received.Anchor.Title
		}
		began := time.UnixMilli(state.Clock.StartedAt).Local().Format("2006-01-02 15:04")
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\n", n, began, report.ClipLine(comment.Line(what), maxScope),
			report.ClipLine(comment.Line(verdict), maxVerdict), report.Cost(e.Stats.CostUSD, e.Stats.CostUnknown))
	}
	if n == 0 {
		return r.say("There are no reviews of this repository. To make one: debate review")
	}
	table.Flush()
	return r.emit("", []byte(b.String()))
}

type resumeCmd struct {
	Record string `arg:"" optional:"" help:"The review: its number in debate reviews, or its record. Default: your newest review of this repository without a result."`
}

// Run repeats the command line in a record, in its directory, with the record to go on with.
func (c *resumeCmd) Run(r *run) error {
	if c.Record == "" {
		for path, rec := range r.ownRecords() {
			if state, err := debate.Fold(rec.Entries); err == nil && state.Ending.Outcome == "" {
				c.Record = path
				break
			}
		}
	}
	if c.Record == "" {
		return usage(errors.New("nothing to resume: every review of this repository has a result"))
	}
	name, _, state, err := r.readReview(c.Record, "")
	if err != nil {
		return err
	}
	path := r.path(name)
	began := state.Received.Command
	if began == nil {
		return usage(fmt.Errorf("%s does not name the command that began it: repeat that command with --resume %s", path, path))
	}
	args := append(slices.Clone(began.Args), "--resume", path)
	if r.quiet {
		args = append(args, "--quiet")
	}
	env := r.Env
	env.Dir = began.Dir
	return &exitError{code: Main(args, env)}
}

// command is the command line of a review or a question, without secrets and the place of its
// record; nil for a debate that another command runs.
func (r *run) command(clean func(string) string) *debate.Command {
	var args []string
	for i := 0; i < len(r.args); i++ {
		switch name, _, joined := strings.Cut(r.args[i], "="); {
		case name != "--record" && name != "--resume":
			args = append(args, clean(r.args[i]))
		case !joined:
			i++ // its value
		}
	}
	if !slices.Contains(args, "review") && !slices.Contains(args, "ask") {
		return nil
	}
	return &debate.Command{Dir: clean(r.from), Args: args}
}
