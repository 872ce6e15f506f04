package prompt

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/redact"
)

// Prompt is the text of one call, from the most stable part to the least, so that the calls
// of one debate share the longest possible prefix.
type Prompt struct {
	System string // the same for all calls
	Packet string
	Turn   string // one JSON object
}

// Message is the user's message if a provider takes one text: the packet, and the turn as
// its last fenced block.
func (p Prompt) Message() string { return p.Packet + "```json\n" + p.Turn + "\n```\n" }

// Render makes the prompt of an ask with its part of the packet, without the packet's
// secrets. Texts of the debate are clipped, and their invisible characters made visible.
func (p *Packet) Render(s debate.State, ask debate.Ask) Prompt {
	return render(turner{s: s, ask: ask, packet: strings.Join(p.Parts(s, ask), ""), mask: p.mask})
}

func render(t turner) Prompt {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(t.turn()); err != nil {
		panic("prompt: a turn has a value that is no JSON: " + err.Error()) // it has only strings, numbers and lists
	}
	// A text in the turn must not look like the end of its fence.
	turn := strings.ReplaceAll(strings.TrimRight(b.String(), "\n"), "```", "\\u0060\\u0060\\u0060")
	return Prompt{System: text("system"), Packet: t.packet, Turn: turn}
}

// turner makes the turn of one ask.
type turner struct {
	s      debate.State
	ask    debate.Ask
	packet string
	mask   mask
}

// say is a text from the debate for another party.
func (t turner) say(text string, bytes int) string {
	lines := strings.Split(clip(t.mask.redact(text), bytes), "\n")
	for i, line := range lines {
		lines[i] = visible(strings.TrimSuffix(line, "\r"))
	}
	return strings.Join(lines, "\n")
}

func (t turner) sayAll(list []string, most, bytes int) []string {
	said := []string{}
	for _, text := range list[:min(len(list), most)] {
		said = append(said, t.say(text, bytes))
	}
	return said
}

// among orders things by a hash with the name of the party in it. So no party sees their
// original order, and no two parties see the same order (A09).
func among[T any](t turner, things []T, id func(T) string) []T {
	key := func(v T) string {
		sum := sha256.Sum256([]byte(t.s.Received.Seed + " order " + strconv.Quote(t.ask.Party) + " " + id(v)))
		return string(sum[:])
	}
	return slices.SortedStableFunc(slices.Values(things), func(a, b T) int { return cmp.Compare(key(a), key(b)) })
}

// name is a value on one line.
func (t turner) name(s string) string {
	return visible(t.say(s, maxHeading))
}

// mask takes secrets and the token of the fences out of texts. The zero value changes
// nothing.
type mask struct {
	clean func(text string) string // takes out secrets; nil: there are none
	token string
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

// visible writes every invisible character of a line as its code point.
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
