package engine

import (
	"errors"
	"slices"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

// FuzzVerify puts any event in the place of one of a genuine record: it verifies
// or is refused, and never does more.
func FuzzVerify(f *testing.F) {
	genuine := held(f, wellRead)
	for i, e := range genuine {
		data, err := debate.EncodeEvent(e.Event)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(i, string(e.Event.Kind()), []byte(data))
	}
	f.Fuzz(func(t *testing.T, i int, kind string, data []byte) {
		ev, err := debate.DecodeEvent(debate.EventKind(kind), data)
		if err != nil || i < 0 || i >= len(genuine) {
			return
		}
		entries := slices.Clone(genuine)
		entries[i].Event = ev
		state, err := publisher(t).Verify(t.Context(), wanted(), entries)
		switch {
		case err != nil && !errors.As(err, new(*ForgedError)):
			t.Fatal(err)
		case err == nil && state.N != len(entries):
			t.Fatalf("%d of %d entries", state.N, len(entries))
		}
	})
}
