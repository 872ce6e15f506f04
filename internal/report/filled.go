package report

// filled is an envelope without a list that is nil, at any depth.
func filled(e Envelope) Envelope {
	for _, findings := range e.Lists() {
		*findings = list(*findings)
		for i := range *findings {
			f := &(*findings)[i]
			fill(&f.Evidence, &f.ReportedBy, &f.ConfirmedBy, &f.Duplicates, &f.Wordings)
			f.Challenges, f.Conversation = filledChallenges(f.Challenges), filledLines(f.Conversation)
		}
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
	for i := range e.Triggers {
		fill(&e.Triggers[i].By)
	}
	e.Decisions = list(e.Decisions)
	for i := range e.Decisions {
		e.Decisions[i].fill()
	}
	e.Positions = list(e.Positions)
	for i := range e.Positions {
		p := &e.Positions[i]
		fill(&p.Weaknesses, &p.Assumptions, &p.Claims)
		p.Because = list(p.Because)
	}
	e.Deltas = list(e.Deltas)
	for i := range e.Deltas {
		fill(&e.Deltas[i].Because)
	}
	e.Rounds = list(e.Rounds)
	for i := range e.Rounds {
		r := &e.Rounds[i]
		fill(&r.Raters, &r.Unrated, &r.Unavailable, &r.Timeouts, &r.AuthFailures, &r.OtherFailures, &r.ParseFailures, &r.Retries)
	}
	e.Arbitration = list(e.Arbitration)
	for i := range e.Arbitration {
		e.Arbitration[i].Flags = list(e.Arbitration[i].Flags)
	}
	e.Reviews, e.Calls, e.Alternatives = list(e.Reviews), list(e.Calls), list(e.Alternatives)
	e.Carried = list(e.Carried)
	for i := range e.Carried {
		fill(&e.Carried[i].Answers)
	}
	return e
}

func (d *Decision) fill() {
	fill(&d.Claims, &d.Grouped, &d.Agreements, &d.Disagreements)
	d.Options, d.Triggers, d.FinalOptions = list(d.Options), list(d.Triggers), list(d.FinalOptions)
	if d.Human != nil {
		human := *d.Human
		fill(&human.Refused)
		fill(&human.Quoted)
		fill(&human.Accepted)
		fill(&human.StillOpen)
		d.Human = &human
	}
	if d.Rubric != nil {
		r := *d.Rubric
		fill(&r.Tied)
		r.Criteria, r.Combined, r.Sheets = list(r.Criteria), list(r.Combined), list(r.Sheets)
		for i := range r.Sheets {
			r.Sheets[i].Scores = list(r.Sheets[i].Scores)
		}
		d.Rubric = &r
	}
	if d.Panel != nil {
		p := *d.Panel
		p.Distribution, p.Perspectives, p.Changes, p.Missing = list(p.Distribution), list(p.Perspectives), list(p.Changes), list(p.Missing)
		p.Rounds = list(p.Rounds)
		for i := range p.Rounds {
			p.Rounds[i].Votes = list(p.Rounds[i].Votes)
			for j := range p.Rounds[i].Votes {
				v := &p.Rounds[i].Votes[j]
				v.PerOption, v.Counters = list(v.PerOption), list(v.Counters)
				fill(&v.Hidden)
			}
		}
		d.Panel = &p
	}
}

func filledChallenges(in []Challenge) []Challenge {
	out := list(in)
	for i := range out {
		fill(&out[i].Evidence)
	}
	return out
}

func filledLines(in []Line) []Line {
	out := list(in)
	for i := range out {
		out[i].Cites = list(out[i].Cites)
	}
	return out
}

// list is a copy that is never nil.
func list[T any](in []T) []T { return append([]T{}, in...) }

func fill(lists ...*[]string) {
	for _, l := range lists {
		*l = list(*l)
	}
}
