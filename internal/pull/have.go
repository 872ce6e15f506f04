package pull

import (
	"strconv"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/gh"
)

// have is what stands on GitHub by our own hand.
func (s *situation) have() comment.Have {
	h := comment.Have{Replied: map[comment.Ref]bool{}, Reacted: map[comment.Reacted]bool{}}
	for _, c := range s.pull.Comments {
		if _, is := comment.Marked(c.Body, comment.SummaryMark); is && c.Mine {
			h.Summaries = append(h.Summaries, comment.HaveComment{ID: c.ID, Body: c.Body})
		}
		said(&h, c, false)
	}
	for _, t := range s.pull.Threads {
		for i, c := range t.Comments {
			said(&h, c, true)
			if m, is := comment.Marked(c.Body, comment.FindingMark); i == 0 && is && c.Mine {
				h.Inline = append(h.Inline, comment.HaveInline{ID: c.ID, Key: m.Value, Body: c.Body, Resolved: t.Resolved, Answered: answered(t)})
			}
		}
	}
	for _, review := range s.pull.Reviews {
		if m, is := comment.Marked(review.Body, comment.ReviewMark); is && review.Mine {
			h.Reviews = append(h.Reviews, m.Value)
		}
	}
	for _, issue := range s.issues {
		s.haveIssue(&h, issue)
	}
	return h
}

func (s *situation) haveIssue(h *comment.Have, issue gh.Issue) {
	m, is := comment.Marked(issue.Body, comment.DecisionMark)
	if !is {
		return
	}
	own := comment.HaveIssue{
		Number: issue.Number, Fingerprint: m.Value, Open: issue.Open, Labels: issue.Labels, Title: issue.Title, Body: issue.Body,
	}
	for _, c := range issue.Comments {
		if note, is := comment.Marked(c.Body, comment.NoteMark); is && c.Mine {
			own.Noted = append(own.Noted, note.Value)
		}
		said(h, c, false)
	}
	h.Issues = append(h.Issues, own)
}

// said notes what we said and did about a comment.
func said(h *comment.Have, c gh.Comment, inThread bool) {
	to := comment.Ref{ID: c.ID, InThread: inThread}
	for reaction, is := range map[comment.Reaction]bool{comment.Eyes: c.Eyes, comment.ThumbsUp: c.ThumbsUp, comment.Confused: c.Confused} {
		if is {
			h.Reacted[comment.Reacted{To: to, Reaction: reaction}] = true
		}
	}
	if m, is := comment.Marked(c.Body, comment.ReplyMark); is && c.Mine {
		if id, err := strconv.ParseInt(m.Value, 10, 64); err == nil {
			h.Replied[comment.Ref{ID: id, InThread: inThread}] = true
		}
	}
}

// answered reports whether somebody else wrote in a thread of ours.
func answered(t gh.Thread) bool {
	for _, c := range t.Comments {
		if !c.Mine {
			return true
		}
	}
	return false
}

// links are where the threads of findings and the items of decisions stand.
func (s *situation) links() map[string]string {
	links := make(map[string]string)
	for _, t := range s.pull.Threads {
		if len(t.Comments) == 0 || !t.Comments[0].Mine {
			continue
		}
		if m, is := comment.Marked(t.Comments[0].Body, comment.FindingMark); is {
			if f := s.memo.keyed(m.Value); f != "" && links[f] == "" {
				links[f] = t.Comments[0].URL
			}
		}
	}
	return links
}
