package provider

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/model"
)

// TestPriceTable: a table that people maintain by hand is read as a whole.
func TestPriceTable(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for _, p := range prices(t) {
		if p.Model == "" || seen[p.Model] {
			t.Errorf("%q is incomplete or twice in the table", p.Model)
		}
		seen[p.Model] = true
		// From a cent to two hundred dollars: what is beside it is a wrong unit.
		for _, price := range []int64{p.Input, p.Output} {
			if price < 10_000 || price > 200_000_000 {
				t.Errorf("%s: %d is no plausible price", p.Model, price)
			}
		}
		if p.Cached <= 0 || p.Cached > p.Input || p.Output < p.Input || p.CacheWrite != 0 && p.CacheWrite < p.Input {
			t.Errorf("%s: the prices do not fit each other: %+v", p.Model, p)
		}
		if _, err := time.Parse(time.DateOnly, p.Date); err != nil || p.Source == "" {
			t.Errorf("%s: no date or no source", p.Model)
		}
	}
	if len(seen) < 20 {
		t.Errorf("only %d prices", len(seen))
	}
}

func TestDefaultsHavePrices(t *testing.T) {
	t.Parallel()
	for _, p := range All() {
		if p.Model == "" {
			continue
		}
		if _, known := All().Prices().Of(p.Model); known != (p.Name != "ollama") {
			t.Errorf("the price of %s: known is %v", p.Model, known)
		}
	}
}

// prices are those of all entries.
func prices(t *testing.T) []model.Price {
	t.Helper()
	var all []model.Price
	for _, p := range All() {
		if p.Prices == nil {
			continue
		}
		var its []model.Price
		decoder := json.NewDecoder(bytes.NewReader(p.Prices))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&its); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		all = append(all, its...)
	}
	return all
}

func TestPriceOfName(t *testing.T) {
	t.Parallel()
	table := All().Prices()
	for _, tt := range []struct{ model, entry string }{
		{"gpt-4o", "gpt-4o"},
		{"GPT-4o", "gpt-4o"},
		{"gpt-4o-2024-08-06", "gpt-4o"},
		{"gpt-4o-2024-05-13", "gpt-4o-2024-05-13"},
		{"gpt-4o-mini", "gpt-4o-mini"},
		{"gpt-4o-mini-2024-07-18", "gpt-4o-mini"},
		{"claude-sonnet-4-5-20250929", "claude-sonnet-4-5"},
		{"claude-sonnet-4-20250514", "claude-sonnet-4"},
		{"claude-sonnet-4@20250514", "claude-sonnet-4"},
		{"claude-opus-4-5-latest", "claude-opus-4-5"},
		{"models/gemini-2.5-pro", "gemini-2.5-pro"},
		{"gemini-2.5-flash-001", "gemini-2.5-flash"},
		// Another model than the one whose name it begins with.
		{"gpt-5.7", ""},
		{"gpt-5-pro", ""},
		{"gpt-4o-audio-preview", ""},
		{"claude-sonnet-4-9", ""},
		{"gemini-2.5-pro-preview-tts", ""},
		{"my-gpt-4o", ""},
		{"openai/gpt-4o", ""}, // resold: the price is the reseller's
		{"llama3", ""},
		{"", ""},
	} {
		got, known := table.Of(tt.model)
		if got.Model != tt.entry || known != (tt.entry != "") {
			t.Errorf("%q has the price of %q, want %q", tt.model, got.Model, tt.entry)
		}
	}
}
