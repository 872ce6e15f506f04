package comment

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
)

const summaryBody = "<!-- debate:summary v1 -->\n\n# Debate\n"

func ptr[T any](v T) *T { return &v }

func finding(n int) Inline {
	return Inline{Key: fmt.Sprintf("key%d-0", n), FID: fmt.Sprintf("F%d", n), Path: "a.go", Side: debate.Right, Line: n, Body: fmt.Sprintf("finding %d", n)}
}

func posted(id int64, n int, marks ...Kind) HaveInline {
	key := finding(n).Key
	var hidden []string
	for _, k := range append([]Kind{FindingMark}, marks...) {
		if k == DuplicateMark {
			hidden = nil
		}
		m := Marker{Kind: k, Value: key}
		if k == FindingMark {
			m.ID = finding(n).FID
		}
		hidden = append(hidden, m.String())
	}
	return HaveInline{ID: id, Key: key, Body: Mark(finding(n).Body, hidden...)}
}

func marked(body string, kind Kind, value string) string {
	return Mark(body, Marker{Kind: kind, Value: value}.String())
}

func TestPublish(t *testing.T) {
	t.Parallel()
	item := Item{Title: "May it merge?", Body: "issue body", Labels: []string{"awaiting_human"}, Unlabel: []string{"human_decided"}, Status: debate.ItemAwaiting}
	decided := Item{Labels: []string{"human_decided"}, Unlabel: []string{"awaiting_human"}, Status: debate.ItemDecided, NotPlanned: true,
		Notes: []Note{{Key: "decided-1", Body: "decided by x"}}}
	open := HaveIssue{Number: 4, Open: true, Labels: []string{"triaged", "awaiting_human"}, Title: "May it merge?", Body: "issue body\r\n"}
	closed, bare := open, open
	closed.Open, bare.Labels = false, []string{"triaged"}
	twin := marked("What was asked here is asked in #4: one issue holds all questions about a pull request.\n", DuplicateMark, "decisions")
	review := Marker{Kind: ReviewMark, Value: ReviewValue(sha1, []string{"key1-0", "key2-0"})}
	first := finding(1)
	first.Body = posted(0, 1).Body
	second := finding(2)
	second.Body = posted(0, 2).Body
	answered, resolved := posted(10, 1), posted(10, 1)
	answered.Answered, resolved.Resolved = true, true
	later := posted(12, 1)
	later.Answered = true
	resolvedTwin := posted(13, 1)
	resolvedTwin.Resolved = true
	resolvedGone := posted(10, 1, GoneMark)
	resolvedGone.Resolved = true
	duplicate := marked("This finding was posted twice by mistake; another comment has it.\n", DuplicateMark, "key1-0")
	gone := Want{HeadSHA: sha1, Posted: []Posted{{Key: "key1-0", Text: "it is gone", Gone: true}}}
	back := Want{HeadSHA: sha1, Posted: []Posted{{Key: "key1-0", Text: finding(1).Body}}}
	edited := EditInline{ID: 10, Body: Mark("it is gone", Marker{Kind: FindingMark, Value: "key1-0", ID: "F1"}.String(), Marker{Kind: GoneMark, Value: "key1-0"}.String())}

	for _, c := range []struct {
		name string
		want Want
		have Have
		then []Write
	}{
		{"nothing", Want{}, Have{}, nil},
		{"a first review", Want{HeadSHA: sha1, Summary: summaryBody, Review: "2 findings", Inline: []Inline{finding(2), finding(1)}}, Have{}, []Write{
			PostReview{HeadSHA: sha1, Body: Mark("2 findings", review.String()), Marker: review.String(), Comments: []Inline{first, second}}, CreateSummary{summaryBody},
		}},
		{"the same again", Want{HeadSHA: sha1, Summary: summaryBody, Inline: []Inline{finding(1)}},
			Have{Summaries: []HaveComment{{1, strings.ReplaceAll(summaryBody, "\n", "\r\n") + "\n"}}, Inline: []HaveInline{posted(10, 1)}}, nil},
		{"another head, one finding still stands, one is new", Want{HeadSHA: sha1, Inline: []Inline{finding(1), finding(2)}}, Have{Inline: []HaveInline{posted(10, 1)}}, []Write{
			PostReview{HeadSHA: sha1, Body: Mark("", Marker{Kind: ReviewMark, Value: ReviewValue(sha1, []string{"key2-0"})}.String()),
				Marker: Marker{Kind: ReviewMark, Value: ReviewValue(sha1, []string{"key2-0"})}.String(), Comments: []Inline{second}},
		}},
		{"a comment that was taken away does not come back", Want{HeadSHA: sha1, Inline: []Inline{finding(1)}, Posted: []Posted{{Key: "key1-0"}}}, Have{}, nil},
		{"a review that was posted and lost its comments", Want{HeadSHA: sha1, Inline: []Inline{finding(1), finding(2)}}, Have{Reviews: []string{review.Value}}, nil},
		{"a key that cannot be found again", Want{HeadSHA: sha1, Inline: []Inline{{Key: "a b", Path: "a", Line: 1}}}, Have{}, nil},

		{"gone", gone, Have{Inline: []HaveInline{posted(10, 1)}}, []Write{edited}},
		{"gone before", gone, Have{Inline: []HaveInline{posted(10, 1, GoneMark)}}, nil},
		{"gone and answered", gone, Have{Inline: []HaveInline{answered}}, nil},
		{"gone and resolved", gone, Have{Inline: []HaveInline{resolved}}, nil},
		{"gone and never posted", gone, Have{}, nil},
		{"gone and back", back, Have{Inline: []HaveInline{posted(10, 1, GoneMark)}}, []Write{
			EditInline{ID: 10, Body: first.Body},
		}},
		{"gone before, without news", Want{HeadSHA: sha1}, Have{Inline: []HaveInline{posted(10, 1, GoneMark)}}, nil},
		{"gone and closed", gone, Have{Inline: []HaveInline{resolvedGone}}, nil},
		{"resolved by a person, and back", back, Have{Inline: []HaveInline{resolvedGone}}, []Write{
			EditInline{ID: 10, Body: first.Body},
		}},
		{"back without its words", Want{HeadSHA: sha1, Posted: []Posted{{Key: "key1-0"}}}, Have{Inline: []HaveInline{resolvedGone}}, nil},
		{"another one gone", Want{HeadSHA: sha1, Posted: []Posted{{Key: "key2-0", Text: "was it ever there?", Gone: true}, gone.Posted[0]}}, Have{Inline: []HaveInline{posted(10, 1)}}, []Write{edited}},
		{"posted twice", Want{HeadSHA: sha1}, Have{Inline: []HaveInline{posted(12, 1), posted(10, 1), posted(11, 1)}}, []Write{
			EditInline{ID: 12, Body: duplicate}, EditInline{ID: 11, Body: duplicate},
		}},
		{"posted twice, the later one answered", gone, Have{Inline: []HaveInline{later, posted(10, 1)}}, []Write{EditInline{ID: 10, Body: duplicate}}},
		{"posted twice, gone and closed", Want{HeadSHA: sha1}, Have{Inline: []HaveInline{posted(9, 1, GoneMark), resolvedGone}}, []Write{EditInline{ID: 10, Body: duplicate}}},
		{"not about findings", Want{Posted: gone.Posted, Summary: summaryBody}, Have{Summaries: []HaveComment{{1, summaryBody}}, Inline: []HaveInline{posted(12, 1), posted(10, 1)}}, nil},
		{"not about the summary", Want{HeadSHA: sha1}, Have{Summaries: []HaveComment{{1, "a"}, {2, "b"}}}, nil},
		{"posted twice and both answered or resolved", Want{HeadSHA: sha1}, Have{Inline: []HaveInline{later, answered, resolvedTwin}}, nil},
		{"posted twice and healed", Want{HeadSHA: sha1}, Have{Inline: []HaveInline{posted(10, 1), posted(11, 1, DuplicateMark)}}, nil},

		{"a summary that somebody edited", Want{Summary: summaryBody}, Have{Summaries: []HaveComment{{3, summaryBody + "forged"}}}, []Write{EditSummary{3, summaryBody}}},
		{"two summaries", Want{Summary: summaryBody}, Have{Summaries: []HaveComment{{5, "b"}, {3, summaryBody}}}, []Write{
			EditSummary{5, marked("This summary was posted twice by mistake; the one above is kept up to date.\n", DuplicateMark, "summary")},
		}},

		{"ask", Want{Item: &item}, Have{}, []Write{
			CreateIssue{Title: "May it merge?", Body: "issue body", Labels: []string{"awaiting_human"}},
		}},
		{"asked", Want{Item: &item}, Have{Issues: []HaveIssue{open}}, nil},
		{"closed by somebody who may not", Want{Item: withNotes(item, Note{"undone-9", "x may not"})}, Have{Issues: []HaveIssue{closed}}, []Write{
			CommentIssue{Number: 4, Key: "undone-9", Body: marked("x may not", NoteMark, "undone-9")}, EditIssue{Number: 4, Open: ptr(true)},
		}},
		{"decided", Want{Item: &decided}, Have{Issues: []HaveIssue{open}}, []Write{
			CommentIssue{Number: 4, Key: "decided-1", Body: marked("decided by x", NoteMark, "decided-1")},
			EditIssue{Number: 4, Labels: []string{"human_decided", "triaged"}, Open: ptr(false), NotPlanned: true},
		}},
		{"decided by closing, and said", Want{Item: &decided},
			Have{Issues: []HaveIssue{{Number: 4, Labels: []string{"Human_Decided"}, Noted: []string{"decided-1"}}}}, nil},
		{"withdrawn", Want{Item: &Item{Status: debate.ItemWithdrawn}}, Have{Issues: []HaveIssue{open}}, []Write{
			EditIssue{Number: 4, Open: ptr(false), NotPlanned: true},
		}},
		{"decided for the change", Want{Item: &Item{Status: debate.ItemDecided}}, Have{Issues: []HaveIssue{open}}, []Write{
			EditIssue{Number: 4, Open: ptr(false)},
		}},
		{"decided, and no issue", Want{Item: &decided}, Have{}, nil},
		{"asked anew", Want{Item: &Item{Title: "new", Body: "new body", Status: debate.ItemAwaiting}}, Have{Issues: []HaveIssue{open}}, []Write{
			EditIssue{Number: 4, Title: ptr("new"), Body: ptr("new body")},
		}},
		{"asked with another title", Want{Item: &Item{Title: "new", Status: debate.ItemAwaiting}}, Have{Issues: []HaveIssue{open}}, []Write{EditIssue{Number: 4, Title: ptr("new")}}},
		{"asked in other words", Want{Item: &Item{Body: "new body", Status: debate.ItemAwaiting}}, Have{Issues: []HaveIssue{open}}, []Write{EditIssue{Number: 4, Body: ptr("new body")}}},
		{"asked, and a label is missing", Want{Item: &item}, Have{Issues: []HaveIssue{bare}}, []Write{EditIssue{Number: 4, Labels: []string{"awaiting_human", "triaged"}}}},
		{"a label that is taken away and given", Want{Item: &Item{Labels: []string{"Triaged"}, Unlabel: []string{"triaged"}, Status: debate.ItemAwaiting}}, Have{Issues: []HaveIssue{bare}}, nil},
		{"a note that could not be found again", Want{Item: withNotes(item, Note{"a b", "x"})}, Have{Issues: []HaveIssue{open}}, nil},
		{"at rest, closed", Want{Item: &Item{Status: debate.ItemAwaiting, Rests: true}}, Have{Issues: []HaveIssue{closed}}, nil},
		{"at rest, open", Want{Item: &Item{Status: debate.ItemAwaiting, Rests: true}}, Have{Issues: []HaveIssue{open}}, nil},
		{"at rest, decided", Want{Item: &Item{Status: debate.ItemDecided, Rests: true}}, Have{Issues: []HaveIssue{open}}, []Write{
			EditIssue{Number: 4, Open: ptr(false)},
		}},
		{"asked twice", Want{Item: &item}, Have{Issues: []HaveIssue{{Number: 9, Open: true, Labels: []string{"awaiting_human", "bug"}}, open}}, []Write{
			EditIssue{Number: 9, Body: ptr(twin),
				Labels: []string{"bug"}, Open: ptr(false), NotPlanned: true},
		}},
		{"asked twice, and closed", Want{Item: &item}, Have{Issues: []HaveIssue{open, {Number: 9, Labels: []string{"bug"}}}}, []Write{EditIssue{Number: 9, Body: ptr(twin), NotPlanned: true}}},
		{"asked twice and healed", Want{Item: &item}, Have{Issues: []HaveIssue{{Number: 3, Body: twin}, open}}, nil},
		{"an issue that nobody speaks of", Want{}, Have{Issues: []HaveIssue{open}}, nil},

		{"replies", Want{Replies: []Reply{
			{To: Ref{ID: 8}, Body: "here", Reaction: ThumbsUp}, {To: Ref{ID: 7}, On: 4, Body: "there"}, {To: Ref{ID: 7, InThread: true}, Reaction: Confused}, {To: Ref{}, Body: "nobody"},
		}}, Have{}, []Write{
			PostReply{To: Ref{ID: 8}, Body: marked("here", ReplyMark, "8")}, PostReply{To: Ref{ID: 7}, On: 4, Body: marked("there", ReplyMark, "7")},
			React{Ref{ID: 8}, ThumbsUp}, React{Ref{ID: 7, InThread: true}, Confused},
		}},
		{"replied", Want{Replies: []Reply{{To: Ref{ID: 8}, Body: "here", Reaction: ThumbsUp}}},
			Have{Replied: map[Ref]bool{{ID: 8}: true}, Reacted: map[Reacted]bool{{Ref{ID: 8}, ThumbsUp}: true}}, nil},
	} {
		if diff := cmp.Diff(c.then, Publish(c.want, c.have), cmp.Transformer("writes", func(p []Write) []any {
			var out []any
			for _, w := range p {
				out = append(out, w)
			}
			return out
		})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func withNotes(it Item, notes ...Note) *Item {
	it.Notes = notes
	return &it
}

func TestPublishSuggestion(t *testing.T) {
	t.Parallel()
	f := finding(1)
	block, ok := Suggestion("x := 1", Cited{Lines: []string{"x := 2"}})
	if f.Suggestion = block; !ok {
		t.Fatal("there is no block")
	}
	left, long := f, f
	left.Side, long.Body = debate.Left, strings.Repeat("x", MaxBody-100)
	for _, c := range []struct {
		f    Inline
		want bool
	}{{f, true}, {left, false}, {long, false}} {
		w := Publish(Want{HeadSHA: sha1, Inline: []Inline{c.f}}, Have{})
		body := w[0].(PostReview).Comments[0].Body
		if strings.Contains(body, "```suggestion\nx := 1\n```") != c.want || len(body) > MaxBody {
			t.Errorf("%s, %d bytes: the body has the block: %v", c.f.Side, len(c.f.Body), !c.want)
		}
	}
}

// TestSuggestionStandsBeforeTheFoot: how to object is the last thing in a comment.
func TestSuggestionStandsBeforeTheFoot(t *testing.T) {
	t.Parallel()
	f := finding(1)
	f.Body = "It is wrong.\n\n" + Foot + "\n<sub>Wrong? Reply.</sub>\n"
	f.Suggestion, _ = Suggestion("x := 1", Cited{Lines: []string{"x := 2"}})
	body := Publish(Want{HeadSHA: sha1, Inline: []Inline{f}}, Have{})[0].(PostReview).Comments[0].Body
	if want := "```suggestion\nx := 1\n```\n\n<sub>Wrong? Reply.</sub>\n"; !strings.HasSuffix(body, want) {
		t.Errorf("the comment ends otherwise:\n%s", body)
	}
}

// hub is a small model of what stands on a pull request.
type hub struct {
	Have
	next   int64
	writes int
}

func (h *hub) id() int64 { h.next++; return h.next }

func (h *hub) do(t reporter, w Write) {
	h.writes++
	switch w := w.(type) {
	case CreateIssue:
		h.Issues = append(h.Issues, HaveIssue{Number: int(h.id()), Open: true, Labels: w.Labels, Title: w.Title, Body: w.Body})
	case EditIssue:
		i := slices.IndexFunc(h.Issues, func(i HaveIssue) bool { return i.Number == w.Number })
		if w.Title != nil {
			h.Issues[i].Title = *w.Title
		}
		if w.Body != nil {
			h.Issues[i].Body = *w.Body
		}
		if w.Labels != nil {
			h.Issues[i].Labels = w.Labels
		}
		if w.Open != nil {
			h.Issues[i].Open = *w.Open
		}
	case CommentIssue:
		i := slices.IndexFunc(h.Issues, func(i HaveIssue) bool {
			return i.Number == w.Number
		})
		if w.Number == 0 {
			i = len(h.Issues) - 1
		}
		m, _ := Marked(w.Body, NoteMark)
		h.Issues[i].Noted = append(h.Issues[i].Noted, m.Value)
	case PostReview:
		m, _ := Marked(w.Body, ReviewMark)
		h.Reviews = append(h.Reviews, m.Value)
		for _, c := range w.Comments {
			m, _ := Marked(c.Body, FindingMark)
			if slices.ContainsFunc(h.Inline, func(i HaveInline) bool { return i.Key == m.Value }) || m.Value == "" {
				t.Fatalf("%q is posted again", m.Value)
			}
			h.Inline = append(h.Inline, HaveInline{ID: h.id(), Key: m.Value, Body: c.Body})
		}
	case EditInline:
		i := slices.IndexFunc(h.Inline, func(i HaveInline) bool { return i.ID == w.ID })
		_, goes := Marked(w.Body, GoneMark)
		wasGone := IsMarked(h.Inline[i].Body, GoneMark)
		returns := wasGone && !goes
		if !returns && (h.Inline[i].Answered || h.Inline[i].Resolved && !wasGone) {
			t.Fatalf("a thread is edited that a person answered or resolved, and not because its finding returns")
		}
		h.Inline[i].Body = w.Body
	case CreateSummary:
		h.Summaries = append(h.Summaries, HaveComment{h.id(), w.Body})
	case EditSummary:
		i := slices.IndexFunc(h.Summaries, func(c HaveComment) bool { return c.ID == w.ID })
		h.Summaries[i].Body = w.Body
	case PostReply:
		if h.Replied[w.To] {
			t.Fatalf("%v is answered again", w.To)
		}
		h.Replied[w.To] = true
	case React:
		h.Reacted[Reacted(w)] = true
	}
}

func drawWant(t *rapid.T) Want {
	var w Want
	w.HeadSHA = strings.Repeat(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "head"), 40)
	w.Summary = rapid.SampledFrom([]string{"", summaryBody, summaryBody + "more"}).Draw(t, "summary")
	for range rapid.IntRange(0, 5).Draw(t, "inline") {
		f := finding(rapid.IntRange(1, 6).Draw(t, "finding"))
		f.Body += rapid.SampledFrom([]string{"", " now"}).Draw(t, "body")
		w.Inline = append(w.Inline, f)
	}
	for range rapid.IntRange(0, 3).Draw(t, "posted") {
		f := finding(rapid.IntRange(1, 6).Draw(t, "finding"))
		if !slices.ContainsFunc(w.Posted, func(one Posted) bool { return one.Key == f.Key }) {
			w.Posted = append(w.Posted, Posted{f.Key, rapid.SampledFrom([]string{"", f.Body}).Draw(t, "body"), rapid.Bool().Draw(t, "gone")})
		}
	}
	if rapid.Bool().Draw(t, "item") {
		it := Item{
			Title:  rapid.SampledFrom([]string{"", "t", "u"}).Draw(t, "title"),
			Body:   rapid.SampledFrom([]string{"body", "other"}).Draw(t, "body"),
			Status: rapid.SampledFrom([]debate.HumanStatus{debate.ItemAwaiting, debate.ItemDecided, debate.ItemSuperseded, debate.ItemWithdrawn}).Draw(t, "status"),
			Labels: []string{"awaiting_human"}, Unlabel: []string{"human_decided"}, Rests: rapid.Bool().Draw(t, "rests"),
		}
		if it.Status != debate.ItemAwaiting {
			it.Labels, it.Unlabel = it.Unlabel, it.Labels
		}
		for range rapid.IntRange(0, 2).Draw(t, "notes") {
			it.Notes = append(it.Notes, Note{rapid.SampledFrom([]string{"undone-1", "decided-2"}).Draw(t, "key"), "text"})
		}
		w.Item = &it
	}
	for range rapid.IntRange(0, 3).Draw(t, "replies") {
		r := Reply{
			To: Ref{ID: rapid.Int64Range(1, 3).Draw(t, "to"), InThread: rapid.Bool().Draw(t, "thread"), Nth: rapid.IntRange(0, 1).Draw(t, "nth")}, Body: rapid.SampledFrom([]string{"", "yes"}).Draw(t, "body"),
			Reaction: rapid.SampledFrom([]Reaction{"", ThumbsUp, Confused}).Draw(t, "reaction"),
		}
		if !slices.ContainsFunc(w.Replies, func(one Reply) bool { return one.To == r.To }) {
			w.Replies = append(w.Replies, r)
		}
	}
	return w
}

// TestPublishProperty plays runs, lost answers and people on the model: after
// the writes of a plan there is nothing more to write, a finding is posted once, and
// a thread of a person is left alone.
func TestPublishProperty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h := hub{Have: Have{Replied: map[Ref]bool{}, Reacted: map[Reacted]bool{}}}
		for range rapid.IntRange(1, 5).Draw(t, "runs") {
			w := drawWant(t)
			plan := Publish(w, h.Have)
			for _, write := range plan {
				h.do(t, write)
			}
			if again := Publish(w, h.Have); len(again) > 0 {
				t.Fatalf("after its own writes the plan still wants %+v", described(again))
			}
			h.meddle(t)
		}
	})
}

// meddle does what people and second runs do between two runs.
func (h *hub) meddle(t *rapid.T) {
	for i := range h.Inline {
		c := &h.Inline[i]
		switch rapid.IntRange(0, 5).Draw(t, "inline") {
		case 0:
			c.Answered = true
		case 1:
			c.Resolved = true
		case 2:
			h.Inline = append(h.Inline, HaveInline{ID: h.id(), Key: c.Key, Body: c.Body})
		}
	}
	for i := range h.Issues {
		switch rapid.IntRange(0, 5).Draw(t, "issue") {
		case 0:
			h.Issues[i].Open = !h.Issues[i].Open
		case 1:
			h.Issues[i].Labels = []string{"bug"}
		case 2:
			twin := h.Issues[i]
			twin.Number = int(h.id())
			h.Issues = append(h.Issues, twin)
		}
	}
	if len(h.Summaries) > 0 && rapid.IntRange(0, 3).Draw(t, "summary") == 0 {
		h.Summaries = append(h.Summaries, HaveComment{h.id(), h.Summaries[0].Body + "x"})
	}
}

// described are writes with what they point to.
func described(plan []Write) []string {
	var out []string
	for _, w := range plan {
		s := fmt.Sprintf("%T %+v", w, w)
		if e, ok := w.(EditIssue); ok {
			s = fmt.Sprintf("edit %d %q %q %q %v %v", e.Number, deref(e.Title), deref(e.Body), e.Labels, deref(e.Open), e.NotPlanned)
		}
		out = append(out, s)
	}
	return out
}

func deref[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}
