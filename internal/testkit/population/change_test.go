package population

import (
	"strconv"

	"github.com/prdebate/debate/internal/debate"
)

// How changes are planted.
const (
	cleanBP    = 2500 // changes without any defect
	defectBP   = 3000 // places of the others that are one
	p1BP       = 2500
	p2BP       = 4500
	criticalBP = 2000 // changes that a person must decide
	contentBP  = 6000 // of those, policy recognises by their content
	pathBP     = 2500 // of those, policy knows only the path as sensitive
	questionBP = 1500 // changes that leave a question open which needs judges
)

const (
	linesPerFile = 90
	firstLine    = 5 // of the first place of a file
	lineStep     = 20
	perFile      = 4 // places
)

// Place is one line of a change that is a defect or only looks like one.
type Place struct {
	Defect   bool
	Severity debate.Severity // that it has, or would have if it were one
	Path     string
	Line     int
}

// Change is a planted change: everything about it is known.
type Change struct {
	Seed     int
	Places   []Place
	Critical bool             // a person must decide it
	Triggers []debate.Trigger // what policy makes of it
	Question bool             // it leaves a question open
	Right    string           // the right answer to the question

	luck dice
}

// words are what parties say of a place: a title and a body, each in two wordings.
type words struct{ title, turned, body, other string }

func subjects() []words {
	return []words{
		{"invoice total overflows when batches are long", "long batches overflow the invoice total", "The sum is kept in 32 bits.", "Summing 70000 rows wraps around."},
		{"cursor skips the row after a deleted page", "after a deleted page the cursor skips a row", "The offset moves although nothing was read.", "Pagination advances past unread data."},
		{"lease is released before its heartbeat stops", "heartbeat outlives the released lease", "Two workers may own one shard.", "Ownership overlaps for a moment."},
		{"token survives logout of another session", "logout leaves a token of another session valid", "Revocation looks at one device.", "Credentials of further devices stay usable."},
		{"retry doubles payments after a timeout", "after a timeout a retry pays double", "No idempotency key is sent.", "The gateway books twice."},
		{"cache keeps stale prices over midnight", "stale prices stay in the cache over midnight", "Expiry is computed from local dates.", "Entries of yesterday are served."},
		{"upload truncates names with umlauts", "names with umlauts are truncated by the upload", "Bytes are counted, not characters.", "Cutting inside a rune garbles filenames."},
		{"scheduler drops jobs at daylight saving", "at daylight saving the scheduler drops jobs", "An hour is missing in the calendar.", "Cron entries between two and three vanish."},
	}
}

// Plant makes the change of one seed.
func Plant(seed int) Change {
	c := Change{Seed: seed, luck: dice(mix(uint64(seed)))}
	clean := c.luck.roll(isClean) < cleanBP
	for i := range subjects() {
		p := Place{Path: path(i / perFile), Line: firstLine + lineStep*(i%perFile), Severity: debate.P3}
		p.Defect = !clean && c.luck.roll(isDefect, i) < defectBP
		switch r := c.luck.roll(severityOf, i); {
		case r < p1BP:
			p.Severity = debate.P1
		case r < p1BP+p2BP:
			p.Severity = debate.P2
		}
		c.Places = append(c.Places, p)
	}
	c.Critical = c.luck.roll(isCritical) < criticalBP
	if c.Critical {
		t := debate.Trigger{ID: debate.TriggerMoney, Source: debate.FromPolicy, Path: path(0), Side: debate.Right, Line: 1, Detail: "prices"}
		switch r := c.luck.roll(policySees); {
		case r < contentBP:
			t.Class = debate.ClassContent
		case r < contentBP+pathBP:
			t.Class = debate.ClassPath
		}
		if t.Class != "" {
			c.Triggers = append(c.Triggers, t)
		}
	}
	c.Question = c.luck.roll(isQuestion) < questionBP
	c.Right = "a"
	if c.luck.roll(rightOption) < whole/2 {
		c.Right = "b"
	}
	return c
}

func path(file int) string { return []string{"shop/orders.go", "shop/stock.go"}[file] }

// line is the text of one line of a file of every change.
func line(path string, n int) string { return path[5:6] + " := step(" + strconv.Itoa(n) + ")" }

// cite points at a line as it is.
func cite(path string, n int) debate.Citation {
	return debate.Citation{Path: path, Side: debate.Right, StartLine: n, EndLine: n, Quote: line(path, n)}
}

// found is what stands where a citation points: the check of the simulation
// itself, against the planted lines.
func found(c debate.Citation) debate.Found {
	switch {
	case c.Path != path(0) && c.Path != path(1):
		return debate.Found{Why: "there is no such file", NoFile: true}
	case c.Side != debate.Right || c.StartLine != c.EndLine || c.StartLine < 1 || c.StartLine > linesPerFile:
		return debate.Found{Why: "there are no such lines"}
	case c.Quote != line(c.Path, c.StartLine):
		return debate.Found{Why: "the lines read otherwise"}
	}
	declaration := (c.StartLine - 1) / lineStep * lineStep
	return debate.Found{
		OK: true, Changed: true, InHunk: true, Code: debate.Lines(0).With(0),
		DeclStart: declaration + 1, DeclEnd: min(declaration+lineStep, linesPerFile),
	}
}

// title is how a party words what it says of a place.
func title(place, who int) (title, body string) {
	w := subjects()[place]
	if who%2 == 1 {
		return w.turned, w.other
	}
	return w.title, w.body
}

// placeOf finds the place that a title is about, -1 if it is about none.
func placeOf(title string) int {
	for i, w := range subjects() {
		if title == w.title || title == w.turned {
			return i
		}
	}
	return -1
}

// split is the split of every change: two files of added lines.
func split() debate.SplitDone {
	s := debate.SplitDone{
		Target: debate.TargetCode,
		Totals: debate.Totals{Files: 2, Additions: 2 * linesPerFile, Parts: 2},
		Chunks: []debate.Chunk{{ID: "X1", Bytes: 4000, Segments: []string{"S1", "S2"}}},
	}
	for i := range 2 {
		n := strconv.Itoa(i + 1)
		s.Segments = append(s.Segments, debate.Segment{
			ID: "S" + n, Kind: debate.CodeSegment, Source: debate.FromDiff, Path: path(i), Side: debate.Right,
			StartLine: 1, EndLine: linesPerFile, TextHash: "text" + n,
		})
		s.Coverage = append(s.Coverage, debate.Coverage{
			ID: "H" + n, Path: path(i), Side: debate.Right, StartLine: 1, EndLine: linesPerFile,
			Additions: linesPerFile, Segments: []string{"S" + n},
		})
	}
	return s
}
