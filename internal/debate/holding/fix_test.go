package holding

import "testing"

func TestFix(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fix  Fix
		want bool
	}{
		"nobody":                 {Fix{}, false},
		"one":                    {Fix{Voices: []string{"a"}}, true},
		"one of a P1":            {Fix{Severe: true, Voices: []string{"a"}}, false},
		"one of a P1, twice":     {Fix{Severe: true, Voices: []string{"a", "a"}}, false},
		"two of a P1":            {Fix{Severe: true, Voices: []string{"a", "b"}}, true},
		"one, and lines against": {Fix{Voices: []string{"a"}, Contested: true}, false},
		"two, and lines against": {Fix{Severe: true, Voices: []string{"a", "b"}, Contested: true}, false},
	} {
		if got := c.fix.Done(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
