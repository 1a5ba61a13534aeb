package monitor

import (
	"container/heap"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/internal/verify"
	"github.com/stretchr/testify/require"
)

// simulated is a collection of a long run.
type simulated struct {
	name  string
	items []int
	head  int // queue
}

func (s *simulated) Len() int           { return len(s.items) - s.head }
func (s *simulated) Less(i, j int) bool { return s.items[i] < s.items[j] }
func (s *simulated) Swap(i, j int)      { s.items[i], s.items[j] = s.items[j], s.items[i] }
func (s *simulated) Push(x any)         { s.items = append(s.items, x.(int)) }
func (s *simulated) Pop() any {
	x := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return x
}

func (s *simulated) insert(v int) {
	if s.name == "priority-queue" {
		heap.Push(s, v)
	} else {
		s.items = append(s.items, v)
	}
}

func (s *simulated) peek() int {
	switch {
	case s.Len() == 0:
		return 0
	case s.name == "stack":
		return s.items[len(s.items)-1]
	}
	return s.items[s.head]
}

func (s *simulated) remove() int {
	v := s.peek()
	switch {
	case v == 0:
	case s.name == "stack":
		s.items = s.items[:len(s.items)-1]
	case s.name == "queue":
		s.head++
	default:
		heap.Pop(s)
	}
	return v
}

// rates of a long run.
type rates struct {
	empty        bool    // removals may find nothing, and do often
	peeks        float64 // share of operations
	pendingIn    float64 // share of insertions that never return
	pendingOut   float64 // share of removals that never return
	swaps        int     // how many pairs of removals exchange their results
	drifting     bool    // the collection grows to and fro
	neighbouring int     // how many removals away the partner is at most; 0: 3
}

// longEvents makes a run of n operations by so many processes: at each tick one of them calls,
// takes effect or returns.
func longEvents(rng *rand.Rand, name string, n, processes int, r rates) []collectionEvent {
	s := &simulated{name: name}
	type open struct {
		at       int // in events; -1: idle
		effected bool
		crashes  bool
	}
	procs := make([]open, processes)
	for p := range procs {
		procs[p].at = -1
	}
	var events []collectionEvent
	next, tick, inserts := 0, 0, 0.5
	for done := 0; done < n; tick++ {
		p := &procs[rng.IntN(processes)]
		if r.drifting && tick%2000 == 0 {
			inserts = 0.35 + 0.3*rng.Float64()
		}
		switch {
		case p.at < 0 && len(events) == n:
			done = n
			for _, q := range procs {
				if q.at >= 0 {
					done = len(events) - 1
				}
			}
		case p.at < 0:
			e := collectionEvent{does: model.Remove, call: tick, ret: -1}
			*p = open{at: len(events)}
			switch x := rng.Float64(); {
			case x >= 1-r.peeks && (r.empty || s.Len() >= processes):
				e.does = model.Peek
			case x < (1-r.peeks)*inserts || !r.empty && s.Len() < processes:
				next++
				e.does, e.value = model.Insert, next
				if name == "priority-queue" {
					e.value = int(uint32(next)*0x9e3779b1>>1) + 1
				}
				p.crashes = rng.Float64() < r.pendingIn
			default:
				p.crashes = rng.Float64() < r.pendingOut
			}
			events = append(events, e)
		case !p.effected:
			e := &events[p.at]
			if p.crashes && rng.IntN(2) == 0 {
				p.at = -1
				continue
			}
			if e.does != model.Insert && !r.empty && s.Len() == 0 {
				if len(events) < n {
					continue
				}
				p.at = -1 // nothing will be inserted: it never returns
				continue
			}
			switch e.does {
			case model.Insert:
				s.insert(e.value)
			case model.Peek:
				e.value = s.peek()
			default:
				e.value = s.remove()
			}
			if p.effected = true; p.crashes {
				if e.does == model.Remove {
					e.value = 0
				}
				p.at = -1
			}
		default:
			events[p.at].ret = tick
			p.at = -1
		}
	}
	var removals []int
	for i := range events {
		if e := &events[i]; e.does != model.Insert && e.ret < 0 {
			e.value = 0
		} else if e.does == model.Remove && e.value != 0 {
			removals = append(removals, i)
		}
	}
	if r.neighbouring == 0 {
		r.neighbouring = 3
	}
	for range r.swaps {
		if len(removals) > r.neighbouring {
			k := rng.IntN(len(removals) - r.neighbouring)
			a, b := &events[removals[k]], &events[removals[k+1+rng.IntN(r.neighbouring)]]
			a.value, b.value = b.value, a.value
		}
	}
	return events
}

// TestMediumCollectionsAgreeWithTheDefinition compares with brute force on runs of one or two
// dozens of operations.
func TestMediumCollectionsAgreeWithTheDefinition(t *testing.T) {
	for _, name := range collections {
		for _, r := range []rates{
			{},
			{empty: true, peeks: 0.15, pendingIn: 0.05},
			{empty: true, pendingOut: 0.1, pendingIn: 0.05},
			{peeks: 0.2, pendingOut: 0.05, drifting: true},
		} {
			y := newCollectionTally()
			for seed := range sample(6_000) {
				rng := rand.New(rand.NewPCG(uint64(seed), 23))
				r.swaps, r.neighbouring = rng.IntN(3), 1+rng.IntN(3)
				events := longEvents(rng, name, 10+rng.IntN(16), 2+rng.IntN(3), r)
				if contradictory(events) && seed%4 > 0 {
					continue
				}
				y.compare(t, bindEvents(t, name, nil, nil, events), true, "%s %+v seed %d", name, r, seed)
			}
			t.Logf("%s %+v: %v", name, r, y)
			require.Greater(t, y.yes, sample(6_000)/10)
			require.Greater(t, y.no, sample(6_000)/100)
		}
	}
}

// TestLongCollectionsAreProved judges witnesses and refutations of long runs.
func TestLongCollectionsAreProved(t *testing.T) {
	for _, name := range collections {
		for _, processes := range []int{4, 16, 64} {
			n := 10_000
			if testenv.Full() && processes == 16 {
				n = 100_000
			}
			for k, r := range []rates{
				{drifting: true},
				{empty: true, peeks: 0.1, pendingIn: 0.001},
				{peeks: 0.3, drifting: true},
				{empty: true, peeks: 0.1, swaps: 1},
				{drifting: true, swaps: 5, neighbouring: 1},
				{pendingOut: 0.0005, drifting: true},
				{pendingOut: 0.0005, pendingIn: 0.001, empty: true, swaps: 1},
			} {
				rng := rand.New(rand.NewPCG(uint64(k), uint64(processes)))
				b := bindEvents(t, name, nil, nil, longEvents(rng, name, n, processes, r))
				a := decideCollection(t, b)
				what := fmt.Sprintf("%s, %d processes, %+v", name, processes, r)
				switch a.Verdict {
				case engine.Linearizable:
					require.NoError(t, verify.Witness(b, a.Witness), what)
				case engine.NotLinearizable:
					require.Positive(t, r.swaps, what)
					require.NoError(t, verify.Collection(b, a.Proof.(*proof.CollectionConflict)), what)
				default:
					require.Positive(t, r.pendingOut, what)
				}
				what += ": " + a.Verdict.String()
				if r, ok := a.Proof.(*proof.CollectionConflict); ok {
					what += fmt.Sprintf(", %v by %d values", r.Rule, len(r.Values))
				}
				t.Log(what)
			}
		}
	}
}

// TestWitnessesLeaveOutRemovalsThatTookAnything: a pending removal of an unordered queue may have
// taken any value, so a witness with many of them would take the verifier far too long to replay.
func TestWitnessesLeaveOutRemovalsThatTookAnything(t *testing.T) {
	for seed := range uint64(5) {
		c, err := gen.Generate(gen.Options{Spec: "unordered-queue", Operations: 10_000, Processes: 64,
			PendingRate: 0.01, Seed: seed})
		require.NoError(t, err)
		b := bindTo(t, "unordered-queue", c.History)
		a := decideCollection(t, b)
		require.Equal(t, engine.Linearizable, a.Verdict)
		require.NoError(t, verify.Witness(b, a.Witness))
		require.False(t, slices.ContainsFunc(a.Witness, func(i history.OpID) bool {
			return b.Partition.Ops[i].Pending() && b.Items.Delta[i] < 0
		}))
	}
}

// TestCollectionsHaveTheVerdictsOfTheExamples: verdicts that are easily got wrong.
func TestCollectionsHaveTheVerdictsOfTheExamples(t *testing.T) {
	at := func(e collectionEvent, call, ret int) collectionEvent {
		e.call, e.ret = call, ret
		return e
	}
	for _, c := range []struct {
		what, name string
		events     []collectionEvent
		verdict    engine.Verdict
		rule       proof.CollectionRule
		values     int
		via        bool
	}{
		{"equal times are concurrent", "queue", []collectionEvent{at(out(1), 1, 2), at(in(1), 2, 3)},
			engine.Linearizable, 0, 0, false},
		{"three values in a circle", "queue", []collectionEvent{at(in(1), 0, 9), at(in(2), 2, 3), at(in(3), 4, 5),
			at(seen(1), 7, 10), at(out(1), 20, 21), at(out(3), 6, 15), at(out(2), 12, 25)},
			engine.NotLinearizable, proof.Overtaken, 2, true},
		{"clipped first", "queue", []collectionEvent{at(in(1), 0, 100), at(out(1), 1, 2), at(in(2), 50, 60),
			at(out(2), 0, 60)}, engine.Linearizable, 0, 0, false},
		{"three values block each other", "stack", []collectionEvent{at(in(1), 0, 1), at(in(2), 2, 3), at(out(1), 4, 8),
			at(in(3), 5, 6), at(out(2), 7, 10), at(out(3), 9, 11)},
			engine.NotLinearizable, proof.Blocked, 3, false},
		{"a peek before the pop", "stack", []collectionEvent{at(in(1), 1, 2), at(seen(1), 3, 4), at(out(1), 5, 6)},
			engine.Linearizable, 0, 0, false},
		{"one poll cannot remove both", "priority-queue", []collectionEvent{at(in(5), 0, 1), at(in(7), 0, 1),
			at(unfinished, 2, -1), at(out(7), 3, 4), at(in(1), 5, 6), at(in(3), 5, 6), at(out(3), 8, 9)},
			engine.Unknown, 0, 0, false},
		{"more values than pending removals", "queue", []collectionEvent{at(in(1), 0, 1), at(in(2), 2, 3),
			at(unfinished, 4, -1), at(in(3), 4, 5), at(out(3), 6, 7), at(unfinished, 8, -1)},
			engine.NotLinearizable, proof.Overtaken, 3, false},
	} {
		a := decideCollection(t, bindEvents(t, c.name, nil, nil, c.events))
		require.Equal(t, c.verdict, a.Verdict, c.what)
		if r, ok := a.Proof.(*proof.CollectionConflict); ok {
			require.Equal(t, c.rule, r.Rule, c.what)
			require.Len(t, r.Values, c.values, c.what)
			require.Equal(t, c.via, r.Via >= 0, c.what)
		}
		newCollectionTally().compare(t, bindEvents(t, c.name, nil, nil, c.events), true, "%s", c.what)
	}
}

// TestUnsupportedCollectionsAreRefused: what the monitors leave to others, and why.
func TestUnsupportedCollectionsAreRefused(t *testing.T) {
	initial := bindEvents(t, "stack", []int{1, 1}, nil, []collectionEvent{{model.Remove, 1, 0, 1}})
	twice := bindEvents(t, "stack", nil, nil, []collectionEvent{{model.Insert, 1, 0, 1}, {model.Remove, 1, 2, 3},
		{model.Insert, 1, 4, 5}, {model.Remove, 1, 6, 7}, {model.Remove, 0, 8, 9}})
	forgotten := bindEvents(t, "queue", nil, nil, []collectionEvent{{model.Insert, 1, 0, 1}, {model.Remove, 1, 2, 3}})
	p := *forgotten.Partition
	p.Ops = append([]history.Op(nil), p.Ops...)
	p.Ops[1].Unknown = true
	forgotten, err := forgotten.Spec.Bind(&p)
	require.NoError(t, err)
	q := p
	q.Edges = []history.Edge{{Before: 0, After: 1}}
	edges, err := forgotten.Spec.Bind(&q)
	require.NoError(t, err)
	for reason, b := range map[string]*model.Instance{"a value is there twice at the start": initial,
		"a value is inserted twice": twice,
		"a result is unknown":       forgotten, "explicit order": edges} {
		require.Equal(t, engine.Answer{Cause: engine.Unsupported, Detail: reason}, decideCollection(t, b))
	}
}

func TestCollectionsKeepLimits(t *testing.T) {
	for _, name := range collections {
		g, err := gen.Generate(gen.Options{Spec: name, Operations: 50_000, Processes: 8, Seed: 1})
		require.NoError(t, err)
		p := &engine.Problem{Instance: bindTo(t, name, g.History)}
		testkit.KeepsLimits(t, func(ctx context.Context, budget *engine.Budget) (engine.Answer, error) {
			return New().Check(ctx, p, budget)
		})
	}
}

// TestRanksMayBeSparse: partitions of long histories have far more ranks than operations.
func TestRanksMayBeSparse(t *testing.T) {
	for _, name := range collections {
		for seed := range sample(4_000) {
			rng := rand.New(rand.NewPCG(uint64(seed), 29))
			_, _, events := randomEvents(rng, name, 8, collectionShape{empties: true, peeks: true, pendingIn: true})
			b := bindEvents(t, name, nil, nil, events)
			p := *b.Partition
			p.Ops = append([]history.Op(nil), p.Ops...)
			for i := range p.Ops {
				if p.Ops[i].Call *= 100; !p.Ops[i].Pending() {
					p.Ops[i].Return *= 100
				}
			}
			sparse, err := b.Spec.Bind(&p)
			require.NoError(t, err)
			require.Equal(t, decideCollection(t, b), decideCollection(t, sparse), "%s seed %d", name, seed)
		}
	}
}
