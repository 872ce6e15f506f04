package setup_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/prdebate/debate/internal/bot/setup"
	"github.com/prdebate/debate/internal/testkit/ghtest"
)

// stage is a set-up page that is served, and the GitHub that it works with.
type stage struct {
	t     *testing.T
	gh    *ghtest.Server
	dir   string
	at    string // address of the page
	token string

	mu   sync.Mutex
	said []string
	over chan struct{} // closed when the time is up
	stop context.CancelCauseFunc
	done chan struct{} // closed when Run is over
	app  setup.Credentials
	err  error
}

// serve starts a page; change may change the options.
func serve(t *testing.T, change func(*setup.Options)) *stage {
	t.Helper()
	s := &stage{t: t, gh: ghtest.New(t), dir: t.TempDir(), over: make(chan struct{}), done: make(chan struct{})}
	asked := make(chan string, 1)
	o := setup.Options{
		Dir: s.dir, Pages: s.gh.URL, API: s.gh.URL + "/api/v3", Name: "Debate of Ada", HTTP: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
		Say: func(format string, args ...any) {
			line := fmt.Sprintf(format, args...)
			s.mu.Lock()
			s.said = append(s.said, line)
			s.mu.Unlock()
			if strings.HasPrefix(line, "Open ") {
				asked <- line
			}
		},
		Wait: func(ctx context.Context, d time.Duration) error {
			if d != 10*time.Minute {
				return context.Cause(ctx)
			}
			select {
			case <-s.over:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		},
	}
	if change != nil {
		change(&o)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	s.stop = stop
	t.Cleanup(func() { stop(nil) })
	go func() {
		defer close(s.done)
		s.app, s.err = setup.Run(ctx, o)
	}()
	select {
	case line := <-asked:
		words := strings.Fields(line)
		s.at, s.token = strings.TrimSuffix(words[1], "/"), words[len(words)-1]
	case <-s.done:
		t.Fatalf("there is no page: %v", s.err)
	}
	return s
}

// result waits until Run is over.
func (s *stage) result() (setup.Credentials, error) {
	s.t.Helper()
	select {
	case <-s.done:
	case <-s.t.Context().Done():
		s.t.Fatal("Run is not over")
	}
	return s.app, s.err
}

// lines are what the terminal shows.
func (s *stage) lines() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.said, "\n")
}

// visited is a page as the browser has it.
type visited struct {
	status int
	header http.Header
	url    string
	text   string
	forms  []form
}

type form struct {
	action string
	values url.Values
}

// request is what a browser sends. What is "" is left out.
type request struct {
	method, url  string
	values       url.Values
	host         string
	origin, site string
	cookie       string
}

// send sends a request as it is.
func (s *stage) send(r request) visited {
	s.t.Helper()
	var body io.Reader
	if r.values != nil {
		body = strings.NewReader(r.values.Encode())
	}
	req, err := http.NewRequestWithContext(s.t.Context(), r.method, r.url, body)
	if err != nil {
		s.t.Fatal(err)
	}
	if r.values != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, value := range map[string]string{"Origin": r.origin, "Sec-Fetch-Site": r.site, "Cookie": r.cookie} {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	if r.host != "" {
		req.Host = r.host
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return visited{status: resp.StatusCode, header: resp.Header, url: r.url, text: string(text), forms: formsOf(s.t, string(text))}
}

// formsOf reads the forms of a page.
func formsOf(t *testing.T, text string) []form {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	attribute := func(n *html.Node, name string) string {
		for _, a := range n.Attr {
			if a.Key == name {
				return a.Val
			}
		}
		return ""
	}
	var all []form
	for n := range root.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "form":
			all = append(all, form{attribute(n, "action"), url.Values{}})
		case n.Data == "input":
			all[len(all)-1].values.Set(attribute(n, "name"), attribute(n, "value"))
		case n.Data == "script":
			t.Errorf("a script: %s", text)
		}
	}
	return all
}

// browser goes through the pages as a person does. It keeps the cookie back where a
// browser would: with a request that comes from another site.
type browser struct {
	*stage
	cookie string
}

// get opens an address; from is the site that leads there, "" for the person.
func (b *browser) get(address, from string) visited {
	b.t.Helper()
	r := request{method: "GET", url: address, site: "none"}
	switch {
	case from == "":
		r.cookie = b.cookie
	case strings.HasPrefix(address, from):
		r.cookie, r.site = b.cookie, "same-origin"
	default:
		r.site = "cross-site"
	}
	return b.send(r)
}

// submit sends a form of a page, and follows one redirect within the page.
func (b *browser) submit(f form) visited {
	b.t.Helper()
	got := b.send(request{method: "POST", url: b.at + f.action, values: f.values, origin: b.at, site: "same-origin", cookie: b.cookie})
	for _, c := range (&http.Response{Header: got.header}).Cookies() {
		if c.SameSite != http.SameSiteStrictMode || !c.HttpOnly || len(c.Path) < 20 {
			b.t.Errorf("a loose cookie: %s", c)
		}
		b.cookie = c.Name + "=" + c.Value
	}
	if got.status == http.StatusSeeOther {
		return b.get(b.at+got.header.Get("Location"), b.at)
	}
	return got
}

// enter gets past the token.
func (s *stage) enter() (*browser, visited) {
	s.t.Helper()
	b := &browser{stage: s}
	first := b.get(s.at+"/", "")
	first.forms[0].values.Set("token", s.token)
	page := b.submit(first.forms[0])
	if page.status != http.StatusOK || len(page.forms) != 2 {
		s.t.Fatalf("%d %s", page.status, page.text)
	}
	return b, page
}

// toGitHub sends the form to GitHub, where the person confirms it: the address that GitHub
// sends the browser to.
func (b *browser) toGitHub(page visited) (string, error) {
	b.t.Helper()
	to := page.forms[0]
	if !strings.HasPrefix(to.action, b.gh.URL+"/") {
		b.t.Fatalf("the form goes to %s", to.action)
	}
	got := b.send(request{method: "POST", url: to.action, values: to.values, origin: b.at, site: "cross-site"})
	if got.status != http.StatusFound {
		return "", errors.New(got.text)
	}
	return got.header.Get("Location"), nil
}

// back makes an App on GitHub and comes back with it: the page that offers to take it over.
func (b *browser) back(page visited) visited {
	b.t.Helper()
	address, err := b.toGitHub(page)
	if err != nil {
		b.t.Fatal(err)
	}
	offered := b.get(address, b.gh.URL)
	if offered.status != http.StatusOK || len(offered.forms) != 1 {
		b.t.Fatalf("%d %s", offered.status, offered.text)
	}
	return offered
}
