// Package segment splits a change deterministically into code to debate, proposals to debate and
// context (R067-R071). It keeps the coverage ledger with one entry for every part of the change,
// and packs code segments into chunks for one call each (S13).
package segment
