// Package agent writes the prompt for a coding agent: the place of each finding, the defect, the
// goal of the repair, and how to check it.
//
// The agent obeys instructions, and models wrote the findings, maybe from the text of a stranger.
// So the sentences of the prompt are ours, and each line written by others begins with ">".
// No text can leave its line, and the first rule says that such a line is not an instruction. The
// package must not know envelopes, comments or commands; its caller takes the findings from them.
package agent
