package debate

import (
	"cmp"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// Asking has the calls to parties, their cost, and the current wave.
type Asking struct {
	Calls   []Call   // in wave and party order
	Shown   []string // names of the texts in the record
	Looks   []Looked // of finished waves, in wave and party order
	Wave    *Wave    // the current one, or nil
	Stopped bool     // a person stopped the debate
	Tested  bool     `json:",omitempty"` // a later job ran the tests, and runs no more
}

// maxShown bounds the texts that a record keeps: one for each chunk, and a few more.
const maxShown = 1000

// shown notes the texts in the record. Nothing follows from them.
func (m *reducer) shown(ev Shown) string {
	a := &m.Asking
	if a.Wave == nil {
		return "no party is asked"
	}
	if len(ev.Texts) == 0 || len(a.Shown)+len(ev.Texts) > maxShown {
		return "it has no texts, or the record has too many"
	}
	for _, t := range ev.Texts {
		if slices.Contains(a.Shown, t.Hash) {
			return "the record holds this text"
		}
		a.Shown = append(a.Shown, t.Hash)
	}
	return ""
}

// asked reports whether an ask of this id was made before.
func (a *Asking) asked(id string) bool {
	return slices.ContainsFunc(a.Calls, func(c Call) bool { return c.Ask == id })
}

// Made are all calls that were made: those of finished waves, and those of the current one with
// a cost so far.
func (a Asking) Made() []Call {
	calls, wave := slices.Clone(a.Calls), cmp.Or(a.Wave, &Wave{})
	for i, ask := range wave.Asks {
		looks, spent, _ := wave.cost(ask)
		if r := wave.Replies[i]; r.Ask != "" || looks > 0 {
			calls = append(calls, Call{Ask: ask.ID, Party: ask.Party, Usage: r.Usage.plus(spent), Looks: looks})
		}
	}
	return calls
}

// Tells reports whether the record has the result of a turn (TurnID). A turn that was lost
// together with its program has none.
func (a Asking) Tells(turn string) bool {
	told := make(map[string]bool)
	tell := func(ask string, turns int) {
		for looked := range turns {
			told[TurnID(ask, looked)] = true
		}
	}
	for _, c := range a.Calls {
		tell(c.Ask, 1+LookTurns)
	}
	wave := cmp.Or(a.Wave, &Wave{})
	for i, ask := range wave.Asks {
		tell(ask.ID, len(wave.looksBefore(ask)))
		if wave.Replies[i].Ask != "" {
			tell(ask.ID, 1+LookTurns)
		}
	}
	return told[turn]
}

// dearest is the cost of the most expensive call so far, in millionths of a US dollar: the
// expected cost of the next one.
func (a Asking) dearest() int64 {
	most := int64(0)
	for _, c := range a.Calls {
		most = max(most, c.Usage.CostMicro)
	}
	return most
}

// Spent is the cost of all calls so far, in millionths of a US dollar, and whether some prices
// are unknown.
func (a Asking) Spent() (micro int64, unknown bool) {
	for _, c := range a.Calls {
		micro += c.Usage.CostMicro
	}
	return micro, slices.ContainsFunc(a.Calls, func(c Call) bool { return c.Usage.CostUnknown })
}

func (a Asking) clone() Asking {
	a.Calls, a.Shown, a.Looks = slices.Clip(a.Calls), slices.Clip(a.Shown), slices.Clip(a.Looks)
	a.Wave = lists.Copied(a.Wave, func(w *Wave) {
		w.Asks, w.Replies, w.Looks = slices.Clone(w.Asks), slices.Clone(w.Replies), slices.Clip(w.Looks)
	})
	return a
}

// CallKind is the purpose of a call to a party (Part 6 of the protocol).
type CallKind string

const (
	CallOpen      CallKind = "OPEN"
	CallLocal     CallKind = "LOCAL"
	CallChallenge CallKind = "CHALLENGE"
	CallRespond   CallKind = "RESPOND"
	CallRebut     CallKind = "REBUT"
	CallArbiter   CallKind = "ARBITER"
	CallJudge1    CallKind = "JUDGE1"
	CallJudge2    CallKind = "JUDGE2"
	CallScore     CallKind = "SCORE"
	CallSumUp     CallKind = "SUM_UP" // of a question: the final answer for people
)

// debates reports whether a call of this kind is part of the debate. Judges, scores and the
// arbiter come after it.
func (k CallKind) debates() bool {
	return slices.Contains([]CallKind{CallOpen, CallChallenge, CallRespond, CallRebut}, k)
}

// CallStatus is how a call ended.
type CallStatus string

// The statuses of a call. All but CallOK count as no reply.
const (
	CallOK         CallStatus = "ok"
	CallTimeout    CallStatus = "timeout"
	CallAuth       CallStatus = "auth"
	CallNotFound   CallStatus = "not_found"
	CallRate       CallStatus = "rate"
	CallOverloaded CallStatus = "overloaded"
	CallTooLong    CallStatus = "too_long"
	CallRefused    CallStatus = "refused"
	CallMalformed  CallStatus = "malformed" // the reply could not be read; its text is kept
	CallError      CallStatus = "error"
)

// ofParty is the status of a party after a call without a usable reply. A readable but empty
// reply counts as none.
func (s CallStatus) ofParty() PartyStatus {
	made := map[CallStatus]PartyStatus{
		CallTimeout: PartyTimeout, CallAuth: PartyAuth, CallNotFound: PartyNotFound, CallMalformed: PartyParse, CallOK: PartyParse,
	}
	return cmp.Or(made[s], PartyError)
}

// Reading is the step of the parse ladder used for a reply.
type Reading string

const (
	ReadJSON     Reading = "json"     // the reply is one JSON object
	ReadObject   Reading = "object"   // one JSON object inside text
	ReadSections Reading = "sections" // Markdown sections
	ReadWrapped  Reading = "wrapped"  // nothing could be read
)

// Ask is one outstanding model call. Its id comes from the log, so a repeated ask after a
// crash finds its earlier reply.
type Ask struct {
	ID       string
	Kind     CallKind
	Party    string
	N        int    // of the attempted exchange
	Chunk    string // of an OPEN or CHALLENGE over a change in several chunks (S13), else ""
	Decision string // of a JUDGE call, else ""
	Format   string // the fault in the reply that this ask repeats, "" for the first attempt (FORMAT)
	Last     bool   // the assumption fields are mandatory (R104, R105)
}

// Wave is a set of asks that start at once and are reduced together in party order, not
// in the order of the replies.
type Wave struct {
	Kind    CallKind
	N       int
	Asks    []Ask
	Replies []Replied // of the answered asks, in the order of Asks; zero value: none yet
	Looks   []Looked  // of the asks, as they came
}

// Call is one model call in the record.
type Call struct {
	Ask       string     `json:"ask"`
	Kind      CallKind   `json:"kind"`
	Party     string     `json:"party"`
	N         int        `json:"n"`
	Chunk     string     `json:"chunk,omitempty"`
	Status    CallStatus `json:"status"`
	Reading   Reading    `json:"reading,omitempty"`
	Retry     bool       `json:"retry,omitempty"` // a FORMAT retry
	Detail    string     `json:"detail,omitempty"`
	Started   int64      `json:"started"` // Unix milliseconds
	Ended     int64      `json:"ended"`
	Usage     Usage      `json:"usage"`             // its looks included
	Looks     int        `json:"looks,omitempty"`   // looks of its party before the answer
	Ignored   int        `json:"ignored,omitempty"` // unknown members of the reply
	Dropped   []string   `json:"dropped,omitempty"` // members with unknown values
	ReplyHash string     `json:"reply_hash,omitempty"`
}

// reads reports whether a call brought a reply from a party with the change in its packet.
func (c Call) reads() bool {
	return c.Status == CallOK && slices.Contains([]CallKind{CallOpen, CallChallenge}, c.Kind)
}

// Usage is the cost of one call.
type Usage struct {
	TokensIn     int   `json:"tokens_in"`
	TokensCached int   `json:"tokens_cached"` // of TokensIn
	TokensOut    int   `json:"tokens_out"`
	CostMicro    int64 `json:"cost_micro"`             // millionths of a US dollar
	CostUnknown  bool  `json:"cost_unknown,omitempty"` // no price is known: the cost is not 0 but unknown
}

// Replied is the result of one ask. It is recorded as it arrives; the wave is reduced when its
// last reply is there.
type Replied struct {
	Ask        string     `json:"ask"`
	Status     CallStatus `json:"status"`
	Reading    Reading    `json:"reading,omitempty"`
	Detail     string     `json:"detail,omitempty"` // of a failure, for people
	Reply      *Reply     `json:"reply,omitempty"`  // nil unless Status is ok
	Raw        string     `json:"raw,omitempty"`    // the reply as it came, redacted (R024)
	Ignored    int        `json:"ignored,omitempty"`
	Dropped    []string   `json:"dropped,omitempty"`
	PromptHash string     `json:"prompt_hash,omitempty"` // SHA-256 of the whole request, hex
	Sent       []string   `json:"sent,omitempty"`        // names of the sent texts: the system text, then the packet
	Turn       string     `json:"turn,omitempty"`        // the question after them
	Looked     []string   `json:"looked,omitempty"`      // names of the texts after it: the looks of its party
	ReplyHash  string     `json:"reply_hash,omitempty"`  // SHA-256 of the whole reply, hex
	Started    int64      `json:"started,omitempty"`     // Unix milliseconds
	Ended      int64      `json:"ended,omitempty"`
	Usage      Usage      `json:"usage"`
	Late       bool       `json:"late,omitempty"` // it came after its deadline: kept, never counted
}
