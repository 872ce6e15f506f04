package cli

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
)

// sameRequest refuses to go on with a review under other settings, or about
// another text, than it was started with: they would be neither in force nor in
// the record.
func (c *reviewCmd) sameRequest(first debate.Received, set settings, intent string) error {
	switch {
	case first.Inquiry != nil:
		return usage(errors.New("the record is that of a question: go on with debate ask"))
	case first.Settings.ConfigHash != set.hash || first.Target != debate.Target(c.Target):
		return usage(errors.New("the settings are not those that the review was started with; repeat its flags, or start a new review"))
	case first.Anchor.Intent != intent:
		return usage(errors.New("the text of --body is not the one that the review was started with; repeat it, or start a new review"))
	}
	return nil
}

// received is the first event of a new review.
func (c *reviewCmd) received(r *run, frozen *frozenChange, set settings, intent string) (debate.Received, error) {
	first, err := set.received(r.Env, "")
	first.Scope, first.Target = frozen.event.Scope, debate.Target(c.Target)
	first.Anchor.Intent = intent
	if frozen.snapshot.Tree() != nil {
		first.Settings.Looks = set.looks()
	}
	if err != nil {
		return first, err
	}
	err = set.instruct(r.ctx, &first, frozen.snapshot.Change, eachOf(frozen.policyFile))
	return first, err
}

// looks is how many things a reviewer may look at in one call.
func (s settings) looks() int {
	if s.config.Context != config.ContextRepository {
		return 0
	}
	return *s.config.Limits.Looks
}

// instruct adds the guidance and the advice about the changed files.
func (s settings) instruct(ctx context.Context, first *debate.Received, change patch.Change, read adviceReader) (err error) {
	changed := namesOf(change.Set.Files)
	first.Guidance = guidance(s.config.Instructions, changed)
	first.Advice, err = s.advice(ctx, adviceAt(changed, change.BaseHas, change.BaseNames), read)
	return err
}

// received returns the first event of a new debate under some settings; the caller adds the
// subject. The session is named debate-YYYYmmdd-HHMMSS-<number> (R050); an empty number is drawn.
func (s settings) received(e Env, number string) (debate.Received, error) {
	var seed [16]byte
	if _, err := io.ReadFull(e.Random, seed[:]); err != nil {
		return debate.Received{}, fmt.Errorf("draw the seed of the debate: %w", err)
	}
	var drawn [4]byte
	if _, err := io.ReadFull(e.Random, drawn[:]); err != nil {
		return debate.Received{}, fmt.Errorf("draw the number of the session: %w", err)
	}
	if number == "" {
		number = strconv.FormatUint(uint64(binary.BigEndian.Uint32(drawn[:])), 10)
	}
	return debate.Received{
		Protocol:  debate.ProtocolVersion,
		SessionID: fmt.Sprintf("debate-%s-%s", e.Now().UTC().Format("20060102-150405"), number),
		Seed:      hex.EncodeToString(seed[:]),
		Mode:      s.config.Mode,
		Settings:  s.debated(),
		Notes:     s.notes,
		Language:  language(s.config.Publish),
	}, nil
}

// debated returns the settings of the debate itself. For limits that are 0 the protocol's
// own count.
func (s settings) debated() debate.Settings {
	c := s.config
	out := debate.Settings{
		Gate:            c.Gate,
		FailOn:          c.FailOn,
		AbortIfNoParty:  c.OnNoChallengers == config.Abort,
		ConfigHash:      s.hash,
		ConfigDefective: s.defective,
		Opening:         debate.Opening(c.Parties.Opening),
		MaxRounds:       c.Limits.MaxRounds,
		MaxClaims:       c.Limits.MaxClaims,
		MaxDecisions:    c.Limits.MaxDecisions,
		MaxCalls:        c.Limits.MaxCalls,
		MaxCostMicro:    int64(c.Limits.MaxCostUSD), // millionths, both
		BudgetMinutes:   c.Limits.BudgetMinutes,
		AllowSameFamily: *c.AllowSameFamily || s.panel.sameFamily,
		AuthorMayDecide: *c.Escalation.AuthorMayDecide,
		Deciders:        debate.Permission(c.Escalation.Deciders),
		Forbidden:       s.forbidden,
	}
	for _, one := range c.Rubric.Criteria {
		out.Criteria = append(out.Criteria, debate.Criterion{ID: one.Name, WeightBP: one.Weight})
	}
	return out
}
