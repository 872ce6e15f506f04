// Command debate-server is debate with the server of a GitHub App and its databases. The
// commands serve and db of debate run it.
package main

import (
	"os"

	"github.com/prdebate/debate/internal/cli"
	"github.com/prdebate/debate/internal/server"
)

func main() {
	env := cli.System()
	env.Server = server.App{}
	os.Exit(cli.Main(os.Args[1:], env))
}
