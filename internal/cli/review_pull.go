package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/action"
	"github.com/prdebate/debate/internal/comment"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/gitrepo"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/model/process"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/pull"
	"github.com/prdebate/debate/internal/report"
)

// pullRequest reviews a pull request of GitHub. It writes only with --post.
func (c *reviewCmd) pullRequest(r *run) error {
	if c.Body != "" {
		return usage(errors.New("--body is for changes without a text: the pull request has its own; leave out --body"))
	}
	at, err := r.findPull(r.ctx, c.PR)
	if err != nil {
		return err
	}
	own, err := r.credential(r.ctx, at.host)
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
	conf := &configurer{env: r.Env, demand: c.demand(debate.FailOn(c.FailOn)), in: action.Inputs{Target: debate.Target(c.Target)}, commit: revision()}
	if len(c.Sarif) > 0 {
		conf.results = func(change patch.Change) ([]debate.Run, error) {
			top := ""
			if repo, err := gitrepo.Open(r.ctx, r.Dir); err == nil {
				top = repo.Top()
			}
			return c.checkRuns(r, top, change.Set)
		}
	}
	reviewer := &pull.Runner{Reader: client.Reader, Writer: client.Writer, Now: r.Now, Say: r.progress, Configure: conf.configure}
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
	if c.Post { // in the name of the token's owner
		after = func(s debate.State) error {
			if !report.HasDebate(report.FromState(s)) {
				r.progress("nothing is posted: no model reviewed the change")
				return nil
			}
			by, err := client.Reader.Viewer(r.ctx)
			if err != nil {
				return err
			}
			address, err := reading.Post(r.ctx, s, by)
			switch {
			case errors.As(err, &denied):
				return fmt.Errorf("%s does not let the token of %s post a review on %s: %s", at.host, own.from, at, denied.Why)
			case err != nil:
				return err
			}
			r.progress("posted as %s: %s", by, address)
			return nil
		}
	}
	return r.runDebate(debateRun{
		debateFlags: c.debateFlags, format: c.Format, review: reading.Review, settings: conf.latest, first: reading.First, after: after,
	})
}

// KeepSecret takes a value for a secret, as if the environment held it.
func (r *run) KeepSecret(value string) {
	r.Environ = withKeysOf(r.Environ, map[string]string{"DEBATE_SECRET": value})
}

// publicHost is GitHub's own host.
const publicHost = "github.com"

// maxNumber bounds the number of a pull request.
const maxNumber = 1 << 31

// pullAt is the address of a pull request.
type pullAt struct {
	host        string // with its port, if it has one
	api         string // base of the REST API
	graphQL     string // of the GraphQL API, "" to derive it from api
	owner, name string // of the repository
	number      int
}

func (p pullAt) String() string { return fmt.Sprintf("%s/%s#%d", p.owner, p.name, p.number) }

var (
	pullNumber = lazyregexp.New(`^#?([1-9][0-9]{0,9})$`)
	pullPath   = lazyregexp.New(`^/([A-Za-z0-9_.-]+)/([A-Za-z0-9_.-]+)/pull/([1-9][0-9]{0,9})(/.*)?$`)
	repoPath   = lazyregexp.New(`^/*([A-Za-z0-9_.-]+)/([A-Za-z0-9_.-]+?)(\.git)?/*$`)
	// shellPath is how git writes an address for ssh without a scheme.
	shellPath = lazyregexp.New(`^([^/@:]+@)?([A-Za-z0-9.-]+):([^/].*)$`)
)

// findPull finds a pull request by its address, or by its number in the repository of this
// directory: that of the remote origin, else of the current GitHub Actions job.
func (e Env) findPull(ctx context.Context, asked string) (p pullAt, err error) {
	number := ""
	if m := pullNumber().FindStringSubmatch(asked); m != nil {
		number = m[1]
		p, err = e.repository(ctx)
	} else {
		u, failed := url.Parse(asked)
		if failed != nil || u.Host == "" {
			return p, usage(fmt.Errorf("--pr %s is no pull request: write its number or its address, such as https://github.com/owner/name/pull/12", withoutPassword(asked)))
		}
		m := pullPath().FindStringSubmatch(u.Path)
		if m == nil {
			return p, usage(fmt.Errorf("--pr %s is no address of a pull request: write https://%s/owner/name/pull/12", withoutPassword(asked), u.Host))
		}
		number = m[3]
		p = e.repositoryOn(u, m[1], m[2])
	}
	if err != nil {
		return p, err
	}
	if p.number, err = strconv.Atoi(number); err != nil || p.number >= maxNumber {
		return p, usage(fmt.Errorf("--pr %s is no number of a pull request", number))
	}
	return p, nil
}

func (e Env) repository(ctx context.Context) (pullAt, error) {
	origin := ""
	repo, err := gitrepo.Open(ctx, e.Dir)
	if err == nil {
		origin, err = repo.Origin(ctx)
	}
	if err != nil && !errors.As(err, new(*gitrepo.NotRepositoryError)) {
		return pullAt{}, err
	}
	if owner, name, ok := strings.Cut(e.Getenv("GITHUB_REPOSITORY"), "/"); origin == "" && ok {
		u, err := url.Parse(cmp.Or(e.Getenv("GITHUB_SERVER_URL"), "https://"+publicHost))
		if err != nil {
			return pullAt{}, usage(errors.New("GITHUB_SERVER_URL is no address"))
		}
		return e.repositoryOn(u, owner, name), nil
	}
	if origin == "" {
		return pullAt{}, usage(errors.New("no remote origin here names the repository of the pull request: give its address, such as https://github.com/owner/name/pull/12"))
	}
	p, ok := e.repositoryAt(origin)
	if !ok {
		return p, usage(fmt.Errorf("the remote origin (%s) is no repository of GitHub: give the address of the pull request", withoutPassword(origin)))
	}
	return p, nil
}

// repositoryAt returns the repository of a git address; ok is false for an address without a
// server.
func (e Env) repositoryAt(address string) (p pullAt, ok bool) {
	u, err := url.Parse(address)
	if m := shellPath().FindStringSubmatch(address); m != nil {
		u, err = &url.URL{Scheme: "ssh", Host: m[2], Path: "/" + m[3]}, nil
	}
	if err != nil || u.Host == "" {
		return p, false
	}
	m := repoPath().FindStringSubmatch(u.Path)
	if m == nil {
		return p, false
	}
	if u.Scheme != "https" && u.Scheme != "http" { // the port of ssh is not the port of the pages
		u = &url.URL{Scheme: "https", Host: u.Hostname()}
	}
	return e.repositoryOn(u, m[1], m[2]), true
}

// withoutPassword removes the user name and the password from an address.
func withoutPassword(address string) string {
	if u, err := url.Parse(address); err == nil && u.User != nil {
		u.User = nil
		address = u.String()
	}
	return comment.Line(address)
}

// repositoryOn returns a repository at the address of its pages. The token goes there, over TLS
// unless the server is local.
func (e Env) repositoryOn(pages *url.URL, owner, name string) pullAt {
	host, scheme := strings.ToLower(pages.Host), "https"
	if pages.Scheme == "http" && action.IsLocal(pages.Hostname()) {
		scheme = "http"
	}
	if slices.Contains([]string{"www." + publicHost, "ssh." + publicHost}, host) {
		host = publicHost
	}
	p := pullAt{host: host, owner: owner, name: name, api: scheme + "://" + host + "/api/v3"}
	tenant, ofTenant := strings.CutSuffix(host, ".ghe.com")
	switch {
	case strings.EqualFold(e.webHost(), host) && e.Getenv("GITHUB_API_URL") != "": // as the job around this process says
		p.api, p.graphQL = e.Getenv("GITHUB_API_URL"), e.Getenv("GITHUB_GRAPHQL_URL")
	case host == publicHost:
		p.api = "https://api." + publicHost
	case ofTenant:
		p.api = "https://api." + tenant + ".ghe.com"
	}
	return p
}

// webHost returns the GitHub host of the environment, "" if there is none.
func (e Env) webHost() string {
	u, err := url.Parse(e.Getenv("GITHUB_SERVER_URL"))
	if err != nil {
		return ""
	}
	return u.Host
}

// credential is a token of GitHub and its source for people.
type credential struct{ token, from string }

const (
	ghTime  = 10 * time.Second // for gh to name its token
	ghWords = 4 << 10          // bytes of its answer
)

// ghPlaces are the variables for gh's own files. Token variables are not among them: gh
// would answer with those for any server.
var ghPlaces = [...]string{"HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "GH_CONFIG_DIR", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"}

// credential finds the token for a server. A token variable is for github.com or the
// environment's server, and goes to no other server; then gh is asked.
func (e Env) credential(ctx context.Context, host string) (credential, error) {
	own := e.ownHost(host)
	for _, name := range []string{"GITHUB_TOKEN", "GH_TOKEN"} {
		if token := strings.TrimSpace(e.Getenv(name)); own && token != "" {
			return credential{token, name}, nil
		}
	}
	if path, err := process.Resolve("gh"); err == nil {
		env := process.Usual(e.Getenv)
		for _, name := range ghPlaces {
			if value := e.Getenv(name); value != "" {
				env = append(env, name+"="+value)
			}
		}
		ctx, cancel := context.WithTimeout(ctx, ghTime)
		defer cancel()
		said, err := process.Run(ctx, process.Command{Path: path, Args: []string{"auth", "token", "--hostname", host}, Dir: e.Dir, Env: env, Most: ghWords})
		if token := strings.TrimSpace(said.Stdout); err == nil && said.Exit == "" && token != "" {
			return credential{token, "gh"}, nil
		}
	}
	if own {
		return credential{}, usage(fmt.Errorf("there is no token for %s: set GITHUB_TOKEN, or log in with gh auth login", host))
	}
	return credential{}, usage(fmt.Errorf("there is no token for %s: log in with gh auth login --hostname %s, or set GITHUB_TOKEN and GH_HOST=%s", host, host, host))
}

// ownHost reports whether the tokens of the environment are for a server.
func (e Env) ownHost(host string) bool {
	return strings.EqualFold(host, cmp.Or(e.Getenv("GH_HOST"), e.webHost(), publicHost))
}
