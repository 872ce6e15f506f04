package debatetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report/reason"
)

// Transcript tells a debate event by event: the stages that each one entered
// and everything that it changed, then what came of it
// all. It folds the log once more.
func Transcript(log []debate.Entry) (string, error) {
	var b strings.Builder
	var s debate.State
	before := map[string]string{}
	for _, e := range log {
		next, err := debate.Apply(s, e)
		if err != nil {
			return "", err
		}
		s = next
		step := s.Steps[len(s.Steps)-1]
		fmt.Fprintf(&b, "%d %s", e.N, e.Event.Kind())
		if r, ok := e.Event.(debate.Replied); ok {
			fmt.Fprintf(&b, " %s", r.Ask)
			if r.Status != debate.CallOK || r.Late {
				fmt.Fprintf(&b, ": %s", r.Status)
			}
		}
		b.WriteByte('\n')
		if len(step.Stages) > 0 {
			fmt.Fprintf(&b, "\tenters %s\n", words(step.Stages))
		}
		facts := factsOf(s)
		for _, f := range facts {
			if before[f.key] != f.text {
				fmt.Fprintf(&b, "\t%s%s\n", f.key, f.text)
				before[f.key] = f.text
			}
		}
	}
	b.WriteString(End(s))
	return b.String(), nil
}

// End tells what came of a debate.
func End(s debate.State) string {
	var b strings.Builder
	conclusion, why := s.Conclusion()
	fmt.Fprintf(&b, "\nin the end %s, %s, %s: %s\n", s.Outcome, s.Disposition, s.Confidence, reason.Sentence(s.OutcomeReason))
	fmt.Fprintf(&b, "\tcheck: %s, %s\n", conclusion, why)
	fmt.Fprintf(&b, "\tcoverage: %s\n", s.Coverage())
	for _, bucket := range []debate.Bucket{debate.Agreed, debate.Unresolved, debate.Dismissed} {
		for _, c := range s.Claims {
			if c.Bucket == bucket && c.SameAs == "" {
				fmt.Fprintf(&b, "\t%s: %s %s %s%s\n", bucket, c.ID, c.Severity, c.Title, because(c))
			}
		}
	}
	for _, d := range s.Decisions {
		fmt.Fprintf(&b, "\t%s %s: %s\n", d.ID, d.Outcome, d.Recommendation)
	}
	fmt.Fprintf(&b, "\t%d calls: %s\n", len(s.Calls), strings.Join(callCounts(s), ", "))
	return b.String()
}

func because(c debate.Claim) string {
	text := ""
	if c.Reason != "" {
		text += " (" + string(c.Reason) + ": " + reason.Sentence(c.Why) + ")"
	}
	if c.Crux != "" {
		text += " crux: " + c.Crux
	}
	return text
}

// callCounts counts the calls by kind, in the order in which the kinds first
// came up.
func callCounts(s debate.State) []string {
	var kinds []debate.CallKind
	counts := make(map[debate.CallKind]int)
	for _, c := range s.Calls {
		if counts[c.Kind] == 0 {
			kinds = append(kinds, c.Kind)
		}
		counts[c.Kind]++
	}
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = strconv.Itoa(counts[k]) + " " + string(k)
	}
	return list
}

// essentials says what a party is asked and what it has to know to answer, for
// the author of a script.
func essentials(s debate.State, ask debate.Ask) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s asks %s, %s of n=%d, in %s", s.Primary, ask.Party, ask.Kind, ask.N, s.Phase())
	if ask.Last {
		b.WriteString(", for the last time")
	}
	if ask.Format != "" {
		fmt.Fprintf(&b, ", again: %s", ask.Format)
	}
	b.WriteByte('\n')
	for _, f := range factsOf(s) {
		switch word, _, _ := strings.Cut(f.key, " "); word {
		case "claim", "challenge", "position", "decision", "segment", "carried":
			fmt.Fprintf(&b, "\t%s%s\n", f.key, f.text)
		}
	}
	return b.String()
}

// fact is one thing that a reader of a debate may want to know, by its name.
type fact struct{ key, text string }

type facts []fact

// add adds a fact; what is empty is left out.
func (f *facts) add(key string, text ...string) {
	text = slices.DeleteFunc(text, func(s string) bool { return s == "" })
	if len(text) > 0 {
		*f = append(*f, fact{key: key, text: " " + strings.Join(text, " ")})
	}
}

func words[S ~string](list []S) string {
	text := make([]string, len(list))
	for i, s := range list {
		text[i] = string(s)
	}
	return strings.Join(text, " ")
}

// when returns a word if a condition holds.
func when(holds bool, word string) string {
	if !holds {
		return ""
	}
	return word
}

// named returns "name=text" unless text is empty.
func named[S ~string](name string, text S) string {
	if text == "" {
		return ""
	}
	return name + "=" + string(text)
}

func count(name string, n int) string {
	if n == 0 {
		return ""
	}
	return name + "=" + strconv.Itoa(n)
}
