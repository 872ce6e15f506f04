// Package argument labels graphs of arguments that attack each other. It knows
// ids and attacks, and nothing of who says what about which change.
package argument

import "github.com/prdebate/debate/internal/lists"

// Attack says that one argument attacks another one.
type Attack struct{ By, On string }

// Grounded labels an attack graph and returns the ids that are IN, in the order
// of ids: what nobody attacks, and what it defends. An id is IN when all its
// attackers are OUT, and OUT when one of them is IN; what is neither stays out
// of the answer. An attack that names an unknown id is no part of the graph.
func Grounded(ids []string, attacks []Attack) []string {
	g := graphOf(ids, attacks)
	in := func(id string) bool { return g.standing[id] == 0 }
	for work := lists.Keep(g.ids, in); len(work) > 0; work = work[1:] {
		for _, beaten := range g.targets[work[0]] {
			for _, freed := range g.targets[beaten] {
				if g.standing[freed]--; in(freed) {
					work = append(work, freed)
				}
			}
			delete(g.targets, beaten) // what is OUT attacks nothing any more
		}
	}
	return lists.Keep(g.ids, in)
}

// graph is an attack graph.
type graph struct {
	ids      []string            // each once
	targets  map[string][]string // what each one attacks that is not OUT
	standing map[string]int      // the attacks on each one whose attacker is not OUT
}

func graphOf(ids []string, attacks []Attack) graph {
	g := graph{targets: make(map[string][]string), standing: make(map[string]int)}
	known := make(map[string]bool, len(ids))
	for _, id := range ids {
		if !known[id] {
			known[id] = true
			g.ids = append(g.ids, id)
		}
	}
	for _, a := range attacks {
		if known[a.By] { // what attacks an unknown id does nothing to the others
			g.targets[a.By] = append(g.targets[a.By], a.On)
			g.standing[a.On]++
		}
	}
	return g
}
