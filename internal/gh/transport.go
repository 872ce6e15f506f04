package gh

import (
	"errors"
	"io"
	"net/http"
	"net/url"
)

const maxRedirects = 3

// errRedirect is a redirect that is not followed.
var errRedirect = errors.New("it redirects to where no credentials are sent")

// transport adds the credentials and follows redirects. Neither can be left to
// http.Client: it would turn a POST into a GET, and what a transport adds it would
// add for every host.
type transport struct {
	base  http.RoundTripper
	token string
	hosts [2]string
}

// newHTTP makes the client that all requests go through.
func newHTTP(given *http.Client, token string, hosts ...string) *http.Client {
	t := &transport{base: http.DefaultTransport, token: token, hosts: [2]string(hosts)}
	if given != nil && given.Transport != nil {
		t.base = given.Transport
	}
	return &http.Client{
		Transport:     t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// RoundTrip sends a request to a host of the API, and to where that says the
// repository now is, with the same method and body.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	for hops := 0; ; hops++ {
		if req.URL.Host != t.hosts[0] && req.URL.Host != t.hosts[1] {
			return nil, errRedirect
		}
		sent := req.Clone(req.Context())
		if t.token != "" {
			sent.Header.Set("Authorization", "Bearer "+t.token)
		}
		resp, err := t.base.RoundTrip(sent)
		if err != nil {
			return nil, err
		}
		switch resp.StatusCode {
		case http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		default:
			return resp, nil
		}
		_, _ = io.CopyN(io.Discard, resp.Body, 64<<10) // lets the connection be used again
		resp.Body.Close()
		target, err := resp.Location()
		if err != nil || hops == maxRedirects || !t.mayFollow(req.URL, target) {
			return nil, errRedirect
		}
		next := req.Clone(req.Context())
		next.URL, next.Host = target, ""
		if req.GetBody != nil {
			if next.Body, err = req.GetBody(); err != nil {
				return nil, err
			}
		}
		req = next
	}
}

// mayFollow reports whether a redirect stays with one of the API's hosts and does
// not give up encryption.
func (t *transport) mayFollow(from, to *url.URL) bool {
	return (to.Host == t.hosts[0] || to.Host == t.hosts[1]) && to.Scheme == from.Scheme && to.User == nil
}
