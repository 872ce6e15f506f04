package surround

import (
	"path"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/lazyregexp"
	"github.com/prdebate/debate/internal/lists"
	"github.com/prdebate/debate/internal/patch"
)

// The bounds of the names in a search.
const (
	mostNames    = 40 // of one change
	shortestName = 3
	longestName  = 120
	longestRead  = 500 // bytes of a line; longer lines are not read
)

// The forms of declarations, and of statements that remove something.
var (
	declaring = lazyregexp.New(`\b(?:func|function\*?|fn|fun|def|defp|class|interface|struct|enum|trait|type|module|record|protocol|sub|procedure|const|let|var|val|message|service|#define)\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]*)`)
	callable  = lazyregexp.New(`^\s*(?:[\w<>\[\],.*&:]+\s+)+\*?([A-Za-z_]\w*)\s*\([^;]*(?:\{|\(|,)\s*$`)
	controls  = lazyregexp.New(`^\s*[})]*\s*(?:if|else|elif|elsif|for|foreach|while|until|unless|do|switch|match|case|when|catch|except|try|with|using|lock|synchronized|return|yield|throw|raise|await|go|defer|select|new|super|assert|print)\b`)
	goField   = lazyregexp.New("^\\s+([A-Z]\\w*)\\s+[\\[\\]*\\w.]+(?:\\s*=.*|\\s+`.*)?$")
	shouted   = lazyregexp.New(`\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b`)
	route     = lazyregexp.New("[\"'`](/[\\w\\-/{}:.*]*[A-Za-z][\\w\\-/{}:.*]*)[\"'`]")
	configKey = lazyregexp.New(`^\s*(?:-\s+)?["']?([A-Za-z_][\w.-]*)["']?\s*[:=]`)
	sqlColumn = lazyregexp.New("(?i)\\b(?:DROP|RENAME|ALTER|MODIFY|CHANGE)\\s+COLUMN\\s+(?:IF\\s+EXISTS\\s+)?[\"`\\[]?(\\w+)")
	sqlTable  = lazyregexp.New("(?i)\\b(?:DROP\\s+(?:TABLE|VIEW)|ALTER\\s+TABLE\\s+\\S+\\s+RENAME\\s+TO)\\s+(?:IF\\s+EXISTS\\s+)?(?:\\w+\\.)?[\"`\\[]?(\\w+)")
	dropping  = lazyregexp.New(`(?i)\b\w*(?:drop|remove|rename)_?(?:column|table|field)s?\b(.*)`)
	literal   = lazyregexp.New(`[:'"](\w+)`)
)

// settings are endings of files with nothing but keys and values.
var settings = lists.Words(".yml .yaml .toml .json .ini .properties .env .cfg .conf")

// common are names found everywhere.
var common = lists.Words(`main init test tests setup self this super name names type types value values data error errors result results
		string String Error Len Less Swap New Close Get Set Run Read Write Add Delete Update Create key keys index default true false null none None
		version description title get set run new err ctx args opts options config item items list map out ret tmp int str obj res req id ID url URL func return
		len cap make append copy panic print println printf range sizeof typeof super require import export assert expect
		Main Init constructor render toString equals hashCode then with from only steps jobs uses env run on if else for while public private static void`)

// Names returns the names renamed, removed or redeclared by a file, in line order: other files
// may still use the old name or form.
func Names(f *patch.File) []string {
	kept := make(map[string]bool) // the added lines
	var added strings.Builder
	for l := range f.Lines() {
		if l.Op == '+' {
			kept[strings.TrimSpace(l.Text)] = true
			added.WriteString(l.Text + "\n")
		}
	}
	var names []string
	add := func(list ...string) {
		for _, name := range list {
			switch {
			case len(name) < shortestName, len(name) > longestName, common[name], len(names) == mostNames, slices.Contains(names, name):
			default:
				names = append(names, name)
			}
		}
	}
	isSettings := settings[strings.ToLower(path.Ext(f.Path()))]
	isGo := path.Ext(f.Path()) == ".go"
	for l := range f.Lines() {
		switch {
		case len(l.Text) > longestRead, l.Op == ' ':
		case l.Op == '+':
			add(dropped(l.Text)...)
		case kept[strings.TrimSpace(l.Text)]: // it only moved
		default:
			add(declared(l.Text, isGo)...)
			add(lists.Keep(gone(l.Text, isSettings), func(name string) bool { return !patch.HasWord(added.String(), name) })...)
		}
	}
	return names
}

// declared returns the names declared by a removed line; a new declaration of the name has
// another form.
func declared(line string, isGo bool) []string {
	if names := captured(declaring, line, 4); len(names) > 0 {
		return names
	}
	form := callable
	if isGo { // its functions have a keyword
		form = goField
	}
	if m := form().FindStringSubmatch(line); m != nil && !controls().MatchString(line) {
		return []string{m[1]}
	}
	return nil
}

// locals returns the names known only inside a file's package: in Go, those with a small first
// letter.
func locals(f *patch.File) map[string]bool {
	if path.Ext(f.Path()) != ".go" {
		return nil
	}
	all := make(map[string]bool)
	for l := range f.Lines() {
		if l.Op != '-' || len(l.Text) > longestRead {
			continue
		}
		for _, name := range declared(l.Text, true) {
			if localName().MatchString(name) {
				all[name] = true
			}
		}
	}
	return all
}

var localName = lazyregexp.New(`^[_a-z]`)

// gone returns the names in a removed line for other places: of constants, environment
// variables, routes and settings.
func gone(line string, isSettings bool) []string {
	names := append(shouted().FindAllString(line, 8), captured(route, line, 4)...)
	if isSettings {
		names = append(names, captured(configKey, line, 1)...)
	}
	return names
}

// dropped returns the columns and tables removed by a line.
func dropped(line string) []string {
	names := append(captured(sqlColumn, line, 4), captured(sqlTable, line, 4)...)
	if len(names) > 0 {
		return names
	}
	behind := strings.Join(captured(dropping, line, 1), "") // the call that drops something
	return captured(literal, behind, 4)
}

// captured returns the captures of a form in a line, up to a bound.
func captured(form lazyregexp.Regexp, line string, most int) []string {
	return lists.Map(form().FindAllStringSubmatch(line, most), func(m []string) string { return m[1] })
}
