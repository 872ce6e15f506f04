package gh

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/prdebate/debate/internal/reach"
)

const (
	maxRedirects = 3
	maxBody      = 64 << 20 // bytes of an answer, after decompression
)

var (
	// errRedirect reports a redirect that is not followed.
	errRedirect = errors.New("it redirects to where no credentials are sent")
	// errTooMuch reports an answer over the size limit.
	errTooMuch = errors.New("read the answer: it is too large")
)

// transport adds the credentials, follows redirects and reads answers whole.
// http.Client cannot do the first two: it turns a redirected POST into a GET, and it
// would send the credentials to every host.
type transport struct {
	base         http.RoundTripper
	token        string
	hosts        []string
	most         int64 // bytes of an answer
	keepRedirect bool  // return a redirect instead of following it
	budget       func(resource string, left int)
}

// direct is Go's default transport, which also explains the answer of a proxy. All
// clients share it with its connections.
var direct = sync.OnceValue(func() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.OnProxyConnectResponse = reach.Proxy
	return t
})

// with returns the same transport with a token.
func (t *transport) with(token string) *transport {
	authorised := *t
	authorised.token = token
	return &authorised
}

// RoundTrip sends a request to a host of the API and follows its redirects, for example
// to a renamed repository, with the same method and body.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	for hops := 0; ; hops++ {
		if !slices.Contains(t.hosts, req.URL.Host) {
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
		left, unknown := strconv.Atoi(resp.Header.Get("X-RateLimit-Remaining"))
		if resource := resp.Header.Get("X-RateLimit-Resource"); t.budget != nil && unknown == nil && resource != "" {
			t.budget(resource, left)
		}
		isMoved := slices.Contains([]int{http.StatusMovedPermanently, http.StatusTemporaryRedirect, http.StatusPermanentRedirect}, resp.StatusCode)
		if !isMoved && (resp.StatusCode != http.StatusFound || t.keepRedirect) {
			accept := req.Header.Get("Accept")
			isJSON := !strings.HasSuffix(accept, ".raw") && !strings.HasSuffix(accept, ".diff") // else a blob or a difference
			if err := t.readAll(resp, isJSON); err != nil {
				return nil, err
			}
			return resp, nil
		}
		_, _ = io.CopyN(io.Discard, resp.Body, 64<<10) // lets the connection be used again
		resp.Body.Close()
		target, err := resp.Location()
		if err != nil || hops == maxRedirects {
			return nil, errRedirect
		}
		if !slices.Contains(t.hosts, target.Host) || target.Scheme != req.URL.Scheme || target.User != nil { // to another host, or to plain text
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

// readAll reads an answer. If it is cut off, too large or not JSON, it returns an
// error, never half an answer. Of a refusal it keeps the bytes that came.
func (t *transport) readAll(resp *http.Response, isJSON bool) error {
	defer resp.Body.Close()
	var b bytes.Buffer
	if n := resp.ContentLength; n > 0 && n <= t.most {
		b.Grow(int(n) + bytes.MinRead)
	}
	n, err := b.ReadFrom(io.LimitReader(resp.Body, t.most+1))
	resp.Body = io.NopCloser(&b)
	switch text := bytes.TrimSpace(b.Bytes()); {
	case resp.StatusCode >= http.StatusMultipleChoices:
		return nil
	case err != nil:
		return fmt.Errorf("read the answer: %w", err)
	case n > t.most:
		return errTooMuch
	case !isJSON:
		return nil
	case bytes.HasPrefix(text, []byte("<")):
		return errPage
	case !json.Valid(b.Bytes()), bytes.Equal(text, []byte("null")):
		return errors.New("read the answer: it is no JSON of the expected shape")
	}
	return nil
}
