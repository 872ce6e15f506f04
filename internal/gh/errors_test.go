package gh

import (
	"errors"
	"net"
	"net/url"
	"syscall"
	"testing"
)

// TestUnavailableSaysWhatToDo: a host that nobody here can connect to is named, with what
// to look at; what is wrong later on is told in its own words.
func TestUnavailableSaysWhatToDo(t *testing.T) {
	t.Parallel()
	sent := func(err error) error {
		return &url.Error{Op: "Post", URL: "https://api.github.com/graphql", Err: err}
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{sent(&net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "api.github.com", Server: "10.0.0.1:53", IsNotFound: true}}),
			"read #4: GitHub cannot be reached: no connection to api.github.com: no such host; check the network, or set HTTPS_PROXY"},
		{sent(&net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}),
			"read #4: GitHub cannot be reached: no connection to api.github.com: connection refused; check the network, or set HTTPS_PROXY"},
		{errors.New("the answer holds no token"),
			"read #4: GitHub cannot be reached or fails: the answer holds no token; run again later"},
	} {
		if got := (&UnavailableError{What: "read #4", Err: c.err}).Error(); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}
