package lazyregexp

import (
	"sync"
	"testing"
)

func TestNew(t *testing.T) {
	t.Parallel()
	digits := New(`^[0-9]+$`)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if !digits().MatchString("42") || digits().MatchString("x") {
				t.Error("another expression")
			}
		})
	}
	wait.Wait()
	broken := New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("what is no expression was accepted")
		}
	}()
	broken()
}
