package engine

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/debate"
)

// leaves calls f for each text, number and truth value of a decoded value with its
// path, the indices of lists left out, and a function that changes it.
func leaves(v any, path string, set func(any), f func(path string, change func())) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			leaves(v[name], path+"."+name, func(to any) { v[name] = to }, f)
		}
	case []any:
		for i := range v {
			leaves(v[i], path, func(to any) { v[i] = to }, f)
		}
	case string:
		f(path, func() { set(v + "x") })
	case bool:
		f(path, func() { set(!v) })
	case json.Number:
		f(path, func() {
			if v == "0" {
				v = ""
			}
			set(v + "1")
		})
	}
}

// TestVerifyEveryField changes each field of a genuine record that it has, one at
// a time: what is not listed here is refused. What is listed are the words of the
// parties and what their calls took, which nobody but the one who asked them knows.
func TestVerifyEveryField(t *testing.T) {
	t.Parallel()
	genuine := held(t, wellRead)
	accepted := make(map[string]bool)
	tried := make(map[string]int)
	for i, e := range genuine {
		data, err := debate.EncodeEvent(e.Event)
		if err != nil {
			t.Fatal(err)
		}
		decode := func() (v any) {
			dec := json.NewDecoder(bytes.NewReader(data))
			dec.UseNumber()
			if err := dec.Decode(&v); err != nil {
				t.Fatal(err)
			}
			return v
		}
		count := 0
		leaves(decode(), string(e.Event.Kind()), nil, func(path string, _ func()) {
			n := count
			count++
			of := path
			if r, ok := e.Event.(debate.Replied); ok { // in whatever order they arrived
				of += " of " + r.Ask
			}
			if tried[of]++; tried[of] > 2 {
				return
			}
			value, at := decode(), 0
			leaves(value, "", nil, func(_ string, change func()) {
				if at == n {
					change()
				}
				at++
			})
			changed, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			ev, err := debate.DecodeEvent(e.Event.Kind(), changed)
			if err != nil {
				return // no record holds this
			}
			forged := slices.Clone(genuine)
			forged[i].Event = ev
			if _, err := publisher(t).Verify(t.Context(), wanted(), forged); err == nil {
				accepted[path] = true
			}
		})
	}
	if len(tried) < 700 {
		t.Errorf("only %d fields", len(tried))
	}
	got := slices.Sorted(maps.Keys(accepted))
	want := []string{
		"replied.ignored", "replied.raw",
		"replied.reply.answers.challenge", "replied.reply.answers.text",
		"replied.reply.checked.scenario", "replied.reply.checked.segment",
		"replied.reply.claims.body",
		"replied.reply.claims.ref.found.reanchored", // where it was asked for is not known any more
		"replied.reply.claims.ref.found.why",        // of a citation with a redacted part
		"replied.reply.claims.ref.run_ref",
		"replied.reply.claims.title",
		"replied.reply.core_assumption",
		"replied.reply.delta.because",
		"replied.reply.evaluations.claim", "replied.reply.evaluations.flaw",
		"replied.reply.final_options.decision",
		"replied.reply.items.claim",
		"replied.reply.position.summary",
		"replied.reply.right_if",
		"replied.reply.sheets.id", "replied.reply.sheets.rationale",
		"replied.reply.sheets.scores.criterion", "replied.reply.sheets.scores.option", "replied.reply.sheets.scores.score",
		"replied.reply.strongest_objection.segment", "replied.reply.strongest_objection.text",
		"replied.reply.summary",
		"replied.reply.why_disagree",
		"replied.usage.cost_micro", "replied.usage.tokens_in", "replied.usage.tokens_out",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
