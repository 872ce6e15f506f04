// Package agent writes the text that hands findings to a coding agent: where each stands,
// what is wrong, what must hold once it is repaired, and how to check that.
//
// Whoever reads it obeys instructions, and models wrote the findings of text that a
// stranger may have written. So the sentences of the text are ours, and each line that
// somebody else wrote begins with ">": no text can leave its line, and the first rule
// says that such a line is no instruction. It must not know envelopes, comments or
// commands; who calls it takes findings out of them.
package agent
