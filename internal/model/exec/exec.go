// Package exec asks a command of the operator: the provider exec.
//
// The command is started once for each call, without a shell. It gets one JSON
// object on standard input,
//
//	{"schema_version": 1, "system": "...", "packet": "...", "turn": {...}}
//
// where turn is the JSON object of the turn itself, not text that holds one. A further
// turn, after it asked to see something, has a text "looked" beside them. Where an
// operator lets it read files of the repository, "files" says where they are. It
// writes its reply to standard output and ends with status 0. What it writes to
// standard error is shown only where it fails.
//
// A command speaks to models about hostile text and may be an agent that reads
// settings where it runs. So it gets a directory of its own, which is its home too
// and empty but for those files, and a few variables of the environment, none of which holds a key
// unless the operator names one.
package exec

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/process"
)

// Options say which command is asked, and how.
type Options struct {
	Command []string // the program and its arguments
	// Keys names the variables of the environment that the command gets beside
	// the usual ones. Their values are taken out of everything it says.
	Keys []string
	// Getenv reads the environment that the usual variables come from.
	Getenv func(name string) string
}

// Client asks one command. It is not changed by use.
type Client struct {
	path string // absolute
	args []string
	env  []string
	keys []string // values
}

// New looks the command up. One that cannot be run is a *model.Error of class
// debate.CallNotFound.
func New(o Options) (*Client, error) {
	if len(o.Command) == 0 {
		return nil, &model.Error{Class: debate.CallNotFound, Detail: "no command is configured"}
	}
	path, err := process.Resolve(o.Command[0])
	if err != nil {
		return nil, err
	}
	c := &Client{path: path, args: o.Command[1:], env: process.Usual(o.Getenv)}
	for _, name := range o.Keys {
		if value := o.Getenv(name); value != "" {
			c.env = append(c.env, name+"="+value)
			c.keys = append(c.keys, value)
		}
	}
	return c, nil
}

// Ask runs the command once. It has the time that ctx leaves. The cost of a
// command is unknown.
func (c *Client) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	input, err := encode(req)
	if err != nil {
		return model.Response{}, &model.Error{Class: debate.CallError, Detail: "the request cannot be written", Err: err}
	}
	dir, err := os.MkdirTemp("", "debate-exec-")
	if err != nil {
		return model.Response{}, &model.Error{Class: debate.CallError, Detail: "no directory for the command", Err: err}
	}
	defer os.RemoveAll(dir)
	if err := process.LayOut(dir, req.Files); err != nil {
		return model.Response{}, &model.Error{Class: debate.CallError, Detail: "no directory for the command", Err: err}
	}
	result, err := process.Run(ctx, process.Command{
		Path: c.path, Args: c.args, Dir: dir, Env: slices.Concat(process.Home(dir), process.Temporary(dir), c.env),
		Input: input, Most: model.MaxReply, Keys: c.keys,
	})
	switch {
	case err != nil:
		return model.Response{}, err
	case result.Exit != "":
		return model.Response{}, result.Failure()
	}
	return model.Response{Text: process.Redact(result.Stdout, c.keys), Usage: debate.Usage{CostUnknown: true}}, nil
}

// encode writes the request on one line.
func encode(req model.Request) ([]byte, error) {
	if !strings.HasPrefix(req.Turn, "{") || !json.Valid([]byte(req.Turn)) {
		return nil, errors.New("the turn is no JSON object")
	}
	note := ""
	if len(req.Files) > 0 {
		note = model.FilesNote
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		SchemaVersion int             `json:"schema_version"`
		System        string          `json:"system"`
		Packet        string          `json:"packet"`
		Turn          json.RawMessage `json:"turn"`
		Looked        string          `json:"looked,omitempty"`
		Files         string          `json:"files,omitempty"`
	}{req.SchemaVersion, req.System, req.Packet, json.RawMessage(req.Turn), req.Looked, note})
	return b.Bytes(), err
}
