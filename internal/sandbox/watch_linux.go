package sandbox

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// watching is the interval between two looks at memory and processes.
const watching = 40 * time.Millisecond

// watch kills a run that exceeds its limits of memory or processes. The returned function
// ends the watch and returns the reason for the kill.
func watch(pid int, limits Limits, kill func() error) func() Stop {
	done, stop := make(chan struct{}), make(chan Stop, 1)
	go func() {
		tick := time.NewTicker(watching)
		defer tick.Stop()
		why := Stop("")
		for {
			select {
			case <-done:
				stop <- why
				return
			case <-tick.C:
			}
			memory, count := usage(pid)
			switch {
			case why != "":
			case memory > limits.Memory:
				why = StopMemory
			case count > limits.Processes:
				why = StopCount
			}
			if why != "" {
				_ = kill()
			}
		}
	}()
	return func() Stop { close(done); return <-stop }
}

// usage returns the memory, in bytes, and the number of a process and all its descendants.
// Every process of a namespace descends from the process that made it.
func usage(pid int) (memory int64, count int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0, 0
	}
	parents := make(map[int]int)
	pages := make(map[int]int64)
	for _, e := range entries {
		one, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // state, parent, ..., resident pages
		if len(fields) < 22 {
			continue
		}
		parents[one], _ = strconv.Atoi(string(fields[1]))
		pages[one], _ = strconv.ParseInt(string(fields[21]), 10, 64)
	}
	for one := range parents {
		at := one
		for range 4096 { // no chain of parents is longer
			if at == pid || at == 0 {
				break
			}
			at = parents[at]
		}
		if at == pid && one != pid {
			memory, count = memory+pages[one]*int64(os.Getpagesize()), count+1
		}
	}
	return memory, count
}
