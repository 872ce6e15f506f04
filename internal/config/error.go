package config

import (
	"fmt"
	"sort"
	"strings"
)

// Error is one thing that is wrong in a settings file.
type Error struct {
	File    string
	Line    int // 1-based
	Column  int // 1-based, in characters
	Message string
	// OperatorOnly: it is a setting that a repository cannot make.
	OperatorOnly bool
}

// Error is the finding as file:line:column: message.
func (e Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Errors is everything that is wrong in a settings file, in the order of the
// file.
type Errors []Error

// Error is one line for each error.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, one := range e {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// maxErrors bounds what is reported of one file.
const maxErrors = 100

func (e Errors) sorted() Errors {
	sort.SliceStable(e, func(i, j int) bool {
		a, b := e[i], e[j]
		switch {
		case a.Line != b.Line:
			return a.Line < b.Line
		case a.Column != b.Column:
			return a.Column < b.Column
		default:
			return a.Message < b.Message
		}
	})
	if len(e) > maxErrors {
		e = e[:maxErrors]
	}
	return e
}
