package cli

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/report"
)

// TestPurse: what is not known of the cost of debates counts too, so that no client spends
// without end by giving up each time.
func TestPurse(t *testing.T) {
	t.Parallel()
	const dollar = report.USD(1_000_000)
	p := budget{most: dollar}
	if got, want := p.spend(dollar/4, true), "It cost $0.25. This server has spent $0.25 of $1.00."; got != want {
		t.Error(got)
	}
	if left, err := p.left(); err != nil || left != dollar*3/4 {
		t.Errorf("%v left, %v", left, err)
	}
	if got, want := p.spend(dollar/100, false), "It cost $0.01 and calls without a known price; it counts for $0.11. This server has spent $0.36 of $1.00."; got != want {
		t.Error(got)
	}
	for range 7 {
		p.spend(0, false)
	}
	if _, err := p.left(); err == nil || !strings.Contains(err.Error(), "$1.06 of $1.00 are spent") {
		t.Errorf("after nine debates of unknown cost: %v", err)
	}
}
