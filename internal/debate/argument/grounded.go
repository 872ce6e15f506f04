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
	at := make(map[string]int, len(ids))
	for i, id := range ids {
		if _, again := at[id]; !again {
			at[id] = i
		}
	}
	targets := make([][]int, len(ids))
	standing := make([]int, len(ids)) // attacks on it whose attacker is not OUT
	for _, a := range attacks {
		from, known := at[a.By]
		to, both := at[a.On]
		if known && both {
			targets[from] = append(targets[from], to)
			standing[to]++
		}
	}
	in, out := make([]bool, len(ids)), make([]bool, len(ids))
	var work []int
	for i, id := range ids {
		if at[id] == i && standing[i] == 0 {
			in[i] = true
			work = append(work, i)
		}
	}
	for ; len(work) > 0; work = work[1:] {
		for _, beaten := range targets[work[0]] {
			if out[beaten] {
				continue
			}
			out[beaten] = true
			for _, freed := range targets[beaten] {
				if standing[freed]--; standing[freed] == 0 {
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
