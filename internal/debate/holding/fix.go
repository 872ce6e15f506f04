package holding

// Fix is what voices say of a finding that a newer version of the code may have mended.
type Fix struct {
	Severe    bool     // one voice is not enough
	Voices    []string // that quote new lines which mend it
	Contested bool     // somebody quotes lines that show it still
}

// Done reports whether the finding is fixed. What nobody shows, stands.
func (f Fix) Done() bool {
	need := 1
	if f.Severe {
		need = 2
	}
	return !f.Contested && len(distinct(f.Voices)) >= need
}

// About reports whether a quote is about the place of one of others: in the same
// declaration, or close by.
func About(q Quote, others []Quote) bool { return q.meets(others) }
