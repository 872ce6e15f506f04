package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/muesli/termenv"
	"github.com/rivo/uniseg"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/report"
	"github.com/prdebate/debate/internal/report/terminal"
)

// maxPending is how many calls under way a terminal shows.
const maxPending = 8

// screen redraws the last lines of a terminal. A library for terminal programs does not
// fit: it asks the terminal for its colours at the start of any command, and takes over the
// keyboard with Ctrl-C.
type screen struct {
	to      io.Writer
	columns func() int
	colours bool
	drawn   int // lines of the last drawing
}

// screen returns the terminal behind standard error, nil if there is none.
func (r *run) screen() *screen {
	w, width := r.Stderr, r.Width
	if _, isTerminal := width(w); !isTerminal || r.Getenv("TERM") == "dumb" || r.Getenv("CI") != "" || !r.takesEscapes(w) {
		return nil
	}
	return &screen{to: w, colours: r.colours(w), columns: func() int {
		columns, _ := width(w)
		return columns
	}}
}

// underWay returns the lines about the current state of a debate: one for each call under way, and
// one for the whole debate.
func (p *progress) underWay() []string {
	now, s := p.now(), p.screen
	spinner := s.styled("36", string([]rune("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")[max(0, now.Sub(p.began))/frame%10])) + " "
	var lines []string
	for i, one := range p.pending {
		if i == maxPending {
			lines = append(lines, spinner+s.clipped(fmt.Sprintf("and %d more", len(p.pending)-maxPending)))
			break
		}
		came := ""
		if one.looks > 0 {
			came = "looks at the code"
		}
		lines = append(lines, spinner+s.clipped(step{name: one.name, who: one.who, took: report.Took(now.Sub(one.since).Milliseconds()), came: came}.row()))
	}
	said := []string{report.Took(now.Sub(p.began).Milliseconds()), p.stops}
	if p.calls > 0 {
		said = append([]string{p.costText(), report.Count(p.calls, "call")}, said...)
	}
	return append(lines, "  "+s.styled("2", s.clipped(strings.Join(said, " · "))))
}

// row is a step in columns.
func (s step) row() string {
	row := fmt.Sprintf("%-15s ", s.name)
	if s.who != "" {
		row += fmt.Sprintf("%-10s %-7s", comment.Line(s.who), s.took)
	}
	return strings.TrimRight(row+comment.Line(s.came), " ")
}

// draw writes the ended steps for good, and below them the lines under way over the last drawing.
func (s *screen) draw(ended []step, under []string) {
	var b strings.Builder
	if s.drawn > 0 {
		fmt.Fprintf(&b, "\r"+termenv.CSI+termenv.CursorUpSeq+termenv.CSI+termenv.EraseDisplaySeq, s.drawn, 0)
	}
	s.drawn = len(under)
	for _, one := range ended {
		switch {
		case one.name == "":
			b.WriteString(one.plain() + "\n") // not cut
		case one.failed:
			b.WriteString(s.styled("31", "✗") + " " + one.row() + "\n")
		default:
			b.WriteString(s.styled("32", "✓") + " " + s.clipped(one.row()) + "\n")
		}
	}
	for _, line := range under {
		b.WriteString(line + "\n")
	}
	if b.Len() > 0 {
		io.WriteString(s.to, b.String())
	}
}

// clipped cuts a line so that it fits after its mark without a break.
func (s *screen) clipped(line string) string {
	room := s.columns() - 3
	if room <= 0 || uniseg.StringWidth(line) <= room {
		return line
	}
	short, width := "", 0
	for all := uniseg.NewGraphemes(line); all.Next() && width+all.Width() < room; width += all.Width() {
		short += all.Str()
	}
	return short + "…"
}

func (s *screen) styled(code, text string) string {
	if !s.colours || text == "" {
		return text
	}
	return termenv.CSI + code + "m" + text + termenv.CSI + "0m"
}

// colours reports whether output to w is coloured: --color decides, then the environment,
// then the terminal.
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

// takesEscapes switches a Windows console to escape sequences until the run ends: its mode is
// not ours, and the next program in it may count on it. It reports false for an old console
// without them, and true for every other terminal.
func (r *run) takesEscapes(w io.Writer) bool {
	restore, err := termenv.EnableVirtualTerminalProcessing(r.output(w))
	if err == nil {
		r.consoles = append(r.consoles, restore)
	}
	return err == nil
}

// restoreConsoles leaves the consoles as they were found, the first one last.
func (r *run) restoreConsoles() (err error) {
	for _, restore := range slices.Backward(r.consoles) {
		err = errors.Join(err, restore())
	}
	return err
}

// output returns w with the abilities of its terminal.
func (r *run) output(w io.Writer) *termenv.Output {
	_, isTerminal := r.Width(w)
	return termenv.NewOutput(w, termenv.WithEnvironment(environment{r.Env}), termenv.WithTTY(isTerminal))
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
func (r *run) shape(output string, verbose bool) terminal.Options {
	if !isStandard(output) {
		return terminal.Options{Verbose: verbose}
	}
	columns, _ := r.Width(r.Stdout)
	return terminal.Options{Width: columns, Color: r.colours(r.Stdout), Verbose: verbose}
}
