package patch

import "testing"

func TestHasWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"Sweep()": true, "l.Sweep": true, "Sweeper Sweep": true, "DoSweep": false, "Sweep_": false, "": false} {
		if HasWord(text, "Sweep") != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	if !HasWord(`get("/api/v1/orders")`, "/api/v1/orders") || HasWord("/api/v1/ordersX", "/api/v1/orders") {
		t.Error("a route is no word")
	}
}
