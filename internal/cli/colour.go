package cli

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/muesli/termenv"
)

// colouring knows what the terminals of a run can show. Consoles of Windows are switched to
// that until it is restored.
type colouring struct {
	env      Env
	asked    string         // auto, always or never
	consoles []func() error // each sets a console of Windows back to the mode that it had
}

// colours reports whether what is written to w is coloured: as --color says, else as the
// environment does, else where w is a terminal that shows colours. It switches a console
// of Windows to them.
func (c *colouring) colours(w io.Writer) bool {
	coloured := c.output(w).Profile != termenv.Ascii
	switch c.asked {
	case "always":
		coloured = true
	case "never":
		coloured = false
	}
	return coloured && c.takesEscapes(w)
}

// takesEscapes switches a console of Windows to escape sequences until the run ends. It
// reports false for an old one that would show them as text; every other terminal takes
// them.
func (c *colouring) takesEscapes(w io.Writer) bool {
	restore, err := termenv.EnableVirtualTerminalProcessing(c.output(w))
	if err != nil {
		return false
	}
	c.consoles = append(c.consoles, restore)
	return true
}

// restore leaves the consoles as they were found, the first one last: their mode is not
// ours, and the next program in them may count on it.
func (c *colouring) restore() (err error) {
	for _, restore := range slices.Backward(c.consoles) {
		err = errors.Join(err, restore())
	}
	c.consoles = nil
	return err
}

// output is a writer and what its terminal can do, if it is one.
func (c *colouring) output(w io.Writer) *termenv.Output {
	_, isTerminal := c.env.Width(w)
	return termenv.NewOutput(w, termenv.WithEnvironment(environment{c.env}), termenv.WithTTY(isTerminal))
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
