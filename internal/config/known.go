package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// checkKnown looks for entries that hide nothing, or more than somebody has looked at.
func (d *decoder) checkKnown(known []Known) {
	for i, one := range known {
		path := fmt.Sprintf("known[%d]", i)
		switch rule, snippet := d.has(path+".rule"), d.has(path+".snippet"); {
		case !rule && !snippet:
			d.errorf(d.at[path], "%s names neither a rule nor a snippet: a category or a path alone would hide what nobody has looked at", path)
		case rule && snippet:
			d.errorf(d.at[path+".snippet"], "%s names a rule and a snippet: write two entries", path)
		}
		d.checkKnownRule(path+".rule", one.Rule)
		d.checkKnownPath(path+".below", one.Below)
		for _, text := range []struct{ key, value string }{{"reason", one.Reason}, {"by", one.By}} {
			if text.value != "" && strings.TrimSpace(text.value) == "" {
				d.errorf(d.at[path+"."+text.key], "%s.%s is empty", path, text.key)
			}
		}
		if letters := len([]rune(strings.Join(strings.Fields(one.Snippet), ""))); one.Snippet != "" && letters < debate.MinSnippet {
			d.errorf(d.at[path+".snippet"], "%s.snippet is too short: at least %d characters that are no white space", path, debate.MinSnippet)
		}
		if one.Until != "" && !isDay(one.Until) {
			d.errorf(d.at[path+".until"], "%s.until: there is no day %s", path, one.Until)
		}
	}
}

func (d *decoder) checkKnownRule(path, rule string) {
	at := slices.IndexFunc(d.rules, func(r Rule) bool { return r.ID == rule })
	switch {
	case rule == "": // left out, or said already
	case at < 0:
		var ids []string
		for _, r := range d.rules {
			ids = append(ids, r.ID)
		}
		d.errorf(d.at[path], "%s: there is no built-in rule %q%s", path, rule, didYouMean(rule, ids))
	case d.rules[at].Shown:
		d.errorf(d.at[path], "%s: what %s finds is never hidden: it is a P1, a secret or a finding in a workflow", path, rule)
	}
}

func (d *decoder) checkKnownPath(path, below string) {
	switch {
	case below == "":
	case strings.ContainsAny(below, "*?[{"):
		d.errorf(d.at[path], "%s: %q is no directory or file: patterns are not allowed here", path, below)
	case strings.HasPrefix(below, "/"), strings.HasPrefix(below, "./"), strings.HasSuffix(below, "/"):
		d.errorf(d.at[path], "%s: %q never matches: write it without a leading / or ./ and without a / at its end", path, below)
	}
}

// isDay reports whether a text of the form 2027-01-31 is a day of the calendar. The pure
// ring has no package time, whose clock a replay must not see.
func isDay(text string) bool {
	number := func(from, to int) int { n, _ := strconv.Atoi(text[from:to]); return n } // the pattern says that they are digits
	year, month, day := number(0, 4), number(5, 7), number(8, 10)
	if month < 1 || month > 12 || day < 1 {
		return false
	}
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
	leaps := year%4 == 0 && year%100 != 0 || year%400 == 0
	if month == 2 && leaps {
		days++
	}
	return day <= days
}
