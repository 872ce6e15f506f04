package process

import (
	"sync"
	"syscall"
)

// conceal keeps what runs as the same user from reading this process: its memory
// and the environment it was started with hold keys that commands do not
// get. It does not hold against root. A command that is started is not concealed
// by it.
var conceal = sync.OnceFunc(func() {
	// It cannot fail with these arguments, and nothing could be done if it did.
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_DUMPABLE, 0, 0)
})
