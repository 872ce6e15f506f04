package process

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Room is a clean room for one call of a command: private directories, which are deleted when
// it is closed.
type Room struct {
	Home string // the command's home, with its settings
	Work string // its working directory, empty
	Temp string
	dir  string
}

// NewRoom makes a room in the directory for temporary files.
func NewRoom() (*Room, error) {
	dir, err := os.MkdirTemp("", "debate-room-")
	if err != nil {
		return nil, fmt.Errorf("make a room: %w", err)
	}
	r := &Room{dir: dir, Home: filepath.Join(dir, "home"), Work: filepath.Join(dir, "work"), Temp: filepath.Join(dir, "temp")}
	for _, place := range []string{r.Home, r.Work, r.Temp} {
		if err := os.Mkdir(place, 0o700); err != nil {
			r.Close()
			return nil, fmt.Errorf("make a room: %w", err)
		}
	}
	return r, nil
}

// Write puts a file into the home and returns its path.
func (r *Room) Write(name, text string) (path string, err error) {
	path = filepath.Join(r.Home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("furnish a room: %w", err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("furnish a room: %w", err)
	}
	return path, nil
}

// Env returns the variables with the directories of the room.
func (r *Room) Env() []string { return slices.Concat(Home(r.Home), Temporary(r.Temp)) }

// Close removes the room. It tries a few times, since a process that was just killed may
// still be writing.
func (r *Room) Close() {
	for range 5 {
		if os.RemoveAll(r.dir) == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}
