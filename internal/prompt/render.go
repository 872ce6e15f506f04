package prompt

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"sort"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// Prompt is one call: what is sent, from the most stable part to the least, so
// that the calls of one debate share the longest possible beginning.
type Prompt struct {
	System string // the same for all calls
	Packet string
	Turn   string // one JSON object
}

// Message is the user's message where a provider takes one text: the packet, and
// the turn as its last fenced block.
func (p Prompt) Message() string { return p.Packet + "```json\n" + p.Turn + "\n```\n" }

// Render makes the prompt of an ask with the text of the packet that the ask
// needs, and without the packet's secrets anywhere in it. What the debate
// says is clipped, and its invisible characters are made visible.
func (p *Packet) Render(s debate.State, ask debate.Ask) Prompt {
	return render(turner{s: s, ask: ask, packet: p.For(s, ask), mask: p.mask})
}

func render(t turner) Prompt {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(t.turn()); err != nil {
		panic("prompt: a turn has a value that is no JSON: " + err.Error()) // it has strings, numbers and lists only
	}
	// No text inside the turn may look like the end of its fence.
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

// say is a text of somebody in the debate as others may read it.
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

// phase is that of the exchange that is being attempted.
func (t turner) phase() debate.Phase {
	s := t.s
	s.Talk.Exchange = t.ask.N
	return s.Talk.Phase()
}

// remaining is what is left of the budget, in seconds, by the clock that ends it:
// it stands still while a debate is interrupted, and a dispute has its own.
func (t turner) remaining() int64 { return int64(t.s.Remaining()) }

func (t turner) minutes() int {
	return cmp.Or(max(0, t.s.Received.Settings.BudgetMinutes), 20) // R054
}

// among orders things by a hash that differs from party to party, so that no
// party sees the order in which they arose and no two see the same one (A09).
func among[T any](t turner, things []T, id func(T) string) []T {
	key := func(v T) string {
		sum := sha256.Sum256([]byte(t.s.Received.Seed + " order " + strconv.Quote(t.ask.Party) + " " + id(v)))
		return string(sum[:])
	}
	keyed := make([]struct {
		key   string
		value T
	}, len(things))
	for i, v := range things {
		keyed[i].key, keyed[i].value = key(v), v
	}
	sort.SliceStable(keyed, func(i, j int) bool { return keyed[i].key < keyed[j].key })
	shuffled := make([]T, len(things))
	for i := range keyed {
		shuffled[i] = keyed[i].value
	}
	return shuffled
}

// name is a value that has to stay one line.
func (t turner) name(s string) string {
	return visible(t.say(s, maxHeading))
}
