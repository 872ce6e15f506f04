// Package policy says which parts of a change need a human whatever a debate
// about it says, and which changes need no review at all (R030-R035, R038, S03,
// S07). It reads the frozen change and the rules of the base side; nothing that
// the change itself brings along switches it off.
//
// There are two classes of triggers without configuration. A content hit, such
// as a workflow that gains write permissions, makes the decision critical. A
// path hit, such as a change to a Dockerfile, is shown and forbids skipping. What
// the configuration lists is critical too.
package policy
