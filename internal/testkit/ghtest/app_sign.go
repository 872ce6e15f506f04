package ghtest

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// longestStatement is how far from now the end of a statement may be.
const longestStatement = 10 * time.Minute

var errNoStatement = &refusal{status: http.StatusUnauthorized, message: "A JSON web token could not be decoded"}

// signedIn is the App that a request comes from, by the statement that it has signed.
func (all *apps) signedIn(bearer string) (*App, error) {
	head, rest, _ := strings.Cut(bearer, ".")
	body, signature, isWhole := strings.Cut(rest, ".")
	var header struct{ Alg string }
	var claims struct {
		Iss      any
		Iat, Exp json.Number
	}
	if !isWhole || !decode(head, &header) || header.Alg != "RS256" || !decode(body, &claims) {
		return nil, errNoStatement
	}
	id, err := strconv.ParseInt(text(claims.Iss), 10, 64)
	if err != nil {
		return nil, refuse(http.StatusUnauthorized, "'Issuer' claim ('iss') must be an Integer")
	}
	a := all.byID[id]
	if a == nil {
		return nil, refuse(http.StatusNotFound, "Integration not found")
	}
	if !a.signed(head+"."+body, signature) {
		return nil, errNoStatement
	}
	issued, badIssued := claims.Iat.Int64()
	expires, badExpires := claims.Exp.Int64()
	switch now := all.clock.time(); {
	case badExpires != nil, !time.Unix(expires, 0).After(now):
		return nil, refuse(http.StatusUnauthorized, "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires")
	case time.Unix(expires, 0).Sub(now) > longestStatement:
		return nil, refuse(http.StatusUnauthorized, "'Expiration time' claim ('exp') is too far in the future")
	case badIssued != nil, time.Unix(issued, 0).After(now):
		return nil, refuse(http.StatusUnauthorized, "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued")
	}
	return a, nil
}

// signed tells whether a statement was signed by a key of the App.
func (a *App) signed(statement, signature string) bool {
	sum := sha256.Sum256([]byte(statement))
	raw, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(a.keys, func(key *rsa.PublicKey) bool { return rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], raw) == nil })
}

// decode reads a part of a statement.
func decode(part string, into any) bool {
	raw, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return false
	}
	reader := json.NewDecoder(bytes.NewReader(raw))
	reader.UseNumber()
	return reader.Decode(into) == nil
}

// text is a number or a text as a text.
func text(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case json.Number:
		return value.String()
	}
	return ""
}
