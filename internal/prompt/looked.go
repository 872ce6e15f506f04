package prompt

import (
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// Line returns a line of a file as the packet would show it.
func (p *Packet) Line(raw string) string { return p.line(raw) }

// Looked is what is sent back to a party that looked further, one text for each thing
// that it asked for: that, what there is, and below the last one how many things it may
// still look at.
func (p *Packet) Looked(seen []debate.Seen, left int) []string {
	parts := make([]string, len(seen))
	for i, s := range seen {
		parts[i] = p.fenced(p.seen(s))
	}
	if left > 0 {
		parts[len(seen)-1] += "This is what you asked to see. Answer now, or look at up to " + strconv.Itoa(left) + " more things.\n"
	} else {
		parts[len(seen)-1] += "This is what you asked to see. You cannot look any further: answer now, without \"look\".\n"
	}
	return parts
}

// seen is one look and what it showed.
func (p *Packet) seen(s debate.Seen) string {
	var b strings.Builder
	b.WriteString("look: " + p.line(clip(wished(s.Look), maxHeading)) + "\n")
	mark := " "
	if s.Side == debate.Left {
		mark = "-"
	}
	for _, run := range s.Runs {
		last := run.First + len(run.Lines) - 1
		b.WriteString("context " + p.line(clip(run.Path, maxHeading)) + " " + strconv.Itoa(run.First) + "-" + strconv.Itoa(last) + "\n")
		for i, line := range run.Lines {
			b.WriteString(mark + strconv.Itoa(run.First+i) + " " + p.line(line) + "\n")
		}
	}
	for _, name := range s.Names {
		b.WriteString(" " + p.line(name) + "\n")
	}
	if s.Test != nil {
		b.WriteString(p.tested(*s.Test))
		return b.String()
	}
	switch {
	case s.Why != "":
		b.WriteString("[" + withheld[s.Why] + "]\n")
	case s.Cut != "":
		b.WriteString("[" + shortened[s.Cut] + "]\n")
	case len(s.Runs)+len(s.Names) == 0:
		b.WriteString("[nothing is found]\n")
	}
	return b.String()
}

// wished is what a party asked to see, in its words.
func wished(l debate.Look) string {
	text := string(l.Kind)
	switch {
	case l.Kind == debate.LookGrep:
		text += " " + l.Pattern
		if len(l.Paths) > 0 {
			text += " in " + strings.Join(l.Paths, ", ")
		}
	case l.Path != "":
		text += " " + l.Path
	}
	if l.EndLine > 0 {
		text += " " + strconv.Itoa(max(1, l.StartLine)) + "-" + strconv.Itoa(l.EndLine)
	}
	if l.Side == debate.Left {
		text += " at the base"
	}
	return text
}

// withheld says why nothing is shown.
var withheld = map[debate.Withheld]string{
	debate.LookUnclear:    "not understood: ask for read, grep or list",
	debate.LookOutside:    "refused: the path is no path inside the repository",
	debate.LookMissing:    "there is nothing of this name, or no such line",
	debate.LookDirectory:  "this is a directory: use list",
	debate.LookNoDir:      "this is no directory: use read",
	debate.LookSymlink:    "refused: this is a symbolic link, and links are not followed",
	debate.LookSubmodule:  "refused: this is a submodule, which is another repository",
	debate.LookLFS:        "refused: git has only a pointer to this file (git-lfs)",
	debate.LookSecret:     "refused: by its name this file holds secrets",
	debate.LookPrivate:    "refused: the settings keep this path private",
	debate.LookBinary:     "this is no text",
	debate.LookTooLarge:   "not shown: it is too large",
	debate.LookUnreadable: "it could not be read",
	debate.LookBadPattern: "the expression is not one in RE2 syntax, or the paths are no simple globs",
	debate.LookNoSearch:   "search is not available here: use read and list",
	debate.LookNoTests:    "tests are not run here",
	debate.LookTestPath:   "not run: no test may be written at this path; give it the name of a test file that the request allows",
	debate.LookTestTaken:  "not run: a file of this name is there; choose another one",
	debate.LookTestText:   "not run: a test has at most 200 lines and a name that the command can take",
	debate.LookUsedUp:     "not shown: what you may look at is used up",
}

// shortened says why something is missing.
var shortened = map[debate.Cut]string{
	debate.CutLines: "there is more: ask for other lines, or search for something more special",
	debate.CutBytes: "there is more, but no room for it in this turn",
	debate.CutTime:  "the search took too long and is not complete: name paths, or a longer text",
	debate.CutTree:  "there may be more: a part of the repository cannot be reached from here",
}
