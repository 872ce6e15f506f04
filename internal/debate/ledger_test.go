package debate

import "testing"

// TestLedgerSupersedes asks which entry may take the place of which (R120, R125).
func TestLedgerSupersedes(t *testing.T) {
	t.Parallel()
	may := map[Tag][]Tag{ // by the tag of the older entry
		TagUser:       {TagUser},
		TagVerified:   {TagUser, TagVerified},
		TagUnverified: {TagUser, TagVerified, TagUnverified, TagRevision},
		TagRevision:   {TagUser, TagVerified, TagUnverified, TagRevision},
	}
	for _, older := range []Tag{TagUser, TagVerified, TagUnverified, TagRevision} {
		for _, newer := range []Tag{TagUser, TagVerified, TagUnverified, TagRevision} {
			m := &reducer{State: &State{}, step: &Step{}}
			m.ledger(older, "x", "first", "", "")
			m.ledger(newer, "y", "second", "", "L1")
			want := ""
			for _, tag := range may[older] {
				if tag == newer {
					want = "L1"
				}
			}
			if got := m.Book.Ledger[1].Supersedes; got != want {
				t.Errorf("%s after %s supersedes %q, want %q", newer, older, got, want)
			}
		}
	}
}
