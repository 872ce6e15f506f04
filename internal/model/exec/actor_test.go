package exec

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	osexec "os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// surroundings is what a command sees around it.
type surroundings struct {
	Dir   string
	Files []string
	Env   []string
}

// play is the command of the tests: this very binary in a role.
func play(role string, args []string) {
	switch role {
	case "echo":
		_, err := io.Copy(os.Stdout, os.Stdin)
		must(err)
		fmt.Println(strings.Join(args, "|"))
	case "env":
		dir, err := os.Getwd()
		must(err)
		saw := surroundings{Dir: dir, Env: os.Environ()}
		slices.Sort(saw.Env)
		entries, err := os.ReadDir(".")
		must(err)
		for _, e := range entries {
			saw.Files = append(saw.Files, e.Name())
		}
		must(json.NewEncoder(os.Stdout).Encode(saw))
	case "files":
		dir, err := os.Getwd()
		must(err)
		text, err := os.ReadFile("repo/lib/a.go")
		must(err)
		var request struct{ Files string }
		must(json.NewDecoder(os.Stdin).Decode(&request))
		fmt.Printf("%s\n%s%s\n", dir, text, request.Files)
	case "deaf":
		must(os.Stdin.Close())
		fmt.Print("reply")
	case "write":
		n, err := strconv.Atoi(args[0])
		must(err)
		fmt.Print(strings.Repeat("x", n))
	case "flood":
		for {
			if _, err := fmt.Print(strings.Repeat("x", 1<<16)); err != nil {
				os.Exit(1)
			}
		}
	case "drip":
		for range time.Tick(time.Millisecond) {
			fmt.Print(" ")
		}
	case "fail":
		fmt.Fprint(os.Stderr, args[0])
		os.Exit(3)
	case "stubborn":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		must(osexec.Command(os.Args[0], "be:stay", args[0]).Start())
		stay(args[0])
	case "stay":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		stay(args[0])
	case "leaver":
		child := osexec.Command(os.Args[0], "be:stay", args[0])
		out, err := child.StdoutPipe()
		must(err)
		must(child.Start())
		_, err = out.Read(make([]byte, 1)) // it is up
		must(err)
		fmt.Print("reply")
	}
}

// stay holds a connection until the process is killed.
func stay(address string) {
	conn, err := net.Dial("tcp", address)
	must(err)
	fmt.Print("u")
	_, err = conn.Read(make([]byte, 1))
	must(err)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(9)
	}
}
