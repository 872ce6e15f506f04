package cli

import "testing"

// TestArgumentOfReview: an argument without a flag means what the flag for it would mean.
func TestArgumentOfReview(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := &run{Env: w.env(), ctx: t.Context()}
	for word, want := range map[string]scopeFlags{
		"12":                                   {PR: "12"},
		"#12":                                  {PR: "#12"},
		"main..HEAD":                           {Range: "main..HEAD"},
		"https://github.com/acme/shop/pull/12": {PR: "https://github.com/acme/shop/pull/12"},
	} {
		var got scopeFlags
		if err := got.takeArgument(r, &word); err != nil || got != want {
			t.Errorf("%s: %+v, %v", word, got, err)
		}
	}
}
