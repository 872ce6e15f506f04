package prompt

import (
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// SentLine is a line of the change in a packet.
type SentLine struct {
	Op     byte // '+', '-' or ' '
	Number int  // at the head; of a removed line, at the base
	Text   string
}

// SentLines reads the lines of the segments that a debate showed to models, by the ids of
// the segments. They have no secrets.
func SentLines(entries []debate.Entry) map[string][]SentLine {
	sent := make(map[string][]SentLine)
	for _, e := range entries {
		shown, ok := e.Event.(debate.Shown)
		if !ok {
			continue
		}
		for _, t := range shown.Texts {
			readSegments(t.Text, sent)
		}
	}
	return sent
}

// readSegments reads the output of Packet.segment, one fence for each segment.
func readSegments(text string, sent map[string][]SentLine) {
	id, fenced := "", false // the open segment; the next line is a header
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case fenced:
			fenced = false
			rest, ok := strings.CutPrefix(line, "segment ")
			if id, _, _ = strings.Cut(rest, " "); !ok || sent[id] != nil { // it is known
				id = ""
			}
		case strings.HasPrefix(line, "<<<data "):
			id, fenced = "", true
		case id != "":
			said := segmentLine().FindStringSubmatch(line)
			if said == nil {
				id = ""
				continue
			}
			n, _ := strconv.Atoi(said[2])
			sent[id] = append(sent[id], SentLine{Op: line[0], Number: n, Text: said[3]})
		}
	}
}

// segmentLine is a line of a segment. The title of a pull request, its line 0, is none.
var segmentLine = lazyregexp.New(`^([-+ ])([1-9][0-9]{0,8}) (.*)`)
