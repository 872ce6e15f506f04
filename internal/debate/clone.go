package debate

// clone copies what an event may change, so that a State stays a value. What
// only ever grows is shared and loses its spare capacity, which makes append
// copy it.
func (s State) clone() State {
	s.Split.Coverage = cloned(s.Split.Coverage)
	s.Parties = cloned(s.Parties)
	s.Book = s.Book.clone()
	s.Decisions = cloned(s.Decisions)
	for i := range s.Decisions {
		d := &s.Decisions[i]
		d.Triggers = cloned(d.Triggers)
		if d.Human != nil {
			human := *d.Human
			human.Refused = cloned(human.Refused)
			d.Human = &human
		}
	}
	s.Seats = cloned(s.Seats)
	for i := range s.Seats {
		s.Seats[i].Options = cloned(s.Seats[i].Options)
	}
	s.Carried = cloned(s.Carried)
	s.Rounds = cloned(s.Rounds)
	s.Triggers = cloned(s.Triggers)
	if s.Wave != nil {
		wave := *s.Wave
		wave.Asks, wave.Replies = cloned(wave.Asks), cloned(wave.Replies)
		s.Wave = &wave
	}
	s.Missing = shared(s.Missing)
	s.Reviews = shared(s.Reviews)
	s.Positions = shared(s.Positions)
	s.Deltas = shared(s.Deltas)
	s.Calls = shared(s.Calls)
	s.Assertions = shared(s.Assertions)
	s.Flags = shared(s.Flags)
	s.Wishes = shared(s.Wishes)
	s.Asked = shared(s.Asked)
	s.Framed = shared(s.Framed)
	s.Steps = shared(s.Steps)
	return s
}

func cloned[E any](list []E) []E { return append([]E(nil), list...) }

func shared[E any](list []E) []E { return list[:len(list):len(list)] }
