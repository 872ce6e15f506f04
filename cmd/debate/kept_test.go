package main

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// people is what people with the right to decide did about one pull request, and what debate said about it in
// issues and comments.
type people struct {
	acts       []act // without an answer of debate
	promises   []promise
	dismissals []dismissal
	revoked    map[*ghtest.Issue]time.Time // when such a person opened it again
	turned     bool                        // the base branch changed since the last look
}

// act is a command, or an answer to an open question by a click or a review.
type act struct {
	what    string
	command *ghtest.Comment // nil for a click or a review
	summary string          // what the summary says of it, if no reaction does; "" for nothing
	issue   *ghtest.Issue   // with the question
	words   int             // of debate on the issue before it
}

// promise is a decision that an issue calls recorded.
type promise struct {
	by      string
	at      string // the time in the keys of the notes about it
	merges  bool   // as it is
	issue   *ghtest.Issue
	comment int               // of debate, that says so
	late    bool              // it is about an earlier head than the one below
	head    map[string]string // files
	mode    map[string]string // of those that are no ordinary ones
	on      string            // the base branch
	moved   bool              // the pull request got another base branch since
	ended   bool              // another one followed, it is told why it ended, or it was revoked
}

// refusedIn reports whether a comment of debate says that this answer does not count.
func (p promise) refusedIn(said string) bool {
	no := saysRefused.FindStringSubmatch(said)
	return no != nil && no[1] == p.at && no[2] == p.by
}

// dismissal is a finding that a person dismissed by a command, at a line of a file.
type dismissal struct {
	by, id  string
	command *ghtest.Comment
	path    string
	line    int
	text    string // of the file
	on      string // the base branch
}

const ourselves = "github-actions[bot]"

var (
	saysRecorded = regexp.MustCompile(`decided-(\d+)[\s\S]*Recorded: \*\*([\w-]+) decided: (.+?)\.\*\*[\s\S]*This holds for \[.([0-9a-f]{7})`)
	saysRefused  = regexp.MustCompile(`undone-(\d+)[\s\S]*The answer of ([\w-]+) does not count`)
	saysFinding  = regexp.MustCompile(`(?m)^\| \*\*P\d\*\* (F\d+) \| \[([\w/.\\-]+):(\d+)\]`) // in the table of a summary
)

// words are the comments of debate on an issue.
func words(i *ghtest.Issue) (all []string) {
	for _, c := range i.Comments() {
		if c.Author() == ourselves {
			all = append(all, c.Body())
		}
	}
	return all
}

// waits reports whether an issue waits for an answer.
func waits(i *ghtest.Issue) bool { return i.Open() && slices.Contains(i.Labels(), "awaiting_human") }

// acted notes what a person does about the questions of issues.
func (f *flow) acted(who, what string, on ...*ghtest.Issue) {
	for _, i := range on {
		if waits(i) && f.may(who, 2) {
			f.acts = append(f.acts, act{what: who + " " + what, issue: i, words: len(words(i))})
		}
	}
}

// heardOf reports whether debate said what came of an act.
func (f *flow) heardOf(a act) bool {
	if a.command == nil {
		return len(words(a.issue)) > a.words
	}
	reactions, summary := a.command.Reactions(ourselves), strings.Join(words(f.pull.Issue), "\n")
	return slices.Contains(reactions, "+1") || slices.Contains(reactions, "confused") || a.summary != "" && strings.Contains(summary, a.summary)
}

// listen reads what issues say of decisions, and returns what contradicts itself, or "".
func (f *flow) listen() string {
	for _, i := range f.asking() {
		all := words(i)
		for at, said := range all {
			found := saysRecorded.FindStringSubmatch(said)
			if found == nil || slices.ContainsFunc(f.promises, func(p promise) bool { return p.issue == i && p.comment == at }) {
				continue
			}
			ms, err := strconv.ParseInt(found[1], 10, 64)
			if err != nil {
				return err.Error()
			}
			for n := range f.promises {
				f.promises[n].ended = f.promises[n].ended || f.promises[n].issue == i
			}
			p := promise{
				by: found[2], at: found[1], merges: found[3] == "merge it as it is", issue: i, comment: at,
				head: maps.Clone(f.head), mode: maps.Clone(f.mode), on: f.on,
				late: !strings.HasPrefix(f.pull.Head(), found[4]), moved: f.turned, ended: f.revoked[i].UnixMilli() > ms,
			}
			void := slices.ContainsFunc(all, p.refusedIn)
			if void && !f.met { // else one of two runs may know a later head
				return "one answer of " + p.by + " does not count, and is recorded"
			}
			p.ended = p.ended || void
			f.promises = append(f.promises, p)
		}
	}
	return ""
}

// revoke notes that a person with the right to decide opens an issue again. An answer that no run saw before needs no
// word any more.
func (f *flow) revoke(i *ghtest.Issue) {
	f.revoked[i] = f.server.Now()
	f.acts = slices.DeleteFunc(f.acts, func(a act) bool { return a.command == nil && a.issue == i })
	for n := range f.promises {
		f.promises[n].ended = f.promises[n].ended || f.promises[n].issue == i
	}
}

// lost says which decision of a person is lost without a word under a check, or "". Nothing has to be said before the
// debate about a head.
func (f *flow) lost(check ghtest.CheckRun) string {
	for _, undebated := range []string{"maintainer", "paused", "not reviewed"} {
		if check.Title == "" || strings.Contains(check.Title, undebated) {
			return ""
		}
	}
	if at := slices.IndexFunc(f.acts, func(a act) bool { return !f.heardOf(a) }); at >= 0 {
		return f.acts[at].what + ", and debate said nothing about it"
	}
	f.acts = nil
	return cmp.Or(f.broken(check.Conclusion), f.listed())
}

// broken says which promise does not hold and why that is wrong, or "".
func (f *flow) broken(conclusion string) string {
	for n := range f.promises {
		p := &f.promises[n]
		p.ended = p.ended || p.moved && f.met                                      // a run that met another one may write the summary without its word
		p.ended = p.ended || p.late && f.says(p, "Not done: the question changed") // the run of the later head refused it
		news := f.says(p, "**New since then**: F", "the models accepted an objection")
		if !p.ended && !p.late && waits(p.issue) && f.sameQuestion(p) && !news {
			return p.by + " decided, and is asked again about the same"
		}
		overtaken := func(said string) bool { return p.refusedIn(said) && strings.Contains(said, "the question changed") } // of a run that wrote no summary
		p.ended = p.ended || slices.ContainsFunc(words(p.issue)[p.comment+1:], overtaken)
		p.ended = p.ended || f.says(p, p.by+" answered (", p.by+"'s decision does not hold", p.by+" decided to merge an earlier commit")
		switch {
		case p.ended:
		case waits(p.issue):
			return p.by + " decided, is asked again, and no word says why"
		case !p.merges && p.on == f.on && (conclusion == "success" || conclusion == "neutral"):
			for path, text := range p.head {
				if strings.HasPrefix(path, "db/migrations/") && f.base[path] != text && f.head[path] == text {
					return fmt.Sprintf("%s decided not to merge %s as it is", p.by, path)
				}
			}
		}
	}
	return ""
}

// sameQuestion reports whether the head has everything that a question of policy can be about as a decision saw it.
func (f *flow) sameQuestion(p *promise) bool {
	plain := func(path, _ string) bool { // at most a model objects to these
		return slices.ContainsFunc([]string{"part", "door", "run", "wide"}, func(name string) bool { return strings.HasPrefix(path, name) })
	}
	before, now := maps.Clone(p.head), maps.Clone(f.head)
	maps.DeleteFunc(before, plain)
	maps.DeleteFunc(now, plain)
	return p.on == f.on && maps.Equal(before, now) && maps.Equal(p.mode, f.mode)
}

// says reports whether the issue, since a decision, or a comment on the pull request has one of these words.
func (f *flow) says(p *promise, some ...string) bool {
	all := strings.Join(append(words(p.issue)[p.comment+1:], append(words(f.pull.Issue), p.issue.Body())...), "\n")
	return slices.ContainsFunc(some, func(word string) bool { return strings.Contains(all, word) })
}

// listed says which finding the summary lists although a person dismissed it, or "".
func (f *flow) listed() string {
	for _, found := range saysFinding.FindAllStringSubmatch(strings.Join(words(f.pull.Issue), "\n"), -1) {
		id, path, line := found[1], strings.ReplaceAll(found[2], `\`, ""), found[3]
		for _, d := range f.dismissals {
			same := d.id == id && d.path == path && fmt.Sprint(d.line) == line && d.text == f.head[path] && d.on == f.on
			if same && slices.Contains(d.command.Reactions(ourselves), "+1") {
				return d.by + " dismissed " + d.id + ", and it is listed"
			}
		}
	}
	return ""
}
