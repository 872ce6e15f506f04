package config

import _ "embed"

//go:embed schema.json
var schema []byte

//go:embed sample.yml
var sample []byte

// Schema is the JSON Schema of a repository's settings file, for editors. It is
// generated from the types of this package.
func Schema() []byte { return append([]byte(nil), schema...) }

// Sample is a settings file with comments that says what holds by default.
func Sample() []byte { return append([]byte(nil), sample...) }
