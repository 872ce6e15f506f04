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
	id := ""
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case fenced:
			id = segmentOfHeader(line, sent)
			fenced = false
		case strings.HasPrefix(line, "<<<data "):
			id, fenced = "", true
		case id != "":
			l, ok := readLine(line)
			if !ok {
				id = ""
				continue
			}
			sent[id] = append(sent[id], l)
		}
	}
}

// segmentOfHeader returns the id in a header, "" for a known segment.
func segmentOfHeader(line string, sent map[string][]SentLine) string {
	rest, ok := strings.CutPrefix(line, "segment ")
	id, _, _ := strings.Cut(rest, " ")
	if !ok || sent[id] != nil {
		return ""
	}
	return id
}

// readLine reads a line of a segment: its mark, its number and its text.
func readLine(line string) (SentLine, bool) {
	if strings.IndexAny(line, "+- ") != 0 {
		return SentLine{}, false
	}
	number, text, _ := strings.Cut(line[1:], " ")
	n, err := strconv.Atoi(number)
	return SentLine{Op: line[0], Number: n, Text: text}, err == nil && n > 0
}
