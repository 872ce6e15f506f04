package ghtest

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// WireVariable names the environment variable with a folder: what any server
// answers is written there, one exchange a line.
const WireVariable = "DEBATE_WIRE_DIR"

// Exchange is a request with its answer, for a check against the published
// descriptions of GitHub's interfaces.
type Exchange struct {
	Method   string            `json:"method"`
	Template string            `json:"template"`         // of the path; "/graphql"
	Params   map[string]string `json:"params,omitempty"` // of the template
	Path     string            `json:"path"`
	Query    string            `json:"query,omitempty"`
	Accept   string            `json:"accept,omitempty"`
	Request  string            `json:"request,omitempty"`
	Status   int               `json:"status"`
	Header   map[string]string `json:"header"`
	Response string            `json:"response,omitempty"`
}

// wire writes exchanges down.
type wire struct {
	mu   sync.Mutex
	file string // "" writes nothing
}

func newWire() *wire {
	w := &wire{}
	if dir := os.Getenv(WireVariable); dir != "" {
		w.file = filepath.Join(dir, "wire-"+itoa(os.Getpid())+".jsonl")
	}
	return w
}

func (w *wire) record(r *http.Request, route *route, params map[string]string, path string, body []byte, a answer, text []byte) {
	if route == nil || route.open {
		return
	}
	w.write(Exchange{
		Method: r.Method, Template: strings.ReplaceAll(route.path, "...}", "}"), Params: params, Path: path, Query: r.URL.RawQuery, Accept: r.Header.Get("Accept"), Request: string(body),
		Status: a.status, Header: a.header, Response: string(text),
	})
}

// event writes the payload of an event down as an answer with the method EVENT.
func (w *wire) event(kind, action string, payload []byte) {
	w.write(Exchange{Method: "EVENT", Template: strings.Trim(kind+"/"+action, "/"), Response: string(payload)})
}

func (w *wire) write(e Exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file == "" {
		return
	}
	line, err := json.Marshal(e)
	if err != nil {
		panic(err) // texts and numbers only
	}
	f, err := os.OpenFile(w.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err) // the folder was given to be written to
	}
	_, _ = f.Write(append(line, '\n'))
	_ = f.Close()
}
