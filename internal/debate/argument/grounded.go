// Package argument labels graphs of arguments that attack each other. It knows
// ids and attacks, and nothing of who says what about which change.
package argument

// Attack says that one argument attacks another one.
type Attack struct{ By, On string }

// Grounded labels an attack graph and returns the ids that are IN, in the order
// of ids: what nobody attacks, and what it defends. An id is IN when all its
// attackers are OUT, and OUT when one of them is IN; what is neither stays out
// of the answer. An attack that names an unknown id is no part of the graph.
func Grounded(ids []string, attacks []Attack) []string {
	g := graphOf(ids, attacks)
	in, out := make([]bool, len(ids)), make([]bool, len(ids))
	var work []int
	for i, id := range ids {
		if g.at[id] == i && g.standing[i] == 0 {
			in[i] = true
			work = append(work, i)
		}
	}
	for ; len(work) > 0; work = work[1:] {
		for _, beaten := range g.targets[work[0]] {
			if out[beaten] {
				continue
			}
			out[beaten] = true
			for _, freed := range g.targets[beaten] {
				if g.standing[freed]--; g.standing[freed] == 0 {
					in[freed] = true
					work = append(work, freed)
				}
			}
		}
	}
	var labelled []string
	for i, id := range ids {
		if in[i] {
			labelled = append(labelled, id)
		}
	}
	return labelled
}

// graph is an attack graph. Its arguments are numbered in the order of their ids.
type graph struct {
	at       map[string]int // where an id stands first
	targets  [][]int        // what each one attacks
	standing []int          // the attacks on each one whose attacker is not OUT
}

func graphOf(ids []string, attacks []Attack) graph {
	g := graph{at: make(map[string]int, len(ids)), targets: make([][]int, len(ids)), standing: make([]int, len(ids))}
	for i, id := range ids {
		if _, again := g.at[id]; !again {
			g.at[id] = i
		}
	}
	for _, a := range attacks {
		from, known := g.at[a.By]
		to, both := g.at[a.On]
		if known && both {
			g.targets[from] = append(g.targets[from], to)
			g.standing[to]++
		}
	}
	return g
}
