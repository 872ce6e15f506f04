package pull

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/lists"
)

// Checkpoint is what a run leaves for the next one, sealed in the summary comment
// (S10): what the debate came to, and what the edge did about it.
type Checkpoint struct {
	Version int           `json:"v"`
	Debate  debate.Memory `json:"debate"`
	Names   []Name        `json:"names,omitempty"` // every finding that was ever published
	NextF   int           `json:"next_f,omitempty"`
	Items   []Item        `json:"items,omitempty"`
	Handled []CommandID   `json:"handled,omitempty"` // commands that were carried out, the newest last
	Debated []CommandID   `json:"debated,omitempty"` // disputes that were debated, the newest last
	Waived  []Waived      `json:"waived,omitempty"`
	// Dismissed binds dismissals to what their F id meant when they were first seen.
	Dismissed []Dismissed `json:"dismissed,omitempty"`
	// At is when the head was reviewed, by GitHub's clock, Unix milliseconds; 0: when
	// the summary was written.
	At int64 `json:"at,omitempty"`
	// Conclusion is that of the check, as if no other pull request had the same
	// head; Unchecked: the token could write no check run.
	Conclusion debate.Conclusion `json:"conclusion,omitempty"`
	Unchecked  bool              `json:"unchecked,omitempty"`
	Base       string            `json:"base,omitempty"`     // tip of the base branch whose change was reviewed
	BaseRef    string            `json:"base_ref,omitempty"` // its branch
	Target     debate.Target     `json:"target,omitempty"`   // that was asked for
	Narrow     bool              `json:"narrow,omitempty"`   // by an order for less than the settings say
	// Earlier is what the sessions before the one that Debate remembers cost, in
	// millionths of a US dollar; Unpriced: some of their calls have no known price.
	Earlier  int64 `json:"earlier,omitempty"`
	Unpriced bool  `json:"unpriced,omitempty"`
	Stub     bool  `json:"stub,omitempty"` // the debate found no room
	// Stranger: nobody who may cause costs asked for the session that Debate remembers
	// (S19).
	Stranger bool   `json:"stranger,omitempty"`
	By       string `json:"by,omitempty"` // account that wrote it
}

// spent is what all sessions on the pull request cost (S10).
func (m Checkpoint) spent() (micro int64, unpriced bool) {
	all := m.earlierCost()
	all.add(m.Debate.Asking.Calls)
	return all.micro, all.unpriced
}

// Name is the F id of a finding, which people know it by (S11).
type Name struct {
	F    string `json:"f"`
	Key  string `json:"key"`
	Gone bool   `json:"gone,omitempty"`
	// Severity is that of the finding, the last that it had.
	Severity debate.Severity `json:"severity,omitempty"`
}

// Item is where a human item stands on GitHub.
type Item struct {
	Decision    string      `json:"d"`
	Fingerprint string      `json:"fp"`
	Sink        debate.Sink `json:"sink"`
	Issue       int         `json:"issue,omitempty"`
	URL         string      `json:"url,omitempty"`
	Head        string      `json:"head"`               // printed in the item: an answer binds to it (S08)
	AskedAt     int64       `json:"asked"`              // as Checkpoint.At
	Answered    int64       `json:"answered,omitempty"` // the latest event that was answered, Unix milliseconds
	Recreated   bool        `json:"recreated,omitempty"`
	Told        bool        `json:"told,omitempty"`   // people who may not decide: that a closing decides nothing
	Text        string      `json:"text,omitempty"`   // of the question on the issue, see comment.Marker
	Heads       []string    `json:"heads,omitempty"`  // earlier ones with the same linked lines
	Before      *Before     `json:"before,omitempty"` // what was answered before it was asked again
	known       int64       // when the summary was written that says this, Unix milliseconds
}

// Before is an answer that a push has overtaken, and what it was about.
type Before struct {
	By     string   `json:"by"`
	Option string   `json:"option"`
	Head   string   `json:"head"`
	Hits   []string `json:"hits,omitempty"` // see hitsOf
}

// The bounds of what an item remembers.
const (
	maxHeads = 10
	maxHits  = 20
)

// The bounds of arguing with people and programs that undo what we write.
const ()

// CommandID names a command of a person.
type CommandID struct {
	Comment int64
	Nth     int // of the commands of the comment, from 0
}

// MarshalJSON writes the first command of a comment as the number of the comment, and
// another one as a pair of numbers.
func (s CommandID) MarshalJSON() ([]byte, error) {
	if s.Nth == 0 {
		return json.Marshal(s.Comment)
	}
	return json.Marshal([2]int64{s.Comment, int64(s.Nth)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *CommandID) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &s.Comment) == nil {
		return nil
	}
	var pair [2]int64
	err := json.Unmarshal(data, &pair)
	s.Comment, s.Nth = pair[0], int(pair[1])
	return err
}

// Waived binds a waiver to the head that it was first seen on.
type Waived struct {
	Comment int64  `json:"comment"`
	Nth     int    `json:"nth,omitempty"` // see CommandID
	Head    string `json:"head"`
}

func (w Waived) id() CommandID { return CommandID{w.Comment, w.Nth} }

// Dismissed is what a dismissal was about when it was first seen. F ids begin anew
// where the checkpoint is lost, so that the comment alone does not say (S11).
type Dismissed struct {
	Comment  int64           `json:"comment"`
	Nth      int             `json:"nth,omitempty"` // see CommandID
	F        string          `json:"f"`
	Text     string          `json:"text,omitempty"` // debate.Key; "": other findings are on the same text
	Severity debate.Severity `json:"severity,omitempty"`
}

func (d Dismissed) id() CommandID { return CommandID{d.Comment, d.Nth} }

// dismissal is what a dismissal of a finding is about, and whether anybody knows
// the finding.
func (m *Checkpoint) dismissal(by CommandID, f string) (Dismissed, bool) {
	name := m.named(f)
	d := Dismissed{Comment: by.Comment, Nth: by.Nth, F: f, Text: textOf(name.Key), Severity: cmp.Or(name.Severity, debate.P3)}
	others := func(n Name) bool { return n.F != f && textOf(n.Key) == d.Text }
	if slices.ContainsFunc(m.Names, others) {
		d.Text = ""
	}
	return d, name.Key != ""
}

// textOf is the part of a key that findings on the same text share.
func textOf(key string) string {
	text, _, _ := strings.Cut(key, "-")
	return text
}

const (
	checkpointVersion = 3
	maxHandled        = 300
)

// bind is what the seal of a checkpoint is bound to.
func bind(p gh.Pull) comment.Bind { return bindTo(p, "summary") }

func bindTo(p gh.Pull, purpose string) comment.Bind {
	return comment.Bind{RepositoryID: p.Repository.ID, Number: p.Number, Purpose: purpose}
}

// openCheckpoint reads the checkpoint of a summary comment. Trusted is false where nothing seals
// it: then it names findings and nothing else (S10). A comment that somebody else
// edited holds nothing.
func openCheckpoint(key []byte, p gh.Pull, c *gh.Comment) (checkpoint Checkpoint, trusted bool, note string) {
	if editedByOther(*c) {
		return Checkpoint{}, false, "the summary was edited by " + c.EditedBy.Login + "; what it held is not used, and it is written anew"
	}
	data, trusted, err := comment.Open(key, bind(p), c.Body)
	switch {
	case errors.Is(err, comment.ErrNoSeal):
		return Checkpoint{}, false, ""
	case err != nil:
		return Checkpoint{}, false, err.Error()
	}
	checkpoint, note, ok := readCheckpoint(data)
	if !ok {
		return Checkpoint{}, false, "the state in the summary is of another version of debate; this head is reviewed anew"
	}
	checkpoint.dateBy(*c)
	return checkpoint, trusted, note
}

// remember opens our summary. It counts for nothing once another account with the same key
// wrote one after it: only that one knows what people did since, and the change is reviewed
// anew. Assumed: another job finds out whether the key of today sealed a summary.
func (s *Snapshot) remember(assumed bool) (note string) {
	open := func(c gh.Comment) (Checkpoint, bool, string) {
		m, sealed, note := openCheckpoint(s.key, s.pull, &c)
		return m, sealed || assumed && m.Version != 0, note
	}
	s.summary = lists.Find(s.pull.Comments, ours(comment.SummaryMark)) // of several, because two runs met, the oldest
	s.checkpoint, s.sealed, note = open(s.summary)
	for _, c := range s.pull.Comments {
		isLater := written(c.CreatedAt, c.EditedAt) > written(s.summary.CreatedAt, s.summary.EditedAt)
		if s.summary.ID == 0 || !c.Author.Bot || c.Mine || c.Minimized || !isLater || !comment.IsMarked(c.Body, comment.SummaryMark) {
			continue
		}
		if m, sealed, _ := open(c); sealed && m.By == c.Author.Login {
			s.checkpoint, s.sealed = Checkpoint{}, false
			return c.Author.Login + " has reviewed this pull request since, so that it is reviewed anew"
		}
	}
	return note
}

// dateBy dates what happened when the summary was written. GitHub's clock says when
// that was: what people did is dated by it, and the runner's may be wrong.
func (m *Checkpoint) dateBy(summary gh.Comment) {
	at := written(summary.CreatedAt, summary.EditedAt)
	m.At = cmp.Or(m.At, at)
	for i := range m.Items {
		m.Items[i].AskedAt, m.Items[i].known = cmp.Or(m.Items[i].AskedAt, at), at
	}
}

// seal writes a checkpoint as a hidden block, with as much prose as finds room. Whole is
// false where there is none for the debate: a stub keeps what must not be forgotten.
func (m Checkpoint) seal(key []byte, p gh.Pull) (block string, whole bool, err error) {
	m.Version, m.By = checkpointVersion, p.Viewer
	for level := 0; ; level++ {
		pruned := m
		if whole = level <= debate.MaxPrune; whole {
			pruned.Debate = m.Debate.Prune(level)
		} else {
			pruned = m.stub()
		}
		data, err := json.Marshal(pruned)
		if err != nil {
			return "", false, fmt.Errorf("encode the state of the debate: %w", err)
		}
		block, err := comment.Seal(key, bind(p), data)
		if tooLarge := errors.As(err, new(*comment.TooLargeError)); !tooLarge || !whole {
			return block, whole, err
		}
	}
}

// stub is a checkpoint without its debate: which head was reviewed, what findings are
// called, what people were asked and decided, what was carried out, and what it cost.
func (m Checkpoint) stub() Checkpoint {
	m.Stub = true
	m.Earlier, m.Unpriced = m.spent()
	theirs := lists.Keep(m.Debate.Prune(debate.MaxPrune).Agenda.Decisions, isForPeople)
	kept := lists.Map(theirs, func(d debate.Decision) debate.Decision {
		return debate.Decision{
			ID: d.ID, Fingerprint: d.Fingerprint, Options: d.Options, Outcome: d.Outcome, LinkedHash: d.LinkedHash, Human: d.Human,
		}
	})
	m.Debate = debate.Memory{Protocol: m.Debate.Protocol, SessionID: m.Debate.SessionID, BaseSHA: m.Debate.BaseSHA, HeadSHA: m.Debate.HeadSHA, Agenda: debate.Agenda{Decisions: kept}}
	return m
}

// latest are the last of a list of what comments said, as many as are kept.
func latest[T any](list []T) []T { return list[max(0, len(list)-maxHandled):] }

func (m *Checkpoint) handled(s CommandID) bool { return slices.Contains(m.Handled, s) }

// handle notes that commands were carried out.
func (m *Checkpoint) handle(list ...CommandID) {
	m.Handled = slices.Clone(m.Handled)
	for _, s := range list {
		if !m.handled(s) {
			m.Handled = append(m.Handled, s)
		}
	}
	m.Handled = latest(m.Handled)
}

// named is the name of a finding by its F id, the zero name if it was never published.
func (m *Checkpoint) named(f string) Name {
	return lists.Find(m.Names, func(n Name) bool { return n.F == f })
}

// keyed is the name of a finding by its key, the zero name if it was never published.
func (m *Checkpoint) keyed(key string) Name {
	return lists.Find(m.Names, func(n Name) bool { return n.Key == key })
}

// claim is a finding in the session that Debate remembers, the zero value if it is not in it.
func (m *Checkpoint) claim(f string) debate.Claim {
	return lists.Find(m.Debate.Book.Claims, func(c debate.Claim) bool { return c.ID == f })
}

// disputable reports whether people see a finding.
func (m *Checkpoint) disputable(f string) bool {
	n := m.named(f)
	return n.F != "" && !n.Gone
}

// decision is the decision of the remembered session with a fingerprint, the zero value
// if it has none.
func (m *Checkpoint) decision(fingerprint string) debate.Decision {
	return decisionOf(m.Debate.Agenda.Decisions, fingerprint)
}

// with are the decisions of the remembered session that people have to do with, and
// that came to an outcome.
func (m *Checkpoint) with(outcome debate.DecisionOutcome) []debate.Decision {
	return lists.Keep(posed(m.Debate.Agenda.Decisions), func(d debate.Decision) bool { return d.Outcome == outcome })
}

// has reports whether a decision of the remembered session came to an outcome.
func (m *Checkpoint) has(outcome debate.DecisionOutcome) bool {
	return hasOutcome(m.Debate.Agenda.Decisions, outcome)
}

// awaits reports whether the remembered session waits for a person about a decision,
// about the only one where it is not named.
func (m *Checkpoint) awaits(decision string) bool {
	open := m.with(debate.AwaitingHuman)
	if decision == "" {
		return len(open) == 1
	}
	return slices.ContainsFunc(open, func(d debate.Decision) bool { return d.ID == decision })
}

// onlyOpen is the one decision that waits for a person, or else the one that people
// decided, so that they can change their mind; "" if there is none or several.
func (m *Checkpoint) onlyOpen() string {
	open := m.with(debate.AwaitingHuman)
	if len(open) == 0 {
		open = m.with(debate.HumanDecided)
	}
	if len(open) != 1 {
		return ""
	}
	return open[0].ID
}

// asked are the items about which the remembered session waits for a person.
func (m *Checkpoint) asked() []Item {
	return lists.Keep(m.Items, func(i Item) bool { return m.decision(i.Fingerprint).Outcome == debate.AwaitingHuman })
}

// item is the item of a decision, the zero value if it has none.
func (m *Checkpoint) item(fingerprint string) Item {
	return lists.Find(m.Items, func(i Item) bool { return i.Fingerprint == fingerprint })
}

// decisionOf is the decision with a fingerprint, the zero value if there is none.
func decisionOf(list []debate.Decision, fingerprint string) debate.Decision {
	return lists.Find(list, func(d debate.Decision) bool { return d.Fingerprint == fingerprint })
}

// posed are the decisions that were put to people.
func posed(list []debate.Decision) []debate.Decision {
	return lists.Keep(list, func(d debate.Decision) bool { return d.Human != nil })
}

// isForPeople reports whether people decided, or are to.
func isForPeople(d debate.Decision) bool {
	return slices.Contains([]debate.DecisionOutcome{debate.AwaitingHuman, debate.HumanDecided}, d.Outcome)
}

func hasOutcome(list []debate.Decision, outcome debate.DecisionOutcome) bool {
	return slices.ContainsFunc(list, func(d debate.Decision) bool { return d.Outcome == outcome })
}
