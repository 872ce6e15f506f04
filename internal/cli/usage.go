package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// misused explains a wrong command line and names the help to read.
func misused(parser *kong.Kong, args []string, err error) error {
	i := slices.IndexFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	if len(args) == 0 {
		return errors.New("say what to do: debate review reviews your branch, debate --help lists all commands")
	}
	help := "debate --help"
	if i >= 0 && slices.ContainsFunc(parser.Model.Children, func(n *kong.Node) bool { return n.Name == args[i] }) {
		help = "debate " + args[i] + " --help"
	}
	why := err.Error()
	if word, more := strings.CutPrefix(why, "unexpected argument "); more && i >= 0 && args[i] == "ask" {
		return errors.New("the question is one argument, and " + word + " is one too many: put quotes around the question, as in debate ask 'Is it safe?'")
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
