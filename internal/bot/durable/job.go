package durable

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

const maxSubjectLength = 200

// Job asks to look at one subject. Subject, Wanted and Attempt make its id: a job with
// the same three is the same job.
type Job struct {
	// Subject names the thing to look at, for example "99/pull/7": 1 to 200 bytes,
	// printable, without "#".
	Subject string `json:"subject"`
	// Wanted is the number of the wish in the caller's table; 0 to 2^31-1. Jobs of one
	// subject run in the order of Wanted.
	Wanted int64 `json:"wanted"`
	// Attempt tells attempts at the same wish apart, from 0.
	Attempt int `json:"attempt"`

	// Starts counts the starts of the job, 1 for the first time. Only the queue sets it. It
	// grows with every death of the process, and begins again after Drain or TakeOver: a
	// job with many starts kills the process.
	Starts int `json:"-"`
}

// ID returns the id of the job in the database: "SUBJECT#WANTED.ATTEMPT".
func (j Job) ID() string {
	return j.Subject + "#" + strconv.FormatInt(j.Wanted, 10) + "." + strconv.Itoa(j.Attempt)
}

func (j Job) check() error {
	switch {
	case j.Subject == "" || len(j.Subject) > maxSubjectLength:
		return fmt.Errorf("job: the subject must have 1 to %d bytes, not %d", maxSubjectLength, len(j.Subject))
	case strings.ContainsFunc(j.Subject, func(r rune) bool { return r == '#' || !unicode.IsPrint(r) || r == unicode.ReplacementChar }):
		return fmt.Errorf("job: the subject %q has a character that is not allowed", j.Subject)
	case j.Wanted < 0 || j.Wanted > math.MaxInt32:
		return fmt.Errorf("job %q: wanted is %d; it must be 0 to %d", j.Subject, j.Wanted, math.MaxInt32)
	case j.Attempt < 0 || j.Attempt > math.MaxInt32:
		return fmt.Errorf("job %q: attempt is %d; it must be 0 to %d", j.Subject, j.Attempt, math.MaxInt32)
	}
	return nil
}

// parseID reads an id. It refuses an id that ID would write differently.
func parseID(id string) (Job, error) {
	subject, count, _ := strings.Cut(id, "#")
	wanted, attempt, _ := strings.Cut(count, ".")
	w, _ := strconv.ParseInt(wanted, 10, 64)
	a, _ := strconv.Atoi(attempt)
	j := Job{Subject: subject, Wanted: w, Attempt: a}
	if j.check() != nil || j.ID() != id {
		return Job{}, fmt.Errorf("the queue holds a job that this program did not make: %q", id)
	}
	return j, nil
}
