package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/patchtest"
)

func TestGovernance(t *testing.T) {
	t.Parallel()
	const text = "Terms.\n"
	tests := []struct {
		name  string
		edits []patchtest.Edit
		want  string // "" for no governance trigger
	}{
		{"licence edited", []patchtest.Edit{patchtest.Touch("LICENSE")}, "governance content LICENSE:1"},
		{"British licence", []patchtest.Edit{patchtest.Touch("LICENCE.txt")}, "governance content LICENCE.txt:1"},
		{"copying", []patchtest.Edit{patchtest.Touch("COPYING.LESSER")}, "governance content COPYING.LESSER:1"},
		{"one of two licences", []patchtest.Edit{patchtest.Touch("LICENSE-Apache-2.0.txt")}, "governance content LICENSE-Apache-2.0.txt:1"},
		{"lower case at the root", []patchtest.Edit{patchtest.Touch("license.md")}, "governance content license.md:1"},
		{"of a package", []patchtest.Edit{patchtest.Touch("packages/a/LICENSE")}, "governance content packages/a/LICENSE:1"},
		{"licence of Rails", []patchtest.Edit{patchtest.Touch("MIT-LICENSE")}, "governance content MIT-LICENSE:1"},
		{"licence deleted", []patchtest.Edit{patchtest.Move("LICENSE", "", text, "")}, "governance content LICENSE:1"},
		{"licence moved away", []patchtest.Edit{patchtest.Move("LICENSE", "docs/old.txt", text, text)}, "governance content docs/old.txt:0"},
		{"licence moved away beside itself", []patchtest.Edit{patchtest.Move("LICENSE", "notes.txt", text, text)}, "governance content notes.txt:0"},
		{"licence moved into a package", []patchtest.Edit{patchtest.Move("LICENSE", "packages/a/LICENSE", text, text)}, "governance content packages/a/LICENSE:0"},
		{"licence with a capital", []patchtest.Edit{patchtest.Touch("packages/a/License")}, "governance content packages/a/License:1"},
		{"licence beside another", []patchtest.Edit{patchtest.Move("", "LICENSE-MIT", "", text), patchtest.Move("LICENSE", "LICENSE", text, text)}, "governance content LICENSE-MIT:1"},
		{"renamed licence edited", []patchtest.Edit{patchtest.Move("LICENSE", "LICENSE.md", text, "Other.\n")}, "governance content LICENSE.md:1"},

		{"first licence", []patchtest.Edit{patchtest.Move("", "LICENSE", "", text)}, "governance path LICENSE:0"},
		{"licence only renamed", []patchtest.Edit{patchtest.Move("LICENSE", "LICENSE.md", text, text)}, ""},
		{"vendored licence", []patchtest.Edit{patchtest.Touch("vendor/x/LICENSE")}, ""},
		{"licence of others", []patchtest.Edit{patchtest.Touch("licenses/foo/LICENSE"), patchtest.Touch("third-party/x/COPYING"), patchtest.Touch("external/LICENSE")}, ""},
		{"licence of others, spelt otherwise", []patchtest.Edit{
			patchtest.Touch("ThirdParty/a/LICENSE"), patchtest.Touch("3rd_party/a/LICENSE"), patchtest.Touch("vendors/a/COPYING"), patchtest.Touch("deps/zlib/LICENSE"),
			patchtest.Touch("assets/fonts/inter/LICENSE"), patchtest.Touch("subprojects/glib/COPYING"), patchtest.Touch("Godeps/_workspace/LICENSE"), patchtest.Touch("src/Vendor/x/LICENSE"),
		}, ""},
		{"licence of a part of one's own", []patchtest.Edit{patchtest.Touch("packages/a/LICENSE")}, "governance content packages/a/LICENSE:1"},
		{"licence of a library of one's own", []patchtest.Edit{patchtest.Touch("lib/LICENSE")}, "governance content lib/LICENSE:1"},
		{"licence with another year", []patchtest.Edit{patchtest.Modify("LICENSE", terms("Copyright (c) 2019-2024 Acme"), terms("Copyright (c) 2019-2026 Acme"))}, ""},
		{"licence with another holder", []patchtest.Edit{patchtest.Modify("LICENSE", terms("Copyright 2024 Acme"), terms("Copyright 2024 Acme\nCopyright 2026 Bar Ltd."))}, ""},
		{"licence wrapped anew", []patchtest.Edit{patchtest.Modify("LICENSE", terms("(c) 2024 Acme"), strings.ReplaceAll(terms("(c) 2024 Acme"), " to\ndeal", "\nto deal"))}, ""},
		{"licence in capitals", []patchtest.Edit{patchtest.Modify("LICENSE", terms("x"), strings.ReplaceAll(terms("x"), "Software", "SOFTWARE"))}, ""},
		{"licence with a word less", []patchtest.Edit{patchtest.Modify("LICENSE", terms("Copyright 2024 Acme"), strings.ReplaceAll(terms("Copyright 2026 Acme"), "free of charge", "of charge"))}, "governance content LICENSE:1"},
		{"licence with the words in another order", []patchtest.Edit{patchtest.Modify("LICENSE", terms("x"), strings.ReplaceAll(terms("x"), "use, copy", "copy, use"))}, "governance content LICENSE:4"},
		{"licence without its holder", []patchtest.Edit{patchtest.Modify("LICENSE", terms("Copyright 2024 Acme"), terms(""))}, "governance content LICENSE:1"},
		{"licence with a condition about copyright", []patchtest.Edit{patchtest.Modify("LICENSE", terms("x"), terms("x")+"Copyright notices must be shown on the first page.\n")}, "governance content LICENSE:6"},
		{"code about licences", []patchtest.Edit{patchtest.Touch("license.go"), patchtest.Touch("LICENSE_test.go"), patchtest.Touch("Licensed.md"), patchtest.Touch("licenses/list.json")}, ""},
		{"page about the licence", []patchtest.Edit{patchtest.Touch("docs/license.md")}, ""},
		{"page about the licence at the root", []patchtest.Edit{patchtest.Touch("License-faq.adoc")}, ""},

		{"owners at the root", []patchtest.Edit{patchtest.Touch("CODEOWNERS")}, "governance content CODEOWNERS:1"},
		{"owners added", []patchtest.Edit{patchtest.Move("", ".github/CODEOWNERS", "", text)}, "governance content .github/CODEOWNERS:1"},
		{"owners in docs deleted", []patchtest.Edit{patchtest.Move("docs/CODEOWNERS", "", text, "")}, "governance content docs/CODEOWNERS:1"},
		{"owners moved away", []patchtest.Edit{patchtest.Move("CODEOWNERS", "OLD", text, text)}, "governance content OLD:0"},
		{"owners elsewhere", []patchtest.Edit{patchtest.Touch("src/CODEOWNERS")}, ""},
		{"configuration edited", []patchtest.Edit{patchtest.Touch(".github/debate.yml")}, "governance content .github/debate.yml:1"},
		{"configuration added", []patchtest.Edit{patchtest.Move("", ".github/debate.yml", "", text)}, "governance content .github/debate.yml:1"},
		{"configuration deleted", []patchtest.Edit{patchtest.Move(".github/debate.yml", "", text, "")}, "governance content .github/debate.yml:1"},
		{"configuration moved away", []patchtest.Edit{patchtest.Move(".github/debate.yml", "x.yml", text, text)}, "governance content x.yml:0"},
		{"another configuration", []patchtest.Edit{patchtest.Touch("debate.yml"), patchtest.Touch(".github/dependabot.yml")}, ""},

		{"security policy", []patchtest.Edit{patchtest.Touch("SECURITY.md")}, "governance path SECURITY.md:0"},
		{"maintainers", []patchtest.Edit{patchtest.Touch("MAINTAINERS")}, "governance path MAINTAINERS:0"},
		{"governance in .github", []patchtest.Edit{patchtest.Touch(".github/GOVERNANCE.md")}, "governance path .github/GOVERNANCE.md:0"},
		{"code named security", []patchtest.Edit{patchtest.Touch("security.go"), patchtest.Touch("src/SECURITY.md")}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, s := range show(triggersOf(patchtest.Change(tt.edits...))) {
				if strings.HasPrefix(s, "governance ") {
					got = append(got, s)
				}
			}
			var want []string
			if tt.want != "" {
				want = []string{tt.want}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("triggers (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCopiedLicence: the licence that is copied stays where it was.
func TestCopiedLicence(t *testing.T) {
	t.Parallel()
	const text = "Terms.\n"
	for name, row := range map[string]struct {
		edits []patchtest.Edit // of which the first is the copy
		want  []string
	}{
		"into a package":          {[]patchtest.Edit{patchtest.Move("LICENSE", "a/LICENSE", text, text)}, []string{"governance path a/LICENSE:0"}},
		"beside itself":           {[]patchtest.Edit{patchtest.Move("LICENSE", "LICENSE-MIT", text, text)}, []string{"governance content LICENSE-MIT:0"}},
		"to what is no licence":   {[]patchtest.Edit{patchtest.Move("LICENSE", "notes.txt", text, text)}, nil},
		"of something else to it": {[]patchtest.Edit{patchtest.Move("notes.txt", "LICENSE", text, text)}, []string{"governance path LICENSE:0"}},
	} {
		change := patchtest.Change(row.edits...)
		change.Set.Files[0].Status = patch.Copied
		if diff := cmp.Diff(row.want, show(triggersOf(change))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestUnreadLicence: terms that cannot be compared are others.
func TestUnreadLicence(t *testing.T) {
	t.Parallel()
	want := []string{"governance content LICENSE:0"}
	for name, spoil := range map[string]func(*patch.File){
		"a binary file": func(f *patch.File) { f.Kind = patch.Binary },
		"a link":        func(f *patch.File) { f.Kind = patch.Symlink },
		"cut off":       func(f *patch.File) { f.Unparsed = "hunk is cut off" },
	} {
		change := patchtest.Change(patchtest.Touch("LICENSE"))
		change.Set.Files[0].Hunks = nil
		spoil(change.Set.Files[0])
		if diff := cmp.Diff(want, show(triggersOf(change))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestGovernanceSays: what became of a file is said with its trigger.
func TestGovernanceSays(t *testing.T) {
	t.Parallel()
	const text = "Terms.\n"
	for want, edits := range map[string][]patchtest.Edit{
		"the configuration of the review is changed":    {patchtest.Touch(debate.SettingsFile)},
		"the configuration of the review is added":      {patchtest.Add(debate.SettingsFile, text)},
		"the configuration of the review is deleted":    {patchtest.Remove(debate.SettingsFile, text)},
		"the configuration of the review is moved away": {patchtest.Move(debate.SettingsFile, "x.yml", text, text)},
		"the code owners file is added":                 {patchtest.Move("x", "CODEOWNERS", text, text)},
		"the code owners file is deleted":               {patchtest.Remove("CODEOWNERS", text)},
		"the licence is changed":                        {patchtest.Touch("LICENSE")},
		"the licence is moved away":                     {patchtest.Move("LICENSE", "LICENSE.md", text, "Other.\n")},
		"the licence is deleted":                        {patchtest.Remove("LICENSE", text)},
		"a further licence is added":                    {patchtest.Add("LICENSE-MIT", text), patchtest.Move("LICENSE", "LICENSE", text, text)},
		"a first licence is added":                      {patchtest.Add("LICENSE", text)},
	} {
		if got := triggersOf(patchtest.Change(edits...)); len(got) != 1 || got[0].Detail != want {
			t.Errorf("the triggers are %+v, want one that says %q", got, want)
		}
	}
}

func TestPathHits(t *testing.T) {
	t.Parallel()
	tests := map[debate.TriggerID]struct{ hit, miss []string }{
		debate.TriggerDeploy: {
			hit: []string{
				"Dockerfile", "build/Dockerfile.prod", "api.dockerfile", "Containerfile", "docker-compose.yml", "compose.prod.yaml",
				"k8s/app.yaml", "charts/app/values.yaml", "deploy/helm/templates/x.tpl", "infra/main.tf", "prod.tfvars", "Procfile",
				"infra/main.bicep", "infra/stack.yaml", "manifests/web.yaml", "fly.toml", "serverless.yml", ".github/workflows/ci.yml", ".github/workflows/tests/ci.yml", ".github/actions/x/action.yml", "app/kustomization.yaml",
			},
			miss: []string{"deploy/README.md", ".github/workflows/README.md", "Dockerfile.md", "dockerfile.go", "dockerfiles.md", "src/deploy.go", "testdata/Dockerfile", "k8s/client.go", "compose.go", "config.yml", "src/charts/pie.json", "public/manifests/app.json", "infra/client.go"},
		},
		debate.TriggerSecurity: {
			hit: []string{
				"auth/login.go", "src/authService.ts", "pkg/OAuthClient.java", "internal/crypto/aes.go", "session_store.rb",
				"PasswordReset.cs", "api/token.go", "internal/tls/config.go", "iam/policy.json", "lib/jwt.py", "a/JWTVerifier.kt",
				"a/parseJWT.kt", "lib/2fa.py", "X509.java", "src/OAuth2Client.java", "parser/password.go",
			},
			miss: []string{
				"author.go", "src/authors/list.ts", "tokenizer.go", "cryptocurrency.go", "obsession.py", "docs/auth.md",
				"auth/login_test.go", "tests/auth/login.py", "auth.spec.ts", "secretary.go",
				"lexer/token.go", "src/parser/Tokens.java", "design-tokens/colors.json", "styles/tokens.css", "assets/login.png", "locales/en/auth.json",
			},
		},
		debate.TriggerMoney: {
			hit:  []string{"billing/run.go", "src/InvoiceService.java", "payments/stripe.py", "pricing.ts", "core/ledger.rs", "valuation.go"},
			miss: []string{"repayment.go", "building/run.go", "billing/run_test.go", "docs/pricing.md", "price.go"},
		},
		debate.TriggerDestructiveSchema: {
			hit:  []string{"db/migrations/001_init.sql", "app/migrations/0002_x.py", "src/main/resources/db/migration/V1__x.sql", "db/migrate/1_a.rb", "db/schema.rb", "prisma/schema.prisma", "alembic/versions/a.py"},
			miss: []string{"docs/migrations/guide.md", "migrations.go", "testdata/migrations/1.sql", "api/versions/a.py", "alembic/env.py", "schema.go"},
		},
		debate.TriggerArchitecture: {
			hit:  []string{"adr/0001.md", "docs/adr/0001.md", "pkg/x/adr/1.md", "rfcs/1.md", "docs/architecture/a.md", "ARCHITECTURE.md"},
			miss: []string{"architecture.go", "src/rfcs/parse.go", "docs/howto.md", "quadr/1.md"},
		},
	}
	for id, tt := range tests {
		for _, name := range tt.hit {
			if got := classOf(t, id, name); got != debate.ClassPath {
				t.Errorf("%s: class of %s is %q, want %q", name, id, got, debate.ClassPath)
			}
		}
		for _, name := range tt.miss {
			if got := classOf(t, id, name); got != "" {
				t.Errorf("%s: class of %s is %q, want none", name, id, got)
			}
		}
	}
}

// classOf returns the class of one trigger that touching a file gives, and
// checks that an ordinary change is never critical (S03).
func classOf(t *testing.T, id debate.TriggerID, name string) (class debate.TriggerClass) {
	t.Helper()
	for _, tr := range triggersOf(patchtest.Change(patchtest.Touch(name))) {
		if tr.Critical() {
			t.Errorf("%s: an ordinary change is critical: %+v", name, tr)
		}
		if tr.ID == id {
			class = tr.Class
		}
	}
	return class
}

func TestPathHitOfEitherName(t *testing.T) {
	t.Parallel()
	got := show(triggersOf(patchtest.Change(patchtest.Move("auth/a.go", "lib/a.go", "a\n", "a\n"))))
	if diff := cmp.Diff([]string{"security path lib/a.go:0"}, got); diff != "" {
		t.Errorf("triggers (-want +got):\n%s", diff)
	}
}

func TestConfigured(t *testing.T) {
	t.Parallel()
	unread := patchtest.Change(patchtest.Touch("db/1.sql"))
	unread.Set.Files[0].Hunks, unread.Set.Files[0].Unparsed = nil, "hunk is cut off"
	tests := []struct {
		name string
		rule Critical
		in   patch.Change
		want []string
		says string // the end of its detail, and the side
	}{
		{"path", Critical{Paths: []string{"db/**"}}, patchtest.Change(patchtest.Touch("db/a/1.sql"), patchtest.Touch("a.go")), []string{"irreversible configured db/a/1.sql:0"}, "path of the configuration "},
		{"old name", Critical{Paths: []string{"db/**"}}, patchtest.Change(patchtest.Move("db/1.sql", "x.sql", "a\n", "a\n")), []string{"irreversible configured x.sql:0"}, "path of the configuration "},
		{"other path", Critical{Paths: []string{"db/*"}}, patchtest.Change(patchtest.Touch("db/a/1.sql")), nil, ""},
		{"added line", Critical{Patterns: []string{`(?i)drop\s+table`}}, patchtest.Change(patchtest.Modify("x", "a\n", "a\nDROP  TABLE t\n")), []string{"irreversible configured x:2"}, "pattern of the configuration RIGHT"},
		{"removed line", Critical{Patterns: []string{`keep`}}, patchtest.Change(patchtest.Modify("x", "a\nkeep\n", "a\n")), []string{"irreversible configured x:2"}, "pattern of the configuration LEFT"},
		{"other line", Critical{Patterns: []string{`drop`}}, patchtest.Change(patchtest.Touch("x")), nil, ""},
		{"both", Critical{Paths: []string{"*.sql"}, Patterns: []string{`^b$`}}, patchtest.Change(patchtest.Touch("x.sql"), patchtest.Touch("x.go")), []string{"irreversible configured x.sql:1"}, "pattern of the configuration RIGHT"},
		{"only the path of both", Critical{Paths: []string{"*.sql"}, Patterns: []string{`drop`}}, patchtest.Change(patchtest.Touch("x.sql")), nil, ""},
		{"both, unread", Critical{Paths: []string{"db/*"}, Patterns: []string{`drop`}}, unread, []string{"irreversible configured db/1.sql:0"}, "its lines cannot be read "},
		{"pattern alone, unread", Critical{Patterns: []string{`drop`}}, unread, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.rule.Trigger = debate.TriggerIrreversible
			rules, err := Compile([]Critical{tt.rule})
			if err != nil {
				t.Fatal(err)
			}
			got := rules.Triggers(tt.in, nil)
			if diff := cmp.Diff(tt.want, show(got)); diff != "" {
				t.Errorf("triggers (-want +got):\n%s", diff)
			}
			if len(got) > 0 && (!got[0].Critical() || !strings.HasSuffix(got[0].Detail+" "+string(got[0].Side), tt.says)) {
				t.Errorf("it is not critical, or says %q of the side %s", got[0].Detail, got[0].Side)
			}
		})
	}
}

func TestContextLinesMatchNoPattern(t *testing.T) {
	t.Parallel()
	rules, err := Compile([]Critical{{Trigger: debate.TriggerMoney, Patterns: []string{"drop"}}})
	if err != nil {
		t.Fatal(err)
	}
	change := patchtest.Change(patchtest.Touch("x"))
	change.Set.Files[0].Hunks[0].Lines = append(change.Set.Files[0].Hunks[0].Lines, patch.Line{Op: ' ', Old: 2, New: 2, Text: "drop"})
	if got := rules.Triggers(change, nil); len(got) != 0 {
		t.Errorf("triggers %v, want none", got)
	}
}

func TestHitsBecomeContentTriggers(t *testing.T) {
	t.Parallel()
	hits := []debate.Hit{
		{Title: "second", Trigger: debate.TriggerSecurity, Cite: debate.Citation{Path: "auth/a.go", Side: debate.Right, StartLine: 9}},
		{Title: "first", Trigger: debate.TriggerSecurity, Cite: debate.Citation{Path: "auth/a.go", Side: debate.Right, StartLine: 3}},
		{Title: "no trigger", Cite: debate.Citation{Path: "b.go", Side: debate.Right, StartLine: 1}},
	}
	got := triggersOf(patchtest.Change(patchtest.Touch("auth/a.go"), patchtest.Touch("b.go")), hits...)
	want := []debate.Trigger{{
		ID: debate.TriggerSecurity, Source: "policy", Class: debate.ClassContent, Path: "auth/a.go", Side: debate.Right, Line: 3, Detail: "first",
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("triggers (-want +got):\n%s", diff)
	}
}

func TestTriggersAreBounded(t *testing.T) {
	t.Parallel()
	var edits []patchtest.Edit
	for i := range 300 {
		edits = append(edits, patchtest.Touch(fmt.Sprintf("auth/%03d.go", i)))
	}
	edits = append(edits, patchtest.Touch("zz/billing.go"))
	got := triggersOf(patchtest.Change(edits...))
	if len(got) != maxTriggers+2 {
		t.Fatalf("%d triggers, want %d", len(got), maxTriggers+2)
	}
	want := []debate.Trigger{
		{ID: debate.TriggerSecurity, Source: "policy", Class: debate.ClassPath, Detail: "100 more files with this trigger"},
		{ID: debate.TriggerMoney, Source: "policy", Class: debate.ClassPath, Detail: "1 more files with this trigger"},
	}
	if diff := cmp.Diff(want, got[maxTriggers:]); diff != "" {
		t.Errorf("last entries (-want +got):\n%s", diff)
	}
}

// hits and their order take nothing away.
func TestMoreHitsNeverRemoveATrigger(t *testing.T) {
	t.Parallel()
	paths := []string{"a.go", "auth/x.go", "LICENSE", "billing.go", ci, "db/migrations/1.sql"}
	ids := []debate.TriggerID{"", debate.TriggerSecurity, debate.TriggerDestructiveSchema, debate.TriggerGovernance, debate.TriggerMoney}
	hit := rapid.Custom(func(t *rapid.T) debate.Hit {
		return debate.Hit{
			Title:   rapid.SampledFrom([]string{"a", "b"}).Draw(t, "title"),
			Trigger: rapid.SampledFrom(ids).Draw(t, "trigger"),
			Cite: debate.Citation{
				Path: fmt.Sprintf("%s%s", rapid.SampledFrom(paths).Draw(t, "path"), rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, "suffix")),
				Side: rapid.SampledFrom([]debate.Side{debate.Left, debate.Right}).Draw(t, "side"), StartLine: rapid.IntRange(1, 3).Draw(t, "line"),
			},
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		var edits []patchtest.Edit
		for _, p := range rapid.SliceOfDistinct(rapid.SampledFrom(paths), rapid.ID[string]).Draw(t, "paths") {
			edits = append(edits, patchtest.Touch(p))
		}
		change := patchtest.Change(edits...)
		hits := rapid.SliceOfN(hit, 0, 20).Draw(t, "hits")
		more := append(slices.Clone(hits), rapid.SliceOfN(hit, 0, 20).Draw(t, "more")...)

		few, many := triggersOf(change, hits...), triggersOf(change, more...)
		for _, want := range few {
			if !slices.ContainsFunc(many, func(got debate.Trigger) bool {
				return got.ID == want.ID && got.Path == want.Path && (got.Critical() || !want.Critical())
			}) {
				t.Fatalf("%+v is lost among more hits", want)
			}
		}
		shuffled := rapid.Permutation(more).Draw(t, "order")
		if diff := cmp.Diff(many, triggersOf(change, shuffled...)); diff != "" {
			t.Fatalf("the order of hits matters (-want +got):\n%s", diff)
		}
		slices.Reverse(change.Set.Files)
		if diff := cmp.Diff(many, triggersOf(change, more...)); diff != "" {
			t.Fatalf("the order of files matters (-want +got):\n%s", diff)
		}
	})
}

func FuzzWorkflow(f *testing.F) {
	f.Add([]byte(plain), []byte("on: pull_request_target\n"))
	f.Add([]byte("on: [push"), []byte(bomb()))
	f.Add([]byte(""), []byte("&a [*a]\n"))
	f.Add([]byte("? a\n: b\n"), []byte("permissions: {<<: *x, contents: write}\njobs: []\n"))
	f.Fuzz(func(t *testing.T, before, after []byte) {
		change := patchtest.Change(patchtest.Modify(ci, string(before), string(after)))
		first := triggersOf(change)
		if diff := cmp.Diff(first, triggersOf(change)); diff != "" {
			t.Fatalf("not deterministic:\n%s", diff)
		}
		for _, tr := range first {
			if strings.ContainsAny(tr.Detail, "\n\r\x1b") || len(tr.Detail) > 1000 {
				t.Fatalf("detail %q", tr.Detail)
			}
		}
	})
}

func TestManyWorkflows(t *testing.T) {
	t.Parallel()
	var edits []patchtest.Edit
	for i := range maxWorkflows + 2 {
		edits = append(edits, patchtest.Add(fmt.Sprintf(".github/workflows/%03d.yml", i), "on: push\n"))
	}
	triggers := triggersOf(patchtest.Change(edits...))
	critical := func(i int) bool {
		return slices.ContainsFunc(triggers, func(tr debate.Trigger) bool {
			return tr.Critical() && tr.Path == edits[i].New
		})
	}
	for i := range edits {
		if want := i >= maxWorkflows; critical(i) != want {
			t.Errorf("the workflow number %d is critical: %v", i+1, !want)
		}
	}
}

// terms are those of a licence, below a line about the holder.
func terms(holder string) string {
	return holder + "\n\nPermission is hereby granted, free of charge, to deal in the Software without restriction, to\ndeal in it, to use, copy and sell it.\nThe Software is provided as is.\n"
}
