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

// Serve offers the tools to the client at the other end of two streams, until the client
// closes its stream or the context ends. Then it cancels the running calls and returns
// after their end. It writes only messages of the protocol.
func Serve(ctx context.Context, in io.Reader, out io.Writer, version string, tools Tools) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	offered := sdk.NewServer(&sdk.Implementation{Name: "debate", Title: "debate", Version: version},
		&sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{}})
	offer(ctx, offered, tools)
	err := offered.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(in), Writer: writer{out}, MaxLineLength: maxMessage})
	switch {
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrClosedPipe): // the client is gone, as it may
		return nil
	case ctx.Err() != nil:
		return err
	}
	return fmt.Errorf("the client of debate mcp does not keep to the Model Context Protocol: %w", err)
}

// handler makes a tool of a function. Ended is over when the connection is.
func handler[Args any](ended context.Context, tool func(context.Context, Args, func(string)) (string, error)) sdk.ToolHandlerFor[Args, any] {
	return func(ctx context.Context, req *sdk.CallToolRequest, args Args) (*sdk.CallToolResult, any, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(ended, cancel)()
		text, err := tool(ctx, args, teller(ctx, req))
		if err != nil {
			return nil, nil, err
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, nil, nil
	}
}

// teller returns a function that sends progress to the client, if the client wants it.
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
		// The client may be gone; its call is cancelled elsewhere.
		_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: float64(said), Message: line})
	}
}

// writer is a stream without a real Close.
type writer struct{ io.Writer }

// Close implements io.Closer.
func (writer) Close() error { return nil }
