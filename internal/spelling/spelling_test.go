package spelling

import "testing"

func TestNearest(t *testing.T) {
	t.Parallel()
	candidates := []string{"", "run", "review", "dismiss", "Topic"}
	for word, want := range map[string]string{
		"revew": "review", "RUN": "run", "rn": "run", "tpoic": "Topic", "dismis": "dismiss", "nu": "", "": "", "explain": "", "x": "",
	} {
		if got := Nearest(word, candidates); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
