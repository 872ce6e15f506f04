package ghtest

import (
	"slices"
	"strings"
	"time"
)

// Issue is an issue, or the part of a pull request that is one.
type Issue struct {
	Number int
	Repo   *Repo

	id       int64
	title    string
	body     edited
	author   *user
	open     bool
	reason   string // completed, not_planned, duplicate, reopened or ""
	closedBy *user
	closedAt time.Time
	created  time.Time
	updated  time.Time
	locked   bool
	labels   []*label
	comments []*Comment
	events   []*event
	pull     *Pull // of a pull request
}

// edited is a text with who changed it last.
type edited struct {
	text string
	by   *user
	at   time.Time
}

// event is something that happened to an issue.
type event struct {
	id     int64
	kind   string // closed, reopened, labeled, unlabeled, merged, renamed, head_ref_force_pushed
	actor  *user
	at     time.Time
	reason string
	commit string // that closed it
	merge  *Pull  // whose merge closed it
	label  *label
	from   string // the title before
	to     string // the title from then on
}

// Comment is a comment on an issue, on a pull request or in a review's thread.
type Comment struct {
	ID int64

	issue     *Issue
	author    *user
	body      edited
	created   time.Time
	updated   time.Time
	minimized string // why it is hidden, "" if it is not
	reactions reactions
	inline    *inline // of a comment on lines
}

// OpenIssue opens an issue.
func (r *Repo) OpenIssue(author, title, body string, labels ...string) *Issue {
	defer r.lock()()
	i := r.newIssue(r.world.accounts.get(author), title, body)
	for _, name := range labels {
		i.addLabel(i.author, name)
	}
	return i
}

func (r *Repo) newIssue(author *user, title, body string) *Issue {
	at := r.world.clock.tick()
	r.numbers++
	i := &Issue{
		Number: r.numbers, Repo: r, id: r.world.clock.next(), title: title, body: edited{text: body}, author: author, open: true,
		created: at, updated: at,
	}
	r.items = append(r.items, i)
	return i
}

// Issue is the issue of that number, nil if there is none.
func (r *Repo) Issue(number int) *Issue {
	defer r.lock()()
	if i := r.item(number); i != nil && i.pull == nil {
		return i
	}
	return nil
}

// Issues are all issues that are no pull requests.
func (r *Repo) Issues() []*Issue {
	defer r.lock()()
	return slices.DeleteFunc(slices.Clone(r.items), func(i *Issue) bool { return i.pull != nil })
}

// Comment comments as a person or a bot.
func (i *Issue) Comment(author, body string) *Comment {
	defer i.Repo.lock()()
	return i.comment(i.Repo.world.accounts.get(author), body)
}

func (i *Issue) comment(author *user, body string) *Comment {
	s := i.Repo.world
	c := &Comment{ID: large + s.clock.next(), issue: i, author: author, body: edited{text: body}, created: s.clock.tick()}
	c.updated, i.updated = c.created, c.created
	i.comments = append(i.comments, c)
	return c
}

// Comments are the comments of the conversation, oldest first.
func (i *Issue) Comments() []*Comment {
	defer i.Repo.lock()()
	return slices.Clone(i.comments)
}

// Edit changes the body.
func (i *Issue) Edit(by, body string) {
	defer i.Repo.lock()()
	i.edit(i.Repo.world.accounts.get(by), body)
}

func (i *Issue) edit(by *user, body string) {
	i.updated = i.Repo.world.clock.tick()
	i.body = edited{text: body, by: by, at: i.updated}
}

// Title is the title as it is now.
func (i *Issue) Title() string {
	defer i.Repo.lock()()
	return i.title
}

// SetTitle gives another title.
func (i *Issue) SetTitle(by, title string) {
	defer i.Repo.lock()()
	i.rename(i.Repo.world.accounts.get(by), title)
}

func (i *Issue) rename(by *user, title string) {
	e := i.happen("renamed", by)
	e.from, e.to = i.title, title
	i.title = title
}

// Body is the body as it is now.
func (i *Issue) Body() string {
	defer i.Repo.lock()()
	return i.body.text
}

// Open tells whether it is open.
func (i *Issue) Open() bool {
	defer i.Repo.lock()()
	return i.open
}

// Labels are the names of its labels.
func (i *Issue) Labels() []string {
	defer i.Repo.lock()()
	return i.labelNames()
}

func (i *Issue) labelNames() []string {
	names := make([]string, 0, len(i.labels))
	for _, l := range i.labels {
		names = append(names, l.name)
	}
	return names
}

// Close closes it with a reason: completed, not_planned or duplicate.
func (i *Issue) Close(by, reason string) {
	defer i.Repo.lock()()
	i.close(i.Repo.world.accounts.get(by), reason)
}

func (i *Issue) close(by *user, reason string) *event {
	if !i.open {
		return &event{}
	}
	e := i.happen("closed", by)
	e.reason = reason
	i.open, i.reason, i.closedBy, i.closedAt = false, reason, by, e.at
	return e
}

// SetReason gives another reason to an issue that is closed, without an event.
func (i *Issue) SetReason(reason string) {
	defer i.Repo.lock()()
	i.reason = reason
}

// CloseByCommit closes it as a keyword in a commit on the default branch does.
func (i *Issue) CloseByCommit(by, sha string) {
	defer i.Repo.lock()()
	i.close(i.Repo.world.accounts.get(by), "completed").commit = sha
}

// Reopen opens it again.
func (i *Issue) Reopen(by string) {
	defer i.Repo.lock()()
	i.reopen(i.Repo.world.accounts.get(by))
}

func (i *Issue) reopen(by *user) {
	if i.open {
		return
	}
	i.open, i.reason, i.closedBy, i.closedAt = true, "reopened", nil, time.Time{}
	i.happen("reopened", by)
}

func (i *Issue) happen(kind string, by *user) *event {
	e := &event{id: i.Repo.world.clock.next(), kind: kind, actor: by, at: i.Repo.world.clock.tick()}
	i.updated = e.at
	i.events = append(i.events, e)
	return e
}

// AddLabel puts a label on it.
func (i *Issue) AddLabel(by, name string) {
	defer i.Repo.lock()()
	i.addLabel(i.Repo.world.accounts.get(by), name)
}

// addLabel makes the label where the repository does not have it.
func (i *Issue) addLabel(by *user, name string) {
	l := i.Repo.label(name, "ededed")
	if slices.Contains(i.labels, l) {
		return
	}
	i.labels = append(i.labels, l)
	i.happen("labeled", by).label = l
}

// RemoveLabel takes a label off.
func (i *Issue) RemoveLabel(by, name string) {
	defer i.Repo.lock()()
	i.removeLabel(i.Repo.world.accounts.get(by), name)
}

func (i *Issue) removeLabel(by *user, name string) bool {
	at := slices.IndexFunc(i.labels, func(l *label) bool { return strings.EqualFold(l.name, name) })
	if at < 0 {
		return false
	}
	l := i.labels[at]
	i.labels = slices.Delete(i.labels, at, at+1)
	i.happen("unlabeled", by).label = l
	return true
}

// Delete removes it, or stands for moving it to another repository: its number
// leads nowhere from then on.
func (i *Issue) Delete() {
	defer i.Repo.lock()()
	i.Repo.items = slices.DeleteFunc(i.Repo.items, func(other *Issue) bool { return other == i })
}

// Lock ends the conversation for all but collaborators.
func (i *Issue) Lock() {
	defer i.Repo.lock()()
	i.locked = true
}

// Body is the text as it is now.
func (c *Comment) Body() string {
	defer c.issue.Repo.lock()()
	return c.body.text
}

// Author is the login of who wrote it.
func (c *Comment) Author() string {
	defer c.issue.Repo.lock()()
	return c.author.login
}

// Edit changes the text.
func (c *Comment) Edit(by, body string) {
	defer c.issue.Repo.lock()()
	c.edit(c.issue.Repo.world.accounts.get(by), body)
}

func (c *Comment) edit(by *user, body string) {
	c.updated = c.issue.Repo.world.clock.tick()
	c.body = edited{text: body, by: by, at: c.updated}
}

// Minimize hides it.
func (c *Comment) Minimize(reason string) {
	defer c.issue.Repo.lock()()
	c.minimized = reason
}

// Minimized is why it is hidden, "" where it is not.
func (c *Comment) Minimized() string {
	defer c.issue.Repo.lock()()
	return c.minimized
}

// Delete removes it.
func (c *Comment) Delete() {
	defer c.issue.Repo.lock()()
	gone := func(other *Comment) bool { return other == c }
	c.issue.comments = slices.DeleteFunc(c.issue.comments, gone)
	if p := c.issue.pull; p != nil {
		p.inline = slices.DeleteFunc(p.inline, gone)
	}
}

// React reacts, e.g. with "+1".
func (c *Comment) React(by, content string) {
	defer c.issue.Repo.lock()()
	c.reactions.add(c.issue.Repo.world.clock, c.issue.Repo.world.accounts.get(by), content)
}

// Reactions are what the account reacted with.
func (c *Comment) Reactions(by string) []string {
	defer c.issue.Repo.lock()()
	var found []string
	for _, r := range c.reactions {
		if strings.EqualFold(r.by.login, by) {
			found = append(found, r.content)
		}
	}
	return found
}
