package spans

import (
	"cmp"
	"context"

	"go.opentelemetry.io/otel/trace"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// convention maps a provider's name in settings to its name in OpenTelemetry's GenAI
// conventions, if they differ.
var convention = map[string]string{
	"gemini": "gcp.gemini", "vertex": "gcp.vertex_ai", "bedrock": "aws.bedrock", "azure": "azure.ai.openai",
}

// Asked is a model and its party.
type Asked struct{ Party, Provider, Model string }

// Client returns a client that traces its calls.
func (t *Tracer) Client(of model.Client, asked Asked) model.Client {
	if t == nil {
		return of
	}
	asked.Provider = cmp.Or(convention[asked.Provider], asked.Provider)
	return client{of, t, asked}
}

type client struct {
	model.Client
	tracer *Tracer
	asked  Asked
}

// Ask asks, and records the usage and the result.
func (c client) Ask(ctx context.Context, req model.Request) (model.Response, error) {
	ctx, span := c.tracer.start(ctx, "chat "+c.asked.Model, trace.SpanKindClient)
	span.Text("gen_ai.operation.name", "chat")
	span.Text("gen_ai.provider.name", c.asked.Provider)
	span.Text("gen_ai.request.model", c.asked.Model)
	span.Text("debate.party", c.asked.Party)
	failed := "panic" // unless it returns
	defer func() { span.End(failed) }()
	response, err := c.Client.Ask(ctx, req)
	span.Text("gen_ai.response.model", response.Model)
	span.Text("gen_ai.response.id", response.RequestID)
	span.used(response.Usage)
	failed = ""
	if class := model.Classify(err); class != nil {
		failed = string(class.Class)
	}
	return response, err
}

// used notes tokens and cost, as far as the provider told of them.
func (s *Span) used(u debate.Usage) {
	if u.TokensIn > 0 || u.TokensOut > 0 {
		s.Number("gen_ai.usage.input_tokens", int64(u.TokensIn)) // including cached ones
		s.Number("gen_ai.usage.output_tokens", int64(u.TokensOut))
	}
	if u.TokensCached > 0 {
		s.Number("gen_ai.usage.cache_read.input_tokens", int64(u.TokensCached))
	}
	if !u.CostUnknown {
		s.Number("debate.cost.micro_usd", u.CostMicro)
	}
}
