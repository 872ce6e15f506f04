package gh

import (
	"context"
	"errors"

	"github.com/google/go-github/v62/github"
)

// Tag is the commit that a tag of the repository is on.
func (r *Reader) Tag(ctx context.Context, name string) (sha string, err error) {
	what := "find the commit of " + name
	sha, err = send(ctx, r.sender, request{what: what}, func(ctx context.Context, api api) (string, *github.Response, error) {
		ref, resp, err := api.Git.GetRef(ctx, api.owner, api.name, "tags/"+name)
		if err != nil || ref.GetObject().GetType() != "tag" {
			return ref.GetObject().GetSHA(), resp, err
		}
		// A tag with a message of its own is an object between the name and the commit.
		tag, resp, err := api.Git.GetTag(ctx, api.owner, api.name, ref.GetObject().GetSHA())
		return tag.GetObject().GetSHA(), resp, err
	})
	if err != nil {
		return "", err
	}
	if !objectID().MatchString(sha) {
		return "", &UnavailableError{What: what, Err: errors.New("GitHub names no commit")}
	}
	return sha, nil
}
