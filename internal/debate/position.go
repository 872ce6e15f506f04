package debate

import "strconv"

// Position is one version of the primary's position. Versions are 1, 2, ... and
// none is ever changed (R106).
type Position struct {
	Version     int
	AfterN      int
	By          string // the primary at that time (S14)
	Disposition Disposition
	Summary     string
	Confidence  Declared
	Weaknesses  []string
	Assumptions []string
	Claims      []string // ids of the claims that the primary holds
	Because     []Because
}

// Because is the reason and the source of one change of the position.
type Because struct {
	Challenge string
	Party     string
	Move      Move
	Reason    string
}

// positioned tells that the primary has taken a position, or kept it.
func (m *reducer) positioned(p Position) {
	m.happened(Fact{Kind: PositionTaken, Who: p.By, About: "v" + strconv.Itoa(p.Version), Code: string(p.Disposition), Text: p.Summary})
}
