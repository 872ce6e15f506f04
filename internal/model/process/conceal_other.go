//go:build !linux

package process

// conceal does nothing on this system.
func conceal() {}
