// Package policy tells which parts of a change need a human, regardless of the debate, and
// which changes need no review at all (R030-R035, R038, S03). It reads the frozen change and
// the rules of the base side; nothing in the change itself can switch it off.
//
// Without configuration there are two classes of triggers. A content hit, such as a workflow with
// new write permissions, makes the decision critical. A path hit, such as a change to a Dockerfile,
// is shown and forbids skipping. The triggers of the configuration are critical too.
package policy
