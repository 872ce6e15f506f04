package population

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/prdebate/debate/internal/debate"
)

const (
	start     = 1_767_348_900_000 // Unix milliseconds
	maxEvents = 400               // of one debate
)

// play takes one change through a whole debate.
func play(c Change, k Knobs) (debate.State, *cast, error) {
	x := newCast(c, k)
	var s debate.State
	event := debate.Event(debate.Received{
		Protocol: debate.ProtocolVersion, SessionID: "debate-20260102-101500-1", Seed: "00", Scope: "range:a..b",
		Mode: debate.Standard, Target: debate.TargetAuto, Anchor: debate.Anchor{Repo: "o/shop", PR: 1, Title: "faster orders"},
		Settings: debate.Settings{Gate: debate.Advisory, FailOn: debate.FailNone, Opening: cmp.Or(k.Opening, debate.OpenParallel)},
	})
	for range maxEvents {
		next, err := debate.Apply(s, debate.Entry{N: s.N + 1, At: start + 1000*int64(s.N), Event: event})
		if err != nil {
			return s, x, fmt.Errorf("change %d: %w", c.Seed, err)
		}
		s = next
		work := debate.Outstanding(s)
		if len(work) == 0 {
			return s, x, nil
		}
		event = x.event(s, work[0])
	}
	return s, x, fmt.Errorf("change %d: the debate does not end", c.Seed)
}

// event does one piece of work.
func (x *cast) event(s debate.State, w debate.Work) debate.Event {
	switch w.Kind {
	case debate.DoSnapshot:
		return debate.Snapshotted{Scope: "range:a..b", Hash: "h", HeadSHA: "h1", BaseSHA: "b1"}
	case debate.DoSplit:
		return split()
	case debate.DoCritique:
		return debate.Critiqued{}
	case debate.DoPolice:
		return debate.Policed{Triggers: x.change.Triggers}
	case debate.DoPreflight:
		return debate.Preflighted{Parties: x.table()}
	case debate.DoChecks:
		return debate.Checked{}
	case debate.DoPublish:
		return debate.Published{Sinks: []string{"stdout"}}
	case debate.DoClose:
		return debate.Closed{Outcome: json.RawMessage(`{}`)}
	}
	r := x.reply(s, *w.Ask)
	return debate.Replied{Ask: w.Ask.ID, Status: debate.CallOK, Reading: debate.ReadJSON, Reply: &r}
}
