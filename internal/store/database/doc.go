// Package database stores the server's state: webhook deliveries, their tasks, the records
// of debates, and the content of its pages. It uses one SQLite file, or PostgreSQL for
// several servers. It knows nothing of GitHub and runs nothing.
//
// A task is a subject to look at, such as a pull request. It counts wanted and done work,
// so a request during a run is never lost:
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
// A session is a debate. Its record has the same lines as a file, one row each and byte for
// byte, so the same code checks both.
package database
