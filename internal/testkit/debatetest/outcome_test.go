package debatetest

import (
	"encoding/json"
	"strings"
	"testing"
)

// What a record seals holds no sentence: rewording one must change no replay.
func TestTheOutcomeHoldsNoSentence(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		script := loaded(t, name)
		state, _ := ran(t, script, Forward)
		closed, err := state.Close()
		if err != nil {
			t.Fatal(err)
		}
		var outcome any
		if err := json.Unmarshal(closed.Outcome, &outcome); err != nil {
			t.Fatal(err)
		}
		for _, text := range texts(outcome) {
			if strings.Contains(text, " ") {
				t.Errorf("%s: the outcome holds %q", name, text)
			}
		}
	}
}

// texts are the strings of a JSON value.
func texts(value any) []string {
	var all []string
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		for _, one := range v {
			all = append(all, texts(one)...)
		}
	case map[string]any:
		for _, one := range v {
			all = append(all, texts(one)...)
		}
	}
	return all
}
