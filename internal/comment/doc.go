// Package comment is the language of review threads: the one sanitiser through
// which every text that came from outside passes before it reaches a terminal, a
// log, a comment or a report, the hidden markers and the sealed
// block by which own comments are found and believed again, the
// commands of people and who may give them, and the plan of the
// writes that turn what stands on a pull request into what is wanted.
//
// A character that a reader cannot see, or that a terminal or a browser would
// act on, is never dropped in silence: it is written as its code point, such as
// <U+202E>, so that the reader sees that it was there.
package comment
