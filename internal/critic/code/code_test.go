package code_test

import (
	"testing"

	"github.com/prdebate/debate/internal/critic/code"
	"github.com/prdebate/debate/internal/testkit/checktest"
)

func TestCases(t *testing.T) {
	t.Parallel()
	checktest.Run(t, "code", code.Kind)
}
