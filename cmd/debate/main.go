// Command debate reviews changes by debate. See the README.
package main

import (
	"os"

	"github.com/prdebate/debate/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], cli.System())) }
