package pull

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// Memo is what a run leaves for the next one, sealed in the summary comment
// (S10): what the debate came to, and what the edge did about it.
type Memo struct {
	Version int           `json:"v"`
	Debate  debate.Memory `json:"debate"`
	Names   []Name        `json:"names,omitempty"` // every finding that was ever published
	NextF   int           `json:"next_f,omitempty"`
	Items   []Item        `json:"items,omitempty"`
	Handled []int64       `json:"handled,omitempty"` // comments whose command was carried out, the newest last
	Waived  []Waived      `json:"waived,omitempty"`
	Heads   int           `json:"heads,omitempty"` // reviewed heads, this one too
	CheckID int64         `json:"check,omitempty"`
	Status  bool          `json:"status,omitempty"`   // a commit status stands in for the check run
	Base    string        `json:"base,omitempty"`     // tip of the base branch whose change was reviewed
	BaseRef string        `json:"base_ref,omitempty"` // its branch
	Target  debate.Target `json:"target,omitempty"`   // that was asked for
	// Earlier is what the sessions before the one that Debate remembers cost, in
	// millionths of a US dollar; Unpriced: some of their calls have no known price.
	Earlier  int64 `json:"earlier,omitempty"`
	Unpriced bool  `json:"unpriced,omitempty"`
}

// spent is what all sessions on the pull request cost (S10).
func (m Memo) spent() (micro int64, unpriced bool) {
	micro, unpriced = m.Debate.Spent()
	return micro + m.Earlier, unpriced || m.Unpriced
}

// Name is the F id of a finding, which people know it by (S11).
type Name struct {
	F     string `json:"f"`
	Key   string `json:"key"`
	Claim string `json:"claim,omitempty"` // in the session that Debate remembers
	Gone  bool   `json:"gone,omitempty"`
}

// Item is where a human item stands on GitHub.
type Item struct {
	Decision    string      `json:"d"`
	Fingerprint string      `json:"fp"`
	Sink        debate.Sink `json:"sink"`
	Issue       int         `json:"issue,omitempty"`
	URL         string      `json:"url,omitempty"`
	Head        string      `json:"head"`               // printed in the item: an answer binds to it (S08)
	AskedAt     int64       `json:"asked"`              // Unix milliseconds
	Answered    int64       `json:"answered,omitempty"` // the latest event that was answered, Unix milliseconds
	Recreated   bool        `json:"recreated,omitempty"`
}

// Waived binds a waiver to the head that it was first seen on.
type Waived struct {
	Comment int64  `json:"comment"`
	Head    string `json:"head"`
}

const (
	memoVersion = 1
	maxHandled  = 300
	statePage   = "summary" // what the seal is bound to
)

func bind(p gh.Pull) comment.Bind {
	return comment.Bind{RepositoryID: p.Repository.ID, Number: p.Number, Purpose: statePage}
}

// open reads the memo of a summary comment. Trusted is false where nothing seals
// it: then it names findings and nothing else (S10). A comment that somebody else
// edited holds nothing (T41).
func openMemo(key []byte, p gh.Pull, c *gh.Comment) (memo Memo, trusted bool, note string) {
	if c == nil {
		return Memo{}, false, ""
	}
	if c.Edited && c.EditedBy.Login != c.Author.Login {
		return Memo{}, false, "the summary was edited by " + c.EditedBy.Login + "; what it held is not used, and it is written anew"
	}
	data, trusted, err := comment.Open(key, bind(p), c.Body)
	switch {
	case errors.Is(err, comment.ErrNoSeal):
		return Memo{}, false, ""
	case err != nil:
		return Memo{}, false, err.Error()
	}
	if err := json.Unmarshal(data, &memo); err != nil || memo.Version != memoVersion || memo.Debate.Protocol != debate.ProtocolVersion {
		return Memo{}, false, "the state in the summary is of another version of debate; this head is reviewed anew"
	}
	return memo, trusted, ""
}

// seal writes a memo as a hidden block, with as much prose as finds room.
func (m Memo) seal(key []byte, p gh.Pull) (string, error) {
	m.Version = memoVersion
	for level := 0; ; level++ {
		pruned := m
		pruned.Debate = m.Debate.Prune(level)
		data, err := json.Marshal(pruned)
		if err != nil {
			return "", fmt.Errorf("encode the state of the debate: %w", err)
		}
		block, err := comment.Seal(key, bind(p), data)
		if err == nil || !errors.As(err, new(*comment.TooLargeError)) || level >= debate.MaxPrune {
			return block, err
		}
	}
}

func (m *Memo) handled(id int64) bool { return slices.Contains(m.Handled, id) }

func (m *Memo) handle(id int64) {
	if m.handled(id) {
		return
	}
	m.Handled = append(m.Handled, id)
	if n := len(m.Handled) - maxHandled; n > 0 {
		m.Handled = slices.Delete(m.Handled, 0, n)
	}
}

// claim is the claim of the remembered session that a finding is called by, "" if
// there is none.
func (m *Memo) claim(f string) string {
	for _, n := range m.Names {
		if n.F == f {
			return n.Claim
		}
	}
	return ""
}

// called is the F id of a claim of the remembered session, "" if it has none.
func (m *Memo) called(claim string) string {
	for _, n := range m.Names {
		if n.Claim == claim && claim != "" {
			return n.F
		}
	}
	return ""
}

// keyed is the F id of a key, "" if it was never published.
func (m *Memo) keyed(key string) string {
	for _, n := range m.Names {
		if n.Key == key {
			return n.F
		}
	}
	return ""
}
