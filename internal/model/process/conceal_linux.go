package process

import (
	"sync"
	"syscall"
)

// conceal keeps other processes of the same user from reading this one: its memory and its
// first environment hold keys that commands do not get. Root can still read it. The commands
// themselves are not concealed.
var conceal = sync.OnceFunc(func() {
	// It cannot fail with these arguments.
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_DUMPABLE, 0, 0)
})
