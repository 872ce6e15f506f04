package debate

import (
	"encoding/json"
	"fmt"
	"strings"
)

// maxTold bounds what is printed of one debate.
const maxTold = 8000

// script tells a debate the way a script of debatetest does: who sat there, under
// which settings, and what was replied to each ask; then what it came to.
func (p played) script() string {
	var b strings.Builder
	first := p.first
	settings, _ := json.Marshal(first.Settings)
	b.WriteString(gist(p.end()))
	fmt.Fprintf(&b, "about seed %d\nmode %s\n# settings %s\n", p.seed, first.Mode, settings)
	for _, x := range p.parties {
		fmt.Fprintf(&b, "party %s %s %s %s\n", x.Role, x.ID, x.Family, x.Status)
	}
	for _, t := range p.triggers {
		fmt.Fprintf(&b, "trigger %s %s %s %d\n", t.ID, t.Class, t.Path, t.Line)
	}
	for _, h := range p.hits {
		fmt.Fprintf(&b, "hit %s %s %s %d %s\n", h.Severity, h.Category, h.Cite.Path, h.Cite.StartLine, h.Title)
	}
	for _, e := range p.log {
		r, ok := e.Event.(Replied)
		if !ok {
			continue
		}
		fmt.Fprintf(&b, "-- %s --\n", r.Ask)
		if r.Reply == nil {
			fmt.Fprintf(&b, "# %s\n", r.Status)
			continue
		}
		said, _ := json.Marshal(r.Reply)
		b.Write(append(said, '\n'))
	}
	return clip(b.String(), maxTold)
}
