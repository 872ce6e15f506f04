package ghtest

import (
	"net/http"
	"slices"
	"time"
)

func listComments(c *call, i *Issue) (answer, error) {
	since, _ := time.Parse(time.RFC3339, c.query.Get("since"))
	list := slices.DeleteFunc(slices.Clone(i.talk.comments), func(one *Comment) bool { return one.updated.Before(since) })
	return listed(c, visible(c, list), (*Comment).json)
}

func createComment(c *call, i *Issue) (answer, error) {
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

// theComment is the comment of a conversation that the path names.
func theComment(c *call) (*Comment, error) {
	one := c.repo.items.comment(c.id("comment_id"))
	if one == nil {
		return nil, errNotFound
	}
	return one, c.reaches(one.issue)
}

func getComment(c *call, one *Comment) (answer, error) {
	return ok(one.json())
}

func updateComment(c *call, one *Comment) (answer, error) {
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

func react(c *call, to *Comment) (answer, error) {
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
