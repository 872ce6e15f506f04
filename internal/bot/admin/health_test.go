package admin

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/admintest"
)

func TestReady(t *testing.T) {
	t.Parallel()
	works := func(context.Context) error { return nil }
	for name, c := range map[string]struct {
		checks []Check
		code   int
		says   string

		warning string
	}{
		"ready":    {[]Check{{"the database", works}, {"the job queue", works}}, 200, "ready\n", ""},
		"no key":   {[]Check{{"the database", works}}, 200, "ready\nwarning: no API key is set\n", "no API key is set"},
		"database": {[]Check{{"the database", func(context.Context) error { return admintest.ErrDown }}, {"the job queue", works}}, 503, "not ready: the database: the disk is full\n", ""},
		"queue":    {[]Check{{"the database", works}, {"the job queue", func(context.Context) error { return errors.New("it is stopping") }}}, 503, "not ready: the job queue: it is stopping\n", ""},
		"secrets": {[]Check{{"the database", func(context.Context) error {
			return errors.New("dial postgres://bob:" + secret + "@db\n\x1b[31mrefused")
		}}}, 503, "not ready: the database: dial postgres://bob:[redacted]@db<U+000A><U+001B>[31mrefused\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(&admintest.Database{})
			o.Ready, o.Warning = c.checks, c.warning
			if w := get(New(o), "/readyz"); w.Code != c.code || w.Body.String() != c.says {
				t.Errorf("%d %q", w.Code, w.Body)
			}
		})
	}
}

// TestReadyIsBounded: a check that hangs is told to stop.
func TestReadyIsBounded(t *testing.T) {
	t.Parallel()
	o := options(&admintest.Database{})
	o.Ready = []Check{{"the database", func(ctx context.Context) error {
		if _, bounded := ctx.Deadline(); !bounded {
			return errors.New("waits for ever")
		}
		return nil
	}}}
	if w := get(New(o), "/readyz"); w.Code != 200 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestAlive(t *testing.T) {
	t.Parallel()
	db := sample(t)
	db.Break(admintest.ErrDown)
	d := New(options(db))
	if w := get(d, "/healthz"); w.Code != 200 || w.Body.String() != "alive\n" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(d, request("POST", "/healthz", nil)); w.Code != 405 {
		t.Errorf("POST: %d", w.Code)
	}
}

func TestMetricsHoldTheBacklog(t *testing.T) {
	t.Parallel()
	db := sample(t)
	d := New(options(db))
	body := get(d, "/metrics").Body.String()
	for _, want := range []string{
		"debate_queue_depth 4", "debate_queue_oldest_age_seconds 240", "debate_queue_parked 2", "debate_decisions_open 3", "debate_decisions_oldest_age_seconds 259200", "debate_database_up 1",
	} {
		if !strings.Contains(body, "\n"+want+"\n") {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	for _, name := range []string{"acme", "bob", "shop", "legacy_ref"} {
		if strings.Contains(body, name) {
			t.Errorf("the metrics name %s", name)
		}
	}
	db.Break(admintest.ErrDown)
	if body := get(d, "/metrics").Body.String(); !strings.Contains(body, "\ndebate_database_up 0\n") || strings.Contains(body, "debate_queue_depth") {
		t.Error(body)
	}
}
