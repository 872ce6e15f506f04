package debate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/prdebate/debate/internal/lists"
)

// FileKey identifies the text shown to a reviewer for one file of a change: files with equal
// hashes look the same.
type FileKey struct {
	Path string `json:"path"`
	Hash string `json:"hash"`
}

// FileRead is a file read by every debater, and the head of that reading.
type FileRead struct {
	FileKey
	Head string `json:"head"`
}

// ReadBefore is the part of the change sent to every debater and answered on earlier heads of
// a pull request (M24). A file that looks the same on the next head counts as read there, for
// the same base and on the same terms.
type ReadBefore struct {
	Terms string     `json:"terms"`          // Received.Terms
	Base  string     `json:"base,omitempty"` // merge base
	By    []string   `json:"by,omitempty"`   // the debaters
	Files []FileRead `json:"files,omitempty"`
}

// Terms hashes everything an answer may depend on apart from the change: the protocol, the
// settings, the guidance of the repository, the goal of the change, and the panel.
func (r Received) Terms(panel []Party) string {
	type model struct {
		ID, Provider, Model, Family, Persona string
		Role                                 Role
	}
	var models []model
	for _, p := range panel {
		if p.Debates() && p.Debater == "" { // a second context follows from the others
			models = append(models, model{p.ID, p.Provider, p.Model, p.Family, p.Persona, p.Role})
		}
	}
	text, err := json.Marshal(struct {
		Protocol, Config, Language string
		Mode                       Mode
		Target                     Target
		Guidance                   []string
		Issue                      string `json:",omitempty"`
		Advice                     []Advice
		Models                     []model
	}{r.Protocol, r.Settings.ConfigHash, r.Language, r.Mode, r.Target, r.Guidance, r.Anchor.Issue, r.Advice, models})
	if err != nil { // of texts and lists alone
		panic(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Unchanged returns, by path, the heads on which files of a change were read: for files that
// look the same, on the same base and terms.
func (r ReadBefore) Unchanged(base, terms string, files []FileKey) map[string]string {
	heads := make(map[string]string)
	switch {
	case r.Base == "", r.Base != base, r.Terms != terms, len(r.By) == 0:
		return heads
	}
	read := make(map[FileKey]string, len(r.Files))
	for _, f := range r.Files {
		read[f.FileKey] = f.Head
	}
	for _, f := range files {
		if head := read[f]; head != "" {
			heads[f.Path] = head
		}
	}
	return heads
}

// reading returns the files read by every debater so far, on this head or an earlier one. A
// continued debate reads nothing: its parties read on the earlier terms.
func (s State) reading() ReadBefore {
	if s.Received.Recall != nil {
		return s.Received.Recall.ReadBefore
	}
	r := ReadBefore{Terms: s.Received.Terms(s.Table.Parties), Base: s.Snapshot.BaseSHA}
	asked := lists.Keep(s.Table.Parties, func(p Party) bool { return p.Debates() && p.Status != PartySameFamily })
	r.By = lists.Map(asked, func(p Party) string { return p.ID })
	unread, heads := make(map[string]bool), make(map[string]string)
	for _, c := range s.Split.Coverage {
		missing := func(party string) bool { return !slices.Contains(c.By, party) }
		if c.Excluded != NotExcluded || !c.Read() || slices.ContainsFunc(r.By, missing) {
			unread[c.Path] = true
		}
		heads[c.Path] = cmp.Or(c.Carried, heads[c.Path], s.Snapshot.HeadSHA)
	}
	for _, f := range s.Split.Files {
		if heads[f.Path] != "" && !unread[f.Path] {
			r.Files = append(r.Files, FileRead{FileKey: f, Head: heads[f.Path]})
		}
	}
	if len(r.Files) == 0 {
		return ReadBefore{}
	}
	return r
}

// carryable is the reading without the files that the next head must send again: those with an
// open matter, or with a result the next session does not begin with. An unfinished debate
// carries nothing.
func (m Memory) carryable() ReadBefore {
	open, r := m.openPaths(), m.ReadBefore
	r.Files = lists.Keep(r.Files, func(f FileRead) bool { return !open[f.Path] })
	undecided := func(d Decision) bool { return !d.disposes() && d.Open() } // proposed by a party
	switch {
	case !m.Ending.Outcome.debated(), m.Asking.Stopped, m.Forgotten > 0, slices.ContainsFunc(m.Agenda.Decisions, undecided), m.objected(), len(r.Files) == 0, open[""]:
		return ReadBefore{}
	}
	return r
}

// openPaths are the files that the next head must send again; "" is the whole change.
func (m Memory) openPaths() map[string]bool {
	open := make(map[string]bool)
	for _, t := range m.Agenda.Triggers {
		if t.Source == FromParty { // its party may not assert it again
			open[t.Path] = true
		}
	}
	for _, c := range m.Book.live() {
		rests := c.Bucket == Agreed && c.severe() // it rests on claims of parties, so they see its lines again
		if m.begins(*c) && !rests {
			continue
		}
		placed := slices.ContainsFunc(c.Evidence, func(e Evidence) bool { return e.Cite.Path != "" })
		if !placed && c.severe() {
			open[""] = true
		}
		for _, e := range c.Evidence {
			open[e.Cite.Path] = true
		}
	}
	return open
}

// begins reports whether the next session loses nothing of a claim: it begins with it,
// finds it again, or would not count it.
func (m Memory) begins(c Claim) bool {
	switch {
	case c.Bucket == Dismissed:
		return !slices.Contains([]Reason{ReasonHuman, ReasonKnown}, c.Reason) // a person may reverse the first, and an entry expires
	case c.Owner == EngineParty, c.Bucket == Agreed:
		return true
	}
	return c.Severity == P3
}

// objected reports whether a party has an objection to the change outside the findings carried
// to the next session.
func (m Memory) objected() bool {
	settled := []ChallengeStatus{Resolved, Conceded, Dissent}
	objects := func(k Challenge) bool { return k.toPosition() && !slices.Contains(settled, k.Status) }
	if slices.ContainsFunc(m.Book.Challenges, objects) || m.unfounded(m.Talk.Position().By, m.Talk.Position().Disposition) {
		return true
	}
	return slices.ContainsFunc(m.Table.Seats, func(seat Seat) bool { return m.unfounded(seat.Party, seat.Option) })
}

// unfounded reports whether a party is against the change without a finding carried to the
// next session.
func (m Memory) unfounded(party string, says Disposition) bool {
	if !worse(says, Keep) {
		return false
	}
	return !slices.ContainsFunc(m.Book.Agreed(), func(c Claim) bool {
		return c.severe() && slices.Contains(slices.Concat(c.ReportedBy, c.ConfirmedBy), party)
	})
}
