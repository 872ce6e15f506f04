package gh

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/go-github/v62/github"
)

const (
	maxDeliveryPages = 20              // 2,000 deliveries
	lateDelivery     = 2 * time.Minute // a delivery may enter the list this much later
)

// Delivery is an entry of the App's list of deliveries. GitHub makes one for each event
// while the App's webhook is active, whether anybody took it or not, and keeps it some
// days.
type Delivery struct {
	ID                       int64  // of the entry; a redelivery has another
	GUID                     string // of the delivery
	Event, Action            string
	At                       time.Time
	Installation, Repository int64 // 0 for none
}

// Deliveries lists the deliveries since a moment, oldest first. It starts two minutes
// earlier, because entries may appear late. Whole is false if there are more than 2,000
// and the oldest are missing.
func (a *App) Deliveries(ctx context.Context, since time.Time) (list []Delivery, whole bool, err error) {
	since = since.Add(-lateDelivery)
	options := &github.ListCursorOptions{PerPage: perPage}
	for range maxDeliveryPages {
		part, err := send(ctx, a.sender, request{what: "list the deliveries of the App"}, func(ctx context.Context, api api) ([]*github.HookDelivery, *github.Response, error) {
			part, resp, err := api.Apps.ListHookDeliveries(ctx, options)
			if err == nil {
				options.Cursor = resp.Cursor
			}
			return part, resp, a.refused(err)
		})
		if err != nil {
			return nil, false, err
		}
		for _, d := range part {
			if d.GetDeliveredAt().Before(since) {
				slices.Reverse(list)
				return list, true, nil
			}
			list = append(list, Delivery{
				ID: d.GetID(), GUID: d.GetGUID(), Event: d.GetEvent(), Action: d.GetAction(), At: d.GetDeliveredAt().Time,
				Installation: d.GetInstallationID(), Repository: d.GetRepositoryID(),
			})
		}
		if options.Cursor == "" {
			slices.Reverse(list)
			return list, true, nil
		}
	}
	slices.Reverse(list)
	return list, false, nil
}

// Payload reads the payload of a Delivery by its ID. It carries no signature and needs
// none: the App fetches it from GitHub itself.
func (a *App) Payload(ctx context.Context, id int64) ([]byte, error) {
	what := fmt.Sprintf("read delivery %d of the App", id)
	d, err := send(ctx, a.sender, request{what: what}, func(ctx context.Context, api api) (*github.HookDelivery, *github.Response, error) {
		d, resp, err := api.Apps.GetHookDelivery(ctx, id)
		return d, resp, a.refused(err)
	})
	if err != nil {
		return nil, err
	}
	if d.Request == nil || d.Request.RawPayload == nil {
		return nil, &UnavailableError{What: what, Err: errors.New("the answer holds no payload")}
	}
	return *d.Request.RawPayload, nil
}
