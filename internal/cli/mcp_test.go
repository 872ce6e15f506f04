package cli

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/mcp"
	"github.com/prdebate/debate/internal/report"
)

// TestPurse: what is not known of the cost of debates counts too, so that no client spends
// without end by giving up each time.
func TestPurse(t *testing.T) {
	t.Parallel()
	const dollar = report.USD(1_000_000)
	p := budget{most: dollar}
	if got, want := p.spend(dollar/4, true), "It cost $0.25. This server has spent $0.25 of $1.00."; got != want {
		t.Error(got)
	}
	if left, err := p.left(); err != nil || left != dollar*3/4 {
		t.Errorf("%v left, %v", left, err)
	}
	if got, want := p.spend(dollar/100, false), "It cost $0.01 and calls without a known price; it counts for $0.11. This server has spent $0.36 of $1.00."; got != want {
		t.Error(got)
	}
	for range 7 {
		p.spend(0, false)
	}
	if _, err := p.left(); err == nil || !strings.Contains(err.Error(), "$1.06 of $1.00 are spent") {
		t.Errorf("after nine debates of unknown cost: %v", err)
	}
}

// TestToolsAreCommands: each tool of debate mcp is a command with the same arguments, except findings,
// which is debate report --format agent. A new scope of a review is offered to agents or listed here.
func TestToolsAreCommands(t *testing.T) {
	t.Parallel()
	parser, err := kong.New(&commands{}, kong.ExplicitGroups(groups), kong.Vars{"version": "", "shell": "bash"}, kong.Exit(func(int) {}))
	if err != nil {
		t.Fatal(err)
	}
	withheld := map[string]string{
		"snippet": "an agent has files", "patch": "a file may be outside the repository", "pr": "the agent works on this clone",
	}
	renamed := map[string]string{"options": "option", "ids": "what"}
	for name, args := range map[string]reflect.Type{"review": reflect.TypeFor[mcp.Review](), "ask": reflect.TypeFor[mcp.Ask](), "explain": reflect.TypeFor[mcp.Explain]()} {
		command := lists.Find(parser.Model.Children, func(n *kong.Node) bool { return n.Name == name })
		if command == nil {
			t.Errorf("there is no command %s", name)
			continue
		}
		takes, scopes := make(map[string]bool), make(map[string]bool)
		for _, positional := range command.Positional {
			takes[positional.Name] = true
		}
		for _, flag := range command.Flags {
			takes[flag.Name] = true
			scopes[flag.Name] = slices.Contains(flag.Xor, "scope")
		}
		offered := make(map[string]bool)
		for _, field := range reflect.VisibleFields(args) {
			argument, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			argument = cmp.Or(renamed[argument], argument)
			offered[argument] = true
			if !takes[argument] {
				t.Errorf("debate %s takes no %s", name, argument)
			}
		}
		for flag := range scopes {
			if scopes[flag] && offered[flag] == (withheld[flag] != "") {
				t.Errorf("debate %s --%s: offered to agents %v, with the reason against it %q", name, flag, offered[flag], withheld[flag])
			}
		}
	}
}
