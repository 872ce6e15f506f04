// Package actiontest reads what an action left behind the way GitHub's runner
// does, for tests: the commands in a log and the values in a command file.
package actiontest

import (
	"cmp"
	"fmt"
	"slices"
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
		c := cmp.Or(current(line), old(line))
		switch {
		case c.Name == "":
		case stopped == "":
			if c.Name == "stop-commands" {
				stopped = c.Data
			}
			found = append(found, c)
		case strings.EqualFold(c.Name, stopped):
			found = append(found, Command{Name: "resume-commands"})
			stopped = ""
		}
	}
	return found
}

// current reads "::name properties::data".
func current(line string) Command {
	rest, begins := strings.CutPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::")
	if !begins {
		return Command{}
	}
	return command(rest, "::")
}

// old reads "##[name properties]data".
func old(line string) Command {
	_, rest, _ := strings.Cut(line, "##[")
	return command(rest, "]")
}

// command reads a name, properties, what ends them, and data. Without an end, or
// without a name, it is the zero value.
func command(text, end string) Command {
	head, data, ended := strings.Cut(text, end)
	name, _, _ := strings.Cut(head, " ")
	if !ended || name == "" {
		return Command{}
	}
	return Command{Name: name, Data: unescape(data)}
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
		key, value, isPair := strings.Cut(line, "=")
		heredoc := strings.Index(line, "<<")
		switch {
		case line == "":
		case isPair && !strings.Contains(key, "<<"):
			values[key] = value
		case heredoc > 0:
			name, delimiter, rest := line[:heredoc], line[heredoc+2:], all[i+1:]
			end := slices.Index(rest, delimiter)
			if delimiter == "" || end < 0 {
				return nil, fmt.Errorf("the value of %q does not end", name)
			}
			values[name] = strings.Join(rest[:end], "\n")
			i += end + 1
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
