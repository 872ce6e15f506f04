package config

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// Words splits a command like a shell: words may have single or double quotes, but nothing else of
// a shell's syntax works.
func Words(command string) ([]string, error) {
	var words []string
	word, open, quote := "", false, rune(0)
	for _, c := range command {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word += string(c)
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if open {
				words = append(words, word)
			}
			word, open = "", false
		case strings.ContainsRune("|&;<>$`\\", c):
			return nil, errors.New("no shell reads this: put " + strconv.QuoteRune(c) + " in quotes, or call a script of the base branch")
		default:
			word, open = word+string(c), true
		}
	}
	switch {
	case quote != 0:
		return nil, errors.New("a quote is not closed")
	case open:
		words = append(words, word)
	}
	if len(words) == 0 {
		return nil, errors.New("it is empty")
	}
	return words, nil
}

// Bytes returns the size as a number.
func (s Size) Bytes() int64 {
	number, unit, _ := strings.Cut(strings.NewReplacer("KiB", " K", "MiB", " M", "GiB", " G").Replace(string(s)), " ")
	n, _ := strconv.ParseInt(number, 10, 64) // the pattern ensures a number
	return n << map[string]int{"K": 10, "M": 20, "G": 30}[unit]
}

// Whole returns the limits with defaults for those that are not set.
func (l ExecutionLimits) Whole() ExecutionLimits {
	return ExecutionLimits{
		Time: cmp.Or(l.Time, 60), Memory: cmp.Or(l.Memory, "1GiB"), Processes: cmp.Or(l.Processes, 256), Output: cmp.Or(l.Output, "64KiB"), Runs: cmp.Or(l.Runs, 6),
	}
}

// Bounds of a run's limits, in bytes.
const (
	leastMemory = 64 << 20
	mostMemory  = 64 << 30
	mostOutput  = 4 << 20
)

var placeholder = lazyregexp.New(`\{[^{}]*\}`)

// checkExecution reports a command that cannot run one test.
func (d *decoder) checkExecution(e *Execution) {
	if e == nil {
		return
	}
	d.checkGlobs("execution.files", e.Files)
	lacks := func(name string) { d.errorf(d.at["execution"], "execution lacks %s", name) }
	switch allows := d.operator && e.Run == "" && len(e.Files) == 0; {
	case allows: // it only allows the repository's commands
	case !d.has("execution.run"):
		lacks("run")
	case !d.has("execution.files"):
		lacks("files")
	}
	for _, one := range []struct{ path, command string }{{"execution.run", e.Run}, {"execution.setup", e.Setup}} {
		if one.command == "" {
			continue // not set, or already reported
		}
		if _, err := Words(one.command); err != nil {
			d.errorf(d.at[one.path], "%s: %v", one.path, err)
		}
	}
	named := placeholder().FindAllString(e.Run, -1)
	unknown := slices.IndexFunc(named, func(p string) bool { return !slices.Contains([]string{"{file}", "{dir}", "{test}"}, p) })
	byName := slices.ContainsFunc(e.Files, func(g Glob) bool { return strings.HasSuffix(string(g), ".go") || strings.HasSuffix(string(g), ".rs") })
	switch run := d.at["execution.run"]; {
	case e.Run == "":
	case unknown >= 0:
		d.errorf(run, "execution.run: there is no placeholder %s; use {file}, {dir} or {test}", named[unknown])
	case byName && !slices.Contains(named, "{test}"):
		d.errorf(run, "execution.run lacks {test}: without it other tests run too, and what they do would count")
	case !slices.Contains(named, "{test}") && !slices.Contains(named, "{file}"):
		d.errorf(run, "execution.run has neither {file} nor {test}: it would not run the test that was written")
	}
	if n := e.Limits.Memory.Bytes(); e.Limits.Memory != "" && (n < leastMemory || n > mostMemory) {
		d.errorf(d.at["execution.limits.memory"], "execution.limits.memory is out of range: 64MiB to 64GiB")
	}
	if n := e.Limits.Output.Bytes(); n > mostOutput {
		d.errorf(d.at["execution.limits.output"], "execution.limits.output is too large: at most 4MiB")
	}
}
