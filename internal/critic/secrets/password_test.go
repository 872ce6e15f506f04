package secrets

import (
	"slices"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/patch"
	"github.com/prdebate/debate/internal/testkit/checktest"
)

// chosen are passwords as people choose and programs make them, with punctuation.
var chosen = []struct{ path, text, value string }{
	{"settings.py", `DB_PASSWORD = "P@ssw0rd!2024#x"`, "P@ssw0rd!2024#x"},
	{"settings.py", `    'PASSWORD': 'hunter2!Zq#9',`, "hunter2!Zq#9"},
	{"conf/app.yml", `  password: "tr0ub4dor&3x"`, "tr0ub4dor&3x"},
	{"conf/app.yml", `  password: x9$Kp!mW2^zQ`, "x9$Kp!mW2^zQ"},
	{"conf/app.yml", `  password: cR7!kT#9vLq@2 # of the staging database`, "cR7!kT#9vLq@2"},
	{"deploy/app.env", `DB_PASSWORD='S3cr3t&Pa$$w0rd'`, "S3cr3t&Pa$$w0rd"},
	{"deploy/app.env", `SMTP_PASS=Gx7!pQ2@rT`, "Gx7!pQ2@rT"},
	{"app.properties", `spring.datasource.password=Vb8!nM3$kL`, "Vb8!nM3$kL"},
	{"Main.java", `private static final String DB_PASSWORD = "Zx4!cV7@bN";`, "Zx4!cV7@bN"},
	{"db.go", `cfg := mysql.Config{User: "app", Passwd: "Hj5#kL8!mN"}`, "Hj5#kL8!mN"},
	{"mail.php", `$mail->Password = 'Qw3$rT6!yU';`, "Qw3$rT6!yU"},
	{"db.rb", `  password: 'As2!dF5@gH',`, "As2!dF5@gH"},
	{"db.rb", `  :password => "Er8^tY1!uI"`, "Er8^tY1!uI"},
	{"client.ts", `connect({ host, password: 'Ui7!oP4@aS' })`, "Ui7!oP4@aS"},
	{"app.cs", `"AdminPassword": "Df6!gH9@jK"`, "Df6!gH9@jK"},
	{"main.tf", `  master_password = "Kl3!zX6#cV"`, "Kl3!zX6#cV"},
	{"run.sh", `export PGPASSWORD='Bn9!mQ2@wE'`, "Bn9!mQ2@wE"},
	{"login.py", `if password == "b4ckD00r!open":`, "b4ckD00r!open"},
	{"settings.py", `ADMIN_PASSWORD = "Password123!"`, "Password123!"},
	{"conf/app.yml", `  password: Sommer2024!!`, "Sommer2024!!"},
	{"deploy/app.env", `DB_PASSWORD=Hunter42$`, "Hunter42$"},
	{"conf/app.yml", `  password: "Asong123!@#"`, "Asong123!@#"},
	{"Shop.cs", `options.UseSqlServer("Server=db,1433;Database=Shop;User=sa;Password=Yaren#1998;");`, "Yaren#1998"},
	{"Stock.java", `String url = "jdbc:sqlserver://db:1433;databaseName=stock;user=sa;password=thongAd@12345;encrypt=true";`, "thongAd@12345"},
	{"app.js", `const db = connect("mysql://root:Welcome2024!@db.internal/prod");`, "Welcome2024!"},
	{"app.js", `const db = connect("postgres://app:Zk!9#mQ2@db.internal/prod");`, "Zk!9#mQ2"},
}

// Passwords with punctuation are found, and hidden.
func TestChosenPasswords(t *testing.T) {
	t.Parallel()
	for _, tt := range chosen {
		hits := reviewed(checktest.Change(nil, map[string]string{tt.path: tt.text + "\n"})).Hits
		if len(hits) != 1 || hits[0].Severity != "P2" || hits[0].Trigger != "" || !slices.Equal(hits[0].Redact, []string{tt.value}) {
			t.Errorf("%s: %+v", tt.text, hits)
		}
		if found := In(tt.path, tt.text); !slices.Contains(found, tt.value) {
			t.Errorf("%s: hides %q", tt.text, found)
		}
	}
}

// What stands where a password stands and is none is not found, and not hidden.
func TestNoPasswords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ path, text string }{
		{"a.py", `password = os.environ["DB_PASSWORD_2!"]`},
		{"a.py", `password = "%(db_password1)s!"`},
		{"a.py", `password = f"{prefix}!2x$"`},
		{"a.js", "password: `${secret.value}!1a`"},
		{"a.rb", `password: "#{ENV['DB_PASSWORD1']}!"`},
		{"a.yml", `  password: "${DB_PASSWORD_1!}"`},
		{"a.yml", `  password: $DB_PASSWORD1`},
		{"a.yml", `  password: !vault |`},
		{"a.yml", `  password: !Ref DatabasePassword1`},
		{"a.yml", `  password: *password1anchor`},
		{"a.yml", `  password: &password1 x`},
		{"a.yml", `  password: "{{ vault_db_password1 }}!"`},
		{"a.yml", `  password: ENC(G6N718UuyPE5bHyWKyuLQSm02auQPUtm!1)`},
		{"a.yml", `  password: ENC[AES256_GCM,data:p673w!1==,iv:YY]`},
		{"a.yml", `  password: "@db.password1@"`},
		{"a.yml", `  password: op://prod/db/password1!x`},
		{"a.yml", `  password: vault:secret/data/db#password1`},
		{"a.yml", `  password: arn:aws:secretsmanager:eu-1:1:secret:db#pass2`},
		{"a.yml", `  password: "db-credentials1#password2"`},
		{"a.yml", `  password_hash: "$2b$12$LQv3c1yqBWVHxkd0LHAkCOYz6TtxMQJqhN8!"`},
		{"a.yml", `  password: "$2b$12$LQv3c1yqBWVHxkd0LHAkCOYz6TtxMQJqhN8"`},
		{"a.yml", `  password: "$6$rounds1$Vb8nM3kLpQ2rT"`},
		{"a.yml", `  password: "{SSHA}Vb8nM3kL!pQ2rT"`},
		{"a.yml", `  password: "pbkdf2_sha256$260000$Vb8nM3kLpQ2rT"`},
		{"messages.json", `"password": "Mindestens 8 Zeichen!"`},
		{"messages.json", `"password": "min.8Zeichen!"`},
		{"messages.json", `"errors.password": "password.tooShort8!"`},
		{"messages.json", `"password": "Password123!"`},
		{"a.yml", `  password: YourPassword123!`},
		{"a.yml", `  password: test1234!`},
		{"a.yml", `  password: Example2024!`},
		{"a.yml", `  password: password12*`},
		{"valid.js", `password: 'Max 64!'`},
		{"valid.js", `password: 'min12!'`},
		{"valid.js", `password: 'Password1!!!'`},
		{"valid.js", `password: 'forgotten?12'`},
		{"login.ts", `login({ name: 'ann@example.com', password: 'Password123!' })`},
		{"seedAdmin.js", `const ADMIN_PASSWORD = "Password123!"`},
		{"test-api.ps1", `$password = "Password123!"`},
		{"Shop.Tests/Live.cs", `const string Password = "Password123!";`},
		{"Shop/LiveTests.cs", `const string Password = "Password123!";`},
		{"app.e2e-spec.ts", `const password = "Password123!";`},
		{"README.rst", `DB_PASSWORD="Gx7!pQ2@rT"`},
		{"login.js", `password: '#user_password_1'`},
		{"login.js", `password: 'input#pass1[type=password]'`},
		{"login.js", `const password = "//input[@id='p4ss!']"`},
		{"valid.js", `password: /^(?=.*[A-Z])(?=.*[!@#$&*])(?=.*[0-9]).{8}$/`},
		{"valid.py", `PASSWORD = "^[A-Za-z0-9!@#$%]{8,32}$"`},
		{"valid.py", `PASSWORD_ALPHABET = "ABCDEFGHabcdefgh0123456789!@#$"`},
		{"valid.go", `password := "user1@example.com"`},
		{"valid.go", `password := "https://example.com/reset?id=1&x=2!"`},
		{"valid.go", `if password == confirm2 && len(x) > 8 {`},
		{"valid.go", `password: user.Password2!`},
		{"valid.rb", `password = generate!(12) if x1`},
		{"a.ts", `password!: string; // 8 to 64`},
		{"a.swift", `let password = fields[1]!.text2!`},
		{"a.kt", `val password = intent1!!.password2!!`},
		{"a.kt", `password = args1!!.value!!`},
		{"run.sh", `DB_PASSWORD="$PASS_1!"`},
		{"run.sh", `DB_PASSWORD=$(pass show db1!x)`},
		{"run.sh", `DB_PASSWORD=$1!2a`},
		{"app.env", `DB_PASSWORD=changeme!1x2`},
		{"app.env", `DB_PASSWORD=<your-pa55!word>`},
		{"app.env", `DB_PASSWORD=your_passw0rd!1`},
		{"app.env", `DB_PASSWORD=Ex4mple!example1`},
		{"app.env.example", `DB_PASSWORD='Gx7!pQ2@rT'`},
		{".env.sample", `DB_PASSWORD=Gx7!pQ2@rT`},
		{"examples/basic/main.tf", `  password = "Kl3!zX6#cV"`},
		{"docs/setup.md", `password: "Gx7!pQ2@rT"`},
		{"user_test.go", `password := "Gx7!pQ2@rT"`},
		{"spec/user_spec.rb", `password: 'As2!dF5@gH'`},
		{"src/test/java/A.java", `String password = "Zx4!cV7@bN";`},
		{"i18n/de.yml", `  password: "Passw0rt!2x@"`},
		{"seed.js", `password: "Test@1234!x"`},
		{"a.css", `.password: "a1!b2@c3"`},
	} {
		for _, h := range reviewed(checktest.Change(nil, map[string]string{tt.path: tt.text + "\n"})).Hits {
			if h.Rule == "secrets/"+passwordRule {
				t.Errorf("%s: %s flagged %q", tt.path, h.Rule, h.Cite.Quote)
			}
		}
	}
}

// A password that is found is not shown where it stands in a context, either.
func TestChosenPasswordIsHiddenInTests(t *testing.T) {
	t.Parallel()
	const value = "Gx7!pQ2@rT"
	change := checktest.Change(nil, map[string]string{"user_test.go": "password := \"" + value + "\"\n"})
	if found := Find(change, func(string) bool { return false }); !slices.Contains(found, value) {
		t.Errorf("hides %q", found)
	}
	if strings.Contains(strings.Join(Find(patch.Alone(change.Set), func(string) bool { return true }), ""), value) {
		t.Error("what is skipped is searched")
	}
}
