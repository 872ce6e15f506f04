package debatetest

import (
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/report/reason"
)

// factsOf lists everything of a state that a transcript shows, in a fixed order.
func factsOf(s debate.State) facts {
	var f facts
	if s.Exchange > 0 {
		f.add("n", strconv.Itoa(s.Exchange), string(s.Phase()), when(s.Extended, "extended: "+reason.Sentence(s.ExtendedWhy)))
	}
	f.add("thin streak", when(s.ThinStreak > 0, strconv.Itoa(s.ThinStreak)), when(s.ThinStreak == 0 && s.Confrontations > 0, "0"))
	f.add("exit", string(s.Exit), when(!s.ExitWhy.IsZero(), "("+reason.Sentence(s.ExitWhy)+")"))
	f.add("target", string(s.Split.Target), when(s.Split.Downgraded, "downgraded"), when(s.Split.Question != "", "question: "+s.Split.Question))
	for _, seg := range s.Split.Segments {
		f.add("segment "+seg.ID, string(seg.Kind), seg.Path+":"+strconv.Itoa(seg.StartLine)+"-"+strconv.Itoa(seg.EndLine), seg.Heading)
	}
	for _, x := range s.Split.Chunks {
		f.add("chunk "+x.ID, strings.Join(x.Segments, " "))
	}
	for _, c := range s.Split.Coverage {
		f.add("coverage "+c.ID, string(c.Excluded), when(len(c.By) > 0, "read by "+strings.Join(c.By, " ")))
	}
	for _, t := range s.Triggers {
		f.add("trigger "+string(t.ID)+" "+t.Path, string(t.Class), named("waived", t.Waived))
	}
	for _, p := range s.Parties {
		f.add("party "+p.ID, string(p.Role), p.Family, string(p.Status), when(p.ID == s.Primary && p.Role != debate.Primary, "now primary"), when(p.Detail != "", "("+p.Detail+")"))
	}
	for _, seat := range s.Seats {
		f.add("seat "+seat.Party, string(seat.Engagement), when(seat.Suspect, "suspect"), when(seat.Substance, "substance"),
			when(seat.Pressed, "pressed"), named("option", seat.Option), count("failures", seat.Failures), count("drifts", seat.Drifts), when(seat.Lost, "lost"))
	}
	for _, m := range s.Missing {
		f.add("missing", m)
	}
	for _, c := range s.Claims {
		f.claim(c)
	}
	for _, k := range s.Challenges {
		f.challenge(k)
	}
	for _, c := range s.Carried {
		f.add("carried "+c.ID, string(c.Class), c.Claim, strings.Join(c.Answers, ", "))
	}
	for _, p := range s.Positions {
		f.position(p)
	}
	for _, a := range s.Assertions {
		f.add("asserted "+string(a.Trigger)+" by "+a.Party, named("about", a.Decision), evidence(a.Evidence), quoted(a.Reason))
	}
	for _, e := range s.Ledger {
		f.add("ledger "+e.ID, string(e.Tag)+":"+e.Source, named("about", e.Ref), when(e.Acknowledged, "acknowledged"), named("supersedes", e.Supersedes), quoted(e.Text))
	}
	for i, d := range s.Deltas {
		f.add("delta "+strconv.Itoa(i+1), d.Rater, strconv.Itoa(d.ValueBP)+"bp", strings.Join(d.Because, " "), when(!d.Counted, "not counted"))
	}
	for _, r := range s.Rounds {
		f.add("round "+strconv.Itoa(r.N), string(r.Phase), when(r.Thin, "thin"), named("unavailable", strings.Join(r.Unavailable, " ")),
			named("timeout", strings.Join(r.Timeouts, " ")), named("auth", strings.Join(r.AuthFailures, " ")),
			named("failed", strings.Join(r.OtherFailures, " ")), named("unreadable", strings.Join(r.ParseFailures, " ")),
			named("retried", strings.Join(r.Retries, " ")), when(!r.Route.IsZero(), "-> "+reason.Sentence(r.Route)))
	}
	for i, r := range s.Reviews {
		f.add("review "+strconv.Itoa(i+1), r.Party, quoted(joined(r.ProposalReview)))
	}
	for n, a := range s.Flags {
		again := when(n > 0, " again")
		for _, i := range a.Items {
			f.add("flag "+i.Claim+again, string(i.Flag), quoted(i.Note))
		}
		f.add("arbitration"+again, strconv.Itoa(a.FlaggedBP)+"bp", string(a.Action))
	}
	for _, d := range s.Decisions {
		f.decision(d)
	}
	f.add("outcome", string(s.Outcome), string(s.Confidence), when(s.Outcome != "", string(s.Disposition)))
	for _, w := range debate.Outstanding(s) {
		if w.Ask != nil {
			f.add("ask "+w.Ask.ID, when(w.Ask.Last, "last"), when(w.Ask.Format != "", "format: "+w.Ask.Format), when(!w.Ask.Last && w.Ask.Format == "", "."))
		}
	}
	return f
}

func (f *facts) claim(c debate.Claim) {
	f.add("claim "+c.ID, c.Owner, string(c.Severity), when(c.Asserted != c.Severity, "asserted as "+string(c.Asserted)),
		string(c.Category), string(c.Kind), evidence(c.Evidence), c.Segment, named("carries", c.Carried),
		when(c.NeedsEvidence, "needs_evidence"), when(c.Late, "late"), when(c.OutOfScope, "out_of_scope"), when(c.Reframe, "reframe"),
		when(c.NotDebated, "not_debated"), when(c.Extra, "extra"), when(c.Amended, "amended"), named("same_as", c.SameAs),
		named("limit", c.Limit), when(len(c.ReportedBy) > 1, "reported by "+strings.Join(c.ReportedBy, " ")), quoted(c.Title))
	for i, e := range c.Evaluations {
		f.add("claim "+c.ID+" weighed "+strconv.Itoa(i+1)+": "+e.Party+" at n="+strconv.Itoa(e.N), string(e.Class), string(e.View), when(e.Qualified, "cited"), when(e.Acknowledged, "acknowledged"), quoted(e.Flaw))
	}
	f.add("bucket "+c.ID, string(c.Bucket), string(c.Reason), when(len(c.ConfirmedBy) > 0 && c.Bucket != "", "confirmed by "+strings.Join(c.ConfirmedBy, " ")), named("crux", c.Crux))
}

func (f *facts) challenge(k debate.Challenge) {
	f.add("challenge "+k.ID, k.Attacker, "against", k.Defender, "on", k.Claim, string(k.Kind), string(k.Strength), when(k.Clarify, "clarify"), evidence(k.Evidence),
		string(k.Status), named("move", k.Move), count("rounds", k.RoundsOpen), when(k.Reminded, "reminded"), when(k.Escalated, "escalated"),
		when(k.Unexplained, "unexplained"), when(k.Retried, "retried"), named("deadlock", k.Deadlock), named("option", k.Option), quoted(k.Objection))
}

func (f *facts) position(p debate.Position) {
	var why []string
	for _, b := range p.Because {
		why = append(why, string(b.Move)+" "+b.Challenge)
	}
	f.add("position v"+strconv.Itoa(p.Version), p.By, string(p.Disposition), string(p.Confidence), when(len(why) > 0, "because "+strings.Join(why, ", ")), quoted(p.Summary))
}

func (f *facts) decision(d debate.Decision) {
	var options, stands, triggers []string
	for _, o := range d.Options {
		options = append(options, o.ID)
	}
	for _, o := range d.FinalOptions {
		stands = append(stands, o.Party+"="+o.Option)
	}
	for _, t := range d.Triggers {
		triggers = append(triggers, string(t.ID)+":"+string(t.Class))
	}
	key := "decision " + d.ID
	f.add(key, strings.Join(options, "|"), when(len(d.Claims) > 0, "about "+strings.Join(d.Claims, " ")), when(len(stands) > 0, "finally "+strings.Join(stands, " ")),
		when(d.ScopeCritical, "scope-critical"), when(d.Settled, "settled"), when(d.Critical, "critical"), when(len(triggers) > 0, "("+strings.Join(triggers, " ")+")"),
		named("recommends", d.Recommendation), when(d.Outcome != "", "-> "+string(d.Outcome)), when(len(d.Grouped) > 0, "and "+strings.Join(d.Grouped, "; ")), when(d.Why != "", "("+d.Why+")"))
	if r := d.Rubric; r != nil {
		var criteria, sums []string
		for _, c := range r.Criteria {
			criteria = append(criteria, c.ID+"="+strconv.Itoa(c.WeightBP))
		}
		for _, c := range r.Combined {
			sums = append(sums, c.Option+"="+strconv.Itoa(c.Sum))
		}
		f.add(key+" criteria", strings.Join(criteria, " "))
		f.add(key+" sums", strings.Join(sums, " "), named("winner", r.Winner), when(r.Tie, "tie"), when(r.Diverging, "diverging"), when(r.Why != "", "("+r.Why+")"))
		for _, sheet := range r.Sheets {
			f.add(key+" sheet of "+sheet.Party, when(sheet.Valid, "valid"), when(!sheet.Valid, "invalid: "+sheet.Why), when(sheet.Raw != "", "as it came"))
		}
	}
	if p := d.Panel; p != nil {
		for _, round := range p.Rounds {
			for _, v := range round.Votes {
				f.add(key+" vote "+strconv.Itoa(round.Round)+" of "+string(v.Judge), v.Option, named("was", v.ChangedFrom), when(!v.Valid, "invalid"), when(v.Note.Code != "", "("+strings.Join(append([]string{string(v.Note.Code)}, v.Note.Refs...), " ")+")"))
			}
		}
		f.add(key+" panel", string(p.Type), string(p.Outcome), p.Option, string(debate.PanelConfidence(*p)))
		for _, c := range p.Changes {
			f.add(key+" change of "+string(c.Judge), c.From, "->", c.To, quoted(c.Reason))
		}
	}
	if h := d.Human; h != nil {
		f.add(key+" human", string(h.Status), string(h.Sink), when(h.Reminded, "reminded"), named("by", h.By), named("option", h.Option), when(h.Self, "self"), quoted(h.Reason))
		for i, why := range h.Refused {
			f.add(key+" refused "+strconv.Itoa(i+1), why)
		}
	}
}

// joined puts the six parts of a review after one another.
func joined(r debate.ProposalReview) string {
	return strings.Join([]string{r.ProblemFraming, r.Assumptions, r.Tradeoffs, r.Alternatives, r.RiskControls, r.DecisionQuality}, "; ")
}

// evidence tells what was cited: ! could not be found, * is verified.
func evidence(list []debate.Evidence) string {
	var text []string
	for _, e := range list {
		at := e.Cite.String()
		if e.RunRef != "" {
			at = e.RunRef
		}
		text = append(text, at+when(!e.CitationOK, "!")+when(e.Verified, "*"))
	}
	if len(text) == 0 {
		return ""
	}
	return "[" + strings.Join(text, " ") + "]"
}

// quoted shortens a text to one line.
func quoted(text string) string {
	if text == "" {
		return ""
	}
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 100 {
		text = string(r[:100]) + "…"
	}
	return strconv.Quote(text)
}
