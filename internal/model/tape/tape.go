// Package tape keeps the answers of models in a file, and plays them back. A recorded debate
// runs again from its tape without a key and without a network: people can report a problem,
// and try changed prompts with real answers.
//
// A tape is JSON Lines: a header, then one answer a line, in the order of their arrival. An
// answer is found by the id of its ask, with any prompt.
package tape

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// SchemaVersion of the file.
const SchemaVersion = 1

const (
	maxLine    = 8 * model.MaxReply // bytes of one line: JSON takes up to six for one
	maxAnswers = 10_000
)

// Tape records answers, or plays them.
type Tape struct {
	mu      sync.Mutex
	file    io.Writer // nil while it plays, and once it is closed
	redact  func(string) string
	answers map[string]answer // nil while it records
	played  map[string]bool   // answered asks
	parties map[string]bool
	about   About
}

// header is the first line of a tape.
type header struct {
	Tape    string `json:"tape"`
	Version int    `json:"schema_version"`
	About
}

// About describes the answers of a tape, as far as the recording did.
type About struct {
	Change    string            `json:"change,omitempty"`         // hash of the change
	Models    map[string]string `json:"models,omitempty"`         // by party
	MostMicro int64             `json:"max_cost_micro,omitempty"` // limit of the debate, in millionths of a US dollar
	Scripted  bool              `json:"scripted,omitempty"`       // a person wrote the answers, no model gave them
}

// answer is one line of a tape.
type answer struct {
	Ask       string            `json:"ask"`
	Party     string            `json:"party"`
	Class     debate.CallStatus `json:"class"`
	Detail    string            `json:"detail,omitempty"`
	Text      string            `json:"text,omitempty"`
	RequestID string            `json:"request_id,omitempty"`
	Usage     debate.Usage      `json:"usage"`
}

// FormatError is a file that is no tape, or a tape of another version.
type FormatError struct {
	Line int
	Why  string
}

func (e *FormatError) Error() string { return fmt.Sprintf("tape, line %d: %s", e.Line, e.Why) }

// Open plays the tape at a path, or records a new one if there is no file. redact is applied
// to everything recorded.
func Open(path string, redact func(string) string) (*Tape, error) {
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Record(path, redact, About{})
	case err != nil:
		return nil, fmt.Errorf("open the tape: %w", err)
	}
	defer f.Close()
	return Read(f)
}

// Read plays the tape of a reader, perhaps from strangers.
func Read(r io.Reader) (*Tape, error) {
	t := Of(nil)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 0
	for lines.Scan() {
		n++
		why := ""
		if n == 1 {
			var h header
			switch err := json.Unmarshal(lines.Bytes(), &h); {
			case err != nil, h.Tape != "debate":
				why = "this is no tape of debate"
			case h.Version != SchemaVersion:
				why = fmt.Sprintf("schema version %d, this is version %d", h.Version, SchemaVersion)
			}
			t.about = h.About
		} else {
			why = t.add(lines.Bytes())
		}
		if why != "" {
			return t, &FormatError{Line: n, Why: why}
		}
	}
	switch err := lines.Err(); {
	case err != nil:
		return t, &FormatError{Line: n + 1, Why: err.Error()}
	case n == 0:
		return t, &FormatError{Line: 1, Why: "the file is empty"}
	}
	return t, nil
}

// Continue records on a tape in memory, which is empty or holds earlier answers. redact is
// applied to everything recorded.
func Continue(b *bytes.Buffer, redact func(string) string) (*Tape, error) {
	t := &Tape{file: b, redact: redact}
	if b.Len() > 0 {
		return t, nil
	}
	return t, t.write(header{Tape: "debate", Version: SchemaVersion})
}

// Of plays JSON replies by the ids of their asks. Each id ends with the asked party.
func Of(replies map[string]json.RawMessage) *Tape {
	t := &Tape{answers: make(map[string]answer), played: make(map[string]bool), parties: make(map[string]bool)}
	for ask, reply := range replies {
		party := ask[strings.LastIndex(ask, "/")+1:]
		t.answers[ask] = answer{Ask: ask, Party: party, Class: debate.CallOK, Text: string(reply)}
		t.parties[party] = true
	}
	return t
}

// Record records a new tape. It leaves an existing file as it is, with the error fs.ErrExist.
// redact is applied to everything recorded.
func Record(path string, redact func(string) string, about About) (*Tape, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("make the tape: %w", err)
	}
	t := &Tape{file: f, redact: redact, about: about}
	if err := t.write(header{Tape: "debate", Version: SchemaVersion, About: about}); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return t, nil
}

// add adds the answer of a line, or returns the reason why it cannot.
func (t *Tape) add(line []byte) string {
	var a answer
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&a); err != nil || a.Ask == "" {
		return "this is no answer"
	}
	if _, twice := t.answers[a.Ask]; twice || len(t.answers) >= maxAnswers {
		return "the ask " + a.Ask + " is answered twice, or there are too many"
	}
	t.answers[a.Ask] = a
	t.parties[a.Party] = true
	return ""
}

// Plays reports whether answers come from the tape.
func (t *Tape) Plays() bool { return t.answers != nil }

// About describes the answers.
func (t *Tape) About() About { return t.about }

// Parties returns the parties with answers on the tape, sorted.
func (t *Tape) Parties() []string { return slices.Sorted(maps.Keys(t.parties)) }

// Has reports whether the tape holds an answer of a party.
func (t *Tape) Has(party string) bool { return t.parties[party] }

// Client puts the tape between the engine and the client of a party. While it plays, it never
// asks the client, which may be nil.
func (t *Tape) Client(party string, live model.Client) model.Client {
	if t.Plays() {
		return player{t}
	}
	return recorder{t, party, live}
}

// Unplayed returns an ask of the tape that was not made, "" if all were.
func (t *Tape) Unplayed() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, ask := range slices.Sorted(maps.Keys(t.answers)) {
		if !t.played[ask] {
			return ask
		}
	}
	return ""
}

// Close ends the recording. A call that comes back later is not on the tape.
func (t *Tape) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	file, isFile := t.file.(io.Closer)
	t.file = nil
	if !isFile {
		return nil
	}
	return file.Close()
}

func (t *Tape) write(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write the tape: %w", err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file == nil {
		return errors.New("write the tape: it is closed")
	}
	if _, err := t.file.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write the tape: %w", err)
	}
	return nil
}

type recorder struct {
	tape  *Tape
	party string
	live  model.Client
}

// Ask asks the model and records the answer, unless the call was canceled: an interrupted
// debate asks again. It returns the answer as the tape will play it.
func (r recorder) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	resp, err := r.live.Ask(ctx, req)
	if errors.Is(err, context.Canceled) {
		return resp, err
	}
	resp.Text, resp.RequestID = spelled(r.tape.redact(resp.Text)), r.tape.redact(resp.RequestID)
	a := answer{Ask: req.Ask, Party: r.party, Class: debate.CallOK, Text: resp.Text, RequestID: resp.RequestID, Usage: resp.Usage}
	if failure := model.Classify(err); failure != nil {
		a.Class, a.Detail = failure.Class, spelled(r.tape.redact(failure.Error()))
		err = &model.Error{Class: a.Class, Detail: a.Detail}
	}
	if broken := r.tape.write(a); broken != nil {
		return model.Response{}, broken
	}
	return resp, err
}

// spelled returns a text as JSON gives it back.
func spelled(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

type player struct{ tape *Tape }

// Ask returns the recorded answer to the ask.
func (p player) Ask(_ context.Context, req model.Request) (model.Response, error) {
	p.tape.mu.Lock()
	a, ok := p.tape.answers[req.Ask]
	p.tape.played[req.Ask] = ok
	p.tape.mu.Unlock()
	switch {
	case !ok:
		return model.Response{}, &model.Error{Class: debate.CallNotFound, Detail: "the tape has no answer to " + req.Ask}
	case a.Class != debate.CallOK:
		return model.Response{Text: a.Text, Usage: a.Usage}, &model.Error{Class: a.Class, Detail: a.Detail}
	}
	return model.Response{Text: a.Text, Usage: a.Usage, RequestID: a.RequestID}, nil
}
