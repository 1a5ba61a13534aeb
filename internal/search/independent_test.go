package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen/cells"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/wgl"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// agreement compares the search with pieces with what is known of histories.
type agreement struct{ yes, no int }

// on compares on a partition, with and without read-only operations, unless it does not concern the
// search. known decides it otherwise.
func (a *agreement) on(t *testing.T, seed uint64, rng *rand.Rand, b *model.Instance, known func() bool) {
	if rng.IntN(2) == 0 {
		b.ReadOnly = make([]bool, len(b.ReadOnly))
	}
	r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
	if b.Touches == nil || r.Component != nil {
		require.Equal(t, wgl.Undecided, decideIndependently(r).Outcome)
		return
	}
	want := known()
	testkit.WithSeed(t, seed, func() {
		d := decideIndependently(r)
		require.NoError(t, r.Broken)
		if want {
			require.Equal(t, wgl.Found, d.Outcome)
			require.NoError(t, oracle.Replay(b, d.Witness))
			a.yes++
		} else {
			require.Equal(t, wgl.Failed, d.Outcome)
			a.no++
		}
	})
}

func (a *agreement) enough(t *testing.T) {
	t.Logf("%d linearizable, %d not", a.yes, a.no)
	assert.Greater(t, a.yes, testenv.MoreThan(testenv.Scale(300, 1000)))
	assert.Greater(t, a.no, testenv.MoreThan(testenv.Scale(300, 1000)))
}

// What the search with pieces says is what the definition says, of histories with pending
// operations, nondeterministic ones, and ones that touch everything.
func TestIndependentAgreesWithTheDefinition(t *testing.T) {
	var a agreement
	for seed := range uint64(testenv.Scale(2000, 400_000)) {
		rng := rand.New(rand.NewPCG(seed, 77))
		b, err := cells.Spec().Bind(model.Whole(cells.Small(rng)))
		require.NoError(t, err)
		a.on(t, seed, rng, b, func() bool {
			ok, _ := oracle.Linearizable(b)
			return ok
		})
	}
	a.enough(t)
}

// The same as plain search, of histories that are too long for the definition: there is more to
// jump back over.
func TestIndependentAgreesWithSearch(t *testing.T) {
	var a agreement
	for seed := range uint64(testenv.Scale(1000, 200_000)) {
		rng := rand.New(rand.NewPCG(seed, 79))
		o := cells.Options{Operations: 12 + rng.IntN(30), Cells: 3 + rng.IntN(8), Open: 2 + rng.IntN(4),
			Pending: []float64{0, 0.1}[rng.IntN(2)], Whole: []float64{0, 0, 0.02}[rng.IntN(3)]}
		o.Wrong, o.WrongFrom = 0.1, rng.IntN(o.Operations)
		b, err := cells.Spec().Bind(model.Whole(cells.History(rng, o)))
		require.NoError(t, err)
		a.on(t, seed, rng, b, func() bool {
			r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
			o := r.Search()
			require.Contains(t, []wgl.Outcome{wgl.Found, wgl.Failed}, o)
			return o == wgl.Found
		})
	}
	a.enough(t)
}

// Blames say what is so: wherever the keys of a blame hold the same, and the same of what touches
// them is left, nothing leads to the end. All configurations of a history are tried.
func TestBlamesHold(t *testing.T) {
	s := cells.Spec()
	tried := 0
	for seed := range uint64(testenv.Scale(3000, 60_000)) {
		rng := rand.New(rand.NewPCG(seed, 80))
		h := cells.History(rng, cells.Options{Operations: 4 + rng.IntN(6), Cells: 3 + rng.IntN(4),
			Open: 2 + rng.IntN(4), Pending: []float64{0, 0.2}[rng.IntN(2)], Wrong: 0.4})
		b, err := s.Bind(model.Whole(h))
		require.NoError(t, err)
		r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
		if b.Touches == nil || r.Component != nil {
			continue
		}
		x := newIndependent(r, r.Instance.Touches, r.AtOnce)
		x.search()
		e := everyConfiguration{r: r, ends: map[configuration]bool{}, cells: cellsOf(s, b)}
		e.from(configuration{state: r.Table.Machine.Init()})
		for at, why := range x.failed {
			if why < 0 || x.blames[why].all || at.usage > 0 {
				continue
			}
			c := configuration{state: at.state}
			for i := range r.Ops {
				if v := history.OpID(i); r.Completed(v) && (r.Layer[v] < at.depth || r.From[v] <= at.depth &&
					at.mask>>r.Bit[v]&1 == 1) {
					c.done |= 1 << i
				}
			}
			for i, touches := range b.Touches {
				v := history.OpID(i)
				if e.is(c, v) || r.From[v] > at.depth || b.ReadOnly[v] && !slices.Contains(x.blames[why].reads, v) {
					continue
				}
				within := 0
				for _, k := range touches {
					if slices.Contains(x.blames[why].keys, k) {
						within++
					}
				}
				require.Contains(t, []int{0, len(touches)}, within, "seed %d: a blame is not closed", seed)
			}
			testkit.WithSeed(t, seed, func() {
				for other, ends := range e.ends {
					if ends && e.depth(other) == at.depth && e.alike(c, other, &x.blames[why]) {
						require.Fail(t, "a blame does not hold")
					}
				}
			})
			tried++
		}
	}
	t.Logf("%d blames", tried)
	assert.Greater(t, tried, testenv.MoreThan(1000))
}

// configuration is what has taken effect, as bits of operations, and the state.
type configuration struct {
	done  uint64
	state model.State
}

// everyConfiguration finds from which configurations there is a way to the end.
type everyConfiguration struct {
	r     *wgl.Run
	ends  map[configuration]bool
	cells []history.Value // by key
}

func (e *everyConfiguration) is(c configuration, v history.OpID) bool { return c.done>>v&1 == 1 }

// depth is the layer of a configuration.
func (e *everyConfiguration) depth(c configuration) layout.LayerID {
	d := slices.IndexFunc(e.r.Returns, func(v history.OpID) bool { return !e.is(c, v) })
	if d < 0 {
		return layout.LayerID(len(e.r.Returns))
	}
	return layout.LayerID(d)
}

func (e *everyConfiguration) from(c configuration) (ends bool) {
	if ends, known := e.ends[c]; known {
		return ends
	}
	d := e.depth(c)
	ends = int(d) == len(e.r.Returns)
	for i := range e.r.Ops {
		if v := history.OpID(i); !e.is(c, v) && e.r.From[v] <= d {
			for _, t := range e.r.Table.Machine.Step(c.state, v, nil) {
				ends = e.from(configuration{c.done | 1<<i, t}) || ends
			}
		}
	}
	e.ends[c] = ends
	return ends
}

// alike reports whether a blame of c concerns another configuration of its layer.
func (e *everyConfiguration) alike(c, other configuration, b *blame) bool {
	one, two := strings.Fields(e.r.Table.Machine.Describe(c.state)),
		strings.Fields(e.r.Table.Machine.Describe(other.state))
	for _, k := range b.keys {
		n, _ := e.r.Instance.Partition.History.Values.AsInt(e.cells[k])
		if strings.Trim(one[n], "[]") != strings.Trim(two[n], "[]") {
			return false
		}
	}
	for i := range e.r.Ops {
		v := history.OpID(i)
		touches := slices.ContainsFunc(e.r.Instance.Touches[v], func(k int32) bool {
			return slices.Contains(b.keys, k)
		})
		switch {
		case !touches:
		case e.r.Instance.ReadOnly[v]:
			if slices.Contains(b.reads, v) && e.is(other, v) {
				return false
			}
		case e.is(c, v) != e.is(other, v):
			return false
		}
	}
	return true
}

// cellsOf returns the cell of every key.
func cellsOf(s model.Spec, b *model.Instance) []history.Value {
	var cells []history.Value
	for i, touches := range b.Touches {
		names := s.Footprint(b.Partition.History, history.OpID(i), nil)
		for k, key := range touches {
			for len(cells) <= int(key) {
				cells = append(cells, 0)
			}
			cells[key] = names[k]
		}
	}
	return cells
}

// Where dozens of operations are open at a time, each on two of many cells, only what is connected
// matters: linearizable histories with pending operations, and late violations without.
func TestIndependentDecidesLongHistories(t *testing.T) {
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 5))
		o := cells.Options{Operations: 3000, Cells: cells.Most, Open: 16 << (seed % 2)}
		want := []wgl.Outcome{wgl.Found, wgl.Found, wgl.Failed}[seed/2]
		switch seed / 2 {
		case 1:
			o.Pending = 0.01
		case 2:
			o.Wrong, o.WrongFrom = 1, 2990
		}
		b, err := cells.Spec().Bind(model.Whole(cells.History(rng, o)))
		require.NoError(t, err)
		r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
		require.Equal(t, want, decideIndependently(r).Outcome, "seed %d", seed)
	}
}

// What operations were only seen to touch may be wrong: then the search still finds nothing but
// linearizations, and refutes nothing. If it is right, it finds one wherever there is one.
func TestSeenFindsOnlyLinearizations(t *testing.T) {
	yes, missed, right := 0, 0, 0
	for seed := range uint64(testenv.Scale(6000, 200_000)) {
		rng := rand.New(rand.NewPCG(seed, 83))
		b, err := cells.Spec().Bind(model.Whole(cells.Small(rng)))
		require.NoError(t, err)
		if b.Touches == nil {
			continue
		}
		touches, readOnly, wrong := b.Touches, slices.Clone(b.ReadOnly), rng.IntN(2) == 0
		if wrong {
			touches = slices.Clone(touches)
			for i := range touches {
				switch rng.IntN(3) {
				case 0:
					touches[i] = touches[rng.IntN(len(touches))]
				case 1:
					touches[i] = []int32{int32(rng.IntN(4))}
				}
				readOnly[i] = rng.IntN(2) == 0
			}
		}
		b.Touches, b.ReadOnly = nil, make([]bool, len(b.ReadOnly))
		b.Seen = func(func() bool) ([][]int32, []bool) { return touches, readOnly }
		r, _ := start(context.Background(), &engine.Problem{Instance: b}, nil)
		want, _ := oracle.Linearizable(b)
		testkit.WithSeed(t, seed, func() {
			d := decideAsSeen(r)
			require.NoError(t, r.Broken)
			switch {
			case d.Outcome == wgl.Found:
				require.True(t, want)
				require.NoError(t, oracle.Replay(b, d.Witness))
				yes++
			case want && !mayBeIndependent(r):
			case want && !wrong:
				require.Fail(t, "it was not found")
			case want:
				missed++
			default:
				require.Equal(t, wgl.Undecided, d.Outcome)
				right++
			}
		})
	}
	t.Logf("%d found, %d missed, %d not linearizable", yes, missed, right)
	assert.Greater(t, yes, testenv.MoreThan(1000))
	assert.Greater(t, missed, testenv.MoreThan(20))
	assert.Greater(t, right, testenv.MoreThan(500))
}
