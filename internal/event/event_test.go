package event_test

import (
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/prdebate/debate/internal/event"
)

const (
	headSHA = "ec26c3e57ca3a959ca5aad62de7213c562f8c821"
	baseSHA = "f95f852bd8fca8fcc58a9a2d6c842781e32a215e"
)

// object is a JSON object of a payload.
type object = map[string]any

func person(login string, id int, kind string) object {
	return object{"login": login, "id": id, "node_id": "MDQ6VXNlcg==", "type": kind, "site_admin": false}
}

var (
	alice = person("alice", 21031067, "User")
	mona  = person("mona", 583231, "User")
	app   = person("github-actions[bot]", 41898282, "Bot")
)

// base is what every payload carries.
func base(action string, sender object, more object) object {
	p := object{
		"action": action, "sender": sender,
		"repository":   object{"id": 186853002, "full_name": "acme/shop", "private": false, "owner": person("acme", 9, "Organization")},
		"installation": object{"id": 375706}, "organization": object{"login": "acme"}, "enterprise": nil,
	}
	maps.Copy(p, more)
	return p
}

func pullRequest() object {
	return object{
		"number": 2, "state": "open", "title": "\"; touch p; #", "body": nil, "draft": false, "user": alice,
		"head": object{"ref": "changes", "sha": headSHA, "repo": nil}, "base": object{"ref": "main", "sha": baseSHA},
		"labels": []any{object{"id": 1, "name": "bug", "color": "d73a4a"}},
	}
}

func pullEvent(action string, more object) object {
	p := base(action, alice, object{"number": 2, "pull_request": pullRequest()})
	maps.Copy(p, more)
	return p
}

func words(body string, by object) object {
	return object{"id": 492700400, "body": body, "user": by, "author_association": "NONE", "performed_via_github_app": nil}
}

// reply is a comment in a thread that another one opened.
func reply(body string, by object) object {
	c := words(body, by)
	c["in_reply_to_id"] = 492700399
	return c
}

func commentEvent(action, body string, by, sender object, issue object) object {
	return base(action, sender, object{"comment": words(body, by), "issue": issue})
}

var onPull = object{"number": 2, "state": "open", "labels": []any{}, "pull_request": object{"url": "https://api.github.com/repos/acme/shop/pulls/2"}}

const mark = "<!-- debate:decision v1 0123456789abcdef pr=7 id=D0 head=" + headSHA + " mac=- -->"

func decision(label, body string) object {
	labels := []any{}
	if label != "" {
		labels = append(labels, object{"name": label})
	}
	return object{"number": 31, "state": "closed", "state_reason": "completed", "labels": labels, "body": body, "user": app}
}

func issueEvent(action string, sender, issue object, more object) object {
	p := base(action, sender, object{"issue": issue})
	maps.Copy(p, more)
	return p
}

func reviewEvent(action, state, body string, by object) object {
	return base(action, by, object{
		"review":       object{"id": 237895671, "state": state, "body": body, "user": by, "commit_id": headSHA},
		"pull_request": pullRequest(),
	})
}

func checkEvent(action, external string) object {
	return base(action, mona, object{"check_run": object{"id": 4, "name": "debate", "external_id": external}})
}

func pullTrigger(name, activity string) event.Trigger {
	return event.Trigger{Event: name, Action: activity, Number: 2}
}

func TestReadEvent(t *testing.T) {
	t.Parallel()
	group := object{"merge_group": object{"head_sha": headSHA, "base_sha": baseSHA, "head_ref": "refs/heads/gh-readonly-queue/main/pr-2-" + baseSHA, "base_ref": "refs/heads/main"}}
	cases := []struct {
		name, event string
		payload     object
		dispatched  int
		want        event.Trigger
		ignored     string // part of the reason
	}{
		{name: "opened", event: "pull_request", payload: pullEvent("opened", nil), want: pullTrigger("pull_request", "opened")},
		{name: "pushed, target", event: "pull_request_target", payload: pullEvent("synchronize", object{"before": baseSHA, "after": headSHA}),
			want: pullTrigger("pull_request_target", "synchronize")},
		{name: "closed", event: "pull_request", payload: pullEvent("closed", nil), want: pullTrigger("pull_request", "closed")},
		{name: "draft again", event: "pull_request", payload: pullEvent("converted_to_draft", nil), want: pullTrigger("pull_request", "converted_to_draft")},
		{name: "opened by a bot", event: "pull_request", payload: pullEvent("opened", object{"sender": person("dependabot[bot]", 49699333, "Bot")}),
			want: pullTrigger("pull_request", "opened")},
		{name: "a repository with properties", event: "pull_request", payload: pullEvent("opened", object{"repository": object{
			"full_name": "acme/shop", "custom_properties": object{"teams": []any{"shop", "web"}, "tier": "1"},
		}}), want: pullTrigger("pull_request", "opened")},
		{name: "other base", event: "pull_request", payload: pullEvent("edited", object{"changes": object{"base": object{"ref": object{"from": "old"}}}}),
			want: pullTrigger("pull_request", "edited")},
		{name: "other title", event: "pull_request", payload: pullEvent("edited", object{"changes": object{"title": object{"from": "old"}}}), ignored: "base branch"},
		{name: "no-debate", event: "pull_request", payload: pullEvent("labeled", object{"label": object{"name": "no-debate"}}), want: pullTrigger("pull_request", "labeled")},
		{name: "no-debate off", event: "pull_request", payload: pullEvent("unlabeled", object{"label": object{"name": "no-debate"}}), want: pullTrigger("pull_request", "unlabeled")},
		{name: "another label", event: "pull_request", payload: pullEvent("labeled", object{"label": object{"name": "bug"}}), ignored: "label"},
		{name: "a removed label", event: "pull_request", payload: pullEvent("labeled", nil), ignored: "label"},
		{name: "assigned", event: "pull_request", payload: pullEvent("assigned", nil), ignored: "assigned"},

		{name: "command", event: "issue_comment", payload: commentEvent("created", "/debate run", mona, mona, onPull),
			want: event.Trigger{Event: "issue_comment", Action: "created", Number: 2}},
		{name: "command in capitals", event: "issue_comment", payload: commentEvent("created", "/DEBATE", mona, mona, onPull),
			want: event.Trigger{Event: "issue_comment", Action: "created", Number: 2}},
		{name: "command on a decision", event: "issue_comment", payload: commentEvent("created", "/debate decide D0 keep", mona, mona, decision("awaiting_human", "x\n"+mark)),
			want: event.Trigger{Event: "issue_comment", Action: "created", Number: 7, Issue: 31}},
		{name: "command on another issue", event: "issue_comment", payload: commentEvent("created", "/debate run", mona, mona, decision("bug", "")), ignored: "no decision"},
		{name: "edited into a command", event: "issue_comment", payload: commentEvent("edited", "/debate run", mona, mona, onPull), ignored: "edited"},
		{name: "deleted", event: "issue_comment", payload: commentEvent("deleted", "/debate run", mona, mona, onPull), ignored: "deleted"},
		{name: "words", event: "issue_comment", payload: commentEvent("created", "I like debates", mona, mona, onPull), ignored: "no command"},
		{name: "our own words", event: "issue_comment", payload: commentEvent("created", "/debate run", app, app, onPull), ignored: "bot"},
		{name: "an app without its type", event: "issue_comment", payload: commentEvent("created", "/debate run", person("x[bot]", 5, "User"), person("x[bot]", 5, "User"), onPull), ignored: "bot"},
		{name: "sent for another", event: "issue_comment", payload: commentEvent("created", "/debate run", mona, alice, onPull), ignored: "did not send"},

		{name: "approved", event: "pull_request_review", payload: reviewEvent("submitted", "approved", "", mona),
			want: pullTrigger("pull_request_review", "submitted")},
		{name: "changes requested", event: "pull_request_review", payload: reviewEvent("submitted", "changes_requested", "no", mona),
			want: pullTrigger("pull_request_review", "submitted")},
		{name: "review dismissed", event: "pull_request_review", payload: reviewEvent("dismissed", "dismissed", "", mona),
			want: pullTrigger("pull_request_review", "dismissed")},
		{name: "review with words", event: "pull_request_review", payload: reviewEvent("submitted", "commented", "fine", mona), ignored: "neither"},
		{name: "review with a command", event: "pull_request_review", payload: reviewEvent("submitted", "commented", "/debate run", mona), ignored: "neither"},
		{name: "review of a bot", event: "pull_request_review", payload: reviewEvent("submitted", "approved", "", app), ignored: "bot"},
		{name: "review edited", event: "pull_request_review", payload: reviewEvent("edited", "approved", "", mona), ignored: "edited"},

		{name: "reply in a thread", event: "pull_request_review_comment", payload: base("created", mona, object{"comment": words("/debate dispute it is checked above", mona), "pull_request": pullRequest()}),
			want: pullTrigger("pull_request_review_comment", "created")},
		{name: "a mention in a thread", event: "pull_request_review_comment", payload: base("created", mona, object{"comment": reply("@arbiter please", mona), "pull_request": pullRequest()}),
			want: pullTrigger("pull_request_review_comment", "created")},
		{name: "a question in a thread", event: "pull_request_review_comment", payload: base("created", mona, object{"comment": reply("why?", mona), "pull_request": pullRequest()}),
			want: pullTrigger("pull_request_review_comment", "created")},
		{name: "a question of a bot", event: "pull_request_review_comment", payload: base("created", app, object{"comment": reply("why?", app), "pull_request": pullRequest()}), ignored: "bot"},
		{name: "words in a thread", event: "pull_request_review_comment", payload: base("created", mona, object{"comment": reply("Fixed.", mona), "pull_request": pullRequest()}), ignored: "no command"},
		{name: "a mention outside of threads", event: "issue_comment", payload: commentEvent("created", "@debate-bot why?", mona, mona, onPull), ignored: "no command"},
		{name: "a question that opens a thread", event: "pull_request_review_comment", payload: base("created", mona, object{"comment": words("@arbiter why?", mona), "pull_request": pullRequest()}), ignored: "no command"},

		{name: "decision closed", event: "issues", payload: issueEvent("closed", mona, decision("awaiting_human", mark), nil),
			want: event.Trigger{Event: "issues", Action: "closed", Number: 7, Issue: 31}},
		{name: "decision closed, label lost", event: "issues", payload: issueEvent("closed", mona, decision("", mark), nil),
			want: event.Trigger{Event: "issues", Action: "closed", Number: 7, Issue: 31}},
		{name: "decision closed, text lost", event: "issues", payload: issueEvent("closed", mona, decision("awaiting_human", ""), nil),
			want: event.Trigger{Event: "issues", Action: "closed", Issue: 31}},
		{name: "closed by a bot", event: "issues", payload: issueEvent("closed", person("stale[bot]", 26384082, "Bot"), decision("awaiting_human", mark), nil),
			want: event.Trigger{Event: "issues", Action: "closed", Number: 7, Issue: 31}},
		{name: "reopened", event: "issues", payload: issueEvent("reopened", mona, decision("human_decided", mark), nil),
			want: event.Trigger{Event: "issues", Action: "reopened", Number: 7, Issue: 31}},
		{name: "deleted issue", event: "issues", payload: issueEvent("deleted", mona, decision("human_decided", mark), nil),
			want: event.Trigger{Event: "issues", Action: "deleted", Number: 7, Issue: 31}},
		{name: "transferred", event: "issues", payload: issueEvent("transferred", mona, decision("awaiting_human", mark), object{"changes": object{"new_issue": object{"number": 1}}}),
			want: event.Trigger{Event: "issues", Action: "transferred", Number: 7, Issue: 31}},
		{name: "label taken off", event: "issues", payload: issueEvent("unlabeled", mona, decision("", ""), object{"label": object{"name": "awaiting_human"}}),
			want: event.Trigger{Event: "issues", Action: "unlabeled", Issue: 31}},
		{name: "we edit", event: "issues", payload: issueEvent("edited", app, decision("awaiting_human", mark), nil), ignored: "bot"},
		{name: "opened issue", event: "issues", payload: issueEvent("opened", app, decision("awaiting_human", mark), nil), ignored: "opened"},
		{name: "any issue", event: "issues", payload: issueEvent("closed", mona, decision("bug", "no marker"), nil), ignored: "no decision"},
		{name: "pull request as issue", event: "issues", payload: issueEvent("closed", mona, onPull, nil), ignored: "pull request"},

		{name: "queue", event: "merge_group", payload: base("checks_requested", mona, group),
			want: event.Trigger{Event: "merge_group", Action: "checks_requested", QueueHead: headSHA, QueueBase: baseSHA, QueueRef: "refs/heads/main"}},
		{name: "queue gone", event: "merge_group", payload: base("destroyed", mona, group), ignored: "gone"},
		{name: "our check again", event: "check_run", payload: checkEvent("rerequested", "pr-7/debate-20260102-030405-7~f95f852b"),
			want: event.Trigger{Event: "check_run", Action: "rerequested", Number: 7}},
		{name: "a check that ended", event: "check_run", payload: checkEvent("completed", "pr-7/debate-20260102-030405-7"), ignored: "completed"},
		{name: "a check of somebody else", event: "check_run", payload: checkEvent("rerequested", "build 7"), ignored: "no pull request"},
		{name: "schedule", event: "schedule", payload: object{"schedule": "17 * * * *"}, want: event.Trigger{Event: "schedule", Sweep: true}},
		{name: "dispatched", event: "workflow_dispatch", payload: object{"inputs": object{"pull-request": "12"}, "ref": "refs/heads/main", "repository": object{"full_name": "acme/shop"}, "sender": mona}, dispatched: 12,
			want: event.Trigger{Event: "workflow_dispatch", Number: 12}},
		{name: "dispatched sweep", event: "workflow_dispatch", payload: object{"inputs": nil, "sender": mona}, want: event.Trigger{Event: "workflow_dispatch", Sweep: true}},
		{name: "push", event: "push", payload: object{"ref": "refs/heads/main"}, ignored: "push"},
		{name: "workflow_run", event: "workflow_run", payload: base("completed", mona, nil), ignored: "workflow_run"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			data, err := json.Marshal(c.payload)
			if err != nil {
				t.Fatal(err)
			}
			got, err := event.Read(c.event, data, "Acme/shop", c.dispatched)
			var ignored *event.Ignored
			if c.ignored != "" {
				if !errors.As(err, &ignored) || !strings.Contains(ignored.Why, c.ignored) {
					t.Fatalf("Read = %+v, %v; want it ignored for %q", got, err, c.ignored)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("trigger differs (-want +got):\n%s", diff)
			}
		})
	}
}

// TestReadRefuses: what GitHub never sends is an error, not a guess.
func TestReadRefuses(t *testing.T) {
	t.Parallel()
	with := func(path string, value any) object {
		p := pullEvent("opened", nil)
		at := p
		keys := strings.Split(path, ".")
		for _, key := range keys[:len(keys)-1] {
			at = at[key].(object)
		}
		at[keys[len(keys)-1]] = value
		return p
	}
	cases := []struct {
		name, event string
		payload     any
		dispatched  int
		want        string
	}{
		{"no JSON", "pull_request", json.RawMessage(`"`), 0, "its payload is no JSON: unexpected end"},
		{"a list", "pull_request", []any{}, 0, "read the event pull_request: its payload is no object but of type array, which GitHub does not send"},
		{"a check of too large a number", "check_run", checkEvent("rerequested", "pr-9999999999/x"), 0, "names no pull request"},
		{"two objects", "pull_request", json.RawMessage(`{} {}`), 0, "after top-level"},
		{"another repository", "pull_request", with("repository.full_name", "evil/shop"), 0, "of repository"},
		{"no number", "pull_request", with("pull_request.number", 0), 0, "no pull request"},
		{"negative number", "pull_request", with("pull_request.number", -3), 0, "no pull request"},
		{"huge number", "pull_request", with("pull_request.number", 1<<40), 0, "no pull request"},
		{"a word for a number", "pull_request", with("pull_request.number", "2"), 0, "read the event pull_request: pull_request.number in its payload is of type string, which GitHub does not send"},
		{"a dispatch by push", "pull_request", pullEvent("opened", nil), 4, "workflow_dispatch"},
		{"an empty queue", "merge_group", base("checks_requested", mona, nil), 0, "no commits"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			data, isRaw := c.payload.(json.RawMessage)
			if !isRaw {
				var err error
				if data, err = json.Marshal(c.payload); err != nil {
					t.Fatal(err)
				}
			}
			got, err := event.Read(c.event, data, "acme/shop", c.dispatched)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("ReadEvent = %+v, %v; want an error with %q", got, err, c.want)
			}
		})
	}
}

// FuzzRead: whatever the payload, a trigger that comes out of it names
// something that exists on GitHub, and a comment of a bot never triggers.
func FuzzRead(f *testing.F) {
	names := []string{"pull_request", "pull_request_target", "issue_comment", "pull_request_review", "pull_request_review_comment", "issues", "merge_group", "schedule", "workflow_dispatch", "check_run"}
	seeds := []object{
		pullEvent("opened", nil), commentEvent("created", "/debate", mona, mona, onPull), commentEvent("created", "/debate", app, app, onPull),
		issueEvent("closed", mona, decision("awaiting_human", mark), nil), reviewEvent("submitted", "approved", "", mona),
	}
	for i := range names {
		for _, s := range seeds {
			data, err := json.Marshal(s)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(i), data)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		name := names[int(which)%len(names)]
		got, err := event.Read(name, data, "acme/shop", 0)
		if err != nil {
			if diff := cmp.Diff(event.Trigger{}, got); diff != "" {
				t.Fatalf("an error with a trigger: %s", diff)
			}
			return
		}
		if got.Number < 0 || got.Issue < 0 || got.Number > 1<<31 || got.Issue > 1<<31 {
			t.Fatalf("numbers out of range: %+v", got)
		}
		if !got.Sweep && got.Number == 0 && got.Issue == 0 && got.QueueHead == "" {
			t.Fatalf("a trigger of nothing: %+v", got)
		}
		if strings.HasSuffix(name, "_comment") && !asks(t, data) {
			t.Fatalf("a comment that asks for nothing: %+v", got)
		}
		for _, s := range []string{got.QueueHead, got.QueueBase} {
			if s != "" && len(s) != 40 && len(s) != 64 {
				t.Fatalf("no commit: %q", s)
			}
		}
	})
}

// asks reports whether the comment of a payload holds a command, or may be a question in a
// thread, and is a person's.
func asks(t *testing.T, data []byte) bool {
	var p struct {
		Sender  struct{ Type string }
		Comment struct {
			Body    string
			ReplyTo int64 `json:"in_reply_to_id"`
		}
	}
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatal(err)
	}
	talks := p.Comment.ReplyTo != 0 && strings.ContainsAny(p.Comment.Body, "?@")
	return p.Sender.Type != "Bot" && (talks || strings.Contains(strings.ToLower(p.Comment.Body), "/debate"))
}
