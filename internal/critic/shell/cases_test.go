package shell_test

import (
	"testing"

	"github.com/prdebate/debate/internal/critic/docker"
	"github.com/prdebate/debate/internal/critic/shell"
	"github.com/prdebate/debate/internal/critic/workflow"
	"github.com/prdebate/debate/internal/testkit/checktest"
)

func TestCases(t *testing.T) {
	t.Parallel()
	checktest.Run(t, "shell", shell.Kind, docker.Kind, workflow.Kind)
}
