package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/report"
)

// pullRequest reviews a pull request of GitHub. It writes only with --post.
func (c *reviewCmd) pullRequest(r *run) error {
	if c.Body != "" {
		return usage(errors.New("--body is for changes without a text: the pull request has its own; leave out --body"))
	}
	places := finder{getenv: r.Getenv, dir: r.Dir}
	at, err := places.find(r.ctx, c.PR)
	if err != nil {
		return err
	}
	own, err := places.credential(r.ctx, at.host)
	if err != nil {
		return err
	}
	client, err := r.github(gh.Options{
		BaseURL: at.api, GraphQLURL: at.graphQL, Token: own.token, Owner: at.owner, Repo: at.name, Settings: debate.SettingsFile,
	})
	if err != nil {
		return err
	}
	r.KeepSecret(own.token)
	var set settings
	conf := &configurer{env: r.Env, in: action.Inputs{Config: debate.SettingsFile, Target: debate.Target(c.Target)}, commit: revision()}
	reviewer := &pull.Runner{
		Reader: client.Reader, Writer: client.Writer, Now: r.Now, Say: r.progress,
		Configure: func(ctx context.Context, repository gh.Repository, file, guard pull.File) (setup pull.Setup, err error) {
			if set, err = c.settings(r, config.Config{FailOn: debate.FailOn(c.FailOn)}, file, guard); err != nil {
				return setup, err
			}
			setup, err = conf.setup(set, repository, file)
			if len(c.Sarif) > 0 {
				setup.Results = func(change patch.Change) ([]debate.Run, error) {
					top := ""
					if repo, err := gitrepo.Open(r.ctx, r.Dir); err == nil {
						top = repo.Top()
					}
					return c.checkRuns(r, top, change.Set)
				}
			}
			return setup, err
		},
	}
	reading, err := reviewer.Read(r.ctx, at.number)
	var denied *gh.PermissionError
	switch {
	case errors.As(err, new(*gh.NotFoundError)):
		return usage(fmt.Errorf("there is no pull request %s on %s, or the token of %s may not see it", at, at.host, own.from))
	case errors.As(err, &denied):
		return fmt.Errorf("%s does not let the token of %s read %s: %s", at.host, own.from, at, denied.Why)
	case err != nil:
		return err
	}
	defer reading.Close()
	p := reading.Pull
	r.progress("%s by %s at %.7s: %s", at, p.Author.Login, p.HeadSHA, p.Title)
	switch p.State {
	case gh.Merged:
		reading.First.Notes = append(reading.First.Notes, "the pull request is merged; this is about what it changed")
	case gh.Closed:
		reading.First.Notes = append(reading.First.Notes, "the pull request is closed and was not merged")
	}
	var after func(debate.State) error
	if c.Post {
		after = func(s debate.State) error { return r.post(reading, s, client.Reader.Viewer(), at, own) }
	}
	return r.runDebate(debateRun{
		debateFlags: c.debateFlags, format: c.Format, review: reading.Review, settings: set, after: after,
		first: func() (debate.Received, error) { return reading.First, nil },
		same: func(first debate.Received) error {
			if now := reading.First.Anchor; first.Anchor.Repo != now.Repo || first.Anchor.PR != now.PR {
				return usage(fmt.Errorf("the record is not that of %s", at))
			}
			return c.checkSame(first, set, reading.First.Anchor.Intent)
		},
	})
}

// KeepSecret takes a value for a secret, as if the environment held it.
func (r *run) KeepSecret(value string) {
	environ := r.Environ
	r.Environ = func() []string { return append(environ(), "DEBATE_SECRET="+value) }
}

// post posts the result in the name of the token's owner.
func (r *run) post(reading *pull.Reading, s debate.State, by string, at pullAt, own credential) error {
	if !report.HasDebate(report.FromState(s)) {
		r.progress("nothing is posted: no model reviewed the change")
		return nil
	}
	address, err := reading.Post(r.ctx, s, by)
	var denied *gh.PermissionError
	switch {
	case errors.As(err, &denied):
		return fmt.Errorf("%s does not let the token of %s post a review on %s: %s", at.host, own.from, at, denied.Why)
	case err != nil:
		return err
	}
	r.progress("posted as %s: %s", by, address)
	return nil
}
