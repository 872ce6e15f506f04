package prompt

import (
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
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
			number, text, _ := strings.Cut(strings.TrimLeft(line, "+- "), " ")
			n, err := strconv.Atoi(number)
			if strings.IndexAny(line, "+- ") != 0 || len(line) < 2 || !strings.HasPrefix(line[1:], number) || err != nil || n < 1 {
				id = ""
				continue
			}
			sent[id] = append(sent[id], SentLine{Op: line[0], Number: n, Text: text})
		}
	}
}
