package oracle_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/quasi/displacement"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const never = 99 // no bound up to the number of operations helps

// least returns the least bound that is accepted, or never.
func least(b *model.Instance, meaning quasi.Meaning, set func(*quasi.Question)) int32 {
	for bound := range int32(b.Partition.Len() + 1) {
		r := relaxed(b, bound)
		r.Meaning = meaning
		set(&r)
		if ok, _, _ := oracle.QuasiLinearizable(b, r); ok {
			return bound
		}
	}
	return never
}

func TestQuasiLeast(t *testing.T) {
	fill := []string{"m enq 1 -", "m enq 2 -", "m enq 3 -", "m enq 4 -"}
	removals := func(values ...int) []string {
		lines := slices.Clone(fill)
		for _, v := range values {
			lines = append(lines, fmt.Sprint("m deq - ", v))
		}
		return lines
	}
	for _, c := range []struct {
		name, spec string
		lines      []string
		// least bounds: slots drained, slots as it lies, slots drained and causal, classes drained
		drained, lies, causal, classes int32
	}{
		{"round-up figure 3, H1-a", "queue", removals(1, 2, 3, 4), 0, 0, 0, 0},
		{"round-up figure 3, H1-b", "queue", removals(2, 1, 3, 4), 1, 1, 1, 1},
		{"round-up figure 3, H1-c", "queue", removals(1, 2, 4, 3), 1, 1, 1, 1},
		{"round-up figure 3, H1-d", "queue", removals(2, 1, 4, 3), 1, 1, 1, 1},
		{"round-up figure 4 without windows", "queue", removals(2, 3, 4), 3, never, 3, 3},
		{"round-up figure 7, history 3", "queue", removals(3, 1, 2, 4), 2, 2, 2, 2},
		{"round-up figure 7, history 4", "queue", removals(2, 3, 1, 4), 2, 2, 2, 2},
		{"round-up section V.D, history 3", "queue", []string{"1 enq 3 -", "1 enq 4 -", "2 enq 5 -", "2 deq - 4"},
			1, never, 1, 1},
		{"removed before it is inserted", "queue", []string{"a enq 1 -", "a deq - 2", "a enq 2 -", "a deq - 1"},
			1, 1, never, 1},
		{"an element is left in front", "queue", []string{"a enq 1 -", "a enq 2 -", "a deq - 2"}, 1, never, 1, 1},
		{"strict draining: a drain takes a value", "queue", []string{"a deq - 1", "a enq 1 -", "a enq 2 -"}, never,
			never, never, 0},
		{"never inserted", "queue", []string{"a enq 1 -", "a deq - 2"}, never, never, never, never},
		{"a pending removal takes the first", "queue", []string{"a enq 1 - 0 1", "a enq 2 - 2 3", "b deq - - 4 -",
			"a deq - 2 5 6"}, 0, 0, 0, 0},
		{"stack, oldest first", "stack", []string{"a push 1 -", "a push 2 -", "a pop - 1", "a pop - 2"}, 1, 1, 1, 0},
		{"stack, found empty too early", "stack", []string{"a push 1 -", "a pop - -", "a pop - 1"}, 1, 1, 1, 0},
		{"stack of two, removed in turns", "stack", []string{"a push 1 -", "a push 2 -", "a pop - 1", "a push 3 -",
			"a pop - 2", "a pop - 3"}, 2, 2, 2, 0},
		{"priority queue, second first", "priority-queue", []string{"a insert 1 -", "a insert 2 -", "a deletemin - 2"},
			1, never, 1, 1},
		{"tickets", "counter", []string{"a getandinc - 1", "a getandinc - 0"}, 1, 1, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := bind(t, c.spec, c.lines...)
			assert.Equal(t, c.drained, least(b, quasi.Slots, func(*quasi.Question) {}), "drained")
			assert.Equal(t, c.lies, least(b, quasi.Slots, func(r *quasi.Question) { r.Drain = false }), "as it lies")
			assert.Equal(t, c.causal, least(b, quasi.Slots, func(r *quasi.Question) { r.Causal = true }), "causal")
			assert.Equal(t, c.classes, least(b, quasi.Classes, func(*quasi.Question) {}), "classes")
		})
	}
}

func TestQuasiInitial(t *testing.T) {
	b := bind(t, "queue", "a deq - 2", "a deq - 1")
	p := *b.Partition
	p.HasInitial, p.Initial = true, p.History.Values.List([]history.Value{p.History.Values.Int(1),
		p.History.Values.Int(2), p.History.Values.Int(3)})
	b, err := b.Spec.Bind(&p)
	require.NoError(t, err)
	ok, before, after := oracle.SlotsLinearizable(b, relaxed(b, 1))
	require.True(t, ok)
	assert.Equal(t, []history.OpID{0, 1, 2}, before, "the third element is drained")
	assert.Equal(t, []history.OpID{1, 0, 2}, after)
	ok, _, _ = oracle.SlotsLinearizable(b, relaxed(b, 0))
	assert.False(t, ok)
}

// slotsByTheBook is the definition of slots with every linearization and every product of
// rearrangements written out, for partitions of one object without unknown results, not drained.
func slotsByTheBook(b *model.Instance, factor quasi.Factor) bool {
	n := history.OpID(b.Partition.Len())
	accepted := false
	permute(n, func(order []history.OpID) bool {
		if oracle.Extends(b.Partition, order) != nil {
			return true
		}
		rearranged := slices.Clone(order)
		var rearrange func(class int) bool
		rearrange = func(class int) bool {
			if class == len(factor) {
				accepted = accepts(b, rearranged)
				return !accepted
			}
			var places []int
			for k, i := range order {
				if int(b.Class[i]) == class {
					places = append(places, k)
				}
			}
			return displacement.Rearrangements(len(places), factor[class], func(arrangement []int32) bool {
				for k, p := range places {
					rearranged[p] = order[places[arrangement[k]]]
				}
				return rearrange(class + 1)
			})
		}
		return rearrange(0)
	})
	return accepted
}

func accepts(b *model.Instance, order []history.OpID) bool {
	m := b.NewMachine()
	var run func(s model.State, k int) bool
	run = func(s model.State, k int) bool {
		return k == len(order) || slices.ContainsFunc(m.Step(s, order[k], nil), func(next model.State) bool {
			return run(next, k+1)
		})
	}
	return run(m.Init(), 0)
}

func TestSlotsFollowThePaper(t *testing.T) {
	n := testenv.Scale(150, 2500)
	for _, name := range []string{"queue", "stack", "priority-queue", "counter", "deque"} {
		yes := 0
		for seed := range uint64(n) {
			h, err := gen.Small(name, seed, gen.SmallOptions{Most: 6, Keys: 1, Relax: int(seed % 4)})
			require.NoError(t, err)
			b := bound(t, name, h)
			for bound := range int32(3) {
				r := relaxed(b, bound)
				if seed%3 == 0 {
					r.Factor[0] = 1 // insertions too
				}
				r.Drain = false
				ok, _, _ := oracle.SlotsLinearizable(b, r)
				require.Equal(t, slotsByTheBook(b, r.Factor), ok, "%s, seed %d, bound %d", name, seed, bound)
				if ok {
					yes++
				}
			}
		}
		t.Logf("%s: %d of %d accepted", name, yes, 3*n)
	}
}

// Laws of quasi-linearizability that hold for every history.
func TestQuasiLaws(t *testing.T) {
	n := testenv.Scale(200, 4000)
	for _, name := range []string{"queue", "stack", "priority-queue", "deque", "counter"} {
		count := map[string]int{}
		for seed := range uint64(n) {
			o := gen.SmallOptions{Least: 3, Most: 7, Relax: int(seed % 4), Exact: seed%3 == 0}
			h, err := gen.Small(name, 1<<32+seed, o)
			require.NoError(t, err)
			b := bound(t, name, h)
			linear := linearizable(t, b)
			for drain := range 2 {
				var last [2]bool
				for k := range int32(4) {
					r := relaxed(b, k)
					r.Drain = drain == 1
					slots, before, after := oracle.SlotsLinearizable(b, r)
					if slots {
						require.NoError(t, oracle.ReplayQuasi(b, r, before, after), "%s, seed %d, bound %d", name, seed,
							k)
					}
					// the oracle counts by the names of classes, the specifications by what they
					// know
					if slots && r.Drain {
						order := slices.DeleteFunc(slices.Clone(before), func(i history.OpID) bool {
							return int(i) >= b.Partition.Len()
						})
						least, most := b.LeftOver(order)
						drains := len(before) - len(order)
						require.True(t, total(least) <= drains && drains <= total(most), "%s, seed %d, bound %d", name,
							seed, k)
					}
					r.Meaning = quasi.Classes
					classes, before, after := oracle.ClassesLinearizable(b, r)
					if classes {
						require.NoError(t, oracle.ReplayQuasi(b, r, before, after), "%s, seed %d, bound %d", name, seed,
							k)
					}
					r.Causal = true
					causal, _, _ := oracle.ClassesLinearizable(b, r)
					where := fmt.Sprintf("%s, seed %d, bound %d, drain %t", name, seed, k, r.Drain)
					require.True(t, !slots || classes, where)
					require.True(t, !causal || classes, where)
					require.True(t, !last[0] || slots, where)
					require.True(t, !last[1] || classes, where)
					require.True(t, slots || !o.Exact || int(k) < o.Relax, where)
					if k == 0 {
						require.Equal(t, linear, slots, where)
						causal, _, _ := oracle.SlotsLinearizable(b, r)
						require.Equal(t, linear, causal, where)
					}
					last = [2]bool{slots, classes}
					if slots {
						count[fmt.Sprint("slots ", k, " ", r.Drain)]++
					}
				}
			}
		}
		t.Log(name, n, count)
	}
}

func total(amounts []int) (all int) {
	for _, n := range amounts {
		all += n
	}
	return all
}

// Draining by appending every sequence of removals of inserted values and judging that as it lies.
func TestDrainsFollowThePaper(t *testing.T) {
	n := testenv.Scale(200, 3000)
	names := map[string]string{"queue": "deq", "stack": "pop", "priority-queue": "deletemin", "deque": "popfront"}
	for name, removal := range names {
		drained := 0
		for seed := range uint64(n) {
			o := gen.SmallOptions{Least: 3, Most: 6, Keys: 1, NoPending: true, NoInitial: true, Relax: int(seed % 3)}
			h, err := gen.Small(name, seed, o)
			require.NoError(t, err)
			b := bound(t, name, h)
			left, inserted := 0, []history.Value{}
			for i, op := range h.Ops {
				switch class := b.Spec.Info().Classes[b.Class[i]].Name; {
				case strings.HasPrefix(class, "insertions"):
					left++
					inserted = append(inserted, op.Arg)
				case strings.HasPrefix(class, "removals") && op.Result != history.Nil:
					left--
				}
			}
			if left < 1 || left > 3 {
				continue
			}
			drained++
			slices.Sort(inserted)
			inserted = slices.Compact(inserted)
			for k := range int32(3) {
				for _, meaning := range []quasi.Meaning{quasi.Slots, quasi.Classes} {
					r := relaxed(b, k)
					r.Meaning, r.Causal = meaning, seed%4 == 0
					got, _, _ := oracle.QuasiLinearizable(b, r)
					r.Drain = false
					want := false
					results := make([]history.Value, left)
					var assign func(at int)
					assign = func(at int) {
						if at == left {
							ok, _, _ := oracle.QuasiLinearizable(appended(t, b, removal, results), r)
							want = want || ok
							return
						}
						for _, v := range inserted {
							if !want {
								results[at] = v
								assign(at + 1)
							}
						}
					}
					assign(0)
					require.Equal(t, want, got, "%s, seed %d, bound %d, %s", name, seed, k, meaning)
				}
			}
		}
		t.Logf("%s: %d histories with something left over", name, drained)
		assert.Greater(t, int(drained), testenv.MoreThan(0))
	}
}

// appended is b with removals of these results after everything, one after the other.
func appended(t *testing.T, b *model.Instance, removal string, results []history.Value) *model.Instance {
	h := *b.Partition.History
	h.Ops, h.Origins = slices.Clone(h.Ops), slices.Clone(h.Origins)
	last := history.Rank(0)
	for _, o := range h.Ops {
		last = max(last, o.Call, o.Return)
	}
	for k, v := range results {
		at := last + 1 + 2*history.Rank(k)
		h.Ops = append(h.Ops, history.Op{F: h.Values.String(removal), Key: h.Ops[0].Key, Result: v, Call: at,
			Return: at + 1})
		h.Origins = append(h.Origins, history.Origin{})
	}
	c, err := b.Spec.Bind(model.Whole(&h))
	require.NoError(t, err)
	return c
}

// ReplayQuasi refuses what is not there.
func TestReplayQuasi(t *testing.T) {
	b := bind(t, "queue", "a enq 1 -", "a enq 2 -", "a deq - 2", "a deq - 1", "a enq 3 -")
	r := relaxed(b, 1)
	witness, rearranged := []history.OpID{0, 1, 2, 3, 4, 5}, []history.OpID{0, 1, 3, 2, 4, 5}
	require.NoError(t, oracle.ReplayQuasi(b, r, witness, rearranged))
	assert.EqualError(t, oracle.ReplayQuasi(b, r, witness, witness), "ρ″ is not accepted")
	assert.EqualError(t, oracle.ReplayQuasi(b, r, []history.OpID{0, 1, 2, 3, 4}, []history.OpID{0, 1, 3, 2, 4}),
		"there are 0 drains, not 1")
	assert.EqualError(t, oracle.ReplayQuasi(b, r, []history.OpID{1, 0, 2, 3, 4, 5}, []history.OpID{1, 0, 2, 3, 4, 5}),
		"operation 0 comes after operation 1, which it must precede")
	assert.EqualError(t, oracle.ReplayQuasi(b, r, witness, []history.OpID{0, 1, 3, 2, 5, 4}),
		"place 4 is of another class in ρ″")
	assert.EqualError(t, oracle.ReplayQuasi(b, r, witness, []history.OpID{0, 1, 3, 3, 4, 5}),
		"ρ″ does not have the operations of ρ′, each once")
	assert.EqualError(t, oracle.ReplayQuasi(b, relaxed(b, 0), witness, rearranged),
		"element 3 moves by 1 places, more than 0")
	r.Meaning = quasi.Classes
	assert.NoError(t, oracle.ReplayQuasi(b, r, witness, []history.OpID{0, 3, 1, 2, 4, 5}))
	r.Drain = false
	assert.NoError(t, oracle.ReplayQuasi(b, r, witness[:5], rearranged[:5]))
	early := bind(t, "queue", "a enq 1 -", "a deq - 2", "a enq 2 -", "a deq - 1")
	r = relaxed(early, 1)
	assert.NoError(t, oracle.ReplayQuasi(early, r, []history.OpID{0, 1, 2, 3}, []history.OpID{0, 3, 2, 1}))
	r.Causal = true
	assert.EqualError(t, oracle.ReplayQuasi(early, r, []history.OpID{0, 1, 2, 3}, []history.OpID{0, 3, 2, 1}),
		"ρ″ is not accepted")
}
