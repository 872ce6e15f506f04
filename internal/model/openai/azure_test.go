package openai

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/testkit/wiretest"
)

// TestAzure: both wires lead to the resource, with the key in the header that Azure
// reads, whatever of the address the operator wrote.
func TestAzure(t *testing.T) {
	t.Parallel()
	for i, path := range []string{"/openai/responses", "/openai/deployments/our-gpt/chat/completions"} {
		d := dialects[i]
		for _, end := range []string{"", "/", "/openai", "/openai/v1/"} {
			s := wiretest.NewTLS(t, wiretest.SSE(d.stream))
			o := own
			o.Model, o.HTTP, o.BaseURL, o.API = "our-gpt", s.Client, s.URL+end, d.o.API
			c, err := NewAzure(o)
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.Ask(t.Context(), request)
			if err != nil || got.Text != "hello there" {
				t.Fatalf("%s: %q, %v", d.name, got.Text, err)
			}
			r := s.Requests()[0]
			if r.Path != path || r.Query != "api-version="+azureVersion || r.Header.Get("Api-Key") != canary || r.Header.Get("Authorization") != "" {
				t.Errorf("%s %s %v", r.Path, r.Query, r.Header)
			}
		}
	}
}

func TestAzureFails(t *testing.T) {
	t.Parallel()
	_, err := NewAzure(own)
	if f := model.Classify(err); f == nil || f.Class != debate.CallNotFound || !strings.Contains(f.Detail, "AZURE_OPENAI_ENDPOINT") {
		t.Errorf("without an address: %v", err)
	}
	s := wiretest.NewTLS(t, wiretest.JSON(404, `{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist. You sent `+canary+`"}}`))
	o := own
	o.HTTP, o.BaseURL, o.APIVersion = s.Client, s.URL, "2024-10-21"
	c, err := NewAzure(o)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Ask(t.Context(), request)
	f := model.Classify(err)
	if f == nil || f.Class != debate.CallNotFound || !strings.Contains(f.Detail, "does not exist. You sent [key]") {
		t.Errorf("an unknown deployment: %v", err)
	}
	if r := s.Requests(); len(r) != 1 || r[0].Query != "api-version=2024-10-21" {
		t.Errorf("%+v", r)
	}
}
