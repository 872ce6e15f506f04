package merge

import (
	"testing"

	"github.com/prdebate/debate/internal/testkit/checktest"
)

func TestCases(t *testing.T) {
	t.Parallel()
	checktest.Run(t, "merge", Kind)
}
