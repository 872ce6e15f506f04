package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxMessage bounds a message of the client, in bytes.
const maxMessage = 1 << 20

// server is one connection.
type server struct {
	ended context.Context // when the connection is over, or is to be
}

// Serve offers the tools to the client at the other end of two streams, until it closes
// its stream or the context ends; then the calls that run are cancelled, and it returns once
// they are over, for which the connection waits. Nothing but messages of the protocol is written.
func Serve(ctx context.Context, in io.Reader, out io.Writer, version string, tools Tools) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	s := &server{ended: ctx}
	offered := sdk.NewServer(&sdk.Implementation{Name: "debate", Title: "debate", Version: version},
		&sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{}})
	s.add(offered, tools)
	err := offered.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(in), Writer: writer{out}, MaxLineLength: maxMessage})
	switch {
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrClosedPipe): // the client is gone, as it may
		return nil
	case ctx.Err() != nil:
		return err
	}
	return fmt.Errorf("the client of debate mcp does not keep to the Model Context Protocol: %w", err)
}

// handler makes a tool of a function.
func handler[Args any](s *server, tool func(context.Context, Args, func(string)) (string, error)) sdk.ToolHandlerFor[Args, any] {
	return func(ctx context.Context, req *sdk.CallToolRequest, args Args) (*sdk.CallToolResult, any, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.ended, cancel)()
		text, err := tool(ctx, args, teller(ctx, req))
		if err != nil {
			return nil, nil, err
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, nil, nil
	}
}

// teller says to the client what happens while a tool works, if it wants to know.
func teller(ctx context.Context, req *sdk.CallToolRequest) func(line string) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func(string) {}
	}
	var mu sync.Mutex
	said := 0
	return func(line string) {
		mu.Lock()
		defer mu.Unlock()
		said++
		// Whoever is gone hears nothing; its call is cancelled elsewhere.
		_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: float64(said), Message: line})
	}
}

// writer is a stream that the protocol does not close.
type writer struct{ io.Writer }

// Close implements io.Closer.
func (writer) Close() error { return nil }
