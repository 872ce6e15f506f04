package gh

import (
	"context"
	"errors"

	"github.com/prdebate/debate/internal/patch"
)

// Snapshot is the frozen change of a pull request.
type Snapshot struct {
	Scope     string
	Notes     []string // what is not plain from Scope, one line each
	BaseSHA   string   // the merge base
	PolicySHA string   // the tip of the base
	HeadSHA   string
	Change    patch.Change
	Hash      string
}

// Snapshot freezes a pull request's change between fixed commits.
func (c *Client) Snapshot(ctx context.Context, baseTip, head string, number int) (*Snapshot, error) {
	return nil, errors.New("not there yet")
}

// Err is the first failure that Change.Blob and Change.BaseHas met.
func (s *Snapshot) Err() error { return nil }

// Encode writes the snapshot with all its content.
func (s *Snapshot) Encode() ([]byte, error) { return nil, errors.New("not there yet") }

// DecodeSnapshot reads what Encode wrote.
func DecodeSnapshot(data []byte) (*Snapshot, error) { return nil, errors.New("not there yet") }
