package cli

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/tape"
)

// recordOn asks a model whose answers are recorded on a tape.
func recordOn(recorded *tape.Tape) (model.Response, error) {
	return recorded.Client("claude", silentClient{}).Ask(context.Background(), model.Request{Ask: "OPEN/0/claude"})
}

// silentClient is a model that says nothing.
type silentClient struct{}

func (silentClient) Ask(context.Context, model.Request) (model.Response, error) {
	return model.Response{}, nil
}

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
	if _, err := recordOn(opened().panel.tape); err != nil {
		t.Fatalf("an open tape does not record: %v", err)
	}
	c := &configurer{env: Env{Getenv: func(string) string { return "" }}}
	set := opened()
	set.config.Critical = []config.Critical{{Trigger: "x", Patterns: []config.Pattern{"("}}}
	if _, err := c.setup(set, gh.Repository{}, nil); err == nil {
		t.Error("a pattern that is none is taken")
	}
	if _, err := recordOn(set.panel.tape); err == nil {
		t.Error("the tape was not closed")
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
	if _, err := recordOn(set.panel.tape); err == nil {
		t.Error("the tape was not closed")
	}
}
