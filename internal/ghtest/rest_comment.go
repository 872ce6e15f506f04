package ghtest

import (
	"net/http"
	"slices"
	"time"
)

func listComments(c *call) (answer, error) {
	i, err := c.item()
	if err != nil {
		return answer{}, err
	}
	since, _ := time.Parse(time.RFC3339, c.query.Get("since"))
	list := slices.DeleteFunc(slices.Clone(i.talk.comments), func(one *Comment) bool { return one.updated.Before(since) })
	return listed(c, visible(c, list), (*Comment).json)
}

func createComment(c *call) (answer, error) {
	i, err := c.item()
	if err != nil {
		return answer{}, err
	}
	var in struct{ Body string }
	if err := c.read(&in); err != nil {
		return answer{}, err
	}
	if err := checkBody("IssueComment", in.Body); err != nil {
		return answer{}, err
	}
	if i.talk.locked && !c.allows(Write) {
		return answer{}, refuse(http.StatusForbidden, "Unable to create comment because issue is locked.")
	}
	return created(i.talk.say(c.token.user, in.Body).json())
}

// comment is the comment of a conversation that the path names.
func (c *call) comment() (*Comment, error) {
	one := c.repo.items.comment(c.id("comment_id"))
	if one == nil {
		return nil, errNotFound
	}
	return one, c.reaches(one.issue)
}

func getComment(c *call) (answer, error) {
	one, err := c.comment()
	if err != nil {
		return answer{}, err
	}
	return ok(one.json())
}

func updateComment(c *call) (answer, error) {
	one, err := c.comment()
	if err != nil {
		return answer{}, err
	}
	var in struct{ Body string }
	if err := c.read(&in); err != nil {
		return answer{}, err
	}
	if err := checkBody("IssueComment", in.Body); err != nil {
		return answer{}, err
	}
	if !c.owns(one.author) {
		return answer{}, errForbiddenRole(c.repo)
	}
	if in.Body != one.body.text {
		one.edit(c.token.user, in.Body)
	}
	return ok(one.json())
}

func reactToComment(c *call) (answer, error) {
	one, err := c.comment()
	if err != nil {
		return answer{}, err
	}
	return c.react(one)
}

func (c *call) react(to *Comment) (answer, error) {
	var in struct{ Content string }
	if err := c.read(&in); err != nil {
		return answer{}, err
	}
	if !slices.Contains(reactionContents[:], in.Content) {
		return answer{}, invalid("Reaction", "content", "content is not included in the list")
	}
	r, isNew := to.reactions.add(c.world.clock, c.token.user, in.Content)
	if isNew {
		return created(c.world.site.reaction(r))
	}
	return ok(c.world.site.reaction(r))
}
