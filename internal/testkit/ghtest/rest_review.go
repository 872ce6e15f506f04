package ghtest

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// reviewRoutes are the paths of reviews and of comments on lines.
func reviewRoutes() []route {
	const all, one = inRepo + "/pulls", inRepo + "/pulls/{pull_number}"
	return []route{
		get(all+"/comments/{comment_id}", needsPulls, on(theInline, getReviewComment)),
		writing(http.MethodPatch, all+"/comments/{comment_id}", needsPulls, Read, on(theInline, updateReviewComment)),
		post(all+"/comments/{comment_id}/reactions", needsPulls, Read, on(theInline, react)),
		get(one+"/reviews", needsPulls, on(thePull, listReviews)),
		post(one+"/reviews", needsPulls, Read, on(thePull, createReview)),
		writing(http.MethodPut, one+"/reviews/{review_id}", needsPulls, Read, on(theReview, updateReview)),
		get(one+"/reviews/{review_id}/comments", needsPulls, on(theReview, listCommentsOfReview)),
		get(one+"/comments", needsPulls, on(thePull, listReviewComments)),
		post(one+"/comments", needsPulls, Read, on(thePull, createReviewComment)),
		post(one+"/comments/{comment_id}/replies", needsPulls, Read, on(thePull, replyToReviewComment)),
	}
}

func listReviews(c *call, p *Pull) (answer, error) {
	return listed(c, visible(c, p.discussion.reviews), (*Review).json)
}

// placeInput is where a request puts a comment on lines.
type placeInput struct {
	Path, Body, Side, StartSide string
	Line, StartLine, Position   *int
	wholeFile                   bool
	commit                      string
}

// inline reads the place, or says why GitHub refuses it.
func (in placeInput) inline(p *Pull) (inline, string) {
	place := inline{path: in.Path, side: in.Side, line: *cmp.Or(in.Line, new(int)), startSide: in.StartSide, commit: in.commit, wholeFile: in.wholeFile}
	if in.StartLine != nil {
		place.start = *in.StartLine
		if place.start == 0 {
			return place, badStartLine
		}
	}
	return place, p.ends.place(&place)
}

// reviewInput is a review that is to be made.
type reviewInput struct {
	Body, Event string
	CommitID    string `json:"commit_id"`
	Comments    []struct {
		Path, Body, Side string
		Line, Position   *int
		StartLine        *int   `json:"start_line"`
		StartSide        string `json:"start_side"`
	}
}

// reviewStates are the states of reviews by the event that makes them.
var reviewStates = map[string]string{"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}

// createReview makes a review with all its comments, or nothing at all; which of
// them is wrong it does not say.
func createReview(c *call, p *Pull) (answer, error) {
	var in reviewInput
	if err := c.read(&in); err != nil {
		return answer{}, err
	}
	in.CommitID = cmp.Or(in.CommitID, p.ends.head.sha)
	if problem := c.reviewProblem(p, &in); problem != "" {
		return answer{}, unprocessable(problem)
	}
	places, problems := in.places(p)
	if len(problems) > 0 {
		return answer{}, unprocessable(slices.Sorted(maps.Keys(problems))...)
	}
	r := p.discussion.review(c.token.user, reviewStates[in.Event], in.Body, in.CommitID)
	for i, one := range in.Comments {
		if c.fault.Drop > 0 && (i+1)%c.fault.Drop == 0 {
			continue
		}
		p.discussion.say(r, c.token.user, one.Body, places[i])
	}
	return ok(r.json())
}

// reviewProblem says why GitHub refuses a review before it looks at its comments.
func (c *call) reviewProblem(p *Pull, in *reviewInput) string {
	state := reviewStates[in.Event]
	isOwn := state != "COMMENTED" && p.author == c.token.user
	isEmpty := in.Body == "" && (state == "CHANGES_REQUESTED" || state == "COMMENTED" && len(in.Comments) == 0)
	switch {
	case state == "":
		return "Variable $event of type PullRequestReviewEvent was provided invalid value"
	case isOwn:
		return "Can not " + strings.ToLower(strings.ReplaceAll(in.Event, "_", " ")) + " on your own pull request"
	case state == "APPROVED" && c.token.app == ActionsApp:
		return "GitHub Actions is not permitted to approve pull requests."
	case isEmpty:
		return "Body can't be blank"
	case utf8.RuneCountInString(in.Body) > maxText:
		return "body is too long (maximum is 65536 characters)"
	case p.talk.locked && !c.allows(Write):
		return "Unable to review because the pull request is locked."
	}
	return ""
}

// places finds where the comments of a review stand, and all that is wrong with
// them.
func (in *reviewInput) places(p *Pull) (places []inline, problems map[string]bool) {
	problems = map[string]bool{}
	for _, one := range in.Comments {
		place, problem := placeInput{
			Path: one.Path, Side: one.Side, Line: one.Line, StartLine: one.StartLine, StartSide: one.StartSide, commit: in.CommitID,
		}.inline(p)
		if one.Position != nil {
			problem = badHunk // positions are counted by no client of ours
		}
		if utf8.RuneCountInString(one.Body) > maxText || strings.TrimSpace(one.Body) == "" {
			problem = "Body is too long or blank"
		}
		if problem != "" {
			problems[problem] = true
		}
		places = append(places, place)
	}
	return places, problems
}

// unprocessable is the refusal of a review: with texts and nothing else.
func unprocessable(problems ...string) *refusal {
	r := refuse(http.StatusUnprocessableEntity, "Unprocessable Entity")
	r.errors = problems
	return r
}

func theReview(c *call) (*Review, error) {
	p, err := thePull(c)
	if err != nil {
		return nil, err
	}
	return known(p.discussion.find(c.id("review_id")))
}

func updateReview(c *call, r *Review) (answer, error) {
	var in struct{ Body string }
	if err := c.read(&in); err != nil {
		return answer{}, err
	}
	switch {
	case !c.owns(r.author):
		return answer{}, errForbiddenRole(c.repo)
	case in.Body == "", utf8.RuneCountInString(in.Body) > maxText:
		return answer{}, unprocessable("body is too long or blank")
	}
	r.body = edited{text: in.Body, by: c.token.user, at: c.world.clock.tick()}
	return ok(r.json())
}

func listCommentsOfReview(c *call, r *Review) (answer, error) {
	list := of(r.pull.discussion.comments, func(in *inline) bool { return in.review == r })
	return listed(c, visible(c, list), (*Comment).inlineJSON)
}

func listReviewComments(c *call, p *Pull) (answer, error) {
	return listed(c, visible(c, p.discussion.comments), (*Comment).inlineJSON)
}

// theInline is the comment on lines that the path names.
func theInline(c *call) (*Comment, error) {
	return known(c.repo.items.inline(c.id("comment_id")))
}

func getReviewComment(c *call, one *Comment) (answer, error) {
	return ok(one.inlineJSON())
}

func updateReviewComment(c *call, one *Comment) (answer, error) {
	body, err := c.inlineBody()
	if err != nil {
		return answer{}, err
	}
	if !c.owns(one.author) {
		return answer{}, errForbiddenRole(c.repo)
	}
	if body != one.body.text {
		one.edit(c.token.user, body)
	}
	return ok(one.inlineJSON())
}

// inlineBody reads the text of a comment on lines.
func (c *call) inlineBody() (string, error) {
	var in struct{ Body string }
	if err := c.read(&in); err != nil {
		return "", err
	}
	if strings.TrimSpace(in.Body) == "" {
		return "", invalid("PullRequestReviewComment", "body", "body can't be blank")
	}
	if utf8.RuneCountInString(in.Body) > maxText {
		return "", tooLong("PullRequestReviewComment")
	}
	return in.Body, nil
}

func createReviewComment(c *call, p *Pull) (answer, error) {
	var in struct {
		Path, Side string
		CommitID   string `json:"commit_id"`
		Line       *int
		StartLine  *int   `json:"start_line"`
		StartSide  string `json:"start_side"`
		Subject    string `json:"subject_type"`
	}
	body, err := c.inlineBody()
	if err != nil {
		return answer{}, err
	}
	if err := c.read(&in); err != nil {
		return answer{}, err
	}
	place, problem := placeInput{
		Path: in.Path, Side: in.Side, Line: in.Line, StartLine: in.StartLine, StartSide: in.StartSide,
		wholeFile: in.Subject == "file", commit: in.CommitID,
	}.inline(p)
	if problem != "" {
		return answer{}, invalid("PullRequestReviewComment", "pull_request_review_thread", strings.TrimPrefix(problem, "Pull request review thread "))
	}
	return created(p.discussion.say(p.discussion.review(c.token.user, "COMMENTED", "", in.CommitID), c.token.user, body, place).inlineJSON())
}

func replyToReviewComment(c *call, p *Pull) (answer, error) {
	body, err := c.inlineBody()
	if err != nil {
		return answer{}, err
	}
	one := p.discussion.comment(c.id("comment_id"))
	if one == nil {
		return answer{}, errNotFound
	}
	return created(p.discussion.reply(c.token.user, one, body).inlineJSON())
}
