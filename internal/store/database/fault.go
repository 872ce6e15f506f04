package database

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/prdebate/debate/internal/text"
)

// Cause is why a database cannot do its work.
type Cause string

// The causes.
const (
	ReadOnly    Cause = "read-only"   // it can be read and not written
	Full        Cause = "full"        // the disk, or the database's share of it
	Unreachable Cause = "unreachable" // the server does not answer, or ended the connection
	Missing     Cause = "missing"     // no file or database of this name
	Denied      Cause = "denied"      // the file, the user or the password is refused
	Busy        Cause = "busy"        // others held it for longer than a wait may take
	Damaged     Cause = "damaged"     // it is no database, or its pages are broken
	Failing     Cause = "failing"     // the disk refuses to read or write
)

// advice has the problem and the advice for each cause.
var advice = map[Cause]string{
	ReadOnly:    "it can only be read; make it writable, or name the primary server",
	Full:        "there is no space left; free some and try again, nothing that was answered is lost",
	Unreachable: "it does not answer; check that it runs and that the address is right",
	Missing:     "there is no such database; check its address, or make it first",
	Denied:      "access is denied; check the owner and the rights of the file and its directory, or the user and the password",
	Busy:        "another program has held it for too long; try again, and end other programs that write to it",
	Failing:     "its disk fails; look into the log of the system",
	Damaged:     "it is no database, or it is damaged; put back a backup",
}

// FaultError reports that the database cannot work at all.
type FaultError struct {
	Cause   Cause
	Address string // without a password
	Err     error
}

func (e *FaultError) Error() string {
	return fmt.Sprintf("database %s: %s (%s)", e.Address, advice[e.Cause], text.OneLine(e.Err.Error()))
}

func (e *FaultError) Unwrap() error { return e.Err }

// NewerSchemaError reports a database of a newer version of the program.
type NewerSchemaError struct {
	Address     string // without a password
	Found, Know int64  // versions of the schema
}

func (e *NewerSchemaError) Error() string {
	return fmt.Sprintf("database %s has schema version %d and this program knows versions up to %d: run the newer version of debate that wrote it", e.Address, e.Found, e.Know)
}

// OlderSchemaError reports a database that needs a migration, or has no tables of debate.
type OlderSchemaError struct {
	Address     string // without a password
	Found, Need int64  // versions of the schema, 0 for none
}

func (e *OlderSchemaError) Error() string {
	if e.Found == 0 {
		return fmt.Sprintf("database %s holds nothing of debate: check its address", e.Address)
	}
	return fmt.Sprintf("database %s has schema version %d and this program needs version %d: bring it up to date with debate serve --migrate-only", e.Address, e.Found, e.Need)
}

// classify turns a driver's error into a *FaultError if the cause is known.
func (a address) classify(err error) error {
	var fault *FaultError
	if err == nil || errors.As(err, &fault) {
		return err
	}
	if cause, said := causeOf(err); cause != "" {
		return &FaultError{Cause: cause, Address: a.name, Err: said}
	}
	return err
}

// causeOf returns the cause of an error and the driver's error; "" if the database is not
// at fault.
func causeOf(err error) (Cause, error) {
	var lite *sqlite.Error
	var server *pgconn.PgError
	var connect *pgconn.ConnectError
	var network net.Error
	var file *fs.PathError
	switch {
	case errors.As(err, &lite):
		return causesOfSQLite[lite.Code()&0xff], lite
	case errors.As(err, &connect):
		if errors.As(connect, &server) {
			if cause := causeOfServer(server.Code); cause == Denied || cause == Missing {
				return cause, server
			}
		}
		return Unreachable, connect
	case errors.As(err, &server):
		return causeOfServer(server.Code), server
	case errors.Is(err, context.Canceled):
		return "", err
	case errors.Is(err, fs.ErrPermission):
		return Denied, err
	case errors.As(err, &file) && errors.Is(err, fs.ErrNotExist):
		return Missing, err
	case errors.As(err, &network):
		return Unreachable, network
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, io.ErrUnexpectedEOF), pgconn.SafeToRetry(err):
		return Unreachable, err
	}
	return "", err
}

// causesOfSQLite are the causes by the primary result code.
var causesOfSQLite = map[int]Cause{
	lib.SQLITE_READONLY: ReadOnly, lib.SQLITE_FULL: Full, lib.SQLITE_IOERR: Failing,
	lib.SQLITE_CANTOPEN: Denied, lib.SQLITE_PERM: Denied, lib.SQLITE_AUTH: Denied,
	lib.SQLITE_BUSY: Busy, lib.SQLITE_LOCKED: Busy, lib.SQLITE_NOTADB: Damaged, lib.SQLITE_CORRUPT: Damaged,
}

// causesOfServer are the causes by PostgreSQL's SQLSTATE, or by its first two letters, a class.
var causesOfServer = map[string]Cause{
	"25006": ReadOnly, // read_only_sql_transaction
	"53100": Full,     // disk_full
	"53200": Full,     // out_of_memory
	"55P03": Busy,     // lock_not_available
	"57014": Busy,     // query_canceled
	"3D000": Missing,  // invalid_catalog_name
	"42501": Denied,   // insufficient_privilege
	"08":    Unreachable,
	"57":    Unreachable, // operator intervention
	"53":    Unreachable, // too many connections
	"28":    Denied,      // invalid authorization
	"XX":    Damaged,
}

func causeOfServer(state string) Cause {
	return cmp.Or(causesOfServer[state], causesOfServer[state[:min(len(state), 2)]])
}
