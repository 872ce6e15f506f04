// Package reach explains a failed connection in plain words: the host, the cause, and the next
// step. It reads errors by their types, opens no connection, and knows neither models nor
// GitHub.
package reach

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
)

// proxyError is a proxy's refusal to connect.
type proxyError struct {
	proxy  string
	status int
}

func (e *proxyError) Error() string { return fmt.Sprintf("the proxy %s answers %d", e.proxy, e.status) }

// Proxy turns a proxy's refusal into an error for Why. It is the OnProxyConnectResponse of a
// transport.
func Proxy(_ context.Context, proxy *url.URL, _ *http.Request, answer *http.Response) error {
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	return &proxyError{proxy: proxy.Host, status: answer.StatusCode}
}

// Connected reports whether a failed request may have reached its host.
func Connected(err error) bool {
	return failedDial(err) == nil && !errors.As(err, new(*proxyError))
}

// failedDial is how the making of a connection failed, nil if something else did.
func failedDial(err error) *net.OpError {
	var op *net.OpError
	if !errors.As(err, &op) || !slices.Contains([]string{"dial", "proxyconnect"}, op.Op) {
		return nil
	}
	return op
}

// Why names the host of a failed request, the cause and the next step; "" for other errors.
func Why(to *url.URL, err error) string {
	variable := strings.ToUpper(to.Scheme) + "_PROXY"
	var refusal *proxyError
	switch {
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return to.Host + " shows a certificate that is not trusted here; add the certificates of your network to those of the system, or on Linux name a file with them in SSL_CERT_FILE"
	case errors.As(err, &refusal) && refusal.status == http.StatusProxyAuthRequired:
		return fmt.Sprintf("the proxy %s wants a name and a password that are right; write them into %s, as http://NAME:PASSWORD@%s", refusal.proxy, variable, refusal.proxy)
	case refusal != nil:
		return fmt.Sprintf("the proxy %s does not connect to %s (it answers %d); ask who runs the proxy, or look at %s and NO_PROXY", refusal.proxy, to.Host, refusal.status, variable)
	}
	switch op := failedDial(err); {
	case op == nil:
		return ""
	case op.Op == "proxyconnect":
		return noConnection("the proxy"+proxyAt(err), err) + "; look at the proxy, and at its address in " + variable
	case Near(to.Hostname()):
		return noConnection(to.Host, err) + "; check its address, and that the server runs"
	}
	return noConnection(to.Host, err) + "; check the network, or set HTTPS_PROXY"
}

// noConnection says why no connection to a host was made, in the words of the system. It does not
// name the name server.
func noConnection(host string, err error) string {
	var name *net.DNSError
	if errors.As(err, &name) {
		return fmt.Sprintf("no connection to %s: %s", host, name.Err)
	}
	return fmt.Sprintf("no connection to %s: %s", host, failedDial(err).Err)
}

// Near reports whether a host is this machine or in a private network, as far as
// its name says.
func Near(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.IsPrivate()
	}
	return slices.Contains([]string{"", ".local", ".internal"}, path.Ext(host))
}

// proxyAt is the address of an unreachable proxy, "" if it is unknown.
func proxyAt(err error) string {
	var name *net.DNSError
	if errors.As(err, &name) {
		return " " + name.Name
	}
	for op := (*net.OpError)(nil); errors.As(err, &op); err = op.Err {
		if op.Op == "dial" && op.Addr != nil {
			return " " + op.Addr.String()
		}
	}
	return ""
}
