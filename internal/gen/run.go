package gen

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"

	"github.com/linsat/linsat/history"
)

// Known is what is known of a generated history.
type Known uint8

// The values of Known. The zero value claims nothing.
const (
	Unclear Known = iota
	Yes           // linearizable, or within Bound, by construction
	No            // certainly not linearizable; whether it is quasi-linearizable is not known
)

func (k Known) String() string { return [...]string{"unclear", "yes", "no"}[k] }

// Options configure Generate.
type Options struct {
	Spec       string
	Operations int // 0: 1000
	Processes  int // 0: 4; a process that leaves an operation pending is replaced by another
	// Overlap is the average number of open operations, at most Processes. It is not reached if
	// operations have to wait. 0: two thirds of the processes.
	Overlap     float64
	PendingRate float64 // share of operations that never return; half of them take effect
	// number of different values; 0: every value is inserted or written once (sets: 24 elements)
	Values    int
	Keys      int     // objects, or keys of one object; 0: 1
	EmptyRate float64 // share of removals that find nothing; 0: none
	// displaces tickets, and results of removals, by up to this many places, never before their
	// insertion; reads of a register or a kv return one of so many values before the last
	Relax   int
	Initial bool // an initial state other than the default, if the object has one
	// etcd: results tell no revisions and no versions, and operations have no known order
	NoRevisions bool
	Violation   Violation
	Seed        uint64
}

// Case is a generated history and what is known of it.
type Case struct {
	History  *history.History
	Known    Known
	Bound    int    // if Known is Yes: the bound under slots, drained or not; 0: linearizable
	Mutation string // the injected change, "" if none
}

// event is one operation of a run.
type event struct {
	action
	call, ret int64 // counted in events; ret < 0 while open
	effect    int64 // when it took effect, < 0 if it did not
	crashes   bool
}

// run is a run of processes that call operations on the objects of a world.
type run struct {
	draw
	o       Options
	builder *history.Builder
	world   *world
	events  []event
	clock   int64
	idle    []int32 // processes
	open    []int   // events
	names   int32   // processes so far
	initial history.Value
	started bool
	lost    *event // whose effect was taken away, or done twice, or what skipped a revision
	order   []int  // removals of object 0 in the order of effect, where they are to be relaxed
}

// Generate runs processes that call random operations on sequential objects: at each step some
// process calls, or an open operation takes effect, or returns. Then the results are changed as the
// options ask. A million operations take about a second. Equal options give equal histories. It
// returns an error if options contradict each other.
func Generate(o Options) (*Case, error) {
	g, err := newRun(o)
	if err != nil {
		return nil, err
	}
	g.all()
	c := &Case{Known: Yes}
	switch c.Bound = g.o.Relax; {
	case g.o.Relax > 0 && lateReads[g.o.Spec]:
		c.Mutation = fmt.Sprintf("reads late by up to %d", g.o.Relax)
	case g.o.Relax > 0:
		g.relax()
		c.Mutation = fmt.Sprintf("%s displaced by up to %d", removals[g.o.Spec], g.o.Relax)
	}
	if err := g.inject(c); err != nil {
		return nil, err
	}
	c.History, err = g.build()
	return c, err
}

func newRun(o Options) (*run, error) {
	if o.Operations == 0 {
		o.Operations = 1000
	}
	if o.Processes == 0 {
		o.Processes = 4
	}
	if o.Overlap == 0 {
		o.Overlap = 2 * float64(o.Processes) / 3
	}
	switch {
	case o.Operations < 0 || o.Processes < 0 || o.Keys < 0 || o.Values < 0 || o.Relax < 0 || o.Overlap < 0:
		return nil, fmt.Errorf("operations, processes, overlap, keys, values and relax must not be negative")
	case o.Overlap > float64(o.Processes):
		return nil, fmt.Errorf("%g operations cannot be open at once with %d processes", o.Overlap, o.Processes)
	case !(0 <= o.PendingRate && o.PendingRate <= 1 && 0 <= o.EmptyRate && o.EmptyRate < 1):
		return nil,
			fmt.Errorf(
				"the share of pending operations must be between 0 and 1, and that of empty results at least 0 and " +
					"below 1")
	}
	g := &run{o: o, builder: history.NewBuilder()}
	h := fnv.New64a()
	h.Write([]byte(o.Spec))
	g.draw = draw{r: rand.New(rand.NewPCG(o.Seed, h.Sum64())), t: g.builder.Values, values: o.Values,
		empty: o.EmptyRate, left: o.Operations}
	w, err := newWorld(&g.draw, o.Spec, o.Keys)
	if err != nil {
		return nil, err
	}
	g.world = w
	switch {
	case o.Relax > 0 && lateReads[o.Spec]:
		for k := range w.objects {
			w.objects[k] = &late{w.objects[k], o.Relax, map[history.Value][]history.Value{}}
		}
	case o.Relax > 0 && removals[o.Spec] == "":
		return nil, fmt.Errorf("relax needs removals, tickets, or reads of a register or a kv, and %s has none", o.Spec)
	}
	store, isEtcd := w.objects[0].(*etcd)
	if o.NoRevisions && !isEtcd {
		return nil, fmt.Errorf("only etcd has revisions to leave out, not %s", o.Spec)
	} else if isEtcd {
		store.plain = o.NoRevisions
	}
	if o.Initial {
		if len(w.objects) > 1 {
			return nil, fmt.Errorf("an initial state needs a single object, not %d", len(w.objects))
		}
		g.initial, g.started = w.objects[0].start(&g.draw)
	}
	g.names = int32(o.Processes)
	for p := range g.names {
		g.idle = append(g.idle, p)
	}
	g.events = make([]event, 0, o.Operations)
	return g, nil
}

// all runs to the end: all operations are called, and return unless they stay pending.
func (g *run) all() {
	for g.left > 0 || len(g.open) > 0 {
		// Each operation takes one step to call and two to take effect and return: with a third of
		// the steps calls, as many are open as before.
		call := g.o.Overlap / (g.o.Overlap + 2*float64(len(g.open)))
		if g.left > 0 && len(g.idle) > 0 && (len(g.open) == 0 || g.coin(call)) {
			g.call()
		} else if len(g.open) > 0 {
			g.advance()
		}
	}
}

func (g *run) call() {
	k := g.r.IntN(len(g.idle))
	e := event{ret: -1, effect: -1}
	e.proc = g.idle[k]
	if !g.world.pick(&g.draw, &e.action) {
		return
	}
	g.idle[k] = g.idle[len(g.idle)-1]
	g.idle = g.idle[:len(g.idle)-1]
	g.left--
	e.call = g.clock
	g.clock++
	e.crashes = g.o.PendingRate > 0 && g.coin(g.o.PendingRate)
	if l, ok := g.world.of(&e.action).(*ownedLock); ok && l.keeps(&e.action) {
		e.crashes = false
	}
	g.open = append(g.open, len(g.events))
	g.events = append(g.events, e)
}

// advance lets an open operation take effect or return, whichever it has to do next.
func (g *run) advance() {
	k := g.r.IntN(len(g.open))
	e := &g.events[g.open[k]]
	object := g.world.of(&e.action)
	switch {
	case e.crashes && e.effect < 0 && !object.crash(&g.draw, &e.action):
	case e.effect < 0:
		if !g.lose(g.open[k]) && !object.apply(&g.draw, &e.action) {
			return
		}
		if store, isEtcd := object.(*etcd); isEtcd {
			g.disturb(store, g.open[k])
		}
		if g.o.Relax > 0 && isDisplaced[e.f] {
			g.order = append(g.order, g.open[k])
		}
		e.effect = g.clock
		g.clock++
		if !e.crashes {
			return
		}
	default:
		e.ret = g.clock
		g.clock++
	}
	g.open[k] = g.open[len(g.open)-1]
	g.open = g.open[:len(g.open)-1]
	if e.crashes {
		g.idle = append(g.idle, g.names)
		g.names++
	} else {
		g.idle = append(g.idle, e.proc)
	}
}

// build adds the operations to a builder.
func (g *run) build() (*history.History, error) {
	b := g.builder
	b.SetSpec(g.o.Spec)
	if g.started {
		b.SetInitial(g.initial)
	}
	for p := range g.names {
		b.Process(strconv.Itoa(int(p)))
	}
	names := map[string]history.Value{}
	shown := g.shownRevisions()
	for i := range g.events {
		e := &g.events[i]
		f, ok := names[e.f]
		if !ok {
			f = b.Values.String(e.f)
			names[e.f] = f
		}
		r := history.Record{Process: e.proc, F: f, Key: e.key, Arg: e.arg, Result: e.result,
			Call: e.call, Return: e.ret}
		if e.ret < 0 {
			r.Pending = true
		}
		if n, told := g.revision(e, shown); told {
			r.Revision = &history.Revision{Number: n}
		}
		if _, err := b.Add(r); err != nil {
			return nil, err
		}
	}
	return b.Finish()
}

// removals says what --relax displaces, by specification, and isDisplaced which operations these
// are. Of isRemoval null says that nothing was there.
var (
	removals = map[string]string{"queue": "removals", "stack": "removals", "priority-queue": "removals",
		"unordered-queue": "removals", "deque": "removals", "counter": "tickets"}
	isDisplaced = map[string]bool{"deq": true, "pop": true, "deletemin": true, "popfront": true, "popback": true,
		"getandinc": true}
	isRemoval = map[string]bool{"deq": true, "pop": true, "deletemin": true}
)

// relax permutes the results of removals: for each object and kind, within groups of up to Relax+1
// consecutive ones. So none moves by more than Relax places, and the legal sequence becomes ρ″
// of the ρ′ that the moments of effect give. A permutation that removes a value before its
// insertion takes effect is drawn again a few times, or given up. Pending removals retain their
// values.
func (g *run) relax() {
	type kind struct {
		object int
		f      string
	}
	inserted := map[contents]int64{}
	for i := range g.events {
		if e := &g.events[i]; e.effect >= 0 && e.arg != history.Nil && g.o.Spec != "counter" {
			if t, ok := inserted[contents{e.object, e.arg}]; !ok || e.effect < t {
				inserted[contents{e.object, e.arg}] = e.effect
			}
		}
	}
	places := map[kind][]int{}
	for _, i := range g.order {
		k := kind{g.events[i].object, g.events[i].f}
		places[k] = append(places[k], i)
	}
	kinds := slices.Collect(maps.Keys(places))
	sort.Slice(kinds, func(i, j int) bool {
		x, y := kinds[i], kinds[j]
		return cmp.Or(cmp.Compare(x.object, y.object), cmp.Compare(x.f, y.f)) < 0
	})
	for _, k := range kinds {
		for group := range slices.Chunk(places[k], g.o.Relax+1) {
			for range 4 {
				perm := g.r.Perm(len(group))
				ok := true
				for place, from := range perm {
					e, v := &g.events[group[place]], g.events[group[from]].result
					ok = ok && (place == from || !e.crashes && !g.events[group[from]].crashes) &&
						(v == history.Nil || inserted[contents{k.object, v}] < e.effect)
				}
				if !ok {
					continue
				}
				results := make([]history.Value, len(group))
				for place, from := range perm {
					results[place] = g.events[group[from]].result
				}
				for place, i := range group {
					g.events[i].result = results[place]
				}
				break
			}
		}
	}
}

type contents struct {
	object int
	value  history.Value
}
