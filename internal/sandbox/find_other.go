//go:build !linux

package sandbox

import (
	"context"
	"fmt"
)

// Find returns ErrNone: only Linux has the namespaces.
func Find(context.Context) (Box, error) {
	return nil, fmt.Errorf("%w: bubblewrap runs on Linux only; name an image for containers in execution.image", ErrNone)
}
