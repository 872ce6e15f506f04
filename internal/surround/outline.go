package surround

import (
	"path"

	outlines "github.com/prdebate/debate/internal/outline"
)

// outline finds the declarations of a file.
type outline interface {
	// enclosing is the declaration around a line, if it is short enough to show whole.
	enclosing(line int) (span, bool)
	// owners returns the owners of that declaration, such as the type of a method.
	owners(line int) []span
	// head is the last line before the first declaration.
	head() int
}

// outlined reads the declarations of a file: of Go with its parser, of others by how
// their lines begin and are indented.
func outlined(name string, content []byte, text []string) outline {
	if path.Ext(name) == ".go" {
		if g, ok := parseGo(content); ok {
			return g
		}
	}
	return indented{outlines.Of(name, 1, text)}
}

// unread is the outline of an unread file.
type unread struct{}

func (unread) enclosing(int) (span, bool) { return span{}, false }
func (unread) owners(int) []span          { return nil }
func (unread) head() int                  { return 0 }

// indented is an outline by indentation.
type indented struct{ *outlines.Outline }

// enclosing is the widest declaration around a line within the bound.
func (o indented) enclosing(line int) (span, bool) {
	for _, d := range o.Enclosing(line) {
		if s := (span{d.First, d.Last}); s.length() <= declLines {
			return s, true
		}
	}
	return span{}, false
}

// owners returns the heads of the declarations above the bound.
func (o indented) owners(line int) []span {
	var all []span
	for _, d := range o.Enclosing(line) {
		if s := (span{d.First, d.Last}); s.length() > declLines {
			all = append(all, span{s.first, s.first + outerLines - 1})
		}
	}
	return all
}

func (o indented) head() int { return o.Head() }

func (s span) length() int { return s.last - s.first + 1 }
