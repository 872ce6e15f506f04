package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var estimated = regexp.MustCompile(`debate: about \$[0-9.]+ to \$[0-9.]+ for ([0-9]+)(?: to ([0-9]+))? calls\n`)

// Before the first call it is said what the debate is likely to cost, and the calls
// that are made are as many as it says.
func TestWhatItCostsIsSaidBefore(t *testing.T) {
	t.Parallel()
	for n := 2; n <= 3; n++ {
		for name, m := range map[string]mind{"contested": honest, "agreed": replying} {
			t.Run(fmt.Sprint(n, " ", name), func(t *testing.T) {
				t.Parallel()
				got := run(t, planted(t, strings.Replace(plantedFile, "sum / len(all)", "sum / len(all) // BUG: empty", 1)), environment(vendors(t, m)[:n]), "review", "--uncommitted", "--format", "json")
				at := estimated.FindStringSubmatchIndex(got.stderr)
				if at == nil || at[0] > strings.Index(got.stderr, "opening  ") {
					t.Fatalf("nothing is said before the first call:\n%s", got.stderr)
				}
				said := estimated.FindStringSubmatch(got.stderr)
				few, _ := strconv.Atoi(said[1])
				many, _ := strconv.Atoi(said[2])
				if calls := got.result.Stats.Calls; calls < few || calls > many {
					t.Errorf("%d calls\n%s", calls, got.stderr)
				}
			})
		}
	}
}

// A model without a price is named with the setting that gives it one, and a tape costs
// nothing.
func TestUnknownPriceIsSaidBefore(t *testing.T) {
	t.Parallel()
	all := vendors(t, honest)[1:2]
	dir, out := planted(t, plantedFile), t.TempDir()
	settings, tape := filepath.Join(out, "own.yml"), filepath.Join(out, "answers.tape")
	writeFile(t, settings, []byte("parties: {primary: {provider: openai, model: house-llm}, challengers: [{provider: openai, model: house-llm}]}\nallow_same_family: true\n"), 0o600)
	got := run(t, dir, environment(all), "review", "--uncommitted", "--config", settings, "--tape", tape)
	wantText(t, "progress", got.stderr, "debate: the price of house-llm is not known, so its calls are not counted: copy the price of house-llm from its maker into prices: of your settings, as docs/costs.md shows")
	played := run(t, dir, environment(all), "review", "--uncommitted", "--config", settings, "--tape", tape)
	if strings.Contains(played.stderr, "house-llm") || strings.Contains(played.stderr, "about $") {
		t.Errorf("a tape costs something:\n%s", played.stderr)
	}
}
