package cli

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/provider"
	"github.com/prdebate/debate/internal/testkit/exectest"
)

// acme is a provider that only its entry makes known.
var acme = model.Provider{
	Name: "acme", Input: "acme-api-key", Keys: []string{"ACME_KEY"}, Address: "ACME_URL", Joins: true,
	Model: "acme-1", Family: "acme", Words: []string{"acme"}, Prices: []byte(`[{"model": "acme-1", "input": 1000000, "cached": 1000000, "output": 1000000}]`),
	New: func(o model.Options) (model.Client, error) { return acmeClient{o}, nil },
}

// acmeClient finds one defect, and says what it used.
type acmeClient struct{ o model.Options }

func (c acmeClient) Ask(_ context.Context, req model.Request) (model.Response, error) {
	var turn exectest.Turn
	if err := json.Unmarshal([]byte(req.Turn), &turn); err != nil {
		return model.Response{}, err
	}
	if c.o.Key != "sk-of-acme" {
		return model.Response{}, &model.Error{Class: debate.CallAuth, Detail: "the key is " + c.o.Key}
	}
	text, err := json.Marshal(exectest.Reply(turn, req.Packet, "agree"))
	return model.Response{Text: string(text), Usage: c.o.Prices.Usage(c.o.Model, model.Tokens{In: 10, Out: 1})}, err
}

// TestAddAProvider: an entry in the table is all that a provider needs to debate,
// to be named in settings, to get its key from the action and to be shown by the
// doctor.
func TestAddAProvider(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	env := w.env()
	env.Providers = append(provider.All(), acme)
	usual := env.Getenv
	env.Getenv = func(name string) string {
		if name == "ACME_KEY" {
			return "sk-of-acme"
		}
		return usual(name)
	}
	run := func(args ...string) string {
		w.stdout.Reset()
		w.stderr.Reset()
		if code := Main(args, env); code == exitUsage || code == exitFailed {
			t.Errorf("%v ends with %d: %s", args, code, w.stderr.String())
		}
		return w.stdout.String()
	}

	var report struct {
		Parties []struct{ ID, Provider, Model, Family, Status string }
		Stats   struct {
			Cost    float64 `json:"cost_usd"`
			Unknown bool    `json:"cost_unknown"`
		}
	}
	out := run("-q", "review", "--uncommitted", "--format", "json")
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	var seats []string
	for _, p := range report.Parties {
		seats = append(seats, strings.Join([]string{p.ID, p.Provider, p.Model, p.Family, p.Status}, " "))
	}
	want := []string{"acme acme acme-1 acme ok", "acme-2 acme acme-1 acme ok"}
	if diff := cmp.Diff(want, seats[:min(2, len(seats))]); diff != "" {
		t.Errorf("who debates (-want +got):\n%s", diff)
	}
	if report.Stats.Cost == 0 || report.Stats.Unknown {
		t.Errorf("its prices are not known: %+v", report.Stats)
	}

	write(t, filepath.Join(w.dir, "own.yml"), "parties: {primary: {provider: acme, model: acme-1}}\n")
	if out := run("config", "check", filepath.Join(w.dir, "own.yml")); !strings.Contains(out, "no errors") {
		t.Errorf("its settings: %s", out)
	}
	if out := run("doctor"); !strings.Contains(out, "acme       acme-1") || !strings.Contains(out, "ACME_KEY is set") {
		t.Errorf("the doctor says %s", out)
	}
	if inputs := env.Providers.Inputs(); inputs[len(inputs)-1] != "acme-api-key" {
		t.Errorf("the inputs of the action are %v", inputs)
	}
}
