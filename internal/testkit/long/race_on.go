//go:build race

package long

// raced: the race detector watches this run.
const raced = true
