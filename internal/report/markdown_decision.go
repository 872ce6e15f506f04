package report

import (
	"fmt"
	"strings"
)

// fitted renders decisions with ever shorter lists until they fit into so many
// bytes. If even the shortest do not, it says how many more there are.
func fitted(open []Decision, most int, render func(d Decision, listed int) string) string {
	var text string
	for _, listed := range []int{MaxListed, MaxSides, 2} {
		var blocks []string
		for _, d := range open {
			blocks = append(blocks, render(d, listed))
		}
		text = strings.Join(blocks, "\n")
		if len(text) <= most {
			return text
		}
		text = ""
		for i, block := range blocks {
			if len(text)+len(block) > most {
				text += fmt.Sprintf("\n**%s for a human too.**\n", Count(len(blocks)-i, "more decision")+" waiting")
				break
			}
			text += block + "\n"
		}
	}
	return text
}
