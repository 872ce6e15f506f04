package look

import (
	"bytes"
	"cmp"
	"context"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/segment"
)

// The bounds of a search request.
const (
	mostPattern = 500 // bytes
	mostGlobs   = 10
	mostGlob    = 200  // bytes
	mostStars   = 6    // of a glob
	perCheck    = 2000 // lines between two looks at the clock
)

// grep shows the lines with a match, by path and number. The expression compiles: refused
// checked it.
func (t *turn) grep(ctx context.Context, seen *debate.Seen) {
	expr := regexp.MustCompile(seen.Pattern)
	most := min(cmp.Or(max(0, seen.Max), someMatches), mostMatches)
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	listing, stop := context.WithTimeout(ctx, listTime)
	defer stop()
	files, err := t.Tree.Files(listing, seen.Side, literal(seen.Pattern), seen.Paths) // those that may have a match
	complete := listing.Err() == nil
	if err != nil && complete {
		seen.Why = debate.LookNoSearch
		return
	}
	wanted := segment.Matching(seen.Paths)
	for _, name := range files {
		if len(seen.Paths) > 0 && !wanted(name) || t.forbidden(name) != "" {
			continue
		}
		if most = t.matches(ctx, seen, name, expr, most); seen.Cut != "" {
			return
		}
	}
	if !complete {
		seen.Cut = debate.CutTime
	}
	t.lacking(seen)
}

// matches adds the matching lines of a file, up to a bound. It returns the rest of the bound,
// and notes in seen if something is missing.
func (t *turn) matches(ctx context.Context, seen *debate.Seen, name string, expr *regexp.Regexp, most int) int {
	if ctx.Err() != nil {
		seen.Cut = debate.CutTime
		return most
	}
	content, why := t.Tree.Read(name, seen.Side)
	if why != "" || !mayMatch(expr, content) {
		return most
	}
	lines, why := t.clean(name, content)
	if why != "" {
		return most
	}
	next := -1 // index of the line after the last run
	for i, line := range lines {
		if i%perCheck == perCheck-1 && ctx.Err() != nil {
			seen.Cut = debate.CutTime
			return most
		}
		if !expr.MatchString(line) {
			continue
		}
		if seen.Cut = t.take(line, most); seen.Cut != "" {
			return most
		}
		most--
		if i != next {
			seen.Runs = append(seen.Runs, debate.ShownRun{Path: name, First: i + 1})
		}
		next = i + 1
		run := &seen.Runs[len(seen.Runs)-1]
		run.Lines = append(run.Lines, line)
	}
	return most
}

// mayMatch reports whether a line of the raw file matches, a cheap check before the search for
// secrets.
func mayMatch(expr *regexp.Regexp, content []byte) bool {
	for line := range bytes.Lines(content) {
		if expr.Match(bytes.TrimRight(line, "\r\n")) {
			return true
		}
	}
	return false
}

// searchable reports whether the pattern of a look compiles as RE2, which cannot take long,
// and its globs are few and simple enough for many paths.
func searchable(l debate.Look) bool {
	isCostly := func(g string) bool {
		return len(g) > mostGlob || strings.Count(g, "*") > mostStars || strings.Count(g, "{") > 2
	}
	if l.Pattern == "" || len(l.Pattern) > mostPattern || len(l.Paths) > mostGlobs || slices.ContainsFunc(l.Paths, isCostly) {
		return false
	}
	_, err := regexp.Compile(l.Pattern)
	return err == nil
}

// literal is the longest text common to all matching lines, "" if unknown.
func literal(pattern string) string {
	expr, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	return longest(expr.Simplify())
}

func longest(expr *syntax.Regexp) string {
	switch expr.Op {
	case syntax.OpLiteral:
		text := string(expr.Rune)
		if expr.Flags&syntax.FoldCase != 0 || strings.ContainsAny(text, "\n\r\x00") {
			return ""
		}
		return text
	case syntax.OpCapture, syntax.OpPlus:
		return longest(expr.Sub[0])
	case syntax.OpConcat:
		best := ""
		for _, sub := range expr.Sub {
			if text := longest(sub); len(text) > len(best) {
				best = text
			}
		}
		return best
	}
	return ""
}
