package ghtest

import (
	"cmp"
	"slices"
	"strings"
)

// The refusals of a place in a diff.
const (
	badPath      = "Pull request review thread path is invalid"
	badHunk      = "Pull request review thread diff hunk can't be blank"
	badLine      = "Pull request review thread line must be part of the diff"
	badStartLine = "Pull request review thread start line must be part of the same hunk as the line."
	badOrder     = "Pull request review thread start line must precede the end line."
	badCommit    = "Pull request review commit oid is not part of the pull request"
)

// place finds the hunk of a comment's lines, or says why GitHub refuses them. The
// path, the side, the lines and the commit are given.
func (e *ends) place(in *inline) string {
	o := e.objects()
	in.side = cmp.Or(in.side, "RIGHT")
	if !e.has(in.commit) {
		return badCommit
	}
	in.base = o.mergeBase(e.base.tip(), in.commit)
	changes := o.compare(in.base, in.commit)
	at := slices.IndexFunc(changes, func(c change) bool { return c.path == in.path })
	if at < 0 {
		return badPath
	}
	list := spans(changes[at].patch)
	if in.wholeFile {
		if len(list) > 0 {
			in.hunk = list[0].text
		}
		return ""
	}
	if in.line == 0 || len(list) == 0 {
		return badHunk
	}
	hunk := hunkOf(list, in.side, in.line)
	if hunk < 0 {
		return badLine
	}
	if in.start != 0 {
		in.startSide = cmp.Or(in.startSide, in.side)
		switch {
		case in.startSide == in.side && in.start >= in.line:
			return badOrder
		case hunkOf(list, in.startSide, in.start) != hunk:
			return badStartLine
		}
	}
	in.hunk = strings.TrimSuffix(list[hunk].text, "\n")
	return ""
}

// locate finds the lines of a comment at the current head, 0 where they are gone.
func (e *ends) locate(in *inline) (line, start int) {
	o := e.objects()
	if in.wholeFile {
		return 0, 0
	}
	was, is := o.commits[in.commit], o.commits[e.head.sha]
	base := e.fork()
	if in.side == "LEFT" {
		was, is = o.commits[in.base], o.commits[base]
	}
	if was == nil || is == nil {
		return 0, 0
	}
	now, ok := is.files[in.path]
	if !ok {
		return 0, 0
	}
	before := was.files[in.path]
	line = follow(before.Content, now.Content, in.line)
	changes := o.compare(base, e.head.sha)
	at := slices.IndexFunc(changes, func(c change) bool { return c.path == in.path })
	if at < 0 || hunkOf(spans(changes[at].patch), in.side, line) < 0 {
		return 0, 0
	}
	if in.start != 0 {
		start = follow(before.Content, now.Content, in.start)
		if start >= line {
			start = 0
		}
	}
	return line, start
}

// outdated tells whether the lines of a comment are gone.
func (e *ends) outdated(in *inline) bool {
	line, _ := e.locate(in)
	return line == 0 && !in.wholeFile
}

// Place is the file and the line that a comment on lines was made at, "" and 0 of any other.
func (c *Comment) Place() (path string, line int) {
	defer c.issue.Repo.lock()()
	if c.inline == nil {
		return "", 0
	}
	return c.inline.path, c.inline.line
}
