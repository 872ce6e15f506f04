package patch

// Index answers where a line stands in a change.
type Index struct{ set *Set }
