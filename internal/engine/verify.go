package engine

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Expected is what a publisher knows by itself of a debate that another process
// held.
type Expected struct {
	// Received is what was asked. A seed or a session id of "" may be any that has
	// the shape of one.
	Received debate.Received
	// Parties says what is wrong with a party table; nil: it must be that of
	// Review.Participants, apart from whether each of them can be asked.
	Parties func(recorded []debate.Party) error
	// Facts are what people did and what became of the pull request, as the
	// publisher saw it itself. Nothing else of that kind is believed.
	Facts []debate.Event
	// Since is, in Unix milliseconds, before when the debate cannot have begun.
	Since int64
}

// ForgedError reports a record that says what the code of this program, at work
// on this change, would not have said.
type ForgedError struct {
	N    int // of the entry, 0 for the whole record
	What string
	Err  error // of the protocol, if it refuses the entry; else nil
}

func (e *ForgedError) Error() string {
	return fmt.Sprintf("entry %d of the record cannot be trusted: %s", e.N, e.What)
}

func (e *ForgedError) Unwrap() error { return e.Err }

// ahead is by how much, in milliseconds, the clock of another machine may be
// ahead of this one.
const ahead = 5 * 60_000

// Verify folds the record of a debate that another process held, and trusts
// nothing in it that this one can know better. All that follows from the
// change is computed again from the review's own snapshot and must be the same:
// snapshot, split, critique, triggers, outcome. A reply is what somebody says: its
// text is data, whoever wrote it; but what its citations were found to be is
// computed again, too. Check runs must be among those that the review reads. What
// only people do must be among the expected facts.
//
// A *ForgedError says what does not fit. Every other error says that the change or
// the check runs could not be read. The review must be new. It takes over the party
// table of the record; afterwards Resume goes on from the same entries.
func (r *Review) Verify(ctx context.Context, want Expected, entries []debate.Entry) (debate.State, error) {
	if len(entries) == 0 {
		return r.state, &ForgedError{What: "it is empty"}
	}
	v := verifier{review: r, want: want}
	// How a change is split depends on how many challengers there are, and whoever
	// asked them knew that from the start.
	for _, e := range entries {
		if table, ok := e.Event.(debate.Preflighted); ok {
			if why := v.parties(table.Parties); why != "" {
				return r.state, &ForgedError{N: e.N, What: why}
			}
			r.Participants, v.seated = table.Parties, true
		}
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return r.state, err
		}
		why, err := v.doubt(ctx, e)
		if err != nil {
			return r.state, fmt.Errorf("verify entry %d of the record: %w", e.N, err)
		}
		if why != "" {
			return r.state, &ForgedError{N: e.N, What: why}
		}
		next, err := debate.Apply(r.state, e)
		if err != nil {
			return r.state, &ForgedError{N: e.N, What: err.Error(), Err: err}
		}
		r.state = next
	}
	return r.state, nil
}

// verifier is a review that does again what a record says it did.
type verifier struct {
	review *Review
	want   Expected
	seated bool         // the record has a party table
	runs   []debate.Run // that the review itself reads
	read   bool         // they were read
	sent   Prompts
}

// doubt says why an entry cannot be trusted where the debate stands, or "".
func (v *verifier) doubt(ctx context.Context, e debate.Entry) (why string, err error) {
	if why := v.untimely(e.At); why != "" {
		return why, nil
	}
	if why := v.sent.Add(e.Event); why != "" {
		return why, nil
	}
	switch ev := e.Event.(type) {
	case debate.Shown, debate.Preflighted: // texts are what they say, and nothing follows from them; parties are known by now
		return "", nil
	case debate.Received:
		return v.received(ev)
	case debate.SplitDone:
		return v.splitDone(ctx, ev)
	case debate.Snapshotted, debate.Critiqued, debate.Policed, debate.Closed:
		return v.derived(ctx, ev)
	case debate.Checked:
		return v.checked(ctx, ev)
	case debate.Looked:
		return v.lookedAt(ctx, e.At, ev)
	case debate.Replied:
		return v.answered(ctx, e.At, ev)
	case debate.Resumed:
		return v.resumed(e.At), nil
	case debate.AbortedEvent:
		if v.review.state.Stage == debate.StageSnapshot {
			return v.derived(ctx, ev)
		}
	}
	return v.fact(e.Event)
}

// untimely says why nothing can have happened at that time, or "".
func (v *verifier) untimely(at int64) string {
	switch {
	case at < v.want.Since:
		return "it is older than the run"
	case at > v.review.Now()+ahead:
		return "it lies in the future"
	}
	return ""
}

// resumed doubts that a debate went on at that time, when it had not stopped.
func (v *verifier) resumed(at int64) string {
	if at-v.review.state.Clock.At <= pause {
		return "nothing was interrupted"
	}
	return ""
}

// The shapes of what is drawn when a debate begins (R050, S24). The number of a
// session is drawn, or it is that of a run, its attempt and which session it is.
const (
	seedShape    = `^[0-9a-f]{32}$`
	sessionShape = `^debate-[0-9]{8}-[0-9]{6}-[0-9]{1,30}(-[0-9]{1,9}){0,2}$`
)

func (v *verifier) received(ev debate.Received) (why string, err error) {
	want := v.want.Received
	for _, one := range []struct {
		got, shape string
		want       *string
	}{{ev.Seed, seedShape, &want.Seed}, {ev.SessionID, sessionShape, &want.SessionID}} {
		if *one.want != "" {
			continue
		}
		if !regexp.MustCompile(one.shape).MatchString(one.got) {
			return "its seed or its session id is none", nil
		}
		*one.want = one.got
	}
	return v.unlike(ev, want, "something else was asked")
}

// derived demands the event that the outstanding work gives here.
func (v *verifier) derived(ctx context.Context, ev debate.Event) (why string, err error) {
	work := debate.Outstanding(v.review.state)
	if len(work) == 0 {
		return "nothing was to be done", nil
	}
	switch work[0].Kind {
	case debate.DoSnapshot, debate.DoSplit, debate.DoCritique, debate.DoPolice, debate.DoClose:
	default:
		return "something else was to be done", nil
	}
	own, err := v.review.act(ctx, work[0])
	if err != nil {
		return "", err
	}
	return v.unlike(ev, own, "it does not follow from the change and the rules")
}

// splitDone demands the split of the change. Of a debate that ended before it had
// a party table nobody knows how many challengers could be asked.
func (v *verifier) splitDone(ctx context.Context, ev debate.SplitDone) (why string, err error) {
	if v.seated {
		return v.derived(ctx, ev)
	}
	all := v.review.Participants
	defer func() { v.review.Participants = all }()
	for able := len(all); able >= 0; able-- {
		v.review.Participants, v.review.Subject.split = slices.Clone(all), nil
		for i := able; i < len(all); i++ {
			v.review.Participants[i].Status = debate.PartyNotFound
		}
		if why, err = v.derived(ctx, ev); why == "" || err != nil {
			return why, err
		}
	}
	return why, nil
}

// unlike says why if an event is not recorded as the wanted one is.
func (v *verifier) unlike(got, want debate.Event, otherwise string) (why string, err error) {
	want, err = v.review.Subject.recorded(want)
	if err != nil {
		return "", err
	}
	got, err = debate.Recorded(got)
	if err != nil {
		return "", err
	}
	a, err := debate.EncodeEvent(got)
	if err != nil {
		return "", err
	}
	b, err := debate.EncodeEvent(want)
	if err != nil {
		return "", err
	}
	if got.Kind() != want.Kind() || !bytes.Equal(a, b) {
		return otherwise, nil
	}
	return "", nil
}

// parties compares a party table with the one that is expected. Whether somebody
// can be asked depends on keys that a publisher does not have.
func (v *verifier) parties(table []debate.Party) string {
	for _, p := range table {
		switch p.Status {
		case debate.PartyOK, debate.PartyTimeout, debate.PartyAuth, debate.PartyNotFound, debate.PartyParse, debate.PartyQuality,
			debate.PartyError, debate.PartySameFamily:
		default:
			return "a party stands as none does"
		}
		if len(p.Detail) > 8*maxDetail { // it names files and commands
			return "what is said of a party is too long"
		}
	}
	if v.want.Parties != nil {
		if err := v.want.Parties(table); err != nil {
			return err.Error()
		}
		return ""
	}
	same := slices.EqualFunc(table, v.review.Participants, func(a, b debate.Party) bool {
		a.Status, a.Detail = b.Status, b.Detail
		return a == b
	})
	if !same {
		return "other parties take part"
	}
	return ""
}

// checked demands check runs that the review itself can read. Some may have
// finished only since; none may be gone.
func (v *verifier) checked(ctx context.Context, ev debate.Checked) (why string, err error) {
	if err := v.readRuns(ctx); err != nil {
		return "", err
	}
	if len(ev.Runs) > len(v.runs) {
		return "it has check runs that are not there", nil
	}
	left := slices.Clone(v.runs)
	for _, run := range ev.Runs {
		i := slices.IndexFunc(left, func(own debate.Run) bool {
			text := own.Text
			own.Text = run.Text
			return own == run && conceals(run.Text, text)
		})
		if i < 0 {
			return "it has a check run that is not there", nil
		}
		left = slices.Delete(left, i, i+1)
	}
	return "", nil
}

// readRuns reads the check runs, once, without the secrets of the change.
func (v *verifier) readRuns(ctx context.Context) error {
	if v.review.Checks == nil || v.read {
		return nil
	}
	if err := v.review.remember(ctx); err != nil {
		return err
	}
	found, err := within(ctx, v.review.Checks)
	if err != nil {
		return fmt.Errorf("read what other tools found: %w", err)
	}
	secrets := v.review.Subject.hiding(nil, v.review.Subject.secrets)
	for _, run := range found {
		run.Text = secrets.Text(run.Text)
		v.runs = append(v.runs, asRecordedRun(run))
	}
	v.read = true
	return nil
}

// asRecordedRun is a check run as a record gives it back.
func asRecordedRun(run debate.Run) debate.Run {
	for _, text := range []*string{&run.Ref, &run.Name, &run.Path, &run.Text, &run.Hash} {
		*text = asRecorded(*text)
	}
	return run
}

// answered demands that somebody was asked, and that the record says of the reply
// what this process would have said of it.
func (v *verifier) answered(ctx context.Context, at int64, ev debate.Replied) (why string, err error) {
	if ev.Ended > at {
		return "the reply is recorded before it came", nil
	}
	ask := v.asked(ev.Ask)
	if ask == nil {
		return "nobody was asked this", nil
	}
	if why := unsound(ask.Kind, ev); why != "" || ev.Reply == nil {
		return why, nil
	}
	if err := v.review.brief(ctx); err != nil {
		return "", err
	}
	v.review.resolver.seen = seenIndex(v.review.state.SeenBy(*ask))
	return v.review.resolver.confirm(ev.Reply, v.review.Subject.hiding(nil, v.review.Subject.secrets)), nil
}

// asked is what is asked by an id where the debate stands, nil if nothing is.
func (v *verifier) asked(id string) *debate.Ask {
	return lists.Find(debate.Outstanding(v.review.state), func(w debate.Work) bool { return w.Ask != nil && w.Ask.ID == id }).Ask
}

// fact demands that the publisher itself knows what a record says of the world.
func (v *verifier) fact(ev debate.Event) (why string, err error) {
	for _, own := range v.want.Facts {
		switch why, err := v.unlike(ev, own, "differs"); {
		case err != nil:
			return "", err
		case why == "":
			return "", nil
		}
	}
	return "nobody but the record knows of it", nil
}
