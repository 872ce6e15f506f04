package pull

import "strings"

// What a token may be denied, in words for people.
const (
	reviews   = "review comments (pull-requests: write)"
	comments  = "comments (pull-requests: write)"
	issues    = "issues (issues: write)"
	checks    = "check runs (checks: write)"
	statuses  = "commit statuses (statuses: write)"
	reactions = "reactions"
)

// reach is what a run can write, as far as it has tried.
type reach struct {
	denied map[string]bool // what the token may not write
	notes  []string        // what was not possible
	closed []string        // what the token may not write, in words, in the order in which it was tried
	sinks  []string        // that hold something now
}

func (r *reach) note(text string) { r.notes = noted(r.notes, text) }

// reached notes that a sink holds something.
func (r *reach) reached(sink string) { r.sinks = noted(r.sinks, sink) }

// refused notes that the token of the run may not write something.
func (r *reach) refused(what string) {
	r.denied[what] = true
	r.closed = noted(r.closed, what)
}

// failings are what was not possible, and what the token may not write in one sentence.
func (r *reach) failings() []string {
	if len(r.closed) == 0 {
		return r.notes
	}
	return append([]string{"The token of this run may not write " + strings.Join(r.closed, ", ")}, r.notes...)
}

// unheard reports whether a sweep may not even react to who asks for something: it
// asks no model then, since the next one would ask all over again.
func (r *reach) unheard(t Trigger) bool { return t.Cause == Swept && r.denied[reactions] }
