package ghtest

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// Pull is a pull request.
type Pull struct {
	*Issue

	pullID     int64
	ends       ends
	draft      bool
	merge      merge
	discussion discussion
	linked     []*Issue // by hand
	awaited    []*user  // who was asked to review
}

// merge is how a pull request was merged; the zero merge is none.
type merge struct {
	by     *user
	at     time.Time
	commit string
}

func (m merge) isDone() bool { return m.commit != "" }

// NewPull says what a pull request is about.
type NewPull struct {
	Title, Body string
	Base        string // "" is the default branch
	Head        string // a branch of From
	From        *Repo  // nil is the repository itself
	Draft       bool
	Labels      []string
}

// InlineComment is a comment on lines of a review that a person submits.
type InlineComment struct {
	Path      string
	Side      string // "" is RIGHT
	StartLine int    // 0: on one line
	Line      int
	Body      string
}

// OpenPull opens a pull request. Its branches exist.
func (r *Repo) OpenPull(author string, n NewPull) *Pull {
	defer r.lock()()
	n.Base, n.From = cmp.Or(n.Base, r.git.trunk), cmp.Or(n.From, r)
	both := ends{base: end{repo: r}.at(n.Base), head: end{repo: n.From}.at(n.Head)}
	if both.base.sha == "" || both.head.sha == "" {
		r.world.failf("%s: no branch %s or %s", r.full(), n.Base, n.Head)
	}
	i := r.newIssue(r.user(author), n.Title, n.Body)
	p := &Pull{Issue: i, pullID: r.world.clock.next(), ends: both, draft: n.Draft}
	p.discussion.pull = p
	i.pull = p
	for _, name := range n.Labels {
		i.labels.add(i.author, name)
	}
	return p
}

// Pull is the pull request of that number, nil if there is none.
func (r *Repo) Pull(number int) *Pull {
	defer r.lock()()
	return r.items.pull(number)
}

// Push moves the head.
func (p *Pull) Push(sha string) {
	defer p.Repo.lock()()
	p.ends.head.repo.setBranch(p.ends.head.ref, sha)
}

// PushedBy names the account that pushed the head. Without it that is the author.
func (p *Pull) PushedBy(login string) {
	defer p.Repo.lock()()
	r := p.ends.head.repo
	for i := range r.pushes {
		if one := &r.pushes[i]; one.ref == p.ends.head.ref && one.after == p.ends.head.sha {
			one.by = r.user(login)
		}
	}
}

// ForcePush moves the head to a commit that is not built on it.
func (p *Pull) ForcePush(by, sha string) {
	defer p.Repo.lock()()
	before, r := p.ends.head.sha, p.ends.head.repo
	r.setBranch(p.ends.head.ref, sha)
	r.pushes[len(r.pushes)-1].by = p.Repo.user(by)
	e := p.history.happen("head_ref_force_pushed", p.Repo.user(by))
	e.before, e.commit = before, sha
}

// Head is the commit that is to be merged.
func (p *Pull) Head() string {
	defer p.Repo.lock()()
	return p.ends.head.sha
}

// Base is the tip of the base branch.
func (p *Pull) Base() string {
	defer p.Repo.lock()()
	return p.ends.base.tip()
}

// SetDraft makes it a draft or ready for review.
func (p *Pull) SetDraft(draft bool) {
	defer p.Repo.lock()()
	p.draft = draft
}

// SetBase aims it at another branch.
func (p *Pull) SetBase(branch string) {
	defer p.Repo.lock()()
	p.ends.base = p.ends.base.at(branch)
}

// Merge merges it with a merge commit on its base branch.
func (p *Pull) Merge(by string) {
	defer p.Repo.lock()()
	r := p.Repo
	who := r.user(by)
	sha := r.commit([]string{p.ends.base.tip(), p.ends.head.sha}, r.git.objects.commits[p.ends.head.sha].files, "merge")
	r.git.branches[p.ends.base.ref] = sha
	p.history.happen("merged", who).commit = sha
	p.merge = merge{by: who, at: p.standing.close(who, "").at, commit: sha}
}

// queued is a pull request in a merge queue.
type queued struct {
	id         int64
	pull       *Pull
	base, head string
}

// Enqueue puts the pull request at the end of its base branch's merge queue. It
// returns the commits that its group is tried with: what the group builds on, and
// the merge itself.
func (p *Pull) Enqueue() (base, head string) {
	defer p.Repo.lock()()
	r := p.Repo
	base = p.ends.base.tip()
	if queue := r.queues[p.ends.base.ref]; len(queue) > 0 {
		base = queue[len(queue)-1].head
	}
	head = r.commit([]string{base, p.ends.head.sha}, r.git.objects.commits[p.ends.head.sha].files, "merge group of #"+itoa(p.Number))
	r.queues[p.ends.base.ref] = append(r.queues[p.ends.base.ref], queued{id: r.world.clock.next(), pull: p, base: base, head: head})
	return base, head
}

// Dequeue empties the merge queue of the base branch.
func (p *Pull) Dequeue() {
	defer p.Repo.lock()()
	delete(p.Repo.queues, p.ends.base.ref)
}

// RequestReview asks people to review the pull request.
func (p *Pull) RequestReview(logins ...string) {
	defer p.Repo.lock()()
	for _, login := range logins {
		p.awaited = append(p.awaited, p.Repo.user(login))
	}
}

// Link says by hand that the pull request is to close an issue.
func (p *Pull) Link(i *Issue) {
	defer p.Repo.lock()()
	p.linked = append(p.linked, i)
}

// closingWord is what makes a number in the text of a pull request an issue to close.
var closingWord = regexp.MustCompile(`(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #([0-9]+)\b`)

// closing are the issues that merging closes: those that its text names, where it aims at
// the default branch, and those that were linked by hand.
func (p *Pull) closing() []*Issue {
	var list []*Issue
	if p.ends.base.ref == p.Repo.git.trunk {
		for _, named := range closingWord.FindAllStringSubmatch(p.body.text, -1) {
			number, _ := strconv.Atoi(named[1])
			if i := p.Repo.items.issue(number); i != nil && !slices.Contains(list, i) {
				list = append(list, i)
			}
		}
	}
	for _, i := range p.linked {
		if !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list
}

// ClosesIssue closes an issue as a keyword in the pull request's text does when it
// is merged.
func (p *Pull) ClosesIssue(by string, i *Issue) {
	defer p.Repo.lock()()
	i.standing.close(p.Repo.user(by), "completed").merge = p
}

// Review submits a review: state is APPROVED, CHANGES_REQUESTED or COMMENTED.
func (p *Pull) Review(author, state, body string, comments ...InlineComment) *Review {
	defer p.Repo.lock()()
	who := p.Repo.user(author)
	r := p.discussion.review(who, state, body, p.ends.head.sha)
	for _, c := range comments {
		in := inline{path: c.Path, side: c.Side, line: c.Line, start: c.StartLine, commit: p.ends.head.sha}
		if problem := p.ends.place(&in); problem != "" {
			p.Repo.world.failf("review of #%d by %s: %s", p.Number, author, problem)
		}
		p.discussion.say(r, who, c.Body, in)
	}
	return r
}

// Inline are the comments on lines, oldest first.
func (p *Pull) Inline() []*Comment {
	defer p.Repo.lock()()
	return slices.Clone(p.discussion.comments)
}

// Reviews are the submitted reviews, oldest first.
func (p *Pull) Reviews() []*Review {
	defer p.Repo.lock()()
	return slices.Clone(p.discussion.reviews)
}

// ReviewAt reviews an earlier head, as a page does that was opened before a push.
func (p *Pull) ReviewAt(sha, author, state, body string) *Review {
	defer p.Repo.lock()()
	return p.discussion.review(p.Repo.user(author), state, body, sha)
}
