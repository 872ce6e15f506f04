package ghtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// Server is a GitHub that lives as long as its test.
type Server struct {
	URL        string // of REST, without a slash at its end; URL + "/api/v3" works too
	GraphQLURL string

	site   site // URL
	fail   func(string)
	server *httptest.Server
	wire   *wire

	mu       sync.Mutex
	clock    *clock
	accounts accounts
	tokens   tokens
	apps     map[int64]*App
	offers   map[string]*offer // by code
	keys     int               // of Apps, so far
	repos    map[string]*Repo  // by lower-case owner/name, old names too
	byID     map[int64]*Repo
	requests []Request
	fault    func(n int, r *http.Request) Fault
	faultAt  int // requests since the hook was set
	stale    staleness
	maxTree  int // entries of one answer
}

// New starts a GitHub that is closed with the test. A request that it does not
// know fails the test.
func New(t testing.TB) *Server {
	t.Helper()
	s := Start(func(message string) { t.Error("ghtest: " + message) })
	t.Cleanup(s.Close)
	return s
}

// Start starts a GitHub for a program that is no test: fail is told of every
// request that is not known. It may be called from several goroutines, and must not
// call the server.
func Start(fail func(message string)) *Server {
	at := newClock()
	s := &Server{
		fail: fail, wire: newWire(), clock: at,
		accounts: accounts{at, map[string]*user{}}, tokens: tokens{at, map[string]*token{}}, apps: map[int64]*App{}, offers: map[string]*offer{}, repos: map[string]*Repo{}, byID: map[int64]*Repo{}, maxTree: maxTree,
	}
	s.server = httptest.NewServer(s)
	s.URL, s.site = s.server.URL, site(s.server.URL)
	s.GraphQLURL = s.server.URL + "/graphql"
	return s
}

// Close ends the server.
func (s *Server) Close() {
	s.server.CloseClientConnections() // a client that hangs must not keep it open
	s.server.Close()
}

// Now is the server's time. It stands still between changes, and each change takes
// a second, so that a story has the same times whenever it is told.
func (s *Server) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clock.time()
}

// Advance lets time pass.
func (s *Server) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock.at = s.clock.at.Add(d)
}

// SetNow takes the time from elsewhere; changes take no time any more.
func (s *Server) SetNow(now func() time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock.elsewhere = now
}

// SetTreeLimit changes how many entries of a tree are shown; GitHub shows 100,000.
func (s *Server) SetTreeLimit(entries int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.maxTree = entries
}

// failf tells the test what it did not expect.
func (s *Server) failf(format string, args ...any) { s.fail(fmt.Sprintf(format, args...)) }

// Request is a request as it was answered.
type Request struct {
	Method    string
	Path      string // without /api/v3
	Query     string
	Operation string // of GraphQL its name, else the method and the template of the path
	Kind      string // read or write
	Status    int    // 0 when the connection was cut before an answer
	Token     string
	Header    http.Header
	Body      string
	At        time.Time // of the server
}

// Requests are all requests up to now, in the order of their arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Forget empties the log of requests.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = nil
}

// Reads are the requests that could change nothing.
func (s *Server) Reads() []Request { return s.kind(read) }

// Writes are the requests that were made to change something.
func (s *Server) Writes() []Request { return s.kind(write) }

func (s *Server) kind(kind string) []Request {
	var found []Request
	for _, r := range s.Requests() {
		if r.Kind == kind {
			found = append(found, r)
		}
	}
	return found
}

// The kinds of requests.
const (
	read  = "read"
	write = "write"
)
