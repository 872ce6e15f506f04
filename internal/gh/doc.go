// Package gh speaks with GitHub: it reads a pull request and all that people said
// on it, freezes its change at fixed commits, and writes what a review comes to. It
// is the only importer of go-github.
//
// GitHub is slow, limited and at times wrong about what it did. A read is tried
// again. A write that may have happened is looked for before it is tried again: what
// creates something carries a marker, and what carries the marker is there already.
package gh
