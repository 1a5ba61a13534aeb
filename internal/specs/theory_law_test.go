package specs

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The theory of a collection or a counter is a second description of its operations. Here it is
// executed as its words say, with no regard for the machine, and both must follow every sequence of
// operations equally far.

// interpret returns how many operations of a partition a theory accepts one after another.
func interpret(t *testing.T, theory model.Theory, n int) int {
	switch theory := theory.(type) {
	case *model.CollectionTheory:
		return interpretCollection(theory, n)
	case *model.CountingTheory:
		now := slices.Clone(theory.Init)
		for i := range n {
			o := theory.Object[i]
			if theory.Observes[i] && now[o] != theory.Observed[i] {
				return i
			}
			now[o] += theory.Delta[i]
		}
		return n
	}
	require.Failf(t, "unforeseen theory", "%T", theory)
	return 0
}

// interpretCollection keeps, for all collections at once, the values in the order of their
// insertion.
func interpretCollection(c *model.CollectionTheory, n int) int {
	initial := make([][]int32, len(c.Initial))
	for o, values := range c.Initial {
		initial[o] = slices.Clone(values)
		if c.Discipline == model.LIFO {
			slices.Reverse(initial[o])
		}
	}
	worlds := [][][]int32{initial}
	for i := range n {
		var next [][][]int32
		seen := map[string]bool{}
		o := c.Object[i]
		for _, w := range worlds {
			for _, contents := range after(c, w[o], i) {
				changed := slices.Clone(w)
				changed[o] = contents
				if k := fmt.Sprint(changed); !seen[k] {
					seen[k] = true
					next = append(next, changed)
				}
			}
		}
		if len(next) == 0 {
			return i
		}
		worlds = next
	}
	return n
}

// after lists the contents that operation i may leave behind.
func after(c *model.CollectionTheory, contents []int32, i int) (out [][]int32) {
	if c.Does[i] == model.Insert {
		return [][]int32{append(slices.Clone(contents), c.Value[i])}
	}
	if len(contents) == 0 {
		if c.Value[i] == model.Nothing || c.Value[i] == model.Anything {
			out = append(out, contents)
		}
		return out
	}
	for at, v := range contents {
		leaves := false
		switch c.Discipline {
		case model.FIFO:
			leaves = at == 0
		case model.LIFO:
			leaves = at == len(contents)-1
		case model.ByPriority:
			leaves = true
			for _, w := range contents {
				leaves = leaves && c.Rank[v] <= c.Rank[w]
			}
		}
		if !leaves || c.Value[i] != model.Anything && c.Value[i] != v {
			continue
		}
		if c.Does[i] == model.Peek {
			out = append(out, contents)
		} else {
			out = append(out, slices.Delete(slices.Clone(contents), at, at+1))
		}
	}
	return out
}

// vocabulary is what random sequences are made of.
type vocabulary struct {
	spec     model.Spec
	initials []any
	calls    []call
}

func vocabularies() []vocabulary {
	collection := func(s model.Spec, elements ...any) vocabulary {
		v := vocabulary{spec: s, initials: []any{noInitial{}, nil, []any{elements[0]},
			[]any{elements[1], elements[0], elements[2]}}}
		names := s.Info().Operations
		for _, e := range elements {
			v.calls = append(v.calls, call{names[0].Name, e, nil}, call{names[1].Name, nil, e},
				call{names[2].Name, nil, e})
		}
		v.calls = append(v.calls, call{names[0].Name, elements[0], pendingCall{}})
		v.calls = append(v.calls, call{"size", nil, 0}, call{"size", nil, unknownResult{}})
		for _, o := range names[1:3] {
			v.calls = append(v.calls, call{o.Name, nil, nil}, call{o.Name, nil, unknownResult{}},
				call{o.Name, nil, pendingCall{}})
		}
		return v
	}
	counter := vocabulary{spec: Counter(), initials: []any{noInitial{}, nil, 2, -1}}
	for _, n := range []any{nil, 0, 1, 2, -1} {
		counter.calls = append(counter.calls, call{"inc", n, nil}, call{"dec", n, pendingCall{}},
			call{"getandinc", n, unknownResult{}},
			call{"getandinc", n, 1}, call{"getandinc", n, 2})
	}
	for v := -1; v <= 3; v++ {
		counter.calls = append(counter.calls, call{"read", nil, v}, call{"getandinc", nil, v})
	}
	for v := -1; v <= 2; v++ {
		counter.calls = append(counter.calls, call{"inc", nil, v}, call{"dec", 2, v}, call{"incandget", 2, v},
			call{"getanddec", nil, v})
	}
	counter.calls = append(counter.calls, call{"read", nil, pendingCall{}}, call{"incandget", nil, pendingCall{}})
	return []vocabulary{collection(Queue(), 1, 2, "x"), collection(Stack(), 1, 2, "x"), counter,
		collection(PriorityQueue(), 1, []any{1, "x"}, 2)}
}

// random makes a sequence of 1 to 6 operations on one or two objects.
func (v vocabulary) random(t require.TestingT, rng *rand.Rand) *model.Partition {
	calls := make([]call, 1+rng.Intn(6))
	for i := range calls {
		calls[i] = v.calls[rng.Intn(len(v.calls))]
	}
	p := sequential(t, v.initials[rng.Intn(len(v.initials))], calls)
	if rng.Intn(4) == 0 {
		key := history.True
		for i := range p.Ops {
			if rng.Intn(2) == 0 {
				p.Ops[i].Key = key
			}
		}
	}
	return p
}

func TestTheoriesAgreeWithMachines(t *testing.T) {
	rounds := testenv.Scale(2000, 20000)
	for _, v := range vocabularies() {
		t.Run(v.spec.Info().Name, func(t *testing.T) {
			complete := 0
			for seed := range int64(rounds) {
				p := v.random(t, rand.New(rand.NewSource(seed)))
				b, err := v.spec.Bind(p)
				require.NoError(t, err)
				require.NotNil(t, b.Theory)
				_, stopped, refusal := run(t, b)
				require.Equal(t, interpret(t, b.Theory, p.Len()), stopped, "seed %d", seed)
				if stopped == p.Len() {
					complete++
				} else {
					require.NotEmpty(t, refusal, "seed %d", seed)
				}
			}
			assert.Greater(t, complete, rounds/20, "sequences accepted to the end")
			assert.Less(t, complete, rounds, "sequences refused")
		})
	}
}

// A pure operation leaves every state where it can take place as it is; interchangeable ones lead
// to the same states from everywhere.
func TestPurityAndSignatures(t *testing.T) {
	all := append(vocabularies(),
		vocabulary{Deque(), []any{noInitial{}, []any{1, 2}}, []call{
			{"pushfront", 1, nil}, {"pushback", 2, nil}, {"pushback", 1, pendingCall{}}, {"popfront", nil, 1},
			{"popback", nil, 1}, {"popback", nil, 2}, {"popfront", nil, nil}, {"popback", nil, nil},
			{"popfront", nil, unknownResult{}}, {"popback", nil, pendingCall{}}, {"peekfront", nil, 1},
			{"peekback", nil, 1}, {"peekback", nil, nil}, {"peekfront", nil, pendingCall{}}}},
		vocabulary{Log(), []any{noInitial{}, []any{1, 2}}, []call{
			{"append", 1, nil}, {"append", 1, 0}, {"append", 2, 1}, {"append", 1, pendingCall{}},
			{"read", nil, []any{}}, {"read", 1, nil}, {"read", nil, []any{1}}, {"read", nil, []any{1, 2}},
			{"read", 1, []any{2}},
			{"read", 0, unknownResult{}}, {"read", nil, pendingCall{}}}})
	for i := range all {
		v := &all[i]
		switch names := v.spec.Info().Operations; v.spec.Info().Name {
		case "queue", "stack", "priority-queue", "deque":
			v.calls = append(v.calls, call{"size", nil, 1}, call{"size", nil, 2}, call{"drain", nil, []any{1}},
				call{"drain", nil, []any{1, 2}}, call{"drain", nil, []any{2, 1}},
				call{"drain", nil, unknownResult{}}, call{"drain", nil, pendingCall{}}, call{names[0].Name, 2, nil},
				call{names[0].Name, 1, true})
		case "counter":
			v.calls = append(v.calls, call{"write", 2, nil}, call{"swap", 1, unknownResult{}}, call{"swap", 1, 2},
				call{"cas", []any{1, 2}, true}, call{"compareandexchange", []any{0, 1}, 2}, call{"cas", []any{1, 2},
					false}, call{"cas", []any{1, 0}, nil}, call{"cas", []any{2, 0}, pendingCall{}})
		}
	}
	for _, v := range all {
		t.Run(v.spec.Info().Name, func(t *testing.T) {
			for seed := range int64(100) {
				p := v.random(t, rand.New(rand.NewSource(seed)))
				b, err := v.spec.Bind(p)
				require.NoError(t, err)
				m := b.NewMachine()
				states := []model.State{m.Init()}
				seen := map[model.State]bool{m.Init(): true}
				for at := 0; at < len(states) && at < 60; at++ {
					for i := range p.Ops {
						next := m.Step(states[at], history.OpID(i), nil)
						require.Equal(t, next, m.Step(states[at], history.OpID(i), nil),
							"seed %d: a step is a function", seed)
						if b.ReadOnly[i] {
							require.Subset(t, []model.State{states[at]}, next, "seed %d: operation %d is pure", seed, i)
						}
						for j := range i {
							if b.EquivID[i] == b.EquivID[j] {
								require.ElementsMatch(t, next, m.Step(states[at], history.OpID(j), nil),
									"seed %d: operations %d and %d are interchangeable", seed, i, j)
							}
						}
						if len(next) == 0 {
							require.NotEmpty(t, b.Refusal(m, states[at], history.OpID(i)), "seed %d", seed)
						} else {
							require.Empty(t, b.Refusal(m, states[at], history.OpID(i)), "seed %d", seed)
						}
						for _, n := range next {
							if !seen[n] {
								seen[n] = true
								states = append(states, n)
							}
						}
					}
				}
				require.Len(t, unique(describe(m, states)), len(states), "seed %d: states that look equal are equal",
					seed)
			}
		})
	}
}

func unique(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}
