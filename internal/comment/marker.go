package comment

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// Kind is the purpose of a comment with a hidden marker.
type Kind string

// The kinds of markers.
const (
	FindingMark   Kind = "finding"   // Value: key of the finding; has ID
	GoneMark      Kind = "gone"      // Value: key of a gone finding
	DuplicateMark Kind = "duplicate" // Value: the repeated thing, see Publish
	SummaryMark   Kind = "summary"   // no value
	DecisionMark  Kind = "decision"  // Value: fingerprint of a question; carries PR, ID, Head, MAC, Text
	NoteMark      Kind = "note"      // Value: key of one comment on an escalation issue
	ReplyMark     Kind = "reply"     // Value: id of the answered comment, with ".1" for its second command
	ReviewMark    Kind = "review"    // Value: see ReviewValue
	PostedMark    Kind = "posted"    // of a review posted from the command line; Value: see ReviewValue
)

// Marker is a hidden line to find our own comments again. It counts only in a comment written by
// this identity; the facts of a decision also need their MAC, since other workflows write under
// the same identity.
type Marker struct {
	Kind  Kind
	Value string

	ID string // of a decision or a finding, such as D0 or F3

	// Of a decision.
	PR   int
	Head string // commit of an answer
	MAC  string // see macOf; "-" without a key
	Text string // a hash of the question, or AnsweredText; "" if it is not known
}

// AnsweredText is the Text of an answered question while others of the same issue stay open.
const AnsweredText = "answered"

// The forms of values.
const (
	keyForm    = `([0-9a-z]{1,64}(?:-[0-9a-z]{1,64}){0,3})`
	reviewForm = `([0-9a-f]{12}-[0-9a-f]{12})`
)

// forms has the text of each kind of marker behind its version. A pull request has fewer than a
// million findings.
var forms = map[Kind]lazyregexp.Regexp{
	FindingMark:   lazyregexp.New(`^ ` + keyForm + ` (F[1-9][0-9]{0,5})$`),
	GoneMark:      lazyregexp.New(`^ ` + keyForm + `$`),
	DuplicateMark: lazyregexp.New(`^ ` + keyForm + `$`),
	NoteMark:      lazyregexp.New(`^ ` + keyForm + `$`),
	SummaryMark:   lazyregexp.New(`^()$`),
	ReplyMark:     lazyregexp.New(`^ ([1-9][0-9]{0,18}(?:\.[1-9][0-9]?)?)$`),
	ReviewMark:    lazyregexp.New(`^ ` + reviewForm + `$`),
	PostedMark:    lazyregexp.New(`^ ` + reviewForm + `$`),
	DecisionMark: lazyregexp.New(`^ ([0-9a-z]{1,64}) pr=([1-9][0-9]{0,9}) id=(D(?:0|[1-9][0-9]{0,3})) head=([0-9a-f]{40}|[0-9a-f]{64}) ` +
		`mac=([A-Za-z0-9_-]{43}|-)(?: text=([0-9a-f]{16}|answered))?$`),
}

const (
	markerStart = "<!-- debate:"
	markerEnd   = " -->"
	maxMarker   = 400 // bytes of one marker, more than any has
	maxMarkers  = 100 // of one body
)

// String is the marker as it is in a comment, on a line of its own. It is "" if markers would not
// read it back.
func (m Marker) String() string {
	s := markerStart + string(m.Kind) + " v1"
	if m.Value != "" {
		s += " " + m.Value
	}
	switch m.Kind {
	case FindingMark:
		s += " " + m.ID
	case DecisionMark:
		s += " pr=" + strconv.Itoa(m.PR) + " id=" + m.ID + " head=" + m.Head + " mac=" + m.MAC
		if m.Text != "" {
			s += " text=" + m.Text
		}
	}
	s += markerEnd
	if back, ok := parseMarker(s); !ok || back != m {
		return ""
	}
	return s
}

// markers returns the markers of a body in their order, at most 100. A marker fills a line from
// its start. It does not count in code, in quotes or inside other hidden text, and a line that
// only resembles one does not count either.
func markers(body string) []Marker {
	var found []Marker
	for _, line := range liveLines(body) {
		if m, ok := parseMarker(line); ok {
			found = append(found, m)
		}
	}
	return found[:min(len(found), maxMarkers)]
}

// AllMarked returns the markers of a kind in a body, in their order.
func AllMarked(body string, kind Kind) []Marker {
	return slices.DeleteFunc(markers(body), func(m Marker) bool { return m.Kind != kind })
}

// IsMarked reports whether a body has a marker of a kind.
func IsMarked(body string, kind Kind) bool {
	_, is := Marked(body, kind)
	return is
}

// Marked returns the first marker of a kind in a body.
func Marked(body string, kind Kind) (Marker, bool) {
	all := AllMarked(body, kind)
	if len(all) == 0 {
		return Marker{}, false
	}
	return all[0], true
}

func parseMarker(line string) (Marker, bool) {
	inner, isMarker := strings.CutPrefix(line, markerStart)
	inner, isClosed := strings.CutSuffix(inner, markerEnd)
	kind, rest, isVersioned := strings.Cut(inner, " v1")
	form, isKnown := forms[Kind(kind)]
	if !isMarker || !isClosed || !isVersioned || !isKnown {
		return Marker{}, false
	}
	f := form().FindStringSubmatch(rest)
	if f == nil {
		return Marker{}, false
	}
	m := Marker{Kind: Kind(kind), Value: f[1]}
	switch m.Kind {
	case FindingMark:
		m.ID = f[2]
	case DecisionMark:
		m.PR, _ = strconv.Atoi(f[2]) // at most ten digits
		m.ID, m.Head, m.MAC, m.Text = f[3], f[4], f[5], f[6]
	}
	return m, true
}

// ReviewValue is the value of the marker of a review: the head and a hash over the keys of the
// findings in it, in any order. It shows if a review was posted twice.
func ReviewValue(headSHA string, keys []string) string {
	sorted := slices.Sorted(slices.Values(keys))
	sum := sha256.Sum256([]byte(strings.Join(sorted, "\n")))
	return headSHA[:min(12, len(headSHA))] + "-" + hex.EncodeToString(sum[:6])
}

// Mark is a body with hidden lines at its start, out of reach of an unclosed fence in the body. A
// body longer than MaxBody is cut, with a note.
func Mark(body string, hidden ...string) string {
	head := strings.Join(hidden, "\n")
	if head == "" {
		return ClipBody(body, MaxBody)
	}
	return head + "\n\n" + ClipBody(body, MaxBody-len(head)-2)
}

// Foot is the hidden line in an inline comment before the parts outside the finding: how to
// answer, and the suggestion.
const Foot = "<!-- debate:foot v1 -->"

// liveLines are the lines of a body, by their number from 0, except for fenced ones and those
// inside a hidden text of several lines. Quoted and indented lines are included: they never start
// with the mark of a marker. Line ends and trailing white space are removed, since platforms
// change them.
func liveLines(body string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		var f fence
		hidden := false
		for i, line := range strings.Split(body, "\n") {
			line = strings.TrimRight(line, " \t\r")
			switch {
			case hidden:
				hidden = !strings.Contains(line, "-->")
			case f.takes(line):
			case strings.HasPrefix(line, "<!--") && !strings.Contains(line, "-->"):
				hidden = true
			case !yield(i, line):
				return
			}
		}
	}
}
