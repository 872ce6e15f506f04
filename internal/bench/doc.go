// Package bench counts the findings of a panel of models in changes with known defects.
//
// Each case is debated once, and the members open without seeing each other's answers. So
// one run shows the findings of each member alone, of a plain vote and of the debate, from
// the same answers:
//
//	case ── Hold ───> openings ──┬─────────> each member alone
//	                              ├── vote ─> what most members report
//	                              └ debate ─> what it confirms, and what stays disputed
//	                                              │
//	                    expected findings ── Match ──> Row
//
// A finding matches an expected one by path, lines, severity and words, in whole numbers,
// without a model. The package knows neither models nor git: a Hold does.
package bench
