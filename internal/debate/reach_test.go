package debate

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate/jury"
)

// TestReach asserts that the random debates reach every stage and every value of
// what a debate can come to, so that the properties are not true of
// nothing. It logs how often each was reached.
func TestReach(t *testing.T) {
	t.Parallel()
	reached := map[string]map[string]int{}
	count := func(kind string, value any) {
		if reached[kind] == nil {
			reached[kind] = map[string]int{}
		}
		reached[kind][fmt.Sprint(value)]++
	}
	missing := func() bool {
		for kind, want := range reachable() {
			if slices.ContainsFunc(want, func(value string) bool { return reached[kind][value] == 0 }) {
				return true
			}
		}
		return false
	}
	for _, seed := range seldomReached() {
		tallied(playSeed(t, seed, newWorld), count)
	}
	const most = 1500 // fewer debates do not reach everything without the seeds above
	for n := 0; n < *walks || n < most && missing(); n++ {
		tallied(playSeed(t, *walkFrom+n, newWorld), count)
	}
	for kind, want := range reachable() {
		for _, value := range want {
			if reached[kind][value] == 0 {
				t.Errorf("no debate reaches the %s %q", kind, value)
			}
		}
		var line []string
		for value, n := range reached[kind] {
			line = append(line, fmt.Sprintf("%s %d", value, n))
			if !strings.Contains(" "+strings.Join(want, " ")+" ", " "+value+" ") {
				t.Errorf("a debate reaches the %s %q, which this test does not know", kind, value)
			}
		}
		sort.Strings(line)
		t.Logf("%s: %s", kind, strings.Join(line, ", "))
	}
}

// seldomReached are seeds of debates that reach what few debates reach. The test plays more
// debates if they no longer do.
func seldomReached() []int { return []int{546, 684, 2385} }

func tallied(p played, count func(kind string, value any)) {
	s := p.end()
	count("outcome", s.Ending.Outcome)
	if s.Talk.Exit != "" {
		count("exit", s.Talk.Exit)
	}
	if s.Ending.Confidence != "" {
		count("confidence", s.Ending.Confidence)
	}
	conclusion := s.Conclusion().Check
	count("conclusion", conclusion)
	for _, step := range s.Steps {
		count("event", step.Kind)
		for _, stage := range step.Stages {
			count("stage", stage)
		}
	}
	for _, c := range s.Book.Claims {
		if c.Bucket != "" {
			count("bucket", c.Bucket)
		}
		if c.Reason != "" {
			count("reason", c.Reason)
		}
	}
	for _, k := range s.Book.Challenges {
		count("challenge", k.Status)
		count("challenge kind", k.Kind)
		if k.Deadlock != "" {
			count("deadlock", k.Deadlock)
		}
	}
	for _, x := range s.Agenda.Decisions {
		if x.Outcome != "" {
			count("decision", x.Outcome)
		}
		if x.Panel != nil {
			count("panel", x.Panel.Type)
		}
		for _, trigger := range x.Triggers {
			count("trigger", trigger.ID)
		}
	}
	for _, x := range s.Table.Seats {
		if x.Engagement != "" {
			count("engagement", x.Engagement)
		}
	}
}

// reachable lists what every run of the default walks must reach.
func reachable() map[string][]string {
	return map[string][]string{
		"outcome":    texts(Consensus, Tradeoff, Unchallenged, DegradedLocal, Skipped, Superseded, Aborted),
		"exit":       texts(ExitFast, ExitConverged, ExitThin, ExitDeadlock, ExitLeftOpen, ExitNoReply, ExitCap, ExitBudget, ExitStopped, ExitNoPrimary),
		"confidence": texts(High, Medium, Low, RequiresInput),
		"conclusion": texts(ActionRequired, Failure, Success, Neutral),
		"event": texts(KindReceived, KindSnapshotted, KindSplit, KindCritiqued, KindPoliced, KindPreflighted, KindPublished, KindAbortedEvent,
			KindClosed, KindChecked, KindReplied, KindSinkFailed, KindReminded, KindDecided, KindDisputed, KindHeadMoved, KindWithdrawn, KindStopped, KindResumed),
		"stage": texts(StageReceived, StageSnapshot, StageSplit, StageEligible, StageSkipped, StagePreflight, StageOpening, StageChallenge, StageConsensus,
			StageConfront, StageRebut, StageIterate, StageSynthesise, StageArbitrate, StagePanel1, StagePanel2, StageScore, StageDispute,
			StageHumanDecided, StageSuperseded, StageDegraded, StageGate, StagePublish, StageDone, StageAwaitingHuman, StageAborted),
		"bucket": texts(Agreed, Dismissed, Unresolved),
		"reason": texts(ReasonConceded, ReasonUndefended, ReasonRejected, ReasonOutOfScope, ReasonBlocked, ReasonDefinition, ReasonTradeoff, ReasonUnconfirmed,
			ReasonOpen, ReasonUnreviewed, ReasonLate, ReasonNotDebated, ReasonAnchorShift, ReasonUnexplained, ReasonUnproved, ReasonHuman, ReasonFixed),
		"challenge":      texts(Open, Defended, Dropped, Undefended, Conceded, Resolved, Upheld, Dissent),
		"challenge kind": texts(Skeptical, Rejecting, Reconciling),
		"deadlock":       texts(MissingData, Definitional, Criteria),
		"decision":       texts(Settled, Adopted, AwaitingHuman, HumanDecided, Undecided, DecisionSuperseded, Withdrawn),
		"panel":          texts(jury.Unanimous, jury.Majority, jury.NoMajority, jury.Insufficient),
		"trigger":        texts(TriggerArchitecture, TriggerDeploy, TriggerSecurity, TriggerMoney, TriggerTie, TriggerDivergence, TriggerContested),
		"engagement":     texts(Agrees, Partially, Disagrees, Abstains),
	}
}

func texts[S ~string](list ...S) []string {
	var all []string
	for _, s := range list {
		all = append(all, string(s))
	}
	return all
}
