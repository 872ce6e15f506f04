package debatetest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
)

// parts splits "WORDS by ACTOR: TEXT".
func parts(text string) (words, by, rest string) {
	words, rest, _ = strings.Cut(text, ":")
	words, by, _ = strings.Cut(words, " by ")
	return strings.TrimSpace(words), by, strings.TrimSpace(rest)
}

func actor(text string) debate.Actor {
	f := strings.Fields(text)
	if len(f) < 2 {
		return debate.Actor{Login: text}
	}
	words := f[2:]
	return debate.Actor{
		Login: f[0], Permission: debate.Permission(f[1]),
		Bot: slices.Contains(words, "bot"), Author: slices.Contains(words, "author"), OwnsRepo: slices.Contains(words, "owner"),
	}
}

// readAfter reads what happens after an event or the reply to an ask.
func readAfter(s *Script, rest string, _ []string) error {
	name, what, ok := strings.Cut(rest, ": ")
	if !ok {
		return errors.New("it has the form NAME: WHAT")
	}
	o := Occurrence{After: name}
	if seconds, waits := strings.CutPrefix(what, "wait "); waits {
		n, err := strconv.Atoi(seconds)
		o.Seconds = int64(n)
		s.World.Then = append(s.World.Then, o)
		return err
	}
	event, err := occurrence(what)
	o.Event = event
	s.World.Then = append(s.World.Then, o)
	return err
}

// occurrence reads an event:
//
//	decided DECISION OPTION [VIA] [edited] [elsewhere] by ACTOR: REASON
//	disputed CLAIM by ACTOR: TEXT
//	head_moved COMMIT | stopped by ACTOR | aborted: REASON | withdrawn by LOGIN: REASON
//	reminded DECISION | sink_failed DECISION SINK: REASON
//
// An answer is to the question as it stands and to the head under debate; one
// with the word elsewhere is to another head.
func occurrence(text string) (func(debate.State) debate.Event, error) {
	words, by, rest := parts(text)
	kind, words, _ := strings.Cut(words, " ")
	f := append(strings.Fields(words), "", "")
	event := debate.Event(nil)
	switch debate.EventKind(kind) {
	case debate.KindDecided:
		return func(s debate.State) debate.Event { return answerTo(s, f, actor(by), rest) }, nil
	case debate.KindDisputed:
		event = debate.Disputed{Claim: f[0], Text: rest, By: actor(by)}
	case debate.KindHeadMoved:
		event = debate.HeadMoved{Head: f[0]}
	case debate.KindStopped:
		event = debate.Stopped{By: actor(strings.TrimPrefix(words+by, "by "))}
	case debate.KindAbortedEvent:
		event = debate.AbortedEvent{Reason: rest}
	case debate.KindWithdrawn:
		event = debate.WithdrawnEvent{Reason: rest, By: by}
	case debate.KindReminded:
		event = debate.Reminded{Decision: f[0]}
	case debate.KindSinkFailed:
		event = debate.SinkFailed{Decision: f[0], Sink: debate.Sink(f[1]), Reason: rest}
	default:
		return nil, fmt.Errorf("there is no event %q to happen", kind)
	}
	return func(debate.State) debate.Event { return event }, nil
}

func answerTo(s debate.State, words []string, by debate.Actor, reason string) debate.Event {
	ev := debate.Decided{
		Decision: words[0], Option: words[1], Reason: reason, By: by, Head: s.Snapshot.HeadSHA, Via: debate.ViaCommand, At: s.Clock.At + tick,
	}
	for _, d := range s.Agenda.Decisions {
		if d.ID == ev.Decision {
			ev.Fingerprint = d.Fingerprint
		}
	}
	for _, word := range words[2:] {
		switch word {
		case "":
		case "edited":
			ev.Edited = true
		case "elsewhere":
			ev.Head = Base
		default:
			ev.Via = debate.Via(word)
		}
	}
	if ev.Option == "-" { // the way says which
		ev.Option = ""
	}
	return ev
}
