package report

// The folders below import this package, so that only its external tests can reach
// them. They set what the tests here call.
var (
	HTML    func(e Envelope) []byte
	MaxHTML int
	SARIF   func(e Envelope) ([]byte, error)
	Text    func(e Envelope, opt TextOptions) []byte
	Told    func(e Envelope, opt TextOptions) []byte // terminal.Explain of a whole debate
)

// TextOptions are terminal.Options.
type TextOptions struct {
	Width    int
	Color    bool
	Verbose  bool
	Newest   bool
	In       string
	Recorded bool
}
