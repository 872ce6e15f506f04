// Package agent asks the command-line agents of providers: codex, claude, gemini-cli and qwen.
// Each agent has a file with its command line and its output format. The agent acts as a
// model only: its tools, hooks, updates and statistics are off.
//
// An agent reads settings, instructions and keys at many places, some of them in the
// directories above. So each call gets a clean room: an empty working directory, a home
// with nothing but our settings, a few variables of the environment, and one key, the
// model's. There is no repository in it, and nothing of the pull request but the prompt
// on standard input.
//
// If the operator allows it, the agent finds files of the repository below its working
// directory. It obeys none of them, and has tools that only read there.
package agent

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/process"
)

const (
	maxOutput = 8 << 20  // bytes of an agent's standard output: a reply, escaped and repeated
	maxNotes  = 64 << 10 // bytes of its standard error: some report their errors there, after much else
	longest   = 10 * time.Minute
)

// Client asks one agent.
type Client struct {
	tool     tool
	path     string
	model    string
	effort   string
	key      string
	base     string
	env      []string
	prices   model.Prices
	noEffort atomic.Bool // the model refused it
}

// tool describes one agent.
type tool struct {
	program  string // its command
	key      string // the variable for its key
	mentions bool   // an at sign in a prompt makes it read files
	reads    bool   // it has tools that only read files of its working directory
	start    func(call) (start, error)
	read     func(process.Result) (reading, *model.Error)
}

// call is the task of an agent.
type call struct {
	room   *process.Room
	system string // the file with the rules of conduct
	model  string
	effort string // "": unsaid
	base   string // "": the agent's provider
	files  bool   // there are files for it to read
	left   time.Duration
}

// start is the command line of an agent, without the key.
type start struct {
	args []string
	env  []string
}

// reading is the result of a call in the agent's own words.
type reading struct {
	text   string
	spent  []spent
	cost   int64 // millionths of a dollar, by the agent's own account
	priced bool  // it knows the cost
}

// spent is the use of one model in a call. An agent may use others than the one it was asked
// for.
type spent struct {
	model  string
	tokens model.Tokens
}

// tools are the agents by their names.
var tools = map[string]tool{
	"codex":      {program: "codex", key: "CODEX_API_KEY", start: startCodex, read: readCodex},
	"claude":     {program: "claude", key: "ANTHROPIC_API_KEY", reads: true, start: startClaude, read: readClaude},
	"gemini-cli": {program: "gemini", key: "GEMINI_API_KEY", mentions: true, reads: true, start: startGemini, read: readGemini},
	"qwen":       {program: "qwen", key: "OPENAI_API_KEY", mentions: true, start: startQwen, read: readQwen},
}

// New finds an agent: codex, claude, gemini-cli or qwen. It uses the model, key, base URL,
// effort, prices and environment. Errors are a *model.Error: of class debate.CallNotFound
// without the agent's command, a model or a usable address, and of class debate.CallAuth
// without a key.
func New(agent string, o model.Options) (*Client, error) {
	t, known := tools[agent]
	if !known {
		return nil, &model.Error{Class: debate.CallNotFound, Detail: process.Line("there is no agent " + agent)}
	}
	c := &Client{tool: t, model: o.Model, effort: o.Effort, key: o.Key, base: o.BaseURL, env: process.Usual(o.Getenv), prices: o.Prices}
	if file := o.Getenv("SSL_CERT_FILE"); file != "" {
		c.env = append(c.env, "NODE_EXTRA_CA_CERTS="+file) // the name of this variable for Node, under which most agents run
	}
	var err error
	if c.path, err = process.Resolve(t.program); err != nil {
		return nil, err
	}
	if err := model.Check("the agent "+agent, o); err != nil {
		return nil, err
	}
	switch {
	case strings.HasPrefix(c.model, "-"):
		return nil, &model.Error{Class: debate.CallNotFound, Detail: "the model of the agent " + agent + " begins like an option"}
	case c.key == "": // though there is a base URL
		return nil, &model.Error{Class: debate.CallAuth, Detail: "there is no key for the agent " + agent}
	case c.base == "" && agent == "qwen":
		// The default depends on the environment, and the key could reach the wrong provider.
		return nil, &model.Error{Class: debate.CallNotFound, Detail: "the agent qwen needs a base URL: it speaks to any server like OpenAI's"}
	}
	return c, nil
}

// Ask runs the agent once, until ctx ends, else for ten minutes. An agent retries by itself, a
// few times. If the model refuses an effort, Ask asks again without one and remembers that.
func (c *Client) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	effort := c.effort
	if c.noEffort.Load() {
		effort = ""
	}
	response, err := c.once(ctx, req, effort)
	if err == nil || effort == "" {
		return response, err
	}
	failure := model.Classify(err)
	if failure.Class == debate.CallError && strings.Contains(failure.Detail, " 400 ") && strings.Contains(failure.Detail, "effort") {
		c.noEffort.Store(true)
		return c.once(ctx, req, "")
	}
	return response, err
}

// once runs the agent in its own room.
func (c *Client) once(ctx context.Context, req model.Request, effort string) (model.Response, error) {
	room, err := process.NewRoom()
	if err != nil {
		return model.Response{}, &model.Error{Class: debate.CallError, Detail: "no room for the agent", Err: err}
	}
	defer room.Close()
	system, err := room.Write("system.md", req.System)
	if err != nil {
		return model.Response{}, &model.Error{Class: debate.CallError, Detail: "the room for the agent", Err: err}
	}
	if !c.tool.reads {
		req.Files = nil
	}
	if err := process.LayOut(room.Work, req.Files); err != nil {
		return model.Response{}, &model.Error{Class: debate.CallError, Detail: "the room for the agent", Err: err}
	}
	deadline, _ := ctx.Deadline()
	begin, err := c.tool.start(call{
		room: room, system: system, model: c.model, effort: effort, base: c.base, files: len(req.Files) > 0, left: time.Until(deadline),
	})
	if err != nil {
		return model.Response{}, &model.Error{Class: debate.CallError, Detail: "the room for the agent", Err: err}
	}
	result, err := process.Run(ctx, process.Command{
		Path: c.path, Args: begin.args, Dir: room.Work,
		Env:   slices.Concat(room.Env(), c.env, begin.env, []string{c.tool.key + "=" + c.key}),
		Input: []byte(message(req, c.tool.mentions)),
		Most:  maxOutput, Notes: maxNotes, Keys: []string{c.key},
	})
	if failure := model.Classify(err); failure != nil {
		// The use up to the failure is unknown.
		return model.Response{Usage: debate.Usage{CostUnknown: failure.Class != debate.CallNotFound}}, failure
	}
	return c.response(result)
}

// response reads an agent's output.
func (c *Client) response(result process.Result) (model.Response, error) {
	secrets := model.Redactor(c.key)
	result.Stdout = secrets.Replace(result.Stdout)
	got, failure := c.tool.read(result)
	if c.tool.mentions {
		got.text = withMentions(got.text)
	}
	switch {
	case failure != nil:
	case result.Exit != "":
		failure = result.Failure()
	case got.text == "":
		failure = &model.Error{Class: debate.CallMalformed, Detail: "the agent replied with nothing"}
	case len(got.text) > model.MaxReply:
		failure = model.TooLong()
	}
	if failure != nil {
		failure.Detail = secrets.Replace(failure.Detail)
		return model.Response{Usage: c.usage(got, slices.Contains(unbilled, failure.Class))}, failure
	}
	return model.Response{Text: got.text, Usage: c.usage(got, false)}, nil
}

// unbilled are the failures by which a provider refuses to work.
var unbilled = []debate.CallStatus{debate.CallAuth, debate.CallNotFound, debate.CallRate, debate.CallOverloaded}

// usage adds up the use of a call. The agent's own cost has priority over the table of prices.
// The cost of a call without any reported use is unknown, unless it is free.
func (c *Client) usage(r reading, free bool) debate.Usage {
	var sum debate.Usage
	used := false
	for _, s := range r.spent {
		if s.tokens == (model.Tokens{}) {
			continue
		}
		if s.model == "" {
			s.model = c.model
		}
		u := c.prices.Usage(s.model, s.tokens)
		sum.TokensIn += u.TokensIn
		sum.TokensCached += u.TokensCached
		sum.TokensOut += u.TokensOut
		sum.CostMicro += u.CostMicro
		sum.CostUnknown = sum.CostUnknown || u.CostUnknown
		used = true
	}
	switch {
	case r.priced:
		sum.CostMicro, sum.CostUnknown = r.cost, false
	case !used:
		sum.CostUnknown = !free
	}
	if sum.CostUnknown {
		sum.CostMicro = 0
	}
	return sum
}
