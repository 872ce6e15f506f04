package event_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/event"
)

// signature is how GitHub signs a body.
func signature(kind string, of func() hash.Hash, secret, body string) string {
	mac := hmac.New(of, []byte(secret))
	mac.Write([]byte(body))
	return kind + "=" + hex.EncodeToString(mac.Sum(nil))
}

func TestVerify(t *testing.T) {
	t.Parallel()
	const body = `{"zen": "Design for failure."}`
	good := signature("sha256", sha256.New, "new", body)
	tests := []struct {
		name, signature, body string
		secrets               []string
		ok                    bool
	}{
		{"the secret", good, body, []string{"new"}, true},
		{"one of two secrets", good, body, []string{"old", "new"}, true},
		{"another secret", good, body, []string{"old"}, false},
		{"no secret at all", good, body, nil, false},
		{"an empty secret", signature("sha256", sha256.New, "", body), body, []string{""}, false},
		{"a changed byte", good, body + " ", []string{"new"}, false},
		{"no signature", "", body, []string{"new"}, false},
		{"a short one", good[:20], body, []string{"new"}, false},
		{"the older kind", signature("sha1", sha1.New, "new", body), body, []string{"new"}, false},
		{"another kind", "md5=00", body, []string{"new"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var secrets [][]byte
			for _, s := range tt.secrets {
				secrets = append(secrets, []byte(s))
			}
			if err := event.Verify(tt.signature, []byte(tt.body), secrets); tt.ok != (err == nil) || !tt.ok && !errors.Is(err, event.ErrSignature) {
				t.Errorf("Verify = %v", err)
			}
		})
	}
}

func TestIsJSON(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]bool{
		"application/json": true, "application/json; charset=utf-8": true, "application/x-www-form-urlencoded": false, "text/plain": false, "": false,
	} {
		if got := event.IsJSON(kind); got != want {
			t.Errorf("IsJSON(%q) = %v", kind, got)
		}
	}
}

func TestReadOrigin(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal(pullEvent("opened", nil))
	if err != nil {
		t.Fatal(err)
	}
	got, err := event.ReadOrigin(data)
	want := event.Origin{Installation: 375706, Repository: event.Repository{ID: 186853002, Owner: "acme", Name: "shop"}}
	if err != nil || got != want {
		t.Errorf("ReadOrigin = %+v, %v", got, err)
	}
	if _, err := event.ReadOrigin([]byte("[]")); err == nil {
		t.Error("a list is no event")
	}
}

func TestReadInstalled(t *testing.T) {
	t.Parallel()
	shop, till := object{"id": 1, "name": "shop", "full_name": "acme/shop"}, object{"id": 2, "name": "till", "full_name": "acme/till"}
	of := func(suspended any) object {
		return object{"id": 7, "account": object{"login": "acme", "type": "Organization"}, "suspended_at": suspended}
	}
	ours := event.Installed{ID: 7, Account: "acme"}
	with := func(change func(i *event.Installed)) event.Installed {
		i := ours
		change(&i)
		return i
	}
	tests := []struct {
		name, event string
		payload     object
		want        event.Installed
		ignored     bool
	}{
		{"installed", "installation", object{"action": "created", "installation": of(nil), "repositories": []any{shop, till}},
			with(func(i *event.Installed) {
				i.Added = []event.Repository{{ID: 1, Owner: "acme", Name: "shop"}, {ID: 2, Owner: "acme", Name: "till"}}
			}), false},
		{"removed", "installation", object{"action": "deleted", "installation": of(nil), "repositories": []any{shop}}, with(func(i *event.Installed) { i.Gone = true }), false},
		{"suspended", "installation", object{"action": "suspend", "installation": of("2026-01-02T03:04:05Z")}, with(func(i *event.Installed) { i.Suspended = true }), false},
		{"back", "installation", object{"action": "unsuspend", "installation": of(nil)}, ours, false},
		{"something new", "installation", object{"action": "painted", "installation": of(nil)}, event.Installed{}, true},
		{"other repositories", "installation_repositories", object{"action": "added", "installation": of(nil), "repositories_added": []any{till}, "repositories_removed": []any{shop}},
			with(func(i *event.Installed) {
				i.Added, i.Removed = []event.Repository{{ID: 2, Owner: "acme", Name: "till"}}, []event.Repository{{ID: 1, Owner: "acme", Name: "shop"}}
			}), false},
		{"another event", "star", object{"action": "created"}, event.Installed{}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data, err := json.Marshal(tt.payload)
			if err != nil {
				t.Fatal(err)
			}
			got, err := event.ReadInstalled(tt.event, data)
			var ignored *event.Ignored
			if errors.As(err, &ignored) != tt.ignored || !tt.ignored && err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
