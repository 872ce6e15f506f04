package cli

import (
	"io"
	"os"
	"syscall"
	"testing"
)

// escapes is the mode in which a console takes escape sequences.
const escapes = 0x4

// setMode sets the mode of a console, for which package syscall has no call.
func setMode(t *testing.T, console syscall.Handle, mode uint32) {
	t.Helper()
	if ok, _, err := syscall.NewLazyDLL("kernel32.dll").NewProc("SetConsoleMode").Call(uintptr(console), uintptr(mode)); ok == 0 {
		t.Fatal(err)
	}
}

// TestConsole: a console shows colours and not their escape sequences, and has the mode
// that it had once the run ends.
func TestConsole(t *testing.T) {
	console, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("there is no console that could be switched: %v", err)
	}
	defer console.Close()
	handle := syscall.Handle(console.Fd())
	mode := func() (now uint32) {
		if err := syscall.GetConsoleMode(handle, &now); err != nil {
			t.Fatal(err)
		}
		return now
	}
	found := mode()
	plain := found &^ escapes
	setMode(t, handle, plain)
	defer setMode(t, handle, found)
	r := &run{Env: Env{Width: func(io.Writer) (int, bool) { return 80, true }, Getenv: func(string) string { return "" }}, color: "never"}
	if r.colours(console) || mode() != plain {
		t.Errorf("without colours the mode is %#x, was %#x", mode(), plain)
	}
	r.color = "always"
	if !r.colours(console) || mode() != plain|escapes {
		t.Errorf("with colours the mode is %#x, was %#x", mode(), plain)
	}
	if err := r.restoreConsoles(); err != nil {
		t.Error(err)
	}
	if mode() != plain {
		t.Errorf("after the run the mode is %#x, was %#x", mode(), plain)
	}
}
