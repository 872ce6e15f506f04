// Package action is the edge to GitHub Actions: the event that started the job,
// the inputs of the action, its outputs, its step summary and its log. It is the
// only importer of go-githubactions.
//
// What a person wrote reaches the log only through a writer that leaves no
// workflow command in it, an output only where its form is known, and never the
// environment or the PATH of a later step.
package action
