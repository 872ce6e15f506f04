// Package mcp serves tools to a coding agent or an editor, by the Model Context Protocol
// over two streams. It knows the protocol and the names and arguments of the tools; the
// caller provides their work. It must not know debates, settings, files or money.
package mcp
