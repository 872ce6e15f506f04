// Package bedrock asks models in Amazon's cloud: the provider bedrock. Those of
// Anthropic are asked by their own API, all others by Chat Completions, each
// through the SDK of its maker, as the account of this machine or of the job.
package bedrock

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go/bedrock"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"
	chat "github.com/openai/openai-go/v3/option"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
	"github.com/prdebate/debate/internal/model/anthropic"
	"github.com/prdebate/debate/internal/model/openai"
)

// keyVariable may hold a key of this service, which goes before the account.
const keyVariable = "AWS_BEARER_TOKEN_BEDROCK"

// New makes a client. Files and variables that say who asks are read; nothing is
// asked and no connection opened.
func New(o model.Options) (model.Client, error) {
	account, err := accountOf(&o)
	if err != nil {
		return nil, err
	}
	if !isClaude(o.Model) {
		return others(o, account)
	}
	if o.Key != "" {
		account.AuthSchemePreference = []string{"httpBearerAuth"}
		account.BearerAuthTokenProvider = sdk.NewStaticBearerTokenProvider(o.Key)
	}
	own := []option.RequestOption{sdk.WithConfig(account)}
	if o.BaseURL != "" {
		own = append(own, option.WithBaseURL(o.BaseURL))
	}
	return anthropic.Through("bedrock", o, own...)
}

// others asks a model of another maker.
func others(o model.Options, account aws.Config) (model.Client, error) {
	own := []chat.RequestOption{
		chat.WithBaseURL(cmp.Or(o.BaseURL, "https://bedrock-runtime."+account.Region+".amazonaws.com/openai/v1")),
	}
	if o.Key != "" {
		own = append(own, chat.WithAPIKey(o.Key))
	} else {
		own = append(own, chat.WithMiddleware(signed(account)))
	}
	return openai.Through("bedrock", openai.Options{Options: o, Chat: true}, own...)
}

// signed signs requests for an account. The SDK has a client that does it, which
// links all that its maker offers.
func signed(account aws.Config) chat.Middleware {
	signer := v4.NewSigner()
	return func(req *http.Request, next chat.MiddlewareNext) (*http.Response, error) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		req.Body.Close()
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		who, err := account.Credentials.Retrieve(req.Context())
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(body)
		if err := signer.SignHTTP(req.Context(), who, req, hex.EncodeToString(sum[:]), "bedrock", account.Region, time.Now()); err != nil {
			return nil, err
		}
		return next(req)
	}
}

// isClaude reports whether a model is one of Anthropic's, by its id or that of an
// inference profile, such as eu.anthropic.claude-sonnet-4-5-20250929-v1:0.
func isClaude(name string) bool { return strings.Contains(name, "anthropic.") }

// accountOf finds who asks, and where.
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
