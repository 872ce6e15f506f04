package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// Error is one problem in a settings file.
type Error struct {
	File    string
	Line    int // 1-based
	Column  int // 1-based, in characters
	Message string
	// OperatorOnly marks a setting that a repository cannot make.
	OperatorOnly bool
}

// Error returns the problem as file:line:column: message.
func (e Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Errors are all problems in a settings file, in the order of the file.
type Errors []Error

// Error returns one line for each error.
func (e Errors) Error() string {
	return strings.Join(lists.Map(e, Error.Error), "\n")
}

// maxErrors bounds the errors reported for one file.
const maxErrors = 100

func (e Errors) sorted() Errors {
	slices.SortStableFunc(e, func(a, b Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	return e[:min(len(e), maxErrors)]
}
