// Party debates for the provider exec: party MANNER [FILE]. It is a program of its own
// because the tests start it some ten thousand times.
package main

import (
	"fmt"
	"os"

	"github.com/prdebate/debate/internal/testkit/exectest"
)

func main() {
	plan := ""
	switch len(os.Args) {
	case 2:
	case 3:
		plan = os.Args[2]
	default:
		fmt.Fprintln(os.Stderr, "usage: party MANNER [FILE]")
		os.Exit(2)
	}
	if err := exectest.Play(os.Args[1], plan, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
