package debate

import (
	"fmt"
	"strings"
)

// swapped exchanges two names wherever they stand.
var swapped = strings.NewReplacer("claude", "gpt", "gpt", "claude")

// namesChangeNothing: two parties that exchange their names, and nothing else,
// leave everything as it is.
func namesChangeNothing(p played) string {
	w := p.again()
	w.script = make(map[string]Replied)
	for ask, r := range p.replies() {
		r.Ask = swapped.Replace(ask)
		w.script[r.Ask] = r
	}
	for i := range w.parties {
		w.parties[i].ID = swapped.Replace(w.parties[i].ID)
	}
	w.first.Previous.Findings = append([]Carried(nil), w.first.Previous.Findings...)
	for i := range w.first.Previous.Findings {
		f := &w.first.Previous.Findings[i]
		f.Owner = swapped.Replace(f.Owner)
	}
	missing := ""
	w.edit = func(ask Ask, _ *Replied) {
		if _, known := w.script[ask.ID]; !known {
			missing = ask.ID
		}
	}
	s := w.outcome()
	if missing != "" {
		return "by other names " + missing + " is asked for the first time"
	}
	was, is := gist(p.end()), swapped.Replace(gist(s))
	if was != is {
		return fmt.Sprintf("by other names it ends otherwise:\n%s\nbefore:\n%s", is, was)
	}
	return ""
}

// gist is what a debate comes to, in one text.
func gist(s State) string {
	var b strings.Builder
	conclusion, why := checkOf(s)
	fmt.Fprintf(&b, "%s %s %s, %s: %s, %d calls\n", s.Ending.Outcome, s.Ending.Disposition, s.Ending.Confidence, conclusion, why, len(s.Asking.Calls))
	for _, c := range s.Book.Claims {
		fmt.Fprintf(&b, "%s of %s: %s %q, same as %q, %s %s, confirmed by %d\n", c.ID, c.Owner, c.Severity, c.Title, c.SameAs, c.Bucket, c.Reason, len(c.ConfirmedBy))
	}
	for _, d := range s.Agenda.Decisions {
		fmt.Fprintf(&b, "%s: %s %q, %d triggers\n", d.ID, d.Outcome, d.Recommendation, len(d.Triggers))
	}
	return b.String()
}
