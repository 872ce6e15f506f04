package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
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

// Help shows how the command is used.
func (c *askCmd) Help() string {
	return `Examples:
  debate ask 'Is it safe to retry this request?' --file client.go
  debate ask 'Which queue?' --option 'A=a ring buffer' --option 'B=a channel'
  debate ask --framing red-team - < design.md`
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
	asked := &inquiry{
		anchor:  debate.Anchor{Title: titleOf(text), Intent: text},
		request: debate.Inquiry{Framing: debate.Framing(c.Framing), Options: options},
	}
	defer asked.close()
	if err := asked.freeze(r, c.File); err != nil {
		return err
	}
	set, err := c.settings(r, config.Config{}, asked.policyFile, nil)
	if err != nil {
		return err
	}
	defer set.panel.close()
	asked.anchor.Title, asked.anchor.Intent = set.clean(asked.anchor.Title), set.clean(asked.anchor.Intent)
	for i := range options {
		options[i].Label, options[i].Description = set.clean(options[i].Label), set.clean(options[i].Description)
	}
	review := set.newReview(r.Now)
	review.Subject.Source = asked
	return r.runDebate(debateRun{
		debateFlags: c.debateFlags, format: c.Format, review: review, settings: set, covers: asked.change.covers,
		first: func() (debate.Received, error) {
			first, err := set.received(r.Env, "")
			ask(&first, asked.anchor, asked.request)
			if asked.change != nil {
				first.Settings.Looks = set.looks()
			}
			if err != nil || len(asked.files) == 0 {
				return first, err
			}
			shown := namesOf(asked.files)
			first.Guidance = guidance(set.config.Instructions, shown)
			first.Advice, err = set.advice(r.ctx, adviceFiles(shown), readEach(asked.policyFile))
			return first, err
		},
	})
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
		o := debate.Option{ID: id, Label: titleOf(text), StatusQuo: id == debate.StatusQuoOption}
		if o.Label != text {
			o.Description = text
		}
		options = append(options, o)
	}
	switch n := len(options); {
	case n == 1:
		return nil, errors.New("one --option is no choice: name at least two")
	case n > debate.MaxOptions:
		return nil, fmt.Errorf("--option is given %d times, at most %d can be weighed", n, debate.MaxOptions)
	}
	return options, nil
}

// ask fills in the first event of a question: it is advisory and fails nothing.
func ask(first *debate.Received, anchor debate.Anchor, request debate.Inquiry) {
	first.Scope, first.Target, first.Anchor, first.Inquiry = debate.ScopeQuestion, debate.TargetProposal, anchor, &request
	first.Settings.Gate, first.Settings.FailOn = debate.Advisory, debate.FailNone
}
