package model

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// TestUnreached: who cannot be connected to is named, with what happened and what to do,
// and with nothing of the name server that was asked for the address.
func TestUnreached(t *testing.T) {
	t.Parallel()
	at := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 3128}
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Addr: at, Err: err} }
	system := func(number syscall.Errno) error { return dial(os.NewSyscallError("connect", number)) }
	proxy := func(err error) error { return &net.OpError{Op: "proxyconnect", Net: "tcp", Err: err} }
	missing := &net.DNSError{Err: "no such host", Name: "proxy.example", Server: "192.0.2.53:53", IsNotFound: true}
	const network, proxied = "; check the network, or set HTTPS_PROXY", "; look at the proxy, and at its address in HTTPS_PROXY"
	for name, tt := range map[string]struct {
		err   error
		class debate.CallStatus
		want  string
	}{
		"not found":       {dial(missing), debate.CallError, "no connection to models.example: no such host" + network},
		"name server":     {dial(&net.DNSError{Err: "refused", Name: "models.example"}), debate.CallError, "no connection to models.example: refused" + network},
		"refused":         {system(syscall.ECONNREFUSED), debate.CallError, "no connection to models.example: connect: connection refused" + network},
		"silent":          {dial(os.ErrDeadlineExceeded), debate.CallTimeout, "no connection to models.example: i/o timeout" + network},
		"proxy refuses":   {proxy(system(syscall.ECONNREFUSED)), debate.CallError, "no connection to the proxy 192.0.2.7:3128: dial tcp 192.0.2.7:3128: connect: connection refused" + proxied},
		"proxy not found": {proxy(dial(missing)), debate.CallError, "no connection to the proxy proxy.example: no such host" + proxied},
		"certificate": {&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, debate.CallError,
			"models.example shows a certificate that is not trusted here; add the certificates of your network to those of the system, or on Linux name a file with them in SSL_CERT_FILE"},
		"else": {errors.New("odd"), debate.CallError, "odd"},
	} {
		w := wireTo(t, &script{acts: []act{{err: tt.err}}}, Options{})
		_, err := w.Ask(t.Context(), fetch(w))
		if got := Classify(err); got.Class != tt.class || got.Detail != "the provider cannot be reached: "+tt.want {
			t.Errorf("%s: %s: %q", name, got.Class, got.Detail)
		}
	}
}

// TestUnreachedHere: a server of one's own that does not run is told as that, by the error
// that this system gives.
func TestUnreachedHere(t *testing.T) {
	t.Parallel()
	w := wireTo(t, &http.Transport{}, Options{})
	_, err := w.Ask(t.Context(), fetchFrom(w, "http://127.0.0.1:1"))
	if got := Classify(err).Detail; !strings.Contains(got, "127.0.0.1:1: connect: connection refused; check its address, and that the server runs") {
		t.Errorf("%q", got)
	}
}
