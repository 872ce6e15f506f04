package ghtest

import "time"

// history is what happened to an issue, and when it last changed.
type history struct {
	clock   *clock
	created time.Time
	updated time.Time
	events  []*event
}

// event is something that happened to an issue.
type event struct {
	id     int64
	kind   string // closed, reopened, labeled, unlabeled, merged, renamed, head_ref_force_pushed
	actor  *user
	at     time.Time
	reason string
	before string // the head before a push with force
	commit string // that closed it, or that was pushed
	merge  *Pull  // whose merge closed it
	label  *label
	from   string // the title before
	to     string // the title from then on
}

// touch is a change that is no event.
func (h *history) touch() time.Time {
	h.updated = h.clock.tick()
	return h.updated
}

func (h *history) happen(kind string, by *user) *event {
	e := &event{id: h.clock.next(), kind: kind, actor: by, at: h.touch()}
	h.events = append(h.events, e)
	return e
}

// standing is whether an issue is open, and why.
type standing struct {
	history *history
	closed  *event // nil while it is open
	reason  string // completed, not_planned, duplicate, reopened or ""
}

func (s *standing) isOpen() bool { return s.closed == nil }

// state is open or closed.
func (s *standing) state() string {
	if s.isOpen() {
		return "open"
	}
	return "closed"
}

// closedBy is who closed it, nil while it is open.
func (s *standing) closedBy() *user {
	if s.isOpen() {
		return nil
	}
	return s.closed.actor
}

// closedAt is when it was closed, no time while it is open.
func (s *standing) closedAt() time.Time {
	if s.isOpen() {
		return time.Time{}
	}
	return s.closed.at
}

// close returns an event that stands nowhere where it is closed already.
func (s *standing) close(by *user, reason string) *event {
	if !s.isOpen() {
		return &event{}
	}
	s.closed, s.reason = s.history.happen("closed", by), reason
	s.closed.reason = reason
	return s.closed
}

func (s *standing) reopen(by *user) {
	if s.isOpen() {
		return
	}
	s.closed, s.reason = nil, "reopened"
	s.history.happen("reopened", by)
}
