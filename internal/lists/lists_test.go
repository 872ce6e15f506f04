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

func TestPointers(t *testing.T) {
	t.Parallel()
	list := []int{1, 4, 3, 2}
	even := func(n *int) bool { return *n%2 == 0 }
	if got := Pointer(list, even); got != &list[1] {
		t.Errorf("points at %v, want the second entry", got)
	}
	if got := Pointers(list, even); !slices.Equal(got, []*int{&list[1], &list[3]}) {
		t.Errorf("points at %v, want the second entry and the last one", got)
	}
	if Pointer(list[:1], even) != nil || Pointers(list[:1], even) != nil {
		t.Error("it points at an entry that does not fit")
	}
}

// TestCopies: the lists that these functions return share no room with the given ones.
func TestCopies(t *testing.T) {
	t.Parallel()
	list := []int{1, 2, 1, 3}[:3:4]
	if got := Add(list, 2); !slices.Equal(got, []int{1, 2, 1}) {
		t.Errorf("a known entry makes %v", got)
	}
	if got := Add(list, 7); !slices.Equal(got, []int{1, 2, 1, 7}) || list[:4][3] != 3 {
		t.Errorf("a new entry makes %v, and the list behind it %v", got, list[:4])
	}
	if got := Once(list); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("each once makes %v", got)
	}
	if got := append(First(list, 2), 9); !slices.Equal(got, []int{1, 2, 9}) || list[2] != 1 {
		t.Errorf("the first two and one more make %v, and the list %v", got, list)
	}
	if got := First(list, 9); !slices.Equal(got, list) {
		t.Errorf("the first nine of three are %v", got)
	}
	double := func(n *int) { *n *= 2 }
	if got := Changed(list, double); !slices.Equal(got, []int{2, 4, 2}) || list[0] != 1 {
		t.Errorf("changed to %v, and the list to %v", got, list)
	}
	one := 1
	if got := Copied(&one, double); *got != 2 || one != 1 || Copied(nil, double) != nil {
		t.Errorf("copied to %d, and the value to %d", *got, one)
	}
}
