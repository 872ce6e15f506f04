package admin

import (
	"context"
	"fmt"

	"github.com/prdebate/debate/internal/report"
)

// decisionsPage lists the open decisions, the oldest first.
func (d *Dashboard) decisionsPage(ctx context.Context, at part) (page, error) {
	all, err := d.Database.OpenItems(ctx)
	if err != nil {
		return page{}, fmt.Errorf("read the open decisions: %w", err)
	}
	found := slice(at, all)
	p := page{Title: "Decisions", Sections: []section{{ID: "decisions", Pager: at.pager(len(found))}}}
	s := &p.Sections[0]
	if len(found) == 0 {
		s.Empty = &empty{
			Text: "No decision waits for a person.",
			Next: "A decision appears here when a change does something models may not decide alone, such as dropping stored data. The policy of the repository lists these changes.",
			Link: &tab{Text: "See finished reviews", URL: "/reviews"},
		}
		return p, nil
	}
	p.Lead = fmt.Sprintf("%s. Open the issue of a question to answer it.", plural(len(all), "decision waits for a person", "decisions wait for a person"))
	t := &table{Caption: "Open decisions, the oldest first", Head: []column{{Name: "Question"}, {Name: "Pull request"}, {Name: "Waiting for"}}}
	for _, item := range shown(found) {
		question := cell{Text: report.OneLine(item.Question), URL: d.onGitHub(item.URL), Away: true}
		if question.URL == "" {
			question.Sub = "Answer on the pull request."
		}
		t.add(question, d.pull(item.Repo, item.Pull, ""), moment(item.AskedAt, d.since(item.AskedAt)))
	}
	s.Table = t
	return p, nil
}
