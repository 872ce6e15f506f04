package code_test

import (
	"testing"

	"github.com/prdebate/debate/internal/critic/checktest"
	"github.com/prdebate/debate/internal/critic/code"
)

func TestCases(t *testing.T) {
	t.Parallel()
	checktest.Run(t, "code", code.Kind)
}
