// Package report renders the result of a run, for people and for tools. All renderings start
// from one Envelope, computed from the folded record and from nothing else:
//
//	State ── FromState ──> Envelope ──> JSON, Markdown, comments on GitHub
//	                                ├─> html.Render
//	                                ├─> terminal.Text
//	                                └─> sarif.Render
//
// The sentences shared by several surfaces are here, too.
package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
)

// SchemaVersion of the JSON envelope. Adding a member does not raise it.
const SchemaVersion = 1

// Envelope is the result of a run: the output envelope (R055) with more for people and scripts.
// Every list is sorted and none is null in JSON. Its fields are the members of the JSON, a
// contract with scripts: docs/json.md.
type Envelope struct {
	SchemaVersion      int                `json:"schema_version"`
	SessionID          string             `json:"session_id"`
	Target             debate.Target      `json:"target"`
	Scope              string             `json:"scope"`
	ScopeShort         string             `json:"-"` // the same with short commits, if it is all between two of them
	Mode               debate.Mode        `json:"mode"`
	Outcome            debate.Outcome     `json:"outcome"`
	Confidence         debate.Confidence  `json:"confidence"`
	Doubts             []string           `json:"doubts"` // why the confidence is not higher
	Unsaid             []string           `json:"-"`      // those that no other line of a summary says
	Disposition        debate.Disposition `json:"disposition"`
	Recommendation     debate.Disposition `json:"recommendation"`
	Summary            string             `json:"summary"`
	P1                 []Finding          `json:"p1"`
	P2                 []Finding          `json:"p2"`
	P3                 []Finding          `json:"p3"`
	Unresolved         []Finding          `json:"unresolved"`
	Dismissed          []Finding          `json:"dismissed"`
	NotEvaluated       []Finding          `json:"not_evaluated"`
	Unproved           []Finding          `json:"unproved"` // held by one model without proof: they have no effect
	Known              []Finding          `json:"known"`    // accepted by the settings of the base branch: they are not posted and fail no run
	Missing            []string           `json:"missing"`  // criteria and items without text (R055)
	Notices            []debate.Notice    `json:"notices"`  // facts about the change other than findings
	Evidence           []string           `json:"evidence"`
	Decisions          []Decision         `json:"decisions"`
	Triggers           []Trigger          `json:"triggers"`
	Lone               []Lone             `json:"lone_triggers"` // called critical by one party, without a decision about it (S03)
	Parties            []Party            `json:"parties"`
	BackendUnavailable []string           `json:"backend_unavailable"`
	Positions          []Position         `json:"positions"`
	Deltas             []Delta            `json:"deltas"`
	Question           *string            `json:"question"`
	Coverage           string             `json:"coverage"` // full, partial or none
	Stats              Stats              `json:"stats"`
	Record             string             `json:"record"`
	Notes              []string           `json:"notes"` // shown at the top: the scope, broken settings

	OutcomeReason string        `json:"outcome_reason"`
	Exit          debate.Exit   `json:"exit"`     // why the parties stopped, "" if there was no debate
	ExitWhy       string        `json:"exit_why"` // the same in words
	SameFamily    bool          `json:"same_family"`
	Primary       string        `json:"primary"`     // the party of the last position
	Duplicates    int           `json:"duplicates"`  // claims merged into another
	Objections    []Challenge   `json:"objections"`  // to the position itself
	Rounds        []Round       `json:"rounds"`      // one for each exchange
	Assumptions   []Assumption  `json:"assumptions"` // why parties disagree (R104, R105)
	Arbitration   []Arbitration `json:"arbitration"`
	Carried       []Carried     `json:"carried"` // findings of earlier heads
	Reviews       []Review      `json:"proposal_reviews"`

	Alone bool `json:"alone"` // a model gave findings on its own, unchallenged

	Inquiry *Inquiry `json:"inquiry,omitempty"` // of a question in the place of a change

	About        About         `json:"about"`
	Overview     *Overview     `json:"overview,omitempty"` // the change in the words of a model
	Calls        []Call        `json:"calls"`              // in the order of the record
	Alternatives []Alternative `json:"alternatives"`       // to the change, as models see them

	Conclusion    debate.Conclusion `json:"conclusion"` // of the check
	ConclusionWhy string            `json:"conclusion_why"`
	Next          debate.Next       `json:"next"` // what has to happen, "" if nothing has to
	For           debate.Whom       `json:"for"`  // who does it
	Head          debate.Headline   `json:"-"`    // the kind of the first line

	// Seal is the SHA-256 of the last line of the record, "" if it is not known. Like the path of
	// the record it is not part of the record.
	Seal string `json:"-"`

	// Forbidden is why no model was allowed, "" if some were.
	Forbidden debate.Forbidden `json:"-"`
	// Waits: only a maintainer may start the review.
	Waits bool `json:"-"`

	Discussions []Discussion `json:"discussions"` // one for each decision with a word about it

	source *debate.State // for the JSON, which has ids in place of names

	Version string `json:"-"` // of the program, "" if it is not known
}

// Trigger is one policy match, critical or merely shown.
type Trigger struct {
	ID     debate.TriggerID `json:"id"`
	Source string           `json:"source"`
	Path   string           `json:"path"`
	Line   int              `json:"line"`
	Detail string           `json:"detail"`
	Class  string           `json:"class"`
	By     []string         `json:"by"`     // asserting parties
	Waived string           `json:"waived"` // by whom and why, "" if it is not waived
}

// Lone is something called critical by one party, without a decision about it (S03).
type Lone struct {
	Party   string           `json:"party"`
	Trigger debate.TriggerID `json:"trigger"`
	Path    string           `json:"path"`
	Side    debate.Side      `json:"side"`
	Line    int              `json:"line"`
	Reason  string           `json:"reason"`
}

// Overview describes a change in the words of the opening model. It has no effect.
type Overview struct {
	By     string  `json:"by"`     // the party
	Head   string  `json:"head"`   // the described commit
	Does   string  `json:"does"`   // what the change does, at most 400 bytes
	Misses string  `json:"misses"` // what the linked issue asks for and the change does not do, "" for nothing
	Order  []Topic `json:"order"`  // of reading the files; none for up to five files
	Others int     `json:"others"` // files of the change outside all topics
}

// Topic is a group of files to be read together. One without a title has the files forgotten in
// the order.
type Topic struct {
	Topic string   `json:"topic"` // in a few words
	Files []string `json:"files"` // paths of the change, each in one topic
}

// ReadOn lists the files reviewed by all debaters on one head.
type ReadOn struct {
	Head  string   `json:"head"`  // commit
	Files []string `json:"files"` // paths
}

// Stats counts the reviewed files and the cost.
type Stats struct {
	Files        int       `json:"files"`
	Additions    int       `json:"additions"`
	Deletions    int       `json:"deletions"`
	Segments     int       `json:"segments"`
	NotReviewed  []string  `json:"not_reviewed"` // "path: reason, changed lines" of files unread even by the built-in rules
	Unreviewed   []string  `json:"unreviewed"`   // `path: reason` of parts not reviewed by all models of a debate and not excused by policy
	Parts        []string  `json:"-"`            // the same parts with their lines, in the order of the change
	Causes       []string  `json:"-"`            // why, each once, in the same order
	Blind        bool      `json:"-"`            // it has lines, and none of them could be read
	Excused      []Excused `json:"-"`            // files that no model read and that need no review
	Missed       int       `json:"missed_files"` // files reviewed by a debate in part or not at all
	ReadOn       []ReadOn  `json:"read_on"`      // the files reviewed on this head and on earlier ones; none if all were on this one
	Rounds       int       `json:"rounds"`       // exchanges with a valid reply
	Calls        int       `json:"calls"`
	TokensIn     int       `json:"tokens_in"`
	TokensCached int       `json:"tokens_cached"`
	TokensOut    int       `json:"tokens_out"`
	CostUSD      USD       `json:"cost_usd"`
	CostUnknown  bool      `json:"cost_unknown"` // of some calls no price is known: they are not in cost_usd
	DurationMS   int64     `json:"duration_ms"`
}

// Excused is a file that no model read and that needs no review.
type Excused struct {
	Path  string
	Why   debate.Exclusion
	Lines int // added or deleted by the change
}

// About is the subject of a run, and its time.
type About struct {
	Repository  string `json:"repository"` // owner/name, "" if it is not known
	PullRequest int    `json:"pull_request"`
	Title       string `json:"title"`      // of the pull request
	Base        string `json:"base"`       // commit
	Head        string `json:"head"`       // commit
	StartedAt   int64  `json:"started_at"` // Unix milliseconds
	EndedAt     int64  `json:"ended_at"`   // Unix milliseconds, of the review
}

// Call is one call to a model.
type Call struct {
	Party     string            `json:"party"`
	Kind      debate.CallKind   `json:"kind"`
	N         int               `json:"n"` // exchange
	Status    debate.CallStatus `json:"status"`
	StartedMS int64             `json:"started_ms"` // since the first call
	TookMS    int64             `json:"took_ms"`
	CostUSD   USD               `json:"cost_usd"`

	CostUnknown bool `json:"cost_unknown"` // no price is known
}

// Alternative is another way to reach the goal of the change, as a model sees it.
type Alternative struct {
	Party string `json:"party"`
	Text  string `json:"text"`
}

// JSON renders the envelope as one indented object and a newline. No list in it is null. It loses
// no data, but invisible characters and text that the GitHub runner would take for a command
// become JSON escapes, since the object may end up in a log.
func JSON(e Envelope) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(withIDs(e)); err != nil {
		return nil, fmt.Errorf("encode the report as JSON: %w", err)
	}
	return Escaped(b.Bytes()), nil
}

// withIDs is an envelope for scripts: they know parties by their ids.
func withIDs(shown Envelope) Envelope {
	if shown.source == nil {
		return shown
	}
	n := namesOf(shown.source)
	n.parties, n.people = nil, nil
	e := build(*shown.source, n)
	e.Record, e.Conclusion, e.ConclusionWhy = shown.Record, shown.Conclusion, shown.ConclusionWhy
	return e
}

// Escaped writes invisible characters and "##[" in the strings of a JSON text as
// escapes. Outside of strings JSON holds neither.
func Escaped(data []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(data))
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case bytes.HasPrefix(data, []byte("##[")):
			b.WriteString(`#\u0023`)
			size = 2
		case comment.Visible(r):
			b.Write(data[:size])
		case r > 0xFFFF:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		data = data[size:]
	}
	return b.Bytes()
}

// filled copies an envelope so its JSON has no null list. The copy shares no list and no pointer
// with the original.
func filled(e Envelope) Envelope {
	fill(reflect.ValueOf(&e).Elem())
	return e
}

func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && field.Tag.Get("json") != "-" {
				fill(v.Field(i))
			}
		}
	case reflect.Slice:
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(list, v)
		for i := range list.Len() {
			fill(list.Index(i))
		}
		v.Set(list)
	case reflect.Pointer:
		if !v.IsNil() {
			to := reflect.New(v.Type().Elem())
			to.Elem().Set(v.Elem())
			fill(to.Elem())
			v.Set(to)
		}
	}
}

// withhold removes lines with a secret: no rendering may show them.
func (e *Envelope) withhold() {
	var secrets []Finding // found by the critic: no other finding on such a line may quote it either
	for f := range e.Findings() {
		if path.Dir(f.Rule) == "secrets" {
			secrets = append(secrets, *f)
		}
	}
	touched := func(f Finding) bool {
		return slices.ContainsFunc(secrets, func(s Finding) bool {
			return s.Path == f.Path && s.Side == f.Side && s.Line <= Last(f) && f.Line <= Last(s)
		})
	}
	hide := func(cites []Cited) {
		for i, c := range cites {
			if touched(Finding{Path: c.Path, Line: c.Line, EndLine: c.EndLine, Side: c.Side}) {
				cites[i].Quote = withheld
			}
		}
	}
	for f := range e.Findings() {
		if touched(*f) {
			f.Quote, f.Suggestion, f.Proof = withheld, "", nil
		}
		for _, l := range f.Conversation {
			hide(l.Cites)
		}
	}
	for _, d := range e.Discussions {
		for _, l := range d.Lines {
			hide(l.Cites)
		}
	}
	for _, p := range e.Parties {
		for _, t := range p.Checked {
			hide(t.Cites)
		}
	}
}

// withheld replaces a quote with a secret.
const withheld = "(withheld: the lines hold a secret)"
