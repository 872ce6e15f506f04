package database_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prdebate/debate/internal/store/database"
	"github.com/prdebate/debate/internal/testkit/databasetest"
)

// perSecond is how many deliveries have to be kept with little delay.
const perSecond = 200

// BenchmarkAccept keeps deliveries of 500 pull requests: at a steady pace, of which the
// delays matter, and as many at once as callers can make, of which the number matters.
// "-benchtime 2000x" is ten seconds of the pace.
func BenchmarkAccept(b *testing.B) {
	for name, address := range map[string]func(t testing.TB) string{"sqlite": databasetest.SQLite, "postgres": manyConnections} {
		b.Run(name+"/paced", func(b *testing.B) {
			pace := time.NewTicker(time.Second / perSecond)
			defer pace.Stop()
			acceptMany(b, open(b, address(b), database.Options{}), func(one func()) {
				<-pace.C
				go one()
			})
		})
		b.Run(name+"/at once", func(b *testing.B) {
			callers := make(chan struct{}, 64)
			acceptMany(b, open(b, address(b), database.Options{}), func(one func()) {
				callers <- struct{}{}
				go func() {
					one()
					<-callers
				}()
			})
		})
	}
}

// manyConnections is a PostgreSQL database with as many connections as a server makes.
func manyConnections(t testing.TB) string {
	at, _, _ := strings.Cut(databasetest.Postgres(t), "?")
	return at
}

// acceptMany keeps b.N deliveries, each as start lets it, and reports how long they took.
func acceptMany(b *testing.B, db *database.DB, start func(one func())) {
	took := make([]time.Duration, b.N)
	var all sync.WaitGroup
	all.Add(b.N)
	b.ResetTimer()
	for i := range b.N {
		d := opened(fmt.Sprint(i), shop, 1+i%500, noon)
		start(func() {
			defer all.Done()
			begin := time.Now()
			if _, err := db.Accept(context.Background(), d); err != nil {
				b.Error(err)
			}
			took[i] = time.Since(begin)
		})
	}
	all.Wait()
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "deliveries/s")
	b.ReportMetric(float64(took[b.N/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[b.N*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(took[b.N-1].Microseconds())/1000, "max-ms")
}
