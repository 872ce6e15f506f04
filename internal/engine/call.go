package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/prompt"
)

// Client asks one party. It is called by several goroutines at once. It should
// return soon after ctx ends; one that does not is left behind.
type Client interface {
	Ask(ctx context.Context, req model.Request) (model.Response, error)
}

const (
	grace     = 2 * time.Second // for a client to return after its context ended
	maxDetail = 500             // bytes of what is recorded of a failure
)

// call is one ask on its way to a party. What goes out is rendered before the
// call starts, so that calls share nothing.
type call struct {
	ask     debate.Ask
	client  Client
	request model.Request
	texts   []debate.ShownText // the system text and the parts of the packet
	looked  []string           // names of the texts that follow the turn
	timeout time.Duration
	started int64 // Unix milliseconds
}

// answer is what came of a call.
type answer struct {
	call
	response model.Response
	err      error
	late     bool  // a reply came after the deadline
	ended    int64 // Unix milliseconds
}

// run asks, and returns at the deadline of the call or soon after it, whatever
// the client does.
func (c call) run(ctx context.Context) answer {
	a := answer{call: c}
	if c.client == nil {
		a.err = &model.Error{Class: debate.CallNotFound, Detail: "no provider serves this party"}
		return a
	}
	if c.timeout <= 0 {
		a.err = &model.Error{Class: debate.CallTimeout, Detail: "not asked: the time of the debate is used up"}
		return a
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	returned := make(chan answer, 1)
	go func() { returned <- c.guarded(ctx) }()
	select {
	case a = <-returned:
		if ctx.Err() == nil {
			return a
		}
	case <-ctx.Done():
		wait := time.NewTimer(grace)
		defer wait.Stop()
		select {
		case a = <-returned:
		case <-wait.C:
			a.err = context.DeadlineExceeded
		}
	}
	a.late, a.err = a.err == nil, &model.Error{Class: debate.CallTimeout, Detail: "no reply in " + c.timeout.String()}
	return a
}

// guarded asks the client and survives what it does.
func (c call) guarded(ctx context.Context) (a answer) {
	a.call = c
	defer func() {
		if cause := recover(); cause != nil {
			a.response, a.err = model.Response{}, &model.Error{Class: debate.CallError, Detail: fmt.Sprintf("the client panicked: %v", cause)}
		}
	}()
	a.response, a.err = c.client.Ask(ctx, c.request)
	return a
}

// newCall prepares an ask. The time that it may take never reaches into the
// reserve for publishing (X26).
func (r *Review) newCall(ask debate.Ask) call {
	p := r.packet.Render(r.state, ask)
	texts := []debate.ShownText{shown(p.System)}
	packet := ""
	for _, part := range r.packet.Parts(r.state, ask) {
		part = r.Subject.redactor.Text(part)
		packet += part
		texts = append(texts, shown(part))
	}
	now := max(r.Now(), r.state.Clock.At)
	settings := r.state.Received.Settings
	left := r.state.Clock.ClockStart() + 1000*int64(settings.BudgetSeconds()-settings.ReserveSeconds()) - now
	timeout := min(left, 1000*int64(r.state.Timeout(ask)))
	names, looked := r.looked.of(r.state.LooksOf(ask))
	return call{
		ask:    ask,
		client: r.client(ask.Party),
		texts:  texts,
		looked: names,
		request: model.Request{
			SchemaVersion: model.SchemaVersion,
			Ask:           debate.TurnID(ask.ID, len(names)),
			System:        p.System,
			Packet:        packet,
			Turn:          r.Subject.redactor.Text(p.Turn),
			Looked:        looked,
			Tools:         r.tools(ask),
		},
		timeout: time.Duration(timeout) * time.Millisecond,
		started: now,
	}
}

// again prepares the further turn of a call whose party looked at something: all that
// was sent stays as it was, so that a provider that caches knows it, and what the party
// looked at follows.
func (r *Review) again(before answer, results []string) call {
	c := r.newCall(before.ask)
	c.texts = before.texts
	c.request.System, c.request.Packet, c.request.Turn = before.request.System, before.request.Packet, before.request.Turn
	c.request.Dialogue, c.request.Results = before.response.Dialogue, results
	return c
}

// client finds who serves a party: its own client, or that of the debater that
// stands in for a judge or an arbiter.
func (r *Review) client(id string) Client {
	if c := r.Clients[id]; c != nil {
		return c
	}
	return r.Clients[servedBy(r.state.Table.Parties, id)]
}

// servedBy is the debater that stands in for a judge or an arbiter; everybody else is
// served by itself.
func servedBy(parties []debate.Party, id string) string {
	return cmp.Or(partyOf(parties, id).Debater, id)
}

// partyOf is the party with an id, and nobody if there is none.
func partyOf(parties []debate.Party, id string) debate.Party {
	return lists.Find(parties, func(p debate.Party) bool { return p.ID == id })
}

// replied turns an answer into what the record holds of it. Texts leave this
// function without secrets.
func (r *Review) replied(a answer) debate.Replied {
	text := a.response.Text
	ev := debate.Replied{
		Ask:        a.ask.ID,
		Status:     debate.CallOK,
		PromptHash: promptDigest(a.request.System, a.request.Packet, a.request.Turn, a.request.Looked),
		Turn:       a.request.Turn,
		Looked:     a.looked,
		Started:    a.started,
		Ended:      a.ended,
		Usage:      bounded(a.response.Usage),
		Late:       a.late,
	}
	for _, t := range a.texts {
		ev.Sent = append(ev.Sent, t.Hash)
	}
	if text != "" {
		ev.ReplyHash = digest(text)
	}
	fail := func(status debate.CallStatus, detail string) {
		ev.Status, ev.Detail = status, oneLine(r.Subject.redactor.Text(detail))
	}
	switch failure := model.Classify(a.err); {
	case failure != nil:
		fail(failure.Class, failure.Error())
	case len(text) > model.MaxReply:
		fail(debate.CallMalformed, model.TooLong().Error())
		ev.Reading = debate.ReadWrapped
	default:
		result, err := prompt.Read(a.ask.Kind, []byte(text))
		ev.Ignored, ev.Dropped = result.Ignored, result.Dropped
		if err != nil {
			fail(debate.CallMalformed, err.Error())
			ev.Reading = debate.ReadWrapped
			break
		}
		ev.Reading, ev.Reply = result.Reading, result.Reply
		r.resolver.seen = seenIndex(r.state.SeenBy(a.ask))
		r.resolver.resolve(ev.Reply)
		redactReply(ev.Reply, r.Subject.redactor)
	}
	for i, name := range ev.Dropped {
		ev.Dropped[i] = oneLine(r.Subject.redactor.Text(name))
	}
	ev.Raw = clip(r.Subject.redactor.Text(text), model.MaxReply)
	return ev
}

// bounded keeps what a provider accounts within numbers that can be added up: no
// call gives time or money back.
func bounded(u debate.Usage) debate.Usage {
	u.TokensIn = min(max(u.TokensIn, 0), math.MaxInt32)
	u.TokensCached = min(max(u.TokensCached, 0), u.TokensIn)
	u.TokensOut = min(max(u.TokensOut, 0), math.MaxInt32)
	u.CostMicro = min(max(u.CostMicro, 0), math.MaxInt32*1000)
	return u
}

// promptDigest is the digest of what was sent. A call without looks has three parts.
func promptDigest(system, packet, turn, looked string) string {
	if looked == "" {
		return digest(system, packet, turn)
	}
	return digest(system, packet, turn, looked)
}

// digest is the SHA-256 of texts in their order, each with its length before it.
// A single text is hashed as it is.
func digest(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		if len(texts) > 1 {
			fmt.Fprintf(h, "%d\n", len(text))
		}
		h.Write([]byte(text))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// oneLine makes one short printable line of a text from outside.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, clip(text, maxDetail))
	return strings.TrimSpace(text)
}

// clip cuts a text at a byte bound. A character that the cut would halve is left
// out, and what is no UTF-8 is replaced.
func clip(text string, most int) string {
	if len(text) > most {
		text = strings.TrimRightFunc(text[:most], func(r rune) bool { return r == unicode.ReplacementChar })
	}
	return strings.ToValidUTF8(text, string(unicode.ReplacementChar))
}
