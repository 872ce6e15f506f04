package setup

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

const (
	cookieName = "debate_setup"
	maxForm    = 16 << 10 // bytes of a form
)

// equalSecrets compares secrets in constant time.
func equalSecrets(a, b string) bool {
	return a != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}

// guard lets through requests of this machine's browser for this page, and sets the
// security headers of every answer.
func (s *site) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.protect(w.Header())
		_, port, err := net.SplitHostPort(s.host)
		isOurs := err == nil && slices.Contains([]string{s.host, net.JoinHostPort("localhost", port)}, r.Host)
		// The browser names this page as the source of a form. Older ones send only the origin.
		const own = "same-origin"
		isOwnForm := r.Header.Get("Origin") == "http://"+r.Host && cmp.Or(r.Header.Get("Sec-Fetch-Site"), own) == own
		switch {
		case !isOurs: // another host name that leads here
			http.Error(w, "This page answers to "+s.host+" only.", http.StatusMisdirectedRequest)
			return
		case r.Method == http.MethodPost && !isOwnForm:
			http.Error(w, "Forms are taken from this page only.", http.StatusForbidden)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		next.ServeHTTP(w, r)
	})
}

// protect sets the headers of every answer. The referrer is the bare origin: without any,
// browsers would send no Origin with our own forms.
func (s *site) protect(h http.Header) {
	sum := sha256.Sum256([]byte(style))
	policy := []string{
		"default-src 'none'", "style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'", "form-action 'self' " + origin(s.options.Pages),
		"frame-ancestors 'none'", "base-uri 'none'",
	}
	h.Set("Content-Security-Policy", strings.Join(policy, "; "))
	h.Set("Referrer-Policy", "strict-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// origin is the scheme and the host of an address.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// requireToken lets through browsers that entered the token. A request straight from GitHub has no
// cookie: browsers withhold it.
func (s *site) requireToken(next http.HandlerFunc) http.HandlerFunc {
	return s.requirePath(func(w http.ResponseWriter, r *http.Request) {
		cookie, err := r.Cookie(cookieName)
		if err != nil || !equalSecrets(cookie.Value, s.cookie) {
			s.show(w, http.StatusForbidden, view{Locked: true, Problem: "This browser has not entered the token."})
			return
		}
		next(w, r)
	})
}

// requirePath lets through requests with the secret path.
func (s *site) requirePath(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !equalSecrets(r.PathValue("path"), s.path) {
			http.NotFound(w, r)
			return
		}
		next(w, r)
	}
}
