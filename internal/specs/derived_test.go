package specs_test

import (
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// after returns, as a set, the values of a derived or other theory of one cell in which an
// operation leaves it.
func after(c *model.RegisterTheory, values map[int32]bool, op history.OpID, pending bool) map[int32]bool {
	out := map[int32]bool{}
	for v := range values {
		if pending {
			out[v] = true
		}
		for _, m := range c.Of(op) {
			switch {
			case !m.Allows(v):
			case m.Leaves == model.Keep:
				out[v] = true
			default:
				out[m.Leaves] = true
			}
		}
	}
	return out
}

// walk compares machine, theory and derived theory along random orders of the operations of a
// partition.
func walk(t *testing.T, b *model.Instance, derived *model.RegisterTheory, order []history.OpID) (allowed int) {
	written, _ := b.Axiomatic().(*model.RegisterTheory)
	m := b.NewMachine()
	states := []model.State{m.Init()}
	here, there := map[int32]bool{derived.Init[0]: true}, map[int32]bool{}
	if written != nil {
		there[written.Init[0]] = true
	}
	for k, op := range order {
		pending := b.Partition.Ops[op].Pending()
		var next []model.State
		for _, s := range states {
			next = m.Step(s, op, next)
		}
		if pending {
			next = append(next, states...)
		}
		slices.Sort(next)
		states = slices.Compact(next)
		here = after(derived, here, op, pending)
		require.Equal(t, len(states) > 0, len(here) > 0, "operation %d of %v, machine and derived theory", k, order)
		// whose states depend on all operations
		if name := b.Spec.Info().Name; name != "kv" && name != "bounded-queue" {
			var names, descriptions []string
			for v := range here {
				names = append(names, derived.Name(v))
			}
			for _, s := range states {
				descriptions = append(descriptions, m.Describe(s))
			}
			require.ElementsMatch(t, descriptions, names, "operation %d of %v", k, order)
		}
		if written != nil {
			there = after(written, there, op, pending)
			require.Equal(t, len(there) > 0, len(here) > 0, "operation %d of %v, theory and derived theory", k, order)
		}
		if len(states) == 0 {
			return k
		}
	}
	return len(order)
}

// TestDerivedTheories compares the theory derived from a shipped specification with the one that
// was written for it, and with its machine, on random partitions and random orders of their
// operations.
func TestDerivedTheories(t *testing.T) {
	rounds := uint64(testenv.Scale(1500, 40_000))
	for _, s := range specs.All() {
		name := s.Info().Name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			derived, complete, refused := 0, 0, 0
			for seed := range rounds {
				h, err := gen.Small(name, seed, gen.SmallOptions{All: seed%2 == 1})
				require.NoError(t, err)
				for _, p := range model.Split(s, h, model.ByKey) {
					b, err := s.Bind(p)
					require.NoError(t, err)
					c := model.Derive(b, s.Bind)
					if c == nil {
						continue
					}
					derived++
					require.Len(t, c.Init, 1)
					if written, ok := b.Axiomatic().(*model.RegisterTheory); ok && len(written.Init) != 1 {
						continue
					}
					order := make([]history.OpID, p.Len())
					for i := range order {
						order[i] = history.OpID(i)
					}
					shuffle := seed
					for range 4 {
						if walk(t, b, c, order) == len(order) {
							complete++
						} else {
							refused++
						}
						slices.SortFunc(order, func(x, y history.OpID) int {
							return int(uint32(shuffle*0x9e3779b1+
								uint64(x)*0x85ebca6b)>>4) - int(uint32(shuffle*0x9e3779b1+uint64(y)*0x85ebca6b)>>4)
						})
						shuffle += 7919
					}
				}
			}
			t.Logf("%d derived; %d orders allowed, %d refused", derived, complete, refused)
			if _, ok := map[string]bool{"mutex": true, "register": true, "cas-register": true, "set": true, "kv": true,
				"owned-mutex": true, "semaphore": true, "rwmutex": true}[name]; ok {
				assert.Greater(t, derived, int(rounds)/2)
				assert.Greater(t, complete, int(rounds)/4)
				assert.Greater(t, refused, int(rounds)/4)
			}
		})
	}
}
