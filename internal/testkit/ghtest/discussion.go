package ghtest

import (
	"slices"
	"time"
)

// Review is a review that was submitted.
type Review struct {
	ID int64

	pull   *Pull
	author *user
	state  string // APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED
	body   edited
	commit string
	at     time.Time
}

// inline is what a comment on lines has more than another.
type inline struct {
	review      *Review
	thread      *thread
	replyTo     int64
	hunk        string
	wholeFile   bool
	path        string
	commit      string // at which it was made
	base        string // the merge base then
	side        string // LEFT or RIGHT
	startSide   string
	line, start int // start is 0 for one line
}

// thread is what was said about the same lines.
type thread struct {
	id       int64
	pull     *Pull
	first    *Comment
	resolved *user
}

func (r *Review) serial() int64 { return r.ID - large }

func (t *thread) serial() int64 { return t.id }

// discussion is what was said about the lines of a pull request: reviews with comments,
// in threads.
type discussion struct {
	pull     *Pull
	reviews  []*Review
	comments []*Comment // of all reviews, oldest first
	threads  []*thread
}

// review makes a review without comments.
func (d *discussion) review(author *user, state, body, commit string) *Review {
	h := d.pull.history
	r := &Review{ID: large + h.clock.next(), pull: d.pull, author: author, state: state, body: edited{text: body}, commit: commit, at: h.touch()}
	d.reviews = append(d.reviews, r)
	return r
}

// say adds a comment on lines; it opens a thread if it is no reply.
func (d *discussion) say(r *Review, author *user, body string, in inline) *Comment {
	h := d.pull.history
	in.review = r
	c := &Comment{ID: large + h.clock.next(), issue: d.pull.Issue, author: author, body: edited{text: body}, created: h.touch(), inline: &in}
	c.updated = c.created
	if in.thread == nil {
		in.thread = &thread{id: h.clock.next(), pull: d.pull, first: c}
		d.threads = append(d.threads, in.thread)
	}
	d.comments = append(d.comments, c)
	return c
}

// reply is a review of one comment. A reply to a reply stands in the same thread.
func (d *discussion) reply(author *user, to *Comment, body string) *Comment {
	first := to.inline.thread.first
	in := *first.inline
	in.replyTo = first.ID
	return d.say(d.review(author, "COMMENTED", "", d.pull.ends.head.sha), author, body, in)
}

// find is the review of an id, nil for none.
func (d *discussion) find(id int64) *Review {
	for _, r := range d.reviews {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// comment is the comment of an id, nil for none.
func (d *discussion) comment(id int64) *Comment {
	for _, c := range d.comments {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// node is the review, the thread or the comment that an identifier of GraphQL stands for,
// nil for nothing.
func (d *discussion) node(id string) any {
	for _, r := range d.reviews {
		if id == nodeID("PRR", r.ID) {
			return r
		}
	}
	for _, t := range d.threads {
		if id == nodeID("PRRT", t.id) {
			return t
		}
	}
	for _, c := range d.comments {
		if id == c.node() {
			return c
		}
	}
	return nil
}

// of are the comments of a list that belong together.
func of(list []*Comment, belongs func(*inline) bool) []*Comment {
	return slices.DeleteFunc(slices.Clone(list), func(c *Comment) bool { return !belongs(c.inline) })
}

// Body is the text of the review.
func (r *Review) Body() string {
	defer r.pull.Repo.lock()()
	return r.body.text
}

// State is what the review says, e.g. COMMENTED.
func (r *Review) State() string {
	defer r.pull.Repo.lock()()
	return r.state
}

// Author is the login of who wrote it.
func (r *Review) Author() string {
	defer r.pull.Repo.lock()()
	return r.author.login
}

// Edit changes the text of the review.
func (r *Review) Edit(by, body string) {
	defer r.pull.Repo.lock()()
	r.body = edited{text: body, by: r.pull.Repo.user(by), at: r.pull.history.clock.tick()}
}

// Dismiss takes the weight off an approval or a request for changes.
func (r *Review) Dismiss() {
	defer r.pull.Repo.lock()()
	r.state = "DISMISSED"
}

// Reply answers in the thread of a comment on lines.
func (c *Comment) Reply(author, body string) *Comment {
	defer c.issue.Repo.lock()()
	return c.issue.pull.discussion.reply(c.issue.Repo.user(author), c, body)
}

// Resolve marks the thread of a comment on lines as resolved.
func (c *Comment) Resolve(by string) {
	defer c.issue.Repo.lock()()
	c.inline.thread.resolved = c.issue.Repo.user(by)
}

// Resolved reports whether the thread of a comment on lines is marked as resolved.
func (c *Comment) Resolved() bool {
	defer c.issue.Repo.lock()()
	return c.inline.thread.resolved != nil
}
