package gemini

import _ "embed"

// Prices are what the provider's models cost, for its entry in the registry.
//
//go:embed prices.json
var Prices []byte
