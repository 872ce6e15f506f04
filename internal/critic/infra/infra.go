// Package infra reads descriptions of deployments: Terraform, cloud policies, Kubernetes and
// Compose.
package infra

import (
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
)

const source = "OpenSSF and CIS benchmarks; Terraform, Kubernetes and Compose references"

// Kind notes changed deployment files, and finds the few settings in them that are dangerous in
// every context.
var Kind = check.Kind{
	Rules: []check.Rule{
		{ID: "infra/destroy-protection", Source: source, Title: "Protection against deletion is off", Severity: debate.P2, Category: "data-loss"},
		{ID: "infra/open-ingress", Source: source, Title: "Port is open to the whole internet", Severity: debate.P2, Category: "security"},
		{ID: "infra/public-storage", Source: source, Title: "Storage or database is public", Severity: debate.P2, Category: "security"},
		{ID: "infra/admin-policy", Source: source, Title: "Policy allows every action on everything", Severity: debate.P1, Category: "security"},
		{ID: "infra/privileged-container", Source: source, Title: "Container has the powers of the host", Severity: debate.P2, Category: "security"},
		{ID: "infra/runtime-socket", Source: source, Title: "Container controls the container runtime", Severity: debate.P2, Category: "security"},
		{ID: "infra/deploy-file", Source: "own", Title: "Deploy or infrastructure file changed", Notice: true},
	},
	Review: check.Each(func(f *check.File) bool {
		return len(f.Added) > 0 && !check.InFixtures(f.NewPath) && infraKind(f) != ""
	}, review),
}

// maxInfra bounds the files to search for settings, in bytes.
const maxInfra = 1 << 20

// deployment is a kind of file, found by the pattern of its path in lower case.
type deployment struct {
	path lazyregexp.Regexp
	kind string
}

var deployments = []deployment{
	{lazyregexp.New(`\.tf(?:vars)?$`), terraformFile},
	{lazyregexp.New(`\.bicep$`), "Bicep file"},
	{lazyregexp.New(`(?:^|/)(?:docker-compose[^/]*|compose(?:\.[^/]*)?)\.ya?ml$`), composeFile},
	{lazyregexp.New(`(?:^|/)serverless(?:\.[^/]*)?\.ya?ml$`), "Serverless configuration"},
	{lazyregexp.New(`(?:^|/)(?:\.gitlab-ci\.yml|azure-pipelines\.yml|bitbucket-pipelines\.yml|cloudbuild\.yaml|buildspec\.yml|jenkinsfile)$`), "Pipeline"},
	{lazyregexp.New(`(?:^|/)(?:chart|helmfile)\.yaml$|(?:^|/)chart.*/values[^/]*\.ya?ml$`), helmChart},
	{lazyregexp.New(`(?:^|/)(?:chart|helm).*/templates/.*\.ya?ml$|(?:^|/)templates/(?:.*/)?(?:chart|helm)[^/]*/.*\.ya?ml$`), helmChart},
	{lazyregexp.New(`(?:iam|polic(?:y|ies)|cloudformation).*\.json$`), cloudPolicy},
}

// The kinds of files with rules for their settings.
const (
	terraformFile      = "Terraform file"
	composeFile        = "Compose file"
	helmChart          = "Helm chart"
	cloudPolicy        = "Cloud policy"
	kubernetesManifest = "Kubernetes manifest"
)

var (
	kubernetesFile = lazyregexp.New(`(?m)^apiVersion:\s*\S`)
	kubernetesKind = lazyregexp.New(`(?m)^kind:\s*\S`)
	deployFlow     = lazyregexp.New(`(?:^|[-_/.])(?:deploy|deployment|release|publish)(?:[-_.]|$)`)
)

// infraKind names the kind of a deployment file, "" for other files.
func infraKind(f *check.File) string {
	low := strings.ToLower(f.NewPath)
	if d := lists.Find(deployments, func(d deployment) bool { return d.path().MatchString(low) }); d.kind != "" {
		return d.kind
	}
	switch {
	case !slices.Contains([]string{".yml", ".yaml"}, path.Ext(low)):
		return ""
	case check.IsWorkflow(f.NewPath):
		if deployFlow().MatchString(path.Base(low)) {
			return "Deploy workflow"
		}
		return ""
	}
	if text, _ := f.Source(); len(text) <= maxInfra && kubernetesFile().MatchString(text) && kubernetesKind().MatchString(text) {
		return kubernetesManifest
	}
	return ""
}

func review(f *check.File, out *check.Findings) {
	kind := infraKind(f)
	out.Notice(f, "infra/deploy-file", 0, kind+" changed: what it describes is deployed.")
	text, ok := f.Source()
	if !ok || len(text) > maxInfra {
		out.NotRead(f, "infrastructure")
		return
	}
	switch kind {
	case terraformFile, cloudPolicy:
		reviewBlocks(f, text, out)
	case composeFile, kubernetesManifest, helmChart:
		reviewManifest(f, out)
	}
}

var (
	yamlSetting   = lazyregexp.New(`^\s*(?:-\s+)?(privileged|hostNetwork|hostPID|hostIPC)\s*:\s*true\s*$`)
	runtimeSocket = lazyregexp.New(`(?:^|[\s"'/:=])/(?:var/)?run/(?:docker|containerd/containerd|crio/crio)\.sock\b`)
	yamlMount     = lazyregexp.New(`^\s*(?:-\s+|path\s*:|-?\s*source\s*:|hostPath\s*:)`)
)

// reviewManifest reviews the added lines of Kubernetes and Compose files.
func reviewManifest(f *check.File, out *check.Findings) {
	for _, l := range f.Added {
		line := uncomment(l.Text)
		if len(line) > check.MaxCodeLine {
			continue
		}
		if m := yamlSetting().FindStringSubmatch(line); m != nil {
			out.Hit(f, "infra/privileged-container", l.New, l.New, debate.Hit{Title: "Container runs with " + m[1],
				Body: "An attacker in the container has the node. Give only the needed capabilities, one by one."})
		}
		if yamlMount().MatchString(line) && runtimeSocket().MatchString(line) {
			out.Hit(f, "infra/runtime-socket", l.New, l.New, debate.Hit{
				Body: "An attacker in the container can start others as root on the host; mounting the socket read-only does not change that. Put a filtering proxy before it, or do without."})
		}
	}
}

// uncomment cuts a # comment off a line of YAML or HCL. A # within quotes stays.
func uncomment(line string) string {
	for _, at := range textOrComment().FindAllStringSubmatchIndex(line, -1) {
		if comment := at[2]; comment >= 0 {
			return strings.TrimRight(line[:comment], " \t")
		}
	}
	return strings.TrimRight(line, " \t\r")
}

var textOrComment = lazyregexp.New(`"(?:[^"\\]|\\.?)*"?|'[^']*'?|(?:^|[ \t])(#)`)
