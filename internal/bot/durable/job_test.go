package durable

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestJobID: an id is read back as the job that it was made of.
func TestJobID(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		j := Job{
			Subject: rapid.StringN(0, 250, 250).Draw(t, "subject"),
			Wanted:  rapid.Int64Range(-1, math.MaxInt32+1).Draw(t, "wanted"),
			Attempt: rapid.IntRange(-1, math.MaxInt32+1).Draw(t, "attempt"),
		}
		back, err := parseID(j.ID())
		if bad := j.check(); (bad != nil) != (err != nil) {
			t.Fatalf("%+v: check says %v, parseID says %v", j, bad, err)
		}
		if err == nil && back != j {
			t.Fatalf("%+v was read back as %+v", j, back)
		}
	})
}

func TestParseID(t *testing.T) {
	t.Parallel()
	if j, err := parseID("99/pull/7#12.3"); err != nil || j != (Job{Subject: "99/pull/7", Wanted: 12, Attempt: 3}) {
		t.Errorf("%+v %v", j, err)
	}
	for _, id := range []string{
		"", "#", "#1.2", "a", "a#", "a#1", "a#1.", "a#.1", "a#1.2.3", "a#1#2.3", "a#01.2", "a#+1.2", "a#-1.2", "a#1.-2",
		"a\n#1.2", "a\x00#1.2", "a\xff#1.2", "a#2147483648.0", strings.Repeat("a", maxSubjectLength+1) + "#1.2",
	} {
		if j, err := parseID(id); err == nil {
			t.Errorf("%q was read as %+v", id, j)
		}
	}
}
