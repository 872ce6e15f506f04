package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/prdebate/debate/internal/config"
	"github.com/prdebate/debate/internal/debate"
	"github.com/prdebate/debate/internal/model"
)

// examineParties says who would debate under the user's own settings and those
// in the work tree, or those that a flag names, and what kind of review that makes. Settings that are broken
// are reported already, and left out here. It returns whether a debate is
// possible.
func (r *run) examineParties(d *diagnosis, named string, online bool) bool {
	operator, _ := r.operatorConfig()
	first, second := operator, config.Config{}
	if named != "" {
		first, _ = r.namedConfig(named)
		second = operator
	} else {
		_, path := r.settingsFile("")
		if data, err := r.readLimited(path, config.MaxBytes); err == nil {
			second, _ = r.services().Parse(repositoryConfig, data)
		}
	}
	merged := config.Merge(first, second)
	d.ok("models see", "%s", map[config.Context]string{
		config.ContextRepository: "the change, the changed files around it, lines elsewhere that use what it takes away, and on GitHub the issues that it is to close (context: repository)",
		config.ContextChanged:    "the change, the changed files around it, and on GitHub the issues that it is to close (context: changed)",
		config.ContextOff:        "the change alone (context: off)",
	}[merged.Context])
	d.ok("models may look at", "%s", mayLookAt(merged))
	seated, err := participants(merged, r.Providers, r.Getenv, nil)
	if err != nil {
		d.fault("parties", "%v", err)
		return false
	}
	if merged.Parties.Primary == nil && len(merged.Parties.Challengers) == 0 {
		for _, p := range r.Providers {
			if name := p.KeyName(r.Getenv); p.Joins && r.Getenv(name) == "" {
				d.missing(p.Name, "%s is not set", name)
			}
		}
	}
	var live map[string]answered
	if online {
		live = r.call(&seated)
	}
	d.files(seated.files, merged)
	for _, p := range seated.parties {
		d.party(p, seated.access[p.ID])
		d.price(p, seated.backends.prices)
		if a, asked := live[p.ID]; asked {
			d.lines = append(d.lines, a.lines()...)
		}
	}
	return d.level(seated, *merged.AllowSameFamily || seated.sameFamily)
}

// party says whether one party can take part.
func (d *diagnosis) party(p debate.Party, access string) {
	if p.Status != debate.PartyOK {
		d.missing(p.ID, "%s by %s: %s", p.Role, p.Provider, p.Detail)
		return
	}
	if p.Debater != "" {
		d.ok(p.ID, "%s, served by %s", p.Role, p.Debater)
		return
	}
	said := []string{fmt.Sprintf("%s by %s", p.Role, p.Provider)}
	if p.Model != "" {
		said = append(said, "model "+p.Model)
	}
	said = append(said, "family "+p.Family)
	if p.Persona != "" {
		said = append(said, "as "+p.Persona)
	}
	if access != "" {
		said = append(said, access)
	}
	d.ok(p.ID, "%s", strings.Join(said, ", "))
	if p.Family == model.UnknownFamily {
		d.missing("family", "%s", wantsFamily)
	}
}

// price asks for that of a party's model where no table has it. Programs of this
// machine may say themselves what they cost.
func (d *diagnosis) price(p debate.Party, prices model.Prices) {
	if p.Model == "" || p.Debater != "" || p.Status != debate.PartyOK {
		return
	}
	if _, known := prices.Of(p.Model); !known {
		d.missing("price", "not known, so that limits of cost do not count it: "+wantsPrice, p.Model)
	}
}

// level says what kind of review the parties make possible, and returns whether
// that is a debate. Whoever is well can be primary (S14).
func (d *diagnosis) level(seated panel, sameFamily bool) (possible bool) {
	debaters, challengers, families := 0, 0, map[string]bool{}
	for _, p := range able(seated.parties) {
		switch p.Role {
		case debate.Primary:
		case debate.Challenger:
			challengers++
		default:
			continue
		}
		debaters++
		families[p.Family] = true
	}
	level := min(len(families), 2)
	said := []string{
		"every review is one by the embedded critic alone, and says so",
		"one model family",
		"two or more model families",
	}[level]
	hasPrimary := slices.ContainsFunc(seated.parties, func(p debate.Party) bool { return p.Role == debate.Primary })
	switch {
	case level > 0 && (!hasPrimary || challengers == 0 || debaters < 2):
		said += "; a debate needs a primary and a challenger"
	case level == 1 && sameFamily:
		said += "; it debates with itself, and the report says so"
		possible = true
	case level == 1:
		said += "; it debates with itself only where allow_same_family is true"
	case level == 2:
		possible = true
	}
	d.lines = append(d.lines, "", fmt.Sprintf("level %d of 3: %s", level, said),
		"  0 no model, 1 one model family, 2 two or more families; 3, the same with access to GitHub, is not reachable in this version",
		"", "models that are asked where the settings name none:")
	for _, p := range seated.backends.providers {
		if p.Model != "" && !p.Command {
			d.lines = append(d.lines, fmt.Sprintf("  %-10s %s", p.Name, p.Model))
		}
	}
	return possible
}

// files says what leaves this machine where programs get files of the repository.
func (d *diagnosis) files(parties []string, c config.Config) {
	who := strings.Join(parties, ", ")
	switch mayLook := c.Context == config.ContextRepository && *c.Limits.Looks > 0; {
	case who == "":
	case mayLook:
		d.ok("files", "%s: the program reads files of the repository by itself, without secrets, paths.private and what agents obey; "+
			"whatever it reads goes to its provider, and no record says what that was (files: true)", who)
	default:
		d.missing("files", "%s: the program gets no files of the repository in spite of files: true, since nobody may look at them", who)
	}
}

// mayLookAt says what models may ask to see beyond what they are sent.
func mayLookAt(c config.Config) string {
	switch {
	case c.Context != config.ContextRepository:
		return "nothing else (context: " + string(c.Context) + ")"
	case *c.Limits.Looks == 0:
		return "nothing else (limits.looks: 0)"
	}
	text := fmt.Sprintf("other files of the repository: up to %d things a call (limits.looks)", *c.Limits.Looks)
	if n := len(c.Paths.Private); n > 0 {
		text += fmt.Sprintf(", but nothing that paths.private names (%d patterns)", n)
	}
	return text
}
