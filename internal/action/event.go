package action

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/prdebate/debate/internal/event"
)

// Event reads the event of the job. It fails with *Ignored for an event that asks for
// nothing. Dispatched is the pull request in the input of a workflow_dispatch, 0 for none;
// a dispatch without one is a sweep.
func (r *Runner) Event(dispatched int) (event.Trigger, error) {
	name := r.getenv("GITHUB_EVENT_NAME")
	path := r.getenv("GITHUB_EVENT_PATH")
	if name == "" || path == "" {
		return event.Trigger{}, errors.New("GITHUB_EVENT_NAME and GITHUB_EVENT_PATH are not set: this is not a job of GitHub Actions")
	}
	f, err := os.Open(path)
	if err != nil {
		return event.Trigger{}, fmt.Errorf("open the event: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, event.MaxBytes+1))
	if err != nil {
		return event.Trigger{}, fmt.Errorf("read the event: %w", err)
	}
	if len(data) > event.MaxBytes {
		return event.Trigger{}, fmt.Errorf("the event is larger than %d bytes", event.MaxBytes)
	}
	return event.Read(name, data, r.getenv("GITHUB_REPOSITORY"), dispatched)
}
