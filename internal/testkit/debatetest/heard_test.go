package debatetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/prompt"
	"github.com/prdebate/debate/internal/report"
)

// free are the members in which a party writes what it likes.
var free = []string{
	"summary", "missing", "reasoning", "weaknesses", "assumptions", "title", "body", "suggestion", "flaw", "upgrade_if", "scenario", "text", "limit",
	"because", "reason", "alternative", "assumptions_challenged", "measurement", "threshold", "effect", "why_disagree", "right_if", "core_assumption",
	"testable_by", "assessment", "hidden_points", "argument", "rationale", "note", "question", "label", "description", "problem_framing", "tradeoffs",
	"alternatives", "risk_controls", "decision_quality", "needs", "conditions",
}

// A text names a member within quotes or backticks, or in a shape such as {claim, ref[]}.
var (
	asQuoted = strings.NewReplacer(`\"`, `"`, "`", `"`)
	inShape  = regexp.MustCompile(`[{,] ([a-z_0-9]+)|[{]([a-z_0-9]+)`)
)

// membersOf are the members that a text asks for, each within quotes.
func membersOf(text string) string {
	var b strings.Builder
	b.WriteString(asQuoted.Replace(strings.ReplaceAll(text, "[]", "")))
	for _, found := range inShape.FindAllStringSubmatch(text, -1) {
		b.WriteString(`"` + found[1] + found[2] + `"`)
	}
	return b.String()
}

// summarised are the calls whose reply may have a summary, as the system prompt says.
var summarised = []debate.CallKind{debate.CallOpen, debate.CallLocal, debate.CallChallenge, debate.CallRebut, debate.CallSumUp}

// A member that a party is asked to write in reaches somebody: a party in a later
// turn, or whoever reads the report (M08).
func TestNothingIsWrittenForNobody(t *testing.T) {
	t.Parallel()
	written, heard, played := map[string]int{}, map[string]bool{}, 0
	for _, name := range Names() {
		s := loaded(t, name)
		m := &marker{places: map[string][]string{}, marks: map[string]string{}}
		for _, ask := range slices.Sorted(maps.Keys(s.replies)) {
			s.replies[ask] = m.marked(ask, s.replies[ask])
		}
		state, log, err := Run(s, Forward)
		if err != nil {
			continue // with other words it is another debate
		}
		played++
		said, requests := read(t, state, log)
		for mark, places := range m.places {
			for _, place := range places {
				if wanted(place, requests) {
					written[place]++
					heard[place] = heard[place] || strings.Contains(said, mark)
				}
			}
		}
	}
	for _, place := range slices.Sorted(maps.Keys(written)) {
		if !heard[place] {
			t.Errorf("%s was written %d times, and nobody read it", place, written[place])
		}
	}
	if played < 100 || len(written) < 60 {
		t.Errorf("only %d members in %d debates were looked at", len(written), played)
	}
}

// marker puts a word that nobody else says into each text of a reply. What is said
// twice stays equal.
type marker struct {
	places map[string][]string // by mark
	marks  map[string]string   // by text
}

func (m *marker) marked(ask, reply string) string {
	var v any
	if err := json.Unmarshal([]byte(reply), &v); err != nil {
		return reply
	}
	kind, _, _ := strings.Cut(ask, "/")
	data, err := json.Marshal(m.walk(v, kind, false))
	if err != nil {
		panic(err)
	}
	return string(data)
}

func (m *marker) walk(v any, place string, text bool) any {
	switch v := v.(type) {
	case string:
		if !text || v == "" {
			return v
		}
		if m.marks[v] == "" {
			m.marks[v] = fmt.Sprintf("qz%dzq", len(m.marks))
		}
		mark := m.marks[v]
		m.places[mark] = append(m.places[mark], place)
		return v + " " + mark
	case []any:
		for i := range v {
			v[i] = m.walk(v[i], place, text)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			v[name] = m.walk(v[name], place+"."+name, slices.Contains(free, name))
		}
	}
	return v
}

// wanted reports whether a call of a kind was asked for the member at a place.
func wanted(place string, requests map[string]string) bool {
	names := strings.Split(place, ".")
	kind, names := names[0], names[1:]
	switch {
	case names[0] == "summary":
		return slices.Contains(summarised, debate.CallKind(kind))
	}
	return !slices.ContainsFunc(names, func(name string) bool { return !strings.Contains(requests[kind], `"`+name+`"`) })
}

// read is all that parties are sent in a debate, all that people read of it, and
// what each kind of call was asked for.
func read(t *testing.T, end debate.State, log []debate.Entry) (said string, requests map[string]string) {
	t.Helper()
	var b strings.Builder
	requests = map[string]string{}
	var s debate.State
	for _, e := range log {
		if r, ok := e.Event.(debate.Replied); ok {
			for _, w := range debate.Outstanding(s) {
				if w.Ask != nil && w.Ask.ID == r.Ask {
					p := prompt.NewPacket(s, Cart().set, prompt.PacketOptions{}).Render(s, *w.Ask)
					b.WriteString(p.Turn)
					requests[string(w.Ask.Kind)] += membersOf(p.System) + membersOf(p.Turn)
				}
			}
		}
		var err error
		if s, err = debate.Apply(s, e); err != nil {
			t.Fatal(err)
		}
	}
	data, err := report.JSON(report.FromState(end))
	if err != nil {
		t.Fatal(err)
	}
	b.Write(data)
	for _, c := range end.Book.Claims { // the next turn would show them
		for _, turn := range end.Book.Thread(c.ID) {
			b.WriteString(turn.Text)
		}
	}
	history, err := Transcript(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(history, "\n") {
		if strings.Contains(line, string(debate.StanceTaken)) { // a change of mind is told with its reason
			b.WriteString(line)
		}
	}
	return b.String(), requests
}
