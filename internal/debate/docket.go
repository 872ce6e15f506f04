package debate

// docket has the decisions of a debate: it builds them, links them with their grounds, ends
// them, and computes the outcome from them. It asks no party and moves no stage.
type docket struct {
	agenda   *Agenda
	book     *Book
	table    *Table
	received *Received
	split    *SplitDone
	snapshot *Snapshotted
	ending   *Ending
	clerk    *clerk
	floor    floor
	asking   *Asking
	now      int64  // in Unix milliseconds
	state    *State // for the news since an earlier answer
}

func newDocket(s *State, b *clerk) *docket {
	return &docket{
		agenda: &s.Agenda, book: &s.Book, table: &s.Table, received: &s.Received, split: &s.Split, snapshot: &s.Snapshot,
		ending: &s.Ending, clerk: b, floor: s.floor(), now: s.Clock.At, asking: &s.Asking, state: s,
	}
}
