package ghtest

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	deliveryTime = 10 * time.Second // GitHub waits no longer for an answer
	maxReply     = 64 << 10
)

// Delivery is an event as the webhook of an App was told of it.
type Delivery struct {
	ID            int64  // another for each time
	GUID          string // the same when it is delivered again
	Event, Action string
	Payload       []byte
	Header        http.Header
	At            time.Time
	Status        int // of the answer, 0 where nobody answered

	again        bool
	installation int64
	repository   int64
}

// Send tells the App's webhook what happened in a repository, and waits for the answer.
// It stands in the list of deliveries whether anybody answers or not.
func (a *App) Send(r *Repo, kind, action string, h Happening) Delivery {
	return a.SendEvent(r, kind, r.Event(kind, action, h))
}

// SendEvent is Send for an event that Repo.Event wrote before.
func (a *App) SendEvent(r *Repo, kind string, payload []byte) Delivery {
	in := a.installationOf(r)
	if in == nil {
		a.world.failf("no event %s: %s is not installed for %s", kind, a.Slug, r.full())
		return Delivery{}
	}
	var o object
	if err := json.Unmarshal(payload, &o); err != nil {
		a.world.failf("read an event: %v", err)
	}
	o["installation"] = object{"id": in.ID, "node_id": nodeID("I", in.ID)}
	return a.tell(kind, o)
}

func (a *App) installationOf(r *Repo) *Installation {
	defer a.lock()()
	at := slices.IndexFunc(a.installed, func(in *Installation) bool { return in.includes(r) })
	if at < 0 {
		return nil
	}
	return a.installed[at]
}

// Tell tells the App's webhook what became of the installation: kind and action are
// installation created, deleted, suspend, unsuspend or new_permissions_accepted, or
// installation_repositories added or removed, of the repositories.
func (in *Installation) Tell(kind, action string, repos ...*Repo) Delivery {
	unlock := in.app.lock()
	s := in.app.world
	o := object{"action": action, "installation": in.json(), "sender": s.site.user(in.account)}
	list, none := []object{}, []object{}
	for _, r := range repos {
		list = append(list, object{"id": r.ID, "node_id": nodeID("R", r.ID), "name": r.Name, "full_name": r.full(), "private": r.access.private})
	}
	if kind == "installation_repositories" {
		o["repository_selection"], o["requester"] = "selected", nil
		o["repositories_added"], o["repositories_removed"] = list, none
		if action == "removed" {
			o["repositories_added"], o["repositories_removed"] = none, list
		}
	} else {
		o["repositories"] = list
	}
	unlock()
	return in.app.tell(kind, o)
}

// Ping tells the App's webhook that it is there.
func (a *App) Ping() Delivery {
	unlock := a.lock()
	o := object{"zen": "Keep it logically awesome.", "hook_id": a.ID + 1, "hook": object{
		"type": "App", "id": a.ID + 1, "name": "web", "active": true, "events": append([]string{}, a.events...), "app_id": a.ID,
		"config":     object{"content_type": "json", "insecure_ssl": "0", "secret": "********", "url": a.hook},
		"updated_at": stamp(a.made), "created_at": stamp(a.made), "deliveries_url": string(a.world.site) + "/app/hook/deliveries",
	}}
	unlock()
	return a.tell("ping", o)
}

// tell delivers a payload that is as GitHub's.
func (a *App) tell(kind string, o object) Delivery {
	payload, err := json.Marshal(o)
	if err != nil {
		a.world.failf("write an event: %v", err)
	}
	action, _ := o["action"].(string)
	a.world.wire.event(kind, action, payload)
	return a.Post(kind, payload)
}

// Post delivers any payload as an event, one that GitHub would never send too.
func (a *App) Post(kind string, payload []byte) Delivery {
	var told struct{ Action string }
	_ = json.Unmarshal(payload, &told) // what is no JSON has none
	unlock := a.lock()
	serial := a.world.clock.next()
	d := Delivery{
		GUID: fmt.Sprintf("%08x-0000-4000-8000-%012x", serial, serial), Event: kind, Action: told.Action, Payload: payload,
		installation: idIn(payload, "installation"), repository: idIn(payload, "repository"),
	}
	d.Header = a.headers(&d)
	unlock()
	return a.deliver(d)
}

// idIn is the id of an object in a payload, 0 for none.
func idIn(raw []byte, name string) int64 {
	var o map[string]json.RawMessage
	var inner struct{ ID int64 }
	_ = json.Unmarshal(raw, &o) // nothing is set of what is no object
	_ = json.Unmarshal(o[name], &inner)
	return inner.ID
}

// Again delivers something once more: the same under the same GUID.
func (a *App) Again(d Delivery) Delivery {
	d.again = true
	return a.deliver(d)
}

// headers are those of a delivery, with its signature.
func (a *App) headers(d *Delivery) http.Header {
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", "GitHub-Hookshot/ghtest")
	h.Set("X-GitHub-Event", d.Event)
	h.Set("X-GitHub-Delivery", d.GUID)
	h.Set("X-GitHub-Hook-ID", strconv.FormatInt(a.ID+1, 10))
	h.Set("X-GitHub-Hook-Installation-Target-Type", "integration")
	h.Set("X-GitHub-Hook-Installation-Target-ID", strconv.FormatInt(a.ID, 10))
	if a.WebhookSecret != "" {
		h.Set("X-Hub-Signature-256", Sign(a.WebhookSecret, d.Payload))
	}
	return h
}

// Sign is the signature of a payload, as X-Hub-Signature-256 carries it.
func Sign(secret string, payload []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(payload)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// deliver posts a delivery and writes it into the list.
func (a *App) deliver(d Delivery) Delivery {
	unlock := a.lock()
	hook := a.hook
	unlock()
	d.Status = 0
	if hook != hookNowhere {
		d.Status = a.post(hook, d)
	}
	defer a.lock()()
	d.ID, d.At = a.world.clock.next(), a.world.clock.tick()
	a.deliveries = append(a.deliveries, &d)
	return d
}

// post sends a delivery to an address: the status of the answer, 0 for none.
func (a *App) post(hook string, d Delivery) int {
	req, err := http.NewRequest(http.MethodPost, hook, bytes.NewReader(d.Payload))
	if err != nil {
		a.world.failf("deliver to %s: %v", hook, err)
		return 0
	}
	req.Header = d.Header.Clone()
	client := &http.Client{
		Timeout: deliveryTime, Transport: &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	_, _ = io.CopyN(io.Discard, resp.Body, maxReply)
	return resp.StatusCode
}

// Deliveries are all deliveries up to now, oldest first.
func (a *App) Deliveries() []Delivery {
	defer a.lock()()
	var all []Delivery
	for _, d := range a.deliveries {
		all = append(all, *d)
	}
	return all
}

func (d *Delivery) json() object {
	status := strconv.Itoa(d.Status) + " " + http.StatusText(d.Status)
	switch {
	case d.Status == 0:
		status = "failed to connect to host"
	case d.Status < http.StatusBadRequest:
		status = "OK"
	}
	null := func(id int64) any {
		if id == 0 {
			return nil
		}
		return id
	}
	return object{
		"id": d.ID, "guid": d.GUID, "delivered_at": stamp(d.At), "redelivery": d.again, "duration": 0.03, "status": status, "status_code": d.Status,
		"event": d.Event, "action": orNil(d.Action), "installation_id": null(d.installation), "repository_id": null(d.repository), "throttled_at": nil,
	}
}

// listDeliveries pages by a cursor: the newest come first.
func listDeliveries(c *call) (answer, error) {
	newest := slices.Clone(c.app.deliveries)
	slices.Reverse(newest)
	size := min(max(c.number("per_page", 30), 1), 100)
	if cursor := c.query.Get("cursor"); cursor != "" {
		before, err := strconv.ParseInt(strings.TrimPrefix(cursor, "v1_"), 10, 64)
		if err != nil {
			return answer{}, refuse(http.StatusUnprocessableEntity, "Invalid cursor")
		}
		newest = slices.DeleteFunc(newest, func(d *Delivery) bool { return d.ID > before })
	}
	to := min(size, len(newest))
	list := []object{}
	for _, d := range newest[:to] {
		list = append(list, d.json())
	}
	header := map[string]string{}
	if to < len(newest) {
		q := url.Values{"per_page": {itoa(size)}, "cursor": {"v1_" + strconv.FormatInt(newest[to].ID, 10)}}
		header["Link"] = "<" + string(c.world.site) + "/app/hook/deliveries?" + q.Encode() + `>; rel="next"`
	}
	return answer{status: http.StatusOK, value: list, header: header}, nil
}

// getDelivery shows one delivery with what was sent.
func getDelivery(c *call) (answer, error) {
	for _, d := range c.app.deliveries {
		if d.ID != c.id("delivery_id") {
			continue
		}
		o, headers := d.json(), object{}
		for name := range d.Header {
			headers[name] = d.Header.Get(name)
		}
		o["url"] = c.app.hook
		o["request"] = object{"headers": headers, "payload": json.RawMessage(d.Payload)}
		o["response"] = object{"headers": object{}, "payload": ""}
		return ok(o)
	}
	return answer{}, errNotFound
}
