package ghtest

import (
	"slices"
	"strings"
)

type label struct {
	id                       int64
	name, color, description string
}

// labels are those of a repository.
type labels struct {
	clock *clock
	list  []*label
}

// find finds a label regardless of case, nil for none.
func (l *labels) find(name string) *label {
	at := labelAt(l.list, name)
	if at < 0 {
		return nil
	}
	return l.list[at]
}

// get finds a label, or makes it with a colour.
func (l *labels) get(name, color string) *label {
	if known := l.find(name); known != nil {
		return known
	}
	made := &label{id: l.clock.next(), name: name, color: color}
	l.list = append(l.list, made)
	return made
}

// labelling is which labels of its repository an issue has.
type labelling struct {
	known   *labels
	history *history
	list    []*label
}

func (l *labelling) has(name string) bool { return labelAt(l.list, name) >= 0 }

// add makes the label where the repository does not have it.
func (l *labelling) add(by *user, name string) {
	if l.has(name) {
		return
	}
	added := l.known.get(name, plainColor)
	l.list = append(l.list, added)
	l.history.happen("labeled", by).label = added
}

// remove tells whether the label was there.
func (l *labelling) remove(by *user, name string) bool {
	at := labelAt(l.list, name)
	if at < 0 {
		return false
	}
	gone := l.list[at]
	l.list = slices.Delete(l.list, at, at+1)
	l.history.happen("unlabeled", by).label = gone
	return true
}

// set adds and removes what is needed for exactly these.
func (l *labelling) set(by *user, want []string) {
	for _, name := range labelNames(l.list) {
		if !slices.ContainsFunc(want, func(w string) bool { return strings.EqualFold(w, name) }) {
			l.remove(by, name)
		}
	}
	for _, name := range want {
		l.add(by, name)
	}
}

// plainColor is the colour of a label for which nobody chose one.
const plainColor = "ededed"

// labelAt is where a label stands in a list, -1 for nowhere. Names are the same regardless
// of case.
func labelAt(list []*label, name string) int {
	return slices.IndexFunc(list, func(l *label) bool { return strings.EqualFold(l.name, name) })
}

func labelNames(list []*label) []string {
	names := make([]string, 0, len(list))
	for _, l := range list {
		names = append(names, l.name)
	}
	return names
}
