package lists

import (
	"maps"
	"slices"
	"strconv"
	"testing"
)

func TestLists(t *testing.T) {
	t.Parallel()
	even := func(n int) bool { return n%2 == 0 }
	for name, row := range map[string]struct {
		list  []int
		found int
		kept  []int
		texts []string
	}{
		"none":     {nil, 0, nil, nil},
		"no match": {[]int{1, 3}, 0, nil, []string{"1", "3"}},
		"some":     {[]int{1, 4, 3, 2}, 4, []int{4, 2}, []string{"1", "4", "3", "2"}},
	} {
		t.Run(name, func(t *testing.T) {
			before := slices.Clone(row.list)
			if got := Find(row.list, even); got != row.found {
				t.Errorf("found %d, want %d", got, row.found)
			}
			if got := Keep(row.list, even); !slices.Equal(got, row.kept) || (got == nil) != (row.kept == nil) {
				t.Errorf("kept %v, want %v", got, row.kept)
			}
			if got := Map(row.list, strconv.Itoa); !slices.Equal(got, row.texts) || (got == nil) != (row.texts == nil) {
				t.Errorf("made %v, want %v", got, row.texts)
			}
			if !slices.Equal(row.list, before) {
				t.Errorf("the list became %v", row.list)
			}
		})
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	if got := Words(" a b\n\ta "); !maps.Equal(got, map[string]bool{"a": true, "b": true}) {
		t.Errorf("got %v", got)
	}
}
