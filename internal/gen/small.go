package gen

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"

	"github.com/linsat/linsat/history"
)

// SmallOptions configure Small. The zero value means 2 to 8 operations, with everything allowed.
type SmallOptions struct {
	Least, Most int // number of operations, failed ones included; 0: 2 and 8
	Keys        int // number of objects at most; 0: 2
	// number of different values at most; 0: 3 (or all distinct in a third of the histories)
	Values    int
	Distinct  bool // every value is inserted or written once only
	NoPending bool // every operation returns
	NoEdges   bool // no explicit order
	Edged     bool // explicit order in every history that has room for it
	Chains    bool // revisions, in the order of effect unless they are changed
	NoFailed  bool // no operation that is known to have failed
	NoInitial bool // the default initial state
	Started   bool // an initial state in every history of one object
	NoEnds    bool // no numbers near the ends of int64
	// every operation of the specification, not only the usual ones, and mere acknowledgements as
	// results
	All   bool
	Exact bool // no mutation: linearizable by construction, or within Relax
	// displaces results of removals and tickets by up to this many places, before any other change
	Relax int
}

// Small returns a random small history for comparison with brute force: intervals with many ties, a
// legal run in which each operation takes effect within its interval, then up to three changes of
// results and times; or results at random. About half of the histories are linearizable. In one of
// eight the numbers (values, priorities, counts, times) lie near the ends of int64. Equal seeds
// give equal histories. The error is about an unknown specification.
func Small(spec string, seed uint64, o SmallOptions) (*history.History, error) {
	g, err := newSmall(spec, seed, o)
	if err != nil {
		return nil, err
	}
	g.intervals()
	g.run()
	if o.Relax > 0 {
		g.displace()
	}
	if !o.Exact {
		g.mutate()
	}
	return g.build(), nil
}

// item is one operation of a small history in the making.
type item struct {
	action
	call, ret int64
	effect    float64 // when it takes effect
	turn      int     // its place in the run
	pending   bool
	failed    bool // it takes no effect
	never     bool // pending, and does not take effect
	revision  *history.Revision
}

// returned reports whether it took effect and returned.
func (it *item) returned() bool { return !it.pending && !it.failed }

type small struct {
	draw
	o       SmallOptions
	spec    string
	builder *history.Builder
	world   *world
	items   []item
	initial history.Value
	started bool
}

func newSmall(spec string, seed uint64, o SmallOptions) (*small, error) {
	if o.Least == 0 {
		o.Least = 2
	}
	if o.Most == 0 {
		o.Most = max(o.Least, 8)
	}
	if o.Keys == 0 {
		o.Keys = 2
	}
	if o.Values == 0 {
		o.Values = 3
	}
	g := &small{o: o, spec: spec, builder: history.NewBuilder()}
	h := fnv.New64a()
	h.Write([]byte(spec))
	g.draw = draw{r: rand.New(rand.NewPCG(seed, h.Sum64())), t: g.builder.Values, free: true, all: o.All}
	g.values = 1 + g.r.IntN(o.Values)
	if o.Distinct || g.coin(0.33) {
		g.values = 0
	}
	keys := 1
	if o.Keys > 1 && g.coin(0.2) {
		keys = 2 + g.r.IntN(o.Keys-1)
	}
	w, err := newWorld(&g.draw, spec, keys)
	if err != nil {
		return nil, err
	}
	g.world = w
	if atEnds := seed*0x9e3779b97f4a7c15>>61 == 0; atEnds && !o.NoEnds {
		g.ends = o.Most
	}
	if len(w.objects) == 1 && (o.Started || !o.NoInitial && (g.coin(0.15) || g.ends > 0 && spec == "counter")) {
		g.initial, g.started = w.objects[0].start(&g.draw)
	}
	return g, nil
}

// intervals draws processes, times and outcomes.
func (g *small) intervals() {
	n := g.o.Least + g.r.IntN(g.o.Most-g.o.Least+1)
	processes := int32(1 + g.r.IntN(min(n, 5)))
	long := g.r.IntN(6)
	free := make([]int64, processes) // from when on a process may call
	last := make([]float64, processes)
	for p := range free {
		free[p] = g.r.Int64N(4)
	}
	names := processes
	alias := make([]int32, processes) // the name of a process since its last pending operation
	for p := range alias {
		alias[p] = int32(p)
	}
	for range n {
		p := g.r.Int32N(processes)
		it := item{call: free[p] + g.r.Int64N(3)/2}
		it.ret = it.call + g.r.Int64N(int64(long)+1)
		it.effect = float64(it.call) + g.r.Float64()*float64(it.ret-it.call)
		if g.coin(0.3) { // many effects at one time, which come in any order
			it.effect = float64(it.call + g.r.Int64N(it.ret-it.call+1))
		}
		it.proc = alias[p]
		switch {
		case !g.o.NoPending && g.coin(0.12):
			it.pending, it.never = true, g.coin(0.5)
			it.effect += 4 * g.r.Float64()
			alias[p] = names
			names++
		case !g.o.NoFailed && g.coin(0.04):
			it.failed = true
		default:
			it.effect = max(it.effect, last[p])
			last[p] = it.effect
		}
		free[p] = it.ret + g.r.Int64N(3)/2
		g.items = append(g.items, it)
	}
}

// run lets the operations take effect, each at its moment.
func (g *small) run() {
	order := make([]int, len(g.items))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return g.items[order[i]].effect < g.items[order[j]].effect })
	for turn, i := range order {
		it := &g.items[i]
		it.turn = turn
		for {
			g.world.pick(&g.draw, &it.action)
			if it.failed || it.never || g.world.of(&it.action).apply(&g.draw, &it.action) {
				break
			}
		}
	}
}

// relaxable are the operations whose classes a uniform bound relaxes.
var relaxable = map[string]bool{"deq": true, "pop": true, "popfront": true, "popback": true, "deletemin": true,
	"getandinc": true}

// displace permutes the results of removals of one kind and object, within groups of up to Relax+1
// that take effect consecutively. A value may be removed before it is inserted. Pending removals
// retain their values.
func (g *small) displace() {
	type kind struct {
		f      string
		object int
	}
	places := map[kind][]*item{}
	var kinds []kind
	byTurn := make([]*item, len(g.items))
	for i := range g.items {
		byTurn[g.items[i].turn] = &g.items[i]
	}
	for _, it := range byTurn {
		k := kind{it.f, it.object}
		if !relaxable[it.f] || it.never || it.failed {
			continue
		}
		if places[k] == nil {
			kinds = append(kinds, k)
		}
		places[k] = append(places[k], it)
	}
	for _, k := range kinds {
		for group := range slices.Chunk(places[k], g.o.Relax+1) {
			group = slices.DeleteFunc(slices.Clone(group), func(it *item) bool { return it.pending })
			g.r.Shuffle(len(group), func(i, j int) {
				group[i].result, group[j].result = group[j].result, group[i].result
			})
		}
	}
}

// mutate changes the history, which may become illegal.
func (g *small) mutate() {
	if g.coin(0.1) {
		for i := range g.items {
			g.change(i)
		}
		return
	}
	if g.coin(0.2) {
		return
	}
	for range 1 + g.r.IntN(3) {
		i := g.r.IntN(len(g.items))
		switch g.r.IntN(5) {
		case 0, 1, 2:
			for try := 0; try < 8 && !g.change(i); try++ {
				i = g.r.IntN(len(g.items))
			}
		case 3:
			x, y := &g.items[i], &g.items[g.r.IntN(len(g.items))]
			// there the result must match the argument
			alike := x.f == y.f && (x.arg == y.arg || g.spec != "multi-register" && !g.limited(x) && !g.limited(y))
			if alike && x.returned() && y.returned() {
				x.result, y.result = y.result, x.result
			}
		case 4:
			g.shift(i)
		}
	}
}

// limited reports whether an operation reads a log and says how much at most.
func (g *small) limited(x *item) bool {
	_, is := g.t.AsList(x.arg)
	return is && g.spec == "log"
}

// change replaces the result of operation i by a guess, and reports whether that changed it.
func (g *small) change(i int) bool {
	a := &g.items[i].action
	old := a.result
	a.result = g.world.of(a).guess(&g.draw, a)
	return a.result != old && g.items[i].returned()
}

// shift moves an interval to a place where its process does nothing else, if there is one.
func (g *small) shift(i int) {
	it := &g.items[i]
	call := it.call + g.r.Int64N(7) - 3
	ret := max(call, it.ret+g.r.Int64N(7)-3)
	if call < 0 {
		return
	}
	for j := range g.items {
		if other := &g.items[j]; j != i && other.proc == it.proc && !(ret < other.call || other.ret < call) {
			return
		}
	}
	if it.pending {
		return // its process has earlier operations, which must stay before it
	}
	for j := range g.items {
		if other := &g.items[j]; other.proc == it.proc && other.pending && other.call < ret {
			return
		}
	}
	it.call, it.ret = call, ret
}

// shuffle changes the positions of the operations. Operations of one process stay in their order,
// since positions order them if times are equal.
func (g *small) shuffle() {
	old := slices.Clone(g.items)
	slots := make([]int32, len(old))
	queues := map[int32][]item{}
	for i, it := range old {
		slots[i] = it.proc
		queues[it.proc] = append(queues[it.proc], it)
	}
	g.r.Shuffle(len(slots), func(i, j int) { slots[i], slots[j] = slots[j], slots[i] })
	for i, p := range slots {
		g.items[i], queues[p] = queues[p][0], queues[p][1:]
	}
}

// build validates the history. Explicit edges that contradict the rest are left out.
func (g *small) build() *history.History {
	if g.coin(0.3) {
		g.shuffle()
	}
	if g.o.Chains {
		g.number()
	}
	type edge struct{ u, v int }
	var edges []edge
	if g.o.Edged || !g.o.NoEdges && g.coin(0.15) {
		for range 1 + g.r.IntN(3) {
			u, v := g.r.IntN(len(g.items)), g.r.IntN(len(g.items))
			if u == v {
				continue
			}
			if (g.o.Exact || g.coin(0.6)) && g.items[u].turn > g.items[v].turn {
				u, v = v, u
			}
			edges = append(edges, edge{u, v})
		}
	}
	for {
		b := g.records()
		for _, e := range edges {
			if err := b.Edge(e.u, e.v, 0); err != nil {
				panic("gen: " + err.Error())
			}
		}
		h, err := b.Finish()
		if err == nil {
			return h
		}
		if len(edges) == 0 {
			panic("gen: " + err.Error())
		}
		edges = edges[:len(edges)-1]
	}
}

// number gives all operations, or some of them, revisions of one or two chains.
func (g *small) number() {
	chains := []history.Value{history.Nil, g.t.String("chain")}[:1+g.r.IntN(2)]
	share, each := 1.0, 1+g.r.IntN(2)*g.r.IntN(3)
	if g.coin(0.5) {
		share = 0.5
	}
	for i := range g.items {
		if !g.coin(share) {
			continue
		}
		n := g.items[i].turn / each
		if !g.o.Exact && g.coin(0.05) {
			n += g.r.IntN(3) - 1
		}
		g.items[i].revision = &history.Revision{Chain: chains[g.r.IntN(len(chains))], Number: int64(n)}
	}
}

// clock maps an internal time to one of the history: in the same order, and near the ends of int64
// if numbers are.
func (g *small) clock(t int64) int64 {
	switch {
	case g.ends == 0:
		return t
	case t < 4:
		return math.MinInt64 + t
	default:
		return math.MaxInt64 - 1<<20 + t
	}
}

// records adds the operations to a new builder with the values of the old one.
func (g *small) records() *history.Builder {
	b := history.NewBuilder()
	b.Values = g.t
	b.SetSpec(g.spec)
	if g.started {
		b.SetInitial(g.initial)
	}
	for i := range g.items {
		it := &g.items[i]
		r := history.Record{Process: b.Process(strconv.Itoa(int(it.proc))), F: g.t.String(it.f),
			Key: it.key, Arg: it.arg,
			Result: it.result, Call: g.clock(it.call), Return: g.clock(it.ret), Pending: it.pending, Failed: it.failed,
			Revision: it.revision}
		if _, err := b.Add(r); err != nil {
			panic("gen: " + err.Error())
		}
	}
	return b
}
