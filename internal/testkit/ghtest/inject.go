package ghtest

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// faults are what goes wrong with requests.
type faults struct {
	hook  func(n int, r *http.Request, asked *Request) Fault // nil: nothing goes wrong
	asked int                                                // requests since the hook was set
	stale staleness
}

// next is what goes wrong with a request.
func (f *faults) next(r *http.Request, asked *Request) Fault {
	if f.hook == nil {
		return Fault{}
	}
	f.asked++
	return f.hook(f.asked, r, asked)
}

// Fault sets what goes wrong from now on: f is asked before each request, n counts
// them from 1. It runs with the server's lock held, so that it must not call the
// server. nil ends all faults; lists are fresh again, too.
func (s *Server) Fault(f func(n int, r *http.Request) Fault) {
	defer s.world.lock()()
	if f == nil {
		s.faults = faults{}
		return
	}
	s.faults.hook, s.faults.asked = func(n int, r *http.Request, _ *Request) Fault { return f(n, r) }, 0
}

// FaultAt lets the n-th request from now on go wrong, counted from 1. A client of
// net/http by itself repeats a GET whose reused connection is cut: that is one more
// request here.
func (s *Server) FaultAt(n int, f Fault) {
	s.Fault(func(at int, _ *http.Request) Fault {
		if at == n {
			return f
		}
		return Fault{}
	})
}

// FaultOn lets the next times requests whose method and path contain a text go
// wrong, e.g. "POST /repos/acme/widgets/pulls/1/reviews" or "/check-runs". For
// GraphQL the path is followed by the name of the operation.
func (s *Server) FaultOn(text string, times int, f Fault) {
	defer s.world.lock()()
	s.faults.hook, s.faults.asked = func(_ int, _ *http.Request, asked *Request) Fault {
		line := asked.Method + " " + asked.Path
		if asked.Path == "/graphql" {
			line += " " + asked.Operation
		}
		if times > 0 && strings.Contains(line, text) {
			times--
			return f
		}
		return Fault{}
	}, 0
}

// takesEffect tells whether the request is handled.
func (f Fault) takesEffect() bool {
	return f.Done || f.Status == 0 && f.GraphError == nil && !f.Cut && !f.Hang
}

// replace is the answer that is sent instead of the right one.
func (f Fault) replace(right answer) answer {
	if f.GraphError != nil {
		problem := object{"message": f.Message}
		if *f.GraphError != "" {
			problem["type"] = *f.GraphError
		}
		return answer{status: http.StatusOK, value: object{"data": nil, "errors": []object{problem}}, header: f.Header}
	}
	if f.Status == 0 {
		return right
	}
	a := refuse(f.Status, f.Message).answer()
	if f.Status >= http.StatusInternalServerError {
		a.text, a.kind = []byte("<html><body>"+f.Message+"</body></html>"), "text/html"
	}
	a.header = f.Header
	return a
}

// send writes an answer, or what the fault makes of it.
func (f Fault) send(w http.ResponseWriter, r *http.Request, a answer, text []byte) {
	switch {
	case f.Hang:
		if f.Hanging != nil {
			f.Hanging()
		}
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case f.Cut:
		panic(http.ErrAbortHandler)
	}
	if f.Slow > 0 {
		timer := time.NewTimer(f.Slow)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
		}
	}
	for key, value := range a.header {
		w.Header().Set(key, value)
	}
	if f.Short {
		w.Header().Set("Content-Length", itoa(len(text)))
		text = text[:len(text)/2]
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(text) // a client that is gone is no failure
	if f.Short {
		if flusher, ok := w.(http.Flusher); ok {
			flusher.Flush()
		}
		panic(http.ErrAbortHandler)
	}
}

// staleness hides what is younger than a moment from some lists.
type staleness struct {
	lists  int   // that are still to be stale
	serial int64 // what has a greater one does not show
}

func (st *staleness) begin(f Fault, serial int64) {
	if f.Stale > 0 {
		*st = staleness{lists: f.Stale, serial: serial}
	}
}

// visible filters what a list shows. All lists of one request are equally stale.
func visible[T interface{ serial() int64 }](c *call, list []T) []T {
	st := c.stale
	if !c.listed && st.lists > 0 {
		st.lists--
		c.horizon = st.serial
	}
	c.listed = true
	if c.horizon == 0 {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(item T) bool { return item.serial() > c.horizon })
}
