package debate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"sort"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lists"
)

// newID is the id of a new claim: the id of an earlier finding on the same text, or F and the
// next unused number of the pull request.
func (s *State) newID(c Claim) string {
	before, text, placed := &s.Received.Previous, Key(c), c.Cite().Path != ""
	for _, n := range before.Names {
		if placed && n.Text == text && s.Book.claim(n.F) == nil {
			return n.F
		}
	}
	next := max(before.NextF, 1)
	for _, f := range before.Findings { // they become claims after the hits of the critic
		next = max(next, numberOf(f.ID)+1)
	}
	for _, o := range s.Book.Claims {
		next = max(next, numberOf(o.ID)+1)
	}
	return "F" + strconv.Itoa(next)
}

// numberOf is the number of a finding, 0 if it has none.
func numberOf(id string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(id, "F"))
	return n
}

// linkedHash binds a decision to its text: all segments of this head under its triggers
// and the citations of its claims, and the whole change if the course of the debate is the
// reason for it. Grouped questions add their own segments, and themselves (A20).
func (s *State) linkedHash(d Decision) string {
	links := links{segments: s.Split.Segments}
	unplaced := map[string]bool{FromPolicy: true, FromProcedure: d.disposes()} // their triggers are about all, unless they name a file
	whole := false                                                             // the decision is about the whole s.Snapshot.Hash
	for _, t := range d.Triggers {
		switch {
		case t.Path == "" && unplaced[t.Source]:
			whole = true
		case !links.add(t.Path, t.Side, t.Line):
			links.add(t.Path, t.Side, 0) // a removed line, or one too many for the list
		}
	}
	for _, id := range d.Claims {
		at := cmp.Or(s.Book.survivor(id), &Claim{}).Cite() // a claim without a place adds none
		links.add(at.Path, at.Side, at.StartLine)
	}
	list := links.keys
	if whole || len(list) == 0 {
		list = append(list, s.Snapshot.Hash)
		list = append(list, lists.Map(s.Split.Segments, Segment.key)...)
	}
	for _, q := range d.also() {
		list = append(list, "asks "+strconv.Quote(q))
	}
	sort.Strings(list)
	sum := sha256.Sum256([]byte(strings.Join(list, "\n")))
	return hex.EncodeToString(sum[:])
}

// links collects the keys of linked segments.
type links struct {
	segments []Segment
	keys     []string
}

// add adds the segments at a line of a file, or all of the file if the line is 0. It reports
// whether one of them was new.
func (l *links) add(path string, side Side, line int) bool {
	known := len(l.keys)
	for _, seg := range l.segments {
		if seg.Path == path && (line == 0 || seg.Holds(side, line)) {
			l.keys = lists.Add(l.keys, seg.key())
		}
	}
	return len(l.keys) > known
}

// key identifies the text of a segment.
func (s Segment) key() string { return strconv.Quote(s.Path) + " " + s.TextHash }

// addressQuestion begins the question about a claim with different criteria on the two sides; the
// title of the claim follows. It never changes: open items and sealed checkpoints are found by
// it.
const addressQuestion = "Shall the change address this before it is merged: "

// mergeIdentity identifies the question about the merge. It never changes either, in any
// wording of the question.
const mergeIdentity = "may this change be merged as proposed?"

// identity identifies a question across runs.
func identity(question string) string {
	if question == DispositionQuestion {
		return mergeIdentity
	}
	return normalised(question)
}
