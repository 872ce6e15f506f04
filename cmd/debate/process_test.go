package main

import "os"

// surroundings is the environment of a program that the tests start, made from
// nothing: whoever runs the tests has keys, settings and perhaps a GIT_DIR, and
// none of them is asked, read or written to.
func surroundings(home string, more ...string) []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
	for _, name := range []string{"SYSTEMROOT", "TMPDIR", "TEMP"} {
		if value := os.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return append(env, more...)
}
