// Package meter counts the server's work, for Prometheus. Callers report events as they
// happen; the state of the database is read for each request:
//
//	webhook ── Delivery ─┐
//	worker ─── Job ──────┤
//	           Review ───┼──> Meter ── Handler ──> /metrics
//	models ─── Call ─────┤                 ↑
//	GitHub ─── Budget ───┘            Backlog, from the database
//
// No label holds the name of a repository or a person, or text from outside. Each label has
// a bounded number of values, so outsiders cannot fill the memory of the server or of
// Prometheus.
package meter

import (
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// Bounds of the labels without a list in this file.
const (
	MaxModels        = 40   // more models count together, as "other"
	MaxInstallations = 1000 // later ones have no budget metric
)

// other is the label of unlisted values.
const other = "other"

// DeliveryResult is the result of a webhook delivery.
type DeliveryResult string

// The results of a delivery.
const (
	Accepted  DeliveryResult = "accepted"  // kept, and a job follows
	Duplicate DeliveryResult = "duplicate" // it was here before
	Ignored   DeliveryResult = "ignored"   // it asks for nothing
	Refused   DeliveryResult = "refused"   // its signature or its form is wrong
	Failed    DeliveryResult = "failed"    // it could not be kept
)

// JobResult is how a job ended.
type JobResult string

// The results of a job.
const (
	Done    JobResult = "done"
	Retried JobResult = "retried" // it failed and is tried again later
	Parked  JobResult = "parked"  // it failed for the last time
	Cut     JobResult = "cut"     // the server stopped meanwhile; it runs again
)

// The known values of labels. Unknown ones count as other.
var (
	events = []string{
		"check_run", "check_suite", "github_app_authorization", "installation", "installation_repositories", "installation_target", "issue_comment", "issues", "merge_group",
		"ping", "pull_request", "pull_request_review", "pull_request_review_comment", "pull_request_review_thread", "push",
	}
	deliveryResults = []DeliveryResult{Accepted, Duplicate, Ignored, Refused, Failed}
	jobResults      = []JobResult{Done, Retried, Parked, Cut}
	outcomes        = []debate.Outcome{debate.Consensus, debate.Tradeoff, debate.Unchallenged, debate.DegradedLocal, debate.Skipped, debate.Superseded, debate.Aborted}
	resources       = []string{"core", "graphql", "search"}
)

var modelName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,79}$`)

// Meter counts. Its methods are safe for concurrent use.
type Meter struct {
	registry   *prometheus.Registry
	deliveries *prometheus.CounterVec
	answers    prometheus.Histogram
	jobs       *prometheus.CounterVec
	durations  prometheus.Histogram
	reviews    *prometheus.CounterVec
	calls      *prometheus.CounterVec
	tokens     *prometheus.CounterVec
	cost       *prometheus.CounterVec
	unpriced   *prometheus.CounterVec
	budget     *prometheus.GaugeVec

	mu            sync.Mutex
	models        map[string]bool
	installations map[int64]bool
}

// New returns a meter for a version of the program.
func New(version string) *Meter {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := &Meter{
		registry:   prometheus.NewRegistry(),
		deliveries: counter("debate_deliveries_total", "Deliveries of webhooks, by event and by what became of them.", "event", "result"),
		answers: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "debate_delivery_duration_seconds", Help: "Time from a delivery to its answer; it is kept by then.",
			Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}),
		jobs: counter("debate_jobs_total", "Jobs that ended, by how they did.", "result"),
		durations: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "debate_job_duration_seconds", Help: "Time that a job ran.",
			Buckets: []float64{.5, 1, 5, 15, 30, 60, 120, 300, 600, 1200, 3600},
		}),
		reviews:  counter("debate_reviews_total", "Reviews that ended, by outcome.", "outcome"),
		calls:    counter("debate_model_calls_total", "Calls of models, by model and result.", "model", "result"),
		tokens:   counter("debate_model_tokens_total", "Tokens sent to models and written by them. Those of the kind cached are part of those of the kind input.", "model", "kind"),
		cost:     counter("debate_model_cost_dollars_total", "What calls of models cost, in US dollars, as far as prices are known.", "model"),
		unpriced: counter("debate_model_unpriced_calls_total", "Calls of models of which no price is known.", "model"),
		budget: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "debate_github_requests_remaining", Help: "Requests that GitHub still answers before its limit resets, by installation and kind of request.",
		}, []string{"installation", "resource"}),
		models:        map[string]bool{},
		installations: map[int64]bool{},
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{Name: "debate_build_info", Help: "1, with the version of the program.", ConstLabels: prometheus.Labels{"version": version}})
	info.Set(1)
	m.registry.MustRegister(m.deliveries, m.answers, m.jobs, m.durations, m.reviews, m.calls, m.tokens, m.cost, m.unpriced, m.budget, info,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, result := range jobResults { // from the start, so that the first failure shows as a rise
		m.jobs.WithLabelValues(string(result))
	}
	for _, outcome := range outcomes {
		m.reviews.WithLabelValues(string(outcome))
	}
	return m
}

// Delivery counts a delivery of an event, such as "pull_request", answered after this time.
func (m *Meter) Delivery(event string, result DeliveryResult, took time.Duration) {
	m.deliveries.WithLabelValues(listed(events, event), listed(deliveryResults, result)).Inc()
	m.answers.Observe(took.Seconds())
}

// Job counts an ended job and its time.
func (m *Meter) Job(result JobResult, took time.Duration) {
	m.jobs.WithLabelValues(listed(jobResults, result)).Inc()
	m.durations.Observe(took.Seconds())
}

// Review counts an ended review.
func (m *Meter) Review(outcome debate.Outcome) {
	m.reviews.WithLabelValues(listed(outcomes, outcome)).Inc()
}

// Call counts a call of a model and its usage. Answered is false for a failed call; it may
// have a cost too.
func (m *Meter) Call(model string, answered bool, used debate.Usage) {
	model = m.model(model)
	result := "ok"
	if !answered {
		result = "failed"
	}
	m.calls.WithLabelValues(model, result).Inc()
	for _, kind := range []struct {
		name string
		n    int
	}{{"input", used.TokensIn}, {"cached", used.TokensCached}, {"output", used.TokensOut}} {
		m.tokens.WithLabelValues(model, kind.name).Add(float64(max(kind.n, 0)))
	}
	m.cost.WithLabelValues(model).Add(float64(max(used.CostMicro, 0)) / 1e6)
	if used.CostUnknown {
		m.unpriced.WithLabelValues(model).Inc()
	}
}

// Budget keeps how many requests of a kind, such as "core", GitHub still answers an
// installation.
func (m *Meter) Budget(installation int64, resource string, left int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.installations[installation] && len(m.installations) >= MaxInstallations {
		return
	}
	m.installations[installation] = true
	m.budget.WithLabelValues(strconv.FormatInt(installation, 10), listed(resources, resource)).Set(float64(left))
}

// model is the label of a model. Repositories may choose models, so the name can be
// anything, and there can be many.
func (m *Meter) model(name string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.models[name] {
		return name
	}
	if len(m.models) >= MaxModels || !modelName().MatchString(name) {
		return other
	}
	m.models[name] = true
	return name
}

// listed is a value as a label, if it is one of a list.
func listed[T ~string](list []T, value T) string {
	if slices.Contains(list, value) {
		return string(value)
	}
	return other
}
