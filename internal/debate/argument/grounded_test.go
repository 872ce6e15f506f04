package argument

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestGrounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ids     []string
		attacks []Attack
		want    []string
	}{
		"nothing":                     {nil, nil, nil},
		"nobody attacks":              {[]string{"F2", "F1"}, nil, []string{"F2", "F1"}},
		"a live challenge beats":      {[]string{"F1", "K1"}, []Attack{{"K1", "F1"}}, []string{"K1"}},
		"a defence reinstates":        {[]string{"F1", "K1", "F2"}, []Attack{{"K1", "F1"}, {"F2", "K1"}}, []string{"F1", "F2"}},
		"two that attack each other":  {[]string{"F1", "F2"}, []Attack{{"F1", "F2"}, {"F2", "F1"}}, nil},
		"a claim against itself":      {[]string{"F1", "F2"}, []Attack{{"F1", "F1"}}, []string{"F2"}},
		"three in a circle":           {[]string{"F1", "F2", "F3"}, []Attack{{"F1", "F2"}, {"F2", "F3"}, {"F3", "F1"}}, nil},
		"one attack twice":            {[]string{"F1", "K1", "F2"}, []Attack{{"K1", "F1"}, {"K1", "F1"}, {"F2", "K1"}, {"F2", "K1"}}, []string{"F1", "F2"}},
		"an unknown id is no part":    {[]string{"F1"}, []Attack{{"K9", "F1"}, {"F1", "F9"}}, []string{"F1"}},
		"an id twice is one id":       {[]string{"F1", "F1", "K1"}, []Attack{{"K1", "F1"}}, []string{"K1"}},
		"an even circle and a breach": {[]string{"F1", "F2", "K1"}, []Attack{{"F1", "F2"}, {"F2", "F1"}, {"K1", "F2"}}, []string{"F1", "K1"}},
	} {
		if diff := cmp.Diff(c.want, Grounded(c.ids, c.attacks)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// attackGraph draws a graph of at most six arguments.
func attackGraph(t *rapid.T) ([]string, []Attack) {
	ids := []string{"F1", "F2", "F3", "K1", "K2", "K3"}[:rapid.IntRange(1, 6).Draw(t, "size")]
	id := rapid.SampledFrom(ids)
	var attacks []Attack
	for range rapid.IntRange(0, 8).Draw(t, "attacks") {
		attacks = append(attacks, Attack{id.Draw(t, "from"), id.Draw(t, "to")})
	}
	return ids, attacks
}

// defends reports whether every attacker of id is attacked by one of set.
func defends(set []string, id string, attacks []Attack) bool {
	for _, a := range attacks {
		if a.On == id && !slices.ContainsFunc(attacks, func(b Attack) bool { return b.On == a.By && slices.Contains(set, b.By) }) {
			return false
		}
	}
	return true
}

// naiveGrounded is the definition: start with nothing and take in what is
// defended until nothing changes.
func naiveGrounded(ids []string, attacks []Attack) []string {
	var set []string
	for {
		var next []string
		for _, id := range ids {
			if defends(set, id, attacks) {
				next = append(next, id)
			}
		}
		if slices.Equal(set, next) {
			return set
		}
		set = next
	}
}

func TestGroundedTwin(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ids, attacks := attackGraph(t)
		got := Grounded(ids, attacks)
		if twin := naiveGrounded(ids, attacks); !slices.Equal(got, twin) {
			t.Fatalf("%v: IN %v, the twin says %v", attacks, got, twin)
		}
		for _, a := range attacks {
			if slices.Contains(got, a.By) && slices.Contains(got, a.On) {
				t.Fatalf("%s attacks %s and both are IN", a.By, a.On)
			}
		}
	})
}

// TestGroundedIsLeast checks that what is IN is in every set of arguments that
// one could hold: without conflict, and with all that it defends. Nobody can
// reasonably reject an Agreed claim.
func TestGroundedIsLeast(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ids, attacks := attackGraph(t)
		got := Grounded(ids, attacks)
		for mask := range 1 << len(ids) {
			var set []string
			for i, id := range ids {
				if mask&(1<<i) != 0 {
					set = append(set, id)
				}
			}
			if !complete(set, ids, attacks) {
				continue
			}
			for _, id := range got {
				if !slices.Contains(set, id) {
					t.Fatalf("%s is IN, but one can hold %v without it: %v", id, set, attacks)
				}
			}
		}
	})
}

func complete(set, ids []string, attacks []Attack) bool {
	for _, a := range attacks {
		if slices.Contains(set, a.By) && slices.Contains(set, a.On) {
			return false
		}
	}
	for _, id := range ids {
		if defends(set, id, attacks) != slices.Contains(set, id) {
			return false
		}
	}
	return true
}
