package bot

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"github.com/prdebate/debate/internal/gh"
	"github.com/prdebate/debate/internal/store/database"
)

// PollEvery is the interval for reading the App's delivery list, if GitHub cannot reach the
// server.
const PollEvery = 20 * time.Second

const (
	pollName = "polled"       // setting: up to when the list was read, Unix milliseconds
	pollBack = 72 * time.Hour // GitHub keeps deliveries for about three days
)

// Deliveries is GitHub's list of the App's deliveries.
type Deliveries interface {
	// Deliveries lists the deliveries since a time, the oldest first, and some earlier
	// ones; whole is false if there are more.
	Deliveries(ctx context.Context, since time.Time) (list []gh.Delivery, whole bool, err error)
	Payload(ctx context.Context, id int64) ([]byte, error)
}

// Poller reads deliveries if GitHub cannot reach this server. A sweep replaces missed ones.
type Poller struct {
	GitHub Deliveries
	Kept   *database.DB
	Hook   *Hook
	Now    func() time.Time
	Log    *slog.Logger

	read map[string]bool // deliveries in the list of the last poll, by GUID
}

// Poll stores the deliveries since the last poll.
func (p *Poller) Poll(ctx context.Context) error {
	began := p.Now()
	since := began.Add(-pollBack)
	text, err := p.Kept.Setting(ctx, pollName)
	if err != nil {
		return err
	}
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
		since = later(since, time.UnixMilli(ms))
	}
	list, whole, err := p.GitHub.Deliveries(ctx, since)
	if err != nil {
		return err
	}
	if !whole {
		p.Log.WarnContext(ctx, "more was delivered than is read at once; the sweep makes up for it")
	}
	read := make(map[string]bool, len(list))
	for _, d := range list {
		if !p.read[d.GUID] {
			if err := p.keep(ctx, d); err != nil {
				return err
			}
		}
		read[d.GUID] = true
	}
	p.read = read // the next list may begin with them
	return p.Kept.SetSetting(ctx, pollName, strconv.FormatInt(began.UnixMilli(), 10))
}

func (p *Poller) keep(ctx context.Context, d gh.Delivery) error {
	known, err := p.Kept.Delivered(ctx, d.GUID)
	if err != nil || known {
		return err
	}
	body, err := p.GitHub.Payload(ctx, d.ID)
	if err != nil {
		return err
	}
	result, err := p.Hook.Keep(ctx, d.Event, d.GUID, body)
	var refused *refusal
	if errors.As(err, &refused) { // it would be refused every time
		p.Log.WarnContext(ctx, "delivery refused", "delivery", d.GUID, "why", refused.why)
		return nil
	}
	p.Hook.Meter.Delivery(d.Event, result, 0)
	return err
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
