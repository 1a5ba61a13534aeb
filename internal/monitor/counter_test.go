package monitor

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counted is an operation of a counter.
type counted struct {
	f         string
	arg       int64
	shows     int64 // of a read or a ticket
	call, ret int64 // ret < 0: pending
}

func bindCounter(t testing.TB, ops []counted) *model.Instance {
	t.Helper()
	b := history.NewBuilder()
	for i, o := range ops {
		r := history.Record{Process: b.Process(strconv.Itoa(i)), F: b.Values.String(o.f), Key: history.NoKey,
			Call: o.call, Return: o.ret}
		if o.f != "read" {
			r.Arg = b.Values.Int(o.arg)
		}
		if o.ret < 0 {
			r.Pending = true
		} else if o.f == "read" || o.f == "getandinc" {
			r.Result = b.Values.Int(o.shows)
		}
		_, err := b.Add(r)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	bound, err := specs.Counter().Bind(model.Whole(h))
	require.NoError(t, err)
	return bound
}

// counterTally counts what the monitor answered.
type counterTally struct {
	yes, no, proved, open int
	pairs                 int // refuted by two observations and by no single one
	narrow                int // not decided by a beam that is never wider and looks for few
}

// compare compares the monitor with the definition. What it leaves open is counted.
func (n *counterTally) compare(t testing.TB, b *model.Instance, what any) {
	t.Helper()
	want, _ := oracle.Linearizable(b)
	a, err := New().Check(context.Background(), &engine.Problem{Instance: b}, nil)
	require.NoError(t, err)
	switch a.Verdict {
	case engine.Linearizable:
		n.yes++
		require.NoError(t, verify.Witness(b, a.Witness), "%+v", what)
		if n.yes%4 == 0 {
			for after := range history.OpID(b.Partition.Len()) {
				for i := range history.OpID(b.Partition.Len()) {
					require.Error(t, verify.Sum(b, &proof.SumConflict{After: after, Op: i}), "%+v", what)
				}
			}
		}
	case engine.NotLinearizable:
		n.no++
		if a.Proof != nil {
			n.proved++
			require.NoError(t, verify.Proof(context.Background(), nil, b, a.Proof), "%+v", what)
		}
	default:
		n.open++
		return
	}
	require.Equal(t, want, a.Verdict == engine.Linearizable, "%+v", what)
	c := newSummation(b.Theory.(*model.CountingTheory), b.Partition.Ops, &engine.Account{Ctx: context.Background(),
		Limit: math.MaxInt64})
	if no := c.pairs(); no != nil && c.alone() == nil {
		n.pairs++
		require.False(t, want, "%+v", what)
		require.NoError(t, verify.Sum(b, no), "%+v", what)
	}
	narrow := newBeamSearch(c)
	narrow.widest, narrow.expanded, narrow.enough = 1, 1, 0
	if a := narrow.answer(); a.Verdict != engine.Unknown {
		require.Equal(t, want, a.Verdict == engine.Linearizable, "%+v", what)
	} else {
		n.narrow++
	}
}

// All histories of four operations, without ties, of which some never return.
func TestEveryCounterOfFourOperationsAgreesWithTheDefinition(t *testing.T) {
	kinds := []counted{{f: "inc", arg: 1}, {f: "inc", arg: 2}, {f: "dec", arg: 1}, {f: "read"}, {f: "read", shows: 1},
		{f: "read", shows: 2},
		{f: "read", shows: -1}, {f: "getandinc", arg: 1}, {f: "getandinc", arg: 1, shows: 1},
		{f: "getandinc", arg: 2, shows: 1}}
	every, turn := testenv.OneOf(60), 0
	var n counterTally
	for pending := range uint(1 << 4) {
		intervalOrders(4, pending, func(lo, hi []int) {
			chosen := make([]int, 4)
			for ; chosen[0] >= 0; chosen = following(chosen, len(kinds)) {
				if turn++; turn%every != 0 {
					continue
				}
				ops := make([]counted, 4)
				for i, k := range chosen {
					ops[i] = kinds[k]
					ops[i].call, ops[i].ret = int64(2*lo[i]), int64(2*hi[i]+1)
					if hi[i] < 0 {
						ops[i].ret = -1
					}
				}
				n.compare(t, bindCounter(t, ops), ops)
			}
		})
	}
	assert.Zero(t, n.open)
	assert.NotZero(t, n.proved)
	assert.NotZero(t, n.pairs)
	t.Logf("%+v", n)
}

// following counts up in base base; after the last number it returns one whose first digit is -1.
func following(digits []int, base int) []int {
	for k := len(digits) - 1; k >= 0; k-- {
		if digits[k]++; digits[k] < base {
			return digits
		}
		digits[k] = 0
	}
	digits[0] = -1
	return digits
}

// Random histories with many operations open, amounts of several sizes, pending operations and
// results that may be wrong.
func TestCountersAgreeWithTheDefinition(t *testing.T) {
	var n counterTally
	for seed := range uint64(testenv.Scale(6000, 200_000)) {
		o := gen.SmallOptions{Least: 4, Most: 5 + int(seed%8), Keys: 1, NoEdges: true, All: seed%4 == 0}
		h, err := gen.Small("counter", seed, o)
		require.NoError(t, err)
		bound, err := specs.Counter().Bind(model.Whole(h))
		require.NoError(t, err)
		if _, counts := bound.Theory.(*model.CountingTheory); counts && len(h.Edges) == 0 {
			n.compare(t, bound, fmt.Sprint("seed ", seed))
		}
	}
	assert.Zero(t, n.open)
	t.Logf("%+v", n)
}

// The beam goes back on long histories with many operations open, and finds a linearization.
func TestLongCounters(t *testing.T) {
	for _, pending := range []float64{0, 0.01} {
		c, err := gen.Generate(gen.Options{Spec: "counter", Operations: 1500, Processes: 48, Seed: 2,
			PendingRate: pending})
		require.NoError(t, err)
		bound, err := specs.Counter().Bind(model.Whole(c.History))
		require.NoError(t, err)
		a, err := New().Check(context.Background(), &engine.Problem{Instance: bound}, nil)
		require.NoError(t, err)
		require.Equal(t, engine.Linearizable, a.Verdict, "%v: %s", a.Cause, a.Detail)
		require.NoError(t, verify.Witness(bound, a.Witness))
	}
}

// Where the beam dies, what it died of weighs more: that decides histories of many processes.
func TestCountersOfManyProcesses(t *testing.T) {
	for seed := range uint64(4) {
		c, err := gen.Generate(gen.Options{Spec: "counter", Operations: 2000, Processes: 128, Seed: seed})
		require.NoError(t, err)
		bound, err := specs.Counter().Bind(model.Whole(c.History))
		require.NoError(t, err)
		a, err := New().Check(context.Background(), &engine.Problem{Instance: bound}, nil)
		require.NoError(t, err)
		require.Equal(t, engine.Linearizable, a.Verdict, "seed %d: %s", seed, a.Detail)
		require.NoError(t, verify.Witness(bound, a.Witness))
	}
}
