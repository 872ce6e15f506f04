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
	history  *history
	standing standing
	labels   labelling
	locked   bool
	comments []*Comment
	pull     *Pull // of a pull request
}

// edited is a text with who changed it last.
type edited struct {
	text string
	by   *user
	at   time.Time
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
	i := r.newIssue(r.user(author), title, body)
	for _, name := range labels {
		i.labels.add(i.author, name)
	}
	return i
}

func (r *Repo) newIssue(author *user, title, body string) *Issue {
	at := r.world.clock.tick()
	h := &history{clock: r.world.clock, created: at, updated: at}
	r.numbers++
	i := &Issue{
		Number: r.numbers, Repo: r, id: r.world.clock.next(), title: title, body: edited{text: body}, author: author,
		history: h, standing: standing{history: h}, labels: labelling{known: &r.labels, history: h},
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
	return i.comment(i.Repo.user(author), body)
}

func (i *Issue) comment(author *user, body string) *Comment {
	s := i.Repo.world
	c := &Comment{ID: large + s.clock.next(), issue: i, author: author, body: edited{text: body}, created: i.history.touch()}
	c.updated = c.created
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
	i.edit(i.Repo.user(by), body)
}

func (i *Issue) edit(by *user, body string) {
	i.body = edited{text: body, by: by, at: i.history.touch()}
}

// Title is the title as it is now.
func (i *Issue) Title() string {
	defer i.Repo.lock()()
	return i.title
}

// SetTitle gives another title.
func (i *Issue) SetTitle(by, title string) {
	defer i.Repo.lock()()
	i.rename(i.Repo.user(by), title)
}

func (i *Issue) rename(by *user, title string) {
	e := i.history.happen("renamed", by)
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
	return i.standing.isOpen()
}

// Labels are the names of its labels.
func (i *Issue) Labels() []string {
	defer i.Repo.lock()()
	return labelNames(i.labels.list)
}

// Close closes it with a reason: completed, not_planned or duplicate.
func (i *Issue) Close(by, reason string) {
	defer i.Repo.lock()()
	i.standing.close(i.Repo.user(by), reason)
}

// SetReason gives another reason to an issue that is closed, without an event.
func (i *Issue) SetReason(reason string) {
	defer i.Repo.lock()()
	i.standing.reason = reason
}

// CloseByCommit closes it as a keyword in a commit on the default branch does.
func (i *Issue) CloseByCommit(by, sha string) {
	defer i.Repo.lock()()
	i.standing.close(i.Repo.user(by), "completed").commit = sha
}

// Reopen opens it again.
func (i *Issue) Reopen(by string) {
	defer i.Repo.lock()()
	i.standing.reopen(i.Repo.user(by))
}

// AddLabel puts a label on it.
func (i *Issue) AddLabel(by, name string) {
	defer i.Repo.lock()()
	i.labels.add(i.Repo.user(by), name)
}

// RemoveLabel takes a label off.
func (i *Issue) RemoveLabel(by, name string) {
	defer i.Repo.lock()()
	i.labels.remove(i.Repo.user(by), name)
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
	c.edit(c.issue.Repo.user(by), body)
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
	c.reactions.add(c.issue.Repo.world.clock, c.issue.Repo.user(by), content)
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
