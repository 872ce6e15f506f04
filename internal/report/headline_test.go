package report

import (
	"cmp"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// debated is a review by models, of whom each asks for an answer to the merge, "" for
// none.
func debated(d debate.Disposition, asks ...string) Envelope {
	heads := map[debate.Disposition]debate.Headline{debate.Keep: debate.HeadReady, debate.Revise: debate.HeadRevise, debate.Reject: debate.HeadReject}
	e := Envelope{Outcome: debate.Consensus, Recommendation: d, Coverage: "full", Stats: Stats{Files: 4}, Head: cmp.Or(heads[d], debate.HeadOpen)}
	d0 := Decision{ID: "D0", Outcome: debate.Settled, Recommendation: string(d)}
	for i, option := range asks {
		id := []string{"claude", "gpt", "gemini", "grok"}[i]
		role := debate.Challenger
		if i == 0 {
			role = debate.Primary
		}
		e.Parties = append(e.Parties, Party{ID: id, Role: string(role), Model: id + "-x", Family: id, Status: string(debate.PartyOK), Calls: 2})
		d0.FinalOptions = append(d0.FinalOptions, PartyOption{Party: id, Option: option})
	}
	e.Decisions = []Decision{d0}
	return e
}

// decidedIn is e with what became of the question about the merge.
func decidedIn(e Envelope, outcome debate.DecisionOutcome, h *Human) Envelope {
	e.Decisions[0].Outcome, e.Decisions[0].Human = outcome, h
	switch {
	case outcome == debate.HumanDecided:
		e.Head = debate.HeadDecided
	case h.Sink == debate.SinkSummary:
		e.Head = debate.HeadOpen
	default:
		e.Head = debate.HeadWaits
	}
	return e
}

// TestVerdicts: the first line and the sentences below it, for each situation in which a
// review can end. Every "all", "both" and "nobody" in them is what the models hold now.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	p1, p2 := Finding{ID: "F1", Severity: debate.P1, Title: "a"}, Finding{ID: "F2", Severity: debate.P2, Title: "b"}
	disputed := p1
	disputed.Challenges = []Challenge{{ID: "K1", By: "gpt", Status: debate.Upheld}}
	keep, revise, reject := string(debate.Keep), string(debate.Revise), string(debate.Reject)
	for _, c := range []struct {
		name string
		e    func() Envelope
		says string
		goes string
	}{
		{"nothing found", func() Envelope { return debated(debate.Keep, keep, keep, keep) },
			"no problems found", "claude, gpt and gemini read the whole change and would merge it as it is."},
		{"all agree on changes", func() Envelope {
			e := debated(debate.Revise, revise, revise)
			e.P1, e.P2 = []Finding{p1}, []Finding{p2}
			return e
		}, "changes needed", "2 findings confirmed. claude and gpt read the whole change and ask for changes."},
		{"one differs", func() Envelope {
			e := debated(debate.Revise, revise, revise, keep)
			e.Outcome, e.P1, e.Unresolved = debate.Tradeoff, []Finding{p1}, []Finding{disputed}
			return e
		}, "changes needed", "1 finding confirmed, 1 disputed. claude, gpt and gemini read the whole change; claude and gpt ask for changes, gemini would merge it as it is."},
		{"one says nothing", func() Envelope { return debated(debate.Keep, keep, "", keep) },
			"no problems found", "claude, gpt and gemini read the whole change; claude and gemini would merge it as it is, gpt gives no answer."},
		{"one agrees and shows nothing", func() Envelope {
			e := debated(debate.Revise, revise, revise, "")
			e.Decisions[0].FinalOptions = e.Decisions[0].FinalOptions[:2]
			e.Parties[2].Engagement, e.Parties[2].Verdict, e.P1 = debate.Abstains, debate.VerdictAgree, []Finding{p1}
			return e
		}, "changes needed", "1 finding confirmed. claude, gpt and gemini read the whole change; claude and gpt ask for changes, gemini agrees, but gives no evidence."},
		{"one would merge and shows nothing", func() Envelope {
			e := debated(debate.Revise, revise, revise, "")
			e.Decisions[0].FinalOptions = e.Decisions[0].FinalOptions[:2]
			e.Parties[2].Engagement, e.Parties[2].Option, e.P1 = debate.Abstains, debate.Keep, []Finding{p1}
			return e
		}, "changes needed", "1 finding confirmed. claude, gpt and gemini read the whole change; claude and gpt ask for changes, gemini would merge it as it is, but gives no evidence."},
		{"one asks for the same and shows nothing", func() Envelope {
			e := debated(debate.Revise, revise, revise, "")
			e.Decisions[0].FinalOptions = e.Decisions[0].FinalOptions[:2]
			e.Parties[2].Engagement, e.Parties[2].Option, e.P1 = debate.Abstains, debate.Revise, []Finding{p1}
			return e
		}, "changes needed", "1 finding confirmed. claude, gpt and gemini read the whole change; claude and gpt ask for changes, gemini asks for changes, but gives no evidence."},
		{"remarks", func() Envelope {
			e := debated(debate.Keep, keep, keep)
			e.P3 = []Finding{{ID: "F3", Severity: debate.P3}}
			return e
		}, "ready to merge, 1 remark", "1 finding confirmed. claude and gpt read the whole change and would merge it as it is."},
		{"raised too late", func() Envelope {
			e := debated(debate.Keep, keep, keep)
			e.NotEvaluated = []Finding{p1}
			return e
		}, "ready to merge, 1 remark", "1 finding not debated. claude and gpt read the whole change and would merge it as it is."},
		{"your call without a finding", func() Envelope {
			e := decidedIn(debated(debate.Keep, keep, keep), debate.AwaitingHuman, &Human{Sink: debate.SinkSummary})
			e.Outcome = debate.Tradeoff
			return e
		}, "the models would merge it as it is, your call", "claude and gpt read the whole change and would merge it as it is."},
		{"nothing read in full", func() Envelope {
			e := debated(debate.Keep, keep, keep)
			e.Head, e.Coverage, e.Stats = debate.HeadPartly, "partial", Stats{Files: 1, Missed: 1}
			return e
		}, "no file was reviewed in full", "claude and gpt answered and would merge it as it is."},
		{"reject", func() Envelope { return debated(debate.Reject, reject, reject) },
			"should not be merged", "claude and gpt read the whole change and would not merge it."},
		{"tie", func() Envelope {
			e := debated(debate.Continue, keep, revise)
			e.Outcome = debate.Tradeoff
			return e
		}, "the models disagree", "claude and gpt read the whole change; gpt asks for changes, claude would merge it as it is."},
		{"a P1 that some would let through", func() Envelope {
			e := debated(debate.Continue, keep, revise)
			e.Outcome, e.P1 = debate.Tradeoff, []Finding{p1}
			return e
		}, "a P1 is open", "1 finding confirmed. claude and gpt read the whole change; gpt asks for changes, claude would merge it as it is."},
		{"a P1 that all would let through", func() Envelope {
			e := debated(debate.Continue, keep, keep)
			e.Outcome, e.P1 = debate.Tradeoff, []Finding{p1}
			return e
		}, "a P1 is open", "1 finding confirmed. claude and gpt read the whole change and would merge it as it is."},
		{"a disputed P1 that all would let through", func() Envelope {
			e := debated(debate.Continue, keep, keep)
			e.Outcome, e.Unresolved = debate.Tradeoff, []Finding{disputed}
			e.Decisions[0].Basis, e.Decisions[0].Why = debate.WhyOpenP1, "F1 is an open P1"
			return e
		}, "a P1 is open", "1 finding disputed. claude and gpt read the whole change and would merge it as it is. F1 is an open P1."},
		{"changes that rest on nothing", func() Envelope {
			e := debated(debate.Revise, revise, revise)
			e.Unresolved, e.Decisions[0].Basis, e.Decisions[0].Why = []Finding{disputed}, debate.WhyBare, whys[debate.WhyBare]
			return e
		}, "changes needed", "1 finding disputed. claude and gpt read the whole change and ask for changes. No confirmed finding, accepted objection or check supports the recommendation."},
		{"a keep that rests on nothing", func() Envelope {
			e := debated(debate.Keep, keep, keep)
			e.Decisions[0].Basis, e.Decisions[0].Why = debate.WhyBare, "bare"
			return e
		}, "no problems found", "claude and gpt read the whole change and would merge it as it is. No model cites a line to support a merge."},
		{"an objection and no finding", func() Envelope {
			e := debated(debate.Revise, revise, revise)
			e.Decisions[0].Basis, e.Decisions[0].Why = debate.WhyGrants, "The objection of gpt was accepted: \"The log is shipped elsewhere\""
			e.Objections = []Challenge{{ID: "K1", By: "gpt", Status: debate.Conceded}}
			e.Positions = []Position{{By: "claude", Disposition: debate.Revise, Summary: "Log the id."}}
			return e
		}, "changes needed", "claude and gpt read the whole change and ask for changes. The objection of gpt was accepted: \"The log is shipped elsewhere\". claude: \"Log the id\"."},
		{"all ask for changes that nobody scored", func() Envelope {
			e := decidedIn(debated(debate.Continue, revise, revise), debate.AwaitingHuman, &Human{Sink: debate.SinkSummary})
			e.Outcome, e.P1 = debate.Tradeoff, []Finding{p1}
			return e
		}, "the models ask for changes, your call", "1 finding confirmed. claude and gpt read the whole change and ask for changes."},
		{"nobody answers", func() Envelope {
			e := debated(debate.Continue, "", "")
			e.Outcome = debate.Tradeoff
			return e
		}, "nothing is recommended", "claude and gpt read the whole change."},
		{"a disputed P1", func() Envelope {
			e := decidedIn(debated(debate.Keep, keep, revise), debate.AwaitingHuman, &Human{Sink: debate.SinkSummary})
			e.Outcome, e.Unresolved = debate.Tradeoff, []Finding{disputed}
			return e
		}, "the models disagree about a P1, your call", "1 finding disputed. claude and gpt read the whole change; gpt asks for changes, claude would merge it as it is."},
		{"an undisputed P1", func() Envelope {
			e := decidedIn(debated(debate.Keep, keep, revise), debate.AwaitingHuman, &Human{Sink: debate.SinkSummary})
			e.Outcome, e.Unresolved = debate.Tradeoff, []Finding{p1}
			return e
		}, "the models disagree, your call", "1 finding not confirmed. claude and gpt read the whole change; gpt asks for changes, claude would merge it as it is."},
		{"agreed on the merge, not on a finding", func() Envelope {
			e := decidedIn(debated(debate.Keep, keep, keep), debate.AwaitingHuman, &Human{Sink: debate.SinkSummary})
			e.Outcome, e.Unresolved = debate.Tradeoff, []Finding{p2}
			return e
		}, "1 finding left open, your call", "1 finding not confirmed. claude and gpt read the whole change and would merge it as it is."},
		{"waits", func() Envelope {
			return decidedIn(debated(debate.Revise, revise, revise), debate.AwaitingHuman, &Human{Sink: debate.SinkIssue})
		}, "waits for a decision", "claude and gpt read the whole change and ask for changes."},
		{"overruled", func() Envelope {
			e := decidedIn(debated(debate.Keep, revise, revise, revise), debate.HumanDecided, &Human{By: "bob", Option: keep, Reason: "we have a backup"})
			e.P1 = []Finding{p1}
			return e
		}, "bob decided: merge it as it is", "bob: \"we have a backup\". 1 finding confirmed. claude, gpt and gemini read the whole change and ask for changes."},
		{"overruled by one against two", func() Envelope {
			return decidedIn(debated(debate.Revise, keep, revise, keep), debate.HumanDecided, &Human{By: "bob", Option: revise})
		}, "bob decided: changes first", "claude, gpt and gemini read the whole change; gpt asks for changes, claude and gemini would merge it as it is."},
		{"one key", func() Envelope {
			e := debated(debate.Keep, keep, keep)
			e.Parties[1].ID, e.Decisions[0].FinalOptions[1].Party, e.SameFamily = "claude's second run", "claude's second run", true
			return e
		}, "no problems found", "claude and claude's second run read the whole change and would merge it as it is. Models from one maker tend to miss the same bugs."},
		{"one of two failed", func() Envelope {
			e := debated(debate.Keep, keep, keep, "")
			e.Parties[2].Lost, e.Parties[2].Detail, e.Parties[2].Status, e.Parties[2].Failed = true, "429: quota exceeded", string(debate.PartyError), 1
			return e
		}, "no problems found; gemini failed", "claude and gpt read the whole change and would merge it as it is. gemini failed (429: quota exceeded)."},
		{"one was refused", func() Envelope {
			e := debated(debate.Keep, keep, keep, "")
			e.Parties[2].Lost, e.Parties[2].Detail, e.Parties[2].Status, e.Parties[2].Failed = true, "401: invalid key", string(debate.PartyAuth), 2
			return e
		}, "no problems found; gemini failed", "claude and gpt read the whole change and would merge it as it is. gemini failed (401: invalid key)."},
		{"one answered and left, and another one went on twice", func() Envelope {
			e := debated(debate.Revise, "", revise, revise)
			e.Parties[0].Lost, e.Parties[0].Detail, e.Parties[0].Status, e.Parties[0].Failed = true, "no reply in time", string(debate.PartyTimeout), 1
			e.Parties[2].ID, e.Decisions[0].FinalOptions[2].Party = "gpt's second run", "gpt's second run"
			return e
		}, "changes needed; claude failed", "gpt and gpt's second run read the whole change and ask for changes. claude failed (no reply in time)."},
		{"two of three were refused alike", func() Envelope {
			e := debated(debate.Keep, keep, "", "")
			for i := range e.Parties[1:] {
				e.Parties[i+1].Lost, e.Parties[i+1].Detail, e.Parties[i+1].Status, e.Parties[i+1].Failed = true, "the key was refused", string(debate.PartyAuth), 2
			}
			return e
		}, "no problems found; gpt and gemini failed", "claude read the whole change and would merge it as it is. gpt and gemini failed (the API key or its account was refused)."},
		{"one contradicted itself", func() Envelope {
			e := debated(debate.Keep, keep, keep, "")
			e.Parties[2].Lost, e.Parties[2].Status, e.Parties[2].Drifts = true, string(debate.PartyQuality), 2
			return e
		}, "no problems found", "claude and gpt read the whole change and would merge it as it is. gemini was dropped: it changed its answer twice without giving a reason."},
		{"one cannot be read", func() Envelope {
			e := debated(debate.Keep, keep, keep, "")
			e.Parties[2].Lost, e.Parties[2].Detail, e.Parties[2].Status = true, "the reply cannot be read: there is no JSON object in it", string(debate.PartyQuality)
			e.Parties[2].Unread, e.Parties[2].Failed = true, e.Parties[2].Calls
			return e
		}, "no problems found; gemini failed", "claude and gpt read the whole change and would merge it as it is. gemini failed (the reply cannot be read: there is no JSON object in it)."},
		{"one cannot be read any more", func() Envelope {
			e := debated(debate.Keep, keep, keep, "")
			e.Parties[2].Lost, e.Parties[2].Status, e.Parties[2].Unread = true, string(debate.PartyQuality), true
			e.Parties[2].Detail, e.Parties[2].Failed = "the command wrote more than 1048576 bytes", 1
			return e
		}, "no problems found; gemini failed", "claude and gpt read the whole change and would merge it as it is. gemini failed (the command wrote more than 1048576 bytes)."},
		{"unchallenged", func() Envelope {
			e := debated(debate.Keep, keep)
			e.Outcome = debate.Unchallenged
			return e
		}, "reviewed by one model only: no problems found", "claude read the whole change and would merge it as it is."},
		{"partly read", func() Envelope {
			e := debated(debate.Keep, keep, keep)
			e.Head, e.Coverage, e.Stats = debate.HeadPartly, "partial", Stats{Files: 40, Missed: 28, Unreviewed: []string{"a.go: out of budget", "b.go: out of budget"}, Causes: []string{"out of budget"}}
			return e
		}, "only 12 of 40 files were reviewed in full", "The rest: out of budget. claude and gpt answered and would merge it as it is."},
		{"no key", func() Envelope { return Envelope{Head: debate.HeadUnread, Outcome: debate.DegradedLocal} },
			"not reviewed by a model: no API key is set", "The built-in rules, which need no model, found nothing."},
		{"an account that is not listed", func() Envelope {
			return Envelope{Head: debate.HeadUnread, Outcome: debate.DegradedLocal, Forbidden: debate.ForAccount}
		},
			"not reviewed by a model: this account may not ask one", "The built-in rules, which need no model, found nothing."},
		{"no money", func() Envelope {
			return Envelope{Head: debate.HeadUnread, Outcome: debate.DegradedLocal, Forbidden: debate.ForMoney}
		},
			"not reviewed by a model: the money for this month is spent", "The built-in rules, which need no model, found nothing."},
		{"no price", func() Envelope {
			return Envelope{Head: debate.HeadUnread, Outcome: debate.DegradedLocal, Forbidden: debate.ForPrice}
		},
			"not reviewed by a model: the price of a model is not known", "The built-in rules, which need no model, found nothing."},
		{"a refused key", func() Envelope {
			return Envelope{Head: debate.HeadUnread, Outcome: debate.DegradedLocal, P2: []Finding{p2}, Parties: []Party{{ID: "claude", Role: string(debate.Primary), Status: string(debate.PartyAuth), Detail: "ANTHROPIC_API_KEY was refused (401)"}}}
		}, "not reviewed by a model: claude failed (ANTHROPIC_API_KEY was refused (401))", "The built-in rules, which need no model, found 1 problem."},
		{"all keys refused", func() Envelope {
			refused := func(id, detail string) Party {
				return Party{ID: id, Role: string(debate.Challenger), Status: string(debate.PartyAuth), Detail: detail}
			}
			return Envelope{Head: debate.HeadUnread, Outcome: debate.DegradedLocal, Parties: []Party{refused("claude", "401 of one"), refused("gpt", "401 of another"), refused("gemini", "403")}}
		}, "not reviewed by a model: claude, gpt and gemini failed (the API key or its account was refused)", "The built-in rules, which need no model, found nothing."},
		{"a stranger", func() Envelope {
			e := debated(debate.Continue, "", "")
			e.Head = debate.HeadStranger
			e.Outcome, e.OutcomeReason, e.Waits = debate.DegradedLocal, (names{}).sentence(debate.Why{Code: debate.WhyStranger}), true
			return e
		}, "waiting for a maintainer", "Comment `/debate run` to start the review. The built-in rules, which need no model, found nothing."},
		{"no key, and a decision", func() Envelope {
			e := Envelope{Head: debate.HeadWaits, Outcome: debate.DegradedLocal, Decisions: []Decision{{ID: "D0", Outcome: debate.AwaitingHuman}}}
			return e
		}, "waits for a decision", "Not reviewed by a model: no API key is set. The built-in rules, which need no model, found nothing."},
		{"one model alone", func() Envelope {
			e := debated(debate.Continue, "")
			e.Head, e.Outcome, e.Alone = debate.HeadAlone, debate.DegradedLocal, true
			return e
		}, "reviewed by one model only", "No other model has checked the findings of claude. The built-in rules, which need no model, found nothing."},
		{"two that could not debate", func() Envelope {
			e := debated(debate.Continue, "", "")
			e.Head, e.Outcome, e.Alone, e.OutcomeReason = debate.HeadAlone, debate.DegradedLocal, true, "the limit of 3 calls is reached"
			e.P2 = []Finding{{ID: "F1", Severity: debate.P2, ReportedBy: []string{"claude", "gpt"}}, {ID: "F2", Severity: debate.P2, Rule: "shell/chmod-777", ReportedBy: []string{debate.EngineParty}}}
			return e
		}, "reviewed, but not debated: the limit of 3 calls is reached", "No other model has checked the findings of claude and gpt. The built-in rules, which need no model, found 1 problem."},
		{"skipped", func() Envelope {
			return Envelope{Head: debate.HeadSkipped, Outcome: debate.Skipped, OutcomeReason: "documentation only", Stats: Stats{Files: 1}}
		},
			"not reviewed: documentation only", ""},
		{"nothing changed", func() Envelope {
			return Envelope{Head: debate.HeadEmpty, Outcome: debate.Skipped, OutcomeReason: "the change is empty"}
		},
			"nothing to review", ""},
		{"aborted", func() Envelope {
			return Envelope{Head: debate.HeadAborted, Outcome: debate.Aborted, OutcomeReason: "the disk is full"}
		},
			"the review could not be done", "The disk is full."},
		{"superseded", func() Envelope { return Envelope{Head: debate.HeadSuperseded, Outcome: debate.Superseded} },
			"stopped: the change has a newer commit", "The newer commit gets its own review."},
	} {
		e := c.e()
		if got := Headline(e); got != c.says {
			t.Errorf("%s: the verdict is %q, not %q", c.name, got, c.says)
		}
		if got := Lead(e, Counted(e)); got != c.goes {
			t.Errorf("%s: it goes on with\n%q, not\n%q", c.name, got, c.goes)
		}
	}
}

// TestCheckTitle: the title of the check counts what the verdict is about, once.
func TestCheckTitle(t *testing.T) {
	t.Parallel()
	keep, revise := string(debate.Keep), string(debate.Revise)
	p1, p3 := Finding{ID: "F1", Severity: debate.P1}, Finding{ID: "F3", Severity: debate.P3}
	for want, e := range map[string]Envelope{
		"no problems found":               debated(debate.Keep, keep, keep),
		"ready to merge, 1 remark (1 P3)": with(debated(debate.Keep, keep, keep), func(e *Envelope) { e.P3 = []Finding{p3} }),
		"ready to merge, 1 remark":        with(debated(debate.Keep, keep, keep), func(e *Envelope) { e.NotEvaluated = []Finding{p3} }),
		"changes needed (1 P1, 2 P3)": with(debated(debate.Revise, revise, revise), func(e *Envelope) {
			e.P1, e.P3 = []Finding{p1}, []Finding{p3, p3}
		}),
		"bob decided: merge it as it is (1 P1)": with(debated(debate.Keep, revise, revise), func(e *Envelope) {
			*e = decidedIn(*e, debate.HumanDecided, &Human{By: "bob", Option: keep})
			e.P1 = []Finding{p1}
		}),
		"a P1 is open (1 P3)": with(debated(debate.Continue, keep, keep), func(e *Envelope) { // which is disputed
			e.Outcome, e.P3, e.Decisions[0].Basis = debate.Tradeoff, []Finding{p3}, debate.WhyOpenP1
		}),
	} {
		if got, _, _ := CheckOutput(e, Pull{}, debate.Neutral, ""); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func with(e Envelope, change func(*Envelope)) Envelope {
	change(&e)
	return e
}

// TestOwnWords: what stands in quotes is what a model said, not what the debate puts
// before it.
func TestOwnWords(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"confronted", "contrarian_words", "strong_declared", "tie"} {
		if page := string(Markdown(FromState(played(t, name)))); strings.Contains(page, "it recommends") || strings.Contains(page, "it objects") {
			t.Errorf("%s:\n%s", name, page)
		}
	}
}

// TestSeveralThatCouldNotDebate: two models that opened and had no call left to check each
// other are neither one model nor none.
func TestSeveralThatCouldNotDebate(t *testing.T) {
	t.Parallel()
	e := debated(debate.Continue, "", "")
	e.Head, e.Outcome, e.Alone, e.OutcomeReason = debate.HeadAlone, debate.DegradedLocal, true, "the limit of 3 calls is reached"
	if got, want := Lead(e, ""), "No other model has checked the findings of claude and gpt. The built-in rules, which need no model, found nothing."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	e.Inquiry = &Inquiry{Answer: "yes", AnsweredBy: "claude"}
	if got, want := Headline(e), "answered, but not debated: the limit of 3 calls is reached"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
