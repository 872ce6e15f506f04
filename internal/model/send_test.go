package model_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// TestOneObjectIsAStream: a server that streams nothing answers with one JSON object.
func TestOneObjectIsAStream(t *testing.T) {
	t.Parallel()
	const long = 8*model.MaxReply + 1
	for name, row := range map[string]struct {
		body, want string
		class      debate.CallStatus
		says       string
	}{
		"an object":                   {`{"text":"fine"}`, `{"text":"fine"}`, "", ""},
		"an object after line breaks": {"\r\n\n" + `{"text":"fine"}`, `{"text":"fine"}`, "", ""},
		"a part of one":               {`{"text":"fi`, "", debate.CallError, "the stream ended before the reply did"},
		"one beyond the limit":        {`{"text":"` + strings.Repeat("a", long) + `"}`, "", debate.CallMalformed, "is larger than"},
	} {
		t.Run(name, func(t *testing.T) {
			events := 0
			for data, err := range model.Events(strings.NewReader(row.body)) {
				events++
				var failure *model.Error
				switch errors.As(err, &failure); {
				case row.class == "":
					if err != nil || strings.TrimSpace(string(data)) != row.want {
						t.Errorf("it yields %q, %v", data, err)
					}
				case failure == nil || failure.Class != row.class || !strings.Contains(failure.Detail, row.says):
					t.Errorf("it fails with %v", err)
				}
			}
			if events != 1 {
				t.Errorf("%d events", events)
			}
		})
	}
}
