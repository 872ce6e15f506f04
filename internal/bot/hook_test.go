package bot_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/bot"
	"github.com/prdebate/debate/internal/bot/meter"
	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/store/database"
)

// object is a JSON object of a payload.
type object = map[string]any

const secret = "It's a Secret to Everybody"

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func now() time.Time { return noon }

func opened(t testing.TB) *database.DB {
	t.Helper()
	db, err := database.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "debate.db"), database.Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

// payload is an event of a pull request of an App.
func payload(action string, number int, more object) []byte {
	o := object{
		"action": action, "number": number, "pull_request": object{"number": number},
		"repository":   object{"id": 186853002, "full_name": "acme/shop"},
		"installation": object{"id": 375706}, "sender": object{"login": "alice", "type": "User"},
	}
	for name, value := range more {
		o[name] = value
	}
	data, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return data
}

func sign(body []byte, key string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// delivery is a request as GitHub makes it.
func delivery(name, id string, body []byte) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/webhook", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-GitHub-Event", name)
	r.Header.Set("X-GitHub-Delivery", id)
	r.Header.Set("X-Hub-Signature-256", sign(body, secret))
	return r
}

// newHook is a hook over a database of its own. Woken counts how often it woke the
// dispatcher.
func newHook(t testing.TB) (h *bot.Hook, db *database.DB, woken *int) {
	db, woken = opened(t), new(int)
	return &bot.Hook{
		Inbox: db, Secrets: [][]byte{[]byte("older"), []byte(secret)}, Meter: meter.New("test"), Wake: func() { *woken++ }, Now: now, Log: silent(),
	}, db, woken
}

func answer(h http.Handler, r *http.Request) (status int, text string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, strings.TrimSpace(w.Body.String())
}

func TestHook(t *testing.T) {
	t.Parallel()
	shop := database.Repo{Installation: 375706, ID: 186853002, Owner: "acme", Name: "shop"}
	tests := []struct {
		name   string
		r      func() *http.Request
		status int
		text   string
		wants  string // the subject of the task that it makes, "" for none
	}{
		{"a pull request", func() *http.Request { return delivery("pull_request", "a-1", payload("opened", 7, nil)) }, 202, "accepted", "186853002/pull/7"},
		{"a charset", func() *http.Request {
			r := delivery("pull_request", "a-1", payload("opened", 7, nil))
			r.Header.Set("Content-Type", "application/json; charset=utf-8")
			return r
		}, 202, "accepted", "186853002/pull/7"},
		{"a merge group", func() *http.Request {
			sha := strings.Repeat("a", 40)
			return delivery("merge_group", "a-1", payload("checks_requested", 0, object{"merge_group": object{"head_sha": sha, "base_sha": sha, "base_ref": "main"}}))
		}, 202, "accepted", "186853002/queue/" + strings.Repeat("a", 40)},
		{"a ping", func() *http.Request { return delivery("ping", "a-1", []byte(`{"zen": "Design for failure."}`)) }, 202, "ignored", ""},
		{"an event that nobody knows", func() *http.Request { return delivery("star", "a-1", payload("created", 7, nil)) }, 202, "ignored", ""},
		{"an activity that asks for nothing", func() *http.Request { return delivery("pull_request", "a-1", payload("assigned", 7, nil)) }, 202, "ignored", ""},
		{"a comment of a bot", func() *http.Request {
			by := object{"login": "debate[bot]", "type": "Bot", "id": 3}
			return delivery("issue_comment", "a-1", payload("created", 7, object{"sender": by, "comment": object{"body": "/debate run", "user": by}}))
		}, 202, "ignored", ""},

		{"a GET", func() *http.Request { return httptest.NewRequest(http.MethodGet, "/webhook", nil) }, 405, "deliveries are posted", ""},
		{"a form", func() *http.Request {
			r := delivery("pull_request", "a-1", payload("opened", 7, nil))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			return r
		}, 415, "set the content type of the webhook to application/json", ""},
		{"no signature", func() *http.Request {
			r := delivery("pull_request", "a-1", payload("opened", 7, nil))
			r.Header.Del("X-Hub-Signature-256")
			return r
		}, 401, "the signature is not that of the webhook's secret: compare DEBATE_WEBHOOK_SECRET with the secret on the App's page", ""},
		{"a signature of another body", func() *http.Request {
			r := delivery("pull_request", "a-1", payload("opened", 7, nil))
			r.Header.Set("X-Hub-Signature-256", sign(payload("opened", 8, nil), secret))
			return r
		}, 401, "the signature is not that of the webhook's secret: compare DEBATE_WEBHOOK_SECRET with the secret on the App's page", ""},
		{"no event", func() *http.Request { return delivery("", "a-1", payload("opened", 7, nil)) }, 400, "X-GitHub-Event or X-GitHub-Delivery is missing", ""},
		{"no id", func() *http.Request { return delivery("pull_request", "a b", payload("opened", 7, nil)) }, 400, "X-GitHub-Event or X-GitHub-Delivery is missing", ""},
		{"no JSON", func() *http.Request { return delivery("pull_request", "a-1", []byte("{")) }, 400, "read where the event is from: unexpected end of JSON input", ""},
		{"no installation", func() *http.Request {
			return delivery("pull_request", "a-1", payload("opened", 7, object{"installation": nil}))
		}, 400, "the delivery names no installation or no repository: it is not that of an App", ""},
		{"an installation that has not got the repository", func() *http.Request {
			return delivery("pull_request", "a-1", payload("opened", 7, object{"installation": object{"id": 666}}))
		}, 403, "the repository belongs to another installation", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h, db, woken := newHook(t)
			if err := db.PutInstallation(t.Context(), database.Installation{ID: 375706, Account: "acme", Repos: []database.Repo{shop}}); err != nil {
				t.Fatal(err)
			}
			status, text := answer(h, tt.r())
			if status != tt.status || text != tt.text {
				t.Errorf("answered %d %q, want %d %q", status, text, tt.status, tt.text)
			}
			tasks, err := db.Due(t.Context(), noon.UnixMilli(), 10)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case tt.wants == "" && len(tasks)+*woken != 0:
				t.Errorf("it wants %v, and woke %d times", tasks, *woken)
			case tt.wants != "" && (len(tasks) != 1 || tasks[0].Subject != tt.wants || tasks[0].Repo != shop || *woken != 1):
				t.Errorf("it wants %v, and woke %d times", tasks, *woken)
			}
		})
	}
}

// TestHookTooLarge: a body beyond what GitHub sends is not read to its end.
func TestHookTooLarge(t *testing.T) {
	t.Parallel()
	h, _, _ := newHook(t)
	body := bytes.Repeat([]byte{' '}, event.MaxBytes+1)
	if status, text := answer(h, delivery("pull_request", "a-1", body)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("answered %d %s", status, text)
	}
}

// waiting is a body that stands still before its end.
type waiting struct {
	io.Reader
	came chan<- struct{}
	end  <-chan struct{}
}

func (w waiting) Read(into []byte) (int, error) {
	n, err := w.Reader.Read(into)
	if err == io.EOF {
		w.came <- struct{}{}
		<-w.end
	}
	return n, err
}

// TestHookFull: strangers who send much at once do not fill the memory of the server, and
// once they are gone there is room again.
func TestHookFull(t *testing.T) {
	t.Parallel()
	h, _, _ := newHook(t)
	large := bytes.Repeat([]byte{' '}, event.MaxBytes)
	came, end := make(chan struct{}), make(chan struct{})
	var strangers sync.WaitGroup
	for range 2 {
		r := delivery("pull_request", "a-1", nil)
		r.Body = io.NopCloser(waiting{bytes.NewReader(large), came, end})
		strangers.Go(func() { answer(h, r) })
		<-came
	}
	if status, text := answer(h, delivery("pull_request", "a-1", large)); status != http.StatusServiceUnavailable {
		t.Errorf("answered %d %s", status, text)
	}
	if status, text := answer(h, delivery("pull_request", "a-2", payload("opened", 7, nil))); status != 202 {
		t.Errorf("a small one is answered %d %s", status, text)
	}
	close(end)
	strangers.Wait()
	if status, text := answer(h, delivery("pull_request", "a-1", large)); status != http.StatusBadRequest {
		t.Errorf("later it is answered %d %s", status, text)
	}
}

// TestHookAgain: what is delivered twice is wanted once.
func TestHookAgain(t *testing.T) {
	t.Parallel()
	h, db, woken := newHook(t)
	body := payload("opened", 7, nil)
	for i, id := range []string{"a-1", "a-1", "a-2"} { // the last is the same content under another id
		want := "accepted"
		if i > 0 {
			want = "duplicate"
		}
		if status, text := answer(h, delivery("pull_request", id, body)); status != 202 || text != want {
			t.Errorf("delivery %d: %d %s", i, status, text)
		}
	}
	task, _, err := db.Task(t.Context(), "186853002/pull/7")
	if err != nil || task.Wanted != 1 || *woken != 1 {
		t.Errorf("wanted %d times, woken %d times, %v", task.Wanted, *woken, err)
	}
}

// broken is an inbox whose disk is full.
type broken struct{ bot.Inbox }

func (broken) Accept(context.Context, database.Delivery) (bool, error) {
	return false, errors.New("database or disk is full: /var/lib/debate.db")
}

// TestHookCannotKeep: what was not kept is not answered as if it were, and says nothing of
// this machine.
func TestHookCannotKeep(t *testing.T) {
	t.Parallel()
	h, db, _ := newHook(t)
	h.Inbox = broken{db}
	status, text := answer(h, delivery("pull_request", "a-1", payload("opened", 7, nil)))
	if status != http.StatusServiceUnavailable || text != "it could not be kept: deliver it again" {
		t.Errorf("answered %d %s", status, text)
	}
}

func TestHookInstallations(t *testing.T) {
	t.Parallel()
	h, db, _ := newHook(t)
	tell := func(name, action string, more object) {
		t.Helper()
		o := object{"action": action, "installation": object{"id": 375706, "account": object{"login": "acme"}}}
		for k, v := range more {
			o[k] = v
		}
		body, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		if status, text := answer(h, delivery(name, "a-1", body)); status != 202 || text != "accepted" {
			t.Fatalf("%s %s: %d %s", name, action, status, text)
		}
	}
	names := func() string {
		t.Helper()
		list, err := db.Repositories(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, r := range list {
			all = append(all, r.Owner+"/"+r.Name)
		}
		return strings.Join(all, " ")
	}
	shop, till := object{"id": 1, "full_name": "acme/shop"}, object{"id": 2, "full_name": "acme/till"}
	tell("installation", "created", object{"repositories": []any{shop}})
	if got := names(); got != "acme/shop" {
		t.Errorf("installed for %s", got)
	}
	tell("installation_repositories", "added", object{"repositories_added": []any{till}})
	if got := names(); got != "acme/shop acme/till" {
		t.Errorf("then for %s", got)
	}
	tell("installation_repositories", "removed", object{"repositories_removed": []any{shop}})
	if got := names(); got != "acme/till" {
		t.Errorf("then for %s", got)
	}
	tell("installation", "suspend", object{"installation": object{"id": 375706, "account": object{"login": "acme"}, "suspended_at": "2026-01-02T03:04:05Z"}})
	if got := names(); got != "" {
		t.Errorf("while it is suspended for %s", got)
	}
	tell("installation", "unsuspend", nil)
	if got := names(); got != "acme/till" {
		t.Errorf("after that for %s", got)
	}
	tell("installation", "deleted", nil)
	if got := names(); got != "" {
		t.Errorf("once it is removed for %s", got)
	}
}
