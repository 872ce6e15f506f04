package debate

// listener takes what the replies of parties bring to the debate: claims, words on the
// claims of others, options, ratings, and the position of the primary. It asks nobody
// and moves no stage.
type listener struct {
	clerk    *clerk
	agenda   *Agenda
	critique *Critique
	carried  []CarriedState
	wave     bool // the CHALLENGE wave, in which nobody has heard the others yet
	stopped  bool // a person stopped the debate
}

func (m *reducer) listener() *listener {
	s := m.state
	return &listener{
		clerk: m.clerk(), agenda: &s.Agenda, critique: &s.Critique, carried: s.Carried,
		wave: s.Stage == StageChallenge, stopped: s.Asking.Stopped,
	}
}

func (l *listener) hearing() *hearing { return l.clerk.hearing(l.wave) }

func (l *listener) succession() succession { return l.clerk.succession(l.stopped) }
