package ghtest

import (
	"slices"
	"strings"
	"time"
)

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

// serial is the place of the comment among all that came to be.
func (c *Comment) serial() int64 { return c.ID - large }

// node is its identifier for GraphQL.
func (c *Comment) node() string {
	if c.inline != nil {
		return nodeID("PRRC", c.ID)
	}
	return nodeID("IC", c.ID)
}

// conversation is what was said about an issue or a pull request as a whole.
type conversation struct {
	issue    *Issue
	locked   bool // for all but collaborators
	comments []*Comment
}

func (t *conversation) say(author *user, body string) *Comment {
	h := t.issue.history
	c := &Comment{ID: large + h.clock.next(), issue: t.issue, author: author, body: edited{text: body}, created: h.touch()}
	c.updated = c.created
	t.comments = append(t.comments, c)
	return c
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
	c.updated = c.issue.history.clock.tick()
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
	talk := &c.issue.talk
	talk.comments = slices.DeleteFunc(talk.comments, gone)
	if p := c.issue.pull; p != nil {
		p.discussion.comments = slices.DeleteFunc(p.discussion.comments, gone)
	}
}

// React reacts, e.g. with "+1".
func (c *Comment) React(by, content string) {
	defer c.issue.Repo.lock()()
	c.reactions.add(c.issue.history.clock, c.issue.Repo.user(by), content)
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
