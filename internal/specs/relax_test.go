package specs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRelaxByDefinition compares the machines with the definition: along random sequences of 6
// calls, on every call that could come next.
func TestRelaxByDefinition(t *testing.T) {
	runs := testenv.Scale(2, 10)
	for kind := range paperNames {
		for _, values := range []int{2, 4} {
			t.Run(fmt.Sprint(kind, " of ", values), func(t *testing.T) {
				t.Parallel()
				accepted, refused := 0, 0
				for _, x := range semantics(3) {
					calls, b := paperAlphabet(t, kind, values, x)
					for seed := range uint64(runs) {
						r := rand.New(rand.NewPCG(seed, 5))
						m := b.NewMachine()
						states := []model.State{m.Init()}
						paths := [][]paperStep{nil}
						var text []call
						for len(text) < 6 {
							var allowed []int
							var after [][][]paperStep
							for op, c := range calls {
								reached := stepAll(m, states, history.OpID(op))
								ways := extend(kind, paths, c, x)
								require.Equal(t, len(ways) > 0, len(reached) > 0,
									"%s relaxed by %v, seed %d: %v, then %v", kind, x, seed, text, c)
								if len(ways) == 0 {
									refused++
									continue
								}
								accepted++
								if c.does != model.Insert || len(text) < 2 || r.IntN(3) == 0 {
									allowed, after = append(allowed, op), append(after, ways)
								}
							}
							if len(allowed) == 0 {
								break
							}
							k := r.IntN(len(allowed))
							text = append(text, calls[allowed[k]])
							states, paths = stepAll(m, states, history.OpID(allowed[k])), after[k]
						}
					}
				}
				assert.Greater(t, accepted, testenv.MoreThan(0))
				assert.Greater(t, refused, testenv.MoreThan(0))
			})
		}
	}
}

// TestRelaxSequences: cases that random sequences rarely meet.
func TestRelaxSequences(t *testing.T) {
	for _, x := range []struct {
		spec, by, ops string
		allowed       bool
	}{
		{"queue", "out-of-order=1,stuttering=1", "enq 1; deq→1; deq→1; enq 2; deq→2; deq→2", true},
		{"queue", "out-of-order=1,stuttering=1", "enq 1; deq→1; deq→1; deq→1", false},
		// 1 was passed over twice
		{"queue", "lateness=1,stuttering=1", "enq 1; enq 2; deq→2; deq→2; deq→1", false},
		{"queue", "lateness=2,stuttering=1", "enq 1; enq 2; deq→2; deq→2; deq→1", true},
		// 3 is in front
		{"deque", "lateness=1", "pushback 1; pushback 2; pushback 3; popfront→2; popback→1; popfront→null", true},
		{"deque", "lateness=1", "pushback 1; pushback 2; pushback 3; popfront→2; popback→3; popfront→null", false},
		{"deque", "lateness=1", "pushback 1; pushback 2; pushback 3; popback→2; popfront→3; popback→null", true},
		// 3, at the back, was passed over twice
		{"deque", "lateness=1", "pushback 1; pushback 2; pushback 3; popfront→2; popback→1; popback→null", false},
		{"priority-queue", "lateness=1",
			"insert 2; insert 3; deletemin→3; insert 1; deletemin→2; deletemin→1; deletemin→null", true},
		{"priority-queue", "lateness=1", "insert 2; insert 3; deletemin→3; insert 2; insert 3; deletemin→3", false},
		{"stack", "lateness=1", "push 1; push 2; pop→1; push 3; pop→2; pop→3", true},
		{"stack", "lateness=1", "push 1; push 2; push 3; pop→1; pop→2; pop→3", false},
	} {
		var ops []string
		for k, op := range strings.Split(x.ops, "; ") {
			f, value, _ := strings.Cut(strings.Replace(op, "→", " ", 1), " ")
			ops = append(ops, fmt.Sprintf(`{"process": 0, "f": %q, "arg": null, "call": %d, "return": %d}`,
				f, 2*k, 2*k+1))
			if strings.Contains(op, "→") {
				ops[k] = strings.Replace(ops[k], `"arg": null`, `"result": `+value, 1)
			} else {
				ops[k] = strings.Replace(ops[k], "null", value, 1)
			}
		}
		h, err := history.Read(strings.NewReader(fmt.Sprintf(`{"spec": %q, "operations": [%s]}`, x.spec,
			strings.Join(ops, ", "))), history.ReadOptions{})
		require.NoError(t, err)
		by, err := specs.ParseSemanticRelaxation(x.by)
		require.NoError(t, err)
		m := bindRelaxed(t, x.spec, by, h).NewMachine()
		states := []model.State{m.Init()}
		for op := range ops {
			states = stepAll(m, states, history.OpID(op))
		}
		assert.Equal(t, x.allowed, len(states) > 0, "%s relaxed by %s: %s", x.spec, x.by, x.ops)
	}
}

// TestRelaxEverySequence compares them on every sequence of calls up to a length.
func TestRelaxEverySequence(t *testing.T) {
	longest, bounds := 4, 1
	if testenv.Full() {
		longest, bounds = 6, 3
	}
	for kind, names := range paperNames {
		length := longest
		if len(names[0]) == 2 { // the alphabet of a deque is twice as large
			length -= 1 + longest/5
		}
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for _, x := range semantics(bounds) {
				if x.OutOfOrder == 2 || x.Lateness == 2 || x.Stuttering > 1 {
					continue
				}
				length := length
				if max(x.OutOfOrder, x.Lateness) > 1 {
					length--
				}
				calls, b := paperAlphabet(t, kind, 2, x)
				m := b.NewMachine()
				var walk func(states []model.State, paths [][]paperStep, text []call)
				walk = func(states []model.State, paths [][]paperStep, text []call) {
					require.Equal(t, len(paths) > 0, len(states) > 0, "%s relaxed by %v: %v", kind, x, text)
					if len(text) == length || len(paths) == 0 {
						return
					}
					for op, c := range calls {
						if c.does == model.Peek && len(text) < length-1 && x.Stuttering+x.Lateness == 0 {
							continue // without counts a peek says nothing of what comes after
						}
						walk(stepAll(m, states, history.OpID(op)), extend(kind, paths, c, x),
							append(slices.Clone(text), c))
					}
				}
				walk([]model.State{m.Init()}, [][]paperStep{nil}, nil)
			}
		})
	}
}
