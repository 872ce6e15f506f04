package gemini

import _ "embed"

// Prices are the prices of the provider's models, for its entry in the registry.
//
//go:embed prices.json
var Prices []byte
