package debate

import "strconv"

// WorkKind is the next task of the host.
type WorkKind string

const (
	DoSnapshot  WorkKind = "snapshot"
	DoSplit     WorkKind = "split"
	DoCritique  WorkKind = "critique"
	DoPolice    WorkKind = "police"
	DoPreflight WorkKind = "preflight"
	DoPublish   WorkKind = "publish"
	DoClose     WorkKind = "close"
	DoChecks    WorkKind = "checks" // read finished check runs and SARIF files
	DoCall      WorkKind = "call"   // ask a party
	DoTests     WorkKind = "tests"  // wait for a later job, which runs tests
)

// Work is one outstanding action. Its id follows from the log, so a repetition after a crash
// finds the earlier result.
type Work struct {
	ID   string
	Kind WorkKind
	Ask  *Ask // of DoCall
}

// Outstanding computes the current tasks: the calls of a wave without a reply, or one action. A
// wave without outstanding calls waits for tests. The list is empty before the first event and
// after the record is closed.
func Outstanding(s State) []Work {
	kind := s.due()
	if s.Asking.Wave != nil {
		if calls := outstandingCalls(*s.Asking.Wave); len(calls) > 0 {
			return calls
		}
		kind = DoTests
	}
	if kind == "" {
		return nil
	}
	return []Work{{ID: string(kind) + "@" + strconv.Itoa(s.N), Kind: kind}}
}

// due is the action that a stage needs, "" for none.
func (s State) due() WorkKind {
	kind := map[Stage]WorkKind{
		StageReceived:      DoSnapshot,
		StageSnapshot:      DoSplit,
		StageSplit:         DoCritique,
		StagePreflight:     DoPreflight,
		StageSynthesise:    DoChecks,
		StagePublish:       DoPublish,
		StageDone:          DoClose,
		StageAwaitingHuman: DoClose,
		StageAborted:       DoClose,
		StageSuperseded:    DoClose,
	}[s.Stage]
	first := map[WorkKind]struct {
		done bool
		next WorkKind
	}{
		DoCritique:  {s.Critique.Critiqued, DoPolice},
		DoPreflight: {s.Table.Preflighted, DoChecks},
		DoClose:     {s.Ending.Closing != nil, ""},
	}[kind]
	if first.done {
		return first.next
	}
	return kind
}

func outstandingCalls(wave Wave) []Work {
	var work []Work
	for i, ask := range wave.Asks {
		if wave.Replies[i].Ask == "" {
			work = append(work, Work{ID: ask.ID, Kind: DoCall, Ask: &ask})
		}
	}
	return work
}
