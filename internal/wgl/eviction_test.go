package wgl

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/gen/randomspec"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// forgotten counts what the searches of a test forgot.
type forgotten struct{ yes, no, evicted, collected int64 }

// forgets decides a partition with a cache of so many entries, and collects the states at every
// node if press is set. It checks the verdict, and at every node that the entries are no more than
// the limit.
func (f *forgotten) forgets(t *testing.T, b *model.Instance, entries int, press bool) {
	t.Helper()
	m := engine.NewBudget(0, 0)
	m.LimitCache(entries)
	r, _ := Begin(context.Background(), &engine.Problem{Instance: b}, m, NewRun)
	r.Inspect = func() {
		held := r.memo.count
		if r.old != nil {
			held += r.old.count
		}
		require.LessOrEqual(t, int(held), entries)
		r.Pressed = press
	}
	want, _ := oracle.Linearizable(b)
	got := r.Search()
	require.NoError(t, r.Broken)
	require.Equal(t, want, got == Found, "%d entries, brute force says %v\n%s", entries, want,
		randomspec.Show(b.Partition))
	if got == Found {
		f.yes++
		require.NoError(t, oracle.Replay(b, r.Linearization()))
	} else {
		require.Equal(t, Failed, got)
		f.no++
	}
	f.evicted += r.Evicted
	f.collected += r.collected
}

// Whatever is forgotten, the verdict is that of the definition: random machines, in which
// operations may leave several states, with caches of 1 to 16 entries and collections at every
// node.
func TestForgettingOnRandomMachines(t *testing.T) {
	var seen forgotten
	for seed := range uint64(testenv.Scale(4000, 40000)) {
		rng := rand.New(rand.NewPCG(seed, 11))
		s := randomspec.New(rng, rng.IntN(3) > 0)
		p := model.Whole(randomspec.History(rng, s, 6+rng.IntN(8), max(0, rng.IntN(16)-8)))
		testkit.WithSeed(t, seed, func() {
			b, err := s.Bind(p)
			require.NoError(t, err)
			seen.forgets(t, b, 1+rng.IntN(16), rng.IntN(2) == 0)
		})
	}
	t.Logf("%+v", seen)
	for _, n := range []int64{seen.yes, seen.no, seen.evicted} {
		assert.Greater(t, n, int64(testenv.MoreThan(100)))
	}
}

// The same on the shipped specifications, whose machines drop states.
func TestForgettingOnSpecifications(t *testing.T) {
	collected := map[string]int64{}
	for _, s := range specs.All() {
		name := s.Info().Name
		if name == "max-priority-queue" {
			continue // the generator knows it by the other order only
		}
		var seen forgotten
		for seed := range uint64(testenv.Scale(300, 20000)) {
			rng := rand.New(rand.NewPCG(seed, 12))
			h, err := gen.Small(name, seed, gen.SmallOptions{Most: 5 + int(seed%6), NoEdges: seed%3 != 0})
			require.NoError(t, err)
			testkit.WithSeed(t, seed, func() {
				b, err := s.Bind(model.Whole(h))
				require.NoError(t, err)
				seen.forgets(t, b, 1+rng.IntN(16), rng.IntN(4) > 0)
			})
		}
		collected[name] = seen.collected
		assert.Greater(t, int(seen.yes), testenv.MoreThan(0), name)
		assert.Greater(t, int(seen.no), testenv.MoreThan(0), name)
	}
	for _, name := range []string{"queue", "deque", "priority-queue", "counter", "bank"} {
		assert.Greater(t, int(collected[name]), testenv.MoreThan(0), name)
	}
	t.Log(collected)
}

// A machine whose operations list the states that they leave in another order each time, as code
// that ranges over a map does, loses no state by a collection: the order that a frame goes through
// is kept.
func TestForgettingKeepsTheOrderOfStates(t *testing.T) {
	var seen forgotten
	for seed := range uint64(testenv.Scale(3000, 20000)) {
		rng := rand.New(rand.NewPCG(seed, 13))
		s := randomspec.New(rng, true)
		b, err := s.Bind(model.Whole(randomspec.History(rng, s, 6+rng.IntN(6), rng.IntN(3))))
		require.NoError(t, err)
		shuffled := *b
		shuffled.NewMachine = func() model.Machine { return &shuffling{b.NewMachine(), rng} }
		testkit.WithSeed(t, seed, func() { seen.forgets(t, &shuffled, 1+rng.IntN(4), true) })
	}
	assert.Greater(t, min(seen.yes, seen.no), int64(testenv.MoreThan(100)))
}

type shuffling struct {
	model.Machine
	rng *rand.Rand
}

func (m *shuffling) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	from := len(dst)
	dst = m.Machine.Step(s, op, dst)
	m.rng.Shuffle(len(dst)-from, func(i, j int) { dst[from+i], dst[from+j] = dst[from+j], dst[from+i] })
	return slices.Clip(dst)
}
