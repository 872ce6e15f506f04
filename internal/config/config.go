// Package config reads the settings of a repository and of an operator. It is strict: every unknown
// key, wrong type and impossible value is an error with line and column, and all errors are
// reported at once.
//
// Parse leaves a setting at its zero value if the file does not set it. Merge completes the
// settings of an operator and a repository with the defaults. The tags named jsonschema bound
// the values both for Parse and for the JSON Schema of editors, so that the two cannot differ.
package config

import "github.com/prdebate/debate/internal/debate"

// Config is one settings file, or the settings of a run after Merge. The zero value of a field
// means not set.
type Config struct {
	// Version of the format of this file.
	Version int `yaml:"version,omitempty" jsonschema:"enum=1"`
	// How long the models debate: standard, minimal (shorter) or quick (one opens, the others read it).
	Mode debate.Mode `yaml:"mode,omitempty"`
	// The debating models. Left out: one for each provider with a key.
	Parties Parties `yaml:"parties,omitempty"`
	// Without a challenger: the built-in rules and one more look, or no review.
	OnNoChallengers OnNoChallengers `yaml:"on_no_challengers,omitempty"`
	// If true, challengers may have the maker of the primary's model. It is on by itself if nothing is configured and only one maker has a key.
	AllowSameFamily *bool `yaml:"allow_same_family,omitempty"`
	// Bounds of one run. A repository can lower the operator's, never raise them.
	Limits Limits `yaml:"limits,omitempty"`
	// Prices of models in US dollars for a million tokens, if the built-in table lacks them or is wrong. Operator only.
	Prices []Price `yaml:"prices,omitempty" operator:"only" jsonschema:"maxItems=100"`
	// Code shown to models with the changed lines: uses of changed names in the whole repository, other lines of the changed files, or nothing. The narrower of the operator's and the repository's value counts.
	Context Context `yaml:"context,omitempty"`
	// Paths by what they are.
	Paths Paths `yaml:"paths,omitempty"`
	// Guidance for the parties, by path.
	Instructions []Instruction `yaml:"instructions,omitempty" jsonschema:"maxItems=50"`
	// Critical paths and patterns of this repository, in addition to the built-in triggers.
	Critical []Critical `yaml:"critical,omitempty" jsonschema:"maxItems=50"`
	// Findings accepted by the maintainers until a day: they are counted and not posted. Never a P1, a secret or a finding in a workflow. Not in the file of an operator.
	Known []Known `yaml:"known,omitempty" operator:"never" jsonschema:"maxItems=100"`
	// How open decisions are scored.
	Rubric Rubric `yaml:"rubric,omitempty"`
	// Posts on a pull request.
	Publish Publish `yaml:"publish,omitempty"`
	// The effect of the check: advisory, or required for a merge.
	Gate debate.Gate `yaml:"gate,omitempty"`
	// The least severity of confirmed findings to fail a run.
	FailOn debate.FailOn `yaml:"fail_on,omitempty"`
	// How decisions reach people.
	Escalation Escalation `yaml:"escalation,omitempty"`
	// Sources of evidence.
	Evidence Evidence `yaml:"evidence,omitempty"`
	// Tests of models as proof. Left out: none is run. A workflow runs none.
	Execution *Execution `yaml:"execution,omitempty"`
}

// OnNoChallengers is the reaction if no challenger can be reached.
type OnNoChallengers string

// The ways to go on without challengers.
const (
	LocalCritique OnNoChallengers = "local"
	Abort         OnNoChallengers = "abort"
)

// Parties names the debating models.
type Parties struct {
	// The opening of a review: every party in parallel and unseen by the others, or the primary alone with a position, as always in mode quick.
	Opening Opening `yaml:"opening,omitempty"`
	// The party with the first position; it defends it.
	Primary *Party `yaml:"primary,omitempty"`
	// The parties against it.
	Challengers []Party `yaml:"challengers,omitempty" jsonschema:"maxItems=7"`
	// The judges of decisions without an agreement.
	Judges *Judges `yaml:"judges,omitempty"`
	// The party for a last look at the result, without the names of the others.
	Arbiter *Party `yaml:"arbiter,omitempty"`
}

// Opening chooses the parties with a first position (M01).
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
	// Wire format of the providers openai and azure: the newer one of OpenAI, or the one of compatible servers.
	API API `yaml:"api,omitempty"`
	// Time a call may take, and a stream be silent. Left out: 2m, and 5m for the calls with the whole change.
	Timeout Seconds `yaml:"timeout,omitempty" jsonschema:"pattern=^[1-9][0-9]*[sm]$"`
	// How hard the model thinks. Left out: high.
	Effort Effort `yaml:"effort,omitempty"`
	// Address of the provider's API. Operator only.
	BaseURL string `yaml:"base_url,omitempty" operator:"only" jsonschema:"pattern=^https?://,maxLength=500"`
	// Headers of every request, as "NAME: VALUE"; no keys. Operator only.
	Headers []Header `yaml:"headers,omitempty" operator:"only" jsonschema:"maxItems=20"`
	// Version of the API, of the provider azure. Operator only.
	APIVersion string `yaml:"api_version,omitempty" operator:"only" jsonschema:"pattern=^[0-9A-Za-z.-]+$,maxLength=40"`
	// Region of the providers bedrock and vertex. Operator only.
	Region string `yaml:"region,omitempty" operator:"only" jsonschema:"pattern=^[a-z][a-z0-9-]*$,maxLength=40"`
	// Project of the provider vertex. Operator only.
	Project string `yaml:"project,omitempty" operator:"only" jsonschema:"pattern=^[a-z][a-z0-9:.-]*$,maxLength=100"`
	// Name of the environment variable with the key. Operator only.
	APIKeyEnv string `yaml:"api_key_env,omitempty" operator:"only" jsonschema:"pattern=^[A-Za-z_][A-Za-z0-9_]*$,maxLength=100"`
	// If true, its program gets files of the repository and reads them by itself, if looks are allowed. The record does not list them. Operator only.
	Files bool `yaml:"files,omitempty" operator:"only"`
	// Command of the provider exec and its arguments. Operator only.
	Command []Argument `yaml:"command,omitempty" operator:"only" jsonschema:"maxItems=50"`
}

// Provider serves models.
type Provider string

// API is a wire format of a provider.
type API string

// The wire formats of the provider openai: its own, and the one of compatible servers.
const (
	ResponsesAPI API = "responses"
	ChatAPI      API = "chat"
)

// Effort is how hard a model thinks.
type Effort string

// The efforts. The default is HighEffort.
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
	// Rounds of one debate: in each the models attack the findings of the others, and answer.
	MaxRounds int `yaml:"max_rounds,omitempty" jsonschema:"minimum=1,maximum=7"`
	// Minutes of one run.
	BudgetMinutes int `yaml:"budget_minutes,omitempty" jsonschema:"minimum=1,maximum=240"`
	// Model calls of one run.
	MaxCalls int `yaml:"max_calls,omitempty" jsonschema:"minimum=1,maximum=500"`
	// US dollars of one run. More than the default can only be set by the operator.
	MaxCostUSD USD `yaml:"max_cost_usd,omitempty" operator:"above=2" jsonschema:"exclusiveMinimum=0,maximum=1000"`
	// US dollars of one pull request over all its runs. More than the default can only be set by the operator.
	MaxCostUSDPerPR USD `yaml:"max_cost_usd_per_pr,omitempty" operator:"above=10" jsonschema:"exclusiveMinimum=0,maximum=10000"`
	// Debated findings; the others are listed.
	MaxClaims int `yaml:"max_claims,omitempty" jsonschema:"minimum=1,maximum=50"`
	// Decisions of one debate.
	MaxDecisions int `yaml:"max_decisions,omitempty" jsonschema:"minimum=1,maximum=20"`
	// Looks of a model at other parts of the repository in one call; 0: none.
	Looks *int `yaml:"looks,omitempty" jsonschema:"minimum=0,maximum=12"`
}

// Price is the price of a model, in US dollars for a million tokens.
type Price struct {
	// Name of the model; a date or a revision may follow it.
	Model string `yaml:"model" jsonschema:"required,minLength=1,maxLength=200"`
	// Input without the cache.
	Input USD `yaml:"input" jsonschema:"required,minimum=0,maximum=10000"`
	// Input from the provider's cache.
	Cached USD `yaml:"cached" jsonschema:"required,minimum=0,maximum=10000"`
	// Output, with the model's thinking.
	Output USD `yaml:"output" jsonschema:"required,minimum=0,maximum=10000"`
}

// Paths sorts paths by globs; ** crosses directories.
type Paths struct {
	// Files left out of the review; the report lists them.
	Ignore []Glob `yaml:"ignore,omitempty" jsonschema:"maxItems=200"`
	// Markdown files with proposals: their new sections are debated, in addition to those in rfcs/, proposals/, adr/ and docs/design*.
	Proposal []Glob `yaml:"proposal,omitempty" jsonschema:"maxItems=200"`
	// Private files: models see only their changed lines, and cannot look at them. The lists of the operator and of the repository add up.
	Private []Glob `yaml:"private,omitempty" jsonschema:"maxItems=200"`
}

// Glob is a doublestar pattern over slash-separated paths.
type Glob string

// Pattern is a regular expression in RE2 syntax.
type Pattern string

// Instruction is guidance for some paths.
type Instruction struct {
	// Files for this text. Left out: all.
	Paths []Glob `yaml:"paths,omitempty" jsonschema:"maxItems=200"`
	// The text for the parties.
	Text string `yaml:"text" jsonschema:"required,minLength=1,maxLength=2000"`
}

// Critical makes a decision critical. A changed line counts if it is in one of the paths and
// matches one of the patterns; a list left out matches all.
type Critical struct {
	// The reason a person has to decide.
	Trigger debate.TriggerID `yaml:"trigger" jsonschema:"required"`
	// Critical files.
	Paths []Glob `yaml:"paths,omitempty" jsonschema:"maxItems=200"`
	// Critical changed text.
	Patterns []Pattern `yaml:"patterns,omitempty" jsonschema:"maxItems=50"`
}

// Known is a finding accepted by the maintainers: the findings of one built-in rule, or those about
// some lines.
type Known struct {
	// Id of the built-in rule with the accepted findings, such as shell/chmod-777. Either this or snippet.
	Rule string `yaml:"rule,omitempty" jsonschema:"minLength=1,maxLength=100"`
	// Text of the cited line or lines, at least 8 characters; white space does not matter. Either this or rule.
	Snippet string `yaml:"snippet,omitempty" jsonschema:"minLength=1,maxLength=1000"`
	// Directory or file of the finding. Left out: all.
	Below string `yaml:"below,omitempty" jsonschema:"minLength=1,maxLength=500"`
	// The reason to accept it.
	Reason string `yaml:"reason" jsonschema:"required,minLength=1,maxLength=300"`
	// The person accepting it.
	By string `yaml:"by" jsonschema:"required,minLength=1,maxLength=100"`
	// Last day of this entry, as 2027-01-31.
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
	// The least severity of confirmed findings in inline comments.
	Inline Inline `yaml:"inline,omitempty"`
	// Inline comments of one run.
	MaxInline int `yaml:"max_inline,omitempty" jsonschema:"minimum=1,maximum=100"`
	// If false, the summary leaves out what the change does in the words of a model.
	Overview *bool `yaml:"overview,omitempty"`
	// If false, a question in the thread of a finding is answered only with a command or a mention.
	Questions *bool `yaml:"questions,omitempty"`
	// Name to call debate by in the threads of its findings, such as debate-bot: "@debate-bot why?" works as /debate explain, another text as /debate ask.
	Mention string `yaml:"mention,omitempty" jsonschema:"pattern=^@?[A-Za-z0-9][A-Za-z0-9-]*$,maxLength=100"`
	// Language of the models' findings, answers and reasons, as a BCP 47 tag such as de or pt-BR. The sentences of debate itself, such as headings and verdicts, stay English.
	Language string `yaml:"language,omitempty" jsonschema:"pattern=^[A-Za-z]{2\\,3}(-[A-Za-z0-9]{2\\,8})*$,maxLength=35,example=de,example=pt-BR"`
}

// Inline is a severity floor of inline comments, or none.
type Inline = debate.FailOn

// Escalation says how decisions reach people.
type Escalation struct {
	// Label of the issue for decisions.
	Label string `yaml:"label,omitempty" jsonschema:"minLength=1,maxLength=50"`
	// Least access to decide.
	Deciders Deciders `yaml:"deciders,omitempty"`
	// If true, the author of a pull request may decide about it.
	AuthorMayDecide *bool `yaml:"author_may_decide,omitempty"`
	// Users and teams (org/team) to mention in the issue. Without any it mentions up to three requested reviewers with the right to decide.
	Notify []Handle `yaml:"notify,omitempty" jsonschema:"maxItems=10"`
}

// Deciders is a level of access to the repository.
type Deciders string

// The levels of access, from lax to strict.
const (
	WriteAccess    Deciders = "write"
	MaintainAccess Deciders = "maintain"
	AdminAccess    Deciders = "admin"
)

// Context is the code shown to models with the changed lines.
type Context string

// The contexts, from wide to narrow.
const (
	ContextRepository Context = "repository"
	ContextChanged    Context = "changed"
	ContextOff        Context = "off"
)

// Handle is a user, or a team as org/team.
type Handle string

// Evidence chooses the sources of evidence.
type Evidence struct {
	// If true, failed check runs of the head commit count as evidence.
	Checks *bool `yaml:"checks,omitempty"`
}

// Execution configures the runs of tests that models write.
type Execution struct {
	// Command to run one test, such as go test ./{dir} -run '^{test}$' -count=1. {file}, {dir} and {test} become the file of the test, its directory and its name. It is split into words, and no shell reads it. Required, except for an operator allowing only the commands of the repository.
	Run string `yaml:"run,omitempty" jsonschema:"minLength=1,maxLength=1000"`
	// Globs of the files for new tests. Only new test files of Go, Python, JavaScript, Rust and Java are. Required with run.
	Files []Glob `yaml:"files,omitempty" jsonschema:"minItems=1,maxItems=20"`
	// Command to run once on each side before the first test, such as go mod download.
	Setup string `yaml:"setup,omitempty" jsonschema:"minLength=1,maxLength=1000"`
	// Whether the setup has the network. A test never has.
	Network Network `yaml:"network,omitempty"`
	// Image of the containers for the tests, named by its digest, such as docker.io/library/golang@sha256:... Left out: they run with the tools of this machine, in bubblewrap.
	Image Image `yaml:"image,omitempty" jsonschema:"pattern=^[a-z0-9][A-Za-z0-9./:_-]*@sha256:[0-9a-f]{64}$,maxLength=500"`
	// Bounds of the runs.
	Limits ExecutionLimits `yaml:"limits,omitempty"`
	// Whether tests are run for a pull request that is read from GitHub, by debate serve and by debate review --pr. Operator only.
	Pulls bool `yaml:"pulls,omitempty" operator:"only"`
	// Whether also for a pull request of a fork. Operator only.
	Forks bool `yaml:"forks,omitempty" operator:"only"`
}

// Network chooses the commands with network access.
type Network string

// The commands with network access: none, or the setup.
const (
	NoNetwork    Network = "none"
	SetupNetwork Network = "setup"
)

// ExecutionLimits bounds the runs of tests. A limit left out has a default.
type ExecutionLimits struct {
	// Time of one run. Left out: 60s.
	Time Seconds `yaml:"time,omitempty" jsonschema:"pattern=^[1-9][0-9]*[sm]$"`
	// Memory of all processes of a run, and of their new files. Left out: 1GiB.
	Memory Size `yaml:"memory,omitempty" jsonschema:"pattern=^[1-9][0-9]{0\\,3}[KMG]iB$,example=512MiB,example=1GiB"`
	// Processes and threads of a run. Left out: 256.
	Processes int `yaml:"processes,omitempty" jsonschema:"minimum=8,maximum=4096"`
	// Kept output of a run. Left out: 64KiB.
	Output Size `yaml:"output,omitempty" jsonschema:"pattern=^[1-9][0-9]{0\\,3}[KMG]iB$,example=64KiB,example=1MiB"`
	// Different tests in one debate. Left out: 6.
	Runs int `yaml:"runs,omitempty" jsonschema:"minimum=1,maximum=30"`
}

// Image is a container image with its digest.
type Image string

// Size is a number of bytes, written as 512MiB or 1GiB.
type Size string

// Default returns the settings of a run without any settings file.
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
		Publish:    Publish{Inline: debate.FailP2, MaxInline: 20, Overview: new(true), Questions: new(true), Language: "en"},
		Gate:       debate.Advisory,
		FailOn:     debate.FailNone,
		Escalation: Escalation{Label: "awaiting_human", Deciders: WriteAccess, AuthorMayDecide: new(false)},
		Evidence:   Evidence{Checks: new(true)},
	}
}
