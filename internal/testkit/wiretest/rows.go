package wiretest

import (
	"net/http"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// Row is an answer of a provider, and what a call makes of it.
type Row struct {
	answer     http.HandlerFunc
	class      debate.CallStatus
	says, text string
	requests   int
}

// When is a row: the call fails with a class, "" if it does not, and with these words. It
// keeps this text of the reply, and takes so many requests.
func When(answer http.HandlerFunc, class debate.CallStatus, says, text string, requests int) Row {
	return Row{answer, class, says, text, requests}
}

// Refused plays answers that cost nothing.
func Refused(t *testing.T, ask func(*Server) (model.Response, error), rows []Row) {
	t.Helper()
	play(t, ask, rows, true)
}

// Billed plays answers that cost something, known or not.
func Billed(t *testing.T, ask func(*Server) (model.Response, error), rows []Row) {
	t.Helper()
	play(t, ask, rows, false)
}

func play(t *testing.T, ask func(*Server) (model.Response, error), rows []Row, free bool) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.says, func(t *testing.T) {
			t.Parallel()
			s := New(t, row.answer)
			got, err := ask(s)
			if row.class == "" && err != nil {
				t.Error(err)
			}
			if row.class != "" {
				if e := Failed(t, err, row.class, row.says); len(e.Detail) > 1000 {
					t.Errorf("the detail has %d bytes", len(e.Detail))
				}
			}
			if got.Text != row.text {
				t.Errorf("%d bytes are kept, %.40q, want %.40q", len(got.Text), got.Text, row.text)
			}
			if n := len(s.Requests()); n != row.requests {
				t.Errorf("%d requests", n)
			}
			if isFree := got.Usage == (debate.Usage{}); isFree != free {
				t.Errorf("it costs %+v", got.Usage)
			}
		})
	}
}

// Elsewhere sends the caller to another place, which may not be reached.
func Elsewhere(t *testing.T) http.HandlerFunc {
	t.Helper()
	decoy := New(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("another host got %v", r.Header) })
	return func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, decoy.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}
}
