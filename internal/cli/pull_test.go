package cli

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/model/tape"
)

// What settings opened is closed where they turn out to be of no use, and every
// review that is wired of good ones is one of its own.
func TestSetup(t *testing.T) {
	t.Parallel()
	opened := func() settings {
		recorded, err := tape.Open(filepath.Join(t.TempDir(), "tape"), func(text string) string { return text })
		if err != nil {
			t.Fatal(err)
		}
		return settings{config: config.Default(), panel: panel{tape: recorded}}
	}
	c := &configurer{env: Env{Getenv: func(string) string { return "" }}}
	set := opened()
	set.config.Critical = []config.Critical{{Trigger: "x", Patterns: []config.Pattern{"("}}}
	if _, err := c.setup(set, gh.Repository{}, nil); err == nil {
		t.Error("a pattern that is none is taken")
	}
	if err := set.panel.close(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("the tape was not closed: %v", err)
	}

	set = opened()
	setup, err := c.setup(set, gh.Repository{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if one, two := setup.Review(), setup.Review(); one == two || one.Subject.Rules == nil {
		t.Errorf("%p and %p", one, two)
	}
	setup.Close()
	if err := set.panel.close(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("the tape was not closed: %v", err)
	}
}
