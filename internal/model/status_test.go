package model

import (
	"strings"
	"testing"

	"github.com/prdebate/debate/internal/debate"
)

func TestFaultEndsWithoutAStop(t *testing.T) {
	t.Parallel()
	f := Fault{Status: 404, Message: "The model does not exist or you do not have access to it."}
	if said := f.Failure().Error(); said != "the provider answers 404 Not Found: The model does not exist or you do not have access to it" {
		t.Errorf("it says %q", said)
	}
}

func TestFaultClasses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		status int
		body   string
		class  debate.CallStatus
		says   string
	}{
		// OpenAI
		{401, `{"error":{"message":"Incorrect API key provided: sk-ab***yz","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`, debate.CallAuth, "invalid_api_key"},
		{404, `{"error":{"message":"The model 'x' does not exist","type":"invalid_request_error","param":null,"code":"model_not_found"}}`, debate.CallNotFound, "does not exist"},
		{400, `{"error":{"message":"The model 'x' does not exist","code":"model_not_found"}}`, debate.CallNotFound, ""},
		{400, `{"error":{"message":"This model's maximum context length is 8 tokens","code":"context_length_exceeded"}}`, debate.CallTooLong, "maximum context"},
		{429, `{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}`, debate.CallRate, "429"},
		{429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`, debate.CallAuth, "insufficient_quota"},
		{429, `{"error":{"message":"Request too large for m in organization o on tokens per min","type":"tokens","code":"rate_limit_exceeded"}}`, debate.CallTooLong, "too large"},
		{400, `{"error":{"message":"Invalid prompt: your prompt was flagged","code":"invalid_prompt"}}`, debate.CallRefused, "flagged"},
		{500, `{"error":{"message":"The server had an error","type":"server_error"}}`, debate.CallError, "had an error"},
		{503, `{"error":{"message":"The engine is overloaded","type":"service_unavailable_error"}}`, debate.CallOverloaded, ""},
		// Anthropic
		{401, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"},"request_id":"r"}`, debate.CallAuth, "authentication_error"},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens > 8 maximum"}}`, debate.CallTooLong, ""},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API"}}`, debate.CallAuth, ""},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"Output blocked by content filtering policy"}}`, debate.CallRefused, ""},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"input length and max_tokens exceed context limit: 7 + 2 > 8"}}`, debate.CallTooLong, ""},
		{413, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`, debate.CallTooLong, ""},
		{529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, debate.CallOverloaded, "529"},
		{0, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, debate.CallOverloaded, "reports an error"},
		// Gemini
		{400, `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}`, debate.CallAuth, "API_KEY_INVALID"},
		{429, `[{"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED"}}]`, debate.CallRate, "Quota exceeded"},
		{503, `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`, debate.CallOverloaded, ""},
		{504, `{"error":{"code":504,"status":"DEADLINE_EXCEEDED"}}`, debate.CallTimeout, ""},
		{400, `{"error":{"code":400,"message":"The input token count (9) exceeds the maximum","status":"INVALID_ARGUMENT"}}`, debate.CallTooLong, ""},
		{403, `{"error":{"code":403,"message":"denied","status":"PERMISSION_DENIED"}}`, debate.CallAuth, ""},
		{400, `{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}`, debate.CallAuth, ""},
		// gateways and others
		{200, `{"error":{"code":429,"message":"upstream"}}`, debate.CallRate, "upstream"},
		{404, `{"error":"model 'x' not found"}`, debate.CallNotFound, "not found"},
		{422, `{"detail":[{"loc":["body","store"],"msg":"extra fields"}]}`, debate.CallError, "extra fields"},
		{402, `{"error":{"message":"Payment Required","code":402}}`, debate.CallAuth, ""},
		{408, ``, debate.CallTimeout, "408"},
		{407, ``, debate.CallAuth, ""},
		{500, `<html>oops</html>`, debate.CallError, "500"},
		{500, `{"error":null}`, debate.CallError, ""},
		{500, `[1]`, debate.CallError, ""},
		{500, `[]`, debate.CallError, ""},
		{500, `{"error":7}`, debate.CallError, ""},
		{500, "{\"error\":{\"message\":\"a\\u0000\\u001b[2J\\n\\u202eb\"}}", debate.CallError, "a [2J b"},
	} {
		got := ReadFault(tt.status, []byte(tt.body)).Failure()
		if got.Class != tt.class || !strings.Contains(got.Detail, tt.says) {
			t.Errorf("%d %s: %s, %q; want %s, %q", tt.status, tt.body, got.Class, got.Detail, tt.class, tt.says)
		}
		if strings.Contains(got.Detail, "sk-ab") {
			t.Errorf("a part of a key is repeated: %s", got.Detail)
		}
	}
	long := ReadFault(500, []byte(`{"error":{"message":"`+strings.Repeat("é", 5000)+`"}}`)).Failure().Detail
	if len(long) > 400 || !strings.HasSuffix(long, "é…") {
		t.Errorf("%d bytes: %s", len(long), long)
	}
}

func TestHiddenFault(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"error":{"message":"no"}}`:  "no",
		`{"error":null,"output":[]}`:  "",
		`{"message":"hello"}`:         "",
		`{"choices":[]}`:              "",
		`not JSON`:                    "",
		`{"error":"plain","other":1}`: "plain",
	} {
		if got := ReadFault(200, []byte(body)); hasError([]byte(body)) != (want != "") || want != "" && got.Message != want {
			t.Errorf("%s: %+v", body, got)
		}
	}
}
