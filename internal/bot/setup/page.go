package setup

import (
	"bytes"
	_ "embed"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/prdebate/debate/internal/gh"
)

//go:embed page.tmpl.html
var pageText string

//go:embed style.css
var style string

var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"style": func() template.CSS { return template.CSS(style) },
		"join":  func(list []string) string { return strings.Join(list, ", ") },
	}).Parse(pageText))
})

// view is the content of the page: one of its steps, and perhaps a problem. It has no
// secret.
type view struct {
	Problem string
	Locked  bool   // the token is asked for
	Again   string // address of the form, after something went wrong
	Apps    string // the owner's Apps, where one may be left over

	// The form for GitHub. Choose is the address for another name or owner.
	To, Manifest, Choose string
	Pages                string
	Name, Owner          string
	Hook                 string
	IsPolling            bool // Hook is nowhere
	Permissions          []permission
	Events               []string

	// The App that GitHub offers, and the address to take it over.
	Take, Code, State string

	Made *Credentials
}

// permission is a permission of the App.
type permission struct{ Name, Level string }

func permissions() []permission {
	asked := gh.AppPermissions()
	var list []permission
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		list = append(list, permission{strings.ReplaceAll(name, "_", " "), asked[name]})
	}
	return list
}

// show writes a page.
func (s *site) show(w http.ResponseWriter, status int, v view) {
	var b bytes.Buffer
	if err := page().Execute(&b, v); err != nil {
		http.Error(w, "The page could not be made.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = b.WriteTo(w) // the browser may be gone
}
