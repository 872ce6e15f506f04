//go:build !unix

package sandbox

import "context"

// WithoutSandbox returns ErrNone: this system cannot kill all processes of a command.
func WithoutSandbox() (Box, error) { return nil, ErrNone }

// FindContainer returns ErrNone.
func FindContainer(context.Context, string) (Box, error) { return nil, ErrNone }
