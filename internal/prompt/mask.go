package prompt

import (
	"fmt"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/redact"
)

// mask takes out of texts what no party may see. The zero value leaves all as it is.
type mask struct {
	clean func(text string) string // takes out secrets; nil: there are none
	token string                   // of the fences
}

func (m mask) redact(s string) string {
	if m.clean != nil {
		s = m.clean(s)
	}
	if m.token != "" {
		s = strings.ReplaceAll(s, m.token, redact.Mark)
	}
	return s
}

// visible writes every character of a line that cannot be seen as its code
// point.
func visible(line string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(line, "\ufffd") {
		if r != '\n' && comment.Visible(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}

// looksMasked reports whether a text has something that a packet also writes in
// the place of other text.
func looksMasked(s string) bool {
	return strings.Contains(s, redact.Mark) || strings.Contains(s, "<U+")
}
