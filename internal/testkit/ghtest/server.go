package ghtest

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// Server is a GitHub that lives as long as its test.
type Server struct {
	URL        string // of REST, without a slash at its end; URL + "/api/v3" works too
	GraphQLURL string

	world    *world
	server   *httptest.Server
	requests []*Request // up to now
	faults   faults
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
	s := &Server{world: newWorld(fail), maxTree: maxTree}
	s.server = httptest.NewServer(s)
	s.URL, s.GraphQLURL, s.world.site = s.server.URL, s.server.URL+"/graphql", site(s.server.URL)
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
	defer s.world.lock()()
	return s.world.clock.time()
}

// Advance lets time pass.
func (s *Server) Advance(d time.Duration) {
	defer s.world.lock()()
	s.world.clock.at = s.world.clock.at.Add(d)
}

// SetNow takes the time from elsewhere; changes take no time any more.
func (s *Server) SetNow(now func() time.Time) {
	defer s.world.lock()()
	s.world.clock.elsewhere = now
}

// SetTreeLimit changes how many entries of a tree are shown; GitHub shows 100,000.
func (s *Server) SetTreeLimit(entries int) {
	defer s.world.lock()()
	s.maxTree = entries
}

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
func (s *Server) Requests() []Request { return s.asked(func(*Request) bool { return true }) }

// Reads are the requests that could change nothing.
func (s *Server) Reads() []Request { return s.asked(func(r *Request) bool { return r.Kind == read }) }

// Writes are the requests that were made to change something.
func (s *Server) Writes() []Request { return s.asked(func(r *Request) bool { return r.Kind == write }) }

func (s *Server) asked(which func(*Request) bool) []Request {
	defer s.world.lock()()
	var found []Request
	for _, r := range s.requests {
		if which(r) {
			found = append(found, *r)
		}
	}
	return found
}

// Forget empties the log of requests.
func (s *Server) Forget() {
	defer s.world.lock()()
	s.requests = nil
}

// The kinds of requests.
const (
	read  = "read"
	write = "write"
)
