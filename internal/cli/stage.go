package cli

import (
	"errors"

	"github.com/prdebate/debate/internal/action"
)

// stage does one part of a run that is split over jobs.
func (j *job) stage(t action.Trigger) error {
	return errors.New("stages are not part of this version")
}
