package debate

import (
	"slices"
	"testing"
)

// TestQuestionProperties plays debates about a question with options.
func TestQuestionProperties(t *testing.T) {
	t.Parallel()
	var reached reach
	each(t, []property{
		{"a question touches no check and opens no issue", questionTouchesNothing},
		{"no consensus while a choice is open", openChoiceIsNoConsensus},
		{"the answer adds nothing", answerAddsNothing},
		{"who may write the answer is asked for it", func(p played) string { return answerIsAskedFor(p, &reached) }},
	}, question, 3)
	for _, way := range []string{"written", "unwritten", "open choice", "no debate"} {
		if reached.of[way] < *walks/300 {
			t.Errorf("%s: %d debates of %d", way, reached.of[way], *walks/3)
		}
	}
}

// question is a world in which a question is asked in the place of a change.
func question(seed int) *world {
	w := newWorld(seed)
	w.first.Inquiry = &Inquiry{Framing: pick(w.dice, Framings()...), Options: []Option{{ID: "a", Label: "one way"}, {ID: "b", Label: "another way"}}}
	w.first.Scope, w.first.Target, w.first.Previous = ScopeQuestion, TargetProposal, Previous{}
	w.first.Settings.Gate, w.first.Settings.FailOn = Advisory, FailNone
	w.hits, w.triggers, w.skip = nil, nil, ""
	return w
}

func questionTouchesNothing(p played) string {
	for _, s := range p.states[1:] {
		if c := s.Conclusion().Check; c != Neutral {
			return "its check says " + string(c)
		}
		for _, d := range s.Agenda.Decisions {
			if d.Human != nil && d.Human.AskedAt > 0 && d.Human.Sink == SinkIssue {
				return "an issue is opened for " + d.ID
			}
		}
	}
	return ""
}

func openChoiceIsNoConsensus(p played) string {
	s := p.end()
	if s.Ending.Outcome != Consensus {
		return ""
	}
	for _, d := range s.Agenda.Decisions {
		if !d.Settled {
			return "a consensus, and " + d.ID + " is open"
		}
	}
	return ""
}

func answerAddsNothing(p played) string {
	for i, e := range p.log {
		r, replied := e.Event.(Replied)
		if before, s := p.states[i], p.states[i+1]; replied && before.Stage == StageSumUp && s.Ending.Answer != nil {
			if len(s.Book.Claims) != len(before.Book.Claims) || len(s.Book.Challenges) != len(before.Book.Challenges) || len(s.Agenda.Assertions) != len(before.Agenda.Assertions) {
				return r.Ask + " adds to what was debated"
			}
			if s.Ending.Outcome != before.Ending.Outcome || s.Ending.Disposition != before.Ending.Disposition || s.Ending.Confidence != before.Ending.Confidence {
				return r.Ask + " changes the verdict"
			}
		}
	}
	return ""
}

// overrules reports whether a party holds the chosen option of a question, and the primary another
// one.
func overrules(s State, party string) bool {
	named := func(party string) string {
		last := ""
		for _, seat := range s.Table.Seats {
			for _, f := range seat.Options {
				if seat.Party == party && f.Decision == "D1" {
					last = f.Option
				}
			}
		}
		return last
	}
	for _, d := range s.Agenda.Decisions {
		own := named(s.Table.Primary)
		chosen := d.Outcome == Settled || d.Outcome == Adopted
		if d.ID == "D1" && len(s.Received.Inquiry.Options) > 0 && chosen && d.Offers(own) && own != d.Recommendation && named(party) == d.Recommendation {
			return true
		}
	}
	return false
}

func answerIsAskedFor(p played, reached *reach) string {
	for _, s := range p.states[1:] {
		if s.Stage != StagePublish || !stepEnters(s, StagePublish) {
			continue
		}
		up, due := s.Ending.Answer, s.Table.twoSided(s.Ending.Outcome) && (s.Ending.Outcome == Consensus || s.Ending.Outcome == Tradeoff)
		switch {
		case !due:
			reached.count("no debate")
		case up == nil:
			return "nobody was asked for the answer"
		case s.OpenChoice() != nil:
			reached.count("open choice")
		case up.Text == "":
			reached.count("unwritten")
		default:
			reached.count("written")
		}
		switch {
		case up == nil:
		case (up.Text == "") == up.Lack.IsZero():
			return "an answer and why there is none contradict each other"
		case up.By != s.Table.Primary && s.Table.sits(s.Table.Primary) && !overrules(s, up.By):
			return up.By + " writes the answer of " + s.Table.Primary
		case up.By == s.Table.Primary && slices.ContainsFunc(s.Table.Seats, func(seat Seat) bool { return s.Table.sits(seat.Party) && overrules(s, seat.Party) }):
			return up.By + " writes the answer, and another option was chosen"
		}
		return ""
	}
	return ""
}
