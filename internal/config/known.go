package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// checkKnown reports entries that hide nothing, or more than a person has looked at.
func (d *decoder) checkKnown(known []Known) {
	for i, one := range known {
		path := fmt.Sprintf("known[%d]", i)
		switch rule, snippet := d.has(path+".rule"), d.has(path+".snippet"); {
		case !rule && !snippet:
			d.errorf(d.at[path], "%s names neither a rule nor a snippet: a category or a path alone would hide new findings too", path)
		case rule && snippet:
			d.errorf(d.at[path+".snippet"], "%s names a rule and a snippet: write two entries", path)
		}
		d.checkKnownRule(path+".rule", one.Rule)
		d.checkKnownPath(path+".below", one.Below)
		d.checkBlank(path+".reason", one.Reason)
		d.checkBlank(path+".by", one.By)
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
	case rule == "": // not set, or already reported
	case at < 0:
		ids := lists.Map(d.rules, func(r Rule) string { return r.ID })
		d.errorf(d.at[path], "%s: there is no built-in rule %q%s", path, rule, didYouMean(rule, ids))
	case d.rules[at].Shown:
		d.errorf(d.at[path], "%s: what %s finds is never hidden: it is a P1, a secret or a finding in a workflow", path, rule)
	}
}

func (d *decoder) checkKnownPath(path, below string) {
	switch {
	case strings.ContainsAny(below, "*?[{"):
		d.errorf(d.at[path], "%s: %q is no directory or file: patterns are not allowed here", path, below)
	case strings.HasPrefix(below, "/"), strings.HasPrefix(below, "./"), strings.HasSuffix(below, "/"):
		d.errorf(d.at[path], "%s: %q never matches: write it without a leading / or ./ and without a / at its end", path, below)
	}
}

// isDay reports whether a text of the form 2027-01-31 is a calendar day. The pure ring does not
// import package time, because a replay must not read its clock.
func isDay(text string) bool {
	number := func(from, to int) int { n, _ := strconv.Atoi(text[from:to]); return n } // the pattern ensures digits
	year, month, day := number(0, 4), number(5, 7), number(8, 10)
	days := map[int]int{1: 31, 2: 28, 3: 31, 4: 30, 5: 31, 6: 30, 7: 31, 8: 31, 9: 30, 10: 31, 11: 30, 12: 31}[month] // 0 for an invalid month
	leaps := year%4 == 0 && year%100 != 0 || year%400 == 0
	if month == 2 && leaps {
		days++
	}
	return day >= 1 && day <= days
}
