package comment

import (
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lists"
)

// Want is the wanted state of one pull request on GitHub. Texts are rendered and sanitized; their
// order does not matter.
type Want struct {
	HeadSHA string // of the findings; "" leaves all inline comments as they are
	// Summary is the whole body of the summary comment, marker and sealed block
	// included (see Mark). "" leaves the comment as it is.
	Summary string
	// Review is the text above the inline comments of a new review.
	Review  string
	Inline  []Inline // findings of this head on its lines
	Posted  []Posted // findings posted before
	Item    *Item
	Replies []Reply
}

// Inline is a finding for its cited lines; see Place.
type Inline struct {
	Key       string // of the finding: debate.Key, and its number among those on the same text
	FID       string // such as F3
	Path      string
	Side      debate.Side
	StartLine int // 0 or Line: on one line
	Line      int
	Body      string // without its marker
	// Suggestion is a block made by Suggestion for exactly these lines, or "".
	Suggestion string
}

// Posted is a finding posted before. Text replaces its comment if the finding is gone now, or if
// it was gone and is back; "" leaves the comment as it is.
type Posted struct {
	Key  string
	Text string // without its markers
	Gone bool
}

// Item is the issue with the questions to people about one pull request. If it awaits a person,
// it is opened, or created if there is none; else it is closed if it exists.
type Item struct {
	Title   string // "": as it is
	Body    string // with its signed marker (see Mark); "": as it is
	Labels  []string
	Unlabel []string // labels of ours to remove
	Status  debate.HumanStatus
	// NotPlanned: the answer was to leave everything as it is.
	NotPlanned bool
	// Rests: it awaits a person, and stays closed if it is closed.
	Rests bool
	Notes []Note
}

// Note is a comment on an escalation issue, written once.
type Note struct {
	Key  string // such as decided-0123abcd; lower-case letters, digits, dashes
	Body string // without its marker
}

// Ref names a comment, or one of several commands in it. Comments of review threads have
// ids of their own.
type Ref struct {
	ID       int64
	InThread bool // a comment of a review thread
	Nth      int  // of its commands, from 0
}

// Comment is the comment as a whole.
func (r Ref) Comment() Ref { return Ref{ID: r.ID, InThread: r.InThread} }

// Marker is the hidden line in a reply to a command. The first command of a comment is
// named by the comment alone.
func (r Ref) Marker() Marker {
	value := strconv.FormatInt(r.ID, 10)
	if r.Nth > 0 {
		value += "." + strconv.Itoa(r.Nth)
	}
	return Marker{Kind: ReplyMark, Value: value}
}

// Answered are the commands answered by an own comment. InThread: it is in a review thread.
func Answered(body string, inThread bool) []Ref {
	return lists.Map(AllMarked(body, ReplyMark), func(m Marker) Ref {
		id, nth, _ := strings.Cut(m.Value, ".")
		r := Ref{InThread: inThread}
		r.ID, _ = strconv.ParseInt(id, 10, 64)
		r.Nth, _ = strconv.Atoi(nth)
		return r
	})
}

// Reply answers a command and further commands of the same comment: with an answer, a reaction,
// or both.
type Reply struct {
	To       Ref
	Also     []Ref    // further commands answered by Body
	On       int      // the issue of the comment; 0: the pull request
	Body     string   // without its marker; "": none
	Reaction Reaction // "": none
}

// Reaction is a reaction to a comment, spelt as the REST API spells it.
type Reaction string

// The used reactions.
const (
	Eyes     Reaction = "eyes"
	ThumbsUp Reaction = "+1"
	Confused Reaction = "confused"
)

// Have is the present state, written by this identity.
type Have struct {
	Summaries []HaveComment
	Inline    []HaveInline
	Reviews   []string // values of the markers of reviews
	Issues    []HaveIssue
	Replied   map[Ref]bool
	Reacted   map[Reacted]bool
}

// HaveComment is an own comment.
type HaveComment struct {
	ID   int64
	Body string
}

// HaveInline is an own inline comment, the first of its thread.
type HaveInline struct {
	ID       int64
	Key      string
	Body     string
	Answered bool // another account wrote in its thread
	Resolved bool
}

// HaveIssue is an own issue with the questions.
type HaveIssue struct {
	Number int
	Open   bool
	Labels []string
	Title  string
	Body   string
	Noted  []string // keys of the own notes on it
}

// Reacted is an own reaction to a comment.
type Reacted struct {
	To       Ref
	Reaction Reaction
}

// Write is one changing call: one of the types below.
type Write interface{ write() }

// CreateIssue opens an escalation issue.
type CreateIssue struct {
	Title  string
	Body   string
	Labels []string
}

// EditIssue changes an issue; nil leaves a field as it is.
type EditIssue struct {
	Number int
	Title  *string
	Body   *string
	Labels []string // all of them, those of others included; nil: as they are
	Open   *bool
	// NotPlanned is the reason of a closing; else it is completed.
	NotPlanned bool
}

// CommentIssue writes a note on an issue. Number 0 is the issue opened by the CreateIssue before
// it.
type CommentIssue struct {
	Number int
	Key    string
	Body   string // with its marker
}

// PostReview posts all new inline comments at once. Its event is always
// COMMENT.
type PostReview struct {
	HeadSHA  string
	Body     string // with its marker
	Marker   string // in Body; it identifies the review
	Comments []Inline
}

// EditInline replaces the body of an inline comment.
type EditInline struct {
	ID   int64
	Body string // with its markers
}

// CreateSummary posts the summary comment.
type CreateSummary struct{ Body string }

// EditSummary replaces the body of a summary comment, or of a second one left by two parallel
// runs.
type EditSummary struct {
	ID   int64
	Body string
}

// PostReply answers commands of a comment, in its thread or on the page of the comment.
type PostReply struct {
	To   Ref
	Also []Ref
	On   int
	Body string // with its marker
}

// React reacts to a comment.
type React struct {
	To       Ref
	Reaction Reaction
}

func (CreateIssue) write()   {}
func (EditIssue) write()     {}
func (CommentIssue) write()  {}
func (PostReview) write()    {}
func (EditInline) write()    {}
func (CreateSummary) write() {}
func (EditSummary) write()   {}
func (PostReply) write()     {}
func (React) write()         {}
