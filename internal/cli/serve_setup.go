package cli

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/prdebate/debate/internal/bot/setup"
)

// makeApp makes a GitHub App with the browser of this machine, and says how it is served.
func (c *serveCmd) makeApp(r *run) error {
	if (r.Getenv("GITHUB_SERVER_URL") == "") != (r.Getenv("GITHUB_API_URL") == "") {
		return usage(errors.New("set both GITHUB_SERVER_URL and GITHUB_API_URL, such as https://github.example.com and https://github.example.com/api/v3, or neither for github.com"))
	}
	poll := " --poll"
	if c.PublicURL != "" {
		poll = ""
		hook, err := url.Parse(c.PublicURL)
		if err != nil || hook.Scheme != "https" || hook.Host == "" {
			return usage(fmt.Errorf("--public-url %s is no address that GitHub can deliver to: write https://HOST%s", c.PublicURL, hookPath))
		}
		if hook.Path != hookPath {
			r.progress("GitHub will deliver to %s, and debate serve takes deliveries at %s: have your reverse proxy pass them on to that path.", c.PublicURL, hookPath)
		}
	}
	made, err := setup.Run(r.ctx, setup.Options{
		Dir: r.Dir, Pages: r.Getenv("GITHUB_SERVER_URL"), API: r.Getenv("GITHUB_API_URL"), Hook: c.PublicURL, Owner: c.Owner,
		Say: r.progress, UserAgent: "debate/" + version(), HTTP: &http.Client{Transport: r.GitHub}, Wait: r.Wait,
	})
	if err != nil {
		return err
	}
	if r.keyless(nil) != "" {
		r.progress("No API key of a model is set here. Add a line such as ANTHROPIC_API_KEY=... to %s: without one, no model reviews anything.", made.EnvFile)
	}
	r.progress("Then serve it: debate serve --env-file %s%s", made.EnvFile, poll)
	return nil
}
