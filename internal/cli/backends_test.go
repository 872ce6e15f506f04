package cli

import (
	"context"
	"errors"
	"testing"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/provider"
)

// TestEffort: a party thinks hard unless its settings say otherwise (R059).
func TestEffort(t *testing.T) {
	t.Parallel()
	for set, want := range map[config.Effort]string{"": "high", "low": "low", "medium": "medium", "high": "high"} {
		p, _ := provider.All().Find("ollama")
		seated := newPanel(provider.All(), nil, func(string) string { return "" })
		if got, err := seated.options(p, config.Party{Effort: set}); got.Effort != want || err != nil {
			t.Errorf("%q is handed on as %q, %v", set, got.Effort, err)
		}
	}
}

// refusing is a client whose every call fails.
type refusing struct{ err error }

func (r refusing) Ask(context.Context, model.Request) (model.Response, error) {
	return model.Response{}, r.err
}

// TestRefusedKey: where a key is refused, its variable is named, and nowhere else.
func TestRefusedKey(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err   error
		class debate.CallStatus
		said  string
	}{
		{&model.Error{Class: debate.CallAuth, Detail: "the provider answers 401"}, debate.CallAuth, "the provider answers 401; check SOME_KEY"},
		{&model.Error{Class: debate.CallError, Detail: "the provider answers 500"}, debate.CallError, "the provider answers 500"},
		{errors.New("broken"), debate.CallError, "the call failed: broken"},
	} {
		_, err := keyedClient{refusing{tt.err}, "SOME_KEY", true}.Ask(t.Context(), model.Request{})
		if failed := model.Classify(err); failed.Class != tt.class || failed.Error() != tt.said {
			t.Errorf("%v became %s, %v", tt.err, failed.Class, failed)
		}
	}
	_, err := keyedClient{refusing{&model.Error{Class: debate.CallAuth, Detail: "the provider answers 401"}}, "SOME_KEY", false}.Ask(t.Context(), model.Request{})
	if said := model.Classify(err).Error(); said != "the provider answers 401; SOME_KEY is not set" {
		t.Errorf("without a key: %s", said)
	}
	seated := newPanel(provider.All(), nil, func(name string) string { return map[string]string{"MY_KEY": "k"}[name] })
	asked, err := seated.connect(config.Party{Provider: "anthropic", APIKeyEnv: "MY_KEY"})
	if k, ok := asked.(keyedClient); err != nil || !ok || k.name != "MY_KEY" {
		t.Errorf("the client is %#v (%v)", asked, err)
	}
}
