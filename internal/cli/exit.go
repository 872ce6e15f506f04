package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/report"
)

// The exit codes: those of a debate, and one of our own.
const (
	exitDone        = int(debate.ExitDone)
	exitFindings    = int(debate.ExitFindings)
	exitUsage       = int(debate.ExitUsage)
	exitHuman       = int(debate.ExitHuman)
	exitFailed      = int(debate.ExitFailed)
	exitInterrupted = 130
)

// exitError is an error with an exit code. A nil err means that the output already has the
// reason.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usage marks an error as one of the caller.
func usage(err error) error { return &exitError{code: exitUsage, err: err} }

// fail prints an error, one line for each joined part, and returns its exit code.
func fail(env Env, err error) int {
	code, lines := failure(err)
	for _, line := range lines {
		fmt.Fprintf(env.Stderr, "debate: %s\n", line)
	}
	return code
}

// failure returns the exit code of an error and its lines.
func failure(err error) (code int, said []string) {
	code = exitFailed
	var exit *exitError
	var lines config.Errors
	switch {
	case errors.Is(err, context.Canceled):
		code, err = exitInterrupted, errors.New("interrupted")
	case errors.As(err, &exit):
		code = exit.code
		if exit.err == nil {
			return code, nil
		}
	case errors.As(err, new(*gitrepo.NotRepositoryError)), errors.As(err, new(*gitrepo.RequestError)), errors.As(err, new(*gitrepo.FileError)):
		code = exitUsage // the request does not fit the repository; other failures of git are real faults
	}
	if errors.As(err, &lines) {
		code = exitUsage
		for _, l := range lines {
			said = append(said, comment.Line(l.Error()))
		}
		return code, said
	}
	for _, one := range errorParts(err) {
		said = append(said, comment.Line(one.Error()))
	}
	return code, said
}

// errorParts returns the parts of a joined error.
func errorParts(err error) []error {
	if exit, ok := err.(*exitError); ok && exit.err != nil {
		return errorParts(exit.err)
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	text := ""
	for _, one := range joined.Unwrap() {
		all = append(all, errorParts(one)...)
		text += "\n" + one.Error()
	}
	if text != "\n"+err.Error() { // it says more than its parts
		return []error{err}
	}
	return all
}

// unanswered returns an error with the causes if models are configured and none answered.
func unanswered(s debate.State) error {
	causes := absences(s.Table.Parties)
	switch {
	case !s.Unanswered():
		return nil
	case len(causes) == 0:
		return fmt.Errorf("no model was asked: %s; raise it in limits of the settings", report.Says(s, s.Ending.OutcomeReason))
	}
	return errors.New("no model answered: " + strings.Join(causes, "; "))
}

// absences names the debaters that cannot take part, each with the reason.
func absences(parties []debate.Party) []string {
	absent := lists.Keep(parties, func(p debate.Party) bool { return p.Debates() && p.Status != debate.PartyOK })
	return lists.Map(absent, func(p debate.Party) string { return p.ID + ": " + cmp.Or(p.Detail, string(p.Status)) })
}

// explainUsage explains a wrong command line and names the help to read.
func explainUsage(parser *kong.Kong, args []string, err error) error {
	i := slices.IndexFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	if len(args) == 0 {
		return errors.New("say what to do: debate review reviews your branch, debate --help lists all commands")
	}
	help := "debate --help"
	if i >= 0 && slices.ContainsFunc(parser.Model.Children, func(n *kong.Node) bool { return n.Name == args[i] }) {
		help = "debate " + args[i] + " --help"
	}
	why := err.Error()
	if strings.HasPrefix(why, "unexpected argument ") && i >= 0 && args[i] == "ask" {
		return errors.New("the question has to be one argument: put quotes around it, as in debate ask 'Is it safe?'")
	}
	if flag, _, empty := strings.Cut(why, ": expected string value but got"); empty {
		why = flag + " needs a value"
	}
	if argument, missing := strings.CutPrefix(why, "expected \"<"); missing {
		name, _, _ := strings.Cut(argument, ">")
		why = "something is missing: " + strings.ToUpper(name)
	}
	// The empty choice is the default of a flag, and nothing to choose.
	return errors.New(strings.Replace(why, `"",`, "", 1) + "; see " + help)
}

// oneLine returns the first line of an error, and the number of further lines.
func oneLine(err error) string {
	first, rest, more := strings.Cut(err.Error(), "\n")
	if !more {
		return first
	}
	return fmt.Sprintf("%s (and %d more)", first, 1+strings.Count(rest, "\n"))
}
