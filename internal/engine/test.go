package engine

import (
	"context"
	"strings"
	"time"

	"github.com/prdebate/debate/internal/debate"
)

// test runs the tests among the looks of a party. The same test runs once in a debate, also
// if several parties write it.
func (r *Review) test(ctx context.Context, a answer, all []debate.Seen) {
	left := 0
	if r.state.MayTest(a.ask) > 0 {
		left = r.state.TestsLeft()
	}
	ran := make(map[string]*debate.TestRun)
	for i, l := range all {
		if l.Kind != debate.LookTest {
			continue
		}
		seen := debate.Seen{Look: debate.Look{Kind: l.Kind, Path: l.Path, Claim: r.Subject.redactor.Text(l.Claim)}}
		if r.state.Received.Settings.Tests.Later { // the record hands it over, so it must have no secret
			l.Content = r.asText(l.Path, l.Content) + "\n"
		}
		ref := debate.TestRef(l.Path, l.Content)
		if seen.Test = ran[ref]; seen.Test == nil {
			seen.Test = r.state.TestRan(ref)
		}
		switch {
		case r.Tester == nil, r.state.Received.Settings.Tests.Runs == 0:
			seen.Why = debate.LookNoTests
		case seen.Test != nil:
		case left == 0:
			seen.Why = debate.LookUsedUp
		default:
			seen.Test, seen.Why = r.testOnce(ctx, a, l.Look)
			if seen.Test != nil {
				ran[ref] = seen.Test
				left--
			}
		}
		if seen.Test == nil {
			seen.Content = r.asText("test.txt", l.Content)
		}
		all[i] = seen
	}
}

// testOnce runs a test in the remaining time of the debate, and takes the secrets out of
// its result.
func (r *Review) testOnce(ctx context.Context, a answer, l debate.Look) (*debate.TestRun, debate.Withheld) {
	left := r.timeLeft(a.ended)
	if left <= 0 {
		return nil, debate.LookUsedUp
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(left)*time.Millisecond)
	defer cancel()
	t, why := r.Tester.Test(ctx, l)
	if t == nil {
		return nil, why
	}
	t.Content = r.asText(t.Path, t.Content) + "\n"
	for i, word := range t.Command {
		t.Command[i] = r.Subject.redactor.Text(word)
	}
	for i := range t.Runs {
		t.Runs[i].Output = clip(r.asText("output.txt", t.Runs[i].Output), maxOutput)
	}
	return t, ""
}

// asText is a text of a test without secrets, "" if it cannot be searched for secrets.
func (r *Review) asText(path, text string) string {
	if text == "" {
		return ""
	}
	lines, _ := r.asShown(path, []byte(text))
	return strings.Join(lines, "\n")
}

// maxOutput bounds the recorded output of a test, in bytes.
const maxOutput = 16 << 10
