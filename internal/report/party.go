package report

import (
	"cmp"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Party is one participant and its state.
type Party struct {
	ID          string             `json:"id"`
	Role        string             `json:"role"`
	Provider    string             `json:"provider"`
	Model       string             `json:"model"`
	Family      string             `json:"family"`
	Status      string             `json:"status"`
	Detail      string             `json:"detail"`
	Persona     string             `json:"persona"`
	Debater     string             `json:"debater"` // of a judge or an arbiter: the party behind it
	Lost        bool               `json:"lost"`    // it left during the debate
	Engagement  debate.Engagement  `json:"engagement"`
	Option      debate.Disposition `json:"option"` // for D0, "" if it is silent
	Drifts      int                `json:"drifts"` // unadmitted changes of mind (R155)
	Calls       int                `json:"calls"`
	Failed      int                `json:"failed_calls"`
	Misread     int                `json:"not_understood"` // unknown members of its replies, and members with a value out of range
	TokensIn    int                `json:"tokens_in"`
	TokensOut   int                `json:"tokens_out"`
	CostUSD     USD                `json:"cost_usd"`
	CostUnknown bool               `json:"cost_unknown"`
	Reasoning   []string           `json:"reasoning"` // of its first answer, before it heard the others
	Checked     []Tried            `json:"checked"`
	Key         string             `json:"-"` // the variable of its key
	Verdict     debate.Verdict     `json:"-"` // on the first model's review
	Unread      bool               `json:"-"` // it left because its replies could not be read
}

// Tried is a case of failure that a party tried, on a finding or a part of the change.
type Tried struct {
	Finding  string  `json:"finding"` // "" for a part of the change
	Path     string  `json:"path"`    // of the part, "" if it names none
	Scenario string  `json:"scenario"`
	Cites    []Cited `json:"cites"`
}

// Assumption says why one party disagrees, and what would prove it wrong (R104, R105).
type Assumption struct {
	Party          string             `json:"party"`
	Option         debate.Disposition `json:"option"`
	WhyDisagree    string             `json:"why_disagree"`
	RightIf        string             `json:"right_if"`
	CoreAssumption string             `json:"core_assumption"`
	TestableBy     string             `json:"testable_by"`
}

func (e *Envelope) parties(s debate.State, n names) {
	for _, seat := range s.Table.Seats {
		a := Assumption{
			Party: n.of(seat.Party), Option: seat.Option,
			WhyDisagree: seat.WhyDisagree, RightIf: seat.RightIf, CoreAssumption: seat.CoreAssumption, TestableBy: seat.TestableBy,
		}
		if a != (Assumption{Party: a.Party, Option: a.Option}) {
			e.Assumptions = append(e.Assumptions, a)
		}
	}
	into := survivors(s.Book.Claims)
	reasoning, checked := make(map[string][]string), make(map[string][]Tried)
	for _, o := range s.Talk.Openings {
		reasoning[o.Party] = append(reasoning[o.Party], o.Reasoning...)
	}
	for _, step := range s.Steps {
		for _, f := range step.Facts {
			if f.Kind == debate.CaseTried && f.Text+strings.Join(cited(f.Cites), "") != "" {
				part := lists.Find(s.Split.Segments, func(seg debate.Segment) bool { return seg.ID == f.About })
				checked[f.Who] = append(checked[f.Who], Tried{Finding: into[f.About], Path: part.Path, Scenario: f.Text, Cites: citesOf(f.Cites)})
			}
		}
	}
	for _, p := range s.Table.Parties {
		seat := seatOf(s, p.ID)
		party := Party{
			ID: n.of(p.ID), Role: string(p.Role), Provider: p.Provider, Model: p.Model, Family: p.Family, Status: string(p.Status),
			Detail: p.Detail, Persona: p.Persona, Debater: n.of(p.Debater), Key: p.Key,
			Lost: seat.Lost, Engagement: seat.Engagement, Verdict: seat.Verdict, Option: seat.Option, Drifts: seat.Drifts,
			Reasoning: lists.Once(reasoning[p.ID]), Checked: checked[p.ID],
		}
		last := debate.CallOK
		for _, c := range s.Asking.Calls {
			if c.Party != p.ID {
				continue
			}
			last = c.Status
			party.Calls++
			if c.Status != debate.CallOK {
				party.Failed++
			}
			party.Misread += c.Ignored + len(c.Dropped)
			party.TokensIn += c.Usage.TokensIn
			party.TokensOut += c.Usage.TokensOut
			party.CostUSD += USD(c.Usage.CostMicro)
			party.CostUnknown = party.CostUnknown || c.Usage.CostUnknown
		}
		if last != debate.CallOK && p.Status != debate.PartyOK {
			party.Unread = party.Lost && p.Status == debate.PartyQuality
			party.Detail = cmp.Or(p.Detail, Failures[last]) // the provider may have said nothing
			if p.Detail != "" && last == debate.CallMalformed {
				party.Detail = Failures[last] + ": " + p.Detail
			}
		}
		e.Parties = append(e.Parties, party)
		why := party.Detail
		if party.Lost {
			why = "lost during the debate" + Wrapped(": ", why, "")
		}
		if why != "" || p.Status != debate.PartyOK {
			e.BackendUnavailable = append(e.BackendUnavailable, party.ID+Wrapped(": ", why, "")) // (R075)
		}
	}
}

// Failures has words for the failures of calls.
var Failures = map[debate.CallStatus]string{
	debate.CallTimeout: "no reply in time", debate.CallAuth: "the API key or its account was refused", debate.CallNotFound: "no such model",
	debate.CallRate: "too many requests", debate.CallOverloaded: "overloaded", debate.CallTooLong: "the request is too long",
	debate.CallRefused: "the answer was refused", debate.CallMalformed: "the reply could not be read", debate.CallError: "the call failed",
}

// failureOf is the failure of a call or a party in words.
func failureOf(status string) string {
	return cmp.Or(Failures[debate.CallStatus(status)], OneLine(status))
}

// CallNames are the names of calls for people.
var CallNames = map[debate.CallKind]string{
	debate.CallOpen: "opening", debate.CallLocal: "opening", debate.CallChallenge: "challenge", debate.CallRespond: "answer", debate.CallRebut: "reply",
	debate.CallArbiter: "second look", debate.CallJudge1: "vote", debate.CallJudge2: "vote", debate.CallScore: "scores", debate.CallSumUp: "summary",
}

// debates reports whether a party takes part in the debate itself.
func (p Party) debates() bool { return isDebater(debate.Role(p.Role)) }

// isDebater reports whether a role is that of a debater.
func isDebater(r debate.Role) bool { return r == debate.Primary || r == debate.Challenger }

// gone reports whether a debater failed before the end.
func (p Party) gone() bool {
	return p.debates() && p.Lost && p.Status != string(debate.PartySameFamily) && !p.dropped()
}

// dropped reports whether a model with readable answers was made to leave.
func (p Party) dropped() bool {
	return p.debates() && p.Lost && p.Status == string(debate.PartyQuality) && !p.Unread
}

// modelsRead has the models that answered about a change, in a debate up to its end.
func modelsRead(e Envelope) []string {
	debated := HasDebate(e)
	read := lists.Keep(e.Parties, func(p Party) bool { return p.debates() && p.Calls > p.Failed && !(debated && p.Lost) })
	return lists.Map(read, func(p Party) string { return p.ID })
}
