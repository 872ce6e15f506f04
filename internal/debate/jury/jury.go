// Package jury takes the votes of the judges of one decision and sums them up. Three judges
// look through a lens each, first without sight of the others; if they do not agree, they read
// each other and vote again. A change counts only if the judge says why.
//
//	First(replies) -> Round -> Count -> Panel -> NeedsSecondRound -> Second(replies) -> Round -> Count
//
// The result is only a recommendation. The package knows options by their ids alone, and
// nothing of the debate about them.
package jury

// Stance is the lens of a judge, its id at the same time (R178). It never changes
// (R190).
type Stance string

const (
	Risk   Stance = "risk"
	Value  Stance = "value"
	Effort Stance = "effort"
)

// Stances are the judges of a panel in display order.
func Stances() []Stance { return []Stance{Risk, Value, Effort} }

// Assessment is a judge's view of one option.
type Assessment struct {
	Option     string `json:"option"`
	Assessment string `json:"assessment,omitempty"`
	Score      int    `json:"score"` // 0..10, -1 if it gave none
}

// Convinced is a judge's reason for a changed vote (R185).
type Convinced struct {
	Judge    string `json:"judge"`
	Argument string `json:"argument"`
}

// Counter is a judge's argument against another judge.
type Counter struct {
	To   string `json:"to"`
	Text string `json:"text"`
}

// Vote is one judge's vote in one round. A reply has no change, validity and note yet.
type Vote struct {
	Judge       Stance
	Option      string // "": no recommendation
	Confidence  string // as the judge declares it
	Reason      string
	PerOption   []Assessment
	Counters    []Counter
	Hidden      []string
	ChangedFrom string
	ConvincedBy *Convinced
	Valid       bool // it counts
	Note        Note // why it does not count as it was given
}

// Note says why a vote does not count as given, with the judges or options concerned.
type Note struct {
	Code NoteCode
	Refs []string
}

// NoteCode is one reason why a vote does not count as it was given.
type NoteCode string

const (
	NoReply     NoteCode = "no_reply"
	NoOption    NoteCode = "no_option"   // Refs: the option it names instead
	Unconvinced NoteCode = "unconvinced" // it lacks the judge and the argument behind the change, or a reason of its own
	Uncountered NoteCode = "uncountered" // Refs: the judges without an answer from it
)

// Round is the votes of one round in the order of the stances.
type Round struct {
	Round int // 1 or 2
	Votes []Vote
}

// Type is how the panel voted (R182).
type Type string

const (
	Unanimous    Type = "UNANIMOUS"
	Majority     Type = "MAJORITY"
	NoMajority   Type = "NONE"
	Insufficient Type = "INSUFFICIENT"
)

// Outcome is the result of a panel.
type Outcome string

const (
	Recommended Outcome = "RECOMMENDED"
	Contested   Outcome = "CONTESTED"
)

// Panel is the judges' work on one decision.
type Panel struct {
	Rounds       []Round
	Consensus    bool
	Type         Type
	Option       string // recommended, "" if contested
	Distribution []Tally
	Perspectives []Perspective
	Changes      []Change
	Outcome      Outcome
	Missing      []Stance
}

// Tally counts the valid votes for one option.
type Tally struct {
	Option string
	Votes  int
}

// Perspective is one judge's reason for its last vote.
type Perspective struct {
	Judge  Stance
	Option string
	Reason string
}

// Change records a changed vote and its reason (R187).
type Change struct {
	Judge  Stance
	Round  int
	From   string
	To     string
	Reason string
}
