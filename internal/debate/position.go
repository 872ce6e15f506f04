package debate

import (
	"strconv"

	"github.com/prdebate/debate/internal/lists"
)

// Position is one version of the primary's position. Versions are 1, 2, ... and never change
// (R106).
type Position struct {
	Version     int
	AfterN      int
	By          string // the primary at that time
	Disposition Disposition
	Summary     string
	Confidence  Declared
	Weaknesses  []string
	Assumptions []string
	Claims      []string // ids of the primary's claims
	Because     []Because
}

// Because is the reason and the source of one change of the position.
type Because struct {
	Challenge string
	Party     string
	Move      Move
	Granted   string `json:",omitempty"` // the words of the objection, if no option says what was granted
	Reason    string
}

// takes adds the next version of the position, after exchange n, with the claims of its author.
func (m *reducer) takes(p Position, n int) {
	p.Version, p.AfterN = len(m.Talk.Positions)+1, n
	p.Claims = m.Book.claimsThat(func(c *Claim) bool { return c.Owner == p.By })
	m.Talk.Positions = append(m.Talk.Positions, p)
	m.happened(Fact{Kind: PositionTaken, Who: p.By, About: "v" + strconv.Itoa(p.Version), Code: string(p.Disposition), Text: p.Summary})
}

// Opened is a party's first word about the change, or one chunk of it, before it heard others.
type Opened struct {
	Party       string
	Chunk       string
	Disposition Disposition
	Summary     string
	Confidence  Declared
	Reasoning   []string
	Weaknesses  []string
	Assumptions []string
	Looked      bool // it cites valid lines
}

const maxReasons = 20 // of one opening

// opens keeps the opening of a party.
func (t *Talk) opens(x said) {
	r := x.Reply
	t.Openings = append(t.Openings, Opened{
		Party: x.Party, Chunk: x.Chunk, Disposition: statedOption(r), Summary: clip(r.Summary, maxText), Confidence: r.Confidence,
		Reasoning: reasonsOf(r.Reasoning), Weaknesses: reasonsOf(r.Weaknesses), Assumptions: reasonsOf(r.Assumptions),
		Looked: bringsReason([]said{x}),
	})
}

func reasonsOf(list []string) []string {
	return lists.Map(keep(list, maxReasons), func(text string) string { return clip(text, 1000) })
}
