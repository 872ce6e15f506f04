package patch

// Bounds of the text of one file that is searched for secrets, in bytes.
const (
	maxSearched     = 4 << 20
	maxSearchedLine = 64 << 10
)

// Searchable reports whether the lines of the file are few and short enough to
// be searched for secrets whole. What was not searched is shown to nobody.
func (f *File) Searchable() bool {
	size := 0
	for l := range f.Lines() {
		if len(l.Text) > maxSearchedLine {
			return false
		}
		size += len(l.Text)
	}
	return size <= maxSearched
}
