package pull

import (
	"reflect"
	"slices"
	"testing"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/gh"
)

// marked is a body with a marker of ours.
func marked(kind comment.Kind, value string) string {
	return comment.Mark("text", comment.Marker{Kind: kind, Value: value}.String())
}

// TestHaveOf: what we wrote on GitHub is known from what stands there, and nothing that
// others wrote in our words.
func TestHaveOf(t *testing.T) {
	t.Parallel()
	carol := gh.Account{Login: "carol"}
	s := unreviewed()
	summary, reply := marked(comment.SummaryMark, ""), marked(comment.ReplyMark, "11")
	s.pull.Comments = []gh.Comment{
		{ID: 10, Mine: true, Body: summary}, {ID: 11, Author: carol, Body: summary, Eyes: true}, {ID: 12, Mine: true, Body: reply},
		{ID: 13, Author: carol, Body: marked(comment.ReplyMark, "10"), ThumbsUp: true, Confused: true}, {ID: 14, Mine: true, Body: "text"},
	}
	finding := gh.Comment{ID: 20, Node: "node", Mine: true, Minimized: true, Body: marked(comment.FindingMark, "aa-0")}
	s.pull.Threads = []gh.Thread{
		{Resolved: true, Comments: []gh.Comment{finding, {ID: 21, Author: carol, Confused: true}, {ID: 22, Mine: true, Body: marked(comment.ReplyMark, "21")}}},
		{Comments: []gh.Comment{{ID: 23, Mine: true, Body: marked(comment.FindingMark, "bb-0")}, {ID: 24, Mine: true}}},
		{Comments: []gh.Comment{{ID: 25, Author: carol, Body: marked(comment.FindingMark, "cc-0")}}},
	}
	s.pull.Reviews = []gh.Review{
		{Mine: true, Body: marked(comment.ReviewMark, "aaaaaaaaaaaa-bbbbbbbbbbbb")}, {Author: carol, Body: marked(comment.ReviewMark, "cccccccccccc-bbbbbbbbbbbb")}, {Mine: true, Body: "text"},
	}
	note := gh.Comment{ID: 30, Mine: true, Body: marked(comment.NoteMark, "undone-1")}
	s.issues = ownIssues{
		{Number: 5, Title: "first", Body: "one"},
		{Number: 6, Open: true, Title: "second", Body: "two", Labels: []string{"decide"}, Comments: []gh.Comment{note, {ID: 31, Author: carol, Body: marked(comment.NoteMark, "undone-2"), ThumbsUp: true}}},
		{Number: 7, Open: true},
	}
	in := func(id int64) comment.Ref { return comment.Ref{ID: id, InThread: true} }
	on := func(id int64) comment.Ref { return comment.Ref{ID: id} }
	want := comment.Have{
		Summaries: []comment.HaveComment{{ID: 10, Body: summary}},
		Inline: []comment.HaveInline{
			{ID: 20, Key: "aa-0", Body: finding.Body, Resolved: true, Hidden: true, Answered: true, Node: "node"},
			{ID: 23, Key: "bb-0", Body: marked(comment.FindingMark, "bb-0")},
		},
		Reviews: []string{"aaaaaaaaaaaa-bbbbbbbbbbbb"},
		Replied: map[comment.Ref]bool{on(11): true, in(21): true},
		Reacted: map[comment.Reacted]bool{
			{To: on(11), Reaction: comment.Eyes}: true, {To: on(13), Reaction: comment.ThumbsUp}: true, {To: on(13), Reaction: comment.Confused}: true,
			{To: in(21), Reaction: comment.Confused}: true, {To: on(31), Reaction: comment.ThumbsUp}: true,
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
	s.summary.URL, s.summary.Node, s.checkpoint.Items[0].URL = "the summary", "node", "the issue"
	b := postsOf(nil, s.Snapshot)
	if b.pull.Number != 7 || b.summary.ID != 1 || b.summary.URL != "the summary" || b.summary.Node != "node" || len(b.pull.Comments) != 1 || b.links["D0"] != "the issue" {
		t.Errorf("%+v", b)
	}
	if b.issues.one().Number != 5 || len(b.ownTexts().Issues) != 1 {
		t.Errorf("people are asked in %d, of %+v", b.issues.one().Number, b.ownTexts().Issues)
	}
}

// TestTake has a row for each issue that is found beside those that are known.
func TestTake(t *testing.T) {
	t.Parallel()
	open := func(number int) gh.Issue { return gh.Issue{Number: number, Open: true} }
	closed := func(number int) gh.Issue { return gh.Issue{Number: number} }
	rows := []struct {
		name   string
		before []gh.Issue
		found  []gh.Issue
		one    int
		counts []int // the issues in which people are asked, or that are open beside it
		all    []int
	}{
		{"none", []gh.Issue{open(5)}, nil, 5, []int{5}, []int{5}},
		{"the same", []gh.Issue{open(5)}, []gh.Issue{closed(5)}, 5, []int{5}, []int{5}},
		{"the first one", nil, []gh.Issue{open(6)}, 6, []int{6}, []int{6}},
		{"a second one", []gh.Issue{open(5)}, []gh.Issue{open(6)}, 5, []int{5, 6}, []int{5, 6}},
		{"an older one", []gh.Issue{open(6)}, []gh.Issue{open(5)}, 5, []int{6, 5}, []int{6, 5}},
		{"an open one beside a closed one", []gh.Issue{closed(5)}, []gh.Issue{open(6)}, 6, []int{6}, []int{5, 6}},
		{"a closed one beside an open one", []gh.Issue{open(5)}, []gh.Issue{closed(6)}, 5, []int{5}, []int{5, 6}},
		{"a newer closed one", []gh.Issue{closed(5)}, []gh.Issue{closed(6)}, 6, []int{6}, []int{5, 6}},
	}
	for _, row := range rows {
		s := unreviewed()
		s.issues = row.before
		b := postsOf(nil, s.Snapshot)
		b.take(row.found)
		var counts, all []int
		for _, h := range b.ownTexts().Issues {
			counts = append(counts, h.Number)
		}
		for _, i := range b.issues {
			all = append(all, i.Number)
		}
		if b.issues.one().Number != row.one || !slices.Equal(counts, row.counts) || !slices.Equal(all, row.all) {
			t.Errorf("%s: asks in %d, counting %v of %v", row.name, b.issues.one().Number, counts, all)
		}
		if len(s.issues) != len(row.before) {
			t.Errorf("%s: the snapshot has changed", row.name)
		}
	}
}

// TestPostsFollow: writes change what is known.
func TestPostsFollow(t *testing.T) {
	t.Parallel()
	s := unreviewed()
	s.summary = gh.Comment{ID: 10, Mine: true, Body: marked(comment.SummaryMark, "")}
	s.pull.Comments = []gh.Comment{s.summary, {ID: 11, Mine: true, Body: marked(comment.SummaryMark, "")}}
	b := postsOf(nil, s.Snapshot)
	b.editedSummary(10, "anew")
	b.editedSummary(11, "older")
	if b.have.Summaries[0].Body != "anew" || b.have.Summaries[1].Body != "older" || b.summary.Body != "anew" {
		t.Errorf("%+v, %q", b.have.Summaries, b.summary.Body)
	}

	haveReplied(&b.have, gh.Comment{ID: 12, Mine: true, Body: marked(comment.ReplyMark, "100")}, false)
	if !b.have.Replied[comment.Ref{ID: 100}] {
		t.Errorf("%v", b.have.Replied)
	}
}
