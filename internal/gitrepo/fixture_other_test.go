//go:build !unix

package gitrepo

import "testing"

func fifo(t *testing.T, _ string) {
	t.Helper()
	t.Skip("there are no named pipes among the files of this system")
}

func asNobody(t *testing.T, _ string) {
	t.Helper()
	t.Skip("there is no user nobody on this system")
}
