// Package long tells tests whether to play everything or a fast sample.
// DEBATE_TEST_LONG=1 plays everything; the nightly workflow sets it.
package long

import (
	"os"
	"testing"
)

// Enabled reports whether this run plays everything.
func Enabled() bool { return os.Getenv("DEBATE_TEST_LONG") != "" }

// Only skips t unless this run plays everything. Use it for tests that need
// real time or many processes.
func Only(t testing.TB) {
	t.Helper()
	if !Enabled() {
		t.Skip("long test: set DEBATE_TEST_LONG=1 to run it")
	}
}

// Pick returns all if this run plays everything, else sample.
func Pick[T any](sample, all T) T {
	if Enabled() {
		return all
	}
	return sample
}
