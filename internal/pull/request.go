package pull

import (
	"cmp"
	"slices"
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
			answered: c.ThumbsUp || c.Confused || s.sealed && s.memo.handled(c.ID),
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

// may reports whether somebody may give a command by the settings in force, and why
// not.
func (s *situation) may(c comment.Command, by debate.Actor) (ok bool, why string) {
	escalation := s.setup.Config.Escalation
	return comment.May(c, comment.Who{
		Permission: by.Permission, Bot: by.Bot, Author: by.Author, OwnsRepo: by.OwnsRepo,
	}, comment.Rules{Deciders: debate.Permission(escalation.Deciders), AuthorMayDecide: *escalation.AuthorMayDecide})
}

// refusal says why a request may not be carried out, or "".
func (s *situation) refusal(a request) string {
	if a.wrong != nil {
		return a.wrong.Error()
	}
	ok, why := s.may(a.command, s.actor(a.comment.Author))
	switch {
	case !ok:
		return a.comment.Author.Login + " " + why
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
	stopped int64     // the latest order to stop, answered or not: Unix milliseconds
	asked   []request // others that want an answer: disputes, decisions, questions
	refused []refused
	waived  []Waived // what waivers are bound to
	// dismissed are the dismissals that were seen for the first time.
	dismissed []Dismissed
	obeyed    []request
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
		if _, asked := s.access[a.comment.Author.Login]; !asked { // nobody knows what they may do
			continue
		}
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
			s.dismiss(&w, a, by)
		case comment.Waive:
			s.waive(&w, a, by)
		case comment.Run:
			if !a.answered {
				w.run, w.stop = &a, nil
				w.obey(a)
			}
		case comment.Stop:
			w.stopped = millis(a.comment.CreatedAt)
			if !a.answered {
				w.run, w.stop = nil, &a // who says both means the last one
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

// dismiss takes a dismissal. It is of the finding that its F id meant when it was
// first seen, and of the text of that one, which it has again if a later head
// raises it anew (S11). One that was answered, and of which nothing sealed says
// what it meant, is of nothing.
func (s *situation) dismiss(w *wishes, a request, by debate.Actor) {
	at := slices.IndexFunc(s.memo.Dismissed, func(d Dismissed) bool { return s.sealed && d.Comment == a.comment.ID })
	var d Dismissed
	switch {
	case at >= 0:
		d = s.memo.Dismissed[at]
	case a.answered:
		return
	default:
		var known bool
		if d, known = s.memo.dismissal(a.comment.ID, a.command.Finding); !known {
			w.refused = append(w.refused, refused{a, "there is no finding " + a.command.Finding + " here"})
			return
		}
		w.dismissed = append(w.dismissed, d)
	}
	for _, target := range []string{d.F, d.Text} {
		if target != "" {
			w.orders = append(w.orders, debate.Order{Kind: debate.OrderDismiss, Target: target, Reason: a.command.Text, By: by, AtMost: d.Severity})
		}
	}
	w.obey(a)
}

// waive takes a waiver. It holds for one head: the one whose review its giver can
// have read (A12).
func (s *situation) waive(w *wishes, a request, by debate.Actor) {
	at := slices.IndexFunc(s.memo.Waived, func(known Waived) bool { return s.sealed && known.Comment == a.comment.ID })
	reviewed := s.memo.Debate.HeadSHA
	switch {
	case at >= 0:
		if w.waived = append(w.waived, s.memo.Waived[at]); s.memo.Waived[at].Head != s.pull.HeadSHA {
			w.obey(a)
			return
		}
	case a.answered:
		return
	case !s.trusted && !s.repeated():
		w.refused = append(w.refused, refused{a, "nobody has reviewed head " + short(s.pull.HeadSHA) + " yet, and a waiver is for what a review found"})
		return
	case reviewed != s.pull.HeadSHA:
		w.refused = append(w.refused, refused{a, "a waiver holds for the head that was reviewed, " + short(reviewed) + ", and the head is " + short(s.pull.HeadSHA) + " by now"})
		return
	case millis(a.comment.CreatedAt) < s.memo.At/1000*1000: // people's clocks know no parts of a second
		w.refused = append(w.refused, refused{a, "it came before the review of head " + short(s.pull.HeadSHA) + " could be read"})
		return
	default:
		w.waived = append(w.waived, Waived{Comment: a.comment.ID, Head: s.pull.HeadSHA})
	}
	w.orders = append(w.orders, debate.Order{Kind: debate.OrderWaive, Target: string(a.command.Trigger), Reason: a.command.Text, By: by})
	w.obey(a)
}

// obey notes a request that is carried out by the run as a whole.
func (w *wishes) obey(a request) {
	if !a.answered {
		w.obeyed = append(w.obeyed, a)
	}
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
