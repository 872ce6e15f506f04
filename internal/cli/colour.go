package cli

import (
	"cmp"
	"io"

	"github.com/muesli/termenv"
)

// colours reports whether what is written to w is coloured: as --color says, else as the
// environment does, else where w is a terminal that shows colours. It switches a console
// of Windows to them.
func (r *run) colours(w io.Writer) bool {
	out := r.output(w)
	coloured := out.Profile != termenv.Ascii
	switch r.color {
	case "always":
		coloured = true
	case "never":
		coloured = false
	}
	if coloured {
		if _, err := termenv.EnableVirtualTerminalProcessing(out); err != nil {
			return false
		}
	}
	return coloured
}

// output is a writer and what its terminal can do, if it is one.
func (r *run) output(w io.Writer) *termenv.Output {
	_, isTerminal := r.Width(w)
	return termenv.NewOutput(w, termenv.WithEnvironment(environment{r.Env}), termenv.WithTTY(isTerminal))
}

// environment is that of the process with FORCE_COLOR, which other programs know, as
// another name of CLICOLOR_FORCE.
type environment struct{ Env }

func (e environment) Environ() []string { return e.Env.Environ() }

func (e environment) Getenv(name string) string {
	if name == "CLICOLOR_FORCE" {
		return cmp.Or(e.Env.Getenv(name), e.Env.Getenv("FORCE_COLOR"))
	}
	return e.Env.Getenv(name)
}
