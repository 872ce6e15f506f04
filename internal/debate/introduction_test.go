package debate

import "testing"

// TestOwnWords: what the debate puts before an objection is none of its words.
func TestOwnWords(t *testing.T) {
	t.Parallel()
	for objection, want := range map[string]string{
		"it recommends keep: Nothing of this is shown.": "Nothing of this is shown.",
		"it objects strongly: The card leaves the shop": "The card leaves the shop",
		"it disagrees: it disagrees: no":                "it disagrees: no",
		"it recommends revise `cart.go:12` the loop":    "`cart.go:12` the loop",
		"it disagrees":                      "it disagrees",
		"it recommends keep:":               "it recommends keep:",
		"It recommends nothing: see line 3": "It recommends nothing: see line 3",
	} {
		if got := OwnWords(objection); got != want {
			t.Errorf("%q: %q, want %q", objection, got, want)
		}
	}
}
