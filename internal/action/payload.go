package action

import (
	"errors"
	"strings"

	"github.com/prdebate/debate/internal/comment"
)

// payload holds the fields of all events that are looked at, as GitHub spells
// them. Every string in it may be hostile.
type payload struct {
	Action     string     `json:"action"`
	Sender     user       `json:"sender"`
	Repository repository `json:"repository"`
	Pull       pull       `json:"pull_request"`
	Issue      issue      `json:"issue"`
	Comment    commented  `json:"comment"`
	Review     review     `json:"review"`
	Label      label      `json:"label"`
	Changes    struct {
		Base *struct{} `json:"base"`
	} `json:"changes"`
	Group struct {
		HeadSHA string `json:"head_sha"`
		BaseSHA string `json:"base_sha"`
		BaseRef string `json:"base_ref"`
	} `json:"merge_group"`
}

type user struct {
	ID    int64  `json:"id"`
	Login string `json:"login"`
	Type  string `json:"type"`
}

func (u user) account() Account {
	return Account{ID: u.ID, Login: u.Login, Bot: u.Type == "Bot" || strings.HasSuffix(u.Login, "[bot]")}
}

type repository struct {
	FullName string `json:"full_name"`
}

type label struct {
	Name string `json:"name"`
}

type pull struct {
	Number int64  `json:"number"`
	Head   commit `json:"head"`
	Base   commit `json:"base"`
}

type commit struct {
	SHA string `json:"sha"`
}

func (p pull) trigger() (Trigger, error) {
	n, err := number("pull request", p.Number)
	if err != nil {
		return Trigger{}, err
	}
	if !isSHA(p.Head.SHA) || !isSHA(p.Base.SHA) {
		return Trigger{}, errors.New("the event of a pull request names no commits")
	}
	return Trigger{Number: n, HeadSHA: p.Head.SHA, BaseSHA: p.Base.SHA}, nil
}

type issue struct {
	Number int64     `json:"number"`
	Body   string    `json:"body"`
	Labels []label   `json:"labels"`
	Pull   *struct{} `json:"pull_request"` // there if the issue is a pull request
}

// escalation is the trigger of an escalation issue, known by one of its labels,
// by the one that was just taken off, or by the marker in its text. Any of them
// can be forged; that it is ours is checked against GitHub later.
func (i issue) escalation(removed string) (Trigger, error) {
	labels := append([]label{{Name: removed}}, i.Labels...)
	mark, ours := comment.Marked(i.Body, comment.DecisionMark)
	for _, l := range labels {
		ours = ours || l.Name == labelAwaiting || l.Name == labelDecided
	}
	if !ours {
		return ignored("the issue is no decision of debate")
	}
	n, err := number("issue", i.Number)
	if err != nil {
		return Trigger{}, err
	}
	if mark.PR >= maxNumber {
		mark.PR = 0
	}
	return Trigger{Issue: n, Number: mark.PR}, nil
}

type commented struct {
	ID   int64  `json:"id"`
	Body string `json:"body"`
	User user   `json:"user"`
}

// meaningless says why the comment of an event asks for nothing; "" if it may.
func (c commented) meaningless(p payload) string {
	switch {
	case p.Action != "created":
		return "a comment counts when it is created, not when it is edited or deleted" // T17
	case c.ID <= 0:
		return "the event names no comment"
	case c.User.account().Bot || p.Sender.account().Bot:
		return "the comment is of a bot" // so are ours
	case c.User.ID != p.Sender.ID:
		return "the comment's author did not send it"
	case !mentionsCommand(c.Body):
		return "the comment holds no command"
	}
	return ""
}

type review struct {
	ID    int64  `json:"id"`
	State string `json:"state"`
	Body  string `json:"body"`
	User  user   `json:"user"`
}
