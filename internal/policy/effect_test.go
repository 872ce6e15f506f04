package policy

import (
	"testing"

	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/patchtest"
)

func TestTakesEffect(t *testing.T) {
	t.Parallel()
	for _, move := range [][2]string{
		{"old/7.sql", "migrations/7.sql"}, {"sql/notes.sql", "sql/V7__notes.sql"}, {"db/7.down.sql", "db/7.up.sql"},
		{"scripts/clean.txt", "scripts/clean.sh"}, {"a.py", "a.sh"}, {"data/a.json", "data/a.js"}, {".env.example", ".env"},
		{"hooks/pre-commit.sample", "hooks/pre-commit"}, {"tools/check", ".husky/check"}, {"Makefile.old", "Makefile"},
		{"attic/ci.yml", ".github/workflows/ci.yml"}, {".github/workflows/ci.yml.disabled", ".github/workflows/ci.yml"},
		{"testdata/a.go", "pkg/a.go"}, {"pkg/_a.go", "pkg/a.go"}, {"pkg/a_test.go", "pkg/a.go"}, {"third_party/a.c", "src/a.c"},
		{"sites-available/a.conf", "sites-enabled/a.conf"}, {"lib/a.rb", "config/initializers/a.rb"}, {"notes/agents.txt", "AGENTS.md"},
		{"k8s-old.yml", "k8s/old.yml"}, {"deps.txt", "requirements.txt"},
		{"travis.yml", ".travis.yml"}, {"conf/cargo-settings.toml", ".cargo/config.toml"}, {"ci/x.yml", ".tekton/x.yml"}, {"lib/pnpmfile.cjs", ".pnpmfile.cjs"},
		{"lib/babel.js", "babel.config.js"}, {"conf/py.ini", "tox.ini"}, {"ci/bitbucket.yml", "bitbucket-pipelines.yml"}, {"scripts/postinst", "debian/postinst"},
		{"scripts/a.sh", "docker-entrypoint-initdb.d/a.sh"}, {"a.kts", "settings.gradle.kts"}, {"robots.beta.txt", "robots.txt"},
		{"db/migrations_archive/3.sql", "db/migrations/3.sql"}, {"argocd/apps-disabled/a.yml", "argocd/apps/a.yml"}, {"tf.unused/a.tf", "tf/a.tf"},
		{"app/api/_debug/route.ts", "app/api/debug/route.ts"}, {"experiments/a.py", "src/a.py"}, {"lib/a.php", "public/a.php"}, {"components/a.tsx", "pages/a.tsx"},
		{"k8s/staging/a.yml", "k8s/prod/a.yml"}, {"config/staging.rb", "config/production.rb"}, {"data/users.csv", "public/users.csv"},
		{"sql/007_drop.sql", "db/migrations/007_drop.sql"}, {"scripts/7.sql", "migrations/7.sql"}, {"compose.dev.yml", "compose.yml"}, {"docker-compose.example.yml", "docker-compose.yml"},
		{"config/database.example.yml", "config/database.yml"}, {"config/settings.sample.php", "config/settings.php"}, {"src/auth_disabled.py", "src/auth.py"},
		{"values-dev.yaml", "values.yaml"}, {"dev.tfvars", "terraform.tfvars"}, {"mocks/auth.ts", "src/auth.ts"}, {"fakes/auth.go", "internal/auth/auth.go"}, {"poc/a.py", "src/a.py"},
		{"legacy/pay.py", "src/pay.py"}, {"lib/a.ts", "src/middleware.ts"}, {"lib/a.ts", "app/api/users/route.ts"}, {"lib/a.ts", "src/routes/+server.ts"}, {"lib/a.py", "dags/a.py"},
		{"scripts/start.sh", "entrypoint.sh"}, {"lib/a.php", "wp-content/plugins/a.php"}, {"lib/old.rs", "src/main.rs"}, {"conf/py.cfg", "setup.cfg"}, {"src/a.js", "static/a.js"},
	} {
		if !TakesEffect(&patch.File{OldPath: move[0], NewPath: move[1], Status: patch.Renamed}) {
			t.Errorf("%s -> %s takes no effect", move[0], move[1])
		}
	}
	for _, move := range [][2]string{
		{"migrations/7.sql", "db/migrations/7.sql"}, {"pay.py", "payments.py"}, {"a/pay.go", "b/pay.go"}, {"a.js", "a.ts"}, {"a.yml", "a.yaml"},
		{"LICENSE.txt", "LICENSE"}, {"README.txt", "README.md"}, {"a.go", "a.txt"}, {"pkg/a.go", "testdata/a.go"}, {"scripts/a.sh", "bin/a.sh"},
		{"migrations/7.sql", "old/7.sql"}, {"README", "Readme"}, {"makefile", "Makefile"}, {"k8s/prod/a.yml", "k8s/staging/a.yml"}, {"a/__init__/a.py", "a/b/a.py"},
		{"src/old_price.go", "src/price.go"}, {"products/a.py", "items/a.py"}, {"public/a.png", "public/img/a.png"}, {".github/workflows/a.yml", ".github/workflows/b.yml"}, {"docs/a.txt", "docs/b.txt"},
		{"migrations/7.sql", "migrations/old/7.sql"}, {"src/pay_local_tax.py", "src/pay.py"}, {"src/locale.py", "src/place.py"}, {"src/routes/a.ts", "src/routes/users/a.ts"}, {"lib/index.js", "src/index.js"},
	} {
		if TakesEffect(&patch.File{OldPath: move[0], NewPath: move[1], Status: patch.Renamed}) {
			t.Errorf("%s -> %s takes effect", move[0], move[1])
		}
	}
	for _, c := range []struct {
		file patch.File
		want bool
	}{
		{patch.File{OldPath: "a", NewPath: "b", Status: patch.Copied}, true},
		{patch.File{OldPath: "a", NewPath: "a", OldMode: 0o100644, NewMode: 0o100755}, true},
		{patch.File{OldPath: "a.md", NewPath: "b.md", OldMode: 0o100644, NewMode: 0o100755}, true},
		{patch.File{OldPath: "a", NewPath: "a", OldMode: 0o100755, NewMode: 0o100644}, false},
		{patch.File{OldPath: "a", NewPath: "a", OldMode: 0o100755, NewMode: 0o100755}, false},
		{patch.File{NewPath: "a.sh", NewMode: 0o100755}, false},
		{patch.File{OldPath: "a.sh", OldMode: 0o100755}, false},
	} {
		if got := TakesEffect(&c.file); got != c.want {
			t.Errorf("%+v: %v", c.file, got)
		}
	}
}

// Lines of a file count as added for paths of the settings at which the file arrives.
func TestAConfiguredPatternReadsAFileThatArrives(t *testing.T) {
	t.Parallel()
	rules, err := Compile([]Critical{{Trigger: "money", Paths: []string{"live/**"}, Patterns: []string{"charge"}}})
	if err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]int{"lab/a.py": 1, "live/b.py": 0} {
		change := patchtest.Change(patchtest.Move(from, "live/a.py", "charge()\n", "charge()\n"))
		if got := rules.Triggers(change, nil); len(got) != want {
			t.Errorf("from %s: %v", from, got)
		}
	}
}
