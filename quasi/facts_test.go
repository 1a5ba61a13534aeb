package quasi_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/spec/meta"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Facts about the two meanings that engines build on (docs/quasi.md), each compared with the
// definition or with all orders.

func rounds(sample, all int) uint64 {
	if testenv.Full() {
		return uint64(all)
	}
	return uint64(sample)
}

// interval is an operation without a meaning.
type interval struct{ call, ret int }

func (a interval) before(b interval) bool { return a.ret < b.call }

// acyclic reports whether the relation on 0, ..., n-1 has no cycle.
func acyclic(n int, before func(a, b int) bool) bool {
	placed := make([]bool, n)
	for range n {
		next := -1
		for b := range n {
			if !placed[b] && !slices.ContainsFunc(placedNot(placed), func(a int) bool { return before(a, b) }) {
				next = b
				break
			}
		}
		if next < 0 {
			return false
		}
		placed[next] = true
	}
	return true
}

// placedNot lists what is not placed.
func placedNot(placed []bool) []int {
	var left []int
	for i, p := range placed {
		if !p {
			left = append(left, i)
		}
	}
	return left
}

// Interval orders are (2+2)-free: total orders that extend the interval order of disjoint classes,
// chosen independently, always combine into one linearization.
func TestClassesDecouple(t *testing.T) {
	for seed := range rounds(1500, 100_000) {
		r := rand.New(rand.NewPCG(seed, 22))
		n, classes := 2+r.IntN(9), 2+r.IntN(3)
		ops, class := make([]interval, n), make([]int, n)
		for i := range ops {
			call := r.IntN(2 * n)
			ops[i], class[i] = interval{call, call + r.IntN(n)}, r.IntN(classes)
		}
		// place in a random linear extension, of which only the order within each class counts
		rank := make([]int, n)
		for c := range classes {
			var left []int
			for i := range ops {
				if class[i] == c {
					left = append(left, i)
				}
			}
			for place := 0; len(left) > 0; place++ {
				k := r.IntN(len(left))
				for slices.ContainsFunc(left, func(a int) bool { return ops[a].before(ops[left[k]]) }) {
					k = r.IntN(len(left))
				}
				rank[left[k]] = place
				left = slices.Delete(left, k, k+1)
			}
		}
		require.True(t, acyclic(n, func(a, b int) bool {
			return ops[a].before(ops[b]) || class[a] == class[b] && rank[a] < rank[b]
		}), "seed %d: %v classes %v ranks %v", seed, ops, class, rank)
	}
	// Explicit edges can say what no intervals say, 0 before 1 and 2 before 3 and nothing else.
	// Then classes {0, 3} and {1, 2} do not decouple.
	edges := func(a, b int) bool { return a == 0 && b == 1 || a == 2 && b == 3 }
	assert.True(t, acyclic(4, edges))
	assert.False(t, acyclic(4, func(a, b int) bool { return edges(a, b) || a == 3 && b == 0 || a == 1 && b == 2 }))
}

// factorOf bounds the relaxable classes.
func factorOf(info meta.Info, bound int32) quasi.Factor {
	f := make(quasi.Factor, len(info.Classes))
	for c := range info.Classes {
		if info.Classes[c].Relaxable {
			f[c] = bound
		}
	}
	return f
}

// A queue history with distinct values and without empty results is accepted iff in some linear
// extension the rank of the insertion and the rank of the removal of every value differ by at most
// K, insertions of values never removed come last, and (slots) no prefix has more removals than
// insertions. Drained: the values left over are matched in order with the ranks after the last
// removal.
func TestQueuesAreDecidedByDisplacement(t *testing.T) {
	yes, no, leftOver := 0, 0, 0
	queue, _ := specs.Lookup("queue")
	for seed := range rounds(1500, 60_000) {
		o := gen.SmallOptions{Most: 7, Keys: 1, Distinct: true, NoPending: true, NoEdges: true, NoFailed: true,
			NoInitial: true, Relax: int(seed % 3)}
		h, err := gen.Small("queue", seed, o)
		require.NoError(t, err)
		b, err := queue.Bind(model.Whole(h))
		require.NoError(t, err)
		insertion, removal, ok := byValue(h)
		// ties of two processes may leave order that the intervals do not say
		if !ok || len(h.Edges) > 0 {
			continue
		}
		if len(insertion) > len(removal) {
			leftOver++
		}
		for k := range int32(4) {
			for _, drain := range []bool{false, true} {
				for _, meaning := range []quasi.Meaning{quasi.Slots, quasi.Classes} {
					relax := quasi.Question{Factor: factorOf(queue.Info(), k), Meaning: meaning, Drain: drain}
					want, _, _ := oracle.QuasiLinearizable(b, relax)
					got := someExtension(h, func(order []int) bool {
						return lemma(h, order, insertion, removal, int(k), drain, meaning)
					})
					require.Equal(t, want, got, "seed %d, %+v", seed, relax)
					if want {
						yes++
					} else {
						no++
					}
				}
			}
		}
	}
	t.Logf("%d accepted, %d refused; %d histories with something left over", yes, no, leftOver)
	assert.Greater(t, min(yes, no, leftOver), 50)
}

// byValue finds the insertion and the removal of every value; not ok if there is more to the
// history.
func byValue(h *history.History) (insertion, removal map[history.Value]int, ok bool) {
	insertion, removal = map[history.Value]int{}, map[history.Value]int{}
	for i := range h.Ops {
		at, v := insertion, h.Ops[i].Arg
		switch f, _ := h.Values.AsString(h.Ops[i].F); f {
		case "deq":
			at, v = removal, h.Ops[i].Result
		case "enq":
		default:
			return nil, nil, false
		}
		if _, twice := at[v]; twice || v == history.Nil {
			return nil, nil, false
		}
		at[v] = i
	}
	for v := range removal {
		if _, there := insertion[v]; !there {
			return nil, nil, false
		}
	}
	return insertion, removal, true
}

// someExtension reports whether good holds for some linear extension of the history.
func someExtension(h *history.History, good func(order []int) bool) bool {
	n := len(h.Ops)
	order, used := make([]int, 0, n), make([]bool, n)
	var extend func() bool
	extend = func() bool {
		if len(order) == n {
			return good(order)
		}
		for i := range n {
			if used[i] || slices.ContainsFunc(placedNot(used), func(a int) bool {
				return h.Ops[a].Return < h.Ops[i].Call
			}) {
				continue
			}
			used[i], order = true, append(order, i)
			if extend() {
				return true
			}
			used[i], order = false, order[:len(order)-1]
		}
		return false
	}
	return extend()
}

func lemma(h *history.History, order []int, insertion, removal map[history.Value]int, k int, drain bool,
	meaning quasi.Meaning) bool {
	rank := make([]int, len(order))
	ins, rem := 0, 0
	for _, i := range order {
		if h.Ops[i].Arg != history.Nil {
			rank[i] = ins
			ins++
		} else {
			rank[i] = rem
			rem++
		}
		if meaning == quasi.Slots && rem > ins {
			return false
		}
	}
	var left []int
	for v, i := range insertion {
		if j, removed := removal[v]; !removed {
			left = append(left, rank[i])
		} else if d := rank[i] - rank[j]; max(d, -d) > k {
			return false
		}
	}
	slices.Sort(left)
	for j, p := range left {
		if !drain && p < rem {
			return false
		}
		if d := p - (rem + j); drain && max(d, -d) > k {
			return false
		}
	}
	return true
}

// randomStack draws pairs of a push and a pop of the same value with random intervals, the pop not
// before the push.
func randomStack(t *testing.T, seed uint64, pairs int) *history.History {
	r := rand.New(rand.NewPCG(seed, 600))
	b := history.NewBuilder()
	b.SetSpec("stack")
	process := 0
	add := func(f string, arg, result history.Value, call, length int) {
		_, err := b.Add(history.Record{Process: b.Process(strconv.Itoa(process)), F: b.Values.String(f),
			Key: history.NoKey,
			Arg: arg, Result: result, Call: int64(call), Return: int64(call + length)})
		require.NoError(t, err)
		process++
	}
	for v := range pairs {
		push, pop := r.IntN(6*pairs), r.IntN(6*pairs)
		add("push", b.Values.Int(int64(v)), history.Nil, min(push, pop), r.IntN(pairs))
		add("pop", history.Nil, b.Values.Int(int64(v)), max(push, pop), r.IntN(pairs))
	}
	h, err := b.Finish()
	require.NoError(t, err)
	return h
}

// Bounds by class say next to nothing of stacks. The numbers are those of docs/quasi.md.
func TestStacksUnderClasses(t *testing.T) {
	stack, _ := specs.Lookup("stack")
	linearizable := 0
	accepted := map[quasi.Meaning]*[2]int{quasi.Slots: {}, quasi.Classes: {}}
	for seed := range uint64(600) {
		b, err := stack.Bind(model.Whole(randomStack(t, seed, 5)))
		require.NoError(t, err)
		if ok, _ := oracle.Linearizable(b); ok {
			linearizable++
		}
		for meaning, counts := range accepted {
			for k := range int32(2) {
				if ok, _, _ := oracle.QuasiLinearizable(b, quasi.Question{Factor: factorOf(stack.Info(), k),
					Meaning: meaning, Drain: true}); ok {
					counts[k]++
				}
			}
		}
	}
	slots, classes := accepted[quasi.Slots], accepted[quasi.Classes]
	assert.Equal(t, linearizable, slots[0])
	text, err := os.ReadFile("../docs/quasi.md")
	require.NoError(t, err)
	assert.Contains(t, strings.Join(strings.Fields(string(text)), " "),
		fmt.Sprintf(
			"of 600 random ones, %d linearizable, it accepts %d at bound 0.", linearizable, classes[0]))
	assert.Equal(t, []int{350, 600}, []int{slots[1], classes[1]})
}
