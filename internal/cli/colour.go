package cli

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/muesli/termenv"

	"github.com/prdebate/debate/internal/report/terminal"
)

// colouring knows the colours of the run's terminals. It switches Windows consoles to
// escape sequences until restore.
type colouring struct {
	env      Env
	asked    string         // auto, always or never
	consoles []func() error // each resets a Windows console
}

// colours reports whether output to w is coloured: --color decides, then the environment,
// then the terminal.
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

// takesEscapes switches a Windows console to escape sequences until the run ends. It
// reports false for an old console without them, and true for every other terminal.
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

// output returns w with the abilities of its terminal.
func (c *colouring) output(w io.Writer) *termenv.Output {
	_, isTerminal := c.env.Width(w)
	return termenv.NewOutput(w, termenv.WithEnvironment(environment{c.env}), termenv.WithTTY(isTerminal))
}

// environment is the process environment, with FORCE_COLOR as another name of
// CLICOLOR_FORCE.
type environment struct{ Env }

func (e environment) Environ() []string { return e.Env.Environ() }

func (e environment) Getenv(name string) string {
	if name == "CLICOLOR_FORCE" {
		return cmp.Or(e.Env.Getenv(name), e.Env.Getenv("FORCE_COLOR"))
	}
	return e.Env.Getenv(name)
}

// shape returns the text format for a file, or for standard output if output is empty.
func (c *colouring) shape(output string, verbose bool) terminal.Options {
	if !isStandard(output) {
		return terminal.Options{Verbose: verbose}
	}
	columns, _ := c.env.Width(c.env.Stdout)
	return terminal.Options{Width: columns, Color: c.colours(c.env.Stdout), Verbose: verbose}
}
