package main

import (
	"context"
	"database/sql"
	"flag"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/databasetest"
	"github.com/prdebate/debate/internal/testkit/exectest"
	"github.com/prdebate/debate/internal/testkit/long"
)

var (
	cutsFlag = flag.Int("cuts", long.Pick(0, 6), "how often to take the database from the server")
	cutsSeed = flag.Uint64("cuts-seed", 1, "with which the moments are drawn")
	cutsFor  = flag.Duration("cuts-for", 1500*time.Millisecond, "how long it is, at most")
)

// outage keeps a server from its database.
type outage interface {
	begin(t *testing.T)
	end(t *testing.T)
	// patience is how long the server waits before it takes that for a fault.
	patience() time.Duration
}

// valve is a relay to PostgreSQL that can be shut.
type valve struct {
	listener        net.Listener
	network, target string

	mu    sync.Mutex
	shut  bool
	conns map[net.Conn]bool
}

// newValve opens a relay to the server of an address, and returns the address through it.
func newValve(t *testing.T, address string) (*valve, string) {
	t.Helper()
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	v := &valve{listener: listener, conns: map[net.Conn]bool{}}
	v.network, v.target = pgconn.NetworkAddress(config.ConnConfig.Host, config.ConnConfig.Port)
	var all sync.WaitGroup
	all.Go(func() { v.serve(&all) })
	t.Cleanup(func() {
		_ = listener.Close()
		v.begin(t)
		all.Wait()
	})
	through, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := through.Query()
	query.Del("host")
	query.Del("port")
	through.Host, through.RawQuery = listener.Addr().String(), query.Encode()
	return v, through.String()
}

func (v *valve) serve(all *sync.WaitGroup) {
	for {
		from, err := v.listener.Accept()
		if err != nil {
			return // it was closed
		}
		to, err := net.Dial(v.network, v.target)
		if err != nil || !v.let(from, to) {
			breakOff(from)
			if to != nil {
				breakOff(to)
			}
			continue
		}
		all.Go(func() { v.pass(to, from) })
		all.Go(func() { v.pass(from, to) })
	}
}

// let notes a pair of connections, unless the valve is shut.
func (v *valve) let(pair ...net.Conn) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.shut {
		return false
	}
	for _, c := range pair {
		v.conns[c] = true
	}
	return true
}

func (v *valve) pass(to, from net.Conn) {
	_, _ = io.Copy(to, from) // until one of them is closed
	_, _ = to.Close(), from.Close()
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.conns, to)
	delete(v.conns, from)
}

// breakOff closes a connection as one that breaks.
func breakOff(c net.Conn) {
	if tcp, is := c.(*net.TCPConn); is {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// begin breaks all connections, and lets none through.
func (v *valve) begin(*testing.T) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.shut = true
	for c := range v.conns {
		breakOff(c)
	}
}

func (v *valve) end(*testing.T) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.shut = false
}

func (v *valve) patience() time.Duration { return 0 }

// writer is another program that holds the write locks of a SQLite database and of its queue.
type writer struct {
	files []*sql.DB
	conns []*sql.Conn
}

func newWriter(t *testing.T, address string) *writer {
	t.Helper()
	w := &writer{}
	path := strings.TrimPrefix(address, "sqlite:")
	for _, file := range []string{path, path + ".queue"} {
		handle, err := sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(20000)")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { handle.Close() })
		w.files = append(w.files, handle)
	}
	return w
}

func (w *writer) begin(t *testing.T) {
	t.Helper()
	for _, file := range w.files {
		conn, err := file.Conn(context.Background())
		if err == nil {
			_, err = conn.ExecContext(context.Background(), "BEGIN IMMEDIATE")
		}
		if err != nil {
			t.Error(err) // a call of a model may do this, which cannot end the test
			return
		}
		w.conns = append(w.conns, conn)
	}
}

func (w *writer) end(t *testing.T) {
	t.Helper()
	for _, conn := range w.conns {
		if _, err := conn.ExecContext(context.Background(), "ROLLBACK"); err != nil {
			t.Error(err)
		}
		_ = conn.Close()
	}
	w.conns = nil
}

func (w *writer) patience() time.Duration { return 5 * time.Second }

// TestServeCut: however often a server loses its database, it goes on by itself once that
// is back: each pull request is reviewed once, nothing stands twice on GitHub, and no
// delivery that was answered is lost. PostgreSQL breaks all connections and lets in none;
// SQLite is held by another program.
func TestServeCut(t *testing.T) {
	if *cutsFlag == 0 {
		long.Only(t)
	}
	t.Parallel()
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		address := databasetest.Postgres(t)
		v, through := newValve(t, address)
		cutServer(t, killableApp(t, through), address, v)
	})
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		address := databasetest.SQLite(t)
		cutServer(t, killableApp(t, address), address, newWriter(t, address))
	})
}

// cutServer takes the database from a server again and again. The address is the way to it
// that stays open.
func cutServer(t *testing.T, k *killable, address string, out outage) {
	random := rand.New(rand.NewPCG(*cutsSeed, 7))
	k.start(t)
	db, err := database.Open(t.Context(), address, database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	refused := 0
	for n := range *cutsFlag {
		sprung := k.trap(1+random.Int64N(fewestCalls), func() { out.begin(t) })
		k.open(t)
		if random.IntN(2) == 0 {
			k.push(t, random)
		}
		within(t, k.log, sprung) // the answer to this call comes when nobody can keep it
		var meanwhile sync.WaitGroup
		lasts := time.Duration(random.Int64N(int64(*cutsFor))) // before the other draws at the same time
		meanwhile.Go(func() { k.push(t, random) })
		if n%4 == 3 {
			lasts += out.patience()
		}
		<-time.After(lasts)
		out.end(t)
		meanwhile.Wait()
		refused += len(k.owed)
		k.redeliver(t)
	}
	began := time.Now()
	k.finish(t, db)
	t.Logf("%d deliveries were not taken at first; all was done %s after the last outage", refused, time.Since(began).Round(time.Second/10))
	k.kill(t)
	k.check(t, db, *cutsFlag)
}

// fewestCalls is how often models are asked for each pull request at least.
const fewestCalls = 3

// within waits for what has to come.
func within[T any](t *testing.T, log *lines, what <-chan T) (come T) {
	t.Helper()
	select {
	case come = <-what:
	case <-time.After(2 * time.Minute):
		t.Fatalf("no model is asked:\n%s", log)
	}
	return come
}

// trap does something once, at a coming call of a model and before its answer. The channel
// is closed then.
func (k *killable) trap(call int64, do func()) (sprung chan struct{}) {
	sprung = make(chan struct{})
	var calls atomic.Int64
	for _, v := range k.providers {
		v.setMind(func(name string, turn exectest.Turn, packet, key string) string {
			if calls.Add(1) == call {
				do()
				close(sprung)
			}
			return replying(name, turn, packet, key)
		})
	}
	return sprung
}
