package comment

import (
	"strings"
	"testing"
)

func TestSuggestion(t *testing.T) {
	t.Parallel()
	cited := []string{"\tx := 1", "\ty := 2"}
	block, ok := Suggestion("\tx := 2\n\ty := 2\n\tz := 3\n", Cited{Lines: cited, Shown: []string{"\tz := 1"}})
	if want := "\n\nSuggested change (not tested):\n\n```suggestion\n\tx := 2\n\ty := 2\n\tz := 3\n```\n"; !ok || block != want {
		t.Errorf("Suggestion = %q, %v", block, ok)
	}
	for _, c := range []struct {
		name, text string
		cited      []string
	}{
		{"empty", "", cited}, {"blank", " \n\t\n", cited}, {"for no lines", "x", nil}, {"no change", "\tx := 1\n\ty := 2", cited},
		{"too long", strings.Repeat("x", maxSuggestion+1), cited}, {"too many lines", strings.Repeat("x\n", 60), cited}, {"for too many lines", "x", make([]string, 51)},
		{"ends its block", "x\n```\n# owned", cited}, {"nested", "````suggestion\nx\n````", cited}, {"with tildes", "~~~\nx", cited},
		{"bidi", "x := \"\u202e\"", cited}, {"zero width", "x\u200by", cited}, {"tag", "x\U000E0041", cited}, {"control", "x\x1b[2J", cited}, {"carriage return", "x\r\ny", cited},
		{"held a secret", "token := \"[redacted]\"", cited}, {"NUL", "x\x00", cited}, {"invalid", "x\xff", cited}, {"slash command", "/lgtm", cited}, {"in a comment", " * /approve", cited}, {"bot", "# @dependabot merge", cited},
		{"closing keyword", "// fixes #1", cited}, {"marker", "<!-- debate:summary v1 -->", cited}, {"workflow command", "::set-output name=x::y", cited}, {"old one", "echo ##[x]", cited},
	} {
		if block, ok := Suggestion(c.text, Cited{Lines: c.cited}); ok || block != "" {
			t.Errorf("%s: %q", c.name, block)
		}
	}
}

// pythonLines are the place of a finding in a file that indents with blanks.
func pythonLines() Cited {
	return Cited{
		Path: "a.py", Lines: []string{"        return y + 1"},
		Before: []string{"import os", "class A:", "    def f(self, x):", "        y = x"}, After: []string{"", "    def g(self):", "        return 0"},
	}
}

// TestSuggestionBreaksNothing has a row for each way in which one click would break code.
func TestSuggestionBreaksNothing(t *testing.T) {
	t.Parallel()
	goSwitch := Cited{
		Path: "a.go", Lines: []string{"\tif x {", "\t\treturn f(x)", "\t}"},
		Before: []string{"func g(x bool) int {", "\ty := 1"}, After: []string{"\treturn y", "}"},
	}
	list := Cited{Path: "a.js", Lines: []string{"  retries: 3,"}, Before: []string{"const o = {"}, After: []string{"  delay: 1,", "};"}}
	statement := Cited{Path: "a.c", Lines: []string{"    free(p);"}, After: []string{"    return 0;", "}"}}
	top := Cited{Path: "a.py", Lines: []string{"x = 1"}, After: []string{"def f():", "    return x"}}
	block := Cited{Path: "a.py", Lines: []string{"    if x:"}, After: []string{"        return 1"}}
	for _, c := range []struct {
		name, text string
		at         Cited
	}{
		{"indent lost", "return y", pythonLines()},
		{"indent too deep", "            return y", pythonLines()},
		{"tab for blanks", "\treturn y", pythonLines()},
		{"later line left of the cited ones", "        if y:\nreturn y", pythonLines()},
		{"tab among blanks", "        if y:\n        \treturn y", pythonLines()},
		{"tab in a file of blanks", "if x:\n\tx = 2", top},
		{"first of several lines without its indent", "if x {\n\t\treturn f(!x)\n\t}", goSwitch},
		{"prose", "Return y without adding one", pythonLines()},
		{"indented prose", "        Return y without adding one", pythonLines()},
		{"small letters", "        return y without adding one", pythonLines()},
		{"order", "        Use parameterized queries.", pythonLines()},
		{"order with a call in it", "        Call f(x) instead of g(x) here", pythonLines()},
		{"order with a name in it", "        use sync.Mutex instead", pythonLines()},
		{"order in small letters", "        remove this line", pythonLines()},
		{"sentence before code", "        The result is one too large:\n        return y", pythonLines()},
		{"two words", "        Handle errors", pythonLines()},
		{"comment for code", "        # return y without adding one", pythonLines()},
		{"code left out", "        return y\n        # ... the rest stays", pythonLines()},
		{"dots", "        ...", pythonLines()},
		{"marks of a diff", "-x = 1\n+x = 2", top},
		{"mark of a diff", "+x = 2", top},
		{"number of the line", "12: x = 2", top},
		{"code in backquotes", "`x = 2`", top},
		{"escaped line end", "x = 2\\ny = 3", top},
		{"characters of a web page", "x = y &lt; 2", top},
		{"the same with another indent", "    return y + 1", pythonLines()},
		{"the same with blanks at its end", "        return y + 1  ", pythonLines()},
		{"the same with other blanks in it", "        return y  +  1", pythonLines()},
		{"the line before it again", "        y = x\n        return y", pythonLines()},
		{"the lines after it again", "        return y\n\n    def g(self):\n        return 0", pythonLines()},
		{"the line after it again", "\tif !x {\n\t\treturn f(x)\n\t}\n\treturn y", goSwitch},
		{"closing bracket again", "\tif !x {\n\t\treturn f(x)\n\t}\n\treturn z\n}", goSwitch},
		{"import again", "import os\nx = 2", Cited{Path: "a.py", Lines: []string{"x = 1"}, Before: []string{"import os", "import re", ""}}},
		{"bracket lost", "\tif !x {\n\t\treturn f(x)", goSwitch},
		{"bracket opened", "    if (p) { free(p);", statement},
		{"comma lost", "  retries: 5", list},
		{"comma added", "        return y,", pythonLines()},
		{"semicolon lost", "    free(q)", statement},
		{"colon lost", "    if x and y", block},
		{"cited line twice", "        return y + 1\n        return y + 1", pythonLines()},
		{"old and new on one line", "        return y + 1 -> return y", pythonLines()},
		{"order of three words", "        guard against zero", pythonLines()},
		{"order with a full stop", "        Add a zero check.", pythonLines()},
		{"order before a name", "        Use `max`", pythonLines()},
		{"hint", "        see above", pythonLines()},
		{"condition in words", "        if y is zero, return zero", pythonLines()},
		{"label before code", "        Fix: return y", pythonLines()},
		{"nothing to change", "        N/A", pythonLines()},
		{"order with a semicolon", "    free it only once;", statement},
		{"order with a variable", "quote $DIR and check it is set", Cited{Path: "a.sh", Lines: []string{"rm -r $DIR"}}},
		{"prompt of a shell", "$ rm -r \"$DIR\"", Cited{Path: "a.sh", Lines: []string{"rm -r $DIR"}}},
		{"code left out behind code", "        return y  # ...", pythonLines()},
		{"rest of the code", "        return y\n        # rest of the method unchanged", pythonLines()},
		{"existing code", "        # existing code\n        return y", pythonLines()},
		{"your code", "        # your code here\n        return y", pythonLines()},
		{"brackets the other way around", "\t}\n\tif x {\n\t\treturn f(x)", goSwitch},
		{"quote opened", "        return \"y", pythonLines()},
		{"single quote opened", "        return 'y", pythonLines()},
		{"single quote opened in a Dockerfile", "RUN sh -c 'make", Cited{Path: "Dockerfile", Lines: []string{"RUN make"}}},
		{"another way behind code", "        return y # or return 0", pythonLines()},
		{"another way below code", "  x()\n  // Alternatively: y()", Cited{Path: "a.js", Lines: []string{"  z()"}}},
		{"arguments left out", "        return f(...)", pythonLines()},
		{"comment of another language", "        return y // not y + 1", pythonLines()},
		{"comment of a shell", "  // quote it\n  # so that blanks stay\n  retries: 5,", list},
		{"old and new by name", "        # Before\n        return y + 1\n        # After\n        return y", pythonLines()},
		{"marks of a diff in the indent", "        - return y + 1\n        + return y", pythonLines()},
		{"note in brackets", "        return y\n        (and remove the offset elsewhere)", pythonLines()},
		{"numbered step", "        1. return y", pythonLines()},
		{"code in backquotes behind code", "        return `y`", pythonLines()},
		{"full stop", "        return y.", pythonLines()},
		{"block without lines", "        if y is None:", pythonLines()},
		{"words behind the cited line", "        return y + 1 becomes return y", pythonLines()},
		{"name of the file", "        # a.py\n        return y", pythonLines()},
		{"value to fill in", "    image: app:<version>", Cited{Path: "a.yml", Lines: []string{"    image: app:latest"}}},
		{"backquote opened", "  retries: `5,", list},
		{"no-break space", "        return\u00a0y", pythonLines()},
		{"no-break space in the indent", "       \u00a0return y", pythonLines()},
		{"narrow no-break space", "        return\u202fy", pythonLines()},
		{"ideographic space", "        return\u3000y", pythonLines()},
		{"en space", "        return\u2002y", pythonLines()},
		{"Cyrillic letter", "        return y.\u0441ount", pythonLines()},
		{"Cyrillic word", "        return \u0441\u043e\u0440\u0443", pythonLines()},
		{"Greek letter", "        return y.c\u03bfunt", pythonLines()},
		{"Greek question mark", "    free(q)\u037e", statement},
		{"full width letter", "        return \uff59", pythonLines()},
		{"full width bracket", "        return f\uff08y)", pythonLines()},
		{"mathematical letter", "        return \U0001d466", pythonLines()},
		{"letter without its dot", "        return l\u0131st", pythonLines()},
		{"letter with a mark of its own", "        return e\u0301", pythonLines()},
		{"minus that is none", "        return y \u2212 1", pythonLines()},
		{"dash", "        return y \u2013 1", pythonLines()},
		{"quotes of a book", "        return \u201cy\u201d", pythonLines()},
		{"Cyrillic look-alike beside Cyrillic text", "        return \u0441\u043e\u0440\u0443", Cited{Path: "a.py", Lines: []string{"        return \"\u0436\u0443\u043a\""}}},
		{"Cyrillic in a Latin word beside Cyrillic text", "        return c\u043epy", Cited{Path: "a.py", Lines: []string{"        return \"\u0436\u0443\u043a\""}}},
		{"note in brackets behind the cited line", "        return y + 1  (remove the + 1)", pythonLines()},
		{"arrow behind code", "        return y  <-- fixed", pythonLines()},
		{"no answer", "        as is", pythonLines()},
		{"no answer in brackets", "        (delete)", pythonLines()},
		{"for example", "        e.g. return y", pythonLines()},
		{"text left out", "        raise ValueError(\"...\")", pythonLines()},
		{"value left out", "        api_key = '...'", pythonLines()},
		{"order with code behind a colon", "    Use optional chaining: a?.b;", Cited{Path: "a.ts", Lines: []string{"    const x = a.b;"}}},
		{"value of several words to fill in", "    image: app@<full digest>", Cited{Path: "a.yml", Lines: []string{"    image: app:latest"}}},
		{"value to fill in in a Dockerfile", "FROM node:<version>", Cited{Path: "Dockerfile", Lines: []string{"FROM node:18"}}},
		{"value to replace", "        return 3  # replace with the real limit", pythonLines()},
		{"mark of an item lost", "  name: two", Cited{Path: "a.yml", Lines: []string{"  - name: one"}}},
		{"mark of an item added", "  - name: two", Cited{Path: "a.yml", Lines: []string{"  name: one"}}},
		{"comment in JSON", "  \"a\": 2, // pinned", Cited{Path: "a.json", Lines: []string{"  \"a\": 1,"}}},
		{"single quotes in JSON", "  'a': 2,", Cited{Path: "a.json", Lines: []string{"  \"a\": 1,"}}},
		{"end of Ruby lost", "    if y\n      x = y", Cited{Path: "a.rb", Lines: []string{"    x = y"}}},
		{"block of Ruby opened", "    list.each do |y|", Cited{Path: "a.rb", Lines: []string{"    x = list"}}},
		{"end of Ruby added", "    x = y\n    end", Cited{Path: "a.rb", Lines: []string{"    x = z"}}},
		{"end of a shell's block lost", "if [ -n \"$DIR\" ]; then\n  rm -r \"$DIR\"", Cited{Path: "a.sh", Lines: []string{"rm -r $DIR"}}},
		{"tag opened", "  <p>Hello", Cited{Path: "a.html", Lines: []string{"  <p>Hi</p>"}}},
		{"tag closed", "  <p>Hello</p>\n  </div>", Cited{Path: "a.tsx", Lines: []string{"  <p>Hi</p>"}}},
		{"number of a line before code", "        12 return y", pythonLines()},
		{"quote of a mail", "        > return y", pythonLines()},
		{"one no-break space more", "        return\u00a0\"a\u00a0c\"", Cited{Path: "a.py", Lines: []string{"        return \"a\u00a0b\""}}},
		{"a word of two scripts next to Cyrillic text", "        sco\u0440e = \"\u0440\u0443\"", Cited{Path: "a.py", Lines: []string{"        score = \"\u0440\u0443\""}}},
		{"one line for all of the cited ones", "\ttotal := sum(y)", Cited{Path: "a.go", Lines: []string{"\ty := 1", "\ttotal := f(y)", "\treturn total"}, After: []string{"}"}}},
		{"next line again before more", "x = get()\ny = x + 1\nreturn y or 0", Cited{Path: "a.py", Lines: []string{"x = load()"}, After: []string{"y = x + 1", "return y"}}},
		{"return before the lines after it", "    x = get()\n    return x", Cited{Path: "a.py", Lines: []string{"    x = load()"}, After: []string{"    y = x + 1", "    return y"}}},
		{"key of YAML again", "  timeout: 10\n  retries: 3", Cited{Path: "a.yml", Lines: []string{"  timeout: 5"}, After: []string{"  retries: 2"}}},
		{"key of JSON again", "  \"a\": 2,\n  \"b\": 3,", Cited{Path: "a.json", Lines: []string{"  \"a\": 1,"}, After: []string{"  \"c\": 1,", "  \"b\": 2"}}},
		{"key of TOML again", "a = 2\nb = 3", Cited{Path: "a.toml", Lines: []string{"a = 1"}, After: []string{"b = 2"}}},
		{"variable of Go again", "\terr := check(x)\n\treturn err", Cited{Path: "a.go", Before: []string{"\terr := load()", "\tlog(err)"}, Lines: []string{"\treturn check(x)"}}},
		{"order in a document", "Change `npm instal` to `npm install`.", Cited{Path: "README.md", Lines: []string{"Run npm instal first."}}},
		{"order with an assignment", "    Set timeout=10", Cited{Path: "a.py", Lines: []string{"    timeout = 5"}}},
		{"order with a condition", "    Return early if x == nil", Cited{Path: "a.go", Lines: []string{"    x.f()"}}},
		{"order with line numbers", "    Delete lines 3-5", Cited{Path: "a.go", Lines: []string{"    x.f()"}}},
		{"note in brackets behind new code", "        return y (no addition)", pythonLines()},
		{"name of the file in words", "In a.py:\nx = 2", top},
		{"command of an editor", "s/foo/bar/", Cited{Path: "a.py", Lines: []string{"foo()"}}},
		{"comment opened", "    x = 2; /* as before", Cited{Path: "a.c", Lines: []string{"    x = 1;"}}},
		{"end of a try lost", "        try:\n            return y", pythonLines()},
		{"end of Lua added", "  local x = 1\n  end", Cited{Path: "a.lua", Lines: []string{"  local x = 2"}}},
		{"block of Elixir opened", "  def f do", Cited{Path: "a.ex", Lines: []string{"  def f, do: 1"}}},
		{"no-break space in a document", "Some\u00a0words.", Cited{Path: "a.md", Lines: []string{"Some word."}}},
	} {
		if block, ok := Suggestion(c.text, c.at); ok || block != "" {
			t.Errorf("%s: %q", c.name, block)
		}
	}
	for _, c := range []struct {
		name, text string
		at         Cited
	}{
		{"another line", "        return y", pythonLines()},
		{"more lines", "        if y is None or x not in self.seen:\n            raise ValueError(\"the value is not here\")\n        return y", pythonLines()},
		{"keywords", "        return y if y is not None and x in z else 0", pythonLines()},
		{"closing bracket that was there", "\tif !x {\n\t\treturn f(x)\n\t}", goSwitch},
		{"comma kept", "  retries: 5,", list},
		{"block for a statement", "    if (p) {\n        free(p);\n        p = NULL;\n    }", statement},
		{"colon kept", "    if x and y:", block},
		{"a word of two scripts that was there", "        sco\u0440e = 2", Cited{Path: "a.py", Lines: []string{"        sco\u0440e = 1"}}},
		{"Cyrillic text next to a name", "        return \"\u0440\u0443\" + name", Cited{Path: "a.py", Lines: []string{"        return \"\u0440\u0443\""}}},
		{"no-break space that was there", "        return \"a\u00a0c\"", Cited{Path: "a.py", Lines: []string{"        return \"a\u00a0b\""}}},
		{"line ends of Windows", "x = 2", Cited{Path: "a.py", Lines: []string{"x = 1\r"}, After: []string{"y = 1\r"}}},
		{"SQL", "SELECT id, name FROM users WHERE id = $1 ORDER BY name", Cited{Path: "a.sql", Lines: []string{"SELECT id FROM users"}}},
		{"words that are there", "        yield x", pythonLines()},
		{"keywords alone", "        raise", pythonLines()},
		{"character", "\tx := 'a'", Cited{Path: "a.go", Lines: []string{"\tx := 1"}}},
		{"brackets that close and open", "\t} else {", Cited{Path: "a.go", Lines: []string{"\t} else if x {"}}},
		{"shell", "set -euo pipefail", Cited{Path: "a.sh", Lines: []string{"set -e"}}},
		{"YAML", "    runs-on: ubuntu-24.04", Cited{Path: "a.yml", Lines: []string{"    runs-on: ubuntu-latest"}}},
		{"item of a list", "- name: two", Cited{Path: "a.yml", Lines: []string{"- name: one"}}},
		{"Java", "    public static final int LIMIT = 10;", Cited{Path: "A.java", Lines: []string{"    public static int LIMIT = 10;"}}},
		{"value of a key in YAML", "      contents: read", Cited{Path: "a.yml", Lines: []string{"      contents: write"}}},
		{"keys in YAML", "  - uses: a/b@v4\n    with:\n      persist-credentials: false", Cited{Path: "a.yaml", Lines: []string{"  - uses: a/b@v4"}}},
		{"None in Python", "        return y or None", pythonLines()},
		{"line taken out", "\ta()\n\tc()", Cited{Path: "a.go", Lines: []string{"\ta()", "\tb()", "\tc()"}, After: []string{"}"}}},
		{"check before the lines after it", "\tif p == nil {\n\t\treturn nil\n\t}\n\tp.x()", Cited{Path: "a.go", Lines: []string{"\tp.x()"}, After: []string{"\tp.y()", "}"}}},
		{"key of the next step in YAML", "  - uses: a/b@v4\n    with:\n      depth: 0", Cited{Path: "a.yml", Lines: []string{"  - uses: a/b@v3"}, After: []string{"  - uses: c/d@v1", "    with:"}}},
		{"order for an order", "Remove the file `b`.", Cited{Path: "README.md", Lines: []string{"Remove the file `a`."}}},
		{"declaration changed", "type A struct {", Cited{Path: "a.go", Lines: []string{"type B struct {"}, After: []string{"\tx int", "}"}}},
	} {
		if _, ok := Suggestion(c.text, withWords(c.at, c.text)); !ok {
			t.Errorf("%s: not live", c.name)
		}
	}
}

// withWords is a place in a file that has all words of a text, each on a line of its own.
func withWords(at Cited, text string) Cited {
	at.Shown = append(at.Shown, strings.FieldsFunc(text, notInWord)...)
	return at
}

// TestSuggestionOfKnownWords has what is no code for this place although the file has each word.
func TestSuggestionOfKnownWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		at         Cited
	}{
		{"order", "        remove these lines", pythonLines()},
		{"sentence", "        return y without adding one", pythonLines()},
		{"two words", "        Handle errors", pythonLines()},
		{"label", "        The result is one too large:\n        return y", pythonLines()},
		{"order with a semicolon", "    free it only once;", Cited{Path: "a.c", Lines: []string{"    free(p);"}}},
		{"order with a condition", "    Return early if x == nil", Cited{Path: "a.go", Lines: []string{"    x.f()"}}},
		{"order with a variable", "quote $DIR and check it is set", Cited{Path: "a.sh", Lines: []string{"rm -r $DIR"}}},
		{"code left out", "        return y\n        ...", pythonLines()},
		{"an arrow", "        return y + 1 -> return y", pythonLines()},
		{"a remark", "        return y # or return 0", pythonLines()},
		{"characters of a web page", "        return x &lt; y", pythonLines()},
	} {
		if block, ok := Suggestion(c.text, withWords(c.at, c.text)); ok {
			t.Errorf("%s: %q", c.name, block)
		}
	}
}

// TestSuggestionPrice has good code that is text all the same: the checks do not see that it is good.
func TestSuggestionPrice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		at         Cited
	}{
		{"comment and code", "        # The caller adds one.\n        return y", pythonLines()},
		{"comment behind code", "        return y  # the caller adds one, so it must not be added here", pythonLines()},
		{"sentence in a document", "Return y without adding one.", Cited{Path: "README.md", Lines: []string{"# Title"}}},
		{"single quotes and an apostrophe", "        return f'it\\'s {y}'  # don't add one", pythonLines()},
		{"apostrophe between double quotes", "        return \"it isn't y\"", pythonLines()},
		{"lifetime", "    fn f<'a>(x: &'a str, y: &'a str) {", Cited{Path: "a.rs", Lines: []string{"    fn f<'a>(x: &'a str) {"}}},
		{"question mark of Ruby", "    x = y unless y.nil?", Cited{Path: "a.rb", Lines: []string{"    x = y"}}},
		{"block of Ruby", "    if y\n      x = y\n    end", Cited{Path: "a.rb", Lines: []string{"    x = y"}}},
		{"loop of a shell", "for f in *; do\n  rm \"$f\"\ndone", Cited{Path: "a.sh", Lines: []string{"rm *"}}},
		{"tags without an end", "  <p>Hello<br><img src=\"a.png\"/></p>", Cited{Path: "a.html", Lines: []string{"  <p>Hi</p>"}}},
		{"type in TypeScript", "  const x = useState<string>(y);", Cited{Path: "a.tsx", Lines: []string{"  const x = y;"}}},
		{"address in JSON", "  \"a\": \"https://a.example/it's\",", Cited{Path: "a.json", Lines: []string{"  \"a\": 1,"}}},
		{"fewer lines", "    return x > 0", Cited{Path: "a.py", Lines: []string{"    if x > 0:", "        return True", "    return False"}}},
		{"sentence for a sentence", "    Return y without the one.", Cited{Path: "a.py", Lines: []string{"    Return the sum of y and one."}}},
		{"path with a star", "RUN rm -rf /var/lib/apt/lists/*", Cited{Path: "Dockerfile", Lines: []string{"RUN rm -rf /var/lib/apt"}}},
		{"spread", "  ...defaults,", Cited{Path: "a.js", Lines: []string{"  retries: 3,"}, Shown: []string{"  ...o,"}}},
		{"a function that the change does not have", "        return abs(y)", pythonLines()},
	} {
		at := c.at
		if !strings.HasPrefix(c.name, "a function") {
			at = withWords(at, c.text)
		}
		if _, ok := Suggestion(c.text, at); ok {
			t.Errorf("%s is live now: move its row", c.name)
		}
	}
}

// TestSuggestionPlaceholder has a row for each text that a person has to fill in. It is live
// only if the file holds it already.
func TestSuggestionPlaceholder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, held string // held: the same placeholder in the cited lines
	}{
		{"TODO", "x = f()  # TODO handle errors", "x = g(f)  # TODO handle errors"},
		{"TODO of a person", "x = f()  # TODO(bob): handle errors", "x = g(f)  # TODO(bob): handle errors"},
		{"XXX", "x = f()  # XXX check", "x = g(f)  # XXX check"},
		{"value in brackets", "x = \"<token>\"", "x = f(\"<token>\")"},
		{"FIXME", "x = f()  # FIXME: handle errors", "x = g(f)  # FIXME: handle errors"},
		{"YOUR name", "x = \"YOUR_VALUE_HERE\"", "x = f(\"YOUR_VALUE_HERE\")"},
		{"YOUR key", "x = YOUR_API_KEY", "x = f(YOUR_API_KEY)"},
		{"your key in small letters", "x = \"your_api_key\"", "x = f(\"your_api_key\")"},
		{"your key with hyphens", "x = \"your-api-key-here\"", "x = f(\"your-api-key-here\")"},
		{"name with HERE", "x = \"TOKEN_HERE\"", "x = f(\"TOKEN_HERE\")"},
		{"changeme", "x = \"changeme\"", "x = f(\"changeme\")"},
		{"CHANGE_ME", "x = \"CHANGE_ME\"", "x = f(\"CHANGE_ME\")"},
		{"brackets", "x = \"<your token>\"", "x = f(\"<your token>\")"},
		{"brackets without blanks", "x = \"<YOUR-TOKEN>\"", "x = f(\"<YOUR-TOKEN>\")"},
	} {
		if _, ok := Suggestion(c.text, Cited{Path: "a.py", Lines: []string{"x = 1"}}); ok {
			t.Errorf("%s: %q is live", c.name, c.text)
		}
		if _, ok := Suggestion(c.text, Cited{Path: "a.py", Lines: []string{c.held}}); !ok {
			t.Errorf("%s: %q is not live for %q", c.name, c.text, c.held)
		}
	}
	if _, ok := Suggestion("Set TOKEN to YOUR_TOKEN_HERE.", Cited{Path: "README.md", Lines: []string{"Set TOKEN."}}); ok {
		t.Error("a placeholder is live in a document")
	}
	if _, ok := Suggestion("x = YOUR_OTHER_KEY", Cited{Path: "a.py", Lines: []string{"x = YOUR_API_KEY"}}); ok {
		t.Error("another placeholder than the one that was there is live")
	}
}
