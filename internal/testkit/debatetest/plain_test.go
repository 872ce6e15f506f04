package debatetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/prompt"
	"github.com/prdebate/debate/internal/testkit/long"
)

// TestPlainWordsSettleTheSame plays a debate twice: once its parties raise what
// they find as objects, once they write the same in plain words. Each finding
// ends in the same bucket and with the same severity (invariant 7). Where somebody
// argues against whatever there is, what was confirmed still is, and no more is
// asked: who quotes a line that its finding merely named shows something new.
func TestPlainWordsSettleTheSame(t *testing.T) {
	t.Parallel()
	agreed, settled := 0, 0
	long.Check(t, func(t *rapid.T) {
		w := Table(rapid.IntRange(1, 3).Draw(t, "challengers"))
		w.Received.Mode = rapid.SampledFrom([]debate.Mode{debate.Standard, debate.Minimal, debate.Quick}).Draw(t, "mode")
		w.Received.Settings.Opening = rapid.SampledFrom([]debate.Opening{debate.OpenPosition, debate.OpenParallel}).Draw(t, "opening")
		w.Received.Settings.MaxCalls = 400
		honest := true
		structured, plain := make(map[string]Party), make(map[string]Party)
		for _, p := range w.Parties {
			if p.Role != debate.Primary && p.Role != debate.Challenger {
				structured[p.ID], plain[p.ID] = Honest(), Honest()
				continue
			}
			if rapid.IntRange(0, 3).Draw(t, "odd") == 0 {
				odd := rapid.SampledFrom([]Party{RubberStamp(), Sycophant(), Capitulator(), Stubborn(), EternalDissenter(), Colluder(), Failing(debate.CallTimeout)}).Draw(t, p.ID)
				structured[p.ID], plain[p.ID], honest = odd, odd, false
				continue
			}
			said, like := Honest(foundBy(t, p.ID)...), plainForms[rapid.IntRange(0, len(plainForms)-1).Draw(t, "form of "+p.ID)]
			structured[p.ID], plain[p.ID] = said, written(said, like, rapid.IntRange(0, 3).Draw(t, "line of "+p.ID))
		}
		want, got := end(t, w, structured), end(t, w, plain)
		before, after := places(want), places(got)
		maps.DeleteFunc(before, func(_, came string) bool { return !honest && !strings.Contains(came, string(debate.Agreed)) })
		maps.DeleteFunc(after, func(place, _ string) bool { return !honest && before[place] == "" })
		if diff := cmp.Diff(before, after); diff != "" {
			_, log, _ := Play(w, plain, Forward)
			t.Log(Transcript(log))
			t.Fatalf("-structured +plain:\n%s", diff)
		}
		for _, c := range want.Book.Claims {
			if c.Bucket != "" {
				settled++
			}
			if c.Bucket == debate.Agreed {
				agreed++
			}
		}
	})
	if agreed == 0 || agreed == settled {
		t.Errorf("%d of %d findings are confirmed, which compares nothing", agreed, settled)
	}
}

// foundBy is what one party finds: some true defects, and some that are none.
func foundBy(t *rapid.T, party string) []debate.NewClaim {
	var list []debate.NewClaim
	for i, c := range append(Planted(), untrue("The total is returned too early", Cart().Cite("cart.go", 18, 18)),
		untrue("The sum starts too low", Cart().Cite("cart.go", 11, 11))) {
		if rapid.Bool().Draw(t, fmt.Sprintf("%s finds %d", party, i)) {
			c.Kind, c.Category = debate.Empirical, "" // plain words do not say them
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b debate.NewClaim) int { return strings.Compare(string(a.Severity), string(b.Severity)) })
	return list
}

// places says of each cited place what the findings about it came to.
func places(s debate.State) map[string]string {
	came := make(map[string]string)
	for _, c := range s.Book.Claims {
		if c.SameAs == "" {
			came[fmt.Sprintf("%s:%d", c.Cite().Path, c.Cite().StartLine)] += fmt.Sprintf("%s %s %s;", c.Owner, c.Severity, c.Bucket)
		}
	}
	return came
}

// written is a party that writes what it finds in plain words; how it names
// places is one of four ways.
func written(party Party, form plainForm, way int) Party {
	return Twist(party, func(_ debate.State, ask debate.Ask, r *debate.Reply) {
		if len(r.Claims) == 0 {
			return
		}
		lines := make(map[debate.Severity][]string)
		for _, c := range r.Claims {
			lines[c.Severity] = append(lines[c.Severity], plainLine(c, way))
		}
		raw := form(lines)
		read, err := prompt.Read(ask.Kind, []byte(raw))
		if err != nil {
			panic(fmt.Sprintf("%v\n%s", err, raw)) // the forms are those that are read
		}
		r.Claims, r.P1, r.P2, r.P3 = read.Reply.Claims, read.Reply.P1, read.Reply.P2, read.Reply.P3
	})
}

func plainLine(c debate.NewClaim, way int) string {
	cite := c.Refs[0].Citation
	at := fmt.Sprintf("%s:%d", cite.Path, cite.StartLine)
	return []string{
		at + " " + c.Title, c.Title + " (" + at + ")", "`" + at + "` — " + c.Title + ", see `" + strings.TrimSpace(cite.Quote) + "`", "**" + at + "**: " + c.Title,
	}[way]
}

// plainForm writes findings, by their level, as one reply.
type plainForm func(lines map[debate.Severity][]string) string

var plainForms = []plainForm{
	func(lines map[debate.Severity][]string) string { return envelope(lists(lines)) },
	func(lines map[debate.Severity][]string) string { // each list is one text
		texts := make(map[string]any)
		for name, list := range lists(lines) {
			texts[name] = strings.Join(list.([]string), "\n")
		}
		return envelope(texts)
	},
	markdown,
	levelled,
}

func lists(lines map[debate.Severity][]string) map[string]any {
	all := map[string]any{"p1": []string{}, "p2": []string{"None"}, "p3": []string{"N/A"}}
	for level, list := range lines {
		all[strings.ToLower(string(level))] = list
	}
	return all
}

// envelope adds what a reply to an opening or to a challenge has to say.
func envelope(members map[string]any) string {
	members["disposition"], members["recommendation"], members["verdict"] = "revise", "revise", "disagree"
	data, err := json.Marshal(members)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func markdown(lines map[debate.Severity][]string) string {
	text := "## Summary\nI read it.\n\n"
	for _, level := range []debate.Severity{debate.P1, debate.P2, debate.P3} {
		text += "## " + string(level) + "\n"
		for _, line := range lines[level] {
			text += "- " + line + "\n"
		}
		if len(lines[level]) == 0 {
			text += "None.\n"
		}
		text += "\n"
	}
	return text + "## Recommended Decision\nrevise\n"
}

func levelled(lines map[debate.Severity][]string) string {
	text := "I looked at the change and this is what I found.\n\n"
	for _, level := range slices.Sorted(maps.Keys(lines)) {
		for _, line := range lines[level] {
			text += string(level) + ": " + line + "\n"
		}
	}
	return text + "\nRecommendation: revise\n"
}
