// Package bedrock asks models in Amazon's cloud, the provider bedrock: the models of Anthropic
// by their own API, all others by Chat Completions. It uses the account of this machine or
// of the job.
package bedrock

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/anthropic"
	"github.com/prdebate/debate/internal/model/openai"
)

const (
	// keyVariable may hold a key for this service. It has priority over the account.
	keyVariable = "AWS_BEARER_TOKEN_BEDROCK"
	// version of Anthropic's API in this cloud.
	version = "bedrock-2023-05-31"
)

// New returns a client. It reads files and variables with the account, but opens no
// connection.
func New(o model.Options) (model.Client, error) {
	account, err := accountOf(&o)
	if err != nil {
		return nil, err
	}
	header := make(http.Header)
	if o.Key != "" {
		header.Set("Authorization", "Bearer "+o.Key)
	} else {
		if err := o.Connect(); err != nil {
			return nil, err
		}
		o.HTTP = &http.Client{Transport: &signer{account: account, sign: v4.NewSigner(), base: cmp.Or(o.HTTP.Transport, http.DefaultTransport)}}
	}
	base := "https://bedrock-runtime." + account.Region + ".amazonaws.com"
	if !strings.Contains(o.Model, "anthropic.") { // also in an inference profile, such as eu.anthropic.claude-sonnet-4-5-20250929-v1:0
		chat := cmp.Or(o.BaseURL, base+"/openai/v1") + "/chat/completions"
		o.API = openai.Chat
		return openai.Through("bedrock", o, "", chat, header)
	}
	return anthropic.Through("bedrock", o, anthropic.Cloud{
		URL:    cmp.Or(o.BaseURL, base) + "/model/" + url.QueryEscape(o.Model) + "/invoke-with-response-stream",
		Header: header, Version: version, Events: chunks,
	})
}

// signer is a transport that signs requests for an account.
type signer struct {
	account aws.Config
	sign    *v4.Signer
	base    http.RoundTripper
}

// RoundTrip signs a request and sends it.
func (s *signer) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	req.Body.Close()
	who, err := s.account.Credentials.Retrieve(req.Context())
	if err != nil {
		return nil, err
	}
	sent := req.Clone(req.Context())
	sent.Body, sent.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	sum := sha256.Sum256(body)
	if err := s.sign.SignHTTP(req.Context(), who, sent, hex.EncodeToString(sum[:]), "bedrock", s.account.Region, time.Now()); err != nil {
		return nil, err
	}
	return s.base.RoundTrip(sent)
}

// chunks returns the events of Anthropic's API from the frames of this cloud.
func chunks(body io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		frames := eventstream.NewDecoder()
		for {
			frame, err := frames.Decode(body, nil)
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return
			}
			if err != nil {
				yield(nil, fmt.Errorf("read a frame of its stream: %w", err))
				return
			}
			header := func(name string) string {
				if value := frame.Headers.Get(name); value != nil {
					return value.String()
				}
				return ""
			}
			if header(":message-type") == "event" {
				var chunk struct {
					Bytes []byte `json:"bytes"`
				}
				switch err := json.Unmarshal(frame.Payload, &chunk); {
				case header(":event-type") != "chunk":
				case err != nil:
					yield(nil, errors.New("a frame of its stream is no JSON"))
					return
				default:
					if err := model.ErrorIn(chunk.Bytes); err != nil {
						yield(nil, err)
						return
					}
					if !yield(chunk.Bytes, nil) {
						return
					}
				}
				continue
			}
			fault := model.ReadFault(0, frame.Payload)
			fault.Code = cmp.Or(header(":exception-type"), header(":error-code"), fault.Code)
			fault.Message = cmp.Or(fault.Message, header(":error-message"))
			yield(nil, fault.Failure())
			return
		}
	}
}

// accountOf returns the account and the region.
func accountOf(o *model.Options) (aws.Config, error) {
	ctx := context.Background()
	var choices []func(*config.LoadOptions) error
	if region := cmp.Or(o.Region, o.Getenv("AWS_REGION"), o.Getenv("AWS_DEFAULT_REGION")); region != "" {
		choices = append(choices, config.WithRegion(region))
	}
	account, err := config.LoadDefaultConfig(ctx, choices...)
	if err != nil {
		return aws.Config{}, &model.Error{Class: debate.CallNotFound, Detail: "the settings of Amazon Web Services cannot be read", Err: err}
	}
	if account.Region == "" {
		return aws.Config{}, &model.Error{Class: debate.CallNotFound, Detail: "the provider bedrock has no region: write region for this party, or set AWS_REGION"}
	}
	if o.Key = cmp.Or(o.Key, o.Getenv(keyVariable)); o.Key != "" {
		o.Ready = func(context.Context) error { return nil }
		return account, nil
	}
	o.Ready = func(ctx context.Context) error {
		_, err := account.Credentials.Retrieve(ctx)
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("there are no credentials of Amazon Web Services: sign in (aws sso login), or in a workflow use aws-actions/configure-aws-credentials before: %w", err)
	}
	return account, nil
}
