package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/lists"
)

// redaction stands where a secret stood.
const redaction = "[redacted]"

// mask replaces secrets. The zero value knows none.
type mask struct{ replacer *strings.Replacer }

// newMask orders secrets by length, so that one that contains another goes as a
// whole.
func newMask(secrets []string) mask {
	lines := lists.Map(strings.Split(strings.Join(secrets, "\n"), "\n"), strings.TrimSpace)
	parts := lists.Keep(lines, func(line string) bool { return line != "" })
	slices.SortFunc(parts, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	var pairs []string
	for _, part := range parts {
		pairs = append(pairs, part, redaction)
	}
	return mask{strings.NewReplacer(pairs...)}
}

func (m mask) redact(s string) string {
	if m.replacer == nil {
		return s
	}
	return m.replacer.Replace(s)
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
	return strings.Contains(s, redaction) || strings.Contains(s, "<U+")
}
