package conformance

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/require"
)

// uncertainOp is an operation on a register of clients whose clocks differ.
type uncertainOp struct {
	client    int
	write     bool
	value     int64
	from, to  int64
	pending   bool
	forgotten bool
}

// before is the definition: the order of a client, and that of intervals that are wider by the
// uncertainty at both ends.
func (a *uncertainOp) before(b *uncertainOp, by int64) bool {
	if a.pending {
		return false
	}
	return a.client == b.client && a.to < b.from || a.to+by < b.from-by
}

// someOrder tries all orders of a register's operations, with any of the pending ones.
func someOrder(ops []uncertainOp, by int64, placed int, value int64) bool {
	missing := false
	for i := range ops {
		missing = missing || placed>>i&1 == 0 && !ops[i].pending
	}
	if !missing {
		return true
	}
next:
	for i := range ops {
		if placed>>i&1 == 1 {
			continue
		}
		for j := range ops {
			if j != i && placed>>j&1 == 0 && ops[j].before(&ops[i], by) {
				continue next
			}
		}
		switch o := &ops[i]; {
		case o.write && someOrder(ops, by, placed|1<<i, o.value):
			return true
		case !o.write && (o.value == value || o.forgotten || o.pending) && someOrder(ops, by, placed|1<<i, value):
			return true
		}
	}
	return false
}

// TestUncertaintyAgreesWithTheDefinition: verdicts of histories whose times may be wrong, with
// pending and forgotten operations and repeated values, are those of the definition.
func TestUncertaintyAgreesWithTheDefinition(t *testing.T) {
	rounds := testenv.Scale(6_000, 100_000)
	register := spec.MustLookup("register")
	found, changed, edged := map[linsat.Verdict]int{}, 0, 0
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 34))
		by := 1 + r.Int64N(3)
		b := history.NewBuilder()
		b.SetInitial(b.Values.Int(0))
		b.SetUncertainty(by)
		write, read := b.Values.String("write"), b.Values.String("read")
		var ops []uncertainOp
		for client := range 1 + r.IntN(3) {
			at := r.Int64N(4)
			for range 1 + r.IntN(3) {
				o := uncertainOp{client: client, write: r.IntN(2) == 0, value: r.Int64N(3), from: at,
					to: at + r.Int64N(4)}
				o.pending, o.forgotten = r.IntN(8) == 0, r.IntN(8) == 0
				at = o.to + 1 + r.Int64N(4)
				ops = append(ops, o)
				record := history.Record{Process: b.Process(fmt.Sprint(client)), F: read, Key: history.NoKey,
					Result: b.Values.Int(o.value), Call: o.from, Return: o.to, Forgotten: o.forgotten}
				if o.write {
					record.F, record.Arg, record.Result, record.Forgotten = write, b.Values.Int(o.value),
						history.Nil, false
				}
				if o.pending {
					record.Pending, record.Result, record.Forgotten = true, history.Nil, false
				}
				_, err := b.Add(record)
				require.NoError(t, err)
				if o.pending {
					break
				}
			}
		}
		h, err := b.Finish()
		require.NoError(t, err)
		want := linsat.NotLinearizable
		if someOrder(ops, by, 0, 0) {
			want = linsat.Linearizable
		}
		got, err := linsat.Check(context.Background(), register, h)
		require.NoError(t, err, "seed %d", seed)
		require.Equal(t, want, got.Verdict, "seed %d: ±%d, %+v", seed, by, ops)
		found[want]++
		if len(h.Edges) > 0 {
			edged++
		}
		if want == linsat.Linearizable && !someOrder(ops, 0, 0, 0) {
			changed++
		}
	}
	require.Greater(t, found[linsat.Linearizable], rounds/10)
	require.Greater(t, found[linsat.NotLinearizable], rounds/10)
	require.Greater(t, changed, rounds/50)
	require.Greater(t, edged, rounds/20)
}
