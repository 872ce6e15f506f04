package debate

// docket is the decisions of a debate: it builds them, links them with what they rest
// on, ends them, and says what the debate comes to by them. It asks nobody and moves no
// stage.
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
	state    *State // what is new since an earlier answer is read off it
}

func newDocket(s *State, b *clerk) *docket {
	return &docket{
		agenda: &s.Agenda, book: &s.Book, table: &s.Table, received: &s.Received, split: &s.Split, snapshot: &s.Snapshot,
		ending: &s.Ending, clerk: b, floor: s.floor(), now: s.Clock.At, asking: &s.Asking, state: s,
	}
}
