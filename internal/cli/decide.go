package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/store"
)

type decideCmd struct {
	Answer []string `arg:"" optional:"" help:"[REVIEW] [D1] OPTION REASON. REVIEW is its number in debate reviews, or its record; the default is your newest review of this repository. D1 is the question if several are open. Without an option you see the open questions."`

	Yes bool `short:"y" help:"Do not ask me to confirm."`

	record string // the review
	again  string // the command up to the record as it was typed
}

// Run records the user's decision after the outcome, and the new outcome. It changes no
// pull request.
func (c *decideCmd) Run(r *run) (err error) {
	c.again = "debate decide "
	if len(c.Answer) > 0 {
		word := c.Answer[0] // names a review, or is a decision or an option
		info, absent := os.Stat(r.path(word))
		_, notNumber := strconv.Atoi(word)
		isFile := absent == nil && info.Mode().IsRegular() || strings.HasSuffix(word, ".jsonl") || strings.ContainsRune(word, filepath.Separator)
		if isFile || notNumber == nil || word == newestReview {
			c.record, c.Answer = word, c.Answer[1:]
			c.again += word + " "
		}
	}
	if c.record, err = r.recordNamed(c.record); err != nil {
		return err
	}
	log, rec, err := store.Open(r.path(c.record))
	if errors.Is(err, fs.ErrNotExist) {
		return usage(err)
	}
	if err != nil {
		return err
	}
	defer log.Close()
	state, err := debate.Fold(rec.Entries)
	if err != nil {
		return fmt.Errorf("the record %s contradicts itself, so nothing can be decided in it: %w", c.record, err)
	}
	review := &engine.Review{
		Log: log,
		Now: func() int64 { return r.Now().UnixMilli() },
		Publish: func(context.Context, debate.State) ([]string, []debate.SinkFailed, error) {
			return []string{"standard output"}, nil, nil
		},
	}
	switch {
	case !wasClosed(rec.Entries):
		return errNotEnded(c.record)
	case state.Ending.Closing == nil: // an answer was recorded, and then this program was stopped
		if state, err = review.Resume(r.ctx, rec.Entries); err != nil {
			return err
		}
		if rec, err = store.Read(r.path(c.record)); err != nil {
			return err
		}
	}
	if open, _ := openIn(state); len(c.Answer) == 0 && len(open) > 0 {
		for _, d := range open {
			err := r.say("%s%s\n  To answer: %s%s%s WHY", prefixed(state, d.ID, ": "), report.Asks(d, 0), c.again, prefixed(state, d.ID, " "), choicesOf(d))
			if err != nil {
				return err
			}
		}
		return &exitError{code: exitHuman}
	}
	answer, err := c.answer(state)
	if err != nil {
		return usage(err)
	}
	answer.At = r.Now().UnixMilli()
	if repo, err := gitrepo.Open(r.ctx, r.Dir); err == nil {
		answer.By.Login = strings.TrimSpace(comment.Line(repo.User()))
	}
	if answer.By.Login == "" && r.User != nil {
		answer.By.Login = r.User()
	}
	answer.By.Login = cmp.Or(answer.By.Login, "someone")
	keys := lists.Map(state.Table.Parties, func(p debate.Party) string { return p.Key })
	answer.Reason = settings{secrets: ownSecrets(r.Environ(), report.Present(keys...))}.clean(answer.Reason)
	switch sure, err := c.confirmed(r, state, answer); {
	case err != nil:
		return err
	case !sure:
		fmt.Fprintln(r.Stderr, "debate: nothing was recorded")
		return &exitError{code: exitHuman}
	}
	state, err = review.Resume(r.ctx, rec.Entries, answer)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("Saved in this record: %s decided %s%s. GitHub is not informed. %s\n",
		comment.Line(answer.By.Login), prefixed(state, answer.Decision, " "), answer.Option, comment.Line(r.path(c.record)))
	if pr := state.Received.Anchor.PR; pr > 0 {
		text += fmt.Sprintf("To decide for pull request #%d, answer there.\n", pr)
	}
	if _, open := openIn(state); len(open) > 0 {
		text += "Still open: " + strings.Join(open, ", ") + "\n"
	}
	if err := r.emit("", []byte(text)); err != nil {
		return err
	}
	if state.AwaitsAnswer() {
		return &exitError{code: exitHuman}
	}
	return nil
}

// wasClosed reports whether a debate had an outcome once, even if later events follow.
func wasClosed(entries []debate.Entry) bool {
	return slices.ContainsFunc(entries, func(e debate.Entry) bool { return debate.KindOf(e.Event) == debate.KindClosed })
}

var decisionID = lazyregexp.New(`^[Dd][0-9]+$`)

// answer reads the decision, the option and the reason from the command line.
func (c *decideCmd) answer(s debate.State) (debate.Decided, error) {
	words, id := c.Answer, ""
	if len(words) > 0 && decisionID().MatchString(words[0]) {
		id, words = strings.ToUpper(words[0]), words[1:]
	}
	open, ids := openIn(s)
	at := slices.Index(ids, id)
	if id == "" && len(open) == 1 {
		at = 0
	}
	switch {
	case len(open) == 0:
		return debate.Decided{}, fmt.Errorf("nothing waits for a decision in %s", c.record)
	case at < 0 && id == "":
		return debate.Decided{}, fmt.Errorf("say which decision: %s are open; %s lists them", strings.Join(ids, ", "), strings.TrimSpace(c.again))
	case at < 0:
		return debate.Decided{}, fmt.Errorf("%s is not open; open is %s", id, strings.Join(ids, ", "))
	}
	d := open[at]
	again := c.again + prefixed(s, d.ID, " ")
	if len(words) == 0 {
		return debate.Decided{}, fmt.Errorf("say what you choose, and why: %s%s WHY", again, choicesOf(d))
	}
	option, reason := words[0], strings.Join(strings.Fields(strings.Join(words[1:], " ")), " ")
	switch {
	case !slices.ContainsFunc(d.Options, func(o debate.Option) bool { return o.ID == option }):
		return debate.Decided{}, fmt.Errorf("%q is no answer: choose one of %s", option, choicesOf(d))
	case reason == "":
		return debate.Decided{}, fmt.Errorf("say why: %s%s WHY", again, option)
	}
	return debate.Decided{
		Decision: d.ID, Fingerprint: d.Fingerprint, Option: option, Reason: reason, Head: s.Snapshot.HeadSHA, Via: debate.ViaLocal,
	}, nil
}

// openIn returns the decisions that a user can answer here, and their ids.
func openIn(s debate.State) (open []debate.Decision, ids []string) {
	open = lists.Keep(s.Agenda.Decisions, func(d debate.Decision) bool { return d.Open() })
	return open, lists.Map(open, func(d debate.Decision) string { return d.ID })
}

// prefixed returns the id of a decision with a suffix, "" if the record has only one
// decision: then no command needs the id.
func prefixed(s debate.State, id, after string) string {
	if len(s.Agenda.Decisions) == 1 {
		return ""
	}
	return id + after
}

// choicesOf lists the options of a decision.
func choicesOf(d debate.Decision) string {
	return strings.Join(lists.Map(d.Options, func(o debate.Option) string { return o.ID }), "|")
}

// confirmed asks the user at the terminal for a yes.
func (c *decideCmd) confirmed(r *run, s debate.State, answer debate.Decided) (bool, error) {
	switch {
	case c.Yes:
		return true, nil
	case r.Typed == nil || !r.Typed():
		return false, usage(errors.New("standard input is not a terminal, so you cannot confirm here: add --yes to decide without a question"))
	}
	d := lists.Find(s.Agenda.Decisions, func(d debate.Decision) bool { return d.ID == answer.Decision })
	fmt.Fprintf(r.Stderr, "%s%s\n%s, do you choose %s: %q? [y/N] ",
		prefixed(s, d.ID, ": "), report.Asks(d, 0), comment.Line(answer.By.Login), answer.Option, comment.Line(answer.Reason))
	said, err := await(r.ctx, func() (string, error) { return bufio.NewReader(r.Stdin).ReadString('\n') })
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(said))), nil
}
