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
	return p.Debates() && !slices.Contains([]PartyStatus{PartyOK, PartySameFamily}, p.Status)
}
