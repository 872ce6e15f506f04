package admin

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"time"
)

// maxForm bounds the body of a form, in bytes.
const maxForm = 4 << 10

// formLife is how long the forms of a page are valid; they are accepted for up to twice as
// long.
const formLife = 12 * time.Hour

// forms checks that a form was sent from our page by the person who got it. The browser
// names the page in Sec-Fetch-Site or Origin, and the form has a token unknown to other
// pages.
type forms struct {
	key    []byte
	now    func() time.Time
	origin http.CrossOriginProtection
}

// token returns the current token for a person's forms.
func (f *forms) token(who string) string { return f.signed(who, f.period()) }

func (f *forms) period() int64 { return f.now().Unix() / int64(formLife/time.Second) }

func (f *forms) signed(who string, period int64) string {
	mac := hmac.New(sha256.New, f.key)
	mac.Write([]byte("debate dashboard form\x00" + strconv.FormatInt(period, 10) + "\x00" + who))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// refuse returns why a form is not taken, or "". It reads the body.
func (f *forms) refuse(w http.ResponseWriter, r *http.Request) string {
	if f.origin.Check(r) != nil {
		return "The form was not sent from this page, or the browser does not say from where, as over plain HTTP. Open the dashboard over HTTPS or on localhost, and try again."
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return "The form could not be read. Go back, load the page again, and try again."
	}
	sent, who := r.PostForm.Get("token"), person(r.Context())
	for _, period := range []int64{f.period(), f.period() - 1} {
		if hmac.Equal([]byte(sent), []byte(f.signed(who, period))) {
			return ""
		}
	}
	return "The page is too old. Go back, load it again, and try again."
}
