// Package action is the edge to GitHub Actions: the event of the job, the inputs of the
// action, its outputs, its step summary and its log. Only this package imports
// go-githubactions.
//
// Text from people reaches the log only through a writer that removes workflow commands,
// and an output only in a known form. It never reaches the environment or the PATH of a
// later step.
package action
