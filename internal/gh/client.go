package gh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// Options say which repository a client works on, and how.
type Options struct {
	// BaseURL is that of the REST API, https://api.github.com/ where it is "", and
	// https://HOST/api/v3 on GitHub Enterprise Server.
	BaseURL string
	// GraphQLURL is derived from BaseURL where it is "".
	GraphQLURL string
	// Token is opaque. It is sent to the hosts of the two URLs and nowhere else, and
	// stands in no error. A client of an App has a token that changes; see App.Client.
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
	// Budget is told how many requests of a kind, such as "core", GitHub still answers; nil:
	// nobody wants to know.
	Budget func(resource string, left int)
}

// Client speaks with GitHub about one repository. It may be used by several
// callers at a time; its writes are made one after another.
type Client struct {
	Reader  *Reader
	Writer  *Writer
	OwnerID int64 // of the account that has the repository; only a client of an App knows it
}

// Reader reads what stands on GitHub.
type Reader struct {
	sender   *sender
	settings string

	mu     sync.Mutex
	viewer string // login of whose token it is
	access map[string]access
	files  map[fileAt][]byte
	blind  bool // GraphQL tells nothing of check runs
}

// access is what an account may do.
type access struct {
	permission debate.Permission
	bot        bool
}

// fileAt names a file of a commit.
type fileAt struct{ sha, path string }

// Writer writes what a review comes to.
type Writer struct{ sender *sender }

const (
	defaultBaseURL  = "https://api.github.com/"
	defaultAgent    = "debate (+https://github.com/prdebate/debate)"
	defaultSettings = ".github/debate.yml"
)

var (
	ownerName = lazyregexp.New(`^[A-Za-z0-9_.-]{1,100}$`)
	objectID  = lazyregexp.New(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
	loginName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?$`)
)

// New makes a client. It makes no request.
func New(o Options) (*Client, error) { return newClient(o, fixed(o.Token)) }

func newClient(o Options, tokens tokens) (*Client, error) {
	if !ownerName().MatchString(o.Owner) || !ownerName().MatchString(o.Repo) || strings.Trim(o.Repo, ".") == "" {
		return nil, fmt.Errorf("%q is no repository of GitHub: write owner/name", o.Owner+"/"+o.Repo)
	}
	wire, err := newSender(o, tokens)
	if err != nil {
		return nil, err
	}
	return &Client{
		Reader: &Reader{sender: wire, settings: wire.options.Settings, access: map[string]access{}, files: map[fileAt][]byte{}},
		Writer: &Writer{sender: wire},
	}, nil
}

// newSender makes what sends the requests.
func newSender(o Options, tokens tokens) (*sender, error) {
	base, err := apiURL(cmp.Or(o.BaseURL, defaultBaseURL))
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
	o.fill()
	links := newTransport(o, base.Host)
	links.found = true
	return &sender{
		calls: newTransport(o, base.Host, graphQL.Host), links: links, tokens: tokens,
		base: base, graphQL: graphQL.String(), options: o, patience: requestTime,
	}, nil
}

// fill sets what was left out.
func (o *Options) fill() {
	o.UserAgent = cmp.Or(o.UserAgent, defaultAgent)
	o.Settings = cmp.Or(o.Settings, defaultSettings)
	if o.HTTP == nil {
		o.HTTP = &http.Client{}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = sleep
	}
	if o.Random == nil {
		o.Random = rand.Float64
	}
}

func apiURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("the address of GitHub's API cannot be read")
	}
	switch {
	case u.Host == "", u.User != nil, u.RawQuery != "", !slices.Contains([]string{"https", "http"}, u.Scheme):
		return nil, fmt.Errorf("%q is no address of GitHub's API: write https://HOST/api/v3", u.Redacted())
	}
	return u, nil
}

// commitIDs refuses what is no full id of a commit, so that nothing else gets into
// a path or an expression.
func commitIDs(what string, ids ...string) error {
	for _, id := range ids {
		if !objectID().MatchString(id) {
			return fmt.Errorf("%s: %q is no full id of a commit", what, oneLine(id))
		}
	}
	return nil
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
