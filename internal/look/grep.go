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

// The bounds of what a search is asked for.
const (
	mostPattern = 500 // bytes
	mostGlobs   = 10
	mostGlob    = 200  // bytes
	mostStars   = 6    // of a glob
	perCheck    = 2000 // lines between two looks at the clock
)

// grep shows the lines that match an expression, which is none that is refused, by path
// and number.
func (t *turn) grep(ctx context.Context, seen *debate.Seen) {
	expr := regexp.MustCompile(seen.Pattern)
	most := min(cmp.Or(max(0, seen.Max), someMatches), mostMatches)
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	files, complete, err := t.files(ctx, seen)
	if err != nil {
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

// files are those that may have a line that matches, and whether these are all.
func (t *turn) files(ctx context.Context, seen *debate.Seen) (files []string, complete bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	files, err = t.Tree.Files(ctx, seen.Side, literal(seen.Pattern), seen.Paths)
	if ctx.Err() != nil {
		return files, false, nil
	}
	return files, true, err
}

// matches adds the lines of a file that match, at most so many. It returns how many
// more may come, and says in seen if something is missing.
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
	next := -1 // index of the line that would go on with the last run
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

// mayMatch reports whether a line of a file matches as it stands there: most files are
// done with before they are searched for secrets.
func mayMatch(expr *regexp.Regexp, content []byte) bool {
	for line := range bytes.Lines(content) {
		if expr.Match(bytes.TrimRight(line, "\r\n")) {
			return true
		}
	}
	return false
}

// searchable reports whether a pattern is an expression in the syntax of RE2, which has no
// way of taking long.
func searchable(pattern string) bool {
	if pattern == "" || len(pattern) > mostPattern {
		return false
	}
	_, err := regexp.Compile(pattern)
	return err == nil
}

// plain reports whether globs are few and simple enough to be matched with many paths.
func plain(globs []string) bool {
	isCostly := func(g string) bool {
		return len(g) > mostGlob || strings.Count(g, "*") > mostStars || strings.Count(g, "{") > 2
	}
	return len(globs) <= mostGlobs && !slices.ContainsFunc(globs, isCostly)
}

// literal is the longest text that stands in every line that matches, "" if none is
// known.
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
