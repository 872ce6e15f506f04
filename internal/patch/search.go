package patch

// Bounds of the text of one file to search for secrets, in bytes.
const (
	maxSearched     = 4 << 20
	maxSearchedLine = 64 << 10
)

// Searchable reports whether the file's lines are few and short enough to search all of them for
// secrets. Lines without a search are never shown.
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
