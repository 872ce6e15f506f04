package action

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
)

// Server is the place of the job: the GitHub server, the repository and the run.
type Server struct {
	API     string // base of the REST API, without a slash at its end
	GraphQL string // of the GraphQL API
	Web     string // base of the pages, without a slash at its end
	Owner   string
	Name    string // of the repository
	RunID   int64
	Attempt int
	Temp    string // directory; the runner empties it after the job
}

// Session is the number in the id of the run's session: run id and attempt.
func (s Server) Session() string { return fmt.Sprintf("%d-%d", s.RunID, s.Attempt) }

// RunURL is the page of the run.
func (s Server) RunURL() string {
	return fmt.Sprintf("%s/%s/%s/actions/runs/%d/attempts/%d", s.Web, s.Owner, s.Name, s.RunID, s.Attempt)
}

// File returns the path for a file of the run that a later step uploads; name is relative
// to the directory of the run. It makes the file's directory.
func (s Server) File(name string) (string, error) {
	if !filepath.IsLocal(name) {
		return "", fmt.Errorf("%q is no name for a file of the run", name)
	}
	path := filepath.Join(s.Temp, "debate-"+s.Session(), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("make the directory of the run: %w", err)
	}
	return path, nil
}

var commitID = lazyregexp.New(`^[0-9a-f]{40}$`)

// Taken returns the commit in the workflow's reference to the action, "" for another kind
// of reference or another repository. action.yml passes both on.
func (r *Runner) Taken(repository string) string {
	if ref := r.getenv("DEBATE_ACTION_REF"); r.getenv("DEBATE_ACTION_REPOSITORY") == repository && commitID().MatchString(ref) {
		return ref
	}
	return ""
}

var fullName = lazyregexp.New(`^([A-Za-z0-9][A-Za-z0-9_-]{0,99})/([A-Za-z0-9._-]{1,100})$`)

// Server reads the place of the job from the environment. GitHub Enterprise Server sets its
// own addresses there.
func (r *Runner) Server() (Server, error) {
	var s Server
	names := []string{"GITHUB_ACTIONS", "GITHUB_API_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID", "GITHUB_EVENT_NAME"}
	if !slices.ContainsFunc(names, func(name string) bool { return r.getenv(name) != "" }) {
		return s, errors.New("this is no job of GitHub Actions: debate action runs in the workflow that debate init writes; to review a change here, use debate review")
	}
	var errs []error
	check := func(name, what string, is bool) {
		if !is {
			errs = append(errs, errors.New(name+what))
		}
	}
	address := func(name string) string {
		a, err := serverURL(r.getenv(name))
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
		return a
	}
	s.API, s.GraphQL, s.Web = address("GITHUB_API_URL"), address("GITHUB_GRAPHQL_URL"), address("GITHUB_SERVER_URL")
	repo := fullName().FindStringSubmatch(r.getenv("GITHUB_REPOSITORY"))
	check("GITHUB_REPOSITORY", " names no repository", repo != nil && strings.Trim(repo[2], ".") != "")
	if repo != nil {
		s.Owner, s.Name = repo[1], repo[2]
	}
	run, err := strconv.ParseInt(r.getenv("GITHUB_RUN_ID"), 10, 64)
	check("GITHUB_RUN_ID", " is no number", err == nil && run > 0)
	attempt, err := strconv.Atoi(cmp.Or(r.getenv("GITHUB_RUN_ATTEMPT"), "1"))
	check("GITHUB_RUN_ATTEMPT", " is no number", err == nil && attempt > 0)
	s.RunID, s.Attempt, s.Temp = run, attempt, r.getenv("RUNNER_TEMP")
	check("RUNNER_TEMP", " is no directory", filepath.IsAbs(s.Temp))
	return s, errors.Join(errs...)
}

// serverURL checks an address for the job's token: it must use TLS, except on this machine.
func serverURL(s string) (string, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil, u.Host == "", u.User != nil, u.RawQuery != "", u.Fragment != "":
		return "", errors.New("it is no address of a server")
	case u.Scheme == "https", u.Scheme == "http" && IsLocal(u.Hostname()):
		return strings.TrimRight(s, "/"), nil
	}
	return "", errors.New("it is not reached by https")
}

// IsLocal reports whether a host is this machine.
func IsLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip.IsLoopback()
}
