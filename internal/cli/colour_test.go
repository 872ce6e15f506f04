package cli

import (
	"io"
	"strings"
	"testing"
)

// TestColours: the flag says whether there are colours, else the environment does, else
// whether there is a terminal that has them.
func TestColours(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		flag     string
		terminal bool
		env      string // NAME=VALUE, separated by spaces
		want     bool
	}{
		"a terminal":                {"auto", true, "TERM=xterm", true},
		"none":                      {"auto", false, "TERM=xterm", false},
		"always":                    {"always", false, "NO_COLOR=1 TERM=dumb", true},
		"never":                     {"never", true, "FORCE_COLOR=1 TERM=xterm", false},
		"NO_COLOR":                  {"auto", true, "NO_COLOR=1 TERM=xterm", false},
		"an empty NO_COLOR":         {"auto", true, "NO_COLOR= TERM=xterm", true},
		"NO_COLOR wins":             {"auto", true, "NO_COLOR=1 FORCE_COLOR=1 TERM=xterm", false},
		"FORCE_COLOR":               {"auto", false, "FORCE_COLOR=1", true},
		"FORCE_COLOR says no":       {"auto", false, "FORCE_COLOR=0", false},
		"CLICOLOR_FORCE":            {"auto", false, "CLICOLOR_FORCE=1", true},
		"CLICOLOR":                  {"auto", true, "CLICOLOR=0 TERM=xterm", false},
		"a dumb terminal":           {"auto", true, "TERM=dumb", false},
		"a dumb terminal is forced": {"auto", true, "TERM=dumb CLICOLOR_FORCE=1", true},
	} {
		env := Env{
			Width: func(io.Writer) (int, bool) { return 80, tt.terminal },
			Getenv: func(name string) string {
				for _, one := range strings.Fields(tt.env) {
					if value, ok := strings.CutPrefix(one, name+"="); ok {
						return value
					}
				}
				return ""
			},
		}
		r := &run{Env: env, color: tt.flag}
		if got := r.colours(io.Discard); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
