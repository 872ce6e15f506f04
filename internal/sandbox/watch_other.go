//go:build unix && !linux

package sandbox

// watch does nothing: this system has no /proc, and only the unsafe box.
func watch(int, Limits, func() error) func() Stop { return func() Stop { return "" } }
