// Package actiontest reads what an action left behind the way GitHub's runner
// does, for tests: the commands in a log and the values in a command file.
package actiontest

import (
	"fmt"
	"strings"
	"unicode"
)

// Command is a workflow command that the runner would carry out.
type Command struct {
	Name string
	Data string
}

// Commands returns the workflow commands in a log. The runner looks for "::name
// ...::" at the start of a line after any white space, and for "##[name ...]"
// anywhere in it, and between stop-commands and its token for the token alone.
// Here every name counts as one that it knows, so nothing passes by being
// unknown.
func Commands(log string) []Command {
	var found []Command
	stopped := "" // the token that ends a stop
	for _, line := range lines(log) {
		c, ok := current(line)
		if !ok {
			c, ok = old(line)
		}
		switch {
		case !ok:
		case stopped != "":
			if strings.EqualFold(c.Name, stopped) {
				found = append(found, Command{Name: "resume-commands"})
				stopped = ""
			}
		default:
			if c.Name == "stop-commands" {
				stopped = c.Data
			}
			found = append(found, c)
		}
	}
	return found
}

// current reads "::name properties::data".
func current(line string) (Command, bool) {
	line = strings.TrimLeftFunc(line, unicode.IsSpace)
	rest, ok := strings.CutPrefix(line, "::")
	if !ok {
		return Command{}, false
	}
	head, data, ok := strings.Cut(rest, "::")
	name, _, _ := strings.Cut(head, " ")
	return Command{Name: name, Data: unescape(data)}, ok && name != ""
}

// old reads "##[name properties]data".
func old(line string) (Command, bool) {
	_, rest, ok := strings.Cut(line, "##[")
	if !ok {
		return Command{}, false
	}
	head, data, ok := strings.Cut(rest, "]")
	name, _, _ := strings.Cut(head, " ")
	return Command{Name: name, Data: unescape(data)}, ok && name != ""
}

func unescape(s string) string {
	return strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%").Replace(s)
}

// Values reads a file of name-value pairs such as GITHUB_OUTPUT: "name=value",
// or "name<<delimiter", lines, and the delimiter alone on a line.
func Values(file string) (map[string]string, error) {
	values := make(map[string]string)
	all := lines(file)
	for i := 0; i < len(all); i++ {
		line := all[i]
		equals, heredoc := strings.Index(line, "="), strings.Index(line, "<<")
		switch {
		case line == "":
		case equals >= 0 && (heredoc < 0 || equals < heredoc):
			values[line[:equals]] = line[equals+1:]
		case heredoc > 0:
			name, delimiter := line[:heredoc], line[heredoc+2:]
			var value []string
			for i++; i < len(all) && all[i] != delimiter; i++ {
				value = append(value, all[i])
			}
			if delimiter == "" || i == len(all) {
				return nil, fmt.Errorf("the value of %q does not end", name)
			}
			values[name] = strings.Join(value, "\n")
		default:
			return nil, fmt.Errorf("the line %q is no value", line)
		}
	}
	return values, nil
}

// lines splits as the runner does: at a line feed, a carriage return, or both.
func lines(s string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s), "\n")
}
