// Party debates for the provider exec: party MANNER. It is a program of its own
// because the tests start it some ten thousand times.
package main

import (
	"fmt"
	"os"

	"github.com/prdebate/debate/internal/model/exec/exectest"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: party MANNER")
		os.Exit(2)
	}
	if err := exectest.Play(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
