package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/testkit/exectest"
)

// TestCanaries hides a secret of its own in every variable of the environment,
// in the change, in the text of the pull request and in the settings' keys, lets
// every vendor say the key that it was sent, in many spellings, and looks for
// all of them in everything that leaves the process. The process is one of its own:
// the vendors' libraries read variables by themselves.
func TestCanaries(t *testing.T) {
	t.Parallel()
	parrot := func(vendor string, turn exectest.Turn, packet, key string) string {
		var reply map[string]any
		if err := json.Unmarshal([]byte(honest(vendor, turn, packet, key)), &reply); err != nil {
			panic(err)
		}
		reply["summary"] = fmt.Sprintf("you sent %s, that is %s or %x or %s", key, base64.StdEncoding.EncodeToString([]byte(key)), key, url.QueryEscape(key))
		reply["missing"] = []string{key, base64.URLEncoding.EncodeToString([]byte("key:" + key))}
		return inJSON(reply)
	}
	all := vendors(t, parrot)
	env := environment(all)
	secrets := map[string]string{}
	for _, v := range all {
		v.secret = "sk-" + v.name + "/canary+9c3e&51d7=" + v.name
		env[v.key] = v.secret
		secrets[v.key] = v.secret
	}
	for i, name := range []string{
		"GITHUB_TOKEN", "GH_TOKEN", "AWS_SECRET_ACCESS_KEY", "DATABASE_PASSWORD", "NPM_TOKEN", "CI_JOB_TOKEN", "MY_DSN", "HIDDEN", "USER", "EDITOR",
		"SSH_AUTH_SOCK", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "ANTHROPIC_AUTH_TOKEN", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "OPENAI_CUSTOM_HEADERS", "ANTHROPIC_CUSTOM_HEADERS",
	} {
		env[name] = fmt.Sprintf("canary/%02d+of=%s&7f3a9d20c4", i, strings.ToLower(name))
		secrets[name] = env[name]
	}
	// What stands in the change and belongs to this process, and what only looks
	// like a secret.
	token := secrets["GITHUB_TOKEN"]
	planted1 := "ghp_" + "R8dKq2XzW5vLm7TnB4cYs9JfGh3PaE6uQo1i"
	secrets["the change"] = planted1
	file := plantedFile + fmt.Sprintf("\n// Token %s, also %s.\nconst token = %q\n\nconst other = %q\n",
		token, base64.StdEncoding.EncodeToString([]byte(token)), secrets["DATABASE_PASSWORD"], planted1)
	dir, keep := planted(t, file), t.TempDir()
	body := filepath.Join(keep, "body.md")
	writeFile(t, body, []byte("Uses "+secrets["NPM_TOKEN"]+" to publish.\n"), 0o600)
	record, tape := filepath.Join(keep, "record.jsonl"), filepath.Join(keep, "answers.tape")
	got := start(t, dir, env, "review", "--uncommitted", "--format", "json", "--record", record, "--tape", tape, "--body", body)
	if len(got.result.P1) == 0 {
		t.Fatalf("exit code %d, and nothing was found\n%s", got.code, got.stderr)
	}
	doctor := start(t, dir, env, "doctor", "--online")
	question := filepath.Join(keep, "question.jsonl")
	answer := start(t, dir, env, "ask", "--record", question, "--option", "A=use "+secrets["CI_JOB_TOKEN"], "--option", "B=do not",
		"Is "+secrets["GH_TOKEN"]+" safe in bank/bank.go?")

	leaves := map[string]string{
		"standard output": got.stdout, "standard error": got.stderr, "the doctor": doctor.stdout + doctor.stderr,
		"the answer": answer.stdout + answer.stderr,
	}
	for name, path := range map[string]string{"the record": record, "the tape": tape, "the record of the question": question} {
		data, err := os.ReadFile(path)
		if err != nil || len(data) < 1000 {
			t.Fatalf("%s: %v, %d bytes", name, err, len(data))
		}
		leaves[name] = string(data)
	}
	for _, format := range []string{"text", "markdown", "html", "sarif", "agent"} {
		leaves["the report as "+format] = start(t, dir, env, "report", record, "--format", format).stdout
	}
	for _, v := range all {
		calls := v.asked()
		if len(calls) == 0 {
			t.Errorf("%s was not asked", v.name)
		}
		for i, c := range calls {
			leaves[fmt.Sprintf("call %d of %s", i, v.name)] = c.rest
		}
	}
	for where, text := range leaves {
		for name, secret := range secrets {
			for how, spelling := range spellings(secret) {
				if at := strings.Index(text, spelling); at >= 0 {
					t.Errorf("%s holds that of %s, %s: ...%s", where, name, how, text[max(0, at-80):min(len(text), at+len(spelling)+20)])
				}
			}
		}
	}
}

// spellings are the ways in which a secret could leave.
func spellings(secret string) map[string]string {
	raw := []byte(secret)
	inJSON, _ := json.Marshal(secret)
	all := map[string]string{
		"plain": secret, "in JSON": strings.Trim(string(inJSON), `"`), "in JSON twice": strings.ReplaceAll(strings.Trim(string(inJSON), `"`), `\`, `\\`),
		"hex": hex.EncodeToString(raw), "HEX": strings.ToUpper(hex.EncodeToString(raw)),
		"in a query": url.QueryEscape(secret), "in a path": url.PathEscape(secret),
	}
	for shift := range 3 {
		for name, encoding := range map[string]*base64.Encoding{"base64": base64.StdEncoding, "base64url": base64.URLEncoding} {
			whole := encoding.EncodeToString(append(make([]byte, shift), raw...))
			all[fmt.Sprintf("%s, %d bytes in", name, shift)] = whole[(shift*8+5)/6 : (shift+len(raw))*8/6]
		}
	}
	return all
}
