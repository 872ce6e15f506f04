package gh

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/prdebate/debate/internal/debate"
)

// Options say which repository a client works on, and how.
type Options struct {
	// BaseURL is that of the REST API, https://api.github.com/ where it is "", and
	// https://HOST/api/v3 on GitHub Enterprise Server.
	BaseURL string
	// GraphQLURL is derived from BaseURL where it is "".
	GraphQLURL string
	// Token is opaque. It is sent to the hosts of the two URLs and nowhere else, and
	// stands in no error.
	Token     string
	UserAgent string

	Owner, Repo string
	// Settings is the path of a file that Pull reads along at the tip of the base;
	// ".github/debate.yml" where it is "". Files then knows it without a request.
	Settings string

	HTTP *http.Client // its transport is used; its redirect policy and cookies are not
	Now  func() time.Time
	// Wait sleeps, or returns the cause of the context's end.
	Wait func(ctx context.Context, d time.Duration) error
	// Random is in [0, 1).
	Random func() float64
}

// Client speaks with GitHub about one repository. It may be used by several
// callers at a time; its writes are made one after another.
type Client struct {
	api         *github.Client // makes requests; they are sent here
	http        *http.Client
	graphQL     string
	token       string
	owner, name string
	settings    string
	now         func() time.Time
	wait        func(context.Context, time.Duration) error
	random      func() float64
	patience    time.Duration // with one request
	most        int64         // bytes of an answer

	mu        sync.Mutex
	lastWrite time.Time
	limited   time.Time // no request before
	viewer    string    // login of whose token it is
	access    map[string]access
	files     map[fileAt][]byte

	writing sync.Mutex // held while a write is made
}

// access is what an account may do.
type access struct {
	permission debate.Permission
	bot        bool
}

// fileAt names a file of a commit.
type fileAt struct{ sha, path string }

const (
	defaultBaseURL  = "https://api.github.com/"
	defaultAgent    = "debate (+https://github.com/prdebate/debate)"
	defaultSettings = ".github/debate.yml"
)

var (
	ownerName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,100}$`)
	objectID  = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
	loginName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?$`)
)

// New makes a client. It makes no request.
func New(o Options) (*Client, error) {
	if !ownerName.MatchString(o.Owner) || !ownerName.MatchString(o.Repo) || strings.Trim(o.Repo, ".") == "" {
		return nil, fmt.Errorf("%q is no repository of GitHub: write owner/name", o.Owner+"/"+o.Repo)
	}
	base, err := apiURL(first(o.BaseURL, defaultBaseURL))
	if err != nil {
		return nil, err
	}
	base.Path = strings.TrimSuffix(base.Path, "/") + "/"
	graphQL := base.JoinPath("graphql")
	if path, enterprise := strings.CutSuffix(base.Path, "/api/v3/"); enterprise {
		graphQL.Path = path + "/api/graphql"
	}
	if o.GraphQLURL != "" {
		if graphQL, err = apiURL(o.GraphQLURL); err != nil {
			return nil, err
		}
	}
	c := &Client{
		graphQL: graphQL.String(), token: o.Token, owner: o.Owner, name: o.Repo,
		settings: first(o.Settings, defaultSettings), patience: requestTime, most: maxBody, now: o.Now, wait: o.Wait, random: o.Random,
		access: map[string]access{}, files: map[fileAt][]byte{},
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.wait == nil {
		c.wait = sleep
	}
	if c.random == nil {
		c.random = rand.Float64
	}
	c.http = newHTTP(o.HTTP, o.Token, base.Host, graphQL.Host)
	c.api = github.NewClient(c.http)
	c.api.BaseURL, c.api.UserAgent = base, first(o.UserAgent, defaultAgent)
	return c, nil
}

func apiURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("the address of GitHub's API cannot be read")
	}
	if u.Host == "" || u.User != nil || u.RawQuery != "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, fmt.Errorf("%q is no address of GitHub's API: write https://HOST/api/v3", u.Redacted())
	}
	return u, nil
}

// repo is the path of something in the repository.
func (c *Client) repo(format string, args ...any) string {
	return "repos/" + c.owner + "/" + c.name + "/" + fmt.Sprintf(format, args...)
}

// commitID refuses what is no full id of a commit, so that nothing else gets into
// a path or an expression (T50).
func commitID(sha string) error {
	if !objectID.MatchString(sha) {
		return fmt.Errorf("%q is no full id of a commit", oneLine(sha))
	}
	return nil
}

func first(s, otherwise string) string {
	if s != "" {
		return s
	}
	return otherwise
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
