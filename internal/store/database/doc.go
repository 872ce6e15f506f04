// Package database keeps what a server must not forget: deliveries of webhooks, the
// tasks that follow from them, the records of debates, and what its pages show. It
// keeps it in one SQLite file, or in PostgreSQL for several servers. It knows nothing
// of GitHub and runs nothing.
//
// A task is a subject, such as a pull request, that somebody has to look at. It counts
// what was wanted and what was done of that, so that a request that arrives during a
// run is never lost:
//
//	                 Accept, Want: wanted+1
//	                    ┌─────────────┐
//	                    v             │
//	done == wanted ──> open ──────────┘
//	      ^            │  ^ │ Fail: not before RetryAt
//	      │   Done     │  └─┘
//	      └────────────┘
//	                   │ Fail with Park         Accept, Want, Unpark
//	                   └──────────────> parked ─────────────────────> open
//
// A session is a debate. Its record is the lines that a file would hold, one row each
// and byte for byte, so that both are checked by the same code.
package database
