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

// Options name the repository of a client and how to reach it.
type Options struct {
	// BaseURL is the address of the REST API. "" is https://api.github.com/; on GitHub
	// Enterprise Server it is https://HOST/api/v3.
	BaseURL string
	// GraphQLURL is derived from BaseURL if it is "".
	GraphQLURL string
	// Token is opaque. It is sent only to the hosts of the two URLs and is never part
	// of an error. For the changing token of an App see App.Client.
	Token     string
	UserAgent string

	Owner, Repo string
	// Settings is the path of the settings file, ".github/debate.yml" if it is "". Pull
	// reads it at the tip of the base, so Files needs no request for it.
	Settings string

	HTTP *http.Client // its transport is used; its redirect policy and cookies are not
	Now  func() time.Time
	// Wait sleeps, or returns the cause of the context's end.
	Wait func(ctx context.Context, d time.Duration) error
	// Random is in [0, 1).
	Random func() float64
	// Budget, if not nil, receives the number of requests of a kind, such as "core",
	// that GitHub still answers.
	Budget func(resource string, left int)
}

// Client speaks with GitHub about one repository. It may be used by several
// callers at a time; its writes are made one after another.
type Client struct {
	Reader  *Reader
	Writer  *Writer
	OwnerID int64 // of the repository's owner; only known to a client of an App
}

// Reader reads from GitHub.
type Reader struct {
	sender   *sender
	settings string

	mu     sync.Mutex
	viewer string // login of the token's owner
	files  map[fileAt][]byte
}

// fileAt names a file of a commit.
type fileAt struct{ sha, path string }

// Writer writes the results of a review.
type Writer struct{ sender *sender }

const (
	defaultBaseURL = "https://api.github.com/"
	defaultAgent   = "debate (+https://github.com/prdebate/debate)"
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
		Reader: &Reader{sender: wire, settings: wire.options.Settings, files: map[fileAt][]byte{}},
		Writer: &Writer{sender: wire},
	}, nil
}

// newSender returns the sender for all requests of a client.
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
	calls := &transport{base: o.HTTP.Transport, hosts: []string{base.Host, graphQL.Host}, most: maxBody, budget: o.Budget}
	if calls.base == nil {
		calls.base = direct()
	}
	return &sender{
		calls: calls, tokens: tokens,
		base: base, graphQL: graphQL.String(), options: o, patience: requestTime,
	}, nil
}

// fill sets the defaults.
func (o *Options) fill() {
	o.UserAgent = cmp.Or(o.UserAgent, defaultAgent)
	o.Settings = cmp.Or(o.Settings, debate.SettingsFile)
	if o.HTTP == nil {
		o.HTTP = &http.Client{}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == nil {
		o.Wait = Sleep
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

// commitIDs refuses any text that is not a full commit id, so that no other text enters
// a path or an expression.
func commitIDs(what string, ids ...string) error {
	for _, id := range ids {
		if !objectID().MatchString(id) {
			return fmt.Errorf("%s: %q is no full id of a commit", what, oneLine(id))
		}
	}
	return nil
}

// Sleep waits. If the context ends first, it returns the cause.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
