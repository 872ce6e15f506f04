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

// Expected is the publisher's own knowledge of a debate in another process.
type Expected struct {
	// Received is the first event. If its seed or session id is "", the one of the record
	// counts, if it has the right shape.
	Received debate.Received
	// AnyParties accepts the party table of the record; else it must be the one of
	// Review.Participants, apart from the status of each party.
	AnyParties bool
	// Facts are the acts of people and the outcomes of tests, seen by the publisher itself.
	Facts []debate.Event
	// Since is the earliest possible start of the debate, in Unix milliseconds.
	Since int64
}

// ForgedError reports the first entry of a record with a different entry in its rebuild.
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

// Rebuild holds a debate of another process again, with the change, the settings and the
// files of this process, and with the replies of a client. Each new entry must equal the
// entry of the record. The review must be new. Afterwards Resume goes on from the same
// entries.
//
// The record is hostile. Rebuild believes only these parts of it, unknown to any other
// process:
//   - the times. They run forward, from Expected.Since to five minutes from now, and a call
//     lies between the first entry and its own;
//   - the order and the lateness of the replies. Only parties with an open call can reply,
//     each once;
//   - the seed, the session, and the status of each party, each within its shape;
//   - why a look shows no more. Its lines and names must be in the tree.
//
// The cost of a call comes with its reply, within the bounds of any provider's account.
//
// A *ForgedError is the first difference. Any other error means an unreadable change or
// unreadable check runs.
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
	r.Subject.Secrets = nil // the process of the debate had others
	var again *Review
	var err error
	for _, parties := range tables {
		p := &playback{entries: entries, replies: replies, checks: r.Checks, asked: make(map[string]call)}
		nextTime := func() int64 { return p.entries[min(p.at, len(p.entries)-1)].At }
		again = &Review{Subject: r.Subject, Participants: parties, Log: p, Now: nextTime, played: p}
		again.Checks = func(ctx context.Context) ([]debate.Run, error) { return p.runs(ctx, &again.Subject) }
		if first.Settings.Tests.Later {
			again.Tester = r.Tester // it readies tests but runs none
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

// repeat starts the debate. When it rests, the next fact of the record lets it go on.
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

// The shapes of a seed and of a session id (R050). The end of a session id is drawn,
// or it is the number of a run, its attempt and its session.
const (
	seedShape    = `^[0-9a-f]{32}$`
	sessionShape = `^debate-[0-9]{8}-[0-9]{6}-[0-9]{1,30}(-[0-9]{1,9}){0,2}$`
)

// begun returns the first event with the seed and the session of the record, after a check
// of all times.
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

// tables returns the possible party tables: the one of the record. If the debate ended
// before it had one, there is a table for each number of available parties, since the split
// of the change depends on it.
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

// unfit says why a party table is not the one of this review, or "". The status of a party
// depends on keys, and a publisher has none.
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
// rebuilt debate.
type playback struct {
	entries []debate.Entry
	at      int // index of the next entry
	replies Client
	checks  func(context.Context) ([]debate.Run, error) // of this process
	own     []debate.Run                                // the result of checks, if read
	read    bool
	asked   map[string]call // unanswered calls, by the id of the ask
	seen    []debate.Seen   // of the last played answer
}

func (p *playback) forged(what string) error { return &ForgedError{N: p.at + 1, What: what} }

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

// next returns the next answer of the record. The client plays the reply; a timeout is in
// the record alone.
func (p *playback) next(ctx context.Context) (answer, error) {
	at := p.at
	if at+1 < len(p.entries) && p.entries[at].Event.Kind() == debate.KindShown { // the result of a look
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

// runs returns the next check runs of the record if this process can read them too. Later
// runs are left out.
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

// difference says how an event of a record differs from the recorded form of an own one, or
// "".
func (s *Subject) difference(recorded, own debate.Event) string {
	own, err := s.recorded(own)
	if err != nil {
		return err.Error()
	}
	return difference(recorded, own)
}

// difference says how two events differ, or "".
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

// firstDifference finds the first different place of two decoded values. A missing value is
// nil.
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

// excerpt is a shortened value of a record.
func excerpt(v any) string {
	if v == nil {
		return "missing"
	}
	return fmt.Sprintf("%.80q", fmt.Sprint(v))
}
