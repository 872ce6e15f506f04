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
		"nobody attacks":              {[]string{"C2", "C1"}, nil, []string{"C2", "C1"}},
		"a live challenge beats":      {[]string{"C1", "K1"}, []Attack{{"K1", "C1"}}, []string{"K1"}},
		"a defence reinstates":        {[]string{"C1", "K1", "C2"}, []Attack{{"K1", "C1"}, {"C2", "K1"}}, []string{"C1", "C2"}},
		"two that attack each other":  {[]string{"C1", "C2"}, []Attack{{"C1", "C2"}, {"C2", "C1"}}, nil},
		"a claim against itself":      {[]string{"C1", "C2"}, []Attack{{"C1", "C1"}}, []string{"C2"}},
		"three in a circle":           {[]string{"C1", "C2", "C3"}, []Attack{{"C1", "C2"}, {"C2", "C3"}, {"C3", "C1"}}, nil},
		"one attack twice":            {[]string{"C1", "K1", "C2"}, []Attack{{"K1", "C1"}, {"K1", "C1"}, {"C2", "K1"}, {"C2", "K1"}}, []string{"C1", "C2"}},
		"an unknown id is no part":    {[]string{"C1"}, []Attack{{"K9", "C1"}, {"C1", "C9"}}, []string{"C1"}},
		"an id twice is one id":       {[]string{"C1", "C1", "K1"}, []Attack{{"K1", "C1"}}, []string{"K1"}},
		"an even circle and a breach": {[]string{"C1", "C2", "K1"}, []Attack{{"C1", "C2"}, {"C2", "C1"}, {"K1", "C2"}}, []string{"C1", "K1"}},
	} {
		if diff := cmp.Diff(c.want, Grounded(c.ids, c.attacks)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// attackGraph draws a graph of at most six arguments.
func attackGraph(t *rapid.T) ([]string, []Attack) {
	ids := []string{"C1", "C2", "C3", "K1", "K2", "K3"}[:rapid.IntRange(1, 6).Draw(t, "size")]
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
