package report

import "testing"

// TestRounded: nobody reads that less was spent than was.
func TestRounded(t *testing.T) {
	t.Parallel()
	for amount, want := range map[USD]string{
		0: "$0.00", 1: "$0.001", 9_000: "$0.009", 9_001: "$0.01", 10_000: "$0.01", 10_001: "$0.02", 123_456: "$0.13", 12 * dollar: "$12.00",
	} {
		if got := amount.Rounded(); got != want {
			t.Errorf("%d: %s, want %s", int64(amount), got, want)
		}
	}
}
