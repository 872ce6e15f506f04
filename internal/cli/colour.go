package cli

import (
	"cmp"
	"io"
	"slices"

	"github.com/muesli/termenv"
)

// colours reports whether what is written to w is coloured: as --color says, else as the
// environment does, else where w is a terminal that shows colours. It switches a console
// of Windows to them.
func (r *run) colours(w io.Writer) bool {
	coloured := r.output(w).Profile != termenv.Ascii
	switch r.color {
	case "always":
		coloured = true
	case "never":
		coloured = false
	}
	return coloured && r.takesEscapes(w)
}

// takesEscapes switches a console of Windows to escape sequences until the run ends. It
// reports false for an old one that would show them as text; every other terminal takes
// them.
func (r *run) takesEscapes(w io.Writer) bool {
	restore, err := termenv.EnableVirtualTerminalProcessing(r.output(w))
	if err != nil {
		return false
	}
	r.consoles = append(r.consoles, restore)
	return true
}

// restoreConsoles leaves the consoles as they were found, the first one last: their mode
// is not ours, and the next program in them may count on it.
func (r *run) restoreConsoles() {
	for _, restore := range slices.Backward(r.consoles) {
		if err := restore(); err != nil {
			r.progress("the console could not be set back: %v", err)
		}
	}
	r.consoles = nil
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
