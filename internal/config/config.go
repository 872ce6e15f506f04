// Package config reads the settings of a repository and of an operator. It is
// strict: every unknown key, wrong type and impossible value is an error with
// line and column, and all of them are reported at once.
//
// A file says only what it says: Parse leaves everything else at its zero
// value, and Merge completes the settings of an operator and a repository with
// the defaults (S02). The tags named jsonschema bound the values both for Parse
// and for the JSON Schema that editors use, so that the two cannot disagree.
package config

import "github.com/prdebate/debate/internal/debate"

// Config is one settings file, or the settings of a run once Merge completed
// it. The zero value of a field means that it is not set.
type Config struct {
	// Version of the format of this file.
	Version int `yaml:"version,omitempty" jsonschema:"enum=1"`
	// How long the models debate: standard, minimal (shorter) or quick (one opens, the others read it).
	Mode debate.Mode `yaml:"mode,omitempty"`
	// Who debates. Left out: the providers whose keys are present.
	Parties Parties `yaml:"parties,omitempty"`
	// What happens when no challenger can be reached: the built-in rules and one more look, or no review.
	OnNoChallengers OnNoChallengers `yaml:"on_no_challengers,omitempty"`
	// Whether challengers of the maker of the primary's model may debate. It is set by itself when nothing is configured and the keys of one maker only are present.
	AllowSameFamily *bool `yaml:"allow_same_family,omitempty"`
	// Bounds of one run. A repository can lower the operator's, never raise them.
	Limits Limits `yaml:"limits,omitempty"`
	// What models cost, in US dollars for a million tokens, where the built-in table does not know it or is wrong. Operator only.
	Prices []Price `yaml:"prices,omitempty" operator:"only" jsonschema:"maxItems=100"`
	// What models are shown beside the changed lines: lines of the whole repository that use what the change takes away, lines of the changed files alone, or nothing. The narrower of the operator's and the repository's counts.
	Context Context `yaml:"context,omitempty"`
	// Paths by what they are.
	Paths Paths `yaml:"paths,omitempty"`
	// Guidance for the parties, by path.
	Instructions []Instruction `yaml:"instructions,omitempty" jsonschema:"maxItems=50"`
	// What makes a decision critical in this repository, beside the built-in triggers.
	Critical []Critical `yaml:"critical,omitempty" jsonschema:"maxItems=50"`
	// Findings that the maintainers know of and accept until a day: they are counted and not posted. Never a P1, a secret or a finding in a workflow. Not in the file of an operator.
	Known []Known `yaml:"known,omitempty" operator:"never" jsonschema:"maxItems=100"`
	// How open decisions are scored.
	Rubric Rubric `yaml:"rubric,omitempty"`
	// What is published on a pull request.
	Publish Publish `yaml:"publish,omitempty"`
	// What the check means to a merge.
	Gate debate.Gate `yaml:"gate,omitempty"`
	// The least severe confirmed finding that fails a run.
	FailOn debate.FailOn `yaml:"fail_on,omitempty"`
	// How decisions reach people.
	Escalation Escalation `yaml:"escalation,omitempty"`
	// Where evidence comes from.
	Evidence Evidence `yaml:"evidence,omitempty"`
	// How tests that models write are run, to prove what they say. Left out: none is run. A workflow runs none.
	Execution *Execution `yaml:"execution,omitempty"`
}

// OnNoChallengers says what happens when no challenger can be reached (X02).
type OnNoChallengers string

// The ways to go on without challengers.
const (
	LocalCritique OnNoChallengers = "local"
	Abort         OnNoChallengers = "abort"
)

// Parties names who debates.
type Parties struct {
	// Who opens: every party in parallel and unseen by the others, or the primary alone with a position, as it always does in mode quick.
	Opening Opening `yaml:"opening,omitempty"`
	// The party that takes the first position and defends it.
	Primary *Party `yaml:"primary,omitempty"`
	// The parties that attack the position.
	Challengers []Party `yaml:"challengers,omitempty" jsonschema:"maxItems=7"`
	// Who judges decisions that the debate left open.
	Judges *Judges `yaml:"judges,omitempty"`
	// The party that looks over the result without knowing who said what.
	Arbiter *Party `yaml:"arbiter,omitempty"`
}

// Opening says who takes a first position (A23).
type Opening string

// The openings.
const (
	OpeningPosition Opening = "position"
	OpeningParallel Opening = "parallel"
)

// Party is one participant.
type Party struct {
	// Name of the party in this file and in reports.
	ID string `yaml:"id,omitempty" jsonschema:"pattern=^[a-z][a-z0-9-]*$,maxLength=40"`
	// Who serves the model.
	Provider Provider `yaml:"provider" jsonschema:"required"`
	// Model of the provider. Left out: the provider's default, as debate doctor prints it.
	Model string `yaml:"model,omitempty" jsonschema:"maxLength=200"`
	// Maker of the model, such as openai. Left out: found by the model's name.
	Family string `yaml:"family,omitempty" jsonschema:"maxLength=100"`
	// Wire format of the providers openai and azure: the newer one of OpenAI, or the one that compatible servers speak.
	API API `yaml:"api,omitempty"`
	// Time a call may take, and a stream be silent. Left out: 2m, and 5m for the calls that read everything.
	Timeout Seconds `yaml:"timeout,omitempty" jsonschema:"pattern=^[1-9][0-9]*[sm]$"`
	// How hard the model thinks. Left out: high.
	Effort Effort `yaml:"effort,omitempty"`
	// Address of the provider's API. Operator only.
	BaseURL string `yaml:"base_url,omitempty" operator:"only" jsonschema:"pattern=^https?://,maxLength=500"`
	// Headers that every request carries, as "NAME: VALUE"; no keys. Operator only.
	Headers []Header `yaml:"headers,omitempty" operator:"only" jsonschema:"maxItems=20"`
	// Version of the API, of the provider azure. Operator only.
	APIVersion string `yaml:"api_version,omitempty" operator:"only" jsonschema:"pattern=^[0-9A-Za-z.-]+$,maxLength=40"`
	// Region of the providers bedrock and vertex. Operator only.
	Region string `yaml:"region,omitempty" operator:"only" jsonschema:"pattern=^[a-z][a-z0-9-]*$,maxLength=40"`
	// Project of the provider vertex. Operator only.
	Project string `yaml:"project,omitempty" operator:"only" jsonschema:"pattern=^[a-z][a-z0-9:.-]*$,maxLength=100"`
	// Name of the environment variable that holds the key. Operator only.
	APIKeyEnv string `yaml:"api_key_env,omitempty" operator:"only" jsonschema:"pattern=^[A-Za-z_][A-Za-z0-9_]*$,maxLength=100"`
	// Whether its program gets files of the repository, which it reads by itself, where it may look at them. What it reads there is in no record. Operator only.
	Files bool `yaml:"files,omitempty" operator:"only"`
	// Command of the provider exec and its arguments. Operator only.
	Command []Argument `yaml:"command,omitempty" operator:"only" jsonschema:"maxItems=50"`
}

// Provider serves models.
type Provider string

// API is a wire format of a provider.
type API string

// The wire formats of the provider openai: its own, and the one that others speak.
const (
	ResponsesAPI API = "responses"
	ChatAPI      API = "chat"
)

// Effort is how hard a model thinks (S14).
type Effort string

// The efforts; a party that sets none has HighEffort (S14).
const (
	LowEffort    Effort = "low"
	MediumEffort Effort = "medium"
	HighEffort   Effort = "high"
)

// Argument is one word of a command.
type Argument string

// Header is one header of a request, as NAME: VALUE.
type Header string

// Name is the id of a party, or primary.
type Name string

// Judges names the parties that judge.
type Judges struct {
	// Ids of parties, or primary.
	From []Name `yaml:"from" jsonschema:"required,minItems=1,maxItems=9"`
}

// Limits bounds one run.
type Limits struct {
	// Rounds of one debate: in each the models attack what the others hold, and answer.
	MaxRounds int `yaml:"max_rounds,omitempty" jsonschema:"minimum=1,maximum=7"`
	// Minutes of one run.
	BudgetMinutes int `yaml:"budget_minutes,omitempty" jsonschema:"minimum=1,maximum=240"`
	// Model calls of one run.
	MaxCalls int `yaml:"max_calls,omitempty" jsonschema:"minimum=1,maximum=500"`
	// US dollars of one run. More than the default can only be set by the operator.
	MaxCostUSD USD `yaml:"max_cost_usd,omitempty" operator:"above=2" jsonschema:"exclusiveMinimum=0,maximum=1000"`
	// US dollars of one pull request over all its runs. More than the default can only be set by the operator.
	MaxCostUSDPerPR USD `yaml:"max_cost_usd_per_pr,omitempty" operator:"above=10" jsonschema:"exclusiveMinimum=0,maximum=10000"`
	// Findings that are debated; what ranks below them is listed.
	MaxClaims int `yaml:"max_claims,omitempty" jsonschema:"minimum=1,maximum=50"`
	// Decisions of one debate.
	MaxDecisions int `yaml:"max_decisions,omitempty" jsonschema:"minimum=1,maximum=20"`
	// Things that a model may look at in the repository in one call, beyond what it is sent; 0: none.
	Looks *int `yaml:"looks,omitempty" jsonschema:"minimum=0,maximum=12"`
}

// Price is what a model costs, in US dollars for a million tokens.
type Price struct {
	// Name of the model; a date or a revision may follow it.
	Model string `yaml:"model" jsonschema:"required,minLength=1,maxLength=200"`
	// Input that the provider reads anew.
	Input USD `yaml:"input" jsonschema:"required,minimum=0,maximum=10000"`
	// Input that the provider has in its cache.
	Cached USD `yaml:"cached" jsonschema:"required,minimum=0,maximum=10000"`
	// Output, with what the model thinks.
	Output USD `yaml:"output" jsonschema:"required,minimum=0,maximum=10000"`
}

// Paths sorts paths by globs; ** crosses directories.
type Paths struct {
	// Files that are not reviewed; they are listed in the report.
	Ignore []Glob `yaml:"ignore,omitempty" jsonschema:"maxItems=200"`
	// Markdown files whose new sections are debated as proposals, beside rfcs/, proposals/, adr/ and docs/design*.
	Proposal []Glob `yaml:"proposal,omitempty" jsonschema:"maxItems=200"`
	// Files of which models see nothing but changed lines: they are no context, and nobody can look at them. The lists of the operator and of the repository are joined.
	Private []Glob `yaml:"private,omitempty" jsonschema:"maxItems=200"`
}

// Glob is a doublestar pattern over slash-separated paths.
type Glob string

// Pattern is a regular expression in RE2 syntax.
type Pattern string

// Instruction is guidance for some paths.
type Instruction struct {
	// Files that the text is about. Left out: all.
	Paths []Glob `yaml:"paths,omitempty" jsonschema:"maxItems=200"`
	// What the parties are told.
	Text string `yaml:"text" jsonschema:"required,minLength=1,maxLength=2000"`
}

// Critical makes a decision critical. A changed line counts that stands in one
// of the paths and matches one of the patterns; a list left out matches all.
type Critical struct {
	// Why a human has to decide.
	Trigger debate.TriggerID `yaml:"trigger" jsonschema:"required"`
	// Files that matter.
	Paths []Glob `yaml:"paths,omitempty" jsonschema:"maxItems=200"`
	// Changed text that matters.
	Patterns []Pattern `yaml:"patterns,omitempty" jsonschema:"maxItems=50"`
}

// Known is a finding that the maintainers accept: what one built-in rule finds, or what
// is found in some lines.
type Known struct {
	// Id of the built-in rule whose findings are accepted, such as shell/chmod-777. Either this or snippet.
	Rule string `yaml:"rule,omitempty" jsonschema:"minLength=1,maxLength=100"`
	// Text of the line or lines that the finding cites, whatever the white space; at least 8 other characters. Either this or rule.
	Snippet string `yaml:"snippet,omitempty" jsonschema:"minLength=1,maxLength=1000"`
	// Directory or file that the finding stands in. Left out: all.
	Below string `yaml:"below,omitempty" jsonschema:"minLength=1,maxLength=500"`
	// Why it is accepted.
	Reason string `yaml:"reason" jsonschema:"required,minLength=1,maxLength=300"`
	// Who accepts it.
	By string `yaml:"by" jsonschema:"required,minLength=1,maxLength=100"`
	// Last day on which it is accepted, as 2027-01-31.
	Until string `yaml:"until" jsonschema:"required,pattern=^[0-9]{4}-[0-9]{2}-[0-9]{2}$"`
}

// Rubric scores open decisions.
type Rubric struct {
	// Three to six criteria and their weights in percent; the sum is 100.
	Criteria Criteria `yaml:"criteria,omitempty"`
}

// Criteria are the criteria of a rubric in the order of the file.
type Criteria []Criterion

// Criterion is one criterion of a rubric.
type Criterion struct {
	Name   string
	Weight int // basis points: 3000 is 30 %
}

// Publish says what is written on a pull request.
type Publish struct {
	// The least severe confirmed finding that becomes an inline comment.
	Inline Inline `yaml:"inline,omitempty"`
	// Inline comments of one run.
	MaxInline int `yaml:"max_inline,omitempty" jsonschema:"minimum=1,maximum=100"`
	// Name by which people may speak to debate in the threads of its findings, such as debate-bot: "@debate-bot why?" is answered as /debate explain, another text as /debate ask. Left out: only commands are answered.
	Mention string `yaml:"mention,omitempty" jsonschema:"pattern=^@?[A-Za-z0-9][A-Za-z0-9-]*$,maxLength=100"`
	// Language in which the models write: what findings, answers and reasons say, in pull requests and in local reviews. It is a BCP 47 tag, such as de or pt-BR. The sentences of debate itself, such as headings and verdicts, are English whatever it says.
	Language string `yaml:"language,omitempty" jsonschema:"pattern=^[A-Za-z]{2\\,3}(-[A-Za-z0-9]{2\\,8})*$,maxLength=35,example=de,example=pt-BR"`
}

// Inline is a severity floor of inline comments, or none.
type Inline = debate.FailOn

// Escalation says how decisions reach people.
type Escalation struct {
	// Label of the issue that asks.
	Label string `yaml:"label,omitempty" jsonschema:"minLength=1,maxLength=50"`
	// Least access of those who decide.
	Deciders Deciders `yaml:"deciders,omitempty"`
	// Whether the author of a pull request may decide about it.
	AuthorMayDecide *bool `yaml:"author_may_decide,omitempty"`
	// Users and teams (org/team) that the issue mentions. Without any it mentions up to three people who were asked to review and may decide.
	Notify []Handle `yaml:"notify,omitempty" jsonschema:"maxItems=10"`
}

// Deciders is a level of access to the repository (S09).
type Deciders string

// The levels of access of those who may decide, from lax to strict.
const (
	WriteAccess    Deciders = "write"
	MaintainAccess Deciders = "maintain"
	AdminAccess    Deciders = "admin"
)

// Context is what models are shown beside the changed lines.
type Context string

// What is shown, from wide to narrow.
const (
	ContextRepository Context = "repository"
	ContextChanged    Context = "changed"
	ContextOff        Context = "off"
)

// Handle is a user, or a team as org/team.
type Handle string

// Evidence says where evidence comes from.
type Evidence struct {
	// Whether failed check runs of the head commit count as evidence.
	Checks *bool `yaml:"checks,omitempty"`
}

// Execution says how tests that models write are run.
type Execution struct {
	// Command that runs one test, such as go test ./{dir} -run '^{test}$' -count=1. {file}, {dir} and {test} stand for the file of the test, its directory and its name. It is split into words, and no shell reads it. Required, but of an operator who only allows the commands of the repository.
	Run string `yaml:"run,omitempty" jsonschema:"minLength=1,maxLength=1000"`
	// Globs of the files that a test may be written to. Only new test files of Go, Python and JavaScript are. Required with run.
	Files []Glob `yaml:"files,omitempty" jsonschema:"minItems=1,maxItems=20"`
	// Command that runs once on each side before the first test, such as go mod download.
	Setup string `yaml:"setup,omitempty" jsonschema:"minLength=1,maxLength=1000"`
	// Whether the setup has the network. A test never has.
	Network Network `yaml:"network,omitempty"`
	// Image of containers in which the tests run, named by its digest, such as docker.io/library/golang@sha256:... Left out: they run with the tools of this machine, in bubblewrap.
	Image Image `yaml:"image,omitempty" jsonschema:"pattern=^[a-z0-9][A-Za-z0-9./:_-]*@sha256:[0-9a-f]{64}$,maxLength=500"`
	// Bounds of the runs.
	Limits ExecutionLimits `yaml:"limits,omitempty"`
	// Whether tests are run for a pull request that is read from GitHub, by debate serve and by debate review --pr. Operator only.
	Pulls bool `yaml:"pulls,omitempty" operator:"only"`
	// Whether also for a pull request of a fork. Operator only.
	Forks bool `yaml:"forks,omitempty" operator:"only"`
}

// Network says which commands have the network.
type Network string

// The commands that have the network: none, or the setup.
const (
	NoNetwork    Network = "none"
	SetupNetwork Network = "setup"
)

// ExecutionLimits bounds the runs of tests. What is left out has a default.
type ExecutionLimits struct {
	// Time of one run. Left out: 60s.
	Time Seconds `yaml:"time,omitempty" jsonschema:"pattern=^[1-9][0-9]*[sm]$"`
	// Memory of all processes of a run, and of the files that they write. Left out: 1GiB.
	Memory Size `yaml:"memory,omitempty" jsonschema:"pattern=^[1-9][0-9]{0\\,3}[KMG]iB$,example=512MiB,example=1GiB"`
	// Processes and threads of a run. Left out: 256.
	Processes int `yaml:"processes,omitempty" jsonschema:"minimum=8,maximum=4096"`
	// Output of a run that is kept. Left out: 64KiB.
	Output Size `yaml:"output,omitempty" jsonschema:"pattern=^[1-9][0-9]{0\\,3}[KMG]iB$,example=64KiB,example=1MiB"`
	// Different tests that are run in one debate. Left out: 6.
	Runs int `yaml:"runs,omitempty" jsonschema:"minimum=1,maximum=30"`
}

// Image is a container image with its digest.
type Image string

// Size is a number of bytes, written as 512MiB or 1GiB.
type Size string

// Default is the settings of a run where nobody set any.
func Default() Config {
	return Config{
		Version:         1,
		Mode:            debate.Standard,
		Parties:         Parties{Opening: OpeningParallel},
		OnNoChallengers: LocalCritique,
		AllowSameFamily: new(false),
		Limits: Limits{
			MaxRounds: 5, BudgetMinutes: 20, MaxCalls: 60, MaxCostUSD: 2 * Dollar, MaxCostUSDPerPR: 10 * Dollar,
			MaxClaims: 12, MaxDecisions: 4, Looks: new(debate.MostLooks),
		},
		Context: ContextRepository,
		Rubric: Rubric{Criteria: Criteria{
			{"correctness", 3000}, {"risk", 2000}, {"reversibility", 1500}, {"governance_fit", 1500}, {"cost", 1000}, {"time", 1000},
		}},
		Publish:    Publish{Inline: debate.FailP2, MaxInline: 20, Language: "en"},
		Gate:       debate.Advisory,
		FailOn:     debate.FailNone,
		Escalation: Escalation{Label: "awaiting_human", Deciders: WriteAccess, AuthorMayDecide: new(false)},
		Evidence:   Evidence{Checks: new(true)},
	}
}
