// Package mcp serves tools to a coding agent or an editor, by the Model Context Protocol
// over two streams. It knows the protocol, what the tools are called and what they take;
// what they do is handed in. It must not know debates, settings, files or money.
package mcp
