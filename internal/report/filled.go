package report

// filled is an envelope without a list that is nil, at any depth.
func filled(e Envelope) Envelope {
	for _, findings := range e.Lists() {
		*findings = list(*findings)
	}
	for f := range e.Findings() {
		fill(&f.Evidence, &f.ReportedBy, &f.ConfirmedBy, &f.NotWeighedBy, &f.Duplicates, &f.Wordings)
		f.Challenges, f.Conversation = filledChallenges(f.Challenges), filledLines(f.Conversation)
	}
	fill(&e.Doubts, &e.Missing, &e.Evidence, &e.BackendUnavailable, &e.Notes, &e.Stats.NotReviewed, &e.Stats.Unreviewed)
	if e.Inquiry != nil {
		q := *e.Inquiry
		fill(&q.Conditions)
		q.Holders = list(q.Holders)
		e.Inquiry = &q
	}
	e.Stats.ReadOn = list(e.Stats.ReadOn)
	e.Notices, e.Parties, e.Assumptions = list(e.Notices), list(e.Parties), list(e.Assumptions)
	e.Objections = filledChallenges(e.Objections)
	e.Triggers, e.Lone = list(e.Triggers), list(e.Lone)
	each(e.Triggers, func(t *Trigger) { fill(&t.By) })
	e.Decisions = list(e.Decisions)
	each(e.Decisions, (*Decision).fill)
	e.Positions = list(e.Positions)
	each(e.Positions, func(p *Position) {
		fill(&p.Weaknesses, &p.Assumptions, &p.Claims)
		p.Because = list(p.Because)
	})
	e.Deltas = list(e.Deltas)
	each(e.Deltas, func(d *Delta) { fill(&d.Because) })
	e.Rounds = list(e.Rounds)
	each(e.Rounds, func(r *Round) {
		fill(&r.Raters, &r.Unrated, &r.Unavailable, &r.Timeouts, &r.AuthFailures, &r.OtherFailures, &r.ParseFailures, &r.Retries)
	})
	e.Arbitration = list(e.Arbitration)
	each(e.Arbitration, func(a *Arbitration) { a.Flags = list(a.Flags) })
	e.Reviews, e.Calls, e.Alternatives = list(e.Reviews), list(e.Calls), list(e.Alternatives)
	e.Carried = list(e.Carried)
	each(e.Carried, func(c *Carried) { fill(&c.Answers) })
	return e
}

func (d *Decision) fill() {
	fill(&d.Claims, &d.Grouped, &d.Agreements, &d.Disagreements)
	d.Options, d.Triggers, d.FinalOptions = list(d.Options), list(d.Triggers), list(d.FinalOptions)
	if d.Human != nil {
		human := *d.Human
		fill(&human.Refused, &human.Quoted, &human.Accepted, &human.StillOpen, &human.New)
		d.Human = &human
	}
	if d.Rubric != nil {
		r := *d.Rubric
		fill(&r.Tied)
		r.Criteria, r.Combined, r.Sheets = list(r.Criteria), list(r.Combined), list(r.Sheets)
		each(r.Sheets, func(s *Sheet) { s.Scores = list(s.Scores) })
		d.Rubric = &r
	}
	if d.Panel != nil {
		p := *d.Panel
		p.Distribution, p.Perspectives, p.Changes, p.Missing = list(p.Distribution), list(p.Perspectives), list(p.Changes), list(p.Missing)
		p.Rounds = list(p.Rounds)
		each(p.Rounds, func(r *PanelRound) {
			r.Votes = list(r.Votes)
			each(r.Votes, func(v *Vote) {
				v.PerOption, v.Counters = list(v.PerOption), list(v.Counters)
				fill(&v.Hidden)
			})
		})
		d.Panel = &p
	}
}

func filledChallenges(in []Challenge) []Challenge {
	out := list(in)
	each(out, func(k *Challenge) { fill(&k.Evidence) })
	return out
}

func filledLines(in []Line) []Line {
	out := list(in)
	each(out, func(l *Line) { l.Cites = list(l.Cites) })
	return out
}

// list is a copy that is never nil.
func list[T any](in []T) []T { return append([]T{}, in...) }

func fill(lists ...*[]string) {
	for _, l := range lists {
		*l = list(*l)
	}
}
