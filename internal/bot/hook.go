package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prdebate/debate/internal/bot/journal"
	"github.com/prdebate/debate/internal/bot/meter"
	"github.com/prdebate/debate/internal/bot/spans"
	"github.com/prdebate/debate/internal/event"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/store/database"
)

// answerWithin bounds how long a delivery waits for the database. GitHub gives up after
// ten seconds.
const answerWithin = 8 * time.Second

// Inbox stores deliveries.
type Inbox interface {
	// Accept stores a delivery and its task. Both are durable when it returns; fresh is
	// false for a known delivery.
	Accept(ctx context.Context, d database.Delivery) (fresh bool, err error)
	// Owner returns the known installation of a repository, 0 for none.
	Owner(ctx context.Context, repository int64) (installation int64, err error)
	Tenants
}

// Hook answers the webhook of the App.
type Hook struct {
	Inbox   Inbox
	Secrets [][]byte // each may have signed a delivery
	Meter   *meter.Meter
	Wake    func() // wakes the dispatcher
	Now     func() time.Time
	Log     *slog.Logger
	Spans   *spans.Tracer // may be nil

	held atomic.Int64 // bytes of all bodies in memory
}

// The headers of a delivery from GitHub have these forms.
var (
	deliveryID = lazyregexp.New(`^[A-Za-z0-9-]{1,64}$`)
	eventName  = lazyregexp.New(`^[a-z_]{1,64}$`)
)

// refusal is the answer to a refused delivery.
type refusal struct {
	status int
	why    string
}

func (r *refusal) Error() string { return r.why }

// ServeHTTP keeps one delivery and answers it.
func (h *Hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := h.Now()
	ctx, cancel := context.WithTimeout(r.Context(), answerWithin)
	defer cancel()
	name := r.Header.Get("X-GitHub-Event")
	result, err := h.take(ctx, w, r)
	var refused *refusal
	switch {
	case errors.As(err, &refused):
		h.Log.WarnContext(ctx, "delivery refused", "why", refused.why, "status", refused.status)
		http.Error(w, refused.why, refused.status)
	case err != nil:
		h.Log.ErrorContext(ctx, "delivery not kept", "error", err.Error())
		http.Error(w, "it could not be kept: deliver it again", http.StatusServiceUnavailable)
	default:
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, string(result)+"\n") // the client may be gone
	}
	h.Meter.Delivery(name, became(result, err), h.Now().Sub(began))
}

// became returns the result for the metrics, also after an error.
func became(result meter.DeliveryResult, err error) meter.DeliveryResult {
	switch {
	case errors.As(err, new(*refusal)):
		return meter.Refused
	case err != nil:
		return meter.Failed
	}
	return result
}

// take verifies a delivery and keeps it.
func (h *Hook) take(ctx context.Context, w http.ResponseWriter, r *http.Request) (result meter.DeliveryResult, err error) {
	reader := &body{from: http.MaxBytesReader(w, r.Body, event.MaxBytes), held: &h.held}
	defer func() { h.held.Add(-reader.bytes) }()
	body, err := h.verified(w, r, reader)
	if err != nil {
		return "", err
	}
	name, id := r.Header.Get("X-GitHub-Event"), r.Header.Get("X-GitHub-Delivery")
	if !eventName().MatchString(name) || !deliveryID().MatchString(id) {
		return "", &refusal{http.StatusBadRequest, "X-GitHub-Event or X-GitHub-Delivery is missing"}
	}
	return h.Keep(journal.Delivery(ctx, id), name, id, body)
}

// verified returns the body of a request with GitHub's signature. It parses nothing before.
func (h *Hook) verified(w http.ResponseWriter, r *http.Request, from io.Reader) ([]byte, error) {
	switch {
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		return nil, &refusal{http.StatusMethodNotAllowed, "deliveries are posted"}
	case !event.IsJSON(r.Header.Get("Content-Type")):
		return nil, &refusal{http.StatusUnsupportedMediaType, "set the content type of the webhook to application/json"}
	}
	body, err := io.ReadAll(from)
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		return nil, &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("a delivery has at most %d bytes", event.MaxBytes)}
	case errors.Is(err, errFull):
		return nil, &refusal{http.StatusServiceUnavailable, err.Error() + ": deliver it again"}
	case err != nil:
		return nil, &refusal{http.StatusBadRequest, "the body could not be read"}
	}
	if err := event.Verify(r.Header.Get("X-Hub-Signature-256"), body, h.Secrets); err != nil {
		return nil, &refusal{http.StatusUnauthorized, err.Error() + ": compare DEBATE_WEBHOOK_SECRET with the secret on the App's page"}
	}
	return body, nil
}

// Keep stores an authentic delivery and returns the result.
func (h *Hook) Keep(ctx context.Context, name, id string, body []byte) (meter.DeliveryResult, error) {
	ctx, span := h.Spans.Delivery(ctx, name, id)
	result, err := h.keep(ctx, span, name, id, body)
	came := string(became(result, err))
	span.Text("debate.delivery.result", came)
	if err == nil {
		came = "" // no kind of error
	}
	span.End(came)
	return result, err
}

func (h *Hook) keep(ctx context.Context, span *spans.Span, name, id string, body []byte) (meter.DeliveryResult, error) {
	if slices.Contains([]string{"installation", "installation_repositories"}, name) {
		return h.install(ctx, name, body)
	}
	origin, err := event.ReadOrigin(body)
	if err != nil {
		return "", &refusal{http.StatusBadRequest, err.Error()}
	}
	trigger, err := event.Read(name, body, "", 0)
	switch {
	case errors.As(err, new(*event.Ignored)):
		return meter.Ignored, nil
	case err != nil:
		return "", &refusal{http.StatusBadRequest, err.Error()}
	case trigger.Sweep, trigger.Number == 0 && trigger.QueueHead == "":
		return meter.Ignored, nil
	}
	repo, err := h.repository(ctx, origin)
	if err != nil {
		return "", err
	}
	span.Repository(repo.Owner, repo.Name)
	sum := sha256.Sum256(append([]byte(name+"\n"), body...))
	fresh, err := h.Inbox.Accept(ctx, database.Delivery{
		ID: id, Event: name, Content: hex.EncodeToString(sum[:]), At: h.Now().UnixMilli(), Repo: repo, Trigger: trigger, Trace: spans.Parent(ctx),
	})
	switch {
	case err != nil:
		return "", err
	case !fresh:
		return meter.Duplicate, nil
	}
	h.Log.InfoContext(ctx, "delivery kept", "event", name, "activity", trigger.Action, "subject", database.Subject(repo, trigger))
	h.Wake()
	return meter.Accepted, nil
}

// repository returns the repository of an event. It refuses one of another installation: the
// token of one installation must not be used for another.
func (h *Hook) repository(ctx context.Context, o event.Origin) (database.Repo, error) {
	r := database.Repo{Installation: o.Installation, ID: o.Repository.ID, Owner: o.Repository.Owner, Name: o.Repository.Name}
	if r.Installation == 0 || r.ID == 0 || r.Owner == "" || r.Name == "" {
		return r, &refusal{http.StatusBadRequest, "the delivery names no installation or no repository: it is not that of an App"}
	}
	owner, err := h.Inbox.Owner(ctx, r.ID)
	if err == nil && owner != 0 && owner != r.Installation {
		err = &refusal{http.StatusForbidden, "the repository belongs to another installation"}
	}
	return r, err
}

// install stores a change of an installation.
func (h *Hook) install(ctx context.Context, name string, body []byte) (meter.DeliveryResult, error) {
	change, err := event.ReadInstalled(name, body)
	switch {
	case errors.As(err, new(*event.Ignored)):
		return meter.Ignored, nil
	case err != nil:
		return "", &refusal{http.StatusBadRequest, err.Error()}
	case change.ID == 0:
		return "", &refusal{http.StatusBadRequest, "the delivery names no installation"}
	}
	if err := keepChange(ctx, h.Inbox, change); err != nil {
		return "", err
	}
	h.Log.InfoContext(ctx, "installation changed", "installation", change.ID, "gone", change.Gone, "suspended", change.Suspended,
		"added", len(change.Added), "removed", len(change.Removed))
	return meter.Accepted, nil
}

// maxHeld bounds the memory for all deliveries being read, in bytes: anyone can send one,
// and its signature is checked only at its end. GitHub's own have some kilobytes.
const maxHeld = 64 << 20

// errFull ends a body if there is no room for it.
var errFull = errors.New("too much is being delivered at once")

// body counts a body while it is read; the hook subtracts it at the end.
type body struct {
	from  io.Reader
	held  *atomic.Int64 // bytes of all bodies in memory
	bytes int64
}

// Read reads on, unless there is no room for more.
func (b *body) Read(into []byte) (int, error) {
	n, err := b.from.Read(into)
	b.bytes += int64(n)
	if b.held.Add(int64(n)) > maxHeld {
		return n, errFull
	}
	return n, err
}
