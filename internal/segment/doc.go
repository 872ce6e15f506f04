// Package segment splits a change deterministically into what is debated as
// code, what is debated as proposal and what is context (R067-R071), keeps the
// coverage ledger in which every part of the change has one entry (A24), and
// packs code segments into chunks that one call can carry (S13).
package segment
