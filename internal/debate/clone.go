package debate

// clone copies what an event may change, so that a State stays a value. What
// only ever grows is shared and loses its spare capacity, which makes append
// copy it.
func (s State) clone() State {
	s.Split.Coverage = cloned(s.Split.Coverage)
	s.Critique.Missing = shared(s.Critique.Missing)
	s.Table = s.Table.clone()
	s.Book = s.Book.clone()
	s.Talk = s.Talk.clone()
	s.Asking = s.Asking.clone()
	s.Agenda = s.Agenda.clone()
	s.Carried = cloned(s.Carried)
	s.Steps = shared(s.Steps)
	return s
}
