package meter

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// readWithin bounds how long the database is asked for the backlog.
const readWithin = 5 * time.Second

// Backlog is the waiting work in the database.
type Backlog struct {
	Open      int           // subjects, such as pull requests, with something left to do; running ones count
	Oldest    time.Duration // age of the oldest of them, 0 for none
	Parked    int           // given up after repeated failures
	Decisions int           // waiting for a person
	Longest   time.Duration // age of the oldest waiting decision, 0 for none
}

// Handler answers Prometheus. Read reads the backlog; if it fails, the metrics only report
// that the database is down.
func (m *Meter) Handler(read func(context.Context) (Backlog, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, done := context.WithTimeout(r.Context(), readWithin)
		backlog, err := read(ctx)
		done()
		stored := prometheus.NewRegistry()
		stored.MustRegister(reading{backlog, err == nil})
		promhttp.HandlerFor(prometheus.Gatherers{m.registry, stored}, promhttp.HandlerOpts{}).ServeHTTP(w, r)
	})
}

// reading is the state of the database at one moment.
type reading struct {
	Backlog
	up bool
}

// measure is one metric of a reading.
type measure struct {
	name, help string
	value      float64
}

func (r reading) measures() []measure {
	up := measure{"debate_database_up", "1 if the database could be read just now, else 0.", 0}
	if !r.up {
		return []measure{up}
	}
	up.value = 1
	return []measure{
		up,
		{"debate_queue_depth", "Subjects, such as pull requests, with something left to do. Those that are worked on count.", float64(r.Open)},
		{"debate_queue_oldest_age_seconds", "Age of the oldest of them, 0 if there is none.", r.Oldest.Seconds()},
		{"debate_queue_parked", "Subjects that were given up after repeated failures.", float64(r.Parked)},
		{"debate_decisions_open", "Decisions that wait for a person.", float64(r.Decisions)},
		{"debate_decisions_oldest_age_seconds", "For how long the oldest of them waits, 0 if there is none.", r.Longest.Seconds()},
	}
}

// Describe describes nothing: the metrics depend on the reading.
func (r reading) Describe(chan<- *prometheus.Desc) {}

// Collect hands out the metrics.
func (r reading) Collect(to chan<- prometheus.Metric) {
	for _, m := range r.measures() {
		to <- prometheus.MustNewConstMetric(prometheus.NewDesc(m.name, m.help, nil, nil), prometheus.GaugeValue, m.value)
	}
}
