package pull

import (
	"context"
	"reflect"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/gh"
)

// marked is a body with a marker of ours.
func marked(kind comment.Kind, value string) string {
	m := comment.Marker{Kind: kind, Value: value}
	if kind == comment.FindingMark {
		m.ID = "F1"
	}
	return comment.Mark("text", m.String())
}

// TestHaveOf: what we wrote on GitHub is known from what stands there, and nothing that
// others wrote in our words.
func TestHaveOf(t *testing.T) {
	t.Parallel()
	carol := gh.Account{Login: "carol"}
	s := unreviewed()
	summary, reply := marked(comment.SummaryMark, ""), marked(comment.ReplyMark, "11")
	s.Pull.Comments = []gh.Comment{
		{ID: 10, Mine: true, Body: summary}, {ID: 11, Author: carol, Body: summary, Eyes: true}, {ID: 12, Mine: true, Body: reply},
		{ID: 13, Author: carol, Body: marked(comment.ReplyMark, "10"), ThumbsUp: true, Confused: true}, {ID: 14, Mine: true, Body: "text"},
	}
	finding := gh.Comment{ID: 20, Mine: true, Body: marked(comment.FindingMark, "aa-0")}
	s.Pull.Threads = []gh.Thread{
		{Resolved: true, Comments: []gh.Comment{finding, {ID: 21, Author: carol, Confused: true}, {ID: 22, Mine: true, Body: marked(comment.ReplyMark, "21")}}},
		{Comments: []gh.Comment{{ID: 23, Mine: true, Body: marked(comment.FindingMark, "bb-0")}, {ID: 24, Mine: true}}},
		{Comments: []gh.Comment{{ID: 25, Author: carol, Body: marked(comment.FindingMark, "cc-0")}}},
	}
	s.Pull.Reviews = []gh.Review{
		{Mine: true, Body: marked(comment.ReviewMark, "aaaaaaaaaaaa-bbbbbbbbbbbb")}, {Author: carol, Body: marked(comment.ReviewMark, "cccccccccccc-bbbbbbbbbbbb")}, {Mine: true, Body: "text"},
	}
	note := gh.Comment{ID: 30, Mine: true, Body: marked(comment.NoteMark, "undone-1")}
	s.Issue = gh.Issue{
		Number: 6, Open: true, Title: "second", Body: "two", Labels: []string{"decide"},
		Comments: []gh.Comment{note, {ID: 31, Author: carol, Body: marked(comment.NoteMark, "undone-2"), ThumbsUp: true}},
	}
	s.Twins = []gh.Issue{{Number: 7, Open: true, Comments: []gh.Comment{{ID: 41, Author: carol, Confused: true}}}}
	in := func(id int64) comment.Ref { return comment.Ref{ID: id, InThread: true} }
	on := func(id int64) comment.Ref { return comment.Ref{ID: id} }
	want := comment.Have{
		Summaries: []comment.HaveComment{{ID: 10, Body: summary}},
		Inline: []comment.HaveInline{
			{ID: 20, Key: "aa-0", Body: finding.Body, Resolved: true, Answered: true},
			{ID: 23, Key: "bb-0", Body: marked(comment.FindingMark, "bb-0")},
		},
		Reviews: []string{"aaaaaaaaaaaa-bbbbbbbbbbbb"},
		Replied: map[comment.Ref]bool{on(11): true, in(21): true},
		Reacted: map[comment.Reacted]bool{
			{To: on(11), Reaction: comment.Eyes}: true, {To: on(13), Reaction: comment.ThumbsUp}: true, {To: on(13), Reaction: comment.Confused}: true,
			{To: in(21), Reaction: comment.Confused}: true, {To: on(31), Reaction: comment.ThumbsUp}: true, {To: on(41), Reaction: comment.Confused}: true,
		},
	}
	if got := haveOf(s.Snapshot); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestPostsOf: the posts begin as the snapshot says.
func TestPostsOf(t *testing.T) {
	t.Parallel()
	s := asking().says("carol", 1, "hm")
	s.summary.URL, s.summary.Node = "the summary", "node"
	s.Twins = []gh.Issue{{Number: 6, Open: true}}
	b := postsOf(nil, s.Snapshot)
	if b.pull.Number != 7 || b.summary.ID != 1 || b.summary.URL != "the summary" || b.summary.Node != "node" || len(b.pull.Comments) != 1 {
		t.Errorf("%+v", b)
	}
	if b.issue.Number != 5 || len(b.ownTexts().Issues) != 2 {
		t.Errorf("people are asked in %d, of %+v", b.issue.Number, b.ownTexts().Issues)
	}
	if s.Issue = (gh.Issue{}); len(postsOf(nil, s.set(func(s *Snapshot) { s.Twins = nil }).Snapshot).ownTexts().Issues) != 0 {
		t.Error("there is an issue")
	}
}

// edits takes edits of comments.
type edits struct{ Writer }

func (edits) EditComment(context.Context, int64, string) error { return nil }

// TestPostsFollow: writes change what is known.
func TestPostsFollow(t *testing.T) {
	t.Parallel()
	s := unreviewed()
	s.summary = gh.Comment{ID: 10, Mine: true, Body: marked(comment.SummaryMark, "")}
	s.Pull.Comments = []gh.Comment{s.summary, {ID: 11, Mine: true, Body: marked(comment.SummaryMark, "")}}
	b := postsOf(&Runner{Writer: edits{}}, s.Snapshot)
	writes := []comment.Write{comment.EditSummary{ID: 10, Body: "anew"}, comment.EditSummary{ID: 11, Body: "older"}}
	for _, w := range writes {
		if err := b.do(t.Context(), w); err != nil {
			t.Fatal(err)
		}
	}
	if b.have.Summaries[0].Body != "anew" || b.have.Summaries[1].Body != "older" || b.summary.Body != "anew" {
		t.Errorf("%+v, %q", b.have.Summaries, b.summary.Body)
	}

	haveReplied(&b.have, gh.Comment{ID: 12, Mine: true, Body: marked(comment.ReplyMark, "100")}, false)
	if !b.have.Replied[comment.Ref{ID: 100}] {
		t.Errorf("%v", b.have.Replied)
	}
}
