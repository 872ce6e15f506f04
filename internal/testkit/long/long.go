// Package long tells tests whether to play everything or a fast sample.
// DEBATE_TEST_LONG=1 plays everything; the nightly workflow sets it.
package long

import (
	"flag"
	"os"
	"sync"
	"testing"

	"pgregory.net/rapid"
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

// Serial skips t under the race detector unless this run plays everything. Use it for
// tests that take long and are about no concurrency: the detector makes them ten times
// slower and has nothing to find.
func Serial(t testing.TB) {
	t.Helper()
	if raced && !Enabled() {
		t.Skip("about no concurrency: left out under the race detector")
	}
}

// Check is rapid.Check with a fifth of its draws unless this run plays everything, and
// fewer under the race detector. The flag -rapid.checks has the last word.
func Check(t rapid.TB, property func(*rapid.T)) {
	t.Helper()
	drawFewer()
	rapid.Check(t, property)
}

var drawFewer = sync.OnceFunc(func() {
	checks := flag.Lookup("rapid.checks")
	if Enabled() || checks.Value.String() != checks.DefValue {
		return
	}
	few := "20"
	if raced {
		few = "5"
	}
	if err := checks.Value.Set(few); err != nil {
		panic(err)
	}
})
