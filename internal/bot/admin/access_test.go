package admin

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/admintest"
)

// everyPath is all that the dashboard answers, and some that it does not.
var everyPath = []string{
	"/", "/metrics", "/style.css", "/live.js", "/events", "/reviews", "/reviews/debate-1", "/decisions", "/jobs", "/jobs/run", "/statistics", "/spending", "/installations",
	"/nowhere", "/healthz/", "//healthz", "/readyz/", "/healthz/../jobs", "/favicon.ico", "/debug/pprof/",
}

// TestWhoMaySee: each case is allowed or refused everywhere, but for /healthz and /readyz.
func TestWhoMaySee(t *testing.T) {
	t.Parallel()
	public := &net.TCPAddr{IP: net.IPv4zero, Port: 8081}
	proxy := Proxy{Header: "X-Forwarded-User", From: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/24"), netip.MustParsePrefix("fd00::/64"), netip.MustParsePrefix("127.0.0.1/32")}}
	for name, c := range map[string]struct {
		address net.Addr
		proxy   Proxy
		from    string
		host    string
		headers http.Header
		allowed bool
	}{
		"this machine":                  {loopback, Proxy{}, "127.0.0.1:5", "127.0.0.1:8081", nil, true},
		"localhost":                     {loopback, Proxy{}, "127.0.0.1:5", "LocalHost:8081", nil, true},
		"localhost without a port":      {loopback, Proxy{}, "127.0.0.1:5", "localhost", nil, true},
		"another loopback address":      {loopback, Proxy{}, "127.0.0.1:5", "127.9.9.9:8081", nil, true},
		"six":                           {&net.TCPAddr{IP: net.IPv6loopback}, Proxy{}, "[::1]:5", "[::1]:8081", nil, true},
		"six without a port":            {&net.TCPAddr{IP: net.IPv6loopback}, Proxy{}, "[::1]:5", "[::1]", nil, true},
		"a name that points here":       {loopback, Proxy{}, "127.0.0.1:5", "evil.example:8081", nil, false},
		"a name that looks local":       {loopback, Proxy{}, "127.0.0.1:5", "127.0.0.1.evil.example", nil, false},
		"localhost as a part":           {loopback, Proxy{}, "127.0.0.1:5", "localhost.evil.example", nil, false},
		"no host":                       {loopback, Proxy{}, "127.0.0.1:5", "", nil, false},
		"an unknown proxy before it":    {loopback, Proxy{}, "127.0.0.1:5", "127.0.0.1:8081", http.Header{"X-Forwarded-For": {"203.0.113.9"}}, false},
		"an unknown proxy, newer":       {loopback, Proxy{}, "127.0.0.1:5", "127.0.0.1:8081", http.Header{"Forwarded": {"for=203.0.113.9"}}, false},
		"public":                        {public, Proxy{}, "203.0.113.9:5", "debate.example", nil, false},
		"public, from this machine":     {public, Proxy{}, "127.0.0.1:5", "localhost:8081", nil, false},
		"public, with a header":         {public, Proxy{}, "127.0.0.1:5", "localhost:8081", http.Header{"X-Forwarded-User": {"bob"}}, false},
		"public, half a proxy":          {public, Proxy{Header: "X-Forwarded-User"}, "10.0.0.7:5", "debate.example", http.Header{"X-Forwarded-User": {"bob"}}, false},
		"public, no header name":        {public, Proxy{From: proxy.From}, "10.0.0.7:5", "debate.example", http.Header{"": {"bob"}}, false},
		"signed in":                     {public, proxy, "10.0.0.7:5", "debate.example", http.Header{"X-Forwarded-User": {"bob"}}, true},
		"signed in, six":                {public, proxy, "[fd00::7]:5", "debate.example", http.Header{"X-Forwarded-User": {"bob"}}, true},
		"signed in, four within six":    {public, proxy, "[::ffff:10.0.0.7]:5", "debate.example", http.Header{"X-Forwarded-User": {"bob"}}, true},
		"signed in on this machine":     {loopback, proxy, "127.0.0.1:5", "debate.example", http.Header{"X-Forwarded-User": {"bob"}, "X-Forwarded-For": {"203.0.113.9"}}, true},
		"let through unsigned":          {loopback, proxy, "127.0.0.1:5", "127.0.0.1:8081", nil, false},
		"no name":                       {public, proxy, "10.0.0.7:5", "debate.example", nil, false},
		"an empty name":                 {public, proxy, "10.0.0.7:5", "debate.example", http.Header{"X-Forwarded-User": {"  "}}, false},
		"two names":                     {public, proxy, "10.0.0.7:5", "debate.example", http.Header{"X-Forwarded-User": {"bob", "alice"}}, false},
		"a long name":                   {public, proxy, "10.0.0.7:5", "debate.example", http.Header{"X-Forwarded-User": {strings.Repeat("x", maxPerson+1)}}, false},
		"another header":                {public, proxy, "10.0.0.7:5", "debate.example", http.Header{"X-Auth-Request-User": {"bob"}}, false},
		"past the proxy":                {public, proxy, "10.0.1.7:5", "debate.example", http.Header{"X-Forwarded-User": {"bob"}}, false},
		"past it, saying it is not":     {public, proxy, "203.0.113.9:5", "debate.example", http.Header{"X-Forwarded-User": {"bob"}, "X-Forwarded-For": {"10.0.0.7"}}, false},
		"an address that is none":       {public, proxy, "@", "debate.example", http.Header{"X-Forwarded-User": {"bob"}}, false},
		"a socket is not this machine":  {&net.UnixAddr{Name: "/run/debate"}, Proxy{}, "@", "localhost", nil, false},
		"an address without a number":   {&net.TCPAddr{Port: 8081}, Proxy{}, "127.0.0.1:5", "localhost", nil, false},
		"another header that was named": {public, Proxy{Header: "X-Auth-Request-User", From: proxy.From}, "10.0.0.7:5", "debate.example", http.Header{"X-Auth-Request-User": {"bob"}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(&admintest.Database{})
			o.Address, o.Proxy = c.address, c.proxy
			o.Ready = []Check{{"the database", func(context.Context) error { return admintest.ErrDown }}}
			d := New(o)
			ask := func(path string) (int, string) {
				r := request("GET", "/", nil)
				r.URL.Path, r.Host, r.RemoteAddr = path, c.host, c.from
				if c.headers != nil {
					r.Header = c.headers.Clone()
				}
				if path == "/events" { // it would go on
					r.Method = "PUT"
				}
				w := ask(d, r)
				return w.Code, w.Body.String()
			}
			for _, path := range everyPath {
				if code, body := ask(path); (code == http.StatusForbidden) == c.allowed {
					t.Errorf("%s: %d %s", path, code, body)
				} else if !c.allowed && (strings.Contains(body, "<") || strings.Count(body, "\n") != 1) {
					t.Errorf("%s says more than why: %s", path, body)
				}
			}
			if code, body := ask("/healthz"); code != 200 || body != "alive\n" {
				t.Errorf("/healthz: %d %s", code, body)
			}
			says := "not ready\n"
			if c.allowed {
				says = "not ready: the database: the disk is full\n"
			}
			if code, body := ask("/readyz"); code != http.StatusServiceUnavailable || body != says {
				t.Errorf("/readyz: %d %s", code, body)
			}
		})
	}
}

// TestNobodyIsToldOf: a dashboard that nobody can open says so once in the log.
func TestNobodyIsToldOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		gate gate
		shut bool
	}{
		"loopback":      {gate{loopback: true}, false},
		"public":        {gate{}, true},
		"half a proxy":  {gate{proxy: Proxy{Header: "X-Forwarded-User"}}, true},
		"public, proxy": {gate{proxy: Proxy{Header: "X-Forwarded-User", From: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}}, false},
	} {
		if c.gate.shut() != c.shut {
			t.Errorf("%s: %t", name, c.gate.shut())
		}
	}
}
