package comment

import (
	"strings"
	"unicode/utf8"
)

// MaxBody is how many bytes the body of a comment or of an issue may have. The
// platform's own limits differ by place and server; this is below all of them.
const MaxBody = 60_000

const cutNote = "\n\n*The rest was too long for a comment and is left out here.*\n"

// ClipBody shortens Markdown to at most most bytes. It cuts between two lines if it can, closes
// the open code block and the open folds, and adds a note.
func ClipBody(body string, most int) string {
	if len(body) <= most {
		return body
	}
	room := most - len(cutNote)
	if room <= 0 {
		return ""
	}
	for {
		kept := clipBytes(body, room)
		if i := strings.LastIndexByte(kept, '\n'); i > room/2 {
			kept = kept[:i+1]
		}
		closed := kept + closing(kept) + cutNote
		if len(closed) <= most {
			return closed
		}
		room = len(kept) - (len(closed) - most)
		if room <= 0 {
			return ""
		}
	}
}

// closing ends the open blocks of cut Markdown.
func closing(kept string) string {
	var f fence
	folds := 0
	for line := range strings.SplitSeq(kept, "\n") {
		line = strings.TrimRight(line, " \t\r")
		if !f.takes(line) {
			folds += strings.Count(line, "<details") - strings.Count(line, "</details>")
		}
	}
	end := ""
	if f.mark != "" {
		end = "\n" + f.mark
	}
	return end + strings.Repeat("\n\n</details>", max(0, folds))
}

// clipBytes is the longest start of s with at most most bytes and a whole last character.
func clipBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}
