package pending

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/wgl"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// randomLocks returns a history of a readers-writer lock with operations at random, a third of
// which never returned.
func randomLocks(t *testing.T, rng *rand.Rand, most int) *history.History {
	b := history.NewBuilder()
	names := []string{"rlock", "runlock", "lock", "unlock", "tryrlock", "trylock"}
	var records []history.Record
	n := 2 + rng.IntN(most-1)
	for i := range n {
		f := names[rng.IntN(len(names))]
		call := int64(2*i - rng.IntN(8))
		r := history.Record{Process: b.Process(fmt.Sprint(i)), Key: history.NoKey, F: b.Values.String(f),
			Arg: history.Nil, Result: history.Nil, Call: call, Return: max(call, int64(2*i+rng.IntN(8)))}
		if f == "tryrlock" || f == "trylock" {
			r.Result = []history.Value{history.True, history.False, history.False, history.Nil}[rng.IntN(4)]
		}
		if rng.IntN(3) == 0 {
			r.Pending, r.Result = true, history.Nil
		}
		records = append(records, r)
	}
	slices.SortStableFunc(records, func(x, y history.Record) int { return int(x.Call - y.Call) })
	for _, r := range records {
		_, err := b.Add(r)
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	return h
}

// lockTally counts what became of histories of a test.
type lockTally struct{ yes, no, pending, narrow int }

// judge compares the search with the definition.
func (n *lockTally) judge(t *testing.T, p *model.Partition) {
	t.Helper()
	b, err := testkit.Spec(t, "rwmutex").Bind(p)
	require.NoError(t, err)
	want, _ := oracle.Linearizable(b)
	fresh := func() *readersWriter {
		s := newReadersWriter(b, &engine.Account{Ctx: context.Background(), Limit: math.MaxInt64})
		require.NotNil(t, s)
		return s
	}
	narrow := fresh()
	narrow.width, narrow.widest = 1, 1
	switch narrow.search() {
	case wgl.Found:
		require.True(t, want, randomspec.Show(p))
		require.NoError(t, oracle.Replay(b, narrow.linearization()), randomspec.Show(p))
	case wgl.Failed:
		require.False(t, want, randomspec.Show(p))
	default:
		n.narrow++
	}
	s := fresh()
	for i := range p.Ops {
		if p.Ops[i].Pending() {
			n.pending++
		}
	}
	o := s.search()
	if !want {
		require.Equal(t, wgl.Failed, o, randomspec.Show(p))
		n.no++
		return
	}
	require.Equal(t, wgl.Found, o, randomspec.Show(p))
	n.yes++
	require.NoError(t, oracle.Replay(b, s.linearization()), randomspec.Show(p))
	for _, l := range []*rwConfigs{&s.now, &s.then} {
		for j := range l.all {
			for k := range l.all {
				x, y := &l.all[j], &l.all[k]
				require.True(t, j == k || x.gone || y.gone || x.group() != y.group() || !x.used.within(y.used))
			}
		}
	}
}

func TestReadersWriterLocksAgreeWithTheDefinition(t *testing.T) {
	var n lockTally
	for seed := range uint64(testenv.Scale(20_000, 1_000_000)) {
		rng := rand.New(rand.NewPCG(seed, 3))
		testkit.WithSeed(t, seed, func() {
			h, err := gen.Small("rwmutex", seed, gen.SmallOptions{All: seed%2 == 1, NoEdges: true,
				Most: 5 + int(seed%5), Keys: 1})
			require.NoError(t, err)
			p := model.Whole(h)
			if p.Edges = nil; seed%3 == 0 {
				p = randomspec.Forget(rng, p)
			}
			n.judge(t, p)
			n.judge(t, model.Whole(randomLocks(t, rng, 9)))
		})
	}
	t.Logf("%+v", n)
	for _, k := range []int{n.yes, n.no, n.pending, n.narrow} {
		assert.Greater(t, k, testenv.MoreThan(500))
	}
}

// lockForms are all that operations can do, completed and not.
var lockForms = []struct {
	f      string
	result history.Value
	open   bool
}{
	{"rlock", history.Nil, false}, {"runlock", history.Nil, false}, {"lock", history.Nil, false},
	{"unlock", history.Nil, false},
	{"tryrlock", history.True, false}, {"tryrlock", history.False, false}, {"tryrlock", history.Nil, false},
	{"trylock", history.True, false}, {"trylock", history.False, false}, {"trylock", history.Nil, false},
	{"rlock", history.Nil, true}, {"runlock", history.Nil, true}, {"lock", history.Nil, true},
	{"unlock", history.Nil, true},
}

// Every history of up to three operations, in full four: all orders of calls and returns, and all
// that operations can do.
func TestAllSmallReadersWriterLocks(t *testing.T) {
	var n lockTally
	for size := 1; size <= testenv.Scale(3, 4); size++ {
		all := 1
		for range size {
			all *= len(lockForms)
		}
		eachInterval(size, func(calls, returns []int64) {
			for number := range all {
				b := history.NewBuilder()
				for i := range size {
					form := lockForms[number%len(lockForms)]
					number /= len(lockForms)
					r := history.Record{Process: b.Process(fmt.Sprint(i)), Key: history.NoKey,
						F: b.Values.String(form.f), Arg: history.Nil, Result: form.result, Call: calls[i],
						Return: returns[i]}
					if form.open {
						r.Pending = true
					}
					_, err := b.Add(r)
					require.NoError(t, err)
				}
				h, err := b.Finish()
				require.NoError(t, err)
				n.judge(t, model.Whole(h))
			}
		})
	}
	t.Logf("%+v", n)
	assert.Greater(t, min(n.yes, n.no), testenv.MoreThan(1000))
}

// eachInterval calls f with all orders of the calls and returns of so many operations, the calls in
// order.
func eachInterval(size int, f func(calls, returns []int64)) {
	calls, returns := make([]int64, 0, size), make([]int64, size)
	var place func(at int64)
	place = func(at int64) {
		if at == int64(2*size) {
			f(calls, returns)
			return
		}
		for i := range calls {
			if returns[i] == 0 {
				returns[i] = at
				place(at + 1)
				returns[i] = 0
			}
		}
		if len(calls) < size {
			calls = append(calls, at)
			place(at + 1)
			calls = calls[:len(calls)-1]
		}
	}
	place(0)
}
