package conformance_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/spec"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func relax(t testing.TB, name, by string) model.Spec {
	t.Helper()
	s := testkit.Spec(t, name)
	x, err := specs.ParseSemanticRelaxation(by)
	require.NoError(t, err)
	r, err := specs.Relax(s, x)
	require.NoError(t, err)
	return r
}

// relaxed are histories under relaxed specifications.
func relaxed(t testing.TB) (all []source) {
	relaxations := []string{"out-of-order=1", "out-of-order=2", "lateness=1", "lateness=2", "out-of-order=2,lateness=1",
		"out-of-order=1,stuttering=1",
		"out-of-order=2,lateness=2,stuttering=1", "stuttering=1", "stuttering=2"}
	for _, strict := range specs.All() {
		name := strict.Info().Name
		if _, err := specs.Relax(strict, specs.SemanticRelaxation{Stuttering: 1}); err != nil {
			continue // its states are not states of the object
		}
		all = append(all, source{name: "relaxed/" + name, n: smallHistories(), most: 1,
			draw: func(t testing.TB, seed uint64) (spec.Spec, *history.History) {
				by := relaxations[seed%uint64(len(relaxations))]
				if _, err := specs.Relax(strict, specs.SemanticRelaxation{OutOfOrder: 1}); err != nil {
					by = relaxations[len(relaxations)-1-int(seed%2)]
				}
				options := gen.SmallOptions{}
				if seed%3 == 0 {
					options.Relax = 1 + int(seed/3%2)
				}
				h, err := gen.Small(name, seed, options)
				require.NoError(t, err)
				return relax(t, name, by), h
			},
			asks: [][]linsat.Option{{linsat.Partition("key")}, {linsat.Partition("none")}},
			counts: func(h *history.History) []string {
				b, err := strict.Bind(model.Whole(h))
				require.NoError(t, err)
				if ok, _ := oracle.Linearizable(b); ok {
					return []string{"linearizable without"}
				}
				return nil
			},
			holds: func(t *testing.T, n int, count map[string]int) {
				assert.Greater(t, count["linearizable"], count["linearizable without"])
			}})
	}
	return all
}

// TestLongRelaxedWitnessesAreFound: a witness of a specification that leaves several states at
// every insertion is found, and replayed, without looking at all of them.
func TestLongRelaxedWitnessesAreFound(t *testing.T) {
	var ops []string
	for k := range 500 {
		ops = append(ops, fmt.Sprintf("enq %d", k))
		if k >= 30 {
			ops = append(ops, fmt.Sprintf("deq→%d", (k-30)^1))
		}
	}
	h := sequential(t, "queue", strings.Join(ops, "; "))
	for by, want := range map[string]engine.Verdict{"out-of-order=2": engine.Linearizable,
		"out-of-order=1,lateness=1,stuttering=2": engine.Linearizable,
		"lateness=1":                             engine.Linearizable, "out-of-order=0": engine.NotLinearizable} {
		r, err := linsat.Check(context.Background(), relax(t, "queue", by), h, linsat.Timeout(20*time.Second))
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict, by)
		assert.True(t, r.Certified, by)
	}
}

// sequential reads a history of one process: "enq 1; deq→2; deq→null".
func sequential(t *testing.T, name, text string) *history.History {
	t.Helper()
	var ops []string
	for k, op := range strings.Split(text, "; ") {
		field := "arg"
		f, value, result := strings.Cut(op, "→")
		if result {
			field = "result"
		} else {
			f, value, _ = strings.Cut(op, " ")
		}
		if value == "" {
			value = "null"
		}
		ops = append(ops, fmt.Sprintf(`{"process": 0, "f": %q, %q: %s, "call": %d, "return": %d}`, f, field,
			value, 2*k, 2*k+1))
	}
	h, err := history.Read(strings.NewReader(fmt.Sprintf(`{"spec": %q, "operations": [%s]}`, name,
		strings.Join(ops, ", "))), history.ReadOptions{})
	require.NoError(t, err)
	return h
}

// TestRelaxationsHaveTheVerdictsOfTheManual asserts the verdicts of docs/quasi.md, each by
// search and by the definition, and the permutation meanings of the same histories by the
// definition.
func TestRelaxationsHaveTheVerdictsOfTheManual(t *testing.T) {
	const never = 100
	for _, x := range []struct {
		spec, history   string
		accepted        string // relaxations that accept it, separated by spaces
		refused         string
		slots           int32 // least bounds, drained
		classes         int32
		slotsAsTheyLie  int32 // least bounds, not drained
		classesAsItLies int32
	}{
		// Out of order by one item, again and again.
		{"queue", "enq 1; enq 2; enq 3; enq 4; deq→2; deq→3; deq→4; deq→1",
			"out-of-order=1 lateness=3 out-of-order=1,lateness=3", "lateness=2 out-of-order=1,lateness=2", 3, 3, 3, 3},
		// Late by one removal, as far out of order as can be.
		{"queue", "enq 1; enq 2; enq 3; enq 4; deq→4; deq→1; deq→2; deq→3", "lateness=1 out-of-order=3,lateness=1",
			"out-of-order=1 out-of-order=2,lateness=9", 3, 3, 3, 3},
		// An insertion and a removal out of order by one each.
		{"queue", "enq 1; enq 2; enq 3; deq→3; deq→1; deq→2", "out-of-order=1", "out-of-order=1,lateness=9", 2, 2, 2,
			2},
		// Both bounds kept by each removal, not by the places.
		{"queue", "enq 1; enq 2; enq 3; enq 4; enq 5; deq→3; deq→1; deq→5; deq→4; deq→2", "out-of-order=2,lateness=2",
			"out-of-order=1,lateness=2 lateness=1", 3, 3, 3, 3},
		// Before its insertion: a permutation, but in no state is there anything to take.
		{"queue", "enq 1; deq→2; enq 2; deq→1", "",
			"out-of-order=9 lateness=9 stuttering=9 out-of-order=9,lateness=9,stuttering=9", 1, 1, 1, 1},
		// The same item twice: no permutation, but the first removal was left out.
		{"queue", "enq 1; deq→1; deq→1", "stuttering=1", "out-of-order=9 lateness=9", never, never, never, never},
		// What is left over: 1 is still there, or (stuttering) was never put in.
		{"queue", "enq 1; enq 2; deq→2", "out-of-order=1 lateness=1 stuttering=1", "", 1, 1, never, never},
		// Nothing found though there is something.
		{"queue", "enq 1; enq 2; deq→null; deq→1; deq→2", "out-of-order=2 lateness=1 out-of-order=2,lateness=1",
			"out-of-order=1 out-of-order=1,lateness=1", 2, 0, 2, 0},
		// Stacks: a push makes a new item the next to leave.
		{"stack", "push 1; push 2; pop→1; push 3; push 4; pop→3; pop→4; pop→2", "lateness=1 out-of-order=1,lateness=1",
			"stuttering=1", 3, 0, 3, 0},
		{"stack", "push 1; push 2; push 3; pop→2; pop→1; pop→3", "out-of-order=1 lateness=2",
			"lateness=1 out-of-order=1,lateness=1", 2, 0, 2, 0},
		// Counters and registers.
		{"counter", "getandinc→0; getandinc→0; getandinc→1", "stuttering=1", "", never, never, never, never},
		{"counter", "inc; inc; inc; read→2", "stuttering=1", "", never, 0, never, 0},
		{"counter", "inc; read→0; inc; read→0", "stuttering=2", "stuttering=1", never, 0, never, 0},
		{"register", "write 1; write 2; read→1", "stuttering=1", "", never, never, never, never},
	} {
		t.Run(x.spec+": "+x.history, func(t *testing.T) {
			h := sequential(t, x.spec, x.history)
			for k, list := range []string{x.accepted, x.refused} {
				for by := range strings.FieldsSeq(list) {
					s := relax(t, x.spec, by)
					b, err := s.Bind(model.Whole(h))
					require.NoError(t, err)
					ok, _ := oracle.Linearizable(b)
					assert.Equal(t, k == 0, ok, by)
					r, err := linsat.Check(context.Background(), s, h)
					require.NoError(t, err)
					assert.Equal(t, k == 0, r.Verdict == engine.Linearizable, "search, %s", by)
				}
			}
			strict, _ := specs.Lookup(x.spec)
			b, err := strict.Bind(model.Whole(h))
			require.NoError(t, err)
			ok, _ := oracle.Linearizable(b)
			assert.False(t, ok, "it is linearizable")
			least := func(meaning quasi.Meaning, drain bool) int32 {
				for k := range int32(6) {
					request, err := quasi.Parse(strict.Info(), fmt.Sprint(k))
					if err != nil {
						return never
					}
					if ok, _, _ := oracle.QuasiLinearizable(b, quasi.Question{Factor: request.Factor, Meaning: meaning,
						Drain: drain}); ok {
						return k
					}
				}
				return never
			}
			assert.Equal(t, x.slots, least(quasi.Slots, true), "slots")
			assert.Equal(t, x.classes, least(quasi.Classes, true), "classes")
			assert.Equal(t, x.slotsAsTheyLie, least(quasi.Slots, false), "slots, not drained")
			assert.Equal(t, x.classesAsItLies, least(quasi.Classes, false), "classes, not drained")
		})
	}
}

// TestRelaxationsHaveTheVerdictsOfRoundUp: the histories of Round-Up's Fig. 7 and their columns
// Res1 (out of order by one) and Res2 (late by one). Res1 is about removals, so out-of-order comes
// with a lateness that bounds nothing here.
func TestRelaxationsHaveTheVerdictsOfRoundUp(t *testing.T) {
	for _, x := range []struct {
		removed    [3]int
		res1, res2 bool
	}{{[3]int{1, 2, 3}, true, true}, {[3]int{2, 1, 3}, true, true}, {[3]int{1, 3, 2}, true, true},
		{[3]int{3, 1, 2}, false, true}, {[3]int{2, 3, 1}, true, false},
		{[3]int{3, 2, 1}, false, false}} {
		h := sequential(t, "queue", fmt.Sprintf("enq 1; enq 2; enq 3; deq→%d; deq→%d; deq→%d", x.removed[0],
			x.removed[1], x.removed[2]))
		for by, want := range map[string]bool{"out-of-order=1,lateness=9": x.res1, "lateness=1": x.res2,
			"out-of-order=1,lateness=1": x.res1 && x.res2} {
			r, err := linsat.Check(context.Background(), relax(t, "queue", by), h)
			require.NoError(t, err)
			assert.Equal(t, want, r.Verdict == engine.Linearizable, "%v, %s", x.removed, by)
		}
	}
}

// TestCausalSlotsAreWithinOutOfOrder: what slots accepts at bound K, causal, of a queue without
// empty results and peeks, is within out-of-order=K,lateness=K.
func TestCausalSlotsAreWithinOutOfOrder(t *testing.T) {
	queue := specs.Queue()
	both := map[bool]int{}
	for seed := range uint64(4000 + 4*smallHistories()) {
		h, err := gen.Small("queue", seed, gen.SmallOptions{Most: 7, Keys: 1, Relax: 2, NoPending: true,
			NoInitial: true})
		require.NoError(t, err)
		whole := model.Whole(h)
		b, err := queue.Bind(whole)
		require.NoError(t, err)
		if slices.Contains(b.Items.Delta, 0) {
			continue
		}
		for k := int32(1); k <= 2; k++ {
			request, err := quasi.Parse(queue.Info(), fmt.Sprint(k))
			require.NoError(t, err)
			slots, _, _ := oracle.QuasiLinearizable(b, quasi.Question{Factor: request.Factor,
				Drain: true, Causal: true})
			if !slots {
				continue
			}
			rb, err := relax(t, "queue", fmt.Sprintf("out-of-order=%d,lateness=%d", k, k)).Bind(whole)
			require.NoError(t, err)
			ok, _ := oracle.Linearizable(rb)
			require.True(t, ok, "bound %d, seed %d: %s", k, seed, show(h))
			strict, _ := oracle.Linearizable(b)
			both[strict]++
		}
	}
	assert.Positive(t, both[false])
}
