package cli

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/bench"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report"
)

// heldOf reads an ended debate: each member's opening, the confirmed findings and the
// disputed ones.
func heldOf(parties []debate.Party, s debate.State, log inMemory) bench.Held {
	replies := make(map[string]*debate.Reply)
	for _, e := range log {
		if ev, ok := e.Event.(debate.Replied); ok {
			replies[ev.Ask] = ev.Reply
		}
	}
	held := bench.Held{Debate: spent(s.Asking.Calls)}
	held.Debate.MS = log[len(log)-1].At - log[0].At
	for _, p := range parties {
		if isDebater(p) {
			held.Members = append(held.Members, heardOf(p, s.Asking.Calls, replies))
		}
	}
	for _, c := range s.Book.Claims {
		modelsOwn := slices.ContainsFunc(c.ReportedBy, func(who string) bool { return who != debate.EngineParty })
		switch {
		case c.SameAs != "", !modelsOwn: // a finding of the built-in rules alone is the same for all members
		case c.Bucket == debate.Agreed:
			held.Agreed = append(held.Agreed, findingOf(c, s.Book.Claims))
		case c.Bucket == debate.Unresolved && c.Reason != debate.ReasonUnproved:
			held.Disputed = append(held.Disputed, findingOf(c, s.Book.Claims))
		}
	}
	return held
}

// heardOf returns the findings of a member's own openings.
func heardOf(p debate.Party, calls []debate.Call, replies map[string]*debate.Reply) bench.Heard {
	h := bench.Heard{ID: p.ID}
	if p.Status != debate.PartyOK {
		h.Absent = p.Detail
		return h
	}
	answered := make(map[string]bool) // by the part of the change
	var own []debate.Call
	for _, c := range calls {
		opens := slices.Contains([]debate.CallKind{debate.CallOpen, debate.CallLocal}, c.Kind)
		if !opens || c.Party != p.ID {
			continue
		}
		own = append(own, c)
		reply := replies[c.Ask]
		answered[c.Chunk] = answered[c.Chunk] || reply != nil && c.Status == debate.CallOK
		if reply == nil {
			continue
		}
		for _, claim := range reply.Claims {
			h.Findings = append(h.Findings, reportedOf(claim))
		}
	}
	h.Answered = len(own) > 0
	for _, ok := range answered {
		h.Answered = h.Answered && ok
	}
	h.Spent = spent(own)
	return h
}

// spent adds up the cost and the time of calls.
func spent(calls []debate.Call) bench.Spent {
	var sum bench.Spent
	var began, ended int64
	for i, c := range calls {
		sum.CostMicro += report.USD(c.Usage.CostMicro)
		sum.CostUnknown = sum.CostUnknown || c.Usage.CostUnknown
		if i == 0 || c.Started < began {
			began = c.Started
		}
		ended = max(ended, c.Ended)
	}
	sum.MS = ended - began
	return sum
}

// reportedOf returns a finding as its member reported it, without a check of its citations.
func reportedOf(c debate.NewClaim) bench.Finding {
	f := bench.Finding{Severity: c.Severity, Title: c.Title, Text: c.Body}
	if !f.Severity.AtLeast(debate.P3) {
		f.Severity = debate.P3
	}
	for _, ref := range c.Refs {
		f.Places = append(f.Places, placesOf(ref.Citation)...)
	}
	return f
}

// findingOf returns a finding of the debate with the words and lines of its duplicates.
func findingOf(c debate.Claim, all []debate.Claim) bench.Finding {
	f := bench.Finding{Severity: c.Severity, Title: c.Title, Text: c.Body, Places: placesOf(c.Cite())}
	for _, one := range all {
		if one.ID != c.ID && one.SameAs != c.ID {
			continue
		}
		f.Text += "\n" + one.Title + "\n" + one.Body
		for _, e := range one.Evidence {
			if e.CitationOK {
				f.Places = append(f.Places, placesOf(e.Cite)...)
			}
		}
	}
	return f
}

// placesOf is the place of a citation, if it names one.
func placesOf(c debate.Citation) []bench.Place {
	if c.Path == "" || c.StartLine < 1 {
		return nil
	}
	return []bench.Place{{Path: c.Path, Side: cmp.Or(c.Side, debate.Right), Start: c.StartLine, End: max(c.StartLine, c.EndLine)}}
}
