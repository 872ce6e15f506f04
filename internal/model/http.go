package model

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/reach"
)

// userAgent names this program to the providers.
const userAgent = "debate (+https://github.com/prdebate/debate)"

const (
	dialTimeout  = 10 * time.Second
	maxRedirects = 3
	maxHeader    = 64 << 10 // bytes of a response's headers
)

// HTTPClient makes the shared HTTP client of the backends of a process. It uses the proxy of
// the environment, trusts the system's certificates and those in caFile (PEM; "" for none),
// speaks TLS 1.2 or newer, and refuses link-local addresses, since clouds have their
// metadata there. It has no time limit: the context limits a call, and Options.Idle limits a
// silent stream.
func HTTPClient(caFile string) (*http.Client, error) {
	trusted := &tls.Config{MinVersion: tls.VersionTLS12}
	if caFile != "" {
		pem, err := os.ReadFile(caFile)
		if err != nil {
			return nil, fmt.Errorf("read the certificates that SSL_CERT_FILE names: %w", err)
		}
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("read the certificates of SSL_CERT_FILE: there is none in %s; it must be a PEM file", caFile)
		}
		trusted.RootCAs = pool
	}
	dialer := &net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second, Control: refuseLinkLocal}
	return &http.Client{Transport: &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		OnProxyConnectResponse: reach.Proxy,
		DialContext:            dialer.DialContext,
		TLSClientConfig:        trusted,
		TLSHandshakeTimeout:    dialTimeout,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    8,
		IdleConnTimeout:        90 * time.Second,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: maxHeader,
	}}, nil
}

// refuseLinkLocal checks an address after its name is resolved, so that no name leads there.
func refuseLinkLocal(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	ip := at.Addr().Unmap()
	if err != nil || ip.IsLinkLocalUnicast() || ip.IsMulticast() {
		return &Error{Class: debate.CallError, Detail: "the address " + address + " is not one that a model is served from"}
	}
	return nil
}

// sameHost follows redirects only to the host of the request: they carry the key, and
// another host must not get it.
func sameHost(req *http.Request, via []*http.Request) error {
	place := func(u *url.URL) string { return u.Scheme + "://" + u.Host }
	var err *Error
	switch {
	case place(req.URL) != place(via[0].URL):
		err = &Error{Class: debate.CallError, Detail: "the provider sends us to another place, which is not followed: " + place(req.URL)}
	case len(via) > maxRedirects:
		err = &Error{Class: debate.CallError, Detail: "the provider redirects without end"}
	default:
		return nil
	}
	callOf(req.Context()).stop(err)
	return err
}

// CheckBaseURL refuses an address if it would give a key away: without encryption outside of
// this machine and of private networks, or with secrets in it. "" means the provider's own.
func CheckBaseURL(address, key string) error {
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return errors.New("it is no URL") // the parser's error would repeat it
	}
	switch {
	case u.Host == "", !slices.Contains([]string{"https", "http"}, u.Scheme):
		return errors.New("it is no http or https URL")
	case strings.ContainsAny(address, "@?#"):
		return errors.New("it must not have a user, a query or a fragment")
	case key == "", u.Scheme == "https", reach.Near(u.Hostname()):
		return nil
	}
	return errors.New("the key would be sent without encryption: use https")
}
