package debate

import "testing"

// TestPanelConfidence is the last column of the table of R182.
func TestPanelConfidence(t *testing.T) {
	t.Parallel()
	for want, p := range map[Confidence]Panel{
		High:          {Consensus: true},
		Medium:        {Consensus: true, Missing: []Stance{StanceEffort}},
		RequiresInput: {Missing: []Stance{StanceEffort}},
	} {
		if got := PanelConfidence(p); got != want {
			t.Errorf("%+v: %s, want %s", p, got, want)
		}
	}
}
