package manifest

import (
	"testing"

	"github.com/prdebate/debate/internal/testkit/checktest"
)

func TestCases(t *testing.T) {
	t.Parallel()
	checktest.Run(t, "manifest", Kind)
}
