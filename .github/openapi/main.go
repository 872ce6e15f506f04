// Command openapi checks what our fake GitHub answered, and what our client asked
// it, against the descriptions that GitHub publishes: OpenAPI for REST and the
// schema for GraphQL. A test that passes against a fake proves as much as the fake
// is right.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
)

// exchange is a line of what the fake wrote down; see internal/testkit/ghtest.
type exchange struct {
	Method, Template, Path, Query, Accept string
	Params                                map[string]string
	Request, Response                     string
	Status                                int
	Header                                map[string]string
}

func main() {
	description := flag.String("openapi", "", "GitHub's OpenAPI description, JSON")
	schema := flag.String("graphql", "", "GitHub's GraphQL schema")
	played := flag.String("played", "", "the schema that the fake plays")
	wire := flag.String("wire", "", "folder with recorded exchanges")
	flag.Parse()
	problems, counts, err := check(*description, *schema, *played, *wire)
	if err != nil {
		fmt.Fprintln(os.Stderr, "openapi:", err)
		os.Exit(2)
	}
	for _, line := range problems {
		fmt.Println(line)
	}
	fmt.Println(counts)
	if len(problems) > 0 {
		os.Exit(1)
	}
}

// check lists all deviations, each once.
func check(description, schema, played, wire string) ([]string, string, error) {
	exchanges, err := load(wire)
	if err != nil {
		return nil, "", err
	}
	rest, err := newREST(description, exchanges)
	if err != nil {
		return nil, "", err
	}
	graph, err := newGraph(schema)
	if err != nil {
		return nil, "", err
	}
	found := map[string]int{}
	if err := graph.holds(played, found); err != nil {
		return nil, "", err
	}
	paths, queries, events := 0, 0, 0
	for _, e := range exchanges {
		switch {
		case e.Template == "/graphql":
			queries++
			graph.exchange(e, found)
		case e.Method == "EVENT":
			events++
			rest.event(e, found)
		default:
			paths++
			rest.exchange(e, found)
		}
	}
	excuse(found)
	if paths == 0 || queries == 0 || events == 0 {
		return nil, "", fmt.Errorf("too little was recorded in %s: %d requests of REST, %d of GraphQL, %d events", wire, paths, queries, events)
	}
	var problems []string
	for line, times := range found {
		problems = append(problems, fmt.Sprintf("%s (%d times)", line, times))
	}
	sort.Strings(problems)
	return problems, fmt.Sprintf("%d requests of REST, %d of GraphQL and %d events, %d deviations", paths, queries, events, len(problems)), nil
}

// load reads all recorded exchanges, each different one once.
func load(dir string) ([]exchange, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	var all []exchange
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		reader := bufio.NewScanner(f)
		reader.Buffer(nil, 256<<20)
		for reader.Scan() {
			var e exchange
			if err := json.Unmarshal(reader.Bytes(), &e); err != nil {
				return nil, fmt.Errorf("read %s: %w", name, err)
			}
			all = append(all, e)
		}
		if err := reader.Err(); err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
	}
	return all, nil
}
