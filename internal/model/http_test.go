package model

import (
	"context"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

func TestTrustedCertificates(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("User-Agent") != userAgent {
			t.Errorf("the user agent is %q", r.Header.Get("User-Agent"))
		}
	}))
	defer server.Close()
	trust := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(trust, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"", trust} {
		client, err := HTTPClient(file)
		if err != nil {
			t.Fatal(err)
		}
		_, err = ask(t, server.URL, client)
		client.CloseIdleConnections()
		if (err == nil) != (file == trust) {
			t.Errorf("with %q: %v", file, err)
		}
	}
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{empty, filepath.Join(t.TempDir(), "missing")} {
		if _, err := HTTPClient(file); err == nil {
			t.Errorf("%s is accepted", file)
		}
	}
}

// ask sends one request to an address.
func ask(t *testing.T, address string, client *http.Client) (Response, error) {
	t.Helper()
	w, err := NewWire("openai", Options{Key: "canary", Model: "m", HTTP: client})
	if err != nil {
		t.Fatal(err)
	}
	return w.Ask(t.Context(), func(ctx context.Context, _ func(string) bool) (Answer, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader("question"))
		if err != nil {
			return Answer{}, err
		}
		req.Header.Set("X-Api-Key", "canary")
		resp, err := w.HTTP(false).Do(req)
		if err != nil {
			return Answer{}, err
		}
		return Answer{}, resp.Body.Close()
	})
}

// TestNoMetadata: nothing leads to where clouds keep their secrets.
func TestNoMetadata(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"http://169.254.169.254/latest", "http://[fe80::1%25lo]/", "http://[::ffff:169.254.169.254]/"} {
		client, err := HTTPClient("")
		if err != nil {
			t.Fatal(err)
		}
		client.Transport.(*http.Transport).Proxy = nil
		if _, err := ask(t, address, client); !strings.Contains(err.Error(), "not one that a model is served from") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestRedirects: the key goes where it was sent, and nowhere else.
func TestRedirects(t *testing.T) {
	t.Parallel()
	decoy := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("the decoy got %v", r.Header) }))
	defer decoy.Close()
	moved := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusTemporaryRedirect) }
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/away", moved(decoy.URL))
	mux.HandleFunc("/near", moved("/end"))
	mux.HandleFunc("/circle", moved("/circle"))
	mux.HandleFunc("/end", func(_ http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") != "canary" || r.Method != http.MethodPost {
			t.Errorf("%s %v", r.Method, r.Header)
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	for path, says := range map[string]string{"/near": "", "/away": "not followed", "/circle": "without end"} {
		_, err := ask(t, server.URL+path, server.Client())
		if says == "" && err != nil || says != "" && (err == nil || Classify(err).Class != debate.CallError || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
