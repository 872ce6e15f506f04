package engine

import (
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// shown names a text that is sent.
func shown(text string) debate.ShownText {
	return debate.ShownText{Hash: digest(text), Text: text}
}

// show records the texts that the record does not hold yet, before a call is made
// of them.
func (r *Review) show(texts []debate.ShownText) error {
	var new []debate.ShownText
	for _, t := range texts {
		known := slices.Contains(r.state.Asking.Shown, t.Hash) || slices.Contains(new, t)
		if !known {
			new = append(new, t)
		}
	}
	if len(new) == 0 {
		return nil
	}
	return r.append(debate.Shown{Texts: new})
}

// Prompts holds what a record says was sent, and checks it (M25).
type Prompts struct{ texts map[string]string }

// Add takes the next event of a record. It says what is wrong with it, or "".
func (p *Prompts) Add(ev debate.Event) string {
	switch ev := ev.(type) {
	case debate.Shown:
		for _, t := range ev.Texts {
			if digest(t.Text) != t.Hash {
				return "a text is not the one that its digest names"
			}
			if p.texts == nil {
				p.texts = make(map[string]string)
			}
			p.texts[t.Hash] = t.Text
		}
	case debate.Replied:
		if ev.PromptHash == "" { // nothing was sent
			return ""
		}
		system, packet, ok := p.Sent(ev)
		if !ok || digest(system, packet, ev.Turn) != ev.PromptHash {
			return "what was sent is not what its digest names"
		}
	}
	return ""
}

// Sent returns the system text and the packet that a reply answers; ok is false
// if the record does not hold them.
func (p *Prompts) Sent(ev debate.Replied) (system, packet string, ok bool) {
	for i, name := range ev.Sent {
		text, known := p.texts[name]
		if !known {
			return "", "", false
		}
		if i == 0 {
			system = text
		} else {
			packet += text
		}
	}
	return system, packet, len(ev.Sent) > 0
}
