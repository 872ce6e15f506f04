// Package vertex asks models in Google's cloud: the provider vertex. Those of
// Anthropic are asked by their own API, all others are Gemini's, with the application
// default credentials of this machine or of the job.
package vertex

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/anthropic"
	"github.com/prdebate/debate/internal/model/gemini"
)

const (
	version = "vertex-2023-10-16" // of Anthropic's API in this cloud
	scope   = "https://www.googleapis.com/auth/cloud-platform"
	// longest is how long it may take to get a token.
	longest = 30 * time.Second
)

// New returns a client. It opens no connection, and looks for credentials only when they are
// needed.
func New(o model.Options) (model.Client, error) {
	o.Region = cmp.Or(o.Region, o.Getenv("GOOGLE_CLOUD_LOCATION"), "global")
	if o.Project = cmp.Or(o.Project, o.Getenv("GOOGLE_CLOUD_PROJECT")); o.Project == "" {
		return nil, &model.Error{Class: debate.CallNotFound, Detail: "the provider vertex has no project: write project for this party, or set GOOGLE_CLOUD_PROJECT"}
	}
	who := oauth2.ReuseTokenSource(nil, account(sync.OnceValues(func() (*google.Credentials, error) {
		// The settings of an operator for models do not apply to these requests.
		ctx := context.WithValue(context.Background(), oauth2.HTTPClient, &http.Client{Timeout: longest})
		return google.FindDefaultCredentials(ctx, scope)
	})))
	o.Ready = func(ctx context.Context) error { return ready(ctx, who) }
	if err := o.Connect(); err != nil {
		return nil, err
	}
	o.HTTP = &http.Client{Transport: &oauth2.Transport{Base: o.HTTP.Transport, Source: who}}
	o.BaseURL = cmp.Or(o.BaseURL, address(o.Region))
	if !strings.HasPrefix(o.Model, "claude") {
		return gemini.OnVertex(o)
	}
	return anthropic.Through("vertex", o, anthropic.Cloud{
		URL: fmt.Sprintf("%s/v1/projects/%s/locations/%s/publishers/anthropic/models/%s:streamRawPredict",
			o.BaseURL, url.PathEscape(o.Project), url.PathEscape(o.Region), url.PathEscape(o.Model)),
		Version: version,
	})
}

// address is the host of a region.
func address(region string) string {
	switch region {
	case "global":
		return "https://aiplatform.googleapis.com"
	case "us", "eu":
		return "https://aiplatform." + region + ".rep.googleapis.com"
	}
	return "https://" + region + "-aiplatform.googleapis.com"
}

// account finds the credentials once, and gets tokens with them.
type account func() (*google.Credentials, error)

// Token implements oauth2.TokenSource.
func (a account) Token() (*oauth2.Token, error) {
	found, err := a()
	if err != nil {
		return nil, err
	}
	return found.TokenSource.Token()
}

// ready gets a token, or returns the reason why there is none.
func ready(ctx context.Context, who oauth2.TokenSource) error {
	got := make(chan error, 1)
	go func() {
		_, err := who.Token()
		got <- err
	}()
	select {
	case <-ctx.Done():
		return model.Classify(ctx.Err())
	case err := <-got:
		if err != nil {
			return fmt.Errorf("there are no credentials of Google Cloud: run gcloud auth application-default login, or in a workflow use google-github-actions/auth before: %w", err)
		}
		return nil
	}
}
