package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/testkit/long"
)

// ofAccounts is what differs where several accounts speak for us: in the sealed memory
// their names and how much the last one recorded, and in a check the words, since the
// account that writes anew what another one concluded says what holds by now.
var ofAccounts = regexp.MustCompile(`(?s),"(?:by":"[^"]*"|term":\d+|former":\[[^\]]*\]|entry":\d+)|^(?:check \w+ \w+ \w+)(?:: .*)`)

// byAll is what stands on GitHub whoever of several accounts wrote it. The summary stands
// where the last of them began.
//
// An account that writes anew what another one found, where nothing new was said, names in
// the summary no finding that was gone before: then the summary is left out.
func (ta *tale) byAll(summary bool) []string {
	state := ta.byAnybody()
	if !summary {
		state = slices.DeleteFunc(state, func(text string) bool {
			return strings.Contains(text, "<!-- debate:summary v1 -->") || strings.HasPrefix(text, "sealed ")
		})
	}
	for i := range state {
		state[i] = ofAccounts.ReplaceAllStringFunc(state[i], func(found string) string {
			conclusion, _, isCheck := strings.Cut(found, ": ")
			if isCheck {
				return conclusion
			}
			return ""
		})
	}
	return inAnyOrder(state)
}

// TestTaleThatMoves: wherever in the tale a repository moves from the Action to an App or
// back, findings, questions and decisions go on: nothing is posted or asked of a model that
// the Action alone would not have, and one summary is seen.
func TestTaleThatMoves(t *testing.T) {
	t.Parallel()
	all := []string{"AAPPAAPPA", "PAPAPAPAP", "AAPPPPPPP", "PPAAAAAAA", "AAPPPPAAA", "PPAAAAPPP", "APAPAPAPA"}
	for _, path := range long.Pick(all[:2], all) {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			alone, moving := begin(t), begin(t)
			withNews := !strings.Contains(path, "APA")
			s := serveTale(t, moving)
			for i, sc := range scenes {
				if code, log := alone.act(sc.act(alone)); code != 0 {
					t.Fatalf("%s: the Action ends with code %d\n%s", sc.name, code, log)
				}
				where := fmt.Sprintf("%s, by %c", sc.name, path[i])
				e := sc.act(moving)
				if path[i] == 'P' {
					s.happened(t, e)
				} else if code, log := moving.act(e); code != 0 {
					t.Fatalf("%s: the Action ends with code %d\n%s", where, code, log)
				}
				if diff := cmp.Diff(alone.byAll(withNews), moving.byAll(withNews)); diff != "" {
					t.Fatalf("%s: the end is another one: %s\n%s", where, diff, s.log)
				}
			}
			if a, b := alone.calls(), moving.calls(); a != b {
				t.Errorf("models were asked %d times, and %d times where the Action did it alone", b, a)
			}
			if problems := moving.doubled(); len(problems) > 0 {
				t.Error(problems)
			}
		})
	}
}
