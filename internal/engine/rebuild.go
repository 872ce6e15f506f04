package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/redact"
)

// Expected is all that a publisher knows by itself of a debate in another process.
type Expected struct {
	// Received is the first event. A seed or a session id of "" is taken from the record,
	// if it has the shape of one.
	Received debate.Received
	// AnyParties: the party table of the record is taken; else it must be the one of
	// Review.Participants, apart from whether each of them can be asked.
	AnyParties bool
	// Facts are what people did and how tests ended, as the publisher saw it itself.
	Facts []debate.Event
	// Since is the earliest possible start of the debate, in Unix milliseconds.
	Since int64
}

// ForgedError reports the first entry of a record that does not come out again.
type ForgedError struct {
	N    int // of the entry, 0 for the whole record
	What string
	Err  error // of the protocol, if it refuses the entry; else nil
}

func (e *ForgedError) Error() string {
	return fmt.Sprintf("entry %d of the record cannot be trusted: %s", e.N, e.What)
}

func (e *ForgedError) Unwrap() error { return e.Err }

// ahead is how far the clock of another machine may be ahead of this one, in milliseconds.
const ahead = 5 * 60_000

// Rebuild holds a debate of another process again: with the change, the settings and the
// files that this process reads itself, and with replies that a client plays. Each entry
// that comes out must be the one of the record. The review must be new. Afterwards Resume
// goes on from the same entries.
//
// The record is hostile. These parts of it are believed, because no other process knows them:
//   - the times. They run forward, from Expected.Since to five minutes from now, and a call
//     lies between the first entry and its own;
//   - the order of the replies, and which of them came too late. Only parties that the
//     protocol asked can reply, each once;
//   - the seed, the session, and which parties cannot be asked, each within its shape;
//   - why a look shows no more. Lines and names that it shows must be in the tree.
//
// The cost of a call comes with its reply, within the bounds of any provider's account.
//
// A *ForgedError is the first difference. Any other error says that the change or the check
// runs could not be read.
func (r *Review) Rebuild(ctx context.Context, want Expected, entries []debate.Entry, replies Client) (debate.State, error) {
	first, forged := want.begun(entries, r.Now())
	if forged != nil {
		return r.state, forged
	}
	tables, forged := want.tables(entries, r.Participants)
	if forged != nil {
		return r.state, forged
	}
	own := r.Subject.Secrets
	r.Subject.Secrets = nil // the process that held the debate had others
	var again *Review
	var err error
	for _, parties := range tables {
		p := &playback{entries: entries, replies: replies, checks: r.Checks, asked: make(map[string]call)}
		again = &Review{Subject: r.Subject, Participants: parties, Log: p, Now: p.now, played: p}
		again.Checks = func(ctx context.Context) ([]debate.Run, error) { return p.runs(ctx, &again.Subject) }
		if first.Settings.Tests.Later {
			again.Tester = r.Tester // it readies tests, and runs none
		}
		if err = again.repeat(ctx, first, want.Facts); err == nil {
			break
		}
		r.Subject.frozen = again.Subject.frozen
	}
	r.Subject.Secrets = own
	r.state, r.looked = again.state, again.looked
	if err != nil {
		return r.state, err
	}
	r.Subject = again.Subject
	if r.Subject.Secrets = own; r.Subject.redactor != nil {
		r.Subject.redactor = r.Subject.hiding(own, r.Subject.secrets)
	}
	if r.state.Table.Preflighted {
		r.Participants = again.Participants
	}
	return r.state, nil
}

// repeat starts the debate, and goes on with each fact that the record has where the debate
// rests.
func (r *Review) repeat(ctx context.Context, first debate.Received, facts []debate.Event) error {
	p := r.played
	_, err := r.Start(ctx, first)
	for err == nil && p.at < len(p.entries) {
		e := p.entries[p.at]
		_, isResumed := e.Event.(debate.Resumed)
		switch {
		case isResumed && e.At-r.state.Clock.At > pause:
		case slices.ContainsFunc(facts, func(own debate.Event) bool { return r.Subject.difference(e.Event, own) == "" }):
		default:
			return p.forged("nobody but the record knows of it")
		}
		if err = r.append(e.Event); err == nil {
			_, err = r.run(ctx)
		}
	}
	var order *debate.OrderError
	if errors.As(err, &order) {
		return &ForgedError{N: p.at + 1, What: err.Error(), Err: order}
	}
	return err
}

// The shapes of what is drawn when a debate begins (R050, S24). The number of a session is
// drawn, or it is the number of a run, its attempt and its session.
const (
	seedShape    = `^[0-9a-f]{32}$`
	sessionShape = `^debate-[0-9]{8}-[0-9]{6}-[0-9]{1,30}(-[0-9]{1,9}){0,2}$`
)

// begun is the first event, with the seed and the session of a record whose times are
// possible.
func (want Expected) begun(entries []debate.Entry, now int64) (debate.Received, *ForgedError) {
	first := want.Received
	if len(entries) == 0 {
		return first, &ForgedError{What: "it is empty"}
	}
	for i, e := range entries {
		switch {
		case e.At < want.Since:
			return first, &ForgedError{N: i + 1, What: "it is older than the run"}
		case e.At > now+ahead:
			return first, &ForgedError{N: i + 1, What: "it lies in the future"}
		}
	}
	said, _ := entries[0].Event.(debate.Received)
	for _, drawn := range []struct {
		shape, said string
		own         *string
	}{{seedShape, said.Seed, &first.Seed}, {sessionShape, said.SessionID, &first.SessionID}} {
		if *drawn.own == "" {
			if !regexp.MustCompile(drawn.shape).MatchString(drawn.said) {
				return first, &ForgedError{N: 1, What: "its seed or its session id is none"}
			}
			*drawn.own = drawn.said
		}
	}
	return first, nil
}

// tables are the possible party tables: the one of the record, or, if the debate ended
// before it had one, one for each number of parties that could be asked, since the split of
// the change depends on it.
func (want Expected) tables(entries []debate.Entry, own []debate.Party) ([][]debate.Party, *ForgedError) {
	for i, e := range entries {
		if table, ok := e.Event.(debate.Preflighted); ok {
			if why := want.unfit(table.Parties, own); why != "" {
				return nil, &ForgedError{N: i + 1, What: why}
			}
			return [][]debate.Party{table.Parties}, nil
		}
	}
	var tables [][]debate.Party
	for able := len(own); able >= 0; able-- {
		table := slices.Clone(own)
		for i := able; i < len(table); i++ {
			table[i].Status = debate.PartyNotFound
		}
		tables = append(tables, table)
	}
	return tables, nil
}

// unfit says why a party table is not the one of this review, or "". Whether a party can be
// asked depends on keys, which a publisher does not have.
func (want Expected) unfit(table, own []debate.Party) string {
	for _, p := range table {
		switch p.Status {
		case debate.PartyOK, debate.PartyTimeout, debate.PartyAuth, debate.PartyNotFound, debate.PartyParse, debate.PartyQuality,
			debate.PartyError, debate.PartySameFamily:
		default:
			return "no party has such a status"
		}
		if len(p.Detail) > 8*maxDetail { // it names files and commands
			return "the detail of a party is too long"
		}
	}
	same := slices.EqualFunc(table, own, func(a, b debate.Party) bool {
		a.Status, a.Detail = b.Status, b.Detail
		return a == b
	})
	if !same && !want.AnyParties {
		return "other parties take part"
	}
	return ""
}

// playback plays a record: it is the log, the clock, the parties and the check runs of a
// debate that is held again.
type playback struct {
	entries []debate.Entry
	at      int // index of the next entry
	replies Client
	checks  func(context.Context) ([]debate.Run, error) // of this process
	own     []debate.Run                                // that it read
	read    bool
	asked   map[string]call // unanswered, by the id of the ask
	seen    []debate.Seen   // by the answer that was played last
}

func (p *playback) forged(what string) error { return &ForgedError{N: p.at + 1, What: what} }

// now is the time of the next entry.
func (p *playback) now() int64 { return p.entries[min(p.at, len(p.entries)-1)].At }

// Append implements Log: it takes the next entry of the record, and no other.
func (p *playback) Append(own debate.Entry) error {
	if p.at == len(p.entries) {
		return p.forged("the record ends before the debate does")
	}
	e := p.entries[p.at]
	why := ""
	if e.N != own.N || e.At != own.At {
		why = fmt.Sprintf("it has number %d and time %d, and number %d and time %d come out", e.N, e.At, own.N, own.At)
	} else {
		why = difference(e.Event, own.Event)
	}
	if why != "" {
		return p.forged(why)
	}
	p.at++
	return nil
}

// next is the answer that the record has next. What the parties said is played; that a call
// took too long is in the record alone.
func (p *playback) next(ctx context.Context) (answer, error) {
	at := p.at
	if at+1 < len(p.entries) && p.entries[at].Event.Kind() == debate.KindShown { // the text that a look came to
		at++
	}
	if at == len(p.entries) {
		return answer{}, p.forged("the record ends before the debate does")
	}
	var ev debate.Replied
	switch said := p.entries[at].Event.(type) {
	case debate.Replied:
		ev = said
	case debate.Looked:
		ev, p.seen = debate.Replied{Ask: said.Ask, Started: said.Started, Ended: said.Ended}, said.Seen
	default:
		return answer{}, p.forged("a reply is due")
	}
	c, isAsked := p.asked[ev.Ask]
	switch {
	case !isAsked:
		return answer{}, p.forged("nobody was asked this")
	case ev.Started < p.entries[0].At, ev.Ended < ev.Started, p.entries[at].At < ev.Ended:
		return answer{}, p.forged("no call took place at such times")
	}
	delete(p.asked, ev.Ask)
	c.started = ev.Started
	a := answer{call: c, ended: ev.Ended}
	a.response, a.err = p.replies.Ask(ctx, c.request)
	if ev.Status == debate.CallTimeout {
		a.err, a.late = &model.Error{Class: debate.CallTimeout, Detail: ev.Detail}, ev.Late
		if ev.ReplyHash == "" {
			a.response = model.Response{}
		}
	}
	return a, nil
}

// runs are the check runs that the record has next, as far as this process can read them.
// Some may have finished only since.
func (p *playback) runs(ctx context.Context, subject *Subject) ([]debate.Run, error) {
	if p.checks != nil && !p.read {
		var err error
		if p.own, err = p.checks(ctx); err != nil {
			return nil, err
		}
		p.read = true
	}
	left := slices.Clone(p.own)
	var runs []debate.Run
	said, _ := p.entries[min(p.at, len(p.entries)-1)].Event.(debate.Checked)
	for _, run := range said.Runs {
		i := slices.IndexFunc(left, func(own debate.Run) bool {
			own.Text = subject.redactor.Text(own.Text)
			return subject.difference(debate.Checked{Runs: []debate.Run{run}}, debate.Checked{Runs: []debate.Run{own}}) == ""
		})
		if i >= 0 {
			runs, left = append(runs, left[i]), slices.Delete(left, i, i+1)
		}
	}
	return runs, nil
}

// difference says where an event of a record is not as this process would record its own,
// or "".
func (s *Subject) difference(recorded, own debate.Event) string {
	own, err := s.recorded(own)
	if err != nil {
		return err.Error()
	}
	return difference(recorded, own)
}

// difference says where two events differ, or "".
func difference(recorded, own debate.Event) string {
	a, errA := debate.EncodeEvent(recorded)
	b, errB := debate.EncodeEvent(own)
	switch {
	case errA != nil || errB != nil:
		return "it cannot be written down"
	case recorded.Kind() != own.Kind():
		return fmt.Sprintf("it is %q, and %q comes out", recorded.Kind(), own.Kind())
	case bytes.Equal(a, b):
		return ""
	}
	path, was, is := firstDifference(decoded(a), decoded(b))
	why := fmt.Sprintf("its %s%s is %s, and %s comes out", recorded.Kind(), path, excerpt(was), excerpt(is))
	if strings.Contains(fmt.Sprint(was), redact.Mark) {
		why += " (does the change contain a key of a model?)"
	}
	return why
}

func decoded(data []byte) (v any) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	_ = dec.Decode(&v) // it was encoded just now
	return v
}

// firstDifference finds the first place where two decoded values differ. What one of them
// lacks is nil.
func firstDifference(a, b any) (path string, inA, inB any) {
	differ := func(a, b any) bool { return fmt.Sprintf("%T%v", a, a) != fmt.Sprintf("%T%v", b, b) }
	switch x := a.(type) {
	case map[string]any:
		y, _ := b.(map[string]any)
		all := maps.Clone(x)
		maps.Copy(all, y)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if differ(x[name], y[name]) {
				path, inA, inB = firstDifference(x[name], y[name])
				return "." + name + path, inA, inB
			}
		}
	case []any:
		y, _ := b.([]any)
		for i := range min(len(x), len(y)) {
			if differ(x[i], y[i]) {
				path, inA, inB = firstDifference(x[i], y[i])
				return fmt.Sprintf("[%d]%s", i, path), inA, inB
			}
		}
	}
	return "", a, b
}

// excerpt is a value of a record in short.
func excerpt(v any) string {
	if v == nil {
		return "missing"
	}
	return fmt.Sprintf("%.80q", fmt.Sprint(v))
}
