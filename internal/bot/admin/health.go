package admin

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/prdebate/debate/internal/bot/meter"
)

// readyWithin bounds how long the checks of readiness take together.
const readyWithin = 5 * time.Second

// reads reports whether a request only reads; it refuses others.
func reads(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	http.Error(w, "only GET", http.StatusMethodNotAllowed)
	return false
}

// ready reports whether the server can take work. Anyone may ask, such as a load balancer.
// Only people with access to the pages get the reasons and warnings, such as a missing key.
func (d *Dashboard) ready(w http.ResponseWriter, r *http.Request, tellWhy bool) {
	if !reads(w, r) {
		return
	}
	ctx, done := context.WithTimeout(r.Context(), readyWithin)
	defer done()
	for _, check := range d.Ready {
		err := check.Run(ctx)
		switch {
		case err != nil && tellWhy:
			plain(w, http.StatusServiceUnavailable, fmt.Sprintf("not ready: %s: %s", check.Name, d.reason(err)))
			return
		case err != nil:
			plain(w, http.StatusServiceUnavailable, "not ready")
			return
		}
	}
	text := "ready"
	if d.Warning != "" && tellWhy {
		text += "\nwarning: " + d.Warning
	}
	plain(w, http.StatusOK, text)
}

func plain(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintln(w, line)
}

// backlog returns the waiting work for the metrics.
func (d *Dashboard) backlog(ctx context.Context) (meter.Backlog, error) {
	b, err := d.Database.Backlog(ctx)
	if err != nil {
		return meter.Backlog{}, fmt.Errorf("read the backlog: %w", err)
	}
	age := func(since int64) time.Duration {
		if since == 0 {
			return 0
		}
		return max(0, d.Now().Sub(time.UnixMilli(since)))
	}
	return meter.Backlog{Open: b.Open, Oldest: age(b.Since), Parked: b.Parked, Decisions: b.Decisions, Longest: age(b.AskedAt)}, nil
}
