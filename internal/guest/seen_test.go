package guest_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/guest"
	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// seenOf returns what was seen of operations with these inputs, called one after the other.
func seenOf[S, I any](t *testing.T, init S, inputs []I, next func(s S, in I) []S, table func() guest.Table[S],
	same func(a, b S) bool) ([][]int32, []bool) {
	b := history.NewBuilder()
	for i := range inputs {
		_, err := b.Add(history.Record{Process: b.Process("one"), Key: history.NoKey, F: b.Values.String("op"),
			Call: int64(2 * i), Return: int64(2*i + 1)})
		require.NoError(t, err)
	}
	h, err := b.Finish()
	require.NoError(t, err)
	g := &guest.Code[S]{
		Name: "seen", Partition: model.Whole(h), Sampler: &guest.Sampler{}, Watch: &guest.Watch{}, Init: init,
		Next: func(s S, op history.OpID, dst []S) []S { return append(dst, next(s, inputs[op])...) },
		Choices: func(s S, op history.OpID) []guest.Choice[S] {
			var all []guest.Choice[S]
			for _, n := range next(s, inputs[op]) {
				all = append(all, guest.Choice[S]{Next: n})
			}
			return all
		},
		Func: func(history.OpID) string {
			return "next"
		}, Show: func(s S) string { return fmt.Sprint(s) }, NewTable: table, Same: same,
	}
	return g.Seen(func(op history.OpID) any { return &inputs[op] }, func() bool { return true })
}

// meet reports whether two operations touch something in common, or one touches everything.
func meet(a, b []int32) bool {
	return a == nil || b == nil || slices.ContainsFunc(a, func(k int32) bool { return slices.Contains(b, k) })
}

type move struct {
	from, to, amount int
	look             bool
}

// Moves and looks name accounts, and amounts are none, though they look like it.
func TestSeenOfMoves(t *testing.T) {
	type ledger [20]int
	var inputs []move
	for i := range 300 {
		inputs = append(inputs, move{i % 20, (i*7 + 3) % 20, 1 + i%9, i%3 == 0})
		if m := &inputs[i]; m.from == m.to {
			m.to = (m.to + 1) % 20
		}
	}
	touches, readOnly := seenOf(t, ledger{}, inputs, func(s ledger, in move) []ledger {
		if !in.look {
			s[in.from] -= in.amount
			s[in.to] += in.amount
		}
		return []ledger{s}
	}, guest.MapTable[ledger], func(a, b ledger) bool { return a == b })
	for i, a := range inputs {
		assert.Equal(t, a.look, readOnly[i])
		for j, b := range inputs {
			common := a.from == b.from || a.from == b.to || a.to == b.from || a.to == b.to
			require.Equal(t, common, meet(touches[i], touches[j]), "%+v and %+v", a, b)
		}
	}
}

// part is one step of a transaction.
type part struct {
	Key string
	Put string // nothing: it reads
}

type transaction struct{ Parts []part }

// Transactions on a map, whose keys come into being, in a state behind a pointer with a field that
// nobody changes.
func TestSeenOfTransactions(t *testing.T) {
	type store struct {
		name string
		m    map[string]string
	}
	var inputs []transaction
	for i := range 200 {
		tx := transaction{}
		for k := range 1 + i%3 {
			p := part{Key: fmt.Sprintf("key %d", (i*5+k*11)%30)}
			if i%4 > 0 {
				p.Put = fmt.Sprintf("value %d", i)
			}
			tx.Parts = append(tx.Parts, p)
		}
		inputs = append(inputs, tx)
	}
	same := func(a, b *store) bool { return maps.Equal(a.m, b.m) }
	touches, readOnly := seenOf(t, &store{"mine", map[string]string{}}, inputs,
		func(s *store, in transaction) []*store {
			next := &store{s.name, maps.Clone(s.m)}
			for _, p := range in.Parts {
				if p.Put != "" {
					next.m[p.Key] = p.Put
				}
			}
			return []*store{next}
		}, func() guest.Table[*store] { return guest.CoarseTable(guest.MixedTable[*store](), same) }, same)
	require.NotNil(t, touches)
	apart, puts := 0, 0
	for i, a := range inputs {
		if i%4 == 0 {
			assert.True(t, readOnly[i], "%+v", a)
		} else if !readOnly[i] {
			puts++
		}
		for j, b := range inputs {
			common := slices.ContainsFunc(a.Parts, func(p part) bool {
				return slices.ContainsFunc(b.Parts, func(q part) bool { return p.Key == q.Key })
			})
			if common && !(i%4 == 0 && j%4 == 0) {
				require.True(t, meet(touches[i], touches[j]), "%+v and %+v", a, b)
			} else if !meet(touches[i], touches[j]) {
				apart++
			}
		}
	}
	assert.Greater(t, puts, 100)
	assert.Greater(t, apart, 10_000)
}

// ring is a state that holds itself, and what reflection may not call.
type ring struct {
	next  *ring
	f     func()
	c     chan int
	cells map[any][]float64
	n     [4]int
}

// States and inputs may hold anything: themselves, functions, nothing.
func TestSeenOfOddValues(t *testing.T) {
	type odd struct {
		to   any
		self *odd
		m    map[any]any
	}
	var inputs []odd
	for i := range 200 {
		in := odd{to: i % 4, m: map[any]any{nil: nil, 1.5: make(chan int)}}
		in.self = &in
		inputs = append(inputs, in)
	}
	inputs[7].to = nil
	state := func() *ring {
		r := &ring{f: func() {}, c: make(chan int), cells: map[any][]float64{nil: {0}, "a": nil}}
		r.next = r
		return r
	}
	touches, _ := seenOf(t, state(), inputs, func(s *ring, in odd) []*ring {
		next := state()
		next.n = s.n
		if to, ok := in.to.(int); ok {
			next.n[to]++
		}
		return []*ring{next}
	}, func() guest.Table[*ring] {
		return guest.CoarseTable(guest.MixedTable[*ring](), func(a, b *ring) bool { return a.n == b.n })
	}, func(a, b *ring) bool { return a.n == b.n })
	require.NotNil(t, touches)
	assert.NotEmpty(t, touches[8])
}

// Operations that name nothing touch everything, and where most are such nothing is seen.
func TestSeenOfOneValue(t *testing.T) {
	touches, _ := seenOf(t, 0, make([]move, 50), func(s int, _ move) []int {
		return []int{s + 1}
	}, guest.MapTable[int], func(a, b int) bool { return a == b })
	assert.Nil(t, touches)
	touches, _ = seenOf(t, 0, make([]move, 50), func(int, move) []int {
		return nil
	}, guest.MapTable[int], func(a, b int) bool { return a == b })
	assert.Nil(t, touches)
}
