package reach

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// TestWhyElse: what has no plain words keeps those of the system, and the advice.
func TestWhyElse(t *testing.T) {
	t.Parallel()
	err := &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("permission denied")}
	want := "no connection to models.example: permission denied; check the network, or set HTTPS_PROXY"
	if got := Why(&url.URL{Scheme: "https", Host: "models.example"}, err); got != want {
		t.Errorf("%q", got)
	}
}

// TestProxy: a proxy that answers and does not connect is told with what it wants, and
// nothing of it stands for the server that was asked for.
func TestProxy(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		http.StatusProxyAuthRequired: "wants a name and a password that are right; write them into HTTPS_PROXY, as http://NAME:PASSWORD@127.0.0.1",
		http.StatusForbidden:         "does not connect to models.example (it answers 403); ask who runs the proxy, or look at HTTPS_PROXY and NO_PROXY",
		http.StatusBadGateway:        "does not connect to models.example (it answers 502)",
	} {
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		t.Cleanup(proxy.Close)
		at, err := url.Parse(proxy.URL)
		if err != nil {
			t.Fatal(err)
		}
		at.User = url.UserPassword("bob", "open-sesame")
		client := http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(at), OnProxyConnectResponse: Proxy}}
		_, err = client.Get("https://models.example/v1")
		if err == nil || Connected(err) {
			t.Errorf("%d: connected: %v", status, err)
			continue
		}
		why := Why(&url.URL{Scheme: "https", Host: "models.example"}, err)
		if !strings.HasPrefix(why, "the proxy 127.0.0.1:") || !strings.Contains(why, want) || strings.Contains(why, "sesame") {
			t.Errorf("%d: %q", status, why)
		}
	}
}
