package engine

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/redact"
)

// confirm looks again at what a record says of the citations of a reply, and says
// what is wrong with it, or "".
//
// A citation that holds has the place and the frozen lines in the record, so that
// the lines there must be these, and all else follows from the place. A citation
// that does not hold is as its party made it, and is looked up once more.
//
// Secrets are those of the change. Secrets of the process that wrote the record
// are unknown here: the mark of a redaction stands for any text. That gives nothing
// away, since everybody may cite what stands in the change. A citation with a mark
// in it that does not hold stays so.
func (s *resolver) confirm(reply *debate.Reply, secrets *redact.Redactor) string {
	left := maxFound
	s.read = 0
	for i, ref := range refsOf(reply) {
		size, why := s.held(*ref, i, left, secrets)
		if why != "" {
			return fmt.Sprintf("citation %d of the reply: %s", i+1, why)
		}
		left -= size
	}
	return ""
}

// held confirms the n-th citation of a reply, of whose lines so many bytes are left. It
// returns how many of them it takes, or why the record cannot be trusted.
func (s *resolver) held(ref debate.Ref, n, left int, secrets *redact.Redactor) (size int, why string) {
	switch {
	case citesRun(ref):
		if ref.Found != (debate.Found{}) {
			why = "a check run has no lines in the change"
		}
	case !ref.Found.OK:
		return s.missed(ref, left, secrets)
	case s.isSpent(n):
		why = tooMany
	case ref.Found.Quoted():
		if size, why = s.confirmed(ref, secrets); size > left {
			why = tooLarge
		}
	default:
		return s.lookedUp(ref, left, secrets, "the place that it names is another one")
	}
	return size, why
}

// missed confirms that a citation does not hold, for the reason that the record gives.
func (s *resolver) missed(ref debate.Ref, left int, secrets *redact.Redactor) (size int, why string) {
	inShort := ref.Found == (debate.Found{Why: ref.Found.Why, Text: ref.Found.Text, NoFile: ref.Found.NoFile}) && len(ref.Found.Why) <= maxDetail
	// How much was read until then, or what was asked, is not known any more.
	unknown := ref.Found.Why == tooMany || strings.Contains(ref.Path+ref.Quote, redact.Mark)
	switch {
	case !inShort:
		return 0, "a citation that does not hold says more of its lines"
	case unknown:
		if ref.Found.Text != "" && !conceals(ref.Found.Text, asRecorded(secrets.Text(s.textAt(s.original(ref.Citation))))) {
			return 0, "other lines stand where it points"
		}
		return 0, ""
	case s.read > maxRead:
		return 0, tooMany
	}
	return s.lookedUp(ref, left, secrets, "its lines are there, or are missing for another reason")
}

// lookedUp looks a citation up once more. Otherwise is what is wrong if something else
// is found than the record says.
func (s *resolver) lookedUp(ref debate.Ref, left int, secrets *redact.Redactor, otherwise string) (size int, why string) {
	_, found := s.lookUp(ref.Citation, left)
	if !samePlace(ref.Found, found, secrets) {
		return 0, otherwise
	}
	return len(found.Text), ""
}

// samePlace reports whether a record says of a place that was named without a quote
// what is found there.
func samePlace(recorded, found debate.Found, secrets *redact.Redactor) bool {
	if !conceals(recorded.Text, secrets.Text(found.Text)) {
		return false
	}
	recorded.Text = found.Text
	return recorded == found
}

// confirmed confirms a citation that holds. It returns how many bytes its lines
// have, or why it does not hold.
func (s *resolver) confirmed(ref debate.Ref, secrets *redact.Redactor) (size int, why string) {
	why = "there are no such lines"
	for _, path := range s.named(ref.Path) {
		c := ref.Citation
		c.Path = path
		lines, ok := s.linesAt(c)
		if !ok || !recognisable(lines) {
			continue
		}
		c.Quote = strings.Join(lines, "\n")
		if !conceals(ref.Quote, asRecorded(secrets.Text(c.Quote))) {
			why = "the lines there are others"
			continue
		}
		found := debate.Found{OK: true}
		if c.Path != debate.BodyPath {
			found = s.standing(c)
		}
		found.Reanchored = ref.Found.Reanchored // where it was asked for is not known any more
		if found == ref.Found {
			return len(c.Quote), ""
		}
		why = "its lines are something else to the change"
	}
	return 0, why
}

// named lists the paths that a record writes in this way.
func (s *resolver) named(recorded string) []string {
	alike := lists.Keep(s.odd, func(path string) bool { return asRecorded(path) == recorded })
	return append([]string{recorded}, alike...)
}

// linesAt returns the frozen lines at exactly the place of a citation.
func (s *resolver) linesAt(c debate.Citation) ([]string, bool) {
	if c.StartLine < 0 || c.EndLine < c.StartLine || c.EndLine-c.StartLine >= maxWindow {
		return nil, false
	}
	switch {
	case c.Path == debate.BodyPath:
		return s.linesInText(c)
	case c.Path == debate.IssuePath, c.StartLine < 1:
		return nil, false
	}
	s.read += s.size(c)
	if lines, ok := linesOf(s.index, c); ok {
		return lines, true
	}
	if content, ok := s.whole(c); ok {
		s.read += len(content)
		return linesOf(window(content, c), c)
	}
	if lines, ok := linesOf(s.beyond, c); ok {
		return lines, true
	}
	return linesOf(s.seen, c)
}

// linesInText returns the lines of the text of the pull request, or its title, at exactly
// the place of a citation.
func (s *resolver) linesInText(c debate.Citation) ([]string, bool) {
	if c.Side != debate.Right || c.StartLine == titleLine && c.EndLine != titleLine {
		return nil, false
	}
	text := s.anchor.Intent
	if c.StartLine == titleLine {
		text, c.StartLine, c.EndLine = s.anchor.Title, 1, 1
	}
	s.read += len(text)
	return linesOf(window([]byte(text), c), c)
}

// linesOf returns the lines of a citation, if all of them are in the index.
func linesOf(in *patch.Index, c debate.Citation) ([]string, bool) {
	var lines []string
	for line := c.StartLine; line <= c.EndLine; line++ {
		text, ok := in.Line(c.Path, c.Side, line)
		if !ok {
			return nil, false
		}
		lines = append(lines, text)
	}
	return lines, true
}

// recognisable reports whether somebody could have quoted these lines (S17).
func recognisable(lines []string) bool {
	words := make([]string, len(lines))
	for i, line := range lines {
		words[i] = strings.Join(strings.Fields(line), " ")
	}
	text := strings.Join(words, "\n")
	c := debate.Citation{Path: "text", Side: debate.Right, StartLine: 1, EndLine: len(lines), Quote: text}
	m := window([]byte(text+"\n"), c).Quote(c)
	return m.OK && !m.Reanchored
}

// conceals reports whether a text is another one in which parts may be redacted.
func conceals(redacted, text string) bool {
	parts := strings.Split(redacted, redact.Mark)
	if len(parts) == 1 {
		return redacted == text
	}
	first, last := parts[0], parts[len(parts)-1]
	text, begins := strings.CutPrefix(text, first)
	text, ends := strings.CutSuffix(text, last)
	if !begins || !ends {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		_, rest, ok := strings.Cut(text, part)
		if !ok {
			return false
		}
		text = rest
	}
	return true
}

// asRecorded is a text as a record gives it back: JSON has no bytes that are not
// UTF-8.
func asRecorded(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}
