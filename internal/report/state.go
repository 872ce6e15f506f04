package report

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// FromState computes the envelope of a folded debate. It is the same from the end of the review
// on, before and after publishing. The path of the record is not in it: the caller sets it.
func FromState(s debate.State) Envelope {
	e := build(s, namesOf(&s))
	e.source = &s
	return e
}

// build is FromState with the given names.
func build(s debate.State, n names) Envelope {
	e := Envelope{
		SchemaVersion:  SchemaVersion,
		SessionID:      s.Received.SessionID,
		Target:         cmp.Or(s.Split.Target, s.Received.Target),
		Scope:          cmp.Or(s.Snapshot.Scope, s.Received.Scope),
		Mode:           s.Received.Mode,
		Outcome:        s.Ending.Outcome,
		Confidence:     s.Ending.Confidence,
		Disposition:    s.Ending.Disposition,
		Recommendation: s.Ending.Disposition,
		Missing:        s.Critique.Missing,
		Notices:        s.Critique.Notices,
		Coverage:       string(s.Coverage()),
		Notes:          notes(s),
		OutcomeReason:  n.sentence(s.Ending.OutcomeReason),
		Exit:           s.Talk.Exit,
		Forbidden:      s.Received.Settings.Forbidden,
		Waits:          s.Ending.OutcomeReason.Code == debate.WhyStranger,
		ExitWhy:        n.sentence(s.Talk.ExitWhy),
		SameFamily:     s.Table.SameFamily,
		About: About{
			Repository: s.Received.Anchor.Repo, PullRequest: s.Received.Anchor.PR, Title: s.Received.Anchor.Title,
			Base: s.Snapshot.BaseSHA, Head: s.Snapshot.HeadSHA, StartedAt: s.Clock.StartedAt, EndedAt: s.Clock.EndedAt,
		},
		Overview: overview(s, n),
		Inquiry:  inquiry(s, n),
		Alone:    s.Alone(),
		Stats:    stats(s, n),
	}
	var began int64 // of the first call
	if calls := s.Asking.Calls; len(calls) > 0 {
		began = slices.MinFunc(calls, func(a, b debate.Call) int { return cmp.Compare(a.Started, b.Started) }).Started
	}
	for _, c := range s.Asking.Calls {
		e.Calls = append(e.Calls, Call{
			Party: n.of(c.Party), Kind: c.Kind, N: c.N, Status: c.Status,
			StartedMS: c.Started - began, TookMS: max(0, c.Ended-c.Started), CostUSD: USD(c.Usage.CostMicro), CostUnknown: c.Usage.CostUnknown,
		})
	}
	for _, entry := range s.Book.Ledger {
		if entry.Alternative {
			e.Alternatives = append(e.Alternatives, Alternative{Party: n.of(entry.Source), Text: entry.Text})
		}
	}
	if HasDebate(e) {
		_, unsure := s.Sure()
		e.Doubts = lists.Map(unsure, func(d debate.Doubt) string { return doubts[d] })
		e.Unsaid = lists.Map(lists.Keep(unsure, func(d debate.Doubt) bool { return !slices.Contains(toldDoubts, d) }), func(d debate.Doubt) string { return doubts[d] })
	}
	if from, to := s.Snapshot.BaseSHA, s.Snapshot.HeadSHA; s.Snapshot.Scope == "range:"+from+".."+to {
		e.ScopeShort = "range:" + shortCommit(from) + ".." + shortCommit(to)
	}
	if s.Split.Question != "" {
		e.Question = &s.Split.Question
	}
	ruling := s.Conclusion()
	e.Conclusion, e.ConclusionWhy = ruling.Check, n.sentence(ruling.Why)
	e.Head, e.Next, e.For = ruling.Head, ruling.Next, ruling.For
	e.Reviews = lists.Map(s.Agenda.Reviews, func(r debate.Review) Review { return Review{Party: n.of(r.Party), ProposalReview: r.ProposalReview} })
	e.claims(s, n)
	e.history(s, n)
	e.parties(s, n)
	e.decisions(s, n)
	e.Lone = lists.Map(s.Agenda.Lone(), func(l debate.Lone) Lone {
		return Lone{Party: n.of(l.Party), Trigger: l.Trigger, Path: l.At.Path, Side: l.At.Side, Line: l.At.StartLine, Reason: l.Reason}
	})
	return ready(e)
}

// ready completes all parts of an envelope: no list is nil, and secrets are withheld.
func ready(e Envelope) Envelope {
	e = filled(e)
	e.withhold()
	e.Summary = cmp.Or(e.Summary, Lead(e, Counted(e)))
	return e
}

// notes has the facts about a review other than its findings.
func notes(s debate.State) []string {
	list := slices.Concat(s.Received.Notes, s.Snapshot.Notes, Present(s.Split.Assumption))
	if s.Critique.Omitted > 0 {
		list = append(list, "not listed: "+Count(s.Critique.Omitted, "more finding")+" of the built-in rules")
	}
	unsearched := slices.ContainsFunc(s.Asking.Looks, func(l debate.Looked) bool {
		return slices.ContainsFunc(l.Seen, func(seen debate.Seen) bool { return seen.Why == debate.LookNoSearch })
	})
	if unsearched {
		list = append(list, "the reviewers wanted to search the repository, which was not possible here")
	}
	for _, k := range s.Overdue() { // an expired entry of the settings
		list = append(list, "the known finding "+cmp.Or(OneLine(k.Rule), inQuotes(k.Snippet))+" in the settings expired on "+OneLine(k.Until)+" and is shown again")
	}
	return list
}

func stats(s debate.State, n names) Stats {
	st := Stats{
		Files: s.Split.Totals.Files, Additions: s.Split.Totals.Additions, Deletions: s.Split.Totals.Deletions,
		Segments: len(s.Split.Segments), DurationMS: s.Clock.EndedAt - s.Clock.StartedAt,
		Rounds: s.Talk.Exchange, Calls: len(s.Asking.Calls),
	}
	for _, c := range s.Asking.Calls {
		st.TokensIn += c.Usage.TokensIn
		st.TokensCached += c.Usage.TokensCached
		st.TokensOut += c.Usage.TokensOut
		st.CostUSD += USD(c.Usage.CostMicro)
		st.CostUnknown = st.CostUnknown || c.Usage.CostUnknown
	}
	debated := HasDebate(Envelope{Outcome: s.Ending.Outcome})
	unseen, missed := make(map[string]int), make(map[string]bool)            // changed lines by their text
	closed, open := false, false                                             // to the built-in rules
	heads, readOn := []string{s.Snapshot.HeadSHA}, make(map[string][]string) // files by the head of their review
	grouped := map[string]bool{debate.BodyPath: true}                        // it is no file
	for _, c := range s.Split.Coverage {
		owed := Wrapped("", Capped(n.all(c.Owed), ", "), " did not answer about it")
		why := cmp.Or(string(c.Excluded), owed, "not reviewed by two models") + Wrapped(" (", c.Detail, ")") // one alone may have read it
		text := c.Path + ": " + why
		changed := c.Additions + c.Deletions
		switch c.Excluded {
		case debate.NotExcluded, debate.OutOfBudget, debate.TooLarge: // the rules read even parts too large for models
			open = true
		case debate.Binary, debate.Unreadable, debate.Submodule:
			closed = true
		}
		if c.Read() && !grouped[c.Path] {
			grouped[c.Path] = true
			head := cmp.Or(c.Carried, s.Snapshot.HeadSHA)
			heads, readOn[head] = append(heads, head), append(readOn[head], c.Path)
		}
		if c.Excluded.Excused() && !c.Read() {
			at := slices.IndexFunc(st.Excused, func(f Excused) bool { return f.Path == c.Path })
			if at < 0 {
				at, st.Excused = len(st.Excused), append(st.Excused, Excused{Path: c.Path, Why: c.Excluded})
			}
			st.Excused[at].Lines += changed
		}
		// The built-in rules also read the parts beyond the budget of the models.
		unread := !slices.Contains([]debate.Exclusion{debate.NotExcluded, debate.OutOfBudget}, c.Excluded)
		if unread && !c.Read() {
			unseen[text] += changed
		}
		if debated && !c.Excluded.Excused() && !c.Read() { // not all models reviewed it, and policy does not excuse it (M24)
			missed[c.Path] = true
			if !unread {
				st.Unreviewed, st.Causes = append(st.Unreviewed, text), append(st.Causes, why)
				st.Parts = append(st.Parts, Place(Finding{Path: c.Path, Line: c.StartLine, EndLine: c.EndLine, Side: c.Side})+": "+why)
			}
		}
	}
	if heads = lists.Once(heads); len(heads) > 1 { // else all were on this head
		st.ReadOn = lists.Map(heads, func(head string) ReadOn { return ReadOn{Head: head, Files: readOn[head]} })
	}
	delete(missed, debate.BodyPath) // it is no file
	st.Missed, st.Blind = len(missed), closed && !open
	for text, lines := range unseen {
		st.NotReviewed = append(st.NotReviewed, text+countedLines(lines))
	}
	slices.Sort(st.NotReviewed)
	slices.Sort(st.Unreviewed)
	st.Unreviewed = slices.Compact(st.Unreviewed)
	st.Causes = lists.Once(st.Causes)
	return st
}

// countedLines says how many lines changed, "" if none did.
func countedLines(n int) string {
	if n == 0 {
		return ""
	}
	return ", " + Count(n, "line")
}
