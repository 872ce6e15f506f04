package debate

import (
	"fmt"
	"slices"
	"strconv"
)

// ofClaims are about what becomes of claims and of the challenges to them.
func ofClaims() []property {
	return []property{
		{"P04", noClaimLost}, {"P05", noClaimFromNowhere}, {"P06", evidenceGate}, {"P07", severityGate}, {"P08", ledgerGrows},
		{"P20", lifeCycle}, {"P21", agreedIsUnattacked}, {"P23", lateIsNotEvaluated}, {"P35", mergedOnce}, {"P36", positionsFollow},
		{"P37", dissentSurvives},
	}
}

// weighedAll reports whether the debate came to put its claims into buckets, and
// was not superseded or aborted since.
func weighedAll(s State) bool {
	return s.Ending.Outcome != "" && s.Ending.Outcome != Aborted && s.Ending.Outcome != Superseded && s.Ending.Outcome != Skipped
}

// noClaimLost: each claim has a number of its own that it keeps, and none disappears; at
// the end each is in one bucket, or names one that is in SameAs. An unresolved or
// dismissed claim says why.
func noClaimLost(p played) string {
	for i, s := range p.states[1:] {
		before := p.states[i]
		if before.Table.Preflighted && len(s.Book.Claims) < len(before.Book.Claims) {
			return fmt.Sprintf("event %d: %d claims became %d", s.N, len(before.Book.Claims), len(s.Book.Claims))
		}
		for j, c := range s.Book.Claims {
			first := slices.IndexFunc(s.Book.Claims, func(o Claim) bool { return o.ID == c.ID })
			switch {
			case numberOf(c.ID) < 1, first != j:
				return fmt.Sprintf("event %d: claim %d is %s", s.N, j+1, c.ID)
			case before.Table.Preflighted && j < len(before.Book.Claims) && before.Book.Claims[j].ID != c.ID:
				return fmt.Sprintf("event %d: %s was %s before", s.N, c.ID, before.Book.Claims[j].ID)
			}
		}
	}
	s := p.end()
	if !weighedAll(s) {
		return ""
	}
	for _, c := range s.Book.Claims {
		if c.SameAs != "" {
			if live := s.Book.survivor(c.ID); live == nil || live.SameAs != "" || c.Bucket != "" {
				return fmt.Sprintf("claim %s is lost in %s, bucket %q", c.ID, c.SameAs, c.Bucket)
			}
			continue
		}
		switch c.Bucket {
		case Agreed:
			if c.Reason != "" {
				return fmt.Sprintf("claim %s is agreed because %s", c.ID, c.Reason)
			}
		case Dismissed, Unresolved:
			if c.Reason == "" || c.Why.IsZero() {
				return fmt.Sprintf("claim %s is %s for no reason", c.ID, c.Bucket)
			}
		default:
			return fmt.Sprintf("claim %s is in bucket %q", c.ID, c.Bucket)
		}
	}
	return ""
}

// noClaimFromNowhere: an agreed claim has an owner at the table, or the
// engine, a valid call of that owner in the exchange in which it was raised, a
// segment of the change or none, and was carried on from an earlier head only if
// that head says so.
func noClaimFromNowhere(p played) string {
	s := p.end()
	for _, c := range s.Book.Agreed() {
		switch {
		case c.Segment != "" && !slices.ContainsFunc(s.Split.Segments, func(x Segment) bool { return x.ID == c.Segment }):
			return fmt.Sprintf("claim %s stands in %s, which is no segment", c.ID, c.Segment)
		case c.Owner == EngineParty && c.Rule != "", c.Carried != "" && slices.ContainsFunc(s.Received.Previous.Findings, func(f Carried) bool { return f.ID == c.Carried }):
			continue
		case !slices.ContainsFunc(s.Asking.Calls, func(x Call) bool { return x.Party == c.Owner && x.Status == CallOK && x.N == c.RaisedN }):
			return fmt.Sprintf("claim %s of %s was raised in no call of n=%d", c.ID, c.Owner, c.RaisedN)
		}
	}
	return ""
}

// evidenceGate: whenever claims are in their buckets, an Agreed empirical claim has evidence that the engine verified, and if a
// party owns the claim another one agrees.
func evidenceGate(p played) string {
	for _, s := range p.states[1:] {
		if s.Stage == StageConfront || s.Stage == StageRebut || s.Stage == StageSynthesise || !weighedAll(s) {
			continue
		}
		for _, c := range s.Book.Claims {
			if c.Bucket != Agreed || c.Kind != Empirical || c.SameAs != "" {
				continue
			}
			if !slices.ContainsFunc(c.Evidence, func(e Evidence) bool { return e.Verified && e.CitationOK && e.Type != BareClaim }) {
				return fmt.Sprintf("event %d: claim %s is agreed without verified evidence", s.N, c.ID)
			}
			if c.Owner != EngineParty && c.Carried == "" && len(c.ConfirmedBy) == 0 {
				return fmt.Sprintf("event %d: claim %s is agreed and confirmed by nobody", s.N, c.ID)
			}
			if slices.Contains(c.ConfirmedBy, c.Owner) && c.Owner != EngineParty {
				return fmt.Sprintf("event %d: claim %s is confirmed by its owner", s.N, c.ID)
			}
		}
	}
	return ""
}

// severityGate: no claim is P1 without evidence that qualifies,
// whatever was asserted; what was asserted is kept.
func severityGate(p played) string {
	for _, s := range p.states[1:] {
		for _, c := range s.Book.Claims {
			if c.Severity == P1 && !qualified(c.Evidence) {
				return fmt.Sprintf("event %d: claim %s is P1 without evidence", s.N, c.ID)
			}
			if c.Bucket != "" && c.Asserted == "" {
				return fmt.Sprintf("event %d: claim %s forgot what was asserted", s.N, c.ID)
			}
		}
	}
	return ""
}

// ledgerGrows: the ledger of an event is a prefix of the next one's, and
// an entry supersedes only what its tag may: user entries fall to user entries,
// verified ones to verified and user ones.
func ledgerGrows(p played) string {
	for i, s := range p.states[1:] {
		before := p.states[i].Book.Ledger
		if len(s.Book.Ledger) < len(before) || !slices.Equal(before, s.Book.Ledger[:len(before)]) {
			return fmt.Sprintf("event %d: the ledger is not what it was and more", s.N)
		}
	}
	ledger := p.end().Book.Ledger
	at := map[string]LedgerEntry{}
	for i, e := range ledger {
		if e.ID != "L"+strconv.Itoa(i+1) {
			return fmt.Sprintf("entry %d is %s", i+1, e.ID)
		}
		at[e.ID] = e
		old, known := at[e.Supersedes]
		legal := !known || old.Tag == TagUnverified || old.Tag == TagRevision || e.Tag == TagUser || old.Tag == TagVerified && e.Tag == TagVerified
		if e.Supersedes != "" && (!known || !legal) {
			return fmt.Sprintf("%s entry %s supersedes %s entry %q", e.Tag, e.ID, old.Tag, e.Supersedes)
		}
	}
	return ""
}

// lifeCycle: challenges are numbered without a gap, none disappears, and
// each takes only the ways that the package comment draws. A SKEPTICAL is
// dropped, and so reminded of, at most once; a REJECT never is; escalation and
// the definitional retry come at most once; a REJECT is defended once, and once
// more only after its escalation.
func lifeCycle(p played) string {
	ways := map[ChallengeStatus][]ChallengeStatus{
		Open:       {Defended, Dropped, Undefended, Conceded, Resolved, Upheld, Dissent},
		Defended:   {Open, Resolved, Conceded, Upheld, Dissent},
		Dropped:    {Defended, Undefended, Conceded, Resolved, Open, Dissent},
		Undefended: {}, Conceded: {}, Resolved: {}, Upheld: {}, Dissent: {},
	}
	dropped, defended, retried, escalated := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for i, s := range p.states[1:] {
		before := p.states[i]
		if len(s.Book.Challenges) < len(before.Book.Challenges) {
			return fmt.Sprintf("event %d: %d challenges became %d", s.N, len(before.Book.Challenges), len(s.Book.Challenges))
		}
		for j, k := range s.Book.Challenges {
			if k.ID != "K"+strconv.Itoa(j+1) {
				return fmt.Sprintf("event %d: challenge %d is %s", s.N, j+1, k.ID)
			}
			if j >= len(before.Book.Challenges) {
				continue
			}
			was := before.Book.Challenges[j]
			if was.Status != k.Status {
				if !slices.Contains(ways[was.Status], k.Status) {
					return fmt.Sprintf("event %d: %s challenge %s went from %s to %s", s.N, k.Kind, k.ID, was.Status, k.Status)
				}
				if k.Status == Dropped {
					dropped[k.ID]++
				}
			}
			if k.Status == Defended && was.Status != Defended {
				defended[k.ID]++
			}
			if k.Retried && !was.Retried {
				retried[k.ID]++
			}
			if k.Escalated && !was.Escalated {
				escalated[k.ID]++
			}
			once := 1 + escalated[k.ID]
			switch {
			case dropped[k.ID] > 1, retried[k.ID] > 1, escalated[k.ID] > 1:
				return fmt.Sprintf("event %d: %s was dropped %d, retried %d, escalated %d times", s.N, k.ID, dropped[k.ID], retried[k.ID], escalated[k.ID])
			case k.Kind == Rejecting && defended[k.ID] > once:
				return fmt.Sprintf("event %d: REJECT %s was defended %d times", s.N, k.ID, defended[k.ID])
			case k.Attacker == k.Defender && k.Live():
				return fmt.Sprintf("event %d: %s attacks what is its own in %s", s.N, k.Attacker, k.ID)
			}
		}
	}
	return ""
}

// agreedIsUnattacked: no attack of weight is open against an agreed claim, counted in
// another way than the product does.
func agreedIsUnattacked(p played) string {
	s := p.end()
	if !weighedAll(s) {
		return ""
	}
	for _, k := range s.Book.Challenges {
		c := s.Book.claim(k.Claim)
		stands := k.Status == Open || k.Status == Defended || k.Status == Dropped || k.Status == Upheld
		if c == nil || !stands || k.Kind == Reconciling {
			continue
		}
		if c.SameAs != "" {
			return fmt.Sprintf("%s attacks %s, which was merged into %s", k.ID, c.ID, c.SameAs)
		}
		byCritic := c.Owner == EngineParty && !refuted(s, c) // opinions and single families attack nothing there
		if c.Bucket == Agreed && !byCritic && reaches(s, c, k) {
			return fmt.Sprintf("claim %s is agreed, and %s stands", c.ID, k.ID)
		}
	}
	return ""
}

// reaches reports whether an attack is more than words against what two voices hold,
// and than one voice whose quotes they answered (M02). It counts in its own way.
func reaches(s State, c *Claim, k Challenge) bool {
	families := map[string]bool{}
	for _, seat := range s.Table.Seats {
		if !seat.Lost {
			families[s.Table.party(seat.Party).Family] = true
		}
	}
	voice := func(party string) string {
		if p := s.Table.party(party); p != nil && len(families) > 1 {
			return p.Family
		}
		return party
	}
	holds, shows, unanswered := map[string]bool{voice(c.Owner): true}, map[string]bool{}, false
	if c.Carried != "" {
		holds["earlier"] = true
	}
	for _, party := range c.ConfirmedBy {
		holds[voice(party)] = true
	}
	for _, x := range s.Book.Challenges {
		if x.Claim != c.ID || !x.Shown || !slices.Contains([]ChallengeStatus{Open, Defended, Dropped, Upheld}, x.Status) || x.Kind == Reconciling {
			continue
		}
		shows[voice(x.Attacker)] = true
		unanswered = unanswered || !x.Answered
	}
	return len(holds) < 2 || unanswered || len(shows) >= len(holds) && len(shows) > 0
}

// refuted reports whether parties of two families reject a claim with lines at its
// own.
func refuted(s State, c *Claim) bool {
	families := map[string]bool{}
	for _, k := range s.Book.Challenges {
		if k.Claim != c.ID || k.Kind != Rejecting {
			continue
		}
		for _, e := range k.Evidence {
			at := c.place()
			if e.CitationOK && e.Cite.Path == at.Path && e.Cite.Side == at.Side && e.Cite.EndLine >= at.StartLine-1 && e.Cite.StartLine <= at.EndLine+1 {
				families[s.Table.party(k.Attacker).Family] = true
			}
		}
	}
	return len(families) > 1
}

// lateIsNotEvaluated: a late claim is Agreed only with verified evidence
// that another party weighed, and Dismissed only if it is none of the debate's
// business at all: it is out of scope (R132), or a person dismissed it.
func lateIsNotEvaluated(p played) string {
	s := p.end()
	if !weighedAll(s) {
		return ""
	}
	for _, c := range s.Book.Claims {
		decisive := c.Verified() && len(c.ConfirmedBy) > 0
		switch {
		case !c.Late || c.SameAs != "" || decisive:
		case c.Bucket == Agreed, c.Bucket == Dismissed && c.Reason != ReasonOutOfScope && c.Reason != ReasonHuman:
			return fmt.Sprintf("claim %s is late and %s (%s)", c.ID, c.Bucket, c.Reason)
		}
	}
	return ""
}

// mergedOnce, on whole debates: a merged claim stays merged, its reporters
// are among those of the claim that stands for it, no severity is lost that it had by
// the word of its owner and with evidence that qualifies (R074, A06), and its owner's own
// words about it are not counted as somebody else's. What a report without evidence had
// raised it to is no such severity.
func mergedOnce(p played) string {
	for i, s := range p.states[1:] {
		for j, c := range p.states[i].Book.Claims {
			if j < len(s.Book.Claims) && c.SameAs != "" && s.Book.Claims[j].SameAs == "" {
				return fmt.Sprintf("event %d: claim %s is no longer merged into %s", s.N, c.ID, c.SameAs)
			}
		}
	}
	s := p.end()
	for _, c := range s.Book.Claims {
		live := s.Book.survivor(c.ID)
		if c.SameAs == "" {
			continue
		}
		for _, by := range c.ReportedBy {
			if !slices.Contains(live.ReportedBy, by) {
				return fmt.Sprintf("claim %s was reported by %s, and %s was not", c.ID, by, live.ID)
			}
		}
		weighed := live.Kind == Value || live.Owner == EngineParty // by all, or by the rule
		had := max(c.Severity.rank(), c.stated().rank())
		if had < live.Severity.rank() && qualified(c.Evidence) && live.AmendedTo+live.Softer == "" && !weighed {
			return fmt.Sprintf("claim %s is P%d with evidence, and %s, which stands for it, is %s", c.ID, had, live.ID, live.Severity)
		}
	}
	return ""
}

// positionsFollow: the versions of the position are 1, 2, ... and never
// change; each change of the disposition cites an ACCEPT or PARTIAL of a challenge
// that exists, another party's claim that the primary agrees to, or a change that
// it admits (R155). Who takes the place of a lost primary changes nothing of its own
// mind: it goes on with what it held itself, said or not (M19).
func positionsFollow(p played) string {
	for i, s := range p.states[1:] {
		before := p.states[i].Talk.Positions
		if len(s.Talk.Positions) < len(before) {
			return fmt.Sprintf("event %d: a position is gone", s.N)
		}
		for j := range before {
			if before[j].Disposition != s.Talk.Positions[j].Disposition || before[j].Version != s.Talk.Positions[j].Version {
				return fmt.Sprintf("event %d: version %d changed", s.N, j+1)
			}
		}
	}
	s := p.end()
	for i, v := range s.Talk.Positions {
		if v.Version != i+1 {
			return fmt.Sprintf("version %d stands at %d", v.Version, i+1)
		}
		for _, b := range v.Because {
			k, c := s.Book.challenge(b.Challenge), s.Book.claim(b.Challenge)
			admitted := b.Challenge == PositionSubject && b.Reason != "" // R155
			if !admitted && !p.tookOver(i) && (k == nil && c == nil || b.Move != Accept && b.Move != Partial) {
				return fmt.Sprintf("version %d follows from a %s of %s", v.Version, b.Move, b.Challenge)
			}
		}
		if i > 0 && v.Disposition != s.Talk.Positions[i-1].Disposition && len(v.Because) == 0 {
			return fmt.Sprintf("version %d is %s for no reason", v.Version, v.Disposition)
		}
	}
	return ""
}

// tookOver reports whether a version of the position is that of a party that took the
// place of another one, and says what the party held before.
func (p played) tookOver(version int) bool {
	at := slices.IndexFunc(p.states, func(s State) bool { return len(s.Talk.Positions) > version })
	v := p.states[at].Talk.Positions[version]
	if version == 0 || p.states[at].Talk.Positions[version-1].By == v.By {
		return false
	}
	held := func(s State) bool {
		seat := s.Table.seat(v.By)
		return seat != nil && seat.Option == v.Disposition
	}
	return slices.ContainsFunc(p.states[at-1:at+1], held)
}

// dissentSurvives: whatever the number of its opponents, a claim
// whose evidence qualifies is dismissed only because its owner gave it up or did
// not answer, because one attack cites evidence of a higher type, because it is
// about something else, or because a person says so.
func dissentSurvives(p played) string {
	s := p.end()
	if !weighedAll(s) {
		return ""
	}
	for _, c := range s.Book.Claims {
		if c.Bucket != Dismissed || !qualified(c.Evidence) {
			continue
		}
		fell := func(is func(k Challenge) bool) bool {
			return slices.ContainsFunc(s.Book.Challenges, func(k Challenge) bool { return k.Claim == c.ID && is(k) })
		}
		cause := true
		switch c.Reason {
		case ReasonConceded:
			cause = fell(func(k Challenge) bool { return k.Status == Conceded })
		case ReasonUndefended:
			cause = fell(func(k Challenge) bool { return k.Status == Undefended }) && !c.Verified()
		case ReasonRejected:
			execution := func(list []Evidence) bool {
				return slices.ContainsFunc(list, func(e Evidence) bool { return e.CitationOK && e.Type == Execution })
			}
			cause = !execution(c.Evidence) && fell(func(k Challenge) bool { return k.Status == Upheld && execution(k.Evidence) })
		case ReasonFixed:
			cause = c.Carried != ""
		case ReasonOutOfScope, ReasonHuman:
		default:
			cause = false
		}
		if !cause {
			return fmt.Sprintf("claim %s cites what is there and is dismissed as %s", c.ID, c.Reason)
		}
	}
	return ""
}
