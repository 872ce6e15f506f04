package debate

import "slices"

// Role of a party.
type Role string

// The roles.
const (
	Primary    Role = "primary"
	Challenger Role = "challenger"
	Judge      Role = "judge"
	Arbiter    Role = "arbiter"
)

// PartyStatus is whether a party can take part.
type PartyStatus string

// The statuses of a party.
const (
	PartyOK         PartyStatus = "ok"
	PartyTimeout    PartyStatus = "timeout"
	PartyAuth       PartyStatus = "auth"
	PartyNotFound   PartyStatus = "not_found"
	PartyParse      PartyStatus = "parse"
	PartyQuality    PartyStatus = "quality"
	PartyError      PartyStatus = "error"
	PartySameFamily PartyStatus = "same_family" // may not challenge a primary of its own family
)

// Party is one participant of a debate. A judge's id is its stance; a judge and
// an arbiter may be served by the same model as a debater, in a fresh context.
type Party struct {
	ID       string      `json:"id"`
	Role     Role        `json:"role"`
	Provider string      `json:"provider,omitempty"`
	Model    string      `json:"model,omitempty"`
	Family   string      `json:"family,omitempty"`
	Persona  string      `json:"persona,omitempty"`   // e.g. skeptic
	Debater  string      `json:"debater,omitempty"`   // of a judge, an arbiter or a second context: the debater with the same model, "" for none
	TimeoutS int         `json:"timeout_s,omitempty"` // of one call; 0: the default
	Key      string      `json:"key,omitempty"`       // the variable of its key, "" if it needs none
	Status   PartyStatus `json:"status"`
	Detail   string      `json:"detail,omitempty"` // why it cannot take part
}

// failed reports whether a debater cannot take part, though it may.
func (p Party) failed() bool {
	return p.debates() && !slices.Contains([]PartyStatus{PartyOK, PartySameFamily}, p.Status)
}

// Engagement is the attitude in a challenger's verdict (R093).
type Engagement string

// The engagements. An abstention is no agreement.
const (
	Agrees    Engagement = "agree"
	Partially Engagement = "partial"
	Disagrees Engagement = "disagree"
	Abstains  Engagement = "abstain"
)

// Seat is the progress and the view of a party in the debate.
type Seat struct {
	Party      string
	Lost       bool    // it takes no further part
	Failures   int     // failed exchanges in a row
	Verdict    Verdict // as it declared it, the harshest of its chunks
	Engagement Engagement
	Substance  bool // its replies show a look at the change (R092)
	Drifts     int  // unacknowledged changes of mind
	SpokeAt    int  // number of the event of its last valid reply

	Option   Disposition // for D0, "" if it is silent; of the primary only a contradiction of its position
	OptionAt int         // event in which it named an option last
	Options  []FinalOption

	WhyDisagree    string
	RightIf        string
	CoreAssumption string
	TestableBy     string
}

// Needs is the evidence the party would need to choose otherwise for a decision, "" if it did
// not say.
func (s Seat) Needs(decision string) string {
	for _, f := range s.Options {
		if f.Decision == decision {
			return f.Needs
		}
	}
	return ""
}

func (s *Seat) party() string { return s.Party }

// healthy reports whether the party answered when it was asked last.
func (s *Seat) healthy() bool { return s.Active() && s.Failures == 0 }

// Active reports whether the party still debates.
func (s Seat) Active() bool { return !s.Lost }

// differs reports whether a party names another option for D0 than a position.
func (s *Seat) differs(at Disposition) bool { return s.Option != "" && s.Option != at }
