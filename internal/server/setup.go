package server

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/prdebate/debate/internal/bot/setup"
	"github.com/prdebate/debate/internal/cli"
)

// Setup makes a GitHub App with the browser of this machine, and says how it is served.
func (App) Setup(r *cli.Run, c cli.ServeFlags) error {
	if (r.Getenv("GITHUB_SERVER_URL") == "") != (r.Getenv("GITHUB_API_URL") == "") {
		return cli.Usage(errors.New("set both GITHUB_SERVER_URL and GITHUB_API_URL, such as https://github.example.com and https://github.example.com/api/v3, or neither for github.com"))
	}
	poll := " --poll"
	if c.PublicURL != "" {
		poll = ""
		hook, err := url.Parse(c.PublicURL)
		if err != nil || hook.Scheme != "https" || hook.Host == "" {
			return cli.Usage(fmt.Errorf("--public-url %s is no address that GitHub can deliver to: write https://HOST%s", c.PublicURL, hookPath))
		}
		if hook.Path != hookPath {
			r.Progress("GitHub will deliver to %s, and debate serve takes deliveries at %s: set up your reverse proxy to pass them on to that path.", c.PublicURL, hookPath)
		}
	}
	made, err := setup.Run(r.Context(), setup.Options{
		Dir: r.Dir, Pages: r.Getenv("GITHUB_SERVER_URL"), API: r.Getenv("GITHUB_API_URL"), Hook: c.PublicURL, Owner: c.Owner,
		Say: r.Progress, UserAgent: "debate/" + cli.Version(), HTTP: &http.Client{Transport: r.GitHub}, Wait: r.Wait,
	})
	if err != nil {
		return err
	}
	if r.Keyless(nil) != "" {
		r.Progress("No API key is set, and without one no model reviews anything. Add ANTHROPIC_API_KEY=..., OPENAI_API_KEY=... or GEMINI_API_KEY=... to %s.", made.EnvFile)
	}
	r.Progress("Then serve it: debate serve --env-file %s%s", made.EnvFile, poll)
	return nil
}
