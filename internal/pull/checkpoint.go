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

// Checkpoint is the memory of a pull request between runs, sealed in the summary comment:
// the result of the debate and the acts of the edge.
type Checkpoint struct {
	Version int           `json:"v"`
	Debate  debate.Memory `json:"debate"`
	Names   []Name        `json:"names,omitempty"` // of every finding ever published
	NextF   int           `json:"next_f,omitempty"`
	Items   []Item        `json:"items,omitempty"`
	// Issue asks people, 0 if none does. Recreated: it replaces a lost one; that happens once.
	Issue     int         `json:"issue,omitempty"`
	Recreated bool        `json:"recreated,omitempty"`
	Handled   []CommandID `json:"handled,omitempty"` // commands already carried out, the newest last
	Waived    []Waived    `json:"waived,omitempty"`
	// Dismissed binds dismissals to the first meaning of their F id.
	Dismissed []Dismissed `json:"dismissed,omitempty"`
	// At is when the head was reviewed, by GitHub's clock, Unix milliseconds; 0: when
	// the summary was written.
	At int64 `json:"at,omitempty"`
	// Conclusion is that of the check, as if no other pull request had the same head.
	// Unchecked: the token could write no check run.
	Conclusion debate.Conclusion `json:"conclusion,omitempty"`
	Unchecked  bool              `json:"unchecked,omitempty"`
	Base       string            `json:"base,omitempty"`     // tip of the base branch of the reviewed change
	BaseRef    string            `json:"base_ref,omitempty"` // its branch
	Target     debate.Target     `json:"target,omitempty"`   // as requested
	Narrow     bool              `json:"narrow,omitempty"`   // by an order for less than the settings say
	cost                         // of the sessions before the one in Debate
	Stub       bool              `json:"stub,omitempty"` // the debate found no room
	// Stranger: no person who may cause costs asked for the session in Debate.
	Stranger bool  `json:"stranger,omitempty"`
	written  int64 // when the summary with it was, Unix milliseconds
}

// Name is the F id of a finding. People use it (S11).
type Name struct {
	F    string `json:"f"`
	Key  string `json:"key"`
	Gone bool   `json:"gone,omitempty"`
	// Severity is the last one of the finding.
	Severity debate.Severity `json:"severity,omitempty"`
}

// Item is a question on GitHub.
type Item struct {
	Decision    string `json:"d"`
	Fingerprint string `json:"fp"`
	Head        string `json:"head"`               // printed in the item: an answer binds to it
	AskedAt     int64  `json:"asked"`              // as Checkpoint.At
	Answered    int64  `json:"answered,omitempty"` // time of the latest answered event, Unix milliseconds
	Text        string `json:"text,omitempty"`     // of the question on the issue, see comment.Marker
}

// CommandID names a command of a person: the number of its comment, and its place among the
// commands of the comment, from 0.
type CommandID [2]int64

// Waived binds a waiver to the first head that a run saw it on.
type Waived struct {
	By   CommandID `json:"by"`
	Head string    `json:"head"`
}

// Dismissed is the subject of a dismissal when a run first saw it. F ids begin anew if
// the checkpoint is lost, so the comment alone does not say it (S11).
type Dismissed struct {
	By       CommandID       `json:"by"`
	F        string          `json:"f"`
	Text     string          `json:"text,omitempty"` // debate.Key; "": other findings are on the same text
	Severity debate.Severity `json:"severity,omitempty"`
	Copies   int             `json:"copies,omitempty"` // debate.Evidence.Copies
}

// dismissal is the subject of a dismissal, and whether the finding is known.
func (m *Checkpoint) dismissal(by CommandID, f string) (Dismissed, bool) {
	name := m.named(f)
	d := Dismissed{By: by, F: f, Text: textOf(name.Key), Severity: cmp.Or(name.Severity, debate.P3), Copies: m.claim(f).Copies()}
	others := func(n Name) bool { return n.F != f && textOf(n.Key) == d.Text }
	if slices.ContainsFunc(m.Names, others) {
		d.Text = ""
	}
	return d, name.Key != ""
}

// textOf is the part of a key that is the same for all findings on one text.
func textOf(key string) string {
	text, _, _ := strings.Cut(key, "-")
	return text
}

const (
	checkpointVersion = 5
	maxHandled        = 300
)

// bindTo binds a seal to its pull request and its purpose.
func bindTo(p gh.Pull, purpose string) comment.Bind {
	return comment.Bind{RepositoryID: p.Repository.ID, Number: p.Number, Purpose: purpose}
}

// openCheckpoint reads the checkpoint of a summary comment. Trusted is false if it has no
// valid seal: then only its names of findings are used. A comment edited by another
// account has no checkpoint.
func openCheckpoint(key []byte, p gh.Pull, c *gh.Comment) (checkpoint Checkpoint, trusted bool, note string) {
	if editedByOther(*c) {
		return Checkpoint{}, false, "the summary was edited by " + c.EditedBy.Login + "; what it held is not used, and it is written anew"
	}
	data, trusted, err := comment.Open(key, bindTo(p, "summary"), c.Body)
	switch {
	case errors.Is(err, comment.ErrNoSeal):
		return Checkpoint{}, false, ""
	case err != nil:
		return Checkpoint{}, false, err.Error()
	}
	// The fields of another version mean something else.
	if err := json.Unmarshal(data, &checkpoint); err != nil || checkpoint.Version != checkpointVersion || checkpoint.Debate.Protocol != debate.ProtocolVersion {
		var is bool
		if checkpoint, is = readEarlier(data); !is {
			return Checkpoint{}, false, "the summary is from another version of debate, so this commit is reviewed again"
		}
		note = "the summary is from an earlier version of debate: what people decided and dismissed is kept, and this commit is reviewed again"
	}
	checkpoint.dateBy(*c)
	return checkpoint, trusted, note
}

// dateBy sets the times of the checkpoint by the time of its summary. It uses the clock
// of GitHub, because that one dates the acts of people, and the clock of the runner may
// be wrong.
func (m *Checkpoint) dateBy(summary gh.Comment) {
	m.written = max(millis(summary.CreatedAt), millis(summary.EditedAt))
	m.At = cmp.Or(m.At, m.written)
	for i := range m.Items {
		m.Items[i].AskedAt = cmp.Or(m.Items[i].AskedAt, m.written)
	}
}

// seal writes a checkpoint as a hidden block: with its whole debate, or else with the short form.
// Whole is false if neither fits: then a stub keeps the essential facts.
func (m Checkpoint) seal(key []byte, p gh.Pull) (block string, whole bool, err error) {
	m.Version = checkpointVersion
	short := m
	short.Debate = m.Debate.Short()
	for _, form := range []Checkpoint{m, short, m.stub()} {
		data, err := json.Marshal(form)
		if err != nil {
			return "", false, fmt.Errorf("encode the state of the debate: %w", err)
		}
		block, err = comment.Seal(key, bindTo(p, "summary"), data)
		if tooLarge := errors.As(err, new(*comment.TooLargeError)); !tooLarge || form.Stub {
			return block, !form.Stub, err
		}
	}
	return block, false, err
}

// stub is a checkpoint without its debate. It keeps the reviewed head, the names of
// findings, the questions and decisions of people, the commands already carried out, and
// the cost.
func (m Checkpoint) stub() Checkpoint {
	m.Stub = true
	m.cost = m.spent()
	theirs := lists.Keep(m.Debate.Short().Agenda.Decisions, func(d debate.Decision) bool { return d.ForPeople() })
	kept := lists.Map(theirs, func(d debate.Decision) debate.Decision {
		return debate.Decision{
			ID: d.ID, Fingerprint: d.Fingerprint, Options: d.Options, Outcome: d.Outcome, LinkedHash: d.LinkedHash, Human: d.Human,
		}
	})
	m.Debate = debate.Memory{Protocol: m.Debate.Protocol, SessionID: m.Debate.SessionID, BaseSHA: m.Debate.BaseSHA, HeadSHA: m.Debate.HeadSHA, Agenda: debate.Agenda{Decisions: kept}}
	return m
}

// latest returns the last elements of a list, as many as a checkpoint keeps.
func latest[T any](list []T) []T { return list[max(0, len(list)-maxHandled):] }

func (m *Checkpoint) handled(s CommandID) bool { return slices.Contains(m.Handled, s) }

// handle notes commands as carried out.
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

// claim is a finding of the session in Debate, the zero value if it has none.
func (m *Checkpoint) claim(f string) debate.Claim {
	return lists.Find(m.Debate.Book.Claims, func(c debate.Claim) bool { return c.ID == f })
}

// disputable reports whether people see a finding.
func (m *Checkpoint) disputable(f string) bool {
	n := m.named(f)
	return n.F != "" && !n.Gone
}

// shown are the names of the visible findings.
func (m *Checkpoint) shown() []Name {
	return lists.Keep(m.Names, func(n Name) bool { return !n.Gone })
}

// unknown says that an id names no finding, and lists the ones there are.
func (m *Checkpoint) unknown(f string) string {
	ids := lists.Map(m.shown(), func(n Name) string { return n.F })
	text := "there is no finding " + f + " here"
	if len(ids) == 0 {
		return text
	}
	return text + ". There are " + strings.Join(ids[:min(len(ids), maxListed)], ", ")
}

// maxListed bounds the findings that a refusal lists.
const maxListed = 20

// decision is the decision of the remembered session with a fingerprint, the zero value
// if it has none.
func (m *Checkpoint) decision(fingerprint string) debate.Decision {
	return decisionOf(m.Debate.Agenda.Decisions, fingerprint)
}

// decisionOf is the decision with a fingerprint, the zero value if there is none.
func decisionOf(list []debate.Decision, fingerprint string) debate.Decision {
	return lists.Find(list, func(d debate.Decision) bool { return d.Fingerprint == fingerprint })
}

// posed are the decisions for people.
func posed(list []debate.Decision) []debate.Decision {
	return lists.Keep(list, func(d debate.Decision) bool { return d.Human != nil })
}

// inIssue are the decisions that await a person in an issue, the one about the merge first.
func inIssue(list []debate.Decision) []debate.Decision {
	return lists.Keep(posed(list), func(d debate.Decision) bool {
		return d.Outcome == debate.AwaitingHuman && d.Human.Sink == debate.SinkIssue
	})
}

// idsWith are the ids of the decisions with an outcome.
func idsWith(list []debate.Decision, outcome debate.DecisionOutcome) []string {
	return idsOf(lists.Keep(list, func(d debate.Decision) bool { return d.Outcome == outcome }))
}

// isOpen reports whether a decision is among open ones, "" for the only one.
func isOpen(decision string, open []string) bool {
	return slices.Contains(open, decision) || decision == "" && len(open) == 1
}

// idsOf are the ids of decisions.
func idsOf(list []debate.Decision) []string {
	return lists.Map(list, func(d debate.Decision) string { return d.ID })
}
