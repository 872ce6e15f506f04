package engine

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/model"
)

// Expected is the publisher's own knowledge of a debate in another process.
type Expected struct {
	// Received is the first event. Its seed and session id are those of the record.
	Received debate.Received
	// AnyParties accepts the party table of the record; else the parties are those of
	// Review.Participants, and the record says which of them could take part.
	AnyParties bool
	// Facts are the acts of people, and Results the outcomes of tests, seen by the publisher itself.
	Facts   []debate.Event
	Results []debate.TestResult
	// Since is the earliest possible start of the debate, in Unix milliseconds.
	Since int64
}

// ForgedError reports a record of another debate than the one of this process.
type ForgedError struct{ What string }

func (e *ForgedError) Error() string { return "the record cannot be trusted: " + e.What }

// ahead is how far the clock of another machine may be ahead of this one, in milliseconds.
const ahead = 5 * 60_000

// sessionShape is the form of a session id (R050). Its end is drawn, or it is the number of a
// run, its attempt and its session.
const sessionShape = `^debate-[0-9]{8}-[0-9]{6}-[0-9]{1,30}(-[0-9]{1,9}){0,2}$`

// Rebuild holds a debate of another process again, with the change, the settings and the files
// of this process, and with the replies of a client. It returns what comes out, as a state and
// as entries; Resume goes on from these entries. The review must be new.
//
// The record is hostile, and nothing of it is copied but
//   - the times, within Expected.Since and five minutes from now;
//   - the order and the lateness of the replies;
//   - the seed, the session, and which parties could not take part;
//   - when the publisher's own facts became known;
//   - why a look shows no more. Its lines and names must be in the tree.
//
// Each reply must answer the very prompt that this process would send, the debate must come to
// its end with these replies, and the rest of the record must be what comes out. Else the error
// is a *ForgedError. Any other error means an
// unreadable change or unreadable check runs.
func (r *Review) Rebuild(ctx context.Context, want Expected, entries []debate.Entry, replies Client) (debate.State, []debate.Entry, error) {
	if len(entries) == 0 {
		return debate.State{}, nil, &ForgedError{"it is empty"}
	}
	first := want.Received
	said, _ := entries[0].Event.(debate.Received)
	first.Seed, first.SessionID = said.Seed, said.SessionID
	if !regexp.MustCompile(sessionShape).MatchString(first.SessionID) {
		return debate.State{}, nil, &ForgedError{"its session id is none"}
	}
	r.Participants = want.parties(entries, r.Participants)
	p := &playback{entries: entries, replies: replies, checks: r.Checks, asked: make(map[string]call)}
	again := &Review{Subject: r.Subject, Participants: r.Participants, Log: p, played: p}
	again.Subject.Secrets = nil // the process of the debate had others
	again.Checks = func(ctx context.Context) ([]debate.Run, error) { return p.runs(ctx, &again.Subject) }
	again.Now = func() int64 {
		at := entries[min(len(p.own), len(entries)-1)].At
		return min(max(at, want.Since), r.Now()+ahead)
	}
	if first.Settings.Tests.Later {
		again.Tester = r.Tester // it readies tests but runs none
	}
	state, err := again.Start(ctx, first)
	for _, e := range entries {
		var fact debate.Event
		switch ev := e.Event.(type) {
		case debate.Resumed:
			if e.At-state.Clock.At > pause {
				fact = ev
			}
		case debate.Tested:
			if len(state.Waiting()) > 0 {
				fact = state.Believed(want.Results)
			}
		default:
			fact = lists.Find(want.Facts, func(own debate.Event) bool { return again.Subject.same(ev, own) })
		}
		if err == nil && fact != nil {
			state, err = again.Continue(ctx, fact)
		}
	}
	r.Subject.frozen = again.Subject.frozen
	if err == nil {
		err = difference(entries, p.own)
	}
	return state, p.own, err
}

// difference names the first event of a record that did not come out, apart from the parts that
// Rebuild takes from it or reads for itself.
func difference(record, own []debate.Entry) error {
	said := func(event debate.Event) []byte {
		switch ev := event.(type) {
		case debate.Checked, debate.Looked, debate.Preflighted, debate.Resumed, debate.Shown, debate.Tested:
			return nil
		case debate.Replied:
			event = debate.Replied{Ask: ev.Ask, Status: ev.Status, Reply: ev.Reply}
		}
		data, _ := debate.EncodeEvent(event) // an event of a record was decoded
		return data
	}
	for _, e := range record {
		want := said(e.Event)
		comes := func(o debate.Entry) bool { return bytes.Equal(said(o.Event), want) }
		if want != nil && !slices.ContainsFunc(own, comes) {
			return &ForgedError{"event " + strconv.Itoa(e.N) + " (" + string(debate.KindOf(e.Event)) + ") is not what comes out"}
		}
	}
	return nil
}

// parties returns the parties of a rebuilt debate. Which of them could take part depends on
// keys, and a publisher has none.
func (want Expected) parties(entries []debate.Entry, own []debate.Party) []debate.Party {
	for _, e := range entries {
		table, ok := e.Event.(debate.Preflighted)
		switch {
		case ok && want.AnyParties:
			return table.Parties
		case ok:
			return lists.Map(own, func(p debate.Party) debate.Party {
				said := partyOf(table.Parties, p.ID)
				p.Status, p.Detail = said.Status, clip(said.Detail, 8*maxDetail) // it names files and commands
				return p
			})
		}
	}
	return own
}

// playback plays a record: it is the log, the order of the replies and the check runs of a
// rebuilt debate.
type playback struct {
	entries []debate.Entry // of the record
	at      int            // index of the next entry
	own     []debate.Entry // of the rebuilt debate
	replies Client
	checks  func(context.Context) ([]debate.Run, error) // of this process
	asked   map[string]call                             // unanswered calls, by the id of the ask
	seen    []debate.Seen                               // of the last played answer
}

// Append implements Log.
func (p *playback) Append(e debate.Entry) error {
	p.own = append(p.own, e)
	return nil
}

// next returns the next answer of the record to an open call. The client plays the reply; a
// timeout is in the record alone.
func (p *playback) next(ctx context.Context) (answer, error) {
	for ; p.at < len(p.entries); p.at++ {
		var ev debate.Replied
		switch said := p.entries[p.at].Event.(type) {
		case debate.Replied:
			ev = said
		case debate.Looked:
			ev = debate.Replied{Ask: said.Ask, Started: said.Started, Ended: said.Ended}
			p.seen = said.Seen
		}
		c, isAsked := p.asked[ev.Ask]
		sent := c.request
		switch {
		case !isAsked:
			continue
		case ev.PromptHash != "" && ev.PromptHash != promptDigest(sent.System, sent.Packet, sent.Turn, sent.Looked):
			return answer{}, &ForgedError{"the reply to " + ev.Ask + " answers another prompt"}
		}
		p.at++
		delete(p.asked, ev.Ask)
		c.started = min(max(ev.Started, p.entries[0].At), p.entries[p.at-1].At)
		a := answer{call: c, ended: min(max(ev.Ended, c.started), p.entries[p.at-1].At)}
		a.response, a.err = p.replies.Ask(ctx, sent)
		if ev.Status == debate.CallTimeout {
			a.err, a.late = &model.Error{Class: debate.CallTimeout, Detail: ev.Detail}, ev.Late
			if ev.ReplyHash == "" {
				a.response = model.Response{}
			}
		}
		return a, nil
	}
	return answer{}, &ForgedError{"it ends before the debate does"}
}

// runs returns the check runs of the record that this process can read too. Later runs are left
// out.
func (p *playback) runs(ctx context.Context, subject *Subject) (runs []debate.Run, err error) {
	var left []debate.Run
	if p.checks != nil {
		if left, err = p.checks(ctx); err != nil {
			return nil, err
		}
	}
	for _, e := range p.entries {
		said, _ := e.Event.(debate.Checked)
		for _, run := range said.Runs {
			i := slices.IndexFunc(left, func(own debate.Run) bool {
				own.Text = subject.redactor.Text(own.Text)
				return subject.same(debate.Checked{Runs: []debate.Run{run}}, debate.Checked{Runs: []debate.Run{own}})
			})
			if i >= 0 {
				runs, left = append(runs, left[i]), slices.Delete(left, i, i+1)
			}
		}
	}
	return runs, nil
}

// same reports whether an event of a record is the recorded form of an own one.
func (s *Subject) same(recorded, own debate.Event) bool {
	own, err := s.recorded(own)
	if err != nil || debate.KindOf(recorded) != debate.KindOf(own) {
		return false
	}
	a, errA := debate.EncodeEvent(recorded)
	b, errB := debate.EncodeEvent(own)
	return errors.Join(errA, errB) == nil && bytes.Equal(a, b)
}
