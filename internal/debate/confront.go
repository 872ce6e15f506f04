package debate

import (
	"strconv"

	"github.com/prdebate/debate/internal/debate/likeness"
)

// reserve is what lets a confrontation begin beyond the settings (X01).
type reserve string

const (
	noReserve        reserve = ""
	reserveClaim     reserve = "claim"      // a P1 or P2 claim of the last exchange that nobody has weighed
	reserveReminder  reserve = "reminder"   // of a challenge that its defender did not name
	reserveRetry     reserve = "definition" // the one retry of a definitional deadlock
	reserveReexamine reserve = "re-examination"
)

// mayConfront says why no further confrontation may begin. The reserve has two
// more than the settings allow.
func (m *mover) mayConfront(reason reserve) Why {
	s := m.state
	most := s.Received.Settings.maxRounds(s.Received.Mode)
	if reason != noReserve && s.Received.Mode != Quick {
		most = min(most+reserveRounds, maxConfrontation)
	}
	switch {
	case s.Exchange+1 > maxExchange(s.Received.Mode):
		return because(WhyExchanges)
	case s.Confrontations >= most:
		return because(WhyRounds, strconv.Itoa(s.Confrontations))
	case s.Confrontations >= maxConfrontation: // whatever the settings say
		return because(WhyMostRounds)
	}
	return Why{}
}

// confront asks the primary to answer every open challenge by its id and to
// weigh the claims of the challengers (R094, R099). A reason names what lets it
// use the reserve (X01).
func (m *mover) confront(reason reserve) {
	s := m.state
	if why := m.mayConfront(reason); !why.IsZero() {
		m.exit(ExitCap, why)
		return
	}
	if seat := s.seat(s.Primary); seat == nil || seat.Lost {
		m.losePrimary(because(WhyPrimaryGone))
		return
	}
	m.hearing().heirs(false)
	n := s.Exchange + 1
	m.extend(n)
	if why := m.wave(CallRespond, n, []Ask{{Party: s.Primary, Last: m.lastRound(n)}}); !why.IsZero() {
		m.exit(ExitBudget, why)
		return
	}
	s.Confrontations++
	s.Rounds = append(s.Rounds, Round{N: n, Phase: phaseOf(n, s.Extended)})
	m.enter(StageConfront)
}

// lastRound reports whether no further confrontation can follow without the
// reserve: the assumption fields are mandatory then (R104, R105).
func (m *mover) lastRound(n int) bool {
	s := m.state
	last := s.Confrontations+1 >= s.Received.Settings.maxRounds(s.Received.Mode) || n >= maxExchange(s.Received.Mode)
	return last
}

// extend borrows one CONSTRUCTIVE iteration from DEVELOPMENT where a dispute has
// not been addressed yet (R129, R130).
func (m *mover) extend(n int) {
	s := m.state
	if n != 3 || s.Extended {
		return
	}
	for _, k := range s.Challenges {
		if k.Disputed() && k.Defence == "" && k.Kind != Reconciling {
			s.Extended, s.ExtendedWhy = true, because(WhyUnaddressed, k.ID)
			return
		}
	}
}

// responded reduces the primary's answers to position version N+1 (R094-R096).
func (m *mover) responded(wave *Wave, all []said) {
	s := m.state
	x := all[0]
	m.round(wave.N, all)
	if x.Status != CallOK {
		if s.Stopped {
			m.exit(ExitStopped, told(x.Detail))
			return
		}
		m.attendance(x.Party, all, 0)
		m.losePrimary(because(WhyPrimarySilent, string(x.Status)))
		return
	}
	r := x.Reply
	claims, changes := len(s.Claims), len(s.Challenges)
	m.rate(x.Party, wave.N, r.Delta)
	m.hear(x.Party, r)
	m.hearing().deadlockViews(x.Party, r.Deadlocks)
	because := m.hearing().answer(x.Party, r, cloned(s.Challenges), wave.N)
	for i, ev := range r.Evaluations {
		if i < 200 {
			m.hearing().evaluate(x.Party, wave.N, ev, r.Changes)
		}
	}
	because = append(because, m.persuaded(x.Party, r, wave.N)...)
	m.restate(x.Party, r, because)
	m.stand(x.Party, r)
	m.attendance(x.Party, all, 1)
	m.clerk().merge()
	m.hearing().heirs(true)
	m.grown(claims, changes)
	m.rebut(wave.N)
}

// grown notes what an exchange added: convergence needs a stable scope (R161).
func (m *mover) grown(claims, challenges int) {
	s := m.state
	s.Grew = s.Grew || len(s.Claims) > claims || len(s.Challenges) > challenges
}

// answer takes the answers of a party to the challenges that it must defend
// against, by their ids (R148-R152, R168): those that were open as it was shown
// them. It returns what they changed.
func (h *hearing) answer(party string, r *Reply, shown []Challenge, n int) []Because {
	var because []Because
	for i := range shown {
		k := &h.book.Challenges[i]
		if k.Defender != party || !k.Disputed() || k.Status == Defended || shown[i].Status == Defended {
			continue
		}
		a, named := answerTo(r, k.ID)
		if k.Kind == Reconciling {
			h.reconcile(k, r, a, named)
			continue
		}
		inherited := h.inherited(k)
		if !named || !valid(a) {
			if inherited {
				k.Status, k.Defender = Open, EngineParty
				continue
			}
			h.unanswered(k)
			continue
		}
		k.Reminded = k.Reminded || k.Status == Dropped
		found := h.book.found(party, a.Refs)
		switch {
		case a.Move == Accept && inherited:
			h.withdraw(k, a, n)
		case a.Move == Accept && a.Amend == nil:
			h.concede(k, a)
			reason := clip(a.Text, 1000)
			if k.Claim == PositionSubject && k.Option == "" { // no option says what was granted (R095)
				reason = clip("granted: "+clip(k.Objection, 500)+" "+a.Text, 1000)
			}
			because = append(because, Because{Challenge: k.ID, Party: k.Attacker, Move: Accept, Reason: reason})
		default:
			k.Status, k.Move = Defended, a.Move
			k.Defence, k.DefenceBy = clip(a.Text, maxText), found
			h.book.happened(Fact{Kind: ChallengeDefended, N: n, Who: party, About: k.ID, Other: k.Claim, Code: string(a.Move), Text: k.Defence, Cites: found})
			h.book.checkedCites(party, k.ID, found)
			if a.Move == Partial || a.Move == Accept {
				because = append(because, Because{Challenge: k.ID, Party: k.Attacker, Move: a.Move, Reason: clip(joined(a.Limit, a.Text), 1000)})
			}
			h.defend(k, a, found, n)
		}
		h.book.touch(k.ID)
	}
	return because
}

// answerTo finds the answer or defence that names a challenge. Ids of challenges
// that the party need not answer find nothing (B19).
func answerTo(r *Reply, id string) (Answer, bool) {
	for _, a := range r.Answers {
		if a.Challenge == id && (a.Move == Accept || a.Move == Partial || a.Move == Rebuff) {
			return a, true
		}
	}
	for _, d := range r.Defences {
		if d.Challenge != id {
			continue
		}
		a := Answer{Challenge: id, Move: Rebuff, Text: d.Text, Refs: d.Refs, Amend: d.Amend}
		if d.Concede {
			a.Move = Accept
		}
		return a, true
	}
	return Answer{}, false
}

// valid reports whether an answer says anything (R094): an acceptance may be
// bare, a defence may not.
func valid(a Answer) bool {
	return a.Move == Accept || a.Text != "" || a.Limit != "" || a.Amend != nil
}

func (b *clerk) found(party string, refs []Ref) []Evidence {
	var list []Evidence
	for _, ref := range refs {
		if len(list) < maxRefs {
			list = append(list, b.evidence(party, ref))
		}
	}
	return list
}

// concede ends a challenge in favour of its attacker (R095, R151).
func (h *hearing) concede(k *Challenge, a Answer) {
	k.Status, k.Move, k.ResolvedWith = Conceded, Accept, told(clip(a.Text, 1000))
	h.book.happened(Fact{Kind: ChallengeConceded, Who: k.Defender, About: k.ID, Other: k.Claim, Code: string(Accept), Text: k.ResolvedWith.Words})
	if c := h.book.claim(k.Claim); c != nil && a.Text == "" && qualified(c.Evidence) {
		k.Unexplained = true
	}
}

// defend adds what a defence brings to the claim: its citations, its limit and
// its amendment (S20).
func (h *hearing) defend(k *Challenge, a Answer, found []Evidence, n int) {
	c := h.book.claim(k.Claim)
	if c == nil {
		return
	}
	c.Evidence = joinEvidence(c.Evidence, okOnly(found))
	if a.Limit != "" {
		c.Limit = clip(a.Limit, 1000)
	}
	if a.Amend != nil && !h.inherited(k) {
		h.amend(c, k, a)
	}
	h.book.strengthen(c)
	h.book.verify(c)
	if k.Attacker == ArbiterParty && (c.Verified() || c.Kind != Empirical && len(h.book.confirmers(c)) > 0) {
		h.book.close(k, Resolved, because(WhyVerified)) // the arbiter speaks once
	}
}

// amend rewrites a claim, which is weighed once more (S20). What only words the
// same statement anew keeps what others said of it. A statement that a party
// beside the owner and the attacker holds on its evidence is not the owner's to
// make into another one: that takes a claim of its own (A17). Its severity falls
// only with a challenge that the owner grants (X14).
func (h *hearing) amend(c *Claim, k *Challenge, a Answer) {
	next := *a.Amend
	severity := c.stated()
	if s := next.Severity; s.rank() < 4 && (s.rank() <= severity.rank() || a.Move == Accept || a.Move == Partial) {
		severity = s
	}
	same := severity == c.stated() && rephrased(c.Title, next.Title) && rephrased(c.Body, next.Body)
	c.Evidence = joinEvidence(c.Evidence, okOnly(h.book.found(c.Owner, next.Refs)))
	if !same && h.book.held(c, *k) {
		h.book.ledger(TagUnverified, c.Owner, "would amend it, and another party holds it as it is: "+next.Title+" "+next.Body, c.ID, "")
		return
	}
	if next.Title == "" && next.Body == "" && severity == c.stated() {
		return
	}
	h.book.revise(c.Owner, c.ID, "amended: "+c.Title, next.Body, true)
	if next.Title != "" {
		c.Title = clip(next.Title, 300)
	}
	if next.Body != "" {
		c.Body = clip(next.Body, maxText)
	}
	if severity != c.stated() {
		c.AmendedTo = severity
	}
	as := *c
	as.Asserted = severity
	c.Kind = h.book.kind(c.Kind, as)
	if !same {
		c.Evaluations = nil
	}
	c.Amended = true
	h.book.happened(Fact{Kind: ClaimAmended, Who: c.Owner, About: c.ID, Other: k.ID, Code: string(severity), Text: c.Title})
	h.book.touch(c.ID)
}

// rephrased reports whether one text says in other words what another says. Where
// there was none, or there is none now, nothing else is said.
func rephrased(was, is string) bool {
	return was == "" || is == "" || likeness.Of(was, is) >= likeness.LikelyHere
}

// unanswered is a challenge that its defender did not name: SKEPTICAL is
// reminded of once, REJECT is not (R149, R150, R152).
func (h *hearing) unanswered(k *Challenge) {
	if k.Kind == Skeptical && k.Status == Open && !k.Reminded {
		k.Status = Dropped
	} else {
		k.Status, k.ResolvedWith = Undefended, because(WhyNotNamed)
	}
	h.book.happened(Fact{Kind: ChallengeIgnored, Who: k.Defender, About: k.ID, Other: k.Claim, Code: string(k.Status)})
	h.book.touch(k.ID)
}

// reconcile settles a RECONCILE challenge: its party admits the change, or
// stands by what it said first (X18).
func (h *hearing) reconcile(k *Challenge, r *Reply, a Answer, named bool) {
	for _, ch := range r.Changes {
		if ch.Claim == k.Claim && ch.Because != "" {
			h.book.close(k, Resolved, told(clip(ch.Because, 1000)))
			h.book.revise(k.Defender, k.Claim, ch.From+" became "+ch.To, ch.Because, true)
			return
		}
	}
	if named && a.Text != "" {
		h.book.close(k, Resolved, told(clip(a.Text, 1000)))
		return
	}
	h.unanswered(k)
}

// restate makes version N+1 of the position. Its disposition changes only with
// an ACCEPT or PARTIAL that says why; any other change is drift (R096, R155,
// P36).
func (m *mover) restate(party string, r *Reply, because []Because) {
	s := m.state
	was := s.Position()
	next := was
	next.Version, next.AfterN, next.By, next.Because = was.Version+1, s.Exchange, party, because
	wants := option(was.Disposition)
	for _, b := range because {
		if k := s.challenge(b.Challenge); k != nil && k.Claim == PositionSubject && k.Option != "" && b.Move == Accept {
			wants = k.Option
		}
	}
	granted := m.granted() != nil
	if granted && wants == Keep {
		wants = Revise
	}
	if p := r.Position; p != nil {
		d := option(p.Disposition)
		switch drifts := d != "" && d != wants && len(because) == 0; {
		case drifts: // nothing of it counts
			m.hearing().drift(party, PositionSubject, string(was.Disposition)+" became "+string(d), "the position was "+string(was.Disposition))
		default:
			if d == Keep && granted {
				break // it says what it holds no more
			}
			if d != "" {
				wants = d
			}
			if p.Summary != "" {
				next.Summary = clip(p.Summary, maxText)
			}
			if p.Confidence != "" {
				next.Confidence = p.Confidence
			}
		}
	}
	next.Disposition = wants
	next.Claims = nil
	for _, c := range s.Claims {
		if c.Owner == party && c.SameAs == "" {
			next.Claims = append(next.Claims, c.ID)
		}
	}
	if wants != was.Disposition {
		m.clerk().touch(PositionSubject)
		m.clerk().revise(party, PositionSubject, string(was.Disposition)+" became "+string(wants), reasons(because), true)
		for i := range s.Seats { // what others held of the old disposition is silent now
			// A position that moves away from a party again does not silence it.
			loosened := worse(was.Disposition, wants) && worse(s.Seats[i].Option, wants)
			if s.Seats[i].Party != party && !loosened {
				s.Seats[i].Option = ""
			}
		}
	}
	s.Positions = append(s.Positions, next)
	m.positioned(next)
}

// persuaded lists what moves the primary beside the challenges: a change of the
// position that it admits, and a severe claim of another party that it agrees to
// in this reply (X18).
func (m *mover) persuaded(party string, r *Reply, n int) []Because {
	var because []Because
	for _, ch := range r.Changes {
		if ch.Claim == PositionSubject && ch.Because != "" {
			because = append(because, Because{Challenge: PositionSubject, Party: party, Reason: clip(ch.Because, 1000)})
			break
		}
	}
	for _, ev := range r.Evaluations {
		c := m.state.survivor(ev.Claim)
		if c == nil || ev.Class != ClassAgree || c.Owner == party || !c.Severity.AtLeast(P2) {
			continue
		}
		if e := c.last(party); e == nil || e.Class != ClassAgree || e.N != n { // it was not taken
			continue
		}
		because = append(because, Because{Challenge: c.ID, Party: c.Owner, Move: Accept, Reason: clip(joined("it agrees:", c.Title), 1000)})
	}
	return because
}

func reasons(because []Because) string {
	text := ""
	for _, b := range because {
		text = joined(text, b.Reason)
	}
	return text
}

// losePrimary ends a debate whose primary no longer answers: what exists is
// synthesised and nothing is adopted (X02).
func (m *mover) losePrimary(why Why) {
	s := m.state
	s.PrimaryLost = true
	m.dropPrimary()
	m.exit(ExitNoPrimary, why)
}
