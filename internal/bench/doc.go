// Package bench counts what a panel of models finds in changes whose defects are known.
//
// Each case is held once, as a debate whose members open unseen by each other. So one run
// tells what each member finds alone, what a plain vote of the members would keep and what
// the debate keeps, of the same answers:
//
//	case ── Holder ──> openings ──┬─────────> each member alone
//	                              ├── vote ─> what most members report
//	                              └ debate ─> what it confirms, and what stays disputed
//	                                              │
//	                    expected findings ── Match ──> Row
//
// Whether a finding is an expected one is decided by path, lines, severity and words, in
// whole numbers, by no model. The package knows neither models nor git: a Holder does.
package bench
