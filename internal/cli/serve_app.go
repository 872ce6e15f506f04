package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/gh"
)

// The variables of the GitHub App.
const (
	appID      = "DEBATE_APP_ID"
	appKey     = "DEBATE_PRIVATE_KEY"
	appKeyFile = "DEBATE_PRIVATE_KEY_FILE"
)

// IsApp reports whether the environment names a GitHub App.
func (r *run) IsApp() bool { return strings.TrimSpace(r.Getenv(appID)) != "" }

// App makes the client of the environment's GitHub App. It keeps the private key from
// models and records, and makes no request yet. Budget is as in gh.AppOptions.
func (r *run) App(transport http.RoundTripper, budget func(installation int64, resource string, left int)) (*gh.App, error) {
	id, err := strconv.ParseInt(strings.TrimSpace(r.Getenv(appID)), 10, 64)
	if err != nil || id <= 0 {
		return nil, usage(fmt.Errorf("%s is no number: the App's page shows the App ID", appID))
	}
	key := []byte(r.Getenv(appKey))
	switch file := r.Getenv(appKeyFile); {
	case len(key) > 0 && file != "":
		return nil, usage(fmt.Errorf("both %s and %s are set: leave one of them out", appKey, appKeyFile))
	case file != "":
		if key, err = gh.ReadPrivateKey(r.path(file), r.othersMay(file)); errors.Is(err, fs.ErrNotExist) {
			return nil, usage(fmt.Errorf("there is no file %s, which %s names: put the private key of the App there, or change the variable", r.path(file), appKeyFile))
		} else if err != nil {
			return nil, usage(err)
		}
	case len(key) == 0:
		return nil, usage(errors.New("the App has no private key: set " + appKeyFile + " or " + appKey))
	}
	r.KeepSecret(string(key))
	app, err := gh.NewApp(gh.AppOptions{
		ID: id, PrivateKey: key, BaseURL: r.Getenv("GITHUB_API_URL"), GraphQLURL: r.Getenv("GITHUB_GRAPHQL_URL"), UserAgent: "debate/" + Version(),
		HTTP: &http.Client{Transport: transport}, Now: r.Now, Wait: r.Wait, Budget: budget,
	})
	if err != nil {
		return nil, usage(err)
	}
	return app, nil
}
