package gh

import (
	"fmt"
	"os"
)

// spool stores contents by id in one temporary file. If the system allows it, the file
// loses its name at once, so it disappears with this process however that ends.
type spool struct {
	file  *os.File
	named bool // the file still has its name
	end   int64
	at    map[string]span
}

// span is the place of a content.
type span struct {
	from int64
	size int
}

func newSpool() (*spool, error) {
	file, err := os.CreateTemp("", "debate-looks-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file: %w", err)
	}
	return &spool{file: file, named: os.Remove(file.Name()) != nil, at: make(map[string]span)}, nil
}

// holds reports whether a content is stored; a nil spool holds none.
func (s *spool) holds(oid string) bool {
	if s == nil {
		return false
	}
	_, ok := s.at[oid]
	return ok
}

func (s *spool) add(oid string, content []byte) error {
	if _, err := s.file.WriteAt(content, s.end); err != nil {
		return fmt.Errorf("keep what can be looked at: %w", err)
	}
	s.at[oid] = span{from: s.end, size: len(content)}
	s.end += int64(len(content))
	return nil
}

func (s *spool) read(oid string) ([]byte, bool) {
	if !s.holds(oid) {
		return nil, false
	}
	at := s.at[oid]
	content := make([]byte, at.size)
	if _, err := s.file.ReadAt(content, at.from); err != nil {
		return nil, false
	}
	return content, true
}

func (s *spool) close() {
	s.file.Close()
	if s.named {
		os.Remove(s.file.Name())
	}
}
