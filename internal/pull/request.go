package pull

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
)

// request is a command of a person.
type request struct {
	comment  gh.Comment
	thread   *gh.Thread // it stands in, nil for one of a conversation
	issue    *gh.Issue  // it stands on, nil for the pull request
	command  comment.Command
	wrong    error // it starts like a command and is none
	answered bool  // we reacted to it at its end
}

// requests collects the commands of people, in the order of their creation.
// Comments of bots and of ourselves, hidden and edited ones command nothing (T11,
// T12, T17).
func (s *situation) requests() []request {
	var all []request
	add := func(c gh.Comment, thread *gh.Thread, issue *gh.Issue) {
		if c.Mine || c.Author.Bot || c.Edited || c.Minimized {
			return
		}
		command, is, err := comment.Parse(c.Body)
		if !is {
			return
		}
		all = append(all, request{
			comment: c, thread: thread, issue: issue, command: command, wrong: err,
			answered: c.ThumbsUp || c.Confused || s.trusted && s.memo.handled(c.ID),
		})
	}
	for _, c := range s.pull.Comments {
		add(c, nil, nil)
	}
	for i := range s.pull.Threads {
		for _, c := range s.pull.Threads[i].Comments {
			add(c, &s.pull.Threads[i], nil)
		}
	}
	for i := range s.issues {
		for _, c := range s.issues[i].Comments {
			add(c, nil, &s.issues[i])
		}
	}
	slices.SortFunc(all, func(a, b request) int {
		return cmp.Or(a.comment.CreatedAt.Compare(b.comment.CreatedAt), cmp.Compare(a.comment.ID, b.comment.ID))
	})
	return all
}

// lasting reports whether what a verb orders holds for good, so that it counts in
// every run and not once.
func lasting(v comment.Verb) bool {
	switch v {
	case comment.Pause, comment.Resume, comment.Dismiss, comment.Waive:
		return true
	}
	return false
}

// refusal says why a request may not be carried out, or "".
func (s *situation) refusal(a request) string {
	if a.wrong != nil {
		return a.wrong.Error()
	}
	who := s.actor(a.comment.Author)
	escalation := s.setup.Config.Escalation
	ok, why := comment.May(a.command, comment.Who{
		Permission: who.Permission, Bot: who.Bot, Author: who.Author, OwnsRepo: who.OwnsRepo,
	}, comment.Rules{
		Deciders: debate.Permission(escalation.Deciders), AuthorMayDecide: *escalation.AuthorMayDecide,
	})
	switch {
	case !ok:
		return why
	case a.issue != nil && a.command.Verb != comment.Decide && a.command.Verb != comment.Help:
		return "on this issue only `/debate decide` counts; other commands belong on the pull request"
	}
	return ""
}

// wishes is what the commands of people come to in this run.
type wishes struct {
	orders  []debate.Order // that stand: dismissals and waivers
	paused  bool
	run     *request  // the latest order to run that nobody answered
	stop    *request  // likewise
	asked   []request // others that want an answer: disputes, decisions, questions
	refused []refused
	waived  []Waived // waivers bound to this head
	obeyed  []request
}

type refused struct {
	request
	why string
}

// weigh sorts the requests. What stands for good, such as a dismissal, counts in
// every run; what is done once counts until it is answered (S10).
func (s *situation) weigh() wishes {
	var w wishes
	for _, a := range s.asks {
		if why := s.refusal(a); why != "" {
			if !a.answered {
				w.refused = append(w.refused, refused{a, why})
			}
			continue
		}
		by := s.actor(a.comment.Author)
		switch a.command.Verb {
		case comment.Pause, comment.Resume:
			w.paused = a.command.Verb == comment.Pause
			w.obey(a)
		case comment.Dismiss:
			for _, target := range s.targets(a.command.Finding) {
				w.orders = append(w.orders, debate.Order{Kind: debate.OrderDismiss, Target: target, Reason: a.command.Text, By: by})
			}
			w.obey(a)
		case comment.Waive:
			at := s.waivedOn(a.comment.ID)
			w.waived = append(w.waived, Waived{Comment: a.comment.ID, Head: at})
			if at == s.pull.HeadSHA { // a waiver holds for one head
				w.orders = append(w.orders, debate.Order{Kind: debate.OrderWaive, Target: string(a.command.Trigger), Reason: a.command.Text, By: by})
			}
			w.obey(a)
		case comment.Run:
			if !a.answered {
				w.run = &a
				w.obey(a)
			}
		case comment.Stop:
			if !a.answered {
				w.stop = &a
				w.obey(a)
			}
		default:
			if !a.answered {
				w.asked = append(w.asked, a)
			}
		}
	}
	return w
}

// targets are what a finding is known by: its F id, and the key of its text,
// which it has again if a later head raises it anew (S11).
func (s *situation) targets(f string) []string {
	all := []string{f}
	for _, n := range s.memo.Names {
		if n.F == f {
			all = append(all, n.Key[:strings.LastIndexByte(n.Key, '-')])
		}
	}
	return all
}

// obey notes a request that is carried out by the run as a whole.
func (w *wishes) obey(a request) {
	if !a.answered {
		w.obeyed = append(w.obeyed, a)
	}
}

// waivedOn is the head that a waiver holds for: the one on which it was first
// seen.
func (s *situation) waivedOn(id int64) string {
	for _, known := range s.memo.Waived {
		if known.Comment == id && s.trusted {
			return known.Head
		}
	}
	return s.pull.HeadSHA
}

// finding is the F id that a request is about: the one that it names, or the one
// of the thread that it stands in.
func (s *situation) finding(a request) string {
	if a.command.Finding != "" || a.thread == nil || len(a.thread.Comments) == 0 {
		return a.command.Finding
	}
	first := a.thread.Comments[0]
	m, ok := comment.Marked(first.Body, comment.FindingMark)
	if !ok || !first.Mine {
		return ""
	}
	return s.memo.keyed(m.Value)
}

// millis is a time as the log counts it.
func millis(t time.Time) int64 { return t.UnixMilli() }
