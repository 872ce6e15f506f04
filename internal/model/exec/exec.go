// Package exec asks a command of the operator: the provider exec.
//
// It starts the command once for each call, without a shell. The command gets one JSON
// object on standard input,
//
//	{"schema_version": 1, "system": "...", "packet": "...", "turn": {...}}
//
// with the turn as a JSON object, not as text. A further turn, after the command asked to look
// at something, also has a text "looked". If the operator lets it read files of the
// repository, "files" is their directory. The command writes its reply to standard output and
// ends with status 0. Its standard error is shown only if it fails.
//
// A command sends hostile text to models and may be an agent with settings in its working
// directory. So it gets its own directory, which is also its home, and is empty apart
// from those files. It gets a few variables of the environment, and keys only if the
// operator names them.
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

// Client asks one command. It is not changed by use.
type Client struct {
	path string // absolute
	args []string
	env  []string
	key  string // "": it gets none
}

// New finds the command. Of the options it uses Command, KeyName and Getenv: the command gets
// this key, which is removed from all its output. If it cannot run, the error is a *model.Error
// of class debate.CallNotFound.
func New(o model.Options) (*Client, error) {
	if len(o.Command) == 0 {
		return nil, &model.Error{Class: debate.CallNotFound, Detail: "no command is configured"}
	}
	path, err := process.Resolve(o.Command[0])
	if err != nil {
		return nil, err
	}
	c := &Client{path: path, args: o.Command[1:], env: process.Usual(o.Getenv)}
	if c.key = o.Getenv(o.KeyName); c.key != "" {
		c.env = append(c.env, o.KeyName+"="+c.key)
	}
	return c, nil
}

// Ask runs the command once, until ctx ends. The cost is unknown.
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
		Input: input, Most: model.MaxReply, Keys: []string{c.key},
	})
	switch {
	case err != nil:
		return model.Response{}, err
	case result.Exit != "":
		return model.Response{}, result.Failure()
	}
	return model.Response{Text: model.Redactor(c.key).Replace(result.Stdout), Usage: debate.Usage{CostUnknown: true}}, nil
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
