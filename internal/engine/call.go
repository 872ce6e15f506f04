package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/prompt"
	"github.com/prdebate/debate/internal/text"
)

// Client asks one party. Several goroutines call it at once. It should return soon after
// ctx ends; the engine does not wait for a slow one.
type Client interface {
	Ask(ctx context.Context, req model.Request) (model.Response, error)
}

const (
	grace     = 2 * time.Second // for a client to return after its context ended
	maxDetail = 500             // bytes of a recorded failure
)

// call is one ask on its way to a party. Its request is rendered before it starts, so
// calls share no data.
type call struct {
	ask     debate.Ask
	client  Client
	request model.Request
	texts   []debate.ShownText // the system text and the parts of the packet
	looked  []string           // hashes of the texts after the turn
	timeout time.Duration
	started int64 // Unix milliseconds
}

// answer is the result of a call.
type answer struct {
	call
	response model.Response
	err      error
	late     bool  // a reply came after the deadline
	ended    int64 // Unix milliseconds
}

// run asks. It returns at the latest a grace period after the deadline of the call, even
// if the client does not return.
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
	go func() {
		a := answer{call: c}
		defer func() {
			if cause := recover(); cause != nil {
				a.response, a.err = model.Response{}, &model.Error{Class: debate.CallError, Detail: fmt.Sprintf("the client panicked: %v", cause)}
			}
			returned <- a
		}()
		a.response, a.err = c.client.Ask(ctx, c.request)
	}()
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

// newCall prepares an ask. Its time ends before the reserve for publishing begins.
func (r *Review) newCall(ask debate.Ask) call {
	p := r.packet.Render(r.state, ask)
	texts := append([]debate.ShownText{shown(p.System)}, lists.Map(r.packet.Parts(r.state, ask), shown)...)
	now := max(r.Now(), r.state.Clock.At)
	timeout := min(r.timeLeft(now), 1000*int64(r.state.Timeout(ask)))
	names := lists.Map(r.state.LooksOf(ask), func(l debate.Looked) string { return l.Text })
	looked, _ := r.sent.joined(names)
	return call{
		ask:    ask,
		client: cmp.Or(r.Clients[ask.Party], r.Clients[servedBy(r.state.Table.Parties, ask.Party)]),
		texts:  texts,
		looked: names,
		request: model.Request{
			SchemaVersion: model.SchemaVersion,
			Ask:           debate.TurnID(ask.ID, len(names)),
			System:        p.System,
			Packet:        p.Packet,
			Turn:          r.Subject.redactor.Text(p.Turn),
			Looked:        looked,
			Tools:         r.tools(ask),
		},
		timeout: time.Duration(timeout) * time.Millisecond,
		started: now,
	}
}

// timeLeft returns the milliseconds between a time and the reserve for publishing.
func (r *Review) timeLeft(at int64) int64 {
	settings := r.state.Received.Settings
	return r.state.Clock.ClockStart() + 1000*int64(settings.BudgetSeconds()-settings.ReserveSeconds()) - at
}

// again prepares the next turn of a call after a look. It sends the same texts again, so
// that a provider finds them in its cache, and then the results of the look.
func (r *Review) again(before answer, results []string) call {
	c := r.newCall(before.ask)
	c.texts = before.texts
	c.request.System, c.request.Packet, c.request.Turn = before.request.System, before.request.Packet, before.request.Turn
	c.request.Dialogue, c.request.Results = before.response.Dialogue, results
	return c
}

// servedBy returns the debater that acts as a judge or an arbiter, for any other party id
// itself.
func servedBy(parties []debate.Party, id string) string {
	return cmp.Or(partyOf(parties, id).Debater, id)
}

// partyOf returns the party with an id, or an empty one.
func partyOf(parties []debate.Party, id string) debate.Party {
	return lists.Find(parties, func(p debate.Party) bool { return p.ID == id })
}

// filesFor returns the files of the head side for the program of a party: none unless the
// settings give it or its debater files and it may look. The record does not hold them, so
// their lines reach no page: only a line from the packet or a look proves something.
func (r *Review) filesFor(ctx context.Context, ask debate.Ask) []model.File {
	getsFiles := slices.Contains(r.Files, ask.Party) || slices.Contains(r.Files, servedBy(r.state.Table.Parties, ask.Party))
	if r.Subject.frozen.Tree == nil || r.state.MayLook(ask) == 0 || !getsFiles {
		return nil
	}
	if r.files == nil {
		r.files = []model.File{}
		var near []string // the directories of the changed files, or of the files of a question
		for _, f := range r.Subject.frozen.Change.Set.Files {
			near = append(near, path.Dir(f.Path()))
		}
		slices.Sort(near)
		for _, f := range r.viewer().Head(ctx, slices.Compact(near)) {
			r.files = append(r.files, model.File{Path: f.Path, Text: f.Text})
		}
	}
	return r.files
}

// replied returns the recorded form of an answer. Its texts have no secrets.
func (r *Review) replied(a answer) debate.Replied {
	reply := a.response.Text
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
	if reply != "" {
		ev.ReplyHash = digest(reply)
	}
	fail := func(status debate.CallStatus, detail string) {
		ev.Status, ev.Detail = status, text.Message(r.Subject.redactor.Text(detail))
	}
	switch failure := model.Classify(a.err); {
	case failure != nil:
		fail(failure.Class, failure.Error())
	case len(reply) > model.MaxReply:
		fail(debate.CallMalformed, model.TooLong().Error())
		ev.Reading = debate.ReadWrapped
	default:
		result, err := prompt.Read(a.ask.Kind, []byte(reply))
		ev.Ignored, ev.Dropped = result.Ignored, result.Dropped
		if err != nil {
			fail(debate.CallMalformed, err.Error())
			ev.Reading = debate.ReadWrapped
			break
		}
		ev.Reading, ev.Reply = result.Reading, result.Reply
		r.resolver.seen = seenIndex(r.state.SeenBy(a.ask), r.Subject.around, r.packet.Line)
		r.resolver.resolve(ev.Reply)
		redactReply(ev.Reply, r.Subject.redactor)
	}
	for i, name := range ev.Dropped {
		ev.Dropped[i] = text.Message(r.Subject.redactor.Text(name))
	}
	ev.Raw = clip(r.Subject.redactor.Text(reply), model.MaxReply)
	return ev
}

// bounded keeps the account of a provider within numbers that can be added: no call gives
// time or money back.
func bounded(u debate.Usage) debate.Usage {
	u.TokensIn = min(max(u.TokensIn, 0), math.MaxInt32)
	u.TokensCached = min(max(u.TokensCached, 0), u.TokensIn)
	u.TokensOut = min(max(u.TokensOut, 0), math.MaxInt32)
	u.CostMicro = min(max(u.CostMicro, 0), math.MaxInt32*1000)
	return u
}

// promptDigest is the digest of a request. A call without looks has three parts.
func promptDigest(system, packet, turn, looked string) string {
	if looked == "" {
		return digest(system, packet, turn)
	}
	return digest(system, packet, turn, looked)
}

// digest is the SHA-256 of texts in order, each after its length. A single text has no
// length before it.
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

// clip cuts a text at a byte bound. It leaves out a character that the cut would split, and
// replaces bytes that are not UTF-8.
func clip(text string, most int) string {
	if len(text) > most {
		text = strings.TrimRightFunc(text[:most], func(r rune) bool { return r == unicode.ReplacementChar })
	}
	return strings.ToValidUTF8(text, string(unicode.ReplacementChar))
}
