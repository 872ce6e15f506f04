package openai

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// azureVersion is a version of the API with both wires.
const azureVersion = "2025-04-01-preview"

// NewAzure returns a client for a deployment of Azure OpenAI, by its key. The model in the
// options is the name of the deployment, and the address is that of the resource.
func NewAzure(o Options) (*Client, error) {
	if o.BaseURL == "" {
		return nil, &model.Error{Class: debate.CallNotFound, Detail: "the provider azure has no address: write base_url: https://RESOURCE.openai.azure.com for this party, or set AZURE_OPENAI_ENDPOINT"}
	}
	// An address from an example of the other SDKs includes their path.
	base := strings.TrimSuffix(strings.TrimSuffix(strings.TrimRight(o.BaseURL, "/"), "/v1"), "/openai") + "/openai"
	version := "?api-version=" + url.QueryEscape(cmp.Or(o.APIVersion, azureVersion))
	return Through("azure", o, base+"/responses"+version, base+"/deployments/"+url.PathEscape(o.Model)+"/chat/completions"+version, http.Header{"Api-Key": {o.Key}})
}
