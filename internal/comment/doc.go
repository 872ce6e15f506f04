// Package comment is the language of review threads. It has the one sanitizer for every text from
// outside on its way to a terminal, a log, a comment or a report; the hidden markers and the
// sealed block to find and trust our own comments again; the commands of people and their
// permissions; and the plan of writes to turn the present comments of a pull request into the
// wanted ones.
//
// A character that a reader cannot see, or that a terminal or a browser would act on, is never
// dropped in silence: it is written as its code point, such as <U+202E>, so the reader sees that
// it was there.
package comment
