package pull

import "strings"

// The rights that a token may lack, in words for people.
const (
	reviews   = "review comments (pull-requests: write)"
	comments  = "comments (pull-requests: write)"
	issues    = "issues (issues: write)"
	checks    = "check runs (checks: write)"
	statuses  = "commit statuses (statuses: write)"
	reactions = "reactions"
)

// reach is the set of texts that a run can write, as far as it has tried.
type reach struct {
	denied map[string]bool // by the names above
	notes  []string        // things not possible, for people
	closed []string        // missing rights in words, in the order of the refusals
	sinks  []string        // with a text of ours
}

func (r *reach) note(text string) { r.notes = noted(r.notes, text) }

// reached notes a successful write into a sink.
func (r *reach) reached(sink string) { r.sinks = noted(r.sinks, sink) }

// refused notes a missing right of the token.
func (r *reach) refused(what string) {
	r.denied[what] = true
	r.closed = noted(r.closed, what)
}

// failings are the notes, with all missing rights in one sentence.
func (r *reach) failings() []string {
	if len(r.closed) == 0 {
		return r.notes
	}
	return append([]string{"The token of this run may not write " + strings.Join(r.closed, ", ")}, r.notes...)
}

// unheard reports whether a sweep may not even react to a command. Then it asks no model,
// because the next sweep would ask all over again.
func (r *reach) unheard(t Trigger) bool { return t.Cause == Swept && r.denied[reactions] }
