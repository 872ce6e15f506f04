// Package prompt is the border between a debate and its models: it writes the requests and
// reads the answers.
//
//	change ── NewPacket ──> Packet ┐
//	State, Ask ── Render ──────────┴─> Prompt ── a model ──> bytes ── Read ──> debate.Reply
//
// All text of a change and of a model is data of unknown intent. In a request it is between
// fences with an unpredictable token, or in JSON strings. An answer becomes a value within
// bounds, or a *FormatError.
package prompt
