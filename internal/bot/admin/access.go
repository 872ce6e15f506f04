package admin

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxy is a reverse proxy that signs people in and names them in a header. The header
// counts only in requests from the proxy's addresses.
type Proxy struct {
	Header string         // such as X-Forwarded-User
	From   []netip.Prefix // addresses of the proxy
}

func (p Proxy) set() bool { return p.Header != "" && len(p.From) > 0 }

// maxPerson bounds a name from a proxy, in bytes.
const maxPerson = 200

// gate decides who may see the dashboard:
//
//	a proxy is set     only requests from it, with a name in its header
//	loopback, none     everyone on this machine, without a name
//	anything else      no one
//
// With a proxy, a loopback listener is closed too: the proxy may run on the same machine
// and pass on unsigned requests.
type gate struct {
	loopback bool
	proxy    Proxy
}

// shut reports whether the gate refuses everyone.
func (g gate) shut() bool { return !g.loopback && !g.proxy.set() }

// proxyHeaders are the headers of requests through a proxy.
var proxyHeaders = []string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip"}

// admit returns the sender of a request, "" for a person on this machine, or the reason to
// refuse.
func (g gate) admit(r *http.Request) (who, why string) {
	switch {
	case g.proxy.set():
		return g.signedIn(r)
	case !g.loopback:
		return "", "The dashboard is closed: it is reachable from elsewhere, and no proxy signs people in. The server's operator names one with --proxy-header and --proxy-from."
	case slices.ContainsFunc(proxyHeaders, func(name string) bool { return r.Header.Get(name) != "" }):
		return "", "The request came through a proxy that the dashboard does not know. Name the proxy and its header in the settings of the server."
	case !localName(r.Host):
		return "", "The dashboard answers only to localhost and 127.0.0.1, so that no other page can read it through a name of its own."
	}
	return "", ""
}

// signedIn returns the person that the proxy signed in.
func (g gate) signedIn(r *http.Request) (who, why string) {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	ours := func(p netip.Prefix) bool { return p.Contains(from.Addr().Unmap()) }
	if err != nil || !slices.ContainsFunc(g.proxy.From, ours) {
		return "", "The dashboard is open only through its proxy."
	}
	names := r.Header.Values(g.proxy.Header)
	if len(names) != 1 || strings.TrimSpace(names[0]) == "" || len(names[0]) > maxPerson {
		return "", "The proxy did not say who you are. Sign in there first."
	}
	return strings.TrimSpace(names[0]), ""
}

// localName reports whether a Host header names this machine. A page of another site can
// make its own name point to 127.0.0.1, and would then be read as if it were ours.
func localName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}

type personKey struct{}

// person returns the sender of a context's request, "" for a person on this machine.
func person(ctx context.Context) string {
	who, _ := ctx.Value(personKey{}).(string)
	return who
}
