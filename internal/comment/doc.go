// Package comment is the language of review threads. Today it holds the one
// sanitiser through which every text that came from outside passes before it
// reaches a terminal, a log, a comment or a report (T10, T30-T36).
//
// A character that a reader cannot see, or that a terminal or a browser would
// act on, is never dropped in silence: it is written as its code point, such as
// <U+202E>, so that the reader sees that it was there.
package comment
