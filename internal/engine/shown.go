package engine

import (
	"slices"

	"github.com/prdebate/debate/internal/debate"
)

// shown returns a text with its digest.
func shown(text string) debate.ShownText {
	return debate.ShownText{Hash: digest(text), Text: text}
}

// show records the new texts of a call before it begins.
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
	r.sent.Add(debate.Shown{Texts: new})
	return r.append(debate.Shown{Texts: new})
}

// Prompts holds the sent texts of a record, and checks them.
type Prompts struct{ texts map[string]string } // by their digests

// Add takes the next event of a record. It returns the fault of the event, or "".
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
		system, packet, looked, ok := p.Sent(ev)
		if !ok || promptDigest(system, packet, ev.Turn, looked) != ev.PromptHash {
			return "what was sent is not what its digest names"
		}
	}
	return ""
}

// Sent returns the system text, the packet and the results of looks of the call of a reply; ok
// is false if the record does not hold them.
func (p *Prompts) Sent(ev debate.Replied) (system, packet, looked string, ok bool) {
	if len(ev.Sent) == 0 {
		return "", "", "", false
	}
	system, okSystem := p.joined(ev.Sent[:1])
	packet, okPacket := p.joined(ev.Sent[1:])
	looked, okLooked := p.joined(ev.Looked)
	return system, packet, looked, okSystem && okPacket && okLooked
}

// joined joins the texts of some digests; ok is false if one of them is not known.
func (p *Prompts) joined(names []string) (all string, ok bool) {
	for _, name := range names {
		text, known := p.texts[name]
		if !known {
			return "", false
		}
		all += text
	}
	return all, true
}
