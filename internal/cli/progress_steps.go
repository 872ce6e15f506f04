package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/engine"
	"github.com/prdebate/debate/internal/report"
)

// callNames are the names of calls for people.
var callNames = map[debate.CallKind]string{
	debate.CallOpen: "opening", debate.CallLocal: "opening",
	debate.CallChallenge: "challenge", debate.CallRespond: "answer", debate.CallRebut: "reply",
	debate.CallArbiter: "second look",
	debate.CallJudge1:  "vote", debate.CallJudge2: "vote", debate.CallScore: "scores",
	debate.CallSumUp: "summary",
}

// stageChange is the stage before any model is asked.
const stageChange = "read the change"

// failures says in words why a call brought nothing.
var failures = map[debate.CallStatus]string{
	debate.CallTimeout: "no answer in time", debate.CallAuth: "its key or account was refused", debate.CallNotFound: "not found",
	debate.CallRate: "too many requests", debate.CallOverloaded: "overloaded", debate.CallTooLong: "the input is too long for it",
	debate.CallRefused: "it refused to answer", debate.CallMalformed: "its answer could not be read", debate.CallError: "it failed",
}

// step is an ended step or call of a debate.
type step struct {
	name   string // "" for a note
	stage  string // of the debate, "" for any
	who    string // the model, "" for none
	took   string
	came   string // the result
	why    string // it failed, in the words of the provider
	failed bool
	denied bool // the key of the model was refused
}

// pending is a call under way.
type pending struct {
	id, name, who string
	stage         string
	since         time.Time
	looks         int  // things that the model asked to see
	slow          bool // it was under way at the last look of a log
}

// ledger is the state of a debate for the display.
type ledger struct {
	question bool              // it is about a question, not about a change
	models   map[string]string // the debater behind a judge or an arbiter, by party
	parts    []string          // ids of the parts of the change
	pending  []pending         // in the order of their start
	calls    int               // ended ones
	cost     report.USD
	unknown  bool // of some calls no price is known
}

// enter takes in a message of the engine and returns the step that it ended; ok is false if
// there is nothing to show.
func (l *ledger) enter(p engine.Progress, now time.Time) (done step, ok bool) {
	switch {
	case p.Err != nil:
		return step{came: p.Err.Error(), failed: true}, true
	case p.Work.Ask == nil:
		return l.ownStep(p.Event)
	}
	ask := *p.Work.Ask
	at := slices.IndexFunc(l.pending, func(one pending) bool { return one.id == ask.ID })
	switch {
	case at < 0 && !p.Done:
		name := callNames[ask.Kind]
		if at := slices.Index(l.parts, ask.Chunk); at >= 0 && len(l.parts) > 1 {
			name += fmt.Sprintf(", part %d of %d", at+1, len(l.parts))
		}
		if ask.Format != "" {
			name += " again"
		}
		l.pending = append(l.pending, pending{id: ask.ID, name: name, stage: callNames[ask.Kind], who: cmp.Or(l.models[ask.Party], ask.Party), since: now})
	case at < 0:
	case p.Looks > 0:
		l.pending[at].looks += p.Looks
	case p.Done:
		one := l.pending[at]
		l.pending = slices.Delete(l.pending, at, at+1)
		if reply, replied := p.Event.(debate.Replied); replied {
			return l.callStep(one, reply), true
		}
	}
	return step{}, false
}

// ownStep returns the step of an event without a model.
func (l *ledger) ownStep(event debate.Event) (step, bool) {
	switch ev := event.(type) {
	case debate.Snapshotted:
		l.question = ev.Scope == debate.ScopeQuestion
	case debate.SplitDone:
		l.parts = nil
		for _, chunk := range ev.Chunks {
			l.parts = append(l.parts, chunk.ID)
		}
		if l.question {
			return step{name: "read the question", stage: stageChange, came: report.Count(ev.Totals.Files, "file")}, true
		}
		came := fmt.Sprintf("%s, +%d -%d", report.Count(ev.Totals.Files, "file"), ev.Totals.Additions, ev.Totals.Deletions)
		return step{name: "read the change", stage: stageChange, came: came}, true
	case debate.Critiqued:
		return step{name: "built-in rules", stage: stageChange, came: report.Count(len(ev.Hits)+ev.Omitted, "finding")}, !l.question
	case debate.Preflighted:
		l.models = make(map[string]string)
		for _, party := range ev.Parties {
			l.models[party.ID] = party.Debater
		}
	case debate.Checked:
		return step{name: "other checks", stage: stageChange, came: report.Count(len(ev.Runs), "result")}, len(ev.Runs) > 0
	}
	return step{}, false
}

// callStep returns the step of an ended call.
func (l *ledger) callStep(one pending, reply debate.Replied) step {
	l.calls++
	l.cost += report.USD(reply.Usage.CostMicro)
	l.unknown = l.unknown || reply.Usage.CostUnknown
	done := step{name: one.name, stage: one.stage, denied: reply.Status == debate.CallAuth, who: one.who, took: formatDuration(time.Duration(reply.Ended-reply.Started) * time.Millisecond)}
	if reply.Status != debate.CallOK {
		done.failed, done.came, done.why = true, failures[reply.Status], reply.Detail
		return done
	}
	var came []string
	if reply.Reply != nil && len(reply.Reply.Claims) > 0 {
		came = append(came, report.Count(len(reply.Reply.Claims), "finding"))
	}
	if one.looks > 0 {
		came = append(came, "looked at "+report.Count(one.looks, "thing"))
	}
	done.came = strings.Join(came, ", ")
	return done
}

// slow lists the models of calls that were already running at the last call of slow.
func (l *ledger) slow() []string {
	var who []string
	for i := range l.pending {
		one := &l.pending[i]
		if one.slow && !slices.Contains(who, one.who) {
			who = append(who, one.who)
		}
		one.slow = true
	}
	return who
}

// costText returns the cost so far. Most is the limit, 0 for none.
func (l *ledger) costText(most report.USD) string {
	text := report.Cost(l.cost, l.unknown)
	if most > 0 {
		text += " of " + most.Rounded()
	}
	return text
}

// formatDuration is a time for people: tenths of a second below 10 s, minutes from two of them on.
func formatDuration(d time.Duration) string {
	switch d = d.Round(100 * time.Millisecond); {
	case d < 10*time.Second:
		return fmt.Sprintf("%d.%d s", d/time.Second, d%time.Second/(100*time.Millisecond))
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", d.Round(time.Second)/time.Second)
	}
	return fmt.Sprintf("%d min", d.Round(time.Minute)/time.Minute)
}
