package debate

// listener takes the contents of replies: claims, evaluations, options, ratings, and the
// position of the primary. It asks no party and moves no stage.
type listener struct {
	book     *Book
	table    *Table
	talk     *Talk
	received *Received
	snapshot *Snapshotted
	split    *SplitDone
	clerk    *clerk
	agenda   *Agenda
	critique *Critique
	desk     *desk
	carried  *[]CarriedState
	stage    *Stage
}

func newListener(s *State, b *clerk) *listener {
	return &listener{
		book: &s.Book, table: &s.Table, talk: &s.Talk, received: &s.Received, snapshot: &s.Snapshot, split: &s.Split, clerk: b,
		agenda: &s.Agenda, critique: &s.Critique, desk: s.desk(), carried: &s.Carried, stage: &s.Stage,
	}
}

func (l *listener) hearing() *hearing {
	b := l.clerk
	return &hearing{book: b.book, support: b.support, clerk: b, wave: *l.stage == StageChallenge}
}

func (l *listener) succession() succession {
	b := l.clerk
	return succession{table: b.table, talk: b.talk, book: b.book, clerk: b, desk: l.desk, split: b.split}
}
