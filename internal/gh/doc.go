// Package gh talks to GitHub: it reads a pull request with its comments, freezes its
// change at fixed commits, and writes the results of a review. Only gh imports
// go-github.
//
// GitHub is slow, limited, and sometimes wrong about the outcome of a request. A read
// is retried. A write that creates a thing carries a marker: if its outcome is unknown,
// gh looks for the marker before it retries.
package gh
