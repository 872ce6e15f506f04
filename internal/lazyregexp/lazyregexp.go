// Package lazyregexp compiles regular expressions at their first use, so the start of the
// program does not pay for all of them.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp gives a regular expression. It is safe for concurrent use.
type Regexp func() *regexp.Regexp

// New keeps an expression for its first use, which panics if it does not compile.
func New(expr string) Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
