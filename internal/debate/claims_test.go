package debate

import (
	"slices"
	"testing"
)

// agrees is the word of a party that agrees with a claim and cites lines for it.
func agrees(party string) Evaluation {
	return Evaluation{Party: party, N: 1, Class: ClassAgree, View: Supports, Qualified: true, Reasoned: true, Severity: P2}
}

// agreesInWords is that of one that gives a reason, and no lines.
func agreesInWords(party string) Evaluation {
	e := agrees(party)
	e.Qualified = false
	return e
}

// agreesBarely is that of one that says nothing more.
func agreesBarely(party string) Evaluation {
	e := agrees(party)
	e.Qualified, e.Reasoned = false, false
	return e
}

// placed is what a claim comes to.
type placed struct {
	bucket Bucket
	reason Reason
	code   WhyCode
}

// bucketRow is a claim of claude about one line, changed, and what it comes to.
type bucketRow struct {
	change func(*Claim)
	said   []Evaluation
	attack *Challenge // by gpt, unless it says otherwise
	state  func(*State)
	want   placed
}

func (row bucketRow) run(t *testing.T) {
	t.Parallel()
	c := Claim{ID: "F1", Owner: "claude", Title: "it leaks", Kind: Empirical, Asserted: P2, Severity: P2, Category: Security, ReportedBy: []string{"claude"}, Evidence: shownAt("a.go", 3), Evaluations: row.said}
	c.Evidence[0].By, c.Evidence[0].Type = "claude", Textual
	if row.change != nil {
		row.change(&c)
	}
	s := threeParties(c)
	if k := row.attack; k != nil {
		k.ID, k.Claim = "K1", "F1"
		if k.Attacker == "" {
			k.Attacker = "gpt"
		}
		s.Book.Challenges = append(s.Book.Challenges, *k)
	}
	if row.state != nil {
		row.state(&s)
	}
	(&reducer{State: &s, step: &Step{}}).settleClaims()
	got := s.Book.Claims[0]
	if (placed{got.Bucket, got.Reason, got.Why.Code}) != row.want {
		t.Errorf("it is %q, %q, %q; want %q", got.Bucket, got.Reason, got.Why.Code, row.want)
	}
}

var isAgreed = placed{Agreed, "", ""}

func isOpen(reason Reason, code WhyCode) placed { return placed{Unresolved, reason, code} }
func isOut(reason Reason, code WhyCode) placed  { return placed{Dismissed, reason, code} }

func misquoted(c *Claim) { c.Evidence[0].CitationOK = false }

// TestConfirmed: what it takes to confirm a claim, and what is wanting where it is not
// confirmed (R142, R145, M02).
func TestConfirmed(t *testing.T) {
	t.Parallel()
	yes := []Evaluation{agrees("gpt")}
	doubts := []Evaluation{{Party: "gpt", N: 1, Class: ClassSkeptical, Flaw: "not sure"}}
	twins := func(s *State) { s.Table.Parties[1].Family = "anthropic" }
	gaveIn := &Challenge{Kind: Skeptical, Status: Resolved, ResolvedWith: told("so be it")}
	for name, row := range map[string]bucketRow{
		"another voice cites lines":                 {said: yes, want: isAgreed},
		"another voice gives a reason":              {said: []Evaluation{agreesInWords("gpt")}, want: isAgreed},
		"its lines are not there":                   {change: misquoted, said: yes, want: isOpen(ReasonUnconfirmed, WhyNotVerified)},
		"nobody weighed a P2":                       {want: isOpen(ReasonUnreviewed, WhyNotWeighed)},
		"nobody weighed a P3":                       {change: func(c *Claim) { c.Asserted = P3 }, want: isOpen(ReasonUnconfirmed, WhyNotWeighed)},
		"no model debated a P2":                     {state: func(s *State) { s.Ending.Outcome = DegradedLocal }, want: isOpen(ReasonUnconfirmed, WhyNotWeighed)},
		"its owner alone weighed it":                {said: []Evaluation{agrees("claude")}, want: isOpen(ReasonUnreviewed, WhyNotWeighed)},
		"another one of its family agrees":          {said: yes, state: twins, want: isOpen(ReasonUnconfirmed, WhyOneFamily)},
		"who agrees says nothing":                   {said: []Evaluation{agreesBarely("gpt")}, want: isOpen(ReasonUnconfirmed, WhyNoReason)},
		"who agrees says nothing, no line is there": {change: misquoted, said: []Evaluation{agreesBarely("gpt")}, want: isOpen(ReasonUnproved, WhyNoQuote)},
		"who agrees objected first":                 {said: []Evaluation{agreesBarely("gpt")}, attack: gaveIn, want: isOpen(ReasonUnconfirmed, WhyGaveInWords)},
		"who agrees asked first what it means": {said: []Evaluation{agreesBarely("gpt")}, attack: &Challenge{
			Kind: Skeptical, Status: Resolved, Clarify: true,
		}, want: isOpen(ReasonUnconfirmed, WhyNoReason)},
		"who agrees says nothing, another objected": {said: []Evaluation{agreesBarely("gpt")}, attack: &Challenge{
			Kind: Skeptical, Status: Resolved, Attacker: "gemini",
		}, want: isOpen(ReasonUnconfirmed, WhyNoReason)},
		"somebody disagrees in words":          {said: doubts, attack: &Challenge{Kind: Skeptical, Status: Dissent}, want: isOpen(ReasonUnconfirmed, WhyDisagrees)},
		"somebody doubts, and opened nothing":  {said: doubts, want: isOpen(ReasonUnconfirmed, WhyNotVerified)},
		"a judgement that another one shares":  {change: func(c *Claim) { c.Kind, c.Evidence = Value, nil }, said: []Evaluation{agreesInWords("gpt")}, want: isAgreed},
		"a judgement that nobody shares":       {change: func(c *Claim) { c.Kind = Value }, said: doubts, want: isOpen(ReasonUnreviewed, WhyNobodyAgrees)},
		"a proposal that another one shares":   {change: func(c *Claim) { c.Kind = Proposal }, said: yes, want: isAgreed},
		"a proposal, and no line is there":     {change: func(c *Claim) { c.Kind = Proposal; misquoted(c) }, said: yes, want: isOpen(ReasonUnconfirmed, WhyNotVerified)},
		"an earlier head found it":             {change: func(c *Claim) { c.Carried = "F1" }, want: isAgreed},
		"an earlier head found it, no line is": {change: func(c *Claim) { c.Carried = "F1"; misquoted(c) }, said: doubts, want: isOpen(ReasonUnconfirmed, WhyNotVerified)},
	} {
		t.Run(name, row.run)
	}
}

// TestUnproved: what one party says is no dispute if no quote of it was found, or if the
// party was dropped. A P1 with a quote stays, and so does what others hold.
func TestUnproved(t *testing.T) {
	t.Parallel()
	open := &Challenge{Kind: Skeptical, Status: Open}
	value := func(c *Claim) { c.Kind, c.Evidence = Value, nil }
	stuck := &Challenge{Kind: Skeptical, Status: Open, Deadlock: Criteria, Views: []DeadlockSide{{Party: "claude"}, {Party: "gpt"}}}
	alone := &Challenge{Kind: Skeptical, Status: Open, Deadlock: Criteria, Views: []DeadlockSide{{Party: "claude"}}}
	left := func(why PartyStatus) func(*State) {
		return func(s *State) {
			s.Table.Seats[0].Lost, s.Table.Parties[0].Status = true, why
		}
	}
	p1 := func(c *Claim) { c.Asserted = P1 }
	for name, row := range map[string]bucketRow{
		"its quote is not found":                       {change: misquoted, attack: open, want: isOpen(ReasonUnproved, WhyNoQuote)},
		"its quote is not found, nobody weighed it":    {change: misquoted, want: isOpen(ReasonUnproved, WhyNoQuote)},
		"a P1, and its quote is not found":             {change: func(c *Claim) { p1(c); misquoted(c) }, attack: open, want: isOpen(ReasonUnproved, WhyNoQuote)},
		"its quote is found":                           {attack: open, want: isOpen(ReasonOpen, WhyChallengeOpen)},
		"another one holds it too":                     {change: misquoted, said: []Evaluation{agreesInWords("gemini")}, attack: open, want: isOpen(ReasonOpen, WhyChallengeOpen)},
		"a judgement that quotes nothing":              {change: value, attack: open, want: isOpen(ReasonOpen, WhyChallengeOpen)},
		"a judgement, and its quote is not found":      {change: func(c *Claim) { c.Kind = Value; misquoted(c) }, attack: open, want: isOpen(ReasonUnproved, WhyNoQuote)},
		"both name what would settle it":               {change: misquoted, attack: stuck, want: isOpen(ReasonTradeoff, WhyCriteria)},
		"its finder alone names what would settle it":  {change: misquoted, attack: alone, want: isOpen(ReasonUnproved, WhyNoQuote)},
		"its finder was dropped":                       {attack: open, state: left(PartyQuality), want: isOpen(ReasonUnproved, WhyFinderDropped)},
		"its finder was dropped, and it is a P1":       {change: p1, attack: open, state: left(PartyQuality), want: isOpen(ReasonOpen, WhyChallengeOpen)},
		"its finder was dropped, and another holds it": {said: []Evaluation{agrees("gemini")}, attack: open, state: left(PartyQuality), want: isAgreed},
		"its finder cannot be reached":                 {attack: open, state: left(PartyTimeout), want: isOpen(ReasonOpen, WhyChallengeOpen)},
		"its finder gives it up":                       {change: misquoted, attack: &Challenge{Defender: "claude", Kind: Skeptical, Status: Conceded}, want: isOut(ReasonConceded, WhyConceded)},
		"it came too late":                             {change: func(c *Claim) { misquoted(c); c.Late = true }, want: isOpen(ReasonLate, WhyLate)},
	} {
		t.Run(name, row.run)
	}
}

// TestUntimelyAndBeside: what is not about the change, what came too late and what takes no
// part in the debate (R128, A10, A25, X19).
func TestUntimelyAndBeside(t *testing.T) {
	t.Parallel()
	yes := []Evaluation{agrees("gpt")}
	late := func(c *Claim) { c.Late = true }
	reframes := func(c *Claim) { c.Reframe = true }
	consents := func(s *State) {
		s.Received.Orders = []Order{{Kind: OrderReframe, Target: "it leaks", By: Actor{Login: "bob", Permission: WriteAccess}}}
	}
	accepts := func(s *State) { s.Known = []Known{{Snippet: "quoted lines", By: "bob", Reason: "why"}} }
	longer := func(c *Claim) { c.Evidence[0].Cite.Quote = "quoted lines" }
	for name, row := range map[string]bucketRow{
		"it is part of another one": {change: func(c *Claim) { c.SameAs, c.Bucket = "F2", Agreed }, said: yes, state: func(s *State) {
			s.Book.Claims = append(s.Book.Claims, Claim{ID: "F2"})
		}, want: placed{"", "", WhyMerged}},
		"it is out of scope":                    {change: func(c *Claim) { c.OutOfScope = true }, said: yes, want: isOut(ReasonOutOfScope, WhyOutOfScope)},
		"it is late":                            {change: late, want: isOpen(ReasonLate, WhyLate)},
		"it is late, and confirmed":             {change: late, said: yes, want: isAgreed},
		"it is late, and only words are for it": {change: func(c *Claim) { late(c); c.Kind, c.Evidence = Value, nil }, said: []Evaluation{agreesInWords("gpt")}, want: isOpen(ReasonLate, WhyLate)},
		"it is one too many":                    {change: func(c *Claim) { c.NotDebated = true }, said: yes, want: isOpen(ReasonNotDebated, WhyTooMany)},
		"this head may not raise it":            {change: func(c *Claim) { c.Extra = true }, said: yes, want: isOpen(ReasonNotDebated, WhyLaterHead)},
		"it is another question":                {change: reframes, said: yes, want: isOpen(ReasonAnchorShift, WhyReframes)},
		"it is another question, as asked for":  {change: reframes, said: yes, state: consents, want: isAgreed},
		"the settings accept it":                {change: longer, said: yes, state: accepts, want: isOut(ReasonKnown, WhyKnown)},
		"it is out of scope, and accepted too":  {change: func(c *Claim) { longer(c); c.OutOfScope = true }, state: accepts, want: isOut(ReasonKnown, WhyKnown)},
	} {
		t.Run(name, row.run)
	}
}

// TestSeenByTheCritic: what a built-in rule found stands, unless its lines are not there
// or two families reject it with lines at them.
func TestSeenByTheCritic(t *testing.T) {
	t.Parallel()
	rule := func(c *Claim) { c.Owner, c.Rule, c.Evidence[0].Verified = EngineParty, "sql/drop-table", true }
	rejects := func(attacker string, path string, line int) Challenge {
		return Challenge{ID: "K" + attacker, Claim: "F1", Attacker: attacker, Defender: EngineParty, Kind: Rejecting, Status: Open, Evidence: shownAt(path, line)}
	}
	against := func(list ...Challenge) func(*State) {
		return func(s *State) { s.Book.Challenges = list }
	}
	doubts := rejects("gemini", "a.go", 3)
	doubts.Kind = Skeptical
	missing := rejects("gemini", "a.go", 3)
	missing.Evidence[0].CitationOK = false
	twins := func(s *State) {
		against(rejects("gpt", "a.go", 3), rejects("gemini", "a.go", 3))(s)
		s.Table.Parties[1].Family = s.Table.Parties[2].Family
	}
	fixed := func(s *State) {
		s.Carried = []CarriedState{{Carried: Carried{ID: "F1", Severity: P2}, Claim: "F1", Mends: []string{"gpt", "gemini"}}}
		s.Received.Previous.Head = "h0"
	}
	first := rejects("gpt", "a.go", 3)
	for name, row := range map[string]bucketRow{
		"nobody says anything":                      {change: rule, want: isAgreed},
		"its lines are not there":                   {change: func(c *Claim) { rule(c); c.Evidence[0].Verified = false }, want: isOpen(ReasonUnconfirmed, WhyLinesMissing)},
		"one family rejects it":                     {change: rule, state: against(first), want: isAgreed},
		"two families reject it":                    {change: rule, state: against(first, rejects("gemini", "a.go", 3)), want: isOpen(ReasonOpen, WhyRejected)},
		"two of one family do":                      {change: rule, state: twins, want: isAgreed},
		"the second one only doubts it":             {change: rule, state: against(first, doubts), want: isAgreed},
		"the second one cites the next line":        {change: rule, state: against(first, rejects("gemini", "a.go", 4)), want: isOpen(ReasonOpen, WhyRejected)},
		"the second one cites lines apart":          {change: rule, state: against(first, rejects("gemini", "a.go", 5)), want: isAgreed},
		"the second one cites another file":         {change: rule, state: against(first, rejects("gemini", "b.go", 3)), want: isAgreed},
		"the second one cites what is not there":    {change: rule, state: against(first, missing), want: isAgreed},
		"the second one is the author":              {change: rule, state: against(first, rejects(AuthorParty, "a.go", 3)), want: isAgreed},
		"a rule finds it again on this head":        {change: func(c *Claim) { rule(c); c.Carried = "F1" }, state: fixed, want: isAgreed},
		"no rule finds it any more, and it is gone": {change: func(c *Claim) { rule(c); c.Carried, c.Rule = "F1", "" }, state: fixed, want: isOut(ReasonFixed, WhyFixedBy)},
		"a rule without a name":                     {change: func(c *Claim) { rule(c); c.Rule = "" }, want: isAgreed},
	} {
		t.Run(name, row.run)
	}
}

// TestFallen: what makes a claim fall: its owner gives it up, leaves it undefended, or
// better evidence is against it; what others hold or lines show falls to no word (M03).
func TestFallen(t *testing.T) {
	t.Parallel()
	conceded := func(change func(*Challenge)) *Challenge {
		k := &Challenge{Defender: "claude", Kind: Skeptical, Status: Conceded, Shown: true}
		if change != nil {
			change(k)
		}
		return k
	}
	is := func(status ChallengeStatus, kind ChallengeKind, change func(*Challenge)) *Challenge {
		k := &Challenge{Defender: "claude", Kind: kind, Status: status}
		if change != nil {
			change(k)
		}
		return k
	}
	lines := func(k *Challenge) { k.Evidence = shownAt("a.go", 9) }
	run := func(line int) func(*Challenge) {
		return func(k *Challenge) {
			k.Evidence = []Evidence{ofRun("check:1", Citation{Path: "a.go", StartLine: line, EndLine: line})}
		}
	}
	andConceded := func(s *State) {
		s.Book.Challenges = append(s.Book.Challenges, Challenge{ID: "K2", Claim: "F1", Attacker: "gemini", Defender: "claude", Kind: Skeptical, Status: Conceded, Shown: true})
	}
	unexplained := func(k *Challenge) { k.Unexplained = true }
	shown := func(k *Challenge) { k.Shown = true }
	yielded := func(k *Challenge) { k.Yielded = []string{"claude"} }
	yes := []Evaluation{agrees("gemini")}
	for name, row := range map[string]bucketRow{
		"its owner gives it up":                       {attack: conceded(nil), want: isOut(ReasonConceded, WhyConceded)},
		"its owner gives it up in words":              {attack: conceded(func(k *Challenge) { k.InWords = true }), want: isOpen(ReasonOpen, WhyConcededInWords)},
		"in words to one, with a reason to the next":  {attack: conceded(func(k *Challenge) { k.InWords = true }), state: andConceded, want: isOut(ReasonConceded, WhyConceded)},
		"another one holds it with lines":             {said: yes, attack: conceded(nil), want: isOpen(ReasonOpen, WhyHeldByOther)},
		"another one holds it with a reason":          {said: []Evaluation{agreesInWords("gemini")}, attack: conceded(nil), want: isOpen(ReasonOpen, WhyHeldByOther)},
		"another one agrees, and says nothing":        {said: []Evaluation{agreesBarely("gemini")}, attack: conceded(nil), want: isOut(ReasonConceded, WhyConceded)},
		"who attacked it agrees":                      {said: []Evaluation{agrees("gpt")}, attack: conceded(nil), want: isOut(ReasonConceded, WhyConceded)},
		"no line is there, another one has lines":     {change: misquoted, said: yes, attack: conceded(nil), want: isOpen(ReasonOpen, WhyHeldByOther)},
		"no line is there, another one has words":     {change: misquoted, said: []Evaluation{agreesInWords("gemini")}, attack: conceded(nil), want: isOut(ReasonConceded, WhyConceded)},
		"nobody defended lines":                       {attack: is(Undefended, Skeptical, nil), want: isOpen(ReasonOpen, WhyVerifiedUndefended)},
		"nobody defended what shows nothing":          {change: misquoted, attack: is(Undefended, Skeptical, nil), want: placed{Unresolved, ReasonUnproved, WhyNoQuote}},
		"nobody said what it means":                   {attack: is(Undefended, Skeptical, func(k *Challenge) { k.Clarify = true }), want: isOpen(ReasonDefinition, WhyNotMeant)},
		"rejected with lines, and it has none":        {change: misquoted, attack: is(Upheld, Rejecting, lines), want: isOut(ReasonRejected, WhyBetterEvidence)},
		"rejected with lines, and it has some":        {attack: is(Upheld, Rejecting, lines), want: isOpen(ReasonOpen, WhyMaintained)},
		"rejected with a run that failed there":       {attack: is(Upheld, Rejecting, run(3)), want: isOut(ReasonRejected, WhyBetterEvidence)},
		"rejected with a run that failed elsewhere":   {attack: is(Upheld, Rejecting, run(4)), want: isOpen(ReasonOpen, WhyMaintained)},
		"a rejection that is still open":              {change: misquoted, attack: is(Open, Rejecting, lines), want: isOpen(ReasonUnproved, WhyNoQuote)},
		"a doubt with lines, and it has none":         {change: misquoted, attack: is(Upheld, Skeptical, lines), want: isOpen(ReasonUnproved, WhyNoQuote)},
		"its attacker gave in without a word":         {attack: is(Resolved, Skeptical, unexplained), want: isOpen(ReasonUnexplained, WhyUnexplained)},
		"the same, and it is confirmed all the same":  {said: yes, attack: is(Resolved, Skeptical, unexplained), want: isAgreed},
		"its owner gave in without a word":            {said: yes, attack: conceded(unexplained), want: isOpen(ReasonUnexplained, WhyUnexplained)},
		"two others hold it with lines":               {said: []Evaluation{agrees("gpt"), agrees("gemini")}, attack: conceded(nil), want: isOpen(ReasonOpen, WhyHeldByOther)},
		"nobody answered lines against it":            {attack: is(Undefended, Skeptical, shown), want: isOut(ReasonUndefended, WhyUndefended)},
		"the same, and another one holds it":          {said: yes, attack: is(Undefended, Skeptical, shown), want: isOpen(ReasonOpen, WhyVerifiedUndefended)},
		"the same, and a run supports it":             {change: func(c *Claim) { c.Evidence = append(c.Evidence, ofRun("check:1", c.Evidence[0].Cite)) }, attack: is(Undefended, Skeptical, shown), want: isOpen(ReasonOpen, WhyVerifiedUndefended)},
		"its owner gave in, and one defends it":       {attack: is(Resolved, Skeptical, yielded), want: isOpen(ReasonOpen, WhyHeldByOther)},
		"its owner gave in, and two others hold it":   {said: []Evaluation{agrees("gpt"), agrees("gemini")}, attack: is(Resolved, Skeptical, yielded), want: isAgreed},
		"another one gave in, and its owner defends":  {said: yes, attack: is(Resolved, Skeptical, func(k *Challenge) { k.Yielded = []string{"gemini"} }), want: isAgreed},
		"a challenge that was answered and given up":  {said: yes, attack: is(Resolved, Skeptical, nil), want: isAgreed},
		"a party was asked to reconcile, and did not": {said: yes, attack: is(Undefended, Reconciling, nil), want: isAgreed},
	} {
		t.Run(name, row.run)
	}
}

// TestContended: what keeps a claim unresolved: an attack that was not settled; what two
// voices hold takes one that shows something and is not answered (R144, M02).
func TestContended(t *testing.T) {
	t.Parallel()
	stands := func(change func(*Challenge)) *Challenge {
		k := &Challenge{Defender: "claude", Kind: Skeptical, Status: Open}
		if change != nil {
			change(k)
		}
		return k
	}
	stuck := func(class DeadlockClass) *Challenge { return stands(func(k *Challenge) { k.Deadlock = class }) }
	yes := []Evaluation{agrees("gemini")}
	for name, row := range map[string]bucketRow{
		"a challenge is open":                       {attack: stands(nil), want: isOpen(ReasonOpen, WhyChallengeOpen)},
		"it was heard to the end":                   {attack: stands(func(k *Challenge) { k.Status = Upheld }), want: isOpen(ReasonOpen, WhyMaintained)},
		"nobody said yet what it means":             {attack: stands(func(k *Challenge) { k.Clarify = true }), want: isOpen(ReasonDefinition, WhyMeaningOpen)},
		"data is missing":                           {attack: stuck(MissingData), want: isOpen(ReasonBlocked, WhyUnmeasured)},
		"the sides define it in two ways":           {attack: stuck(Definitional), want: isOpen(ReasonDefinition, WhyDefinitions)},
		"the sides weigh it in two ways":            {attack: stuck(Criteria), want: isOpen(ReasonTradeoff, WhyCriteria)},
		"words are closed":                          {attack: stands(func(k *Challenge) { k.Status = Dissent }), want: isOpen(ReasonUnreviewed, WhyNotWeighed)},
		"two voices hold it against words":          {said: yes, attack: stands(nil), want: isAgreed},
		"two voices hold it, and answered lines":    {said: yes, attack: stands(func(k *Challenge) { k.Shown, k.Answered = true, true }), want: isAgreed},
		"two voices hold it, and answered no lines": {said: yes, attack: stands(func(k *Challenge) { k.Shown = true }), want: isOpen(ReasonOpen, WhyChallengeOpen)},
		"as many show lines against it as hold it":  {said: yes, attack: stands(func(k *Challenge) { k.Shown, k.Answered = true, true }), state: alsoLlama, want: isOpen(ReasonOpen, WhyChallengeOpen)},
	} {
		t.Run(name, row.run)
	}
}

// alsoLlama seats one more party, which shows lines against the claim.
func alsoLlama(s *State) {
	s.Table.Parties = append(s.Table.Parties, Party{ID: "llama", Role: Challenger, Family: "meta", Status: PartyOK})
	s.Table.Seats = append(s.Table.Seats, Seat{Party: "llama"})
	s.Book.Challenges = append(s.Book.Challenges, Challenge{ID: "K2", Claim: "F1", Attacker: "llama", Defender: "claude", Kind: Skeptical, Status: Open, Shown: true, Answered: true})
}

// TestCrux: what would settle a dispute is the measurement that is missing, else what is
// objected (R144).
func TestCrux(t *testing.T) {
	t.Parallel()
	view := func(class DeadlockClass) []DeadlockSide {
		return []DeadlockSide{{Party: "gpt", DeadlockView: DeadlockView{Class: class, Measurement: "p99", Threshold: "200 ms", Effect: "it falls"}}}
	}
	const measure = "measure p99; threshold 200 ms: it falls"
	for name, row := range map[string]struct {
		deadlock DeadlockClass
		views    []DeadlockSide
		want     string
	}{
		"no deadlock":                                       {"", nil, "it is slow"},
		"data is missing, and a side says which":            {MissingData, view(MissingData), measure},
		"data is missing, and no side says which":           {MissingData, view(Criteria), "it is slow"},
		"a side calls for data in another deadlock":         {Criteria, view(MissingData), measure},
		"a side calls for data, and the thread ended early": {"", view(MissingData), measure},
	} {
		t.Run(name, func(t *testing.T) {
			k := Challenge{Objection: "it is slow", Deadlock: row.deadlock, Views: row.views}
			if got := k.crux(); got != row.want {
				t.Errorf("it is %q, want %q", got, row.want)
			}
		})
	}
}

// TestJointStaysInADispute: whether two voices hold a claim is said anew, and a dispute
// takes none of them away (A26).
func TestJointStaysInADispute(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		said       []Evaluation
		final, was bool
		want       bool
	}{
		"two voices hold it":                   {[]Evaluation{agrees("gpt")}, false, false, true},
		"one does":                             {nil, false, false, false},
		"one does, and two did":                {nil, false, true, false},
		"one does since a dispute, two did":    {nil, true, true, true},
		"one does since a dispute, and before": {nil, true, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(Claim{ID: "F1", Owner: "claude", Kind: Empirical, Evidence: shownAt("a.go", 3), Evaluations: row.said, Final: row.final, Joint: row.was})
			(&reducer{State: &s, step: &Step{}}).settleClaims()
			if got := s.Book.Claims[0].Joint; got != row.want {
				t.Errorf("two voices hold it: %v, want %v", got, row.want)
			}
		})
	}
}

// TestNotWeighedBy: who debated to the end and said nothing of a finding is named at it,
// and nowhere else.
func TestNotWeighedBy(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		change func(*State, *Claim)
		want   []string
	}{
		"both others are silent": {want: []string{"gemini", "gpt"}},
		"one agrees":             {change: func(_ *State, c *Claim) { c.Evaluations = []Evaluation{agrees("gpt")} }, want: []string{"gemini"}},
		"one doubts, one objects": {change: func(s *State, c *Claim) {
			c.Evaluations = []Evaluation{{Party: "gpt", Class: ClassSkeptical}}
			s.Book.Challenges = []Challenge{{ID: "K1", Claim: c.ID, Attacker: "gemini"}}
		}},
		"one reported the same": {change: func(_ *State, c *Claim) { c.ReportedBy = []string{"claude", "gpt"} }, want: []string{"gemini"}},
		"one was lost":          {change: func(s *State, _ *Claim) { s.Table.seat("gpt").Lost = true }, want: []string{"gemini"}},
		"one never answered":    {change: func(s *State, _ *Claim) { s.Table.seat("gpt").SpokeAt = 0 }, want: []string{"gemini"}},
		"a rule found it":       {change: func(_ *State, c *Claim) { c.Owner = EngineParty }},
		"it came too late":      {change: func(_ *State, c *Claim) { c.Late = true }},
		"no debate took place":  {change: func(s *State, _ *Claim) { s.Ending.Outcome = DegradedLocal }},
	} {
		t.Run(name, func(t *testing.T) {
			s := threeParties(Claim{ID: "F1", Owner: "claude", ReportedBy: []string{"claude"}})
			s.Ending.Outcome = Consensus
			for i := range s.Table.Seats {
				s.Table.Seats[i].SpokeAt = 3
			}
			c := &s.Book.Claims[0]
			if row.change != nil {
				row.change(&s, c)
			}
			got := s.NotWeighedBy(*c)
			slices.Sort(got)
			if !slices.Equal(got, row.want) {
				t.Errorf("not weighed by %q, want %q", got, row.want)
			}
		})
	}
}
