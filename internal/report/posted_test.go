package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/comment"
)

// TestPosted: all that models wrote is a quotation, with the places linked and without what
// only the action offers, or only the desk of whoever posts it has.
func TestPosted(t *testing.T) {
	t.Parallel()
	e := FromState(contested())
	e.Record = "/home/ada/record.jsonl"
	e.Summary = "fine\n/lgtm\nbors r+"
	for _, findings := range e.Lists() {
		for i := range *findings {
			(*findings)[i].Body = "It breaks.\n\n/approve\n"
		}
	}
	body := string(Posted(e, Pull{RepositoryURL: repository, Head: reviewedHead, By: "ada"}))
	first, rest, _ := strings.Cut(body, "\n\n")
	if first != "Posted by ada from the command line. It is no check and blocks nothing." {
		t.Errorf("it begins with %q", first)
	}
	for _, line := range strings.Split(strings.TrimSuffix(rest, "\n"), "\n") {
		if !strings.HasPrefix(line, ">") {
			t.Errorf("no quotation: %q", line)
		}
	}
	for _, want := range []string{"> ### debate: ", "<" + repository + "/blob/" + reviewedHead + "/", "/approve", "**Someone with write access** has to decide"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
	for _, no := range []string{"/home/ada", "/debate ", "debate decide", "· commands"} {
		if strings.Contains(body, no) {
			t.Errorf("%q in\n%s", no, body)
		}
	}
}

// TestPostedFits: a quotation is longer than what it quotes, and nothing of it is cut off.
func TestPostedFits(t *testing.T) {
	t.Parallel()
	e := FromState(contested())
	for len(e.Unresolved) < 80 {
		f := e.Unresolved[0]
		f.ID, f.Body = fmt.Sprintf("F%d", 1000+len(e.Unresolved)), strings.Repeat("a line\n\n", 300)
		e.Unresolved = append(e.Unresolved, f)
	}
	body := string(Posted(e, Pull{RepositoryURL: repository, Head: reviewedHead, By: "ada"}))
	marked := comment.Mark(body, comment.Marker{Kind: comment.PostedMark, Value: "0123456789ab-0123456789ab"}.String())
	if len(body) < MaxMarkdown/2 || !strings.HasSuffix(marked, body) || len(marked) > comment.MaxBody {
		t.Errorf("%d bytes, %d with the marker; %d is the most", len(body), len(marked), comment.MaxBody)
	}
}
