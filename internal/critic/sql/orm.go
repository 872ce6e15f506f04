package sql

import (
	"cmp"
	"strings"

	"github.com/prdebate/debate/internal/critic/check"
	"github.com/prdebate/debate/internal/lazyregexp"
)

// ormRule reads one call of a migration library. The groups of its pattern are named table, column,
// to and type.
type ormRule struct {
	kind    fileKind
	op      opKind
	pattern lazyregexp.Regexp
}

// Names of tables and columns as the libraries write them.
const (
	rubyName = `\(?\s*[:"'](?P<table>\w+)["']?`
	rubyNext = `\s*,\s*[:"'](?P<column>\w+)["']?`
	anyArgs  = `\s*\(`
	quotedA  = `\s*\(\s*["'` + "`" + `](?P<table>[\w.]+)["'` + "`" + `]`
	quotedB  = `\s*,\s*["'` + "`" + `](?P<column>\w+)["'` + "`" + `]`
	loneName = `\s*\(\s*["'` + "`" + `](?P<column>\w+)["'` + "`" + `]`
)

// ormRules lists the known calls. The first match on a line wins.
var ormRules = []ormRule{
	{railsMigration, opCreateTable, lazyregexp.New(`\bcreate_(?:join_)?table` + rubyName)},
	{railsMigration, opDropTable, lazyregexp.New(`\bdrop_(?:join_)?table` + rubyName)},
	{railsMigration, opDropColumn, lazyregexp.New(`\bremove_(?:column|columns|reference|belongs_to)` + rubyName + rubyNext)},
	{railsMigration, opDropColumn, lazyregexp.New(`\bremove_timestamps` + rubyName)},
	{railsMigration, opDropColumn, lazyregexp.New(`\bt\.remove(?:_references|_belongs_to)?\s*\(?\s*[:"'](?P<column>\w+)`)},
	{railsMigration, opRenameTable, lazyregexp.New(`\brename_table` + rubyName + `\s*,\s*[:"'](?P<to>\w+)`)},
	{railsMigration, opRenameColumn, lazyregexp.New(`\brename_column` + rubyName + rubyNext)},
	{railsMigration, opRenameColumn, lazyregexp.New(`\bt\.rename\s*\(?\s*[:"'](?P<column>\w+)`)},
	{railsMigration, opChangeType, lazyregexp.New(`\bchange_column` + rubyName + rubyNext + `\s*,\s*[:"'](?P<type>\w+)`)},
	{railsMigration, opAddColumn, lazyregexp.New(`\badd_(?:column|reference|belongs_to)` + rubyName + rubyNext)},

	{pythonMigration, opCreateTable, lazyregexp.New(`\bmigrations\.CreateModel` + anyArgs)},
	{pythonMigration, opDropTable, lazyregexp.New(`\bmigrations\.DeleteModel` + anyArgs)},
	{pythonMigration, opDropColumn, lazyregexp.New(`\bmigrations\.RemoveField` + anyArgs)},
	{pythonMigration, opRenameTable, lazyregexp.New(`\bmigrations\.RenameModel` + anyArgs)},
	{pythonMigration, opRenameColumn, lazyregexp.New(`\bmigrations\.RenameField` + anyArgs)},
	{pythonMigration, opAlterField, lazyregexp.New(`\bmigrations\.AlterField` + anyArgs)},
	{pythonMigration, opAddColumn, lazyregexp.New(`\bmigrations\.AddField` + anyArgs)},
	{pythonMigration, opCreateTable, lazyregexp.New(`\bop\.create_table` + quotedA)},
	{pythonMigration, opDropTable, lazyregexp.New(`\bop\.drop_table` + quotedA)},
	{pythonMigration, opRenameTable, lazyregexp.New(`\bop\.rename_table` + quotedA + `\s*,\s*["'](?P<to>\w+)`)},
	{pythonMigration, opDropColumn, lazyregexp.New(`\bop\.drop_column` + quotedA + quotedB)},
	{pythonMigration, opDropColumn, lazyregexp.New(`\bbatch_op\.drop_column` + loneName)},
	{pythonMigration, opRenameColumn, lazyregexp.New(`\bop\.alter_column` + quotedA + quotedB + `[^()]*\bnew_column_name\s*=`)},
	{pythonMigration, opRenameColumn, lazyregexp.New(`\bbatch_op\.alter_column` + loneName + `[^()]*\bnew_column_name\s*=`)},
	{pythonMigration, opChangeType, lazyregexp.New(`\bop\.alter_column` + quotedA + quotedB + `.*?[,\s]type_\s*=\s*(?:\w+\.)*(?P<type>\w+)`)},
	{pythonMigration, opChangeType, lazyregexp.New(`\bbatch_op\.alter_column` + loneName + `.*?[,\s]type_\s*=\s*(?:\w+\.)*(?P<type>\w+)`)},
	{pythonMigration, opAddColumn, lazyregexp.New(`\bop\.add_column` + quotedA + `\s*,\s*(?:\w+\.)?Column\(\s*["'](?P<column>\w+)["']`)},

	{jsMigration, opCreateTable, lazyregexp.New(`\.createTable(?:IfNotExists)?` + quotedA)},
	{jsMigration, opDropTable, lazyregexp.New(`\.dropTable(?:IfExists)?` + quotedA)},
	{jsMigration, opRenameTable, lazyregexp.New(`\.renameTable` + quotedA + `\s*,\s*["'` + "`" + `](?P<to>\w+)`)},
	{jsMigration, opRenameColumn, lazyregexp.New(`\.renameColumn` + quotedA + quotedB + `\s*,`)},
	{jsMigration, opRenameColumn, lazyregexp.New(`\.renameColumn` + loneName)},
	{jsMigration, opDropColumn, lazyregexp.New(`\b(?:queryInterface\.removeColumn|queryRunner\.dropColumn)` + quotedA + quotedB)},
	{jsMigration, opDropColumn, lazyregexp.New(`\.dropColumns?` + loneName)},
}

// ormSections match the beginnings of a migration's way forward and way back.
var ormSections = map[fileKind]struct{ up, down lazyregexp.Regexp }{
	railsMigration: {
		up:   lazyregexp.New(`^\s*def\s+(?:self\.)?(?:up|change)\b|\b\w+\.up\s*(?:do\b|\{)`),
		down: lazyregexp.New(`^\s*def\s+(?:self\.)?down\b|\b\w+\.down\s*(?:do\b|\{)`),
	},
	pythonMigration: {
		up:   lazyregexp.New(`^\s*def\s+upgrade\w*\s*\(|^\s*operations\s*=|\bdatabase_operations\s*=`),
		down: lazyregexp.New(`^\s*def\s+downgrade\w*\s*\(|\bstate_operations\s*=|^\s*def\s+(?:reverse|backwards?|undo|unapply|rollback)\w*\s*\(`),
	},
	jsMigration: {
		up:   lazyregexp.New(`\bexports\.up\b|\bfunction\s+up\b|\basync\s+up\s*\(|^\s*up\s*[:(=]|\bconst\s+up\b`),
		down: lazyregexp.New(`\bexports\.down\b|\bfunction\s+down\b|\basync\s+down\s*\(|^\s*(?:public\s+)?down\s*[:(=]|\bconst\s+down\b`),
	},
}

// djangoArg reads the arguments of a Django operation.
var djangoArg = lazyregexp.New(`\b(model_name|name|old_name|new_name)\s*=\s*["'](\w+)["']`)

// maxORM is the longest migration in a programming language to read, in bytes.
const maxORM = 256 << 10

// maxCallLines bounds the lines of a call.
const maxCallLines = 16

// readORM reads the calls of a migration library and the SQL given to it, in the part that moves
// the schema forward.
func readORM(kind fileKind, src string, dialect database) []operation {
	code := readCode(kind, src)
	sections := ormSections[kind]
	var ops []operation
	up, table := true, ""
	down := -1 // indent of the open nested way back
	for i := 0; i < len(code); i++ {
		line := code[i].text
		switch {
		case strings.TrimSpace(line) == "" && len(code[i].literals) == 0, len(line) > check.MaxCodeLine:
			continue
		case sections.down().MatchString(line):
			up = sections.up().MatchString(line) // a line with both is read
			if down = -1; nestedDown().MatchString(line) {
				down = check.Indent(line)
			}
		case sections.up().MatchString(line):
			up = true
		case !up && check.Indent(line) <= down && beginsWithWord().MatchString(line): // after the nested way back
			up = true
		}
		if t := tableScope().FindStringSubmatch(line); t != nil {
			table = t[1]
		}
		if !up {
			continue
		}
		for _, l := range code[i].literals {
			if runsSQL().MatchString(l.before) {
				ops = append(ops, readSQL(l.text, l.line, dialect)...)
			}
		}
		if !ormWord().MatchString(line) {
			continue
		}
		call, last := joinCall(code, i)
		if op, ok := readCall(kind, line, call, table); ok {
			op.first, op.last = i+1, last+1
			ops = append(ops, op)
		}
	}
	return ops
}

// nestedDown matches the start of a way back with more of the way forward after its end. After a
// whole method for the way back come its helpers.
var nestedDown = lazyregexp.New(`\b\w+\.down\s*(?:do\b|\{)|\bstate_operations\s*=`)

// beginsWithWord matches a line that does not continue a block: a bracket would belong to it.
var beginsWithWord = lazyregexp.New(`^[ \t]*[A-Za-z_[:^ascii:]]`)

// ormWord matches every line on which a known call begins.
var ormWord = lazyregexp.New(`(?:create|drop|remove|rename|change|add|alter)_|t\.re|migrations\.|\.(?:create|drop|rename|remove)[TC]`)

// tableScope matches a block with calls that name only columns.
var tableScope = lazyregexp.New(`(?:change_table|batch_alter_table|alterTable|createTable|create_table|\.table)\s*\(?\s*[:"'` + "`" + `](\w+)`)

// joinCall joins the lines of the call on line i, by its parentheses.
func joinCall(code []codeLine, i int) (string, int) {
	call, depth := "", 0
	for further, line := range code[i:min(len(code), i+maxCallLines)] {
		if len(line.text) > check.MaxCodeLine {
			break
		}
		call += line.text + " "
		depth += strings.Count(line.text, "(") - strings.Count(line.text, ")")
		if depth <= 0 {
			return call, i + further
		}
	}
	return code[i].text, i
}

func readCall(kind fileKind, line, call, scope string) (operation, bool) {
	for _, r := range ormRules {
		if r.kind != kind {
			continue
		}
		m := r.pattern().FindStringSubmatchIndex(call)
		if m == nil || m[0] >= len(line) {
			continue // it begins on a later line and is read there
		}
		names := make(map[string]string) // the matches of the named groups
		for n, name := range r.pattern().SubexpNames() {
			if name != "" && m[2*n] >= 0 {
				names[name] = strings.ToLower(call[m[2*n]:m[2*n+1]])
			}
		}
		op := operation{
			kind: r.op, table: object{name: scope}, perhaps: makesPerhaps().MatchString(call),
			column: names["column"], to: object{name: names["to"]}, typ: names["type"],
		}
		if table, named := names["table"]; named {
			op.table.name = table[strings.LastIndex(table, ".")+1:]
		}
		if strings.Contains(line, "migrations.") {
			djangoNames(&op, call)
		}
		rules, known := nullRules[kind]
		if op.kind == opAddColumn && known && rules.notNull().MatchString(call) && !rules.fills().MatchString(call) {
			op.tokens = statement{{kind: tokWord, text: "not"}, {kind: tokWord, text: "null"}}
		}
		return op, true
	}
	return operation{}, false
}

// makesPerhaps matches a call that makes only missing objects.
var makesPerhaps = lazyregexp.New(`if_not_exists|IfNotExists|\b(?:if|unless)\b|\?`)

// djangoPositional matches an operation with positional names.
var djangoPositional = lazyregexp.New(`\bmigrations\.\w+\(\s*["'](\w+)["'](?:\s*,\s*["'](\w+)["'])?`)

var renames = map[opKind]bool{opRenameColumn: true, opRenameTable: true}

func djangoNames(op *operation, call string) {
	op.table.name = ""
	if m := djangoPositional().FindStringSubmatch(call); m != nil {
		op.table.name, op.column = strings.ToLower(m[1]), strings.ToLower(m[2])
	}
	name := &op.column // the subject of the operation
	if !ofColumn[op.kind] {
		name = &op.table.name
	}
	for _, m := range djangoArg().FindAllStringSubmatch(call, 4) {
		switch v := strings.ToLower(m[2]); m[1] {
		case "model_name":
			op.table.name = v
		case "name":
			*name = cmp.Or(*name, v)
		case "old_name":
			if renames[op.kind] {
				*name = v
			}
		}
	}
}

// nullRules match the words for a new column without NULL, and the words that give existing rows a
// value.
var nullRules = map[fileKind]struct{ notNull, fills lazyregexp.Regexp }{
	railsMigration:  {lazyregexp.New(`\bnull:\s*false\b`), lazyregexp.New(`\bdefault:|:primary_key\b`)},
	pythonMigration: {lazyregexp.New(`\bnullable\s*=\s*False\b`), lazyregexp.New(`\bserver_default\s*=|\bIdentity\(|\bComputed\(`)},
}
